"""Messages in the shape of chat services: what is read of them, and how they are written."""

from typing import Any

import pytest

from msgls.conversation.messages import ImagePart, Message, ToolCallPart, ToolResultPart
from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.formats.stf import STF, SimpleTextFile
from msgls.formats.stf.rawmessages import call_entry, call_of, content_of, parts_of_content
from tests.conversation.writers.test_stf import conversation, losses, message, rendered
from tests.formats.stf.reading import opened

TEXT = {"kind": "text", "payload": {"text": "a"}}
THOUGHT = {"kind": "thinking", "payload": {"text": "a"}}
FILE = {"kind": "file_ref", "payload": {"path": "notes.txt"}}
IMAGE = {"kind": "image", "payload": {"mimeType": "image/png", "data": "QUJD"}}
LINKED = {"kind": "image", "payload": {"mimeType": "image/png", "url": "https://x/a.png"}}
DATA_URL = "data:image/png;base64,QUJD"


def url(address: object) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": address}}


@pytest.mark.parametrize(
    ("content", "parts", "unread"),
    [
        (None, [], False),
        ("a", [TEXT], False),
        ([{"type": "text", "text": "a"}, url(DATA_URL)], [TEXT, IMAGE], False),
        ([url("https://x/a.png")], [LINKED], False),
        # What is not known is left out, and that is said.
        (7, [], True),
        ({"text": "a"}, [], True),
        (["a", {"type": "text", "text": "a"}], [TEXT], True),
        ([{"type": "text", "text": 7}], [], True),
        ([{"type": "audio", "text": "a"}], [], True),
        ([url(7)], [], True),
        ([{"type": "image"}], [], True),
        ([{"type": "image", "data": "QUJD", "format": 7}], [], True),
        # As other programs write them.
        ([{"type": "image_url", "image_url": "https://x/a.png"}], [LINKED], False),
        ([{"type": "image", "url": "https://x/a.png"}], [LINKED], False),
        ([{"type": "image", "url": DATA_URL}], [IMAGE], False),
        ([{"type": "image", "data": "QUJD"}], [IMAGE], False),
        ([{"type": "image", "format": "png", "data": "QUJD"}], [IMAGE], False),
        (
            [
                {
                    "type": "image",
                    "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"},
                }
            ],
            [IMAGE],
            False,
        ),
        ([{"type": "thinking", "thinking": "a"}], [THOUGHT], False),
        ([{"type": "file", "url": "notes.txt"}], [FILE], False),
    ],
)
def test_content(content: object, parts: list[Any], unread: bool) -> None:
    assert parts_of_content(content) == (parts, unread)


def entry(arguments: object = None, **more: object) -> dict[str, Any]:
    function = {"name": "f"} if arguments is None else {"name": "f", "arguments": arguments}
    return {"id": "c1", "type": "function", "function": function, **more}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (entry(), {"arguments": {}}),
        (entry({"x": 1}), {"arguments": {"x": 1}}),
        (entry('{"x": 1}'), {"arguments": {"x": 1}}),
        (entry("{x: 1}"), {"rawArgsText": "{x: 1}"}),
        (entry("[1]"), {"rawArgsText": "[1]"}),
        (entry('{"x": NaN}'), {"rawArgsText": '{"x": NaN}'}),
        (entry(""), {"rawArgsText": ""}),
        (entry(id=7), {"toolCallId": None, "arguments": {}}),
    ],
)
def test_a_call(call: object, said: dict[str, Any]) -> None:
    assert call_of(call) == {
        "kind": "tool_call",
        "payload": {"toolCallId": "c1", "toolName": "f", **said},
    }


@pytest.mark.parametrize(
    "call",
    [
        *(7, "f", [], {}, {"function": "f"}, {"function": {}}, {"function": {"name": 7}}),
        *(entry(7), entry([])),
    ],
)
def test_what_is_not_a_call(call: object) -> None:
    assert call_of(call) is None


@pytest.mark.parametrize("parts", [[TEXT], [TEXT, TEXT], [IMAGE], [TEXT, IMAGE, LINKED]])
def test_content_comes_back(parts: list[Any]) -> None:
    assert parts_of_content(content_of(parts)) == (parts, False)


