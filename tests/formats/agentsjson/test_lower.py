"""Boot messages as messages, and back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from msgls.document.document import Document
from msgls.formats.agentsjson.lower import lower
from msgls.formats.agentsjson.render import render
from msgls.model.conversation import EPOCH, Conversation
from msgls.model.messages import Message, TextPart
from tests.model.test_boot import WHOLE

MARKS = {"isBootMessage": True, "isVirtual": True}


def document(data: object, **style: Any) -> Document:
    return Document.open("agents.json", json.dumps(data, ensure_ascii=False, **style))


def one(boot: object, **more: Any) -> dict[str, Any]:
    return {"agents": [{"name": "A", "path": "./a.js", "metadata": {"bootMessage": boot}, **more}]}


def test_a_boot_message_is_a_message_of_its_agent() -> None:
    view = document(one({"message": "Hello", "isHtml": False, "meta": {**MARKS, "a": 1}}))
    found = lower(view)
    (message,) = found.messages
    assert (message.role, message.parts, message.timestamp) == (
        "assistant",
        (TextPart.of("Hello"),),
        EPOCH,
    )
    assert message.meta == {
        **MARKS,
        "agent": "A",
        "path": "./a.js",
        "bootMessage": {"isHtml": False, "meta": {"a": 1}},
    }
    assert found.sources[0][0].of(view.text).startswith('"bootMessage": {')
    assert found.losses == ()


@pytest.mark.parametrize("meta", [None, {}, {"isVirtual": False}, MARKS])
def test_every_boot_message_is_virtual(meta: object) -> None:
    boot = {"message": "Hello"} if meta is None else {"message": "Hello", "meta": meta}
    (message,) = lower(document(one(boot))).messages
    assert message.meta is not None
    assert message.meta["isVirtual"] is message.meta["isBootMessage"] is True


def test_the_old_name_of_the_text() -> None:
    one_text, other = [lower(document(one({key: "Hi"}))).messages for key in ("text", "message")]
    assert one_text == other


def test_what_else_the_file_says_is_lost_and_told() -> None:
    data = {"agents": [*one({"message": "x"}, llm="m")["agents"], {"name": "B", "path": "b"}]}
    found = lower(document(data, indent=1))
    assert [(loss.what, loss.line) for loss in found.losses] == [
        ("what the agent `A` says beside its boot message is not told: `llm`", 2),
        ("the agent `B` has no boot message", 12),
    ]


@pytest.mark.parametrize("boot", [None, 7, [], "x"])
def test_what_is_no_boot_message(boot: object) -> None:
    assert lower(document(one(boot))).messages == ()


@pytest.mark.parametrize(
    "data",
    [
        WHOLE,
        one({"message": "Hello"}),
        one({"message": ""}),
        one({"text": "Hi 😀", "nextTasks": [{"name": "x"}]}),
        {"agents": []},
        {"agents": [*one({"message": "a"})["agents"], *one({"message": "b"})["agents"]]},
    ],
)
def test_round_trips(data: dict[str, Any]) -> None:
    view = document(data, indent="\t")
    found = lower(view)
    assert render(found, view) == (view.text, found)
    text, told = render(found)
    assert told.losses == found.losses
    again = lower(Document.open("agents.json", text))
    assert again.messages == found.messages
    assert again.losses == ()


def with_text(conversation: Conversation, text: str) -> Conversation:
    (message,) = conversation.messages
    wire = {**message.to_wire(), "parts": [TextPart.of(text).to_wire()]}
    return replace(conversation, messages=(Message.from_wire(wire),))


def test_another_text_leaves_the_rest_alone() -> None:
    view = document(one({"isHtml": False, "message": "Hello", "meta": MARKS}, llm="m"), indent="\t")
    text, told = render(with_text(lower(view), 'Bye "x"'), view)
    assert text == view.text.replace('"Hello"', '"Bye \\"x\\""')
    assert told.losses == lower(view).losses


@pytest.mark.parametrize(
    ("change", "loss"),
    [
        ({"role": "user"}, "it is no boot message of an agent"),
        ({"meta": None}, "it is no boot message of an agent"),
        ({"meta": {**MARKS, "agent": "A"}}, "the path of its agent is not known"),
        ({"meta": {**MARKS, "agent": "A", "path": "a", "x": 1}}, "a boot message does not say `x`"),
        ({"timestamp": "2025-01-01"}, "the time 2025-01-01 is not written"),
        ({"runId": "r"}, "the run `r` is not written"),
        (
            {"parts": [TextPart.of("a").to_wire(), TextPart.of("b").to_wire()]},
            "only texts are written",
        ),
    ],
)
def test_what_cannot_be_said_is_told(change: dict[str, Any], loss: str) -> None:
    (message,) = lower(document(one({"message": "x"}))).messages
    wire = {key: value for key, value in {**message.to_wire(), **change}.items() if value}
    _, told = render(Conversation((Message.from_wire(wire),), ((),)))
    assert loss in [lost.what for lost in told.losses]
