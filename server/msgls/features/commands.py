"""The commands: what they are called, what they are given, what they answer.

A command that changes something answers with a ``CellChange``; one that makes a file, with a
``NewFile``; one that leads to another file, with an ``OtherFile``; one that makes a text to look
at, with a ``ShownText``; one that only tells something, with what it tells. Which of them a
document knows, and what they do, is its format's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.text.phrases import Phrase, PhrasedError
from msgls.text.spans import Edit
from msgls.text.translation import ENGLISH


class RefusedError(PhrasedError):
    """A command makes no sense here; the message says why."""


class CellChange(NamedTuple):
    """Edits of the document, and where the cursor belongs in the text after them."""

    edits: tuple[Edit, ...]
    cursor: int | None = None
    selected_to: int | None = None
    """Where what is selected from the cursor on ends, if something is."""


class NewFile(NamedTuple):
    """A file to be made beside the document; never one that is there."""

    name: str
    text: str
    cursor: int
    """Where the cursor belongs in it."""


class OtherFile(NamedTuple):
    """A file beside the document that is to be shown."""

    name: str


class LossPlace(NamedTuple):
    """Something that a conversion cannot say, in words, and where it stands."""

    what: str
    line: int | None = None
    """From 0; nothing where it is about all of the document."""


class ShownText(NamedTuple):
    """A text that is to be shown as a document of its own, which nobody has saved yet."""

    name: str
    """How it would be called as a file."""
    language_id: str
    text: str
    losses: tuple[LossPlace, ...] = ()
    """What it cannot say."""


class InvalidArgument(PhrasedError):
    """A command was given something that it cannot take."""


class Call(NamedTuple):
    """A command, called at a place."""

    snapshot: Snapshot
    offset: int
    arguments: Mapping[str, Any]
    end: int | None = None
    """Where what is selected ends, if something is; it starts at the offset."""
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
            raise InvalidArgument("`{name}` must be a text", name=name)
        return value


Command = Callable[[Call], Any]


TITLES: Mapping[str, Phrase] = {
    "msgls.cell.insertMessage": Phrase("Insert message cell below"),
    "msgls.cell.insertMessageAbove": Phrase("Insert message cell above"),
    "msgls.cell.insertOutput": Phrase("Insert output cell below"),
    "msgls.cell.insertOutputAbove": Phrase("Insert output cell above"),
    "msgls.cell.insertToolCall": Phrase("Insert tool call cell"),
    "msgls.cell.insertToolResult": Phrase("Insert tool result cell"),
    "msgls.cell.insertExecution": Phrase("Insert execution cell"),
    "msgls.cell.split": Phrase("Split cell"),
    "msgls.cell.mergeNext": Phrase("Merge cell with next"),
    "msgls.cell.moveUp": Phrase("Move cell up"),
    "msgls.cell.moveDown": Phrase("Move cell down"),
    "msgls.cell.duplicate": Phrase("Duplicate cell"),
    "msgls.cell.delete": Phrase("Delete cell"),
    "msgls.cell.changeType": Phrase("Change cell type"),
    "msgls.cell.renumber": Phrase("Renumber cells"),
    "msgls.cell.advance": Phrase("Go to the next cell, or insert one at the end"),
    "msgls.cell.goToNext": Phrase("Go to the next cell"),
    "msgls.cell.goToPrevious": Phrase("Go to the previous cell"),
    "msgls.cell.goToParent": Phrase("Go to the cell that this one belongs to"),
    "msgls.cell.goToChild": Phrase("Go to the first cell that belongs to this one"),
    "msgls.history.exclude": Phrase("Exclude cell from history"),
    "msgls.history.include": Phrase("Include cell in history"),
    "msgls.history.summarize": Phrase("Summarize cell in history"),
    "msgls.history.excludeFromHere": Phrase("Exclude from here"),
    "msgls.history.includeFromHere": Phrase("Include from here"),
    "msgls.history.summarizeFromHere": Phrase("Summarize from here"),
    "msgls.history.reset": Phrase("Reset context"),
    "msgls.agent.setDefault": Phrase("Set default agent"),
    "msgls.agent.add": Phrase("Add agent"),
    "msgls.agent.list": Phrase("List agents"),
    "msgls.agent.insertBoot": Phrase("Insert boot message"),
    "msgls.stf.convertDialect": Phrase("Convert to the other dialect"),
    "msgls.message.bumpVersion": Phrase("Bump version of message"),
    "msgls.message.insertNext": Phrase("New next message in this folder"),
    "msgls.message.goToNext": Phrase("Go to the next message"),
    "msgls.message.goToPrevious": Phrase("Go to the previous message"),
    "msgls.message.openAs": Phrase("Open as message file"),
    "msgls.convert.to": Phrase("Convert to …"),
    "msgls.view.show": Phrase("What the model sees"),
}
"""What an editor calls them, in a menu or beside undo."""


def commands(snapshot: Snapshot) -> Mapping[str, Command]:
    """What can be done in a document, by the name of the command."""
    return language_of(snapshot.document).commands(snapshot)


def run(name: str, call: Call) -> Any:
    """Run a command. Raises ``InvalidArgument``, or ``RefusedError`` where it makes no sense."""
    command = commands(call.snapshot).get(name)
    if command is None:
        raise RefusedError(
            "`{title}` is not available in a file of this format", title=TITLES[name]
        )
    return command(call)
