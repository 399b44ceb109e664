import json
import os
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.conversation import EPOCH, Conversation, Loss, derive_run_id
from msgls.conversation.messages import Message, TextPart
from msgls.text.spans import Span
from tests.strategies import json_objects, messages, texts

HELLO = Message(run_id="r", role="user", parts=(TextPart.of("hello"),), timestamp=EPOCH)


def test_a_conversation_holds_messages_sources_and_losses() -> None:
    conversation = Conversation(
        messages=(HELLO, HELLO),
        sources=((Span(0, 5), Span(9, 12)), ()),
        losses=(Loss("title", line=3, message_index=0),),
    )
    assert conversation.messages == (HELLO, HELLO)
    assert conversation.sources[0] == (Span(0, 5), Span(9, 12))
    assert conversation.losses[0].what == "title"


@pytest.mark.parametrize(
    ("message_count", "source_count"), [(0, 1), (1, 0), (1, 2), (2, 1), (3, 0)]
)
def test_every_message_has_its_sources(message_count: int, source_count: int) -> None:
    with pytest.raises(ValueError, match=f"{message_count} messages.* {source_count} of them"):
        Conversation((HELLO,) * message_count, ((),) * source_count)


def test_an_empty_conversation_is_one() -> None:
    assert Conversation((), ()) == Conversation((), (), ())


def test_a_loss_needs_no_place() -> None:
    loss = Loss("the colour of the cell")
    assert (loss.line, loss.message_index) == (None, None)


@pytest.mark.parametrize("value", [Conversation((), ()), Loss("a")])
@pytest.mark.parametrize("name", ["losses", "what", "other"])
def test_nothing_can_be_assigned(value: object, name: str) -> None:
    # A name that is not a slot fails in its own way, before or after the check for frozen.
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        setattr(value, name, ())
    assert not hasattr(value, "__dict__")


def test_they_are_equal_by_value() -> None:
    def make() -> Conversation:
        return Conversation((HELLO,), ((Span(0, 1),),), (Loss("a", 1, 0),))

    assert make() == make()
    assert make() != Conversation((HELLO,), ((Span(0, 2),),), (Loss("a", 1, 0),))
    assert len({Loss("a", 1, 0), Loss("a", 1, 0)}) == 1


def test_the_epoch_is_the_epoch() -> None:
    moment = datetime.fromisoformat(EPOCH)
    assert moment == datetime(1970, 1, 1, tzinfo=UTC)
    assert moment.utcoffset() == timedelta(0)


# Run ids.


def test_a_run_id_has_its_form() -> None:
    assert re.fullmatch(r"run-[0-9a-f]{16}", derive_run_id([{"role": "user"}]))


@pytest.mark.parametrize(
    ("wire", "run_id"),
    [
        # Fixed values: a change of them changes the run ids in everybody's files.
        ([], "run-4f53cda18c2baa0c"),
        ([{"a": 1, "b": "é\ud800"}], "run-3431d01435ae504e"),
    ],
)
def test_a_run_id_never_changes(wire: list[dict[str, object]], run_id: str) -> None:
    assert derive_run_id(wire) == run_id


def test_a_run_id_is_the_same_in_another_process() -> None:
    code = (
        "from msgls.conversation.conversation import derive_run_id;"
        "print(derive_run_id([{'b': {'d': 1, 'c': None}, 'a': ['x']}]))"
    )
    ids = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert ids == {derive_run_id([{"a": ["x"], "b": {"c": None, "d": 1}}])}


@pytest.mark.parametrize("text", ["\ud800", "\udfff\ud800", "a\ud83d", "😀", "\0", "\u2028"])
def test_any_text_has_a_run_id(text: str) -> None:
    assert derive_run_id([{"text": text}]) != derive_run_id([{"text": ""}])
    assert derive_run_id([{text: 1}]) != derive_run_id([{"": 1}])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([{"a": 1}], [{"a": "1"}]),
        ([{"a": None}], [{}]),
        ([{}], []),
        ([{"a": 1}, {"b": 1}], [{"b": 1}, {"a": 1}]),
        ([{"a": 1, "b": 1}], [{"a": 1}, {"b": 1}]),
        ([{"a": [1, 2]}], [{"a": [2, 1]}]),
        ([{"a": "é"}], [{"a": "e\u0301"}]),
        ([{"a": "\\u00e9"}], [{"a": "é"}]),
    ],
)
def test_other_content_has_another_run_id(
    one: list[dict[str, object]], other: list[dict[str, object]]
) -> None:
    assert derive_run_id(one) != derive_run_id(other)


def test_what_is_not_json_has_no_run_id() -> None:
    # A set would have another order in another process.
    with pytest.raises(TypeError):
        derive_run_id([{"a": {"b"}}])


@given(st.lists(json_objects(), max_size=3))
def test_the_order_of_keys_does_not_count(objects: list[dict[str, Any]]) -> None:
    turned = [_turned(value) for value in objects]
    assert derive_run_id(turned) == derive_run_id(objects)


@given(st.lists(messages(), max_size=2))
def test_messages_have_the_run_id_of_their_json(made: list[Message]) -> None:
    wire = [message.to_wire() for message in made]
    assert derive_run_id(wire) == derive_run_id(json.loads(json.dumps(wire)))


@given(texts(surrogates=True))
def test_a_message_of_any_text_has_a_run_id(text: str) -> None:
    message = Message(run_id="", role="user", parts=(TextPart.of(text),), timestamp=EPOCH)
    wire = {key: value for key, value in message.to_wire().items() if key != "runId"}
    assert derive_run_id([wire]).startswith("run-")


def _turned(value: Any) -> Any:
    """The same JSON value, with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: _turned(inner) for key, inner in reversed(value.items())}
    if isinstance(value, list):
        return [_turned(inner) for inner in value]
    return value
