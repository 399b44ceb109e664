"""From messages to files and back."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msgls.conversation.conversation import EPOCH, Conversation
from msgls.conversation.losses import is_unplaced
from msgls.conversation.messages import (
    FileRefPart,
    ImagePart,
    Message,
    MessagePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from msgls.conversation.readers.chatbuilder import read, read_folder
from msgls.conversation.writers.chatbuilder import write, write_folder
from msgls.document.document import Document
from msgls.formats.chatbuilder import CHATBUILDER
from tests.conversation.corpus import message, part
from tests.strategies import messages

PATH = "messages/notes/1.md"
UUID = "32d9afc7-aeac-4a67-ba94-0c92678604a1"

FILES = [
    "; role: user\n\n\nHello\n",
    "; role: system\n\n\n",
    f"; Block-UUID: {UUID}\n; Component: X\n; Created-at: 2025-04-22\n;\n; role: user\n\n\nHello\n",
    "; Mine: 1\n; msgls: ignore CBM005\n; a comment\n;\n; role: user\n\n\n# A\n\\```\nx\n\\```\n",
]
"""As they are written here."""

LOOSE = [
    "; role: user\n\nHello",
    f"{UUID}\nrole: user\n\n\n\n\n```py\nx\n```\n\n",
    "\ufeff; role: user\r\n\r\n\r\nHello\r\n\r\n",
    ";role:assistant\r; A : b\r\r\rx\r",
    "; Version: 1\n; Component: x\n; role: user\n\n\n\\```\n```\n",
    "Hello\n; role: user\n",
    "; A:\n; comment: with colon\n;; double\n\n\n x\u2028\n",
]


def document(text: str) -> Document:
    return Document.open(PATH, text, CHATBUILDER)


@pytest.mark.parametrize("text", FILES)
def test_what_we_write_is_what_we_read(text: str) -> None:
    found = read(document(text))
    assert found.losses == ()
    written, told = write(found)
    assert (written, told) == (text, ())


@pytest.mark.parametrize("text", [*FILES, *LOOSE, ""])
def test_text_to_messages_to_text_to_messages(text: str) -> None:
    found = read(document(text))
    written, told = write(found)
    assert told == ()
    again = read(document(written))
    assert again.messages == found.messages
    assert again.losses == ()
    assert write(again)[0] == written


@pytest.mark.parametrize("text", [*FILES, *LOOSE, "", "\n\n\n"])
def test_an_unchanged_document_keeps_its_bytes(text: str) -> None:
    view = document(text)
    found = read(view)
    assert write(found, view) == (text, ())


def with_text(conversation: Conversation, text: str) -> Conversation:
    (message,) = conversation.messages
    changed = Message.from_wire(
        {**message.to_wire(), "parts": [{"kind": "text", "payload": {"text": text}}]}
    )
    return replace(conversation, messages=(changed,))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("; role:  user \n\n\n\nHello\n", "; role:  user \n\n\n\nBye\n"),
        ("\ufeff; role: user\r\n\r\n\r\nHello\r\n", "\ufeff; role: user\r\n\r\n\r\nBye\n"),
    ],
)
def test_another_body_leaves_the_header_alone(text: str, after: str) -> None:
    view = document(text)
    assert write(with_text(read(view), "Bye"), view)[0] == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (
            "; Mine: 1\n;\n; role: user\n\n\n```\nx\n```",
            "; Mine: 1\n;\n; role: system\n\n\n```\nx\n```",
        ),
        ("\ufeff; role: user\r\n\r\n\r\nx", "\ufeff; role: system\r\n\r\n\r\nx"),
        ("; role: user\n\nx\n", "; role: system\n\n\nx\n"),
    ],
)
def test_another_role_leaves_the_body_alone(text: str, after: str) -> None:
    view = document(text)
    (message,) = read(view).messages
    changed = Message.from_wire({**message.to_wire(), "role": "system"})
    assert write(Conversation((changed,), ((),)), view)[0] == after


def test_a_folder_of_several() -> None:
    first, second = FILES[0], FILES[3]
    found = read_folder(
        [Document.open("messages/a/1.md", first), Document.open("messages/a/2.md", second)]
    )
    files, told = write_folder(found)
    assert files == {"1.md": first, "2.md": second}
    assert told == ()
    again = [Document.open(f"messages/a/{name}", text) for name, text in files.items()]
    assert read_folder(again).messages == found.messages


def test_one_file_holds_one_message() -> None:
    found = read_folder([Document.open(f"messages/a/{n}.md", FILES[0]) for n in (1, 2, 3)])
    text, told = write(found)
    assert text == FILES[0]
    assert [(loss.what, loss.message_index) for loss in told] == [
        ("a file holds one message", 1),
        ("a file holds one message", 2),
    ]


def rendered(
    *parts: MessagePart, role: str = "user", meta: object = None, time: str = EPOCH
) -> tuple[str, list[str]]:
    """The file of one message, and what was lost, but for its run."""
    wire: dict[str, Any] = {"runId": "r", "role": role, "timestamp": time}
    wire["parts"] = [part.to_wire() for part in parts]
    if meta is not None:
        wire["meta"] = meta
    text, told = write(Conversation((Message.from_wire(wire),), ((),)))
    losses = [loss.what.removesuffix("ids of runs").removesuffix(", ") for loss in told]
    return text, [what for what in losses if what != "this format cannot hold "]


HEAD = "; role: user\n\n\n"


@pytest.mark.parametrize(
    ("parts", "text", "losses"),
    [
        ([TextPart.of("a")], "a\n", []),
        ([TextPart.of("a\n")], "a\n\n", []),
        ([TextPart.of("a\r")], "a\r\r", []),
        ([TextPart.of("```\nx\n```")], "\\```\nx\n\\```\n", []),
        ([], "", []),
        ([TextPart.of("")], "", ["an empty text is left out"]),
        ([TextPart.of("\n\na")], "a\n", ["the empty lines at its start are not written"]),
        (
            [TextPart.of("\\```")],
            "\\```\n",
            ["a backslash before backticks at the start of a line is read as an escape"],
        ),
        ([TextPart.of("a"), TextPart.of("b")], "a\n\nb\n", ["separate texts are joined"]),
        ([ThinkingPart.of("a")], "a\n", ["a thought is written as text"]),
        (
            [ToolCallPart.of("c1", "read", {"path": "x"})],
            '`read` (c1):\n\n\\```json\n{\n  "path": "x"\n}\n\\```\n',
            ["the tool call `read` is written as text"],
        ),
        ([ToolResultPart.of("c1", "done")], "done\n", ["the result of `c1` is written as text"]),
        (
            [ImagePart.of("image/png", url="https://example.com/a.png")],
            "![](https://example.com/a.png)\n",
            ["an image is written as text"],
        ),
        (
            [FileRefPart.of("a/b.txt")],
            "[a/b.txt](a/b.txt)\n",
            ["the file `a/b.txt` is written as text"],
        ),
    ],
)
def test_parts(parts: list[MessagePart], text: str, losses: list[str]) -> None:
    assert rendered(*parts) == (HEAD + text, losses)


@pytest.mark.parametrize(
    ("meta", "header", "losses"),
    [
        ({"fields": {"B": "1", "Version": "1.0.0"}}, "; Version: 1.0.0\n; B: 1\n;\n", []),
        ({"fields": {"A": ""}}, "; A:\n;\n", []),
        ({"fields": {"A": "x\ny"}}, "; A: x y\n;\n", ["the field `A` is written on one line"]),
        (
            {"fields": {"a b": "x", "c": 1, "role": "x"}},
            "",
            [f"the field `{key}` cannot be written in a header" for key in ("a b", "c", "role")],
        ),
        (
            {"comments": ["x", "y: z"]},
            "; x\n;\n",
            ["a comment of the header cannot be written as one"],
        ),
        ({"id": "m1", "title": "T"}, "", ["this format cannot hold ids, titles"]),
        ({"fields": "x"}, "", []),
    ],
)
def test_meta(meta: object, header: str, losses: list[str]) -> None:
    assert rendered(TextPart.of("a"), meta=meta) == (header + HEAD + "a\n", losses)


def test_a_time_is_a_field() -> None:
    time = "2025-04-22T00:56:02Z"
    text, losses = rendered(TextPart.of("a"), time=time)
    assert (text, losses) == (f"; Created-at: {time}\n;\n" + HEAD + "a\n", [])
    assert rendered(TextPart.of("a"), time="soon")[1] == ["this format cannot hold times"]


def test_a_role_that_these_files_do_not_have() -> None:
    text, losses = rendered(TextPart.of("a"), role="tool")
    assert text == HEAD + "a\n"
    assert losses == ["unknown role `tool`: it is written as `user`"]


ODD = {"kind": "text", "payload": {"text": "x"}, "text": 1}


@given(st.lists(messages(), max_size=3))
@example([Message.from_wire(message("user", part("text", text="y"), ODD))])
@example([Message.from_wire(message("system", ODD))])
def test_any_message_is_written_or_named_as_lost(found: list[Message]) -> None:
    conversation = Conversation(tuple(found), ((),) * len(found))
    files, told = write_folder(conversation)
    again = read_folder(
        [Document.open(f"messages/a/{n}", t, CHATBUILDER) for n, t in files.items()]
    )
    assert len(again.messages) == len(found)
    named = {loss.message_index for loss in told}
    # What messages say of themselves and has no place is told once, at the first of them.
    is_told = any(is_unplaced(loss) for loss in told)
    for index, (one, other) in enumerate(zip(found, again.messages, strict=True)):
        if index not in named:
            assert (one.role, one.parts) == (other.role, other.parts)
            assert is_told or one == other
