"""How commands run: their arguments and their results.

A command that changes the document returns a ``CellChange``; one that creates a file, a
``NewFile``; one that goes to another file, an ``OtherFile``; one that makes a text to look at, a
``ShownText``; any other, its result as plain data. Their names are in ``command_table``; the
``Language`` of a format implements those that it supports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.command_table import BY_ID, GO_TO_NEXT, GO_TO_PREVIOUS, Command
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.text.phrases import PhrasedError
from msgls.text.spans import Edit
from msgls.text.translation import ENGLISH


class RefusedError(PhrasedError):
    """A command does not apply here; the message says why."""


class CellChange(NamedTuple):
    """Edits of the document, and where the cursor belongs in the text after them."""

    edits: tuple[Edit, ...]
    cursor: int | None = None
    selected_to: int | None = None
    """The end of the selection that starts at the cursor, if any."""
    repeated_at: tuple[int, ...] = ()
    """Other places of the selected text, which change with it while the user types over it."""
    next_stop: int | None = None
    """The place of the cursor after the selection has been replaced."""


class NewFile(NamedTuple):
    """A file to be created beside the document; never one that exists."""

    name: str
    text: str
    cursor: int
    """The place of the cursor in it."""


class OtherFile(NamedTuple):
    """A file beside the document that is to be shown."""

    name: str


class LossPlace(NamedTuple):
    """A loss of a conversion, in words, and its line."""

    what: str
    line: int | None = None
    """From 0; ``None`` if it is about all of the document."""


class ShownText(NamedTuple):
    """A text that is to be shown as a document of its own, which is not saved yet."""

    name: str
    """Its suggested file name."""
    language_id: str
    text: str
    losses: tuple[LossPlace, ...] = ()


class InvalidArgument(PhrasedError):
    """An argument of a command is invalid; the message says why."""


class Call(NamedTuple):
    """The call of a command: where, and with which arguments."""

    snapshot: Snapshot
    offset: int
    arguments: Mapping[str, Any]
    end: int | None = None
    """The end of the selection, if any; it starts at the offset."""
    language: str = ENGLISH
    """The user's language, for text that a command writes into a file."""

    @property
    def document(self) -> Document:
        """The document that it is called in."""
        return self.snapshot.document

    def flag(self, name: str) -> bool:
        """A boolean argument; false if it is missing."""
        value = self.arguments.get(name, False)
        if not isinstance(value, bool):
            raise InvalidArgument("`{name}` must be true or false", name=name)
        return value

    def text(self, name: str) -> str | None:
        """A string argument; ``None`` if it is missing."""
        value = self.arguments.get(name)
        if value is not None and not (isinstance(value, str) and value.strip()):
            raise InvalidArgument("`{name}` must be a string", name=name)
        return value

    def needed(self, name: str) -> str:
        """A string argument that must not be missing."""
        value = self.text(name)
        if value is None:
            raise InvalidArgument("`{name}` is missing", name=name)
        return value


Run = Callable[[Call], Any]
"""The implementation of a command in a format."""


def go_beside(refusal: str, start_of: Callable[[Placed], int | None]) -> dict[Command, Run]:
    """The commands that go to the next and the previous cell; ``start_of`` is the offset in it.

    A cell for which ``start_of`` returns ``None`` cannot be gone to.
    """

    def go(call: Call, step: int) -> CellChange:
        document = call.document
        number = document.number_at_offset(call.offset)
        if number is not None and 0 <= number + step < document.cell_count:
            start = start_of(document.cell_number(number + step))
            if start is not None:
                return CellChange((), start)
        raise RefusedError(refusal)

    return {GO_TO_NEXT: partial(go, step=1), GO_TO_PREVIOUS: partial(go, step=-1)}


def start_of(placed: Placed) -> int:
    """Where a cell starts; a byte-order mark belongs to the file."""
    return placed.start_offset + placed.cell.text.startswith("\ufeff")


def moved(offset: int, edits: Iterable[Edit]) -> int:
    """Where ``offset`` is, once the edits before it are made."""
    before = [edit for edit in edits if edit.span.end <= offset and edit.span.start < offset]
    return offset + sum(len(text) - (end - start) for (start, end), text in before)


def advance(go_on: Run, insert: Run) -> Run:
    """A command that goes to the next cell, or inserts one at the end."""

    def go(call: Call) -> Any:
        number = call.document.number_at_offset(call.offset)
        is_last = number is None or number + 1 == call.document.cell_count
        return (insert if is_last else go_on)(call)

    return go


def run(name: str, call: Call) -> Any:
    """Run a command. Raises ``InvalidArgument``, or ``RefusedError`` if it does not apply."""
    command = BY_ID[name]
    does = language_of(call.document).commands().get(command)
    if does is None:
        raise RefusedError(
            "`{title}` is not available in a file of this format", title=command.title
        )
    return does(call)
