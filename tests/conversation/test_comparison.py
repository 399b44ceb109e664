"""Reading back what was rendered: each difference is named, and no other."""

from collections.abc import Mapping
from typing import Any

import pytest

from msgls.conversation import comparison
from msgls.conversation.comparison import (
    Piece,
    Wanted,
    canonical,
    compare,
    derived_runs_of,
    matches,
)
from msgls.conversation.conversation import EPOCH, Conversation
from msgls.conversation.messages import Message, TextPart
from msgls.text.spans import Span


def message(text: str, run: str = "r", time: str = EPOCH, **meta: Any) -> Message:
    parts = (TextPart.of(text),)
    return Message(run_id=run, role="user", parts=parts, timestamp=time, meta=meta or None)


def compared(
    wanted: list[Message],
    found: list[Message],
    owners: list[int | None] | None = None,
    file: Mapping[str, Any] | None = None,
) -> list[tuple[int | None, str]]:
    """The losses where each message that was found is a piece of ten characters."""
    owners = list(range(len(found))) if owners is None else owners
    pieces = [Piece("x" * 10, owner) for owner in owners]
    spans = tuple((Span(10 * n, 10 * n + 10),) for n in range(len(found)))
    asked = Wanted(wanted, file or {}, frozenset({"derived"}))
    losses = compare(asked, pieces, Conversation(tuple(found), spans))
    return [(loss.message_index, loss.what) for loss in losses]


A, B = message("a"), message("b")
NO_PLACE = "this format cannot hold "


@pytest.mark.parametrize(
    ("wanted", "found", "losses"),
    [
        ([A, B], [A, B], []),
        ([A], [B], [(0, "a text changes")]),
        ([A], [message("a", run="s")], [(0, NO_PLACE + "ids of runs")]),
        ([message("a", run="derived")], [message("a", run="s")], []),
        ([message("a", time="t")], [message("a")], [(0, NO_PLACE + "times")]),
        ([message("a")], [message("a", time="t")], []),
        # More may be said than was asked for, and not less.
        ([A], [message("a", more=1)], []),
        ([message("a", x={"y": [1]})], [message("a", x={"y": [1], "z": 2})], []),
        ([message("a", x={"y": [1]})], [message("a", x={"y": [1, 2]})], [(0, NO_PLACE + "`x`")]),
        ([message("a", x=1)], [message("a", x=True, y=1)], [(0, NO_PLACE + "`x`")]),
        ([message("a", x=1)], [A], [(0, NO_PLACE + "`x`")]),
        ([A, B], [A], [(1, "the message was left out")]),
    ],
)
def test_each_difference_is_named(
    wanted: list[Message], found: list[Message], losses: list[tuple[int | None, str]]
) -> None:
    assert compared(wanted, found) == losses


OTHERS = [(0, "the messages are different, or in another order")]


@pytest.mark.parametrize("owners", [[1, 0], [0, 1, None]])
def test_messages_of_nobody_and_in_another_order(owners: list[int | None]) -> None:
    found = [(A, B, A)[2 if owner is None else owner] for owner in owners]
    assert compared([A, B], found, owners) == OTHERS


def test_what_the_file_says_of_itself() -> None:
    said = message("a", file={"title": "x", "more": 1})
    assert compared([A], [said], file={"title": "x"}) == []
    assert compared([A], [said], file={"title": "y"}) == [(None, "this format cannot hold titles")]


def test_what_is_nested_too_deeply_is_a_loss() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    told = compared([message("a", x=deep)], [message("a", x=[deep])])
    assert told == [(0, "it is nested too deeply to be compared")]


def test_what_is_not_json_equals_nothing_but_itself() -> None:
    value = {1, 2}
    assert canonical(value) == canonical(value)
    assert canonical(value) != canonical({1, 2})
    assert canonical({"b": 1, "a": 2}) == canonical({"a": 2, "b": 1})


def test_a_run_follows_from_what_is_said() -> None:
    assert derived_runs_of([A]) == derived_runs_of([message("a", run="s", time="t")])
    assert derived_runs_of([A]) != derived_runs_of([B])


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        ("", "", []),
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("abc", "abXc", [(0, 0), (1, 1), (2, 3)]),
        ("aXYc", "aYc", [(0, 0), (2, 1), (3, 2)]),
        ("ab", "ba", [(0, 1)]),
        ("aa", "a", [(0, 0)]),
    ],
)
def test_equal_keys_are_paired_in_order(old: str, new: str, pairs: list[tuple[int, int]]) -> None:
    assert list(matches(old, new)) == pairs


def test_a_large_middle_is_not_compared_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "_MOST_COMPARED", 2)
    assert list(matches("aXbYc", "aZbWc")) == [(0, 0), (4, 4)]
