"""Names that a person looks for in a workspace: what a few letters may mean, and conversations.

A conversation may be one file or many; of one of many files, ``conversation`` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of


class Conversation(NamedTuple):
    """A folder of files that are a conversation together, seen from one of them."""

    name: str
    number_of: Callable[[str], int | None]
    """The place of a file in it, by its name; nothing for a file that is not a part of it."""


def conversation(snapshot: Snapshot) -> Conversation | None:
    """The conversation that a document is a part of, where that is more than itself."""
    return language_of(snapshot.document).conversation(snapshot)


def matches(query: str, name: str) -> bool:
    """Whether the letters of ``query`` stand in ``name``, in that order, whatever their case."""
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold() if not letter.isspace())
