"""The headers, fences and escapes that messages are written with, whatever their meta says."""

from typing import Any

import pytest

from msgls.conversation.context import sights_of
from msgls.conversation.conversation import Conversation
from msgls.conversation.messages import ImagePart, Message, ToolCallPart, ToolResultPart
from msgls.conversation.readers.msgmd import read
from msgls.conversation.visibility import Sight
from msgls.conversation.writers.msgmd import write
from msgls.formats.msgmd.content import read_call, wrap_call
from msgls.formats.msgmd.toolcalls import render_tool_xml
from tests.conversation.writers.test_msgmd import conversation, message, opened


def written(*messages: Message) -> str:
    return write(conversation(*messages))[0]


@pytest.mark.parametrize(
    ("depth", "hashes"), [(0, 1), (1, 1), (2, 2), (5, 5), (6, 1), (-1, 1), ("2", 1), (None, 1)]
)
def test_the_depth_of_a_header(depth: object, hashes: int) -> None:
    text = written(message("user", "x", meta={"id": "a", "depth": depth}))
    assert f"\n{'#' * hashes} %% [^a]\n" in f"\n{text}"
    assert len(read(opened(text)).messages) == 1


@pytest.mark.parametrize("results", [[], {}, {"a": 1}, "x", 7, None, [7], [{}], [[]]])
@pytest.mark.parametrize("key", ["results", "calls"])
def test_meta_of_any_shape_is_written_as_something(key: str, results: object) -> None:
    meta: dict[str, Any] = {key: results, "orphan": True, "id": "a"}
    call = ToolCallPart.of("c1", "find", {"a": 1})
    answer = message("assistant", "x", call, meta=meta)
    result = message("tool", ToolResultPart.of("c1", "ok"), meta=meta)
    again = read(opened(written(message("user", "q"), answer, result)))
    assert [found.role for found in again.messages] == ["user", "assistant", "tool"]


@pytest.mark.parametrize(
    ("xml", "run"),
    [
        ("<a/>", "```"),
        ("<a>`x`</a>", "```"),
        ("<a>``x``</a>", "```"),
        ("<a>\n```\n</a>", "````"),
        ("<a>\n`````\nx\n```\n</a>", "``````"),
    ],
)
def test_a_fence_is_as_long_as_it_must_be(xml: str, run: str) -> None:
    content = wrap_call(xml)
    assert content == f"{run}xml\n{xml}\n{run}"
    assert read_call(content).xml == xml


@pytest.mark.parametrize("kept", [(0, 1), (1,), (1, 0), (0,)])
def test_a_byte_order_mark_stays_at_the_start(kept: tuple[int, ...]) -> None:
    cells = [f"# %% {name}[^{name}]\n\n[^{name}]: [markdown]\n\n{name}\n" for name in "ab"]
    like = opened("\ufeff" + "\n".join(cells))
    old = read(like).messages
    some = tuple([old[number] for number in kept])
    text, _ = write(Conversation(some, ((),) * len(some)), like)
    assert text.rfind("\ufeff") == 0
    again = [message.to_wire()["parts"] for message in read(opened(text)).messages]
    assert again == [message.to_wire()["parts"] for message in some]


def test_a_footnote_that_has_the_id_of_a_run_stays_content() -> None:
    note = message("user", "see\n\n[^a.2]: a footnote\n\n[^b.2]: another")
    run = message("user", "x", meta={"executionOf": "a", "n": 2, "type": "py"})
    text = written(note, run)
    assert "\n\\[^a.2]: a footnote\n" in text
    assert "\n[^b.2]: another\n" in text
    assert read(opened(text)).messages[0].parts == note.parts


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("[^a]: [markdown history=none", "\\[^a]: [markdown history=none"),
        ("[^later]: [markdown history=none", "\\[^later]: [markdown history=none"),
        ("[^a: [markdown] history=none", "\\[^a: [markdown] history=none"),
        ("\\[^a: [markdown] x", "\\\\[^a: [markdown] x"),
        ("\\[^a\\]: [markdown] history=none", "\\\\[^a\\]: [markdown] history=none"),
        ("\\\\[^a\\]: x", "\\\\\\[^a\\]: x"),
        ("\\[^a\\]: a note", "\\[^a\\]: a note"),
        ("[^b: [see] it", "[^b: [see] it"),
        ("[^b]: [see it", "[^b]: [see it"),
    ],
)
def test_what_is_nearly_a_definition_stays_content(said: str, line: str) -> None:
    note = message("user", f"see\n\n{said}")
    text = written(note, message("user", "x", meta={"id": "a"}))
    assert f"\n{line}\n" in text
    without = opened(text.replace("[^a]: [markdown]\n\n", ""))
    for found in (read(opened(text)), read(without)):
        assert found.messages[0].parts == note.parts
        assert set(sights_of(found)) == {Sight.SEEN}


def test_arguments_that_elements_cannot_say_are_readable_json() -> None:
    assert render_tool_xml("x", {"a b": "漢"}) == '<x>\n{\n  "a b": "漢"\n}\n</x>'
    # XML has no such character, JSON has an escape.
    assert render_tool_xml("x", {"a": "\0"}) == '<x>\n{\n  "a": "\\u0000"\n}\n</x>'


@pytest.mark.parametrize(
    ("payload", "target"),
    [
        ({"mimeType": "image/png", "url": "https://x/a.png"}, "https://x/a.png"),
        ({"mimeType": "image/png", "data": "QUJD"}, "data:image/png;base64,QUJD"),
    ],
)
def test_an_image_is_a_link(payload: dict[str, str], target: str) -> None:
    image = ImagePart.model_validate({"kind": "image", "payload": payload})
    assert f"![]({target})" in written(message("user", image))


def test_a_suppression_comment_that_somebody_said_is_content() -> None:
    said = "Write this:\n<!-- msgls: ignore MSG110 -->\n\\<!-- msgls: ignore MSG110 -->"
    (again,) = read(opened(written(message("user", said)))).messages
    assert again.parts == message("user", said).parts
