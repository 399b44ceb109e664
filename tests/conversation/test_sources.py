"""What others write, read: kinds told apart, messages, and losses with their lines."""

import json
from typing import Any

import pytest

from msgls.conversation.conversation import Conversation
from msgls.conversation.sources import Incoming, Unreadable, read
from msgls.document.document import Document
from msgls.document.snapshot import Settings
from msgls.formats.base import Format
from msgls.formats.msgmd import MessageFile
from msgls.host.opening import open_document
from tests.conversation.corpus import (
    ANTHROPIC_REQUEST,
    CHATGPT_EXPORT,
    CLAUDE_EXPORT,
    CORPUS,
    NOTEBOOK,
    OPENAI_REQUEST,
    PIXEL,
    dumped,
)


def incoming(name: str) -> Incoming:
    return read(*CORPUS[name])[0]


def brief(conversation: Conversation) -> list[tuple[str, list[str]]]:
    """Roles and parts in a form that fits into a table."""
    return [
        (message["role"], [_brief(part) for part in message["parts"]])
        for message in (message.to_wire() for message in conversation.messages)
    ]


def _brief(part: dict[str, Any]) -> str:
    payload = part["payload"]
    match part["kind"]:
        case "text":
            return str(payload["text"])
        case "thinking":
            return f"({payload['text']})"
        case "tool_call":
            arguments = payload.get("arguments", payload.get("rawArgsText"))
            return f"{payload['toolCallId']}={payload['toolName']}{json.dumps(arguments)}"
        case "tool_result":
            mark = "!" if payload["isError"] else ""
            return f"{payload['toolCallId']}->{mark}{json.dumps(payload['content'])}"
        case "image":
            return f"[{payload['mimeType']}]"
        case _:
            return f"<{payload['path']}>"


def lost(name: str) -> list[str]:
    found = []
    one = incoming(name)
    for loss in one.conversation.losses:
        line = one.place_of(loss).line
        found.append(f"{'?' if line is None else line + 1}: {loss.what}")
    return found


def line_of(name: str, words: str) -> int:
    return CORPUS[name][1].split(words)[0].count("\n") + 1


# -- which kind it is -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("message file", "msgmd"),
        ("stf @", "stf"),
        ("stf ;", "stf"),
        ("chatbuilder", "chatbuilder"),
        ("messages", "messages"),
        ("openai", "openai"),
        ("chat completion", "openai"),
        ("response", "responses"),
        ("request for a response", "responses"),
        ("anthropic", "anthropic"),
        ("anthropic response", "anthropic"),
        ("chatgpt", "chatgpt"),
        ("claude", "claude"),
        ("notebook", "notebook"),
        ("agents", "agents"),
    ],
)
def test_content_tells_where_no_name_does(name: str, kind: str) -> None:
    named, bare = incoming(name), read("<stdin>", CORPUS[name][1], path="")[0]
    assert (named.kind, bare.kind) == (kind, kind)
    assert bare.conversation.messages == named.conversation.messages


@pytest.mark.parametrize("mark", ["", "\ufeff", "\n  "])
def test_a_list_of_messages_is_a_conversation_too(mark: str) -> None:
    for name, request in (("openai", OPENAI_REQUEST), ("anthropic", ANTHROPIC_REQUEST)):
        found = read("a.json", mark + json.dumps(request["messages"]))[0]
        assert found.kind == name
        assert brief(found.conversation)[-1] == ("assistant", ["Done."])


def test_lines_of_messages() -> None:
    wires = json.loads(CORPUS["messages"][1])
    text = "\n".join([json.dumps(wire) for wire in wires])
    assert read("<stdin>", text, path="")[0].conversation.messages == (
        incoming("messages").conversation.messages
    )


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("just prose", None, "its format is not recognized"),
        ("", None, "its format is not recognized"),
        ('{"a": 1}', None, "this JSON is not a conversation"),
        ("[1, 2]", None, "this JSON is not a conversation"),
        ("[]", "chatgpt", "this is not a conversation with a `mapping`"),
        ('{"nbformat": 2, "worksheets": []}', "notebook", "nbformat 4"),
        (
            '{"messages": [',
            None,
            "it is not valid JSON: the text ends too early (line 1, column 15)",
        ),
        ("# %% x", "openai", "it is not valid JSON"),
        ("[NaN]", None, "it is not valid JSON: JSON has no `NaN`"),
        ("[" * 100_000, "openai", "nested too deeply"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, kind: str | None, why: str) -> None:
    with pytest.raises(Unreadable) as raised:
        read("a.json", text, kind)
    assert why in str(raised.value)


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [1, None, {}, {"role": 5, "content": 3}, {"role": "user", "content": [1]}]},
        [{"role": "assistant", "tool_calls": [1, {}, {"function": {"name": 3}}], "content": {}}],
        [{"mapping": {"a": 1, "b": {"parent": "b", "message": {"content": {"parts": [1]}}}}}],
        [{"chat_messages": [1, {}, {"sender": "human", "content": [1, {"type": "image"}]}]}],
        {"nbformat": 4, "cells": [1, {}, {"cell_type": "code", "outputs": [1, {"data": 3}]}]},
        {"system": 3, "messages": [{"role": "user", "content": [{"type": "tool_result"}]}]},
    ],
)
def test_nonsense_is_named_and_never_raises(value: object) -> None:
    found = read("a.json", json.dumps(value))[0]
    assert found.conversation.losses or found.conversation.messages


