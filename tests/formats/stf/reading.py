"""Simple Text Format files in tests: what a text says, in a few words."""

from typing import Any

from msgls.conversation.conversation import Conversation
from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.document.document import Document
from msgls.formats.stf import SimpleTextFile
from msgls.formats.stf.cells import StfCell

PATH = "chat.stf"


def opened(text: str, dialect: str | None = None) -> Document:
    return Document.open(PATH, text, None if dialect is None else SimpleTextFile(dialect))


def cells(text: str, dialect: str | None = None) -> list[StfCell]:
    found = [placed.cell for placed in opened(text, dialect).cells()]
    return [cell for cell in found if isinstance(cell, StfCell)]


def conversation_of(text: str, dialect: str | None = None) -> Conversation:
    document = opened(text, dialect)
    return read_document(document)


def said(text: str, dialect: str | None = None) -> list[tuple[str, str]]:
    """Role and text of each message, its parts joined by a bar."""
    return [
        (message.role, "|".join([_short(part) for part in message.to_wire()["parts"]]))
        for message in conversation_of(text, dialect).messages
    ]


def _short(part: dict[str, Any]) -> str:
    payload = part["payload"]
    match part["kind"]:
        case "tool_call":
            given = payload.get("arguments", payload.get("rawArgsText"))
            return f"call {payload['toolCallId']} {payload['toolName']} {given}"
        case "tool_result":
            return f"result {payload['toolCallId']} {payload['content']}"
        case "file_ref":
            return f"file {payload['path']}"
        case "image":
            return f"image {payload}"
    return str(payload["text"])


def losses(text: str) -> list[tuple[int | None, str]]:
    return [(loss.line, loss.what) for loss in conversation_of(text).losses]


def again(conversation: Conversation, dialect: str | None = None) -> Conversation:
    """What is read of what is written."""
    text, _ = write_as(SimpleTextFile(dialect), conversation)
    return read_document(opened(text))
