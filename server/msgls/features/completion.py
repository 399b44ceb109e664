"""Completion: the suggestions at an offset.

Every item is an edit with an exact range, so no editor has to guess what a word is. The
documentation of an item is made only when the item is selected.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.features.markup import Part
from msgls.text.spans import Edit


class ItemKind(Enum):
    """The kind of an item; editors show an icon for it."""

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
    """One suggestion."""

    label: str
    kind: ItemKind
    edit: Edit
    """Absolute; its range holds the cursor and lies on one line."""
    detail: str = ""
    snippet: str | None = None
    """The same text in the snippet notation."""
    filter_text: str | None = None
    """The text that typing is matched against, if that is not the label."""
    topic: tuple[str, str] | None = None
    """The topic for ``documentation``."""
    also: tuple[Edit, ...] = ()
    """Further edits when it is chosen; absolute."""
    is_plain: bool = False
    """Whether an editor's service for plain JSON also suggests it."""


class Completions(NamedTuple):
    """The suggestions, the likeliest first."""

    items: tuple[Item, ...] = ()
    incomplete: bool = False
    """Whether there may be more when the user types on."""


def complete(snapshot: Snapshot, offset: int) -> Completions:
    """The suggestions at ``offset``."""
    return language_of(snapshot.document).complete(snapshot, offset)


def opens(snapshot: Snapshot, offset: int, character: str) -> bool:
    """Whether a list may open by itself after ``character`` was typed right before ``offset``.

    Only where one of our suggestions must follow: a list that opens in prose is in the way.
    """
    return language_of(snapshot.document).opens(snapshot, offset, character)


def documentation(snapshot: Snapshot, topic: tuple[str, str]) -> tuple[Part, ...]:
    """The documentation of an item, requested when it is selected in the list."""
    return language_of(snapshot.document).documentation(snapshot, topic)