@pytest.mark.parametrize("said", [{"arguments": {"x": "é"}}, {"rawArgsText": "{x"}])
def test_a_call_comes_back(said: dict[str, Any]) -> None:
    payload = {"toolCallId": "c1", "toolName": "f", **said}
    assert call_of(call_entry(payload)) == {"kind": "tool_call", "payload": payload}


# -- in a file


def own(given: Message) -> dict[str, Any]:
    """What a message says of itself, and not of its file."""
    return {key: value for key, value in (given.meta or {}).items() if key != "file"}


RAW = ";raw{}\n{{role: '{}', content: 'x'{}}}\n;end\n"


@pytest.mark.parametrize(
    ("text", "meta"),
    [
        (RAW.format(" call_id=c9", "user", ""), {"call_id": "c9"}),
        (RAW.format("", "user", ", name: 'n', more: [1]"), {"name": "n", "raw": {"more": [1]}}),
        (RAW.format(" id=u1", "developer", ""), {"id": "u1", "role": "developer"}),
        (";user call_id=c9\nx\n", {"call_id": "c9"}),
        (";message role=critic\nx\n", {"role": "critic"}),
    ],
)
@pytest.mark.parametrize("dialect", [";", "@"])
def test_what_a_raw_message_says_besides_is_kept(
    text: str, meta: dict[str, Any], dialect: str
) -> None:
    document = opened(text.replace(";", dialect), dialect)
    first = read_document(document)
    assert [own(m) for m in first.messages] == [meta]
    written, after = write_as(SimpleTextFile(dialect), first)
    assert after == ()
    assert read_document(opened(written, dialect)).messages == first.messages


def test_calls_without_an_id_get_one_each() -> None:
    calls = "[{function: {name: 'f'}}, {function: {name: 'g'}}, {id: 'c1', function: {name: 'h'}}]"
    document = opened(";raw\n{role: 'assistant', tool_calls: " + calls + "}\n;end\n;tool\nok\n")
    first, second = read_document(document).messages
    ids = [part.payload.tool_call_id for part in first.parts if isinstance(part, ToolCallPart)]
    assert len(set(ids)) == 3
    assert ids[-1] == "c1"
    (result,) = second.parts
    assert isinstance(result, ToolResultPart)
    # It answers the first of them.
    assert result.payload.tool_call_id == ids[0]


def test_images_and_calls_of_one_message_are_raw() -> None:
    call = ToolCallPart.of("c1", "f", {"x": 1})
    image = ImagePart.of("image/png", data="QUJD")
    said = message("assistant", "a", image, call, meta={"name": "n", "raw": {"more": 1}})
    text = rendered(said, dialect=";")
    assert text.startswith(";raw\n")
    (again,) = read_document(opened(text)).messages
    assert (again.parts, own(again)) == (said.parts, said.meta)


def test_extra_follows_a_raw_message() -> None:
    image = ImagePart.of("image/png", data="QUJD")
    said = message("user", image, meta={"extra": {"a": 1}})
    text = rendered(said, dialect=";")
    assert text.index(";raw\n") < text.index(";extra\n")


def test_what_json_cannot_say_is_a_loss() -> None:
    call = ToolCallPart.of("c1", "f", {"x": float("inf")})
    assert [index for index, _ in losses(message("assistant", call))] == [0]


def test_a_file_that_says_something_else_of_itself_is_written_anew() -> None:
    document = opened(";meta\n{a: 1}\n;end\n;# note\n;user\nx\n;user\ny\n")
    first = read_document(document)
    file = {"dialect": ";", "meta": {"a": 2}}
    assert (first.messages[0].meta or {})["file"] == {"dialect": ";", "meta": {"a": 1}}
    other = first.messages[0].model_copy(update={"meta": {"file": file}})
    written, after = write_as(STF, conversation(other, *first.messages[1:]), document)
    assert "note" not in written
    assert after == ()
    assert read_document(opened(written)).messages[0].meta == {"file": file}
