"""DLT007: arguments that are not a JSON object."""

import pytest

from tests.formats.msgjson.made_up import call_args, call_end, call_start, dump, start
from tests.rules.msgjson.marked import DELTAS, at, expect_no_lines
from tests.rules.support import expect, expect_follows

CODE = "DLT007"


def stream(*args: str) -> str:
    """A call whose arguments come in pieces, as they are written in the file."""
    lines = [dump(start()), dump(call_start(1))]
    for seq, written in enumerate(args, start=2):
        lines.append(dump(call_args(seq, "@@")).replace("@@", written))
    return "".join(lines)


END = dump(call_end(9))


@pytest.mark.parametrize(
    "marked",
    [
        stream("{«'»a': 1}") + END,
        stream(r"{\"a\": ", r"1, «b»: 2}") + END,
        stream(r"{\"é😀\": \"x«\n»\"}") + END,
        stream(r"{\"\\ud83d\\ude00\": «x»}") + END,
        stream("«[»1]") + END,
        stream("«3»") + END,
        stream(r"{\"a\": 1") + at(call_end(9), "c1"),
        stream("« »") + END,
    ],
)
def test_the_character_that_cannot_be_read_is_found(marked: str) -> None:
    expect(CODE, marked, path=DELTAS)


@pytest.mark.parametrize("args", [(), ("",), ("", "")])
def test_a_call_without_arguments_has_none_to_read(args: tuple[str, ...]) -> None:
    expect(CODE, stream(*args) + END, path=DELTAS)


def test_interleaved_calls_are_read_by_themselves() -> None:
    source = (
        dump(start(), call_start(1), call_start(2, "c2"), call_args(3, "{"))
        + dump(call_args(4, "@@", "c2")).replace("@@", "{«x»")
        + dump(call_args(5, "}"), call_end(6), call_end(7, "c2"))
    )
    expect(CODE, source, path=DELTAS)


def test_the_text_says_why() -> None:
    expect(
        CODE,
        stream("«[»]") + END,
        "the arguments of the tool call `c1` cannot be read: it is not a JSON object",
        path=DELTAS,
    )


def test_what_can_be_read_is_not_found() -> None:
    args = call_args(2, '{"a"'), call_args(3, ": 1}")
    expect_no_lines(CODE, start(), call_start(1), *args, call_end(4))
    expect_no_lines(CODE, start(), call_start(1), call_args(2, "{"))
    expect_no_lines(CODE, start(), call_args(2, "{"), call_end(3))


def test_it_follows_edits() -> None:
    source = dump(start(), call_start(1), call_args(2, "{"), call_args(3, "}"), call_end(4))
    counts = expect_follows(
        CODE,
        source,
        ('"{"', '"{x"'),
        ('"{x"', '"{ "'),
        (dump(call_args(3, "}")), ""),
        (dump(call_end(4)), ""),
        path=DELTAS,
    )
    assert counts == [0, 1, 0, 1, 0]
