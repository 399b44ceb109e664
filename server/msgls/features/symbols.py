"""Search for symbols in a workspace: matching a query, and conversations of several files.

For a file that is one of several of a conversation, ``conversation`` returns that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of


class Conversation(NamedTuple):
    """A folder whose files are one conversation together."""

    name: str
    number_of: Callable[[str], int | None]
    """The number of a file in it, by its name; ``None`` for a file that is not a part of it."""


def conversation(snapshot: Snapshot) -> Conversation | None:
    """The conversation that a document is a part of, if that has other files too."""
    return language_of(snapshot.document).conversation(snapshot)


def matches(query: str, name: str) -> bool:
    """Whether ``name`` contains the letters of ``query`` in that order, ignoring case."""
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold() if not letter.isspace())
