"""A snapshot: a version of a document with everything that rules and features may know.

It is the one context that they are given, so nothing can be forgotten on the way: what a
cell means depends on the agents around its file, and is asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import NamedTuple, NoReturn

from msgls.document.document import Document
from msgls.formats.agents import Greeting
from msgls.formats.base import Meaning, Placed
from msgls.text.tokens import ESTIMATE, TokenCounter


class Snapshot:
    """A document, its surroundings, its settings and the time. Nothing of it ever changes."""

    __slots__ = ("_meanings", "document", "now", "settings", "surroundings")

    document: Document
    """As it reads among the agents of ``surroundings``."""
    surroundings: Surroundings
    settings: Settings
    now: datetime
    """For what is written or shown. Rules never look at it: a problem follows from the text."""
    _meanings: dict[int, Meaning]

    def __init__(
        self, document: Document, surroundings: Surroundings, settings: Settings, now: datetime
    ) -> None:
        assign = object.__setattr__
        assign(self, "document", document.with_agents(surroundings.other_agents))
        assign(self, "surroundings", surroundings)
        assign(self, "settings", settings)
        assign(self, "now", now)
        assign(self, "_meanings", {})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a snapshot is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a snapshot is frozen: {name} cannot be deleted")

    @property
    def tokens(self) -> TokenCounter:
        """How tokens are counted."""
        return self.surroundings.tokens

    def of(self, document: Document) -> Snapshot:
        """The same context around another document: its next version, or one made from it."""
        return Snapshot(document, self.surroundings, self.settings, self.now)

    @property
    def time(self) -> str:
        """The time as files have it: ISO 8601, to the second."""
        return self.now.isoformat(timespec="seconds")

    def meaning(self, placed: Placed) -> Meaning:
        """What a cell of the document is."""
        meanings = self._meanings
        known = meanings.get(placed.label)
        if known is None:
            document = self.document
            known = meanings[placed.label] = document.format.meaning(document, placed)
        return known

    def meaning_at(self, label: int) -> Meaning:
        """What the cell with that label is."""
        known = self._meanings.get(label)
        return self.meaning(self.document.cell(label)) if known is None else known


# -- The settings that hold for a document, as plain values.
# ``rules/settings.py`` owns the table of options: how each is read, and what it means for rules.

ALL = "ALL"
"""The selector of every rule."""


class Settings(NamedTuple):
    """What is configured. The fields are those of ``OPTIONS``, and where they come from."""

    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = {}
    per_file_ignores: Mapping[str, tuple[str, ...]] = {}
    section: str = "Discussion"
    dialect: str = "auto"
    tokens: str = "auto"
    agents_file: str = ""
    insert: str = "auto"
    """Whether a new conversation starts with a boot message."""
    locale: str = "auto"
    scope: str = "openFiles"
    limit: int = 1_000
    large_file: int = 50
    """From how many millions of characters on only syntax and outline are offered."""
    features: Mapping[str, bool] = {}
    """The switches that are set, by name."""
    folder: str = ""
    """The folder that the patterns of ``per_file_ignores`` are relative to."""

    def has(self, feature: str) -> bool:
        """Whether a feature is switched on; what has no switch always is."""
        return self.features.get(feature, True)


# -- What is known beyond a document: agents, other files, the tokenizer. The command line and the
# server provide it. Nothing here opens a file.


def _nobody(key: str, value: str) -> Sequence[str]:
    """The default of ``Surroundings.others_with``."""
    return ()


def _unknown(path: str) -> bool | None:
    """The default of ``Surroundings.exists``."""
    return None


def _no_names(folder: str) -> Sequence[str]:
    """The default of ``Surroundings.listing``."""
    return ()


def _no_files(agents_file: str) -> Iterable[str]:
    """The default of ``Surroundings.registered_by``."""
    return ()


class Surroundings(NamedTuple):
    """What rules and features may know beyond the document."""

    other_agents: frozenset[str] = frozenset()
    """Agents that the nearest ``agents.json`` registers."""
    neighbours: Set[str] = frozenset()
    """The names of the files in the same folder, where a format has a use for them."""
    others_with: Callable[[str, str], Sequence[str]] = _nobody
    """``others_with(key, value)``: the paths of other files in the workspace that say so."""
    exists: Callable[[str], bool | None] = _unknown
    """Whether there is a file of that relative path; nothing where that cannot be known."""
    listing: Callable[[str], Sequence[str]] = _no_names
    """The names in a folder of that relative path, those of folders with a slash at the end."""
    agents_file: str = ""
    """The path of the ``agents.json`` that registers them; empty where there is none."""
    greetings: tuple[Greeting, ...] = ()
    """The boot messages in it, in its order."""
    registered_by: Callable[[str], Iterable[str]] = _no_files
    """``registered_by(agents_file)``: the paths of all message files that it counts for."""
    tokens: TokenCounter = ESTIMATE
    """How tokens are counted: exactly, where a tokenizer is installed."""


ALONE = Surroundings()
"""The surroundings of a document of which nothing else is known."""