# -- each kind --------------------------------------------------------------------------------


def test_openai() -> None:
    assert brief(incoming("openai").conversation) == [
        ("system", ["Be brief."]),
        ("user", ["See", "[image/png]", "[image/png]"]),
        ("assistant", ['c1=f{"a": 1}', 'c2=f"{"']),
        ("tool", ['c1->"one"']),
        ("tool", ['c2->[{"kind": "text", "payload": {"text": "two"}}]']),
        ("assistant", ["Done."]),
    ]
    assert lost("openai") == []
    first, second = incoming("openai").conversation.messages[:2]
    assert first.meta is not None
    assert second.meta == {"name": "ann"}
    assert first.meta["role"] == "developer"
    assert first.meta["request"]["openai"]["temperature"] == 0.2


def test_openai_functions_of_old() -> None:
    messages = [
        {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "ok"},
    ]
    found = read("a.json", json.dumps(messages), "openai")[0].conversation
    assert brief(found) == [("assistant", ["function-1=f{}"]), ("tool", ['function-1->"ok"'])]
    assert [loss.what for loss in found.losses] == ["`function_call` becomes a tool call"]


def test_anthropic() -> None:
    assert brief(incoming("anthropic").conversation) == [
        ("system", ["Be brief."]),
        ("user", ["See", "[image/png]"]),
        ("assistant", ["(Hm.)", "I ask.", 't1=f{"a": 1}']),
        ("tool", ['t1->![{"kind": "text", "payload": {"text": "no"}}]']),
        ("user", ["Try again."]),
        ("assistant", ["Done."]),
    ]
    assert lost("anthropic") == []


def test_chatgpt() -> None:
    one = incoming("chatgpt")
    assert one.title == "A talk"
    assert brief(one.conversation) == [
        ("user", ["What is 2+2?"]),
        ("assistant", ['n3=python"2+2"']),
        ("tool", ['n3->"4"']),
        ("assistant", ["(Sum\n\nIt is four.)"]),
        ("assistant", ["Four:", "<file-service://file-1>"]),
    ]
    assert one.conversation.messages[0].timestamp == "2025-01-02T03:04:05.500000Z"
    branch = line_of("chatgpt", '"old": {')
    assert lost("chatgpt") == [f"{branch}: 1 message on other branches was left out"]
    assert one.places[0].line == line_of("chatgpt", '"id": "n2",\n     "author"') - 2


def test_chatgpt_without_a_current_node_takes_the_last_leaf() -> None:
    export = json.loads(dumped(CHATGPT_EXPORT))
    del export[0]["current_node"]
    found = read("conversations.json", json.dumps(export))[0].conversation
    assert brief(found)[-1][1][0] == "Four:"


def test_chatgpt_that_goes_in_circles_ends() -> None:
    export = json.loads(dumped(CHATGPT_EXPORT))
    export[0]["mapping"]["root"]["parent"] = "n6"
    assert len(read("conversations.json", json.dumps(export))[0].conversation.messages) == 5


def test_several_conversations() -> None:
    text = json.dumps([*CHATGPT_EXPORT, *CHATGPT_EXPORT])
    assert [one.title for one in read("conversations.json", text)] == ["A talk", "A talk"]


def test_claude() -> None:
    one = incoming("claude")
    assert one.title == "Another talk"
    assert brief(one.conversation) == [
        ("user", ["<a.txt>", "hi", "<b.png>", "Read this."]),
        ("assistant", ["(Hm.)", "I look.", 'call-1=search{"q": "hi"}']),
        ("tool", ['call-1->"found"']),
        ("assistant", ["It says hi."]),
    ]
    budget = line_of("claude", '"token_budget') - 1
    assert lost("claude") == [
        f"{budget}: content of the type `token_budget` was left out",
        "2: not kept: metadata of messages (`content.citations`)",
        "2: not kept: metadata of the conversation (`account`)",
    ]


def test_a_response_of_chat_completions() -> None:
    answer, other = incoming("chat completion").conversation.messages
    assert brief(incoming("chat completion").conversation) == [
        ("assistant", ["(Better not.)", "I cannot do that.", 'call_1=ls{"path": "."}']),
        ("assistant", ["Another choice."]),
    ]
    assert answer.timestamp == "2025-03-10T01:25:52Z"
    assert answer.meta == {
        "modelId": "gpt-4.1",
        "requestId": "chatcmpl-1",
        "finishReason": "tool_calls",
        "usage": {"inputTokens": 19, "outputTokens": 10, "totalTokens": 29},
    }
    # The model would go on from one answer.
    assert other.meta == {"finishReason": "length", "history": "exclude"}
    assert lost("chat completion") == ["1: not kept: `system_fingerprint` of a response"]


