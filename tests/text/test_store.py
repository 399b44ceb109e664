import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.text.lines import Encoding, Position
from msgls.text.spans import Span
from msgls.text.store import Store
from tests.text.naive import (
    BREAKS,
    ENCODINGS,
    naive_lines,
    naive_offset,
    naive_position,
    spans,
    texts,
)


class NaiveChunk:
    """A run of lines, measured again at each question."""

    label = 0

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"NaiveChunk({self.text!r})"

    @property
    def measure(self) -> tuple[int, ...]:
        return (1, len(self.text), len(naive_lines(self.text)) - 1, 1)

    @property
    def line_starts(self) -> list[int]:
        return [line.start for line in naive_lines(self.text)]


Cut = Callable[[], int]


def _chunks(text: str, lines_each: Cut = lambda: 1) -> list[NaiveChunk]:
    chunks = []
    lines = [text[line.start :][: len(line.content + line.ending)] for line in naive_lines(text)]
    while lines:
        count = lines_each()
        piece, lines = "".join(lines[:count]), lines[count:]
        if piece:
            chunks.append(NaiveChunk(piece))
    return chunks


def _edited(
    store: Store[NaiveChunk], span: Span, replacement: str, lines_each: Cut = lambda: 1
) -> Store[NaiveChunk]:
    touch = store.touch(span, replacement)
    old = list(store.tree)
    if touch.chunk is not None:
        assert [touch.chunk] == old[touch.first : touch.last]
    return store.replace(touch.first, touch.last, _chunks(touch.text, lines_each))


def _assert_whole_lines(store: Store[NaiveChunk]) -> None:
    pieces = [chunk.text for chunk in store.tree]
    assert all(pieces)
    for before, after in pairwise(pieces):
        assert before.endswith(("\n", "\r"))
        assert not (before.endswith("\r") and after.startswith("\n"))


def test_an_empty_store_has_one_empty_line() -> None:
    store: Store[NaiveChunk] = Store()
    assert (len(store), store.line_count, store.text) == (0, 1, "")
    assert store.slice(Span(0, 5)) == ""
    assert store.line_text(0) == ""
    assert store.line_span(0) == Span(0, 0)
    assert store.offset_of(Position(3, 4), "utf-16") == 0
    assert store.position_of(7, "utf-16") == Position(0, 0)
    assert _edited(store, Span(0, 0), "a\nb").text == "a\nb"


@given(texts())
def test_text_lines_and_slices(text: str) -> None:
    store = Store(_chunks(text))
    assert (store.text, len(store)) == (text, len(text))
    expected = naive_lines(text)
    assert store.line_count == len(expected)
    for number, line in enumerate(expected):
        assert store.line_text(number) == line.content
        assert store.line_span(number) == Span(line.start, line.start + len(line.content))
    contents = [line.content for line in expected]
    assert list(store.lines(0, len(expected) + 3)) == contents
    assert list(store.lines(1, 3)) == contents[1:3]
    for number in (-1, len(expected), len(expected) + 1):
        assert store.line_text(number) == ""
    for start, end in list(spans(len(text)))[::7]:
        assert store.slice(Span(start, end)) == text[start:end]
    assert store.slice(Span(0, len(text) + 9)) == text
    assert store.slice(Span(3, 2)) == ""


POSITIONS = [
    # text, line, units, and the offset in UTF-8, UTF-16, UTF-32
    ("ab\ncd", 0, 1, (1, 1, 1)),
    ("ab\ncd", 0, 9, (2, 2, 2)),
    ("ab\r\ncd", 0, 3, (2, 2, 2)),
    ("ab\rcd", 0, 3, (2, 2, 2)),
    ("ab\ncd", 1, 9, (5, 5, 5)),
    ("ab\ncd\n", 2, 9, (6, 6, 6)),
    ("ab\ncd", 2, 0, (5, 5, 5)),
    ("ab\ncd", 9, 1, (5, 5, 5)),
    ("ab\ncd", -1, 1, (0, 0, 0)),
    ("ab\ncd", 1, -1, (3, 3, 3)),
    ("ab\ncd", -1, -1, (0, 0, 0)),
    ("😀a\n", 0, 1, (0, 0, 1)),
    ("😀a\n", 0, 2, (0, 1, 2)),
    ("😀a\n", 0, 4, (1, 2, 2)),
    ("é\n😀", 1, 3, (2, 3, 3)),
    ("a\u2028b\nc", 0, 2, (1, 2, 2)),
    ("a\u2028b\nc", 1, 1, (5, 5, 5)),
]


