"""Streams: the order of deltas, and the state as a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.formats.msgjson.streams import FaultKind, Streams, short_name

Steps = list[tuple[str, str, int | None, str]]


def faults(*steps: str) -> list[list[str]]:
    """What is wrong with each of some deltas, written ``kind run seq name``."""
    streams = Streams()
    found = []
    for text in steps:
        kind, run, seq, *name = text.split()
        of_step = streams.follow(kind, run, int(seq), name[0] if name else "")
        found.append([fault.kind.value for fault in of_step])
    return found


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        # A stream starts at `start` and ends at its one `done` or `error`.
        ("start r 0 q|text r 1|done r 2", "||"),
        ("start r 0 q|error r 1", "|"),
        ("text r 1|text r 2|done r 3", "start-missing||"),
        ("start r 0 q|start r 1 q", "|start-repeated"),
        ("start r 0 q|start r 1 p", "|terminal-missing"),
        ("start r 0 q|done r 1|text r 2|text r 3", "||delta-after-terminal|"),
        ("start r 0 q|done r 1|done r 2|error r 3", "||second-terminal|second-terminal"),
        ("start r 0 q|done r 1|text r 2|done r 3", "||delta-after-terminal|second-terminal"),
        # A second `start` opens another stream, even in the same run.
        ("start r 0 q|done r 1|start r 0 q|text r 1|done r 2", "||||"),
        # What has no start is opened by one.
        ("text r 5|start r 0 q|done r 1", "start-missing||"),
        # `seq` strictly increases within a stream, and gaps are no matter.
        ("start r 3 q|text r 3", "|seq-not-increasing"),
        ("start r 3 q|text r 2|text r 3|text r 9", "|seq-not-increasing||"),
        ("start r 0 q|text r 500|text r 2|text r 3", "||seq-not-increasing|"),
        ("start r 9 q|done r 10|start r 0 p|text r 1", "|||"),
        ("start r -5 q|text r -4", "|"),
        # Runs are interleaved.
        ("start a 0 q|start b 0 q|text a 1|text b 1|done a 2|done b 2", "|||||"),
        ("start a 0 q|text b 1", "|start-missing"),
        # Tool calls.
        ("start r 0 q|tool_call_start r 1 c|tool_call_args r 2 c|tool_call_end r 3 c", "|||"),
        ("start r 0 q|tool_call_args r 1 c|tool_call_args r 2 c", "|call-not-started|"),
        ("start r 0 q|tool_call_end r 1 c", "|call-not-started"),
        (
            "start r 0 q|tool_call_start r 1 c|tool_call_end r 2 c|tool_call_args r 3 c",
            "|||call-not-started",
        ),
        ("start r 0 q|tool_call_start r 1 c|done r 2", "||call-not-ended"),
        ("start r 0 q|tool_call_start r 1 c|error r 2", "||"),
        ("start r 0 q|tool_call_args r 1 c|done r 2", "|call-not-started|"),
        ("start r 0 q|tool_call_args r 0 c", "|seq-not-increasing,call-not-started"),
    ],
)
def test_the_order_of_deltas(steps: str, expected: str) -> None:
    wanted = [cell.split(",") if cell else [] for cell in expected.split("|")]
    assert faults(*steps.split("|")) == wanted


def test_a_seq_that_cannot_be_read_is_passed_over() -> None:
    streams = Streams()
    assert not streams.follow("start", "r", None, "q")
    assert not streams.follow("text", "r", 3)
    assert not streams.follow("text", "r", None)
    assert [f.kind for f in streams.follow("text", "r", 3)] == [FaultKind.SEQ_NOT_INCREASING]


_names = st.text(max_size=5) | st.sampled_from(["a", "b", "\x1e", "\x1f?", "#", "x" * 99])
_kinds = st.sampled_from(
    [
        "start",
        "text",
        "usage",
        "done",
        "error",
        "tool_call_start",
        "tool_call_args",
        "tool_call_end",
    ]
)
_steps = st.lists(
    st.tuples(_kinds, st.sampled_from("abcdefg"), st.integers(-3, 30), _names), max_size=30
)


@given(_steps)
def test_a_state_that_is_written_and_read_goes_on_as_before(steps: Steps) -> None:
    kept, written = Streams(), ""
    for kind, run, seq, name in steps:
        run, name = short_name(run), short_name(name)
        streams = Streams.decode(written)
        assert list(streams.follow(kind, run, seq, name)) == list(kept.follow(kind, run, seq, name))
        written = streams.encode()
        assert Streams.decode(written).encode() == written


def test_a_state_stays_short() -> None:
    streams, longest = Streams(), 0
    for number in range(500):
        streams.follow("start", f"run{number}", 0, "q")
        for call in range(50):
            streams.follow("tool_call_start", f"run{number}", call + 1, f"call{call}")
        state = streams.encode()
        longest = max(longest, len(state))
        streams = Streams.decode(state)
    assert longest < 10_000


def test_who_says_nothing_is_forgotten() -> None:
    def states(*first: tuple[str, str, int, str]) -> list[str]:
        state, found = "", []
        others = [("text", "b", seq, "") for seq in range(1, 400)]
        for kind, run, seq, name in [*first, ("start", "b", 0, "q"), *others]:
            streams = Streams.decode(state)
            streams.follow(kind, run, seq, name)
            streams.tick(kind, run, seq)
            state = streams.encode()
            found.append(state)
        return found

    with_other, alone = states(("start", "a", 0, "q")), states(("start", "b", 0, "p"))
    assert with_other[5] != alone[5]
    assert with_other[300:] == alone[300:]


@given(st.text(), st.text())
def test_short_names_are_different_where_names_are(one: str, other: str) -> None:
    assert (short_name(one) == short_name(other)) == (one == other)
    assert len(short_name(one * 50)) <= 64
