"""Completion: what can be typed at a place.

Every item is an edit with an exact range, so no editor has to guess what a word is. Longer
texts are made when an item is looked at (``documentation``).
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.features.markup import Part
from msgls.text.spans import Edit


class ItemKind(Enum):
    """What an item is; editors show an icon for it."""

    MARKER = "marker"
    CELL = "cell"
    ID = "id"
    TYPE = "type"
    AGENT = "agent"
    LANGUAGE = "language"
    KEY = "key"
    VALUE = "value"
    RULE = "rule"
    FILE = "file"
    FOLDER = "folder"
    HEADING = "heading"


class Item(NamedTuple):
    """One thing that can be typed."""

    label: str
    kind: ItemKind
    edit: Edit
    """Absolute; its range holds the cursor and lies on one line."""
    detail: str = ""
    snippet: str | None = None
    """The same text in the snippet notation."""
    filter_text: str | None = None
    """What the typed text is compared with, where that is not the label."""
    topic: tuple[str, str] | None = None
    """What ``documentation`` can say more about."""
    is_plain: bool = False
    """Whether an editor's service for plain JSON offers the same by itself."""


class Completions(NamedTuple):
    """What can be typed, the likeliest first."""

    items: tuple[Item, ...] = ()
    incomplete: bool = False
    """Whether typing on may bring more."""


def complete(
    document: Document, offset: int, other_agents: Collection[str] = (), now: str = ""
) -> Completions:
    """What can be typed at ``offset``. ``now`` is the time that is offered for times."""
    found = provided(document, complete)
    return Completions() if found is None else found(document, offset, other_agents, now)


def opens(document: Document, offset: int, character: str) -> bool:
    """Whether a list may open by itself after ``character`` was typed right before ``offset``.

    Only where nothing but something of ours can follow: a list in prose is in the way.
    """
    found = provided(document, opens)
    return found is not None and found(document, offset, character)


def documentation(
    document: Document, topic: tuple[str, str], other_agents: Collection[str] = ()
) -> tuple[Part, ...]:
    """What more can be said about an item, when somebody looks at it."""
    found = provided(document, documentation)
    return () if found is None else found(document, topic, other_agents)
