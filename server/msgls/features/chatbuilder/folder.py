"""The folder of a message: its number among the others, and which come before and after it.

Owns the order. Only the names of the others are known; they are not opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.chatbuilder.places import header_of
from msgls.features.lenses import Lens, LensText
from msgls.features.symbols import Conversation
from msgls.formats.base import Placed
from msgls.formats.chatbuilder import message_number
from msgls.text.phrases import EMPTY, Phrase


class Standing(NamedTuple):
    """A message among the others of its folder."""

    names: tuple[str, ...]
    """All of them, in order; only its own if the others are unknown."""
    place: int
    """Its index among them."""
    is_alone: bool
    """Whether nothing is known of the folder."""

    @property
    def previous(self) -> str | None:
        """The name of the message before it."""
        return self.names[self.place - 1] if self.place else None

    @property
    def next(self) -> str | None:
        """The name of the message after it."""
        return self.names[self.place + 1] if not self.is_last else None

    @property
    def is_last(self) -> bool:
        """Whether no message comes after it."""
        return self.place + 1 == len(self.names)

    @property
    def following(self) -> str:
        """The name for a new message after all of them, with as many digits."""
        digits = self.names[-1].rpartition(".")[0]
        width = len(digits) if digits.startswith("0") else 0
        return f"{int(digits) + 1:0{width}}.md"


def standing(snapshot: Snapshot) -> Standing | None:
    """The standing of a message in its folder; ``None`` if its file name is not a number."""
    own = snapshot.document.path.replace("\\", "/").rpartition("/")[2]
    if message_number(own) is None:
        return None
    numbers = {name: message_number(name) for name in {own, *snapshot.surroundings.neighbours}}
    numbered = sorted([(number, name) for name, number in numbers.items() if number is not None])
    names = tuple([name for _, name in numbered])
    return Standing(names, names.index(own), not snapshot.surroundings.neighbours)


def beside(document: Document, name: str) -> str:
    """The path of a file in the folder of a document."""
    return os.path.join(os.path.dirname(document.path), name)  # noqa: PTH118, PTH120  # no file


def shown(document: Document, path: str) -> str:
    """The path of another file relative to a document."""
    try:
        relative = os.path.relpath(path, os.path.dirname(document.path))  # noqa: PTH120  # no file
    except ValueError:
        # On another drive.
        relative = path
    return relative.replace(os.sep, "/")


def conversation(snapshot: Snapshot) -> Conversation | None:
    """The folder of a message as a conversation, named by itself and its parent folder."""
    *folders, name = snapshot.document.path.replace("\\", "/").split("/")
    if message_number(name) is None or not folders:
        return None
    shown = [folder for folder in folders[-2:] if folder]
    return Conversation("/".join(shown), message_number) if shown else None


# -- Semantic versions: the next one.


PARTS = (Phrase("patch"), Phrase("minor"), Phrase("major"))


def bumped(version: str, part: str) -> str:
    """The version after ``version``, which is valid. A pre-release leads to its release first."""
    core, _, _ = version.partition("+")
    core, _, pre_release = core.partition("-")
    major, minor, patch = map(int, core.split("."))
    is_pre_release = bool(pre_release)
    if part == "major":
        major, minor, patch = major + (not is_pre_release or bool(minor or patch)), 0, 0
    elif part == "minor":
        minor, patch = minor + (not is_pre_release or bool(patch)), 0
    else:
        patch += not is_pre_release
    return f"{major}.{minor}.{patch}"


# -- Code lenses of a message: its number in its folder, and commands that go to the others.
# Each command is also a code action.


PLACE, PREVIOUS, NEXT, NEW = "place", "previous", "next", "new"


def lenses(snapshot: Snapshot) -> Iterator[Lens]:
    """The lenses of a message, all above the first line."""
    found, first = standing(snapshot), snapshot.document.first_cell()
    if found is None or first is None:
        return
    yield Lens(first.label, 0, PLACE)
    if found.previous is not None:
        yield Lens(first.label, 0, PREVIOUS)
    if found.next is not None:
        yield Lens(first.label, 0, NEXT)
    elif not found.is_alone:
        yield Lens(first.label, 0, NEW)


def lens_text(snapshot: Snapshot, placed: Placed, what: str) -> LensText:
    """The text of a lens; empty if its folder has changed meanwhile."""
    found = standing(snapshot)
    if found is None:
        return LensText(EMPTY)
    if what == PREVIOUS and found.previous is not None:
        return LensText(Phrase("Previous message"), table.GO_TO_PREVIOUS_MESSAGE.id)
    if what == NEXT and found.next is not None:
        return LensText(Phrase("Next message"), table.GO_TO_NEXT_MESSAGE.id)
    if what == NEW and found.is_last:
        return LensText(Phrase("Create the next message"), table.INSERT_NEXT_MESSAGE.id)
    return LensText(_place(snapshot.document, found) if what == PLACE else EMPTY)


def _place(document: Document, found: Standing) -> Phrase:
    header = header_of(document)
    role = None if header is None else header.known_role
    place = Phrase(
        "message {number:,} of {count:,}", number=found.place + 1, count=len(found.names)
    )
    if found.is_alone:
        place = Phrase("message {name}", name=found.names[0].rpartition(".")[0])
    return Phrase("{place} · {role}", place=place, role=role) if role else place
