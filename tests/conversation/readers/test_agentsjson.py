"""Boot messages as messages, and back."""

import json
from dataclasses import replace
from typing import Any

import pytest

from msgls.conversation.conversation import EPOCH, Conversation
from msgls.conversation.messages import Message, TextPart
from msgls.conversation.readers.agentsjson import read
from msgls.conversation.writers.agentsjson import write
from msgls.document.document import Document
from tests.formats.agentsjson.test_boot import WHOLE

MARKS = {"isBootMessage": True, "isVirtual": True}


def document(data: object, **style: Any) -> Document:
    return Document.open("agents.json", json.dumps(data, ensure_ascii=False, **style))


def one(boot: object, **more: Any) -> dict[str, Any]:
    return {"agents": [{"name": "A", "path": "./a.js", "metadata": {"bootMessage": boot}, **more}]}


def test_a_boot_message_is_a_message_of_its_agent() -> None:
    view = document(one({"message": "Hello", "isHtml": False, "meta": {**MARKS, "a": 1}}))
    found = read(view)
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
    (message,) = read(document(one(boot))).messages
    assert message.meta is not None
    assert message.meta["isVirtual"] is message.meta["isBootMessage"] is True


def test_the_old_name_of_the_text() -> None:
    one_text, other = [read(document(one({key: "Hi"}))).messages for key in ("text", "message")]
    assert one_text == other


def test_what_else_the_file_says_is_lost_and_told() -> None:
    data = {"agents": [*one({"message": "x"}, llm="m")["agents"], {"name": "B", "path": "b"}]}
    found = read(document(data, indent=1))
    assert [(loss.what, loss.line) for loss in found.losses] == [
        ("other settings of the agent `A` are not kept: `llm`", 2),
        ("the agent `B` has no boot message", 12),
    ]


@pytest.mark.parametrize("boot", [None, 7, [], "x"])
def test_what_is_not_a_boot_message(boot: object) -> None:
    assert read(document(one(boot))).messages == ()


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
    found = read(view)
    assert write(found, view) == (view.text, ())
    text, told = write(found)
    assert told == ()
    again = read(Document.open("agents.json", text))
    assert again.messages == found.messages
    assert again.losses == ()


def with_text(conversation: Conversation, text: str) -> Conversation:
    (message,) = conversation.messages
    wire = {**message.to_wire(), "parts": [TextPart.of(text).to_wire()]}
    return replace(conversation, messages=(Message.from_wire(wire),))


def test_another_text_leaves_the_rest_alone() -> None:
    view = document(one({"isHtml": False, "message": "Hello", "meta": MARKS}, llm="m"), indent="\t")
    text, told = write(with_text(read(view), 'Bye "x"'), view)
    assert text == view.text.replace('"Hello"', '"Bye \\"x\\""')
    assert told == ()


@pytest.mark.parametrize(
    ("change", "loss"),
    [
        ({"role": "user"}, "it is not a boot message of an agent"),
        ({"meta": None}, "it is not a boot message of an agent"),
        ({"meta": {**MARKS, "agent": "A"}}, "the path of its agent is not known"),
        ({"meta": {**MARKS, "agent": "A", "path": "a", "x": 1}}, "a boot message cannot hold `x`"),
        ({"timestamp": "2025-01-01"}, "the time 2025-01-01 is not written"),
        ({"runId": "r"}, "the run `r` is not written"),
        (
            {"parts": [TextPart.of("a").to_wire(), TextPart.of("b").to_wire()]},
            "only text is written",
        ),
    ],
)
def test_what_cannot_be_said_is_told(change: dict[str, Any], loss: str) -> None:
    (message,) = read(document(one({"message": "x"}))).messages
    wire = {key: value for key, value in {**message.to_wire(), **change}.items() if value}
    _, told = write(Conversation((Message.from_wire(wire),), ((),)))
    assert loss in [lost.what for lost in told]


def two(first: object, second: object) -> dict[str, Any]:
    names = {"A": first, "B": second}
    return {
        "agents": [
            {"name": name, "path": "p", "metadata": {"bootMessage": boot}}
            for name, boot in names.items()
        ]
    }


def changed(found: Conversation, number: int, **update: Any) -> Conversation:
    messages = list(found.messages)
    messages[number] = messages[number].model_copy(update=update)
    return replace(found, messages=tuple(messages))


def test_only_the_text_that_differs_is_written() -> None:
    view = document(two({"message": "one"}, {"text": "two", "message": "also"}), indent=3)
    text, _ = write(changed(read(view), 0, parts=(TextPart.of("1"),)), view)
    assert text == view.text.replace('"one"', '"1"')


@pytest.mark.parametrize(
    "update",
    [
        {"parts": (TextPart.of("x"), TextPart.of("y"))},
        {"parts": (TextPart.of("x"),), "role": "user"},
        {"role": "user"},
        {"meta": {**MARKS, "agent": "C", "path": "p"}},
    ],
    ids=["two texts", "another role", "another role and the same text", "another agent"],
)
def test_what_is_more_than_a_text_is_written_anew(update: dict[str, Any]) -> None:
    view = document(two({"message": "one"}, {"message": "two"}), indent="\t\t")
    wanted = changed(read(view), 1, **update)
    text = write(wanted, view).text
    assert "\t\t" not in text
    assert text == write(wanted)[0]


def test_a_boot_message_without_a_text_is_written_anew() -> None:
    view = document(two({"message": "one"}, {"isHtml": True}), indent="\t")
    text, _ = write(changed(read(view), 1, parts=(TextPart.of("x"),)), view)
    assert read(Document.open("agents.json", text)).messages[1].parts == (TextPart.of("x"),)


def test_one_message_more_is_written_anew() -> None:
    view = document(one({"message": "one"}), indent="\t")
    (message,) = read(view).messages
    text, _ = write(Conversation((message, message), ((), ())), view)
    assert [a["name"] for a in json.loads(text)["agents"]] == ["A", "A"]


@pytest.mark.parametrize(
    ("update", "loss"),
    [
        (
            {"meta": {"isBootMessage": True, "agent": "A", "path": "p"}},
            "every boot message is virtual",
        ),
        ({"parts": (TextPart.of(""),)}, "an empty text is left out"),
    ],
)
def test_what_every_boot_message_is(update: dict[str, Any], loss: str) -> None:
    _, told = write(changed(read(document(one({"message": "x"}))), 0, **update))
    assert loss in [lost.what for lost in told]
