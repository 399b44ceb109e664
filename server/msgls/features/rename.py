"""Rename: a name and every place that says it, here and in other files.

Other files are only named: whoever can open them asks ``renamed`` for the edits there. A
refusal is raised with a reason that a person can read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.features.elsewhere import Elsewhere
from msgls.rules.base import ALONE, Surroundings
from msgls.text.phrases import Phrase, PhrasedError
from msgls.text.spans import Edit, Span

_NO_RENAME = Phrase("a rename cannot be done in a file of this format")


class RenameRefused(PhrasedError):
    """A name cannot be changed, or not to that."""


class Renamable(NamedTuple):
    """What would be renamed."""

    span: Span
    text: str


def prepare_rename(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> Renamable:
    """What a rename at ``offset`` would change. Raises ``RenameRefused``."""
    found = provided(document, prepare_rename)
    if found is None:
        raise RenameRefused(_NO_RENAME)
    return found(document, offset, other_agents)


def rename(
    document: Document, offset: int, new: str, other_agents: Collection[str] = ()
) -> list[Edit]:
    """The edits that give the name at ``offset`` as ``new``. Raises ``RenameRefused``."""
    found = provided(document, rename)
    if found is None:
        raise RenameRefused(_NO_RENAME)
    return found(document, offset, new, other_agents)


def renamed_with(
    document: Document, offset: int, surroundings: Surroundings = ALONE
) -> Iterable[Elsewhere]:
    """The other files that may say the name at ``offset``, found on the way."""
    found = provided(document, renamed_with)
    return [] if found is None else found(document, offset, surroundings)


def renamed(document: Document, name: str, new: str) -> list[Edit]:
    """The edits that give a name of another file as ``new`` here. Raises ``RenameRefused``."""
    found = provided(document, renamed)
    return [] if found is None else found(document, name, new)
