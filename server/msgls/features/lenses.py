"""Code lenses: lines above the text that tell something, or stand for a command.

Where they are must be cheap, for an editor asks for a whole document at once; what they
say is asked for the few that somebody sees.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.formats.base import Placed


class Lens(NamedTuple):
    """A lens that has not been looked through yet."""

    order: int
    """The label of its cell."""
    line: int
    what: str


class Said(NamedTuple):
    """What a lens says, and the command that it stands for; nothing where it only tells."""

    title: str
    command: str = ""


def lenses(document: Document) -> Iterator[Lens]:
    """Where lenses are, in order."""
    found = provided(document, lenses)
    return iter(()) if found is None else found(document)


def say(document: Document, placed: Placed, what: str, others: Collection[str] = ()) -> Said:
    """What a lens above a cell says."""
    found = provided(document, say)
    return Said("") if found is None else found(document, placed, what, others)
