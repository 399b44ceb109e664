"""Rename: every occurrence of a name, here and in other files.

The other files are those of ``references.elsewhere``: a caller that can open them calls ``renamed``
with each. A rename is refused with a reason for the user.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.features.names import PlacedName, name_at, places, places_of
from msgls.text.phrases import Phrase, PhrasedError
from msgls.text.spans import Edit, Span

_NO_RENAME = Phrase("renaming is not available in a file of this format")

_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class RenameRefused(PhrasedError):
    """The name cannot be changed, or not to the new one."""


def check_id(new: str) -> None:
    """Raise ``RenameRefused`` if that is not a valid id: it is empty, or not one line."""
    if not new.strip(" \t"):
        raise RenameRefused("an id cannot be empty")
    if _UNFIT.search(new):
        raise RenameRefused("an id is one line, without control characters")


class Renamable(NamedTuple):
    """The name that would be renamed."""

    span: Span
    text: str


def prepare_rename(snapshot: Snapshot, offset: int) -> Renamable:
    """The name that a rename at ``offset`` would change. Raises ``RenameRefused``."""
    document = snapshot.document
    return Renamable(*language_of(document).renamable(document, _named(document, offset)))


def rename(snapshot: Snapshot, offset: int, new: str) -> list[Edit]:
    """The edits that rename the name at ``offset``. Raises ``RenameRefused``."""
    document = snapshot.document
    language, found = language_of(document), _named(document, offset)
    _, text = language.renamable(document, found)
    return [] if new == text else language.rename(document, found, new)


def rename_everywhere(document: Document, found: PlacedName, new: str) -> list[Edit]:
    """The edits of every occurrence of a name. Raises ``RenameRefused``."""
    check_id(new)
    if places_of(document, found.name._replace(text=new)):
        raise RenameRefused("`{new}` is taken", new=new)
    return [Edit(place.span, new) for place in places(document, found)]


def renamed(snapshot: Snapshot, name: str, new: str) -> list[Edit]:
    """The edits that rename a name here which other files share. Raises ``RenameRefused``."""
    document = snapshot.document
    return language_of(document).rename_shared(document, name, new)


def _named(document: Document, offset: int) -> PlacedName:
    nothing = language_of(document).nothing_to_rename
    if nothing is None:
        raise RenameRefused(_NO_RENAME)
    found = name_at(document, offset)
    if found is None or not found.name.text or found.segment.start == found.segment.end:
        raise RenameRefused(nothing)
    return found
