"""Rename: a name and every place that says it.

A refusal is raised with a reason that a person can read.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.text.spans import Edit, Span

_NO_RENAME = "a rename cannot be done in a file of this format"


class RenameRefused(Exception):
    """A name cannot be changed, or not to that."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


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