@pytest.mark.parametrize(("text", "line", "units", "offsets"), POSITIONS)
def test_positions_are_clamped_as_the_protocol_says(
    text: str, line: int, units: int, offsets: Sequence[int]
) -> None:
    store = Store(_chunks(text))
    found = [store.offset_of(Position(line, units), encoding) for encoding in ENCODINGS]
    assert found == list(offsets)


@given(texts(), st.sampled_from(ENCODINGS), st.integers(1, 3))
def test_positions_are_those_of_the_naive_reading(
    text: str, encoding: Encoding, lines_each: int
) -> None:
    store = Store(_chunks(text, lambda: lines_each))
    for offset in range(-2, len(text) + 3):
        position = store.position_of(offset, encoding)
        assert tuple(position) == naive_position(text, offset, encoding)
        inside = min(max(offset, 0), len(text))
        torn = text[max(inside - 1, 0) : inside + 1] == "\r\n"
        assert store.offset_of(position, encoding) == (inside - 1 if torn else inside)
    for line, content in enumerate(naive_lines(text)):
        for units in range(-1, 4 * len(content.content) + 2):
            expected = naive_offset(text, line, units, encoding)
            assert store.offset_of(Position(line, units), encoding) == expected


_edits = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60), texts(4) | st.sampled_from(BREAKS)),
    max_size=8,
)


@given(texts(), _edits, st.integers(0, 2**32))
def test_edits_are_those_of_a_string(
    text: str, edits: list[tuple[int, int, str]], seed: int
) -> None:
    chance = random.Random(seed)

    def lines_each() -> int:
        return chance.randint(1, 3)

    store = Store(_chunks(text, lines_each))
    for start, end, replacement in edits:
        span = Span(*sorted((min(start, len(text)), min(end, len(text)))))
        before, kept = store, text
        store = _edited(store, span, replacement, lines_each)
        text = text[: span.start] + replacement + text[span.end :]
        assert store.text == text
        assert (len(store), store.line_count) == (len(text), len(naive_lines(text)))
        _assert_whole_lines(store)
        # Joined again: what was remembered must not be all that is left of it.
        assert "".join(chunk.text for chunk in before.tree) == kept


TORN = ["a\r\nb", "a\r\n\r\nb", "\r\n", "a\rb\nc", "\r\r\n\n", "a\r\n"]


@pytest.mark.parametrize("text", TORN)
@pytest.mark.parametrize("replacement", ["", "\r", "\n", "\r\n", "x", "x\r", "\nx"])
def test_no_edit_tears_a_line_break(text: str, replacement: str) -> None:
    for start, end in spans(len(text)):
        store = _edited(Store(_chunks(text)), Span(start, end), replacement)
        assert store.text == text[:start] + replacement + text[end:]
        _assert_whole_lines(store)


def test_an_edit_inside_a_line_touches_its_chunk_alone() -> None:
    store = Store(_chunks("aa\nbb\ncc\n"))
    for span in (Span(3, 3), Span(3, 4), Span(4, 5), Span(5, 5)):
        touch = store.touch(span, "x")
        assert (touch.first, touch.last) == (1, 2)
        assert touch.chunk is store.tree[1]


def test_a_line_that_loses_its_break_takes_the_next_chunk_in() -> None:
    store = Store(_chunks("aa\nbb\ncc\n"))
    touch = store.touch(Span(5, 6), "")
    assert (touch.first, touch.last, touch.text, touch.chunk) == (1, 3, "bbcc\n", None)


def test_a_chunk_that_is_gone_lets_its_neighbours_meet() -> None:
    store = Store(_chunks("aa\r" + "bb\n" + "\n"))
    assert [chunk.text for chunk in store.tree] == ["aa\r", "bb\n", "\n"]
    touch = store.touch(Span(3, 6), "")
    assert (touch.first, touch.last, touch.text) == (0, 3, "aa\r\n")


def test_appending_touches_the_last_chunk() -> None:
    store = Store(_chunks("aa\nbb"))
    touch = store.touch(Span(5, 5), "\ncc")
    assert (touch.first, touch.last, touch.text) == (1, 2, "bb\ncc")
