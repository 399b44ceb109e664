"""What each message becomes, and what is said to be lost."""

from typing import Any

import pytest

from msgls.conversation.conversation import EPOCH
from tests.formats.stf.reading import conversation_of, losses, opened, said


def raw(message: str) -> str:
    return f"@raw\n{message}\n@end\n"


def metas(text: str) -> list[Any]:
    return [message.to_wire().get("meta", {}) for message in conversation_of(text).messages]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "@ai\nI look.\n@call id=c1\nread {path: 'a'}\nDone.\n",
            [("assistant", "I look.|call c1 read {'path': 'a'}|Done.")],
        ),
        ("@ai\n@call id=c1\nread\n", [("assistant", "call c1 read {}")]),
        ("@ai\n@call id=c1\nread {path\n", [("assistant", "call c1 read {path")]),
        ("@ai\n@call id=c1\nread [1]\n", [("assistant", "call c1 read [1]")]),
        ("@ai\n@call id=c1\nread {a: Infinity}\n", [("assistant", "call c1 read {a: Infinity}")]),
        ("@ai\n@call id=c1\n{path: 'a'}\n", [("assistant", "call c1  {'path': 'a'}")]),
        ("@ai\n@call id=c1\n@@read\t{}\n", [("assistant", "call c1 @read {}")]),
        (
            "@ai\n@call\na {}\n@call id=call-1\nb {}\n@call\nc {}\n",
            [("assistant", "call call-2 a {}|call call-1 b {}|call call-3 c {}")],
        ),
        (
            "@user\nSee\n@embed\n tables/a b.csv \nthere\n",
            [("user", "See|file tables/a b.csv|there")],
        ),
        (
            "@user\n@embed\nhttps://example.org/a.png\n",
            [("user", "image {'mimeType': 'image/png', 'url': 'https://example.org/a.png'}")],
        ),
        # A result says whose it is, or answers the earliest call that is still open.
        ("@tool call_id=c9\nok\n", [("tool", "result c9 ok")]),
        (
            (
                "@ai\n@call id=c1\na {}\n@call id=c2\nb {}\n@call\nc {}\n"
                "@tool\nx\n@tool call_id=c2\ny\n@tool\nz\n"
            ),
            [
                ("assistant", "call c1 a {}|call c2 b {}|call call-1 c {}"),
                ("tool", "result c1 x"),
                ("tool", "result c2 y"),
                ("tool", "result call-1 z"),
            ],
        ),
        (
            "@ai\n@call id=c1\na {}\n@user\nWait.\n@tool\nx\n@ai\n@call id=c2\nb {}\n@tool\ny\n",
            [
                ("assistant", "call c1 a {}"),
                ("user", "Wait."),
                ("tool", "result c1 x"),
                ("assistant", "call c2 b {}"),
                ("tool", "result c2 y"),
            ],
        ),
        # As llm-msg-io writes a message.
        (
            (
                ";raw\n{role: 'assistant', content: [], reasoning: 'Hm.',\n"
                " tool_calls: [{id: 'c1', name: 'f', arguments: '{\"a\":1}'}]}\n;end\n"
                ";raw\n{role: 'tool', call_id: 'c1', content: [{type: 'text', text: 'x'},"
                " {type: 'image', format: 'png', data: 'aGk='}]}\n;end\n"
            ),
            [
                ("assistant", "Hm.|call c1 f {'a': 1}"),
                (
                    "tool",
                    (
                        "result c1 [{'kind': 'text', 'payload': {'text': 'x'}}, "
                        "{'kind': 'image', 'payload': {'mimeType': 'image/png', 'data': 'aGk='}}]"
                    ),
                ),
            ],
        ),
        (
            raw("{role: 'assistant', tool_calls: [{id: 'c3', function: {name: 'f'}}]}")
            + "@tool\nx\n",
            [("assistant", "call c3 f {}"), ("tool", "result c3 x")],
        ),
        ("@tool call_id=c1\n", [("tool", "result c1 ")]),
        ("@tool call_id=c1\na\n@call id=c2\nf {}\nb\n", [("tool", "result c1 a\nb|call c2 f {}")]),
        # Raw messages.
        (raw("{role: 'user', content: 'a\\nb'}"), [("user", "a\nb")]),
        (raw("{role: 'user', content: ''}"), [("user", "")]),
        (
            raw("{role: 'user', content: [{type: 'text', text: 'a'}, {type: 'text', text: 'b'}]}"),
            [("user", "a|b")],
        ),
        (
            raw(
                "{role: 'user', content: "
                "[{type: 'image_url', image_url: {url: 'data:image/png;base64,aGk='}}]}"
            ),
            [("user", "image {'mimeType': 'image/png', 'data': 'aGk='}")],
        ),
        (raw("{role: 'tool', tool_call_id: 'c1', content: 'ok'}"), [("tool", "result c1 ok")]),
        (
            raw(
                "{role: 'assistant', content: null, tool_calls: "
                "[{id: 'c', function: {name: 'f', arguments: '{\"a\": 1}'}}]}"
            ),
            [("assistant", "call c f {'a': 1}")],
        ),
        (
            raw(
                "{role: 'assistant', tool_calls: "
                "[{id: 'c', function: {name: 'f', arguments: '{a'}}]}"
            ),
            [("assistant", "call c f {a")],
        ),
        ("@raw role=user\n{content: 'x'}\n@end\n", [("user", "x")]),
        (raw("{role: 'user', content: 'x'}") + "\n@ai\ny\n", [("user", "x"), ("assistant", "y")]),
        (raw("{role: 'user', content: 'x'}") + "more\n", [("user", "x|more")]),
    ],
)
def test_parts(text: str, messages: list[tuple[str, str]]) -> None:
    assert said(text) == messages


