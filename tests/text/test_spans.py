import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.text.spans import Edit, OverlappingEdits, Span, apply_edits, sorted_edits


def _edit(start: int, end: int, text: str = "") -> Edit:
    return Edit(Span(start, end), text)


def test_a_span_shifts_and_cuts() -> None:
    span = Span(2, 4)
    assert span.shift(3) == Span(5, 7)
    assert span.shift(-2) == Span(0, 2)
    assert span.of("abcdef") == "cd"


@pytest.mark.parametrize(
    ("offset", "inside"), [(1, False), (2, True), (3, True), (4, True), (5, False)]
)
def test_a_cursor_at_either_end_is_inside(offset: int, inside: bool) -> None:
    assert Span(2, 4).contains(offset) is inside


@pytest.mark.parametrize(
    ("other", "covered"),
    [
        (Span(2, 4), True),
        (Span(3, 3), True),
        (Span(4, 4), True),
        (Span(1, 3), False),
        (Span(3, 5), False),
        (Span(5, 6), False),
    ],
)
def test_a_span_covers_what_lies_in_it(other: Span, covered: bool) -> None:
    assert Span(2, 4).covers(other) is covered


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], "abcdef"),
        ([_edit(0, 0, "x")], "xabcdef"),
        ([_edit(6, 6, "x")], "abcdefx"),
        ([_edit(0, 6)], ""),
        ([_edit(1, 3, "X"), _edit(3, 5, "Y")], "aXYf"),
        ([_edit(3, 5, "Y"), _edit(1, 3, "X")], "aXYf"),
        ([_edit(2, 2, "x"), _edit(2, 2, "y")], "abxycdef"),
        ([_edit(2, 4, "Z"), _edit(2, 2, "x")], "abxZef"),
        ([_edit(2, 4, "Z"), _edit(4, 4, "x")], "abZxef"),
    ],
)
def test_all_edits_are_relative_to_the_same_text(edits: list[Edit], expected: str) -> None:
    assert apply_edits("abcdef", edits) == expected


@pytest.mark.parametrize(
    "edits",
    [
        [_edit(0, 2), _edit(1, 3)],
        [_edit(1, 3), _edit(0, 2)],
        [_edit(0, 4), _edit(2, 2, "x")],
        [_edit(0, 2), _edit(0, 2)],
        [_edit(0, 9), _edit(1, 2), _edit(5, 6)],
        [_edit(0, 1), _edit(4, 9), _edit(2, 5)],
    ],
)
def test_edits_of_the_same_characters_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(OverlappingEdits):
        sorted_edits(edits)
    with pytest.raises(OverlappingEdits):
        apply_edits("0123456789", edits)


def test_sorting_takes_any_iterable_and_changes_none() -> None:
    edits = [_edit(4, 5), _edit(1, 1, "b"), _edit(1, 1, "a")]
    assert sorted_edits(iter(edits)) == [edits[1], edits[2], edits[0]]
    assert edits[0] == _edit(4, 5)


@st.composite
def _batches(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """A text, and edits of it that do not overlap, in any order."""
    text = draw(st.text(max_size=20))
    bounds = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    # At most one at each place: the order of more is another matter.
    pairs = {pair for pair in zip(bounds[::2], bounds[1::2], strict=False) if pair[0] < pair[1]}
    edits = [_edit(start, end, draw(st.text(max_size=3))) for start, end in pairs]
    return text, draw(st.permutations(edits))


@given(_batches())
def test_a_batch_is_its_edits_one_by_one_from_the_end(batch: tuple[str, list[Edit]]) -> None:
    text, edits = batch
    expected = list(text)
    for edit in sorted(edits, key=lambda edit: -edit.span.start):
        expected[edit.span.start : edit.span.end] = edit.text
    assert apply_edits(text, edits) == "".join(expected)


_small = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted).map(lambda pair: Span(*pair))


@given(st.lists(_small, max_size=5))
def test_refused_is_exactly_what_overlaps(spans: list[Span]) -> None:
    """Two share a character, or one is a place inside the other."""

    def clash(a: Span, b: Span) -> bool:
        if a.start == a.end or b.start == b.end:
            place, other = (a, b) if a.start == a.end else (b, a)
            return other.start < place.start < other.end
        return bool(set(range(*a)) & set(range(*b)))

    clashes = any(clash(a, b) for n, a in enumerate(spans) for b in spans[:n])
    edits = [Edit(span, "x") for span in spans]
    if clashes:
        with pytest.raises(OverlappingEdits):
            sorted_edits(edits)
    else:
        assert sorted(sorted_edits(edits)) == sorted(edits)