def test_a_response_of_the_responses_api() -> None:
    prompt, answer = incoming("response").conversation.messages
    assert brief(incoming("response").conversation) == [
        ("system", ["Be brief."]),
        (
            "assistant",
            ["(Let us see.)", "ws_1=web_search{}", "Hello.", "No more.", 'c1=ls{"path": "."}'],
        ),
    ]
    assert (prompt.meta or {})["request"]["responses"]["temperature"] == 1.0
    assert answer.meta == {
        "modelId": "gpt-4.1",
        "requestId": "resp_1",
        "finishReason": "max_output_tokens",
        "usage": {"inputTokens": 36, "outputTokens": 87, "totalTokens": 123},
    }
    search, cited = [line_of("response", f'"{kind}') - 1 for kind in ("web_search", "output_text")]
    assert lost("response") == [
        f"{search}: the tool call `web_search` of the service becomes an ordinary one",
        f"{cited}: not kept: `annotations` of a block",
    ]


def test_a_request_of_the_responses_api() -> None:
    assert brief(incoming("request for a response").conversation) == [
        ("system", ["Be brief."]),
        ("user", ["What is this?", "[image/png]"]),
        ("assistant", ["c1=ls{}"]),
        ("tool", ['c1->"a.txt"']),
    ]
    assert lost("request for a response") == []
    text = '{"model": "m", "input": "Hello"}'
    assert brief(read("a.json", text)[0].conversation) == [("user", ["Hello"])]


def test_a_response_of_anthropic() -> None:
    (answer,) = incoming("anthropic response").conversation.messages
    assert brief(incoming("anthropic response").conversation) == [
        ("assistant", ["Hello.", "srv_1=web_search{}", 'toolu_1=ls{"path": "."}'])
    ]
    assert answer.meta == {
        "modelId": "claude",
        "requestId": "msg_1",
        "finishReason": "tool_use",
        "usage": {"inputTokens": 12, "outputTokens": 6, "totalTokens": 18},
    }
    assert [text.partition(": ")[2] for text in lost("anthropic response")] == [
        "the tool call `web_search` of the service becomes an ordinary one"
    ]


def test_notebook() -> None:
    one = incoming("notebook")
    assert brief(one.conversation) == [
        ("user", ["# Sums\nand more"]),
        ("user", ["```python\nprint('hi')\n2+2\n```"]),
        ("user", ["stdout> hi\nstderr> careful"]),
        ("user", ["stdout> 4"]),
        ("user", ["<b>4</b>"]),
        ("user", ["[image/png]"]),
        ("user", ["stderr> ValueError: no"]),
        ("user", ["as is"]),
    ]
    image = one.conversation.messages[5]
    assert image.to_wire()["parts"][0]["payload"]["data"] == PIXEL
    assert image.meta is not None
    assert (image.meta["executionOf"], image.meta["n"]) == ("sum", 3)
    error = one.conversation.messages[6].meta
    assert error is not None
    assert error["status"] == "failure"
    assert [text.partition(": ")[2] for text in lost("notebook")] == [
        "the colours of a traceback are not kept"
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", "```python\n```"),
        ("x\n", "```python\nx\n\n```"),
        ('"""\n```\n"""', '````python\n"""\n```\n"""\n````'),
    ],
)
def test_code_is_fenced_so_that_nothing_in_it_ends_the_fence(source: str, expected: str) -> None:
    cell = {"cell_type": "code", "source": source, "outputs": []}
    notebook = {**NOTEBOOK, "cells": [cell]}
    assert brief(read("a.ipynb", json.dumps(notebook))[0].conversation) == [("user", [expected])]


def test_exports_and_the_first_line_of_each() -> None:
    for name in ("chatgpt", "claude", "openai", "anthropic", "notebook"):
        lines = [place.line for place in incoming(name).places]
        assert all(line is not None for line in lines)
        assert lines == sorted(lines, key=lambda line: line or 0)


def test_claude_export_is_not_a_request() -> None:
    with pytest.raises(Unreadable, match="messages"):
        read("a.json", json.dumps(CLAUDE_EXPORT[0]), "openai")


def test_the_format_of_a_file_is_detected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(_format: MessageFile, path: str, _head: str) -> bool:
        asked.append(path)
        return True

    def opener(path: str, text: str, format: Format | None) -> Document:
        return open_document(path, text, Settings(), format, agents=frozenset())

    monkeypatch.setattr(MessageFile, "detect", counted)
    (found,) = read("a.msg.md", "# %% [^1]\n\n[^1]: [markdown]\n\nHi\n", opener=opener)
    assert (found.kind, asked) == ("msgmd", ["a.msg.md"])