@pytest.mark.parametrize(
    ("text", "meta"),
    [
        ("@user\n", {}),
        ("@user id=u1 name=Ann\n", {"id": "u1", "name": "Ann"}),
        ("@dev\n", {"role": "developer"}),
        ("@msg role=developer\n", {"role": "developer"}),
        ("@msg role=narrator\n", {"role": "narrator"}),
        ("@user call_id=c1\n", {"call_id": "c1"}),
        ("@user {mood: {x: 1}, n: 2}\n", {"arguments": {"mood": {"x": 1}, "n": 2}}),
        (
            ";user\n;extra\n{a: 1}\n;end\nx\n;extra\n{b: 2}\n;end\n",
            {"extra": {"a": 1, "b": 2}, "file": {"dialect": ";"}},
        ),
        (";meta\n{a: 1}\n;end\n;user\n", {"file": {"dialect": ";", "meta": {"a": 1}}}),
        (";user\n;meta\n{a: 1}\n;end\n", {"file": {"dialect": ";", "meta": {"a": 1}}}),
        (";meta\n42\n;end\n;user\n", {"file": {"dialect": ";", "meta": 42}}),
        (";meta\n{a: 1}\n;end\n;user\n;meta\n'x'\n;end\n", {"file": {"dialect": ";", "meta": "x"}}),
        (
            ";user\n;extra\n{a: 1}\n;end\n;extra\n[2]\n;end\n",
            {"extra": [2], "file": {"dialect": ";"}},
        ),
        (
            "@raw\n{role: 'user', id: 'r2', extra: {claude: 1}}\n@end\n",
            {"id": "r2", "extra": {"claude": 1}},
        ),
        (
            "@raw id=r1\n{role: 'user', name: 'Ann', refusal: null}\n@end\n",
            {"id": "r1", "name": "Ann", "raw": {"refusal": None}},
        ),
    ],
)
def test_meta(text: str, meta: dict[str, Any]) -> None:
    assert metas(text)[0] == meta


def test_a_raw_message_that_cannot_be_read_is_its_text() -> None:
    assert said(raw("{role: 'ai'")) == [("user", "{role: 'ai'")]
    assert said("@tool call_id=c1\n@raw\n{\n") == [("tool", "result c1 "), ("user", "{")]


def test_the_file_stands_on_the_first_message_alone() -> None:
    text = ";user\nx\n;ai\n;meta\n{a: 1}\n;end\n"
    assert metas(text) == [{"file": {"dialect": ";", "meta": {"a": 1}}}, {}]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("@user\nx\n", []),
        ("@user\nx\n@end\n@*/\n", []),
        ("x\n@user\n", [(0, "text that belongs to no message was left out")]),
        ("\n \n@user\n", []),
        (";user\nx\n;flush\ny\n", [(3, "text that belongs to no message was left out")]),
        ("@user\nx\n@# a\n@# b\n", [(2, "comments are not kept")]),
        ("@raw\n{role: 'user', // a\n content: 'b//c'}\n@end\n", [(1, "comments are not kept")]),
        ("@raw\n{role: 'user', content: 'https://x.org/*'}\n@end\n", []),
        ("@user\n@Foo bar\n", [(1, "`@Foo bar` is not a command, and is not kept")]),
        ("@user name=\nx\n", [(0, "arguments cannot be read")]),
        ("@msg\nx\n", [(0, "it has no role, and is treated as the user's")]),
        ("@tool\nx\n", [(0, "there is no open call for this result")]),
        ("@ai\n@call\nf {}\n@tool\nx\n@tool\ny\n", [(5, "there is no open call for this result")]),
        ("@ai\n@call\nf {}\n@ai\nNo.\n@tool\nx\n", [(5, "there is no open call for this result")]),
        (";meta\n42\n;end\n;user\nx\n;extra\n[1]\n;end\n", []),
        ("@user\n@call\n", [(1, "`call` has no data line")]),
        ("@call\nx {}\n@user\n", [(0, "`call` is not part of a message")]),
        (
            "@raw\n{\n@end\n",
            [
                (0, "the JSON5 of `raw` cannot be read"),
                (0, "it has no role, and is treated as the user's"),
            ],
        ),
        (
            raw("{role: 'user', content: [{type: 'audio'}]}"),
            [(0, "part of the raw message is of an unknown kind")],
        ),
        (";extra\n{}\n;end\n;user\n", [(0, "`extra` is not part of a message")]),
        (";meta\n{a: 1}\n;end\n", [(0, "there is no message to hold `meta`")]),
        (";user\n;extra\n{a: NaN}\n;end\n", [(1, "JSON has neither NaN nor Infinity")]),
        (raw("{role: 'user',\n@call\ncontent: 'x'}"), [(2, "a command in a block is ignored")]),
    ],
)
def test_losses(text: str, lost: list[tuple[int, str]]) -> None:
    assert losses(text) == lost


def test_the_same_text_gives_the_same_messages() -> None:
    text = "@user\nx\n@ai\ny\n"
    first, second = conversation_of(text), conversation_of(text.replace("\n", "\r\n"))
    assert first.messages == second.messages
    assert {message.timestamp for message in first.messages} == {EPOCH}
    assert len({message.run_id for message in first.messages}) == 1


def test_sources_are_the_cells() -> None:
    text = "words\n@user\nx\n@ai\ny\n"
    conversation = conversation_of(text)
    found = [spans[0].of(opened(text).text) for spans in conversation.sources]
    assert found == ["@user\nx\n", "@ai\ny\n"]
