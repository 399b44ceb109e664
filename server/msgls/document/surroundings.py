"""What is known beyond a document: the agents, files and tokenizer around it.

The command line and the server provide it. Nothing here opens a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import NamedTuple

from msgls.formats.agents import Greeting
from msgls.text.tokens import ESTIMATE, TokenCounter


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
