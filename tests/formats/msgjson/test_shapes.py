"""The quick look at shapes says what the models say."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from msgls.conversation.messages import Message, SessionEntry, delta_from_wire
from msgls.formats.msgjson.shapes import is_delta, is_entry, is_message
from tests.strategies import deltas, json_values, messages, session_entries


def accepts(read: Callable[[object], object], wire: object) -> bool:
    try:
        read(wire)
    except ValidationError:
        return False
    return True


@given(deltas())
def test_every_delta_passes(delta: Any) -> None:
    assert is_delta(delta.to_wire())


@given(messages())
def test_every_message_passes(message: Message) -> None:
    assert is_message(_as_json(message.to_wire()))


@given(session_entries())
def test_every_entry_passes(entry: SessionEntry) -> None:
    assert is_entry(_as_json(entry.to_wire()))


def _as_json(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(value, dict):
        return {key: _as_json(inner) for key, inner in value.items()}
    return [_as_json(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def mutated(data: st.DataObject, wire: dict[str, Any]) -> object:
    """The data with one value somewhere replaced, or one key gone."""
    wire = copy.deepcopy(_as_json(wire))
    holders: list[Any] = [wire]
    for holder in holders:
        inner = holder.values() if isinstance(holder, dict) else holder
        holders += [value for value in inner if isinstance(value, (dict, list)) and value]
    holder = data.draw(st.sampled_from(holders))
    key = data.draw(
        st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder)))
    )
    if data.draw(st.booleans()):
        del holder[key]
    else:
        odd: st.SearchStrategy[Any] = st.sampled_from(
            [True, 1.5, -1, "text", "tool_result", {}, [], None, "assistant"]
        )
        holder[key] = data.draw(odd | json_values())
    return wire


@given(st.data(), deltas())
def test_a_changed_delta_passes_if_the_models_take_it(data: st.DataObject, delta: Any) -> None:
    wire = mutated(data, delta.to_wire())
    assert is_delta(wire) == accepts(delta_from_wire, wire)


@given(st.data(), messages())
def test_a_changed_message_passes_if_the_models_take_it(
    data: st.DataObject, message: Message
) -> None:
    wire = mutated(data, message.to_wire())
    assert is_message(wire) == accepts(Message.from_wire, wire)


@given(st.data(), session_entries())
def test_a_changed_entry_passes_if_the_models_take_it(
    data: st.DataObject, entry: SessionEntry
) -> None:
    wire = mutated(data, entry.to_wire())
    assert is_entry(wire) == accepts(SessionEntry.from_wire, wire)


@given(json_values())
def test_any_json_passes_if_the_models_take_it(value: object) -> None:
    assert is_delta(value) == accepts(delta_from_wire, value)
    assert is_message(value) == accepts(Message.from_wire, value)
    assert is_entry(value) == accepts(SessionEntry.from_wire, value)


@pytest.mark.parametrize("check", [is_delta, is_message, is_entry])
@pytest.mark.parametrize("wire", [None, [], "x", 3, {}, {"kind": []}, {"role": {}}, {"type": 1}])
def test_what_is_nothing_of_the_kind_does_not_pass(
    check: Callable[[object], bool], wire: object
) -> None:
    assert check(wire) is False


def test_results_in_results_are_left_to_the_models() -> None:
    part: dict[str, Any] = {"kind": "text", "payload": {"text": ""}}
    for _ in range(400):
        payload = {"toolCallId": "c", "isError": False, "content": [part]}
        part = {"kind": "tool_result", "payload": payload}
    wire = {"runId": "r", "role": "tool", "timestamp": "t", "parts": [part]}
    assert not is_message(wire)


_DELTA = {"runId": "r", "seq": 1, "kind": "text", "timestamp": "t"}
_TEXT = {"kind": "text", "payload": {"text": "x"}}


@pytest.mark.parametrize("key", ["é", "😀", "\ud83d", "a\ude00", "\ud83d\ude00"])
@pytest.mark.parametrize(
    ("check", "read", "holder"),
    [
        (is_delta, delta_from_wire, lambda odd: {**_DELTA, "payload": {"textDelta": "x"}, **odd}),
        (is_delta, delta_from_wire, lambda odd: {**_DELTA, "payload": {"textDelta": "x", **odd}}),
        (is_delta, delta_from_wire, lambda odd: {
            **_DELTA, "payload": {"textDelta": "x"}, "providerRaw": odd,
        }),
        (is_message, Message.from_wire, lambda odd: _message(odd, _TEXT)),
        (is_message, Message.from_wire, lambda odd: _message({}, {**_TEXT, **odd})),
        (is_message, Message.from_wire, lambda odd: _message(
            {}, {"kind": "text", "payload": {"text": "x", **odd}}
        )),
        (is_message, Message.from_wire, lambda odd: _message({"meta": odd}, _TEXT)),
        (is_entry, SessionEntry.from_wire, lambda odd: {
            "id": "1", "type": "x", "timestamp": "t", "payload": odd, **odd,
        }),
    ],
    ids=[
        *("delta", "its payload", "what a provider said", "message", "its part"),
        *("a part's payload", "its meta", "entry"),
    ],
)  # fmt: skip
def test_a_key_of_half_a_character_is_left_to_the_models(
    check: Callable[[object], bool],
    read: Callable[[object], object],
    holder: Callable[[dict[str, int]], object],
    key: str,
) -> None:
    """JSON can say one, as an escape, and the models take it in some places only."""
    wire = holder({key: 1})
    assert check(wire) == accepts(read, wire)


def _message(more: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    return {"runId": "r", "role": "user", "parts": [part], "timestamp": "t", **more}
