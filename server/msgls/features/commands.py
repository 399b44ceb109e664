"""Commands at work: what they are given, what they answer.

A command that changes something answers with a ``CellChange``; one that makes a file, with a
``NewFile``; one that leads to another file, with an ``OtherFile``; one that makes a text to look
at, with a ``ShownText``; one that only tells something, with what it tells. What they are called is
in ``command_table``; which of them a document knows, and what they do, is its format's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.command_table import BY_ID
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.text.phrases import PhrasedError
from msgls.text.spans import Edit
from msgls.text.translation import ENGLISH


class RefusedError(PhrasedError):
    """A command makes no sense here; the message says why."""


class CellChange(NamedTuple):
    """Edits of the document, and where the cursor belongs in the text after them."""

    edits: tuple[Edit, ...]
    cursor: int | None = None
    selected_to: int | None = None
    """The end of the selection that starts at the cursor, if any."""
    repeated_at: tuple[int, ...] = ()
    """Further places of the selected text, which change along while it is overtyped."""
    next_stop: int | None = None
    """The place of the cursor after the selection has been replaced."""


class NewFile(NamedTuple):
    """A file to be made beside the document; never one that is there."""

    name: str
    text: str
    cursor: int
    """The place of the cursor in it."""


class OtherFile(NamedTuple):
    """A file beside the document that is to be shown."""

    name: str


class LossPlace(NamedTuple):
    """A loss of a conversion, in words, and its place."""

    what: str
    line: int | None = None
    """From 0; nothing where it is about all of the document."""


class ShownText(NamedTuple):
    """A text that is to be shown as a document of its own, which is not saved yet."""

    name: str
    """Its suggested file name."""
    language_id: str
    text: str
    losses: tuple[LossPlace, ...] = ()
    """The losses."""


class InvalidArgument(PhrasedError):
    """A command was given something that it cannot take."""


class Call(NamedTuple):
    """A command, called at a place."""

    snapshot: Snapshot
    offset: int
    arguments: Mapping[str, Any]
    end: int | None = None
    """The end of the selection, if any; it starts at the offset."""
    language: str = ENGLISH
    """That of the user, for what a command writes into a file by itself."""

    @property
    def document(self) -> Document:
        """The document that it is called in."""
        return self.snapshot.document

    def flag(self, name: str) -> bool:
        """A switch, off where nothing is said."""
        value = self.arguments.get(name, False)
        if not isinstance(value, bool):
            raise InvalidArgument("`{name}` must be true or false", name=name)
        return value

    def text(self, name: str) -> str | None:
        """A text, if it is given."""
        value = self.arguments.get(name)
        if value is not None and not (isinstance(value, str) and value.strip()):
            raise InvalidArgument("`{name}` must be a string", name=name)
        return value


Run = Callable[[Call], Any]
"""The implementation of a command in a format."""


def go_beside(step: int, refusal: str, start_of: Callable[[Placed], int | None]) -> Run:
    """To the next cell or the one before; ``start_of`` says where in it, if it can be gone to."""

    def go(call: Call) -> CellChange:
        document = call.document
        number = document.number_at_offset(call.offset)
        if number is not None and 0 <= number + step < document.cell_count:
            start = start_of(document.cell_number(number + step))
            if start is not None:
                return CellChange((), start)
        raise RefusedError(refusal)

    return go


def advance(go_on: Run, insert: Run) -> Run:
    """To the next cell; where there is none, to a new one."""

    def go(call: Call) -> Any:
        number = call.document.number_at_offset(call.offset)
        is_last = number is None or number + 1 == call.document.cell_count
        return (insert if is_last else go_on)(call)

    return go


def run(name: str, call: Call) -> Any:
    """Run a command. Raises ``InvalidArgument``, or ``RefusedError`` where it makes no sense."""
    command = BY_ID[name]
    does = language_of(call.document).commands().get(command)
    if does is None:
        raise RefusedError(
            "`{title}` is not available in a file of this format", title=command.title
        )
    return does(call)
