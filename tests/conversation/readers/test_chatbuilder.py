"""What a file and a folder become."""

from typing import Any

import pytest

from msgls.conversation.conversation import EPOCH, Conversation
from msgls.conversation.messages import Message
from msgls.conversation.readers.chatbuilder import read, read_folder
from msgls.document.document import Document
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.text.spans import Span
from tests.notation import table


def conversation_of(text: str, path: str = "messages/notes/1.md") -> Conversation:
    return read(Document.open(path, text, CHATBUILDER))


def message(text: str, path: str = "messages/notes/1.md") -> Message:
    (found,) = conversation_of(text, path).messages
    return found


def said(text: str) -> str | None:
    """The text of a message; nothing where it has no part."""
    parts: Any = message(text).to_wire()["parts"]
    assert [part["kind"] for part in parts] in ([], ["text"])
    return parts[0]["payload"]["text"] if parts else None


BODIES = {
    "a line": ("Hello\n", "Hello"),
    "without a line break": ("Hello", "Hello"),
    "all of it": ("Hello\n\n\n; role: x\n\nBye\n", "Hello\n\n\n; role: x\n\nBye"),
    "empty lines at the end": ("Hello\n\n\n", "Hello\n\n"),
    "blanks at the start": ("  Hello\n", "  Hello"),
    "CRLF": ("a\r\nb\r\n", "a\r\nb"),
    "CR": ("a\rb\r", "a\rb"),
    "escaped fences": ("\\```py\nx\n\\```\n", "```py\nx\n```"),
    "bare fences": ("```py\nx\n```\n", "```py\nx\n```"),
    "other backslashes": ("\\# a \\``` b\n", "\\# a \\``` b"),
    "headings": ("# A\nx\n# B\n", "# A\nx\n# B"),
    "nothing": ("", None),
    "nothing but lines": ("\n\n", None),
    "odd characters": ("a\u2028b\u0085\f\v\0\n", "a\u2028b\u0085\f\v\0"),
}


@table("row", BODIES)
def test_the_body_is_one_text(row: tuple[str, str | None]) -> None:
    body, text = row
    assert said("; role: user\n\n\n" + body) == text


@pytest.mark.parametrize("role", ["user", "assistant", "system"])
def test_the_role(role: str) -> None:
    assert message(f"; role: {role}\n\n\nHello\n").role == role
    assert conversation_of(f"; role: {role}\n\n\nHello\n").losses == ()


@pytest.mark.parametrize(
    ("text", "path", "role", "loss", "line"),
    [
        ("; A: b\n\n\nx\n", "1.md", "user", "the role is missing: `user` is assumed", 0),
        ("; A: b\n\n\nx\n", "2.md", "assistant", "the role is missing: `assistant` is assumed", 0),
        (
            "; A: b\n; role: assisant\n\n\nx\n",
            "1.md",
            "assistant",
            "unknown role `assisant`: `assistant` is assumed",
            1,
        ),
    ],
)
def test_a_role_that_is_missing(text: str, path: str, role: str, loss: str, line: int) -> None:
    found = conversation_of(text, path)
    assert [message.role for message in found.messages] == [role]
    assert [(each.what, each.line, each.message_index) for each in found.losses] == [
        (loss, line, 0)
    ]


def test_the_header_is_meta() -> None:
    text = "; A: 1\n; one\n; B:\n; A: 2\n;\n; role: user\n; role: system\n; two\n\n\nx\n"
    found = conversation_of(text)
    assert found.messages[0].meta == {"fields": {"A": "1", "B": ""}, "comments": ["one", "two"]}
    assert [(loss.what, loss.line) for loss in found.losses] == [
        ("duplicate field `A`", 3),
        ("duplicate field `role`", 6),
    ]
    assert message("; role: user\n\n\nx\n").meta is None


def test_lines_without_a_semicolon_count() -> None:
    uuid = "32d9afc7-aeac-4a67-ba94-0c92678604a1"
    found = message(f"{uuid}\nVersion: 1.0.0\nrole: assistant\n\n\nx\n")
    assert found.role == "assistant"
    assert found.meta == {"fields": {"Block-UUID": uuid, "Version": "1.0.0"}}


@pytest.mark.parametrize(
    ("value", "time"),
    [("2025-04-22T00:56:02.060Z", "2025-04-22T00:56:02.060Z"), ("yesterday", EPOCH), ("", EPOCH)],
)
def test_the_time(value: str, time: str) -> None:
    assert message(f"; Created-at: {value}\n; role: user\n\n\nx\n").timestamp == time


def test_the_run_follows_from_the_content() -> None:
    one, other = "; role: user\n\n\nx\n", "; role: user\n\n\ny\n"
    assert message(one).run_id == message(one).run_id != message(other).run_id


def test_an_empty_file_holds_no_message() -> None:
    assert conversation_of("").messages == ()
    assert conversation_of("\ufeff").messages == ()


def test_a_folder_is_a_conversation_in_the_order_of_its_numbers() -> None:
    texts = {"10.md": "c", "2.md": "b", "1.md": "a"}
    documents = [
        Document.open(f"messages/notes/{name}", f"; role: user\n\n\n{text}\n")
        for name, text in texts.items()
    ]
    found = read_folder(documents)
    parts: list[Any] = [message.to_wire()["parts"] for message in found.messages]
    assert [part[0]["payload"]["text"] for part in parts] == ["a", "b", "c"]
    assert len({message.run_id for message in found.messages}) == 1
    assert found.sources == ((Span(0, 17),),) * 3


def test_a_loss_in_a_folder_names_its_message() -> None:
    documents = [
        Document.open(f"messages/notes/{number}.md", text)
        for number, text in ((1, "; role: user\n\n\na\n"), (2, "; role: bot\n\n\nb\n"))
    ]
    (loss,) = read_folder(documents).losses
    assert (loss.line, loss.message_index) == (0, 1)
    assert read_folder([]).messages == ()
