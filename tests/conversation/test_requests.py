"""Requests to services: pairing, roles, names, images, and what is named as lost."""

import json
from typing import Any

import pytest

from msgls.conversation.conversation import EPOCH, Conversation
from msgls.conversation.messages import Message
from msgls.conversation.requests import RequestOptions
from msgls.conversation.writers import anthropic, openai
from tests.conversation.corpus import PIXEL, part
from tests.conversation.services import problems, validated

WRITERS = {"openai": openai.write, "anthropic": anthropic.write}


def said(role: str, *parts: dict[str, Any], **meta: Any) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": role, "parts": list(parts)}
    return wire | ({"meta": meta} if meta else {})


def text(words: str) -> dict[str, Any]:
    return part("text", text=words)


def call(call_id: str, name: str = "f") -> dict[str, Any]:
    return part("tool_call", toolCallId=call_id, toolName=name, arguments={})


def result(call_id: str, content: Any = "ok", is_error: bool = False) -> dict[str, Any]:
    return part("tool_result", toolCallId=call_id, isError=is_error, content=content)


def written(service: str, *wires: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """The messages of the request, and what is lost, by message; the request is sound."""
    from msgls.conversation.conversation import derive_run_id

    run_id = derive_run_id(wires)
    messages = [Message.from_wire({"runId": run_id, "timestamp": EPOCH, **w}) for w in wires]
    conversation = Conversation(tuple(messages), tuple([()] * len(messages)))
    text, losses = WRITERS[service](conversation, RequestOptions("m", 9))
    request = json.loads(text)
    assert validated(service, request) == request
    assert problems(service, request) == []
    return request["messages"], [f"{loss.message_index}: {loss.what}" for loss in losses]


def shape(messages: list[Any]) -> list[str]:
    """Roles with the kinds of what they say."""
    found = []
    for message in messages:
        content = message["content"]
        kinds = ["text"] if content and isinstance(content, str) else []
        kinds += [] if content is None or isinstance(content, str) else [c["type"] for c in content]
        kinds += ["call" for _ in message.get("tool_calls", ())]
        found.append(" ".join([message["role"], *kinds]))
    return found


OPENING_LOSS = f"a user message, `{anthropic.OPENING}`, is put before it"

TURN = [said("user", text("?")), said("assistant", text("!"), call("c")), said("tool", result("c"))]

TABLE: list[tuple[str, list[dict[str, Any]], list[str], list[str], list[str], list[str]]] = [
    (
        "a plain turn",
        TURN,
        ["user text", "assistant text call", "tool text"],
        [],
        ["user text", "assistant text tool_use", "user tool_result"],
        [],
    ),
    (
        "a result after another message moves up",
        [*TURN[:2], said("user", text("hm")), TURN[2]],
        ["user text", "assistant text call", "tool text", "user text"],
        ["3: this result is moved to its call"],
        ["user text", "assistant text tool_use", "user tool_result text"],
        ["3: this result is moved to its call"],
    ),
    (
        "a call that is never answered becomes text",
        [*TURN[:2], said("user", text("hm"))],
        ["user text", "assistant text text", "user text"],
        ["1: the call `c` has no result: it becomes text"],
        ["user text", "assistant text text", "user text"],
        ["1: the call `c` has no result: it becomes text"],
    ),
    (
        "but the last one may still be",
        TURN[:2],
        ["user text", "assistant text call"],
        [],
        ["user text", "assistant text tool_use"],
        [],
    ),
    (
        "a result of no call becomes text",
        [TURN[0], said("tool", result("x"))],
        ["user text", "user text"],
        ["1: there is no open call `x` for this result: it becomes text"],
        ["user text text"],
        [
            "1: there is no open call `x` for this result: it becomes text",
            "0: this message and the next ones of the same role are sent as one",
        ],
    ),
    (
        "two calls of one id are told apart",
        [
            TURN[0],
            said("assistant", call("c"), call("c")),
            said("tool", result("c", "1")),
            said("tool", result("c", "2")),
        ],
        ["user text", "assistant call call", "tool text", "tool text"],
        ["1: the id `c` becomes `c_2`"],
        ["user text", "assistant tool_use tool_use", "user tool_result tool_result"],
        ["1: the id `c` becomes `c_2`"],
    ),
    (
        "results come in the order of their calls",
        [
            TURN[0],
            said("assistant", call("c"), call("d")),
            said("tool", result("d")),
            said("tool", result("c")),
        ],
        ["user text", "assistant call call", "tool text", "tool text"],
        ["1: results are put in the order of their calls"],
        ["user text", "assistant tool_use tool_use", "user tool_result tool_result"],
        ["1: results are put in the order of their calls"],
    ),
    (
        "a failure",
        [*TURN[:2], said("tool", result("c", "no", True))],
        ["user text", "assistant text call", "tool text"],
        ["2: the failure of the tool call `c` is not kept"],
        ["user text", "assistant text tool_use", "user tool_result"],
        [],
    ),
    (
        "the assistant speaks first",
        [said("assistant", text("Hello."))],
        ["assistant text"],
        [],
        ["user text", "assistant text"],
        [f"0: the assistant cannot come first: {OPENING_LOSS}"],
    ),
    (
        "system in the middle",
        [TURN[0], said("system", text("Now.")), said("assistant", text("!"))],
        ["user text", "system text", "assistant text"],
        [],
        ["user text", "assistant text"],
        ["1: a system message is moved before the conversation"],
    ),
    (
        "images",
        [said("user", part("image", mimeType="image/png", data=PIXEL))],
        ["user image_url"],
        [],
        ["user image"],
        [],
    ),
    (
        "an image that nobody takes",
        [said("user", part("image", mimeType="image/tiff", data="AAAA"))],
        ["user text"],
        ["0: an image of the type `image/tiff` becomes a link"],
        ["user text"],
        ["0: an image of the type `image/tiff` becomes a link"],
    ),
    (
        "thinking",
        [TURN[0], said("assistant", part("thinking", text="Hm."), text("!"))],
        ["user text", "assistant text"],
        ["1: thinking is not sent"],
        ["user text", "assistant text"],
        ["1: thinking that is not signed is not sent"],
    ),
    (
        "signed thinking",
        [TURN[0], said("assistant", part("thinking", text="Hm.", signature="s"), text("!"))],
        ["user text", "assistant text"],
        ["1: thinking is not sent"],
        ["user text", "assistant thinking text"],
        [],
    ),
    (
        "a name with a blank",
        [TURN[0], said("assistant", call("c", "look up")), TURN[2]],
        ["user text", "assistant call", "tool text"],
        ["1: the tool `look up` becomes `look_up`"],
        ["user text", "assistant tool_use", "user tool_result"],
        ["1: the tool `look up` becomes `look_up`"],
    ),
    (
        "what a message says of itself",
        [said("user", text("?"), id="q1", name="ann")],
        ["user text"],
        [],
        ["user text"],
        [],
    ),
]


@pytest.mark.parametrize(
    ("wires", "expected", "lost"), [pytest.param(w, o, ol, id=n) for n, w, o, ol, _, _ in TABLE]
)
def test_openai(wires: list[dict[str, Any]], expected: list[str], lost: list[str]) -> None:
    messages, losses = written("openai", *wires)
    assert (shape(messages), losses) == (expected, lost)


@pytest.mark.parametrize(
    ("wires", "expected", "lost"), [pytest.param(w, a, al, id=n) for n, w, _, _, a, al in TABLE]
)
def test_anthropic(wires: list[dict[str, Any]], expected: list[str], lost: list[str]) -> None:
    messages, losses = written("anthropic", *wires)
    assert (shape(messages), losses) == (expected, lost)


def test_ids_are_shortened_where_they_must() -> None:
    long = "c" * 50
    messages, losses = written(
        "openai", TURN[0], said("assistant", call(long)), said("tool", result(long))
    )
    assert messages[1]["tool_calls"][0]["id"] == messages[2]["tool_call_id"] == "c" * 40
    assert losses == [f"1: the id `{long}` becomes `{'c' * 40}`"]


@pytest.mark.parametrize("service", WRITERS)
def test_nothing_at_all(service: str) -> None:
    assert written(service) == ([], [])
