"""The commands: what they are called, what they are given, what they answer.

A command that changes something answers with a ``CellChange``; one that only tells
something, with what it tells. Which of them a document knows, and what they do, is its
format's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.text.spans import Edit


class RefusedError(Exception):
    """A command makes no sense here; the message says why."""


class CellChange(NamedTuple):
    """Edits of the document, and where the cursor belongs in the text after them."""

    edits: tuple[Edit, ...]
    cursor: int | None = None


class InvalidArgument(ValueError):
    """A command was given something that it cannot take."""


class Call(NamedTuple):
    """A command, called at a place."""

    document: Document
    offset: int
    arguments: Mapping[str, Any]
    others: Collection[str] = ()

    def flag(self, name: str) -> bool:
        """A switch, off where nothing is said."""
        value = self.arguments.get(name, False)
        if not isinstance(value, bool):
            raise InvalidArgument(f"`{name}` must be true or false")
        return value

    def text(self, name: str) -> str | None:
        """A text, if it is given."""
        value = self.arguments.get(name)
        if value is not None and not (isinstance(value, str) and value.strip()):
            raise InvalidArgument(f"`{name}` must be a text")
        return value


Command = Callable[[Call], Any]


TITLES: Mapping[str, str] = {
    "msgls.cell.insertMessage": "Insert message cell",
    "msgls.cell.insertOutput": "Insert output cell",
    "msgls.cell.insertToolCall": "Insert tool call cell",
    "msgls.cell.insertToolResult": "Insert tool result cell",
    "msgls.cell.insertExecution": "Insert execution cell",
    "msgls.cell.split": "Split cell",
    "msgls.cell.mergeNext": "Merge cell with next",
    "msgls.cell.moveUp": "Move cell up",
    "msgls.cell.moveDown": "Move cell down",
    "msgls.cell.duplicate": "Duplicate cell",
    "msgls.cell.delete": "Delete cell",
    "msgls.cell.changeType": "Change cell type",
    "msgls.cell.renumber": "Renumber cells",
    "msgls.cell.goToNext": "Go to the next cell",
    "msgls.cell.goToPrevious": "Go to the previous cell",
    "msgls.cell.goToParent": "Go to the cell that this one belongs to",
    "msgls.cell.goToChild": "Go to the first cell that belongs to this one",
    "msgls.history.exclude": "Exclude cell from history",
    "msgls.history.include": "Include cell in history",
    "msgls.history.summarize": "Summarize cell in history",
    "msgls.agent.setDefault": "Set default agent",
    "msgls.agent.list": "List agents",
}
"""What an editor calls them, in a menu or beside undo."""


def commands(document: Document) -> Mapping[str, Command]:
    """What can be done in a document, by the name of the command."""
    found = provided(document, commands)
    return {} if found is None else found(document)


def run(name: str, call: Call) -> Any:
    """Run a command. Raises ``InvalidArgument``, or ``RefusedError`` where it makes no sense."""
    command = commands(call.document).get(name)
    if command is None:
        raise RefusedError(f"`{TITLES[name]}` cannot be done in a file of this format")
    return command(call)
