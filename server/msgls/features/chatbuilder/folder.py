"""The folder of a message: which of how many it is, and which come before and after it.

Owns the order. Only names are known of the others; what is in them is not looked at.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.symbols import Conversation
from msgls.formats.chatbuilder import message_number


class Standing(NamedTuple):
    """A message among the others of its folder."""

    names: tuple[str, ...]
    """All of them, in order; only its own where nobody knows the others."""
    place: int
    """Which of them it is, from 0."""
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
        """The name that the message after all of them would have, with as many digits."""
        digits = self.names[-1].rpartition(".")[0]
        width = len(digits) if digits.startswith("0") else 0
        return f"{int(digits) + 1:0{width}}.md"


def standing(snapshot: Snapshot) -> Standing | None:
    """Which message of its folder a document is; nothing where its file has no number."""
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
    """The path of another file as one sees it from a document."""
    try:
        relative = os.path.relpath(path, os.path.dirname(document.path))  # noqa: PTH120  # no file
    except ValueError:
        # On another drive.
        relative = path
    return relative.replace(os.sep, "/")


def conversation(snapshot: Snapshot) -> Conversation | None:
    """The folder, by its name and that of the folder around it."""
    *folders, name = snapshot.document.path.replace("\\", "/").split("/")
    if message_number(name) is None or not folders:
        return None
    shown = [folder for folder in folders[-2:] if folder]
    return Conversation("/".join(shown), message_number) if shown else None
