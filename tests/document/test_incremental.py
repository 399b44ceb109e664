"""Any sequence of edits gives what a fresh parse of the final text gives."""

import os
import random
from collections.abc import Callable, Sequence
from contextlib import ExitStack

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from msgls.document.document import Document
from msgls.formats.base import Format, Piece
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD, MessageFile
from msgls.formats.msgmd.cells import parse_cell
from msgls.formats.msgmd.lexer import Lexed, lex
from msgls.formats.plain import PLAIN
from msgls.syntax.cells import Cell
from msgls.text.spans import Edit, Span
from tests.document.tracked import (
    JSON_FILES,
    MESSAGE_FILES,
    SIMPLE_TEXT_FILES,
    Tracked,
    Vocabulary,
    limits,
)
from tests.text.naive import ENCODINGS

VOCABULARIES = (MESSAGE_FILES, SIMPLE_TEXT_FILES, JSON_FILES)

# Somewhere in a text of any length: a fraction, and a step to either side of it.
_places = st.integers(0, 1_000)


def edits_of(vocabulary: Vocabulary) -> type[RuleBasedStateMachine]:
    """The state machine of the documents of one format."""
    words = st.lists(st.sampled_from(vocabulary.fragments), max_size=4)
    fragments = words.map("".join)
    documents = st.sampled_from(vocabulary.starts) | st.lists(
        st.sampled_from(vocabulary.fragments), max_size=25
    ).map("".join)

    class Edits(RuleBasedStateMachine):
        """A document that is edited in every way there is."""

        def __init__(self) -> None:
            super().__init__()
            self.stack = ExitStack()
            self.tracked = Tracked(vocabulary.paths[0], "")

        @initialize(path=st.sampled_from(vocabulary.paths), text=documents, small=st.booleans())
        def open(self, path: str, text: str, small: bool) -> None:
            if small:
                self.stack.enter_context(limits(piece=64, crumb=16, gap=1 << 8, recent=3))
            self.tracked = Tracked(path, text)
            self.tracked.keep()

        def _offset(self, place: int) -> int:
            return place * len(self.tracked.text) // 1_000

        @rule(place=_places, text=fragments)
        def insert(self, place: int, text: str) -> None:
            offset = self._offset(place)
            self.tracked.edit(offset, offset, text)

        @rule(place=_places, length=st.integers(0, 40))
        def delete(self, place: int, length: int) -> None:
            offset = self._offset(place)
            self.tracked.edit(offset, offset + length, "")

        @rule(place=_places, other=_places, text=fragments)
        def replace(self, place: int, other: int, text: str) -> None:
            self.tracked.edit(self._offset(place), self._offset(other), text)

        @rule(text=documents)
        def put(self, text: str) -> None:
            self.tracked.put(text)

        @rule(edits=st.lists(st.tuples(_places, st.integers(0, 9), fragments), max_size=5))
        def batch(self, edits: list[tuple[int, int, str]]) -> None:
            done = 0
            batch = []
            for place, length, text in sorted(edits):
                start = max(self._offset(place), done)
                done = min(start + length, len(self.tracked.text))
                batch.append((start, done, text))
            self.tracked.apply(batch)

        @rule(
            line=st.integers(-1, 30),
            units=st.integers(-1, 30),
            more=st.integers(0, 3),
            end=st.integers(0, 30),
            text=fragments,
            encoding=st.sampled_from(ENCODINGS),
        )
        def edit_at(
            self, line: int, units: int, more: int, end: int, text: str, encoding: str
        ) -> None:
            known = next(known for known in ENCODINGS if known == encoding)
            self.tracked.edit_at((line, units), (line + more, end), text, known)

        @rule()
        def keep(self) -> None:
            self.tracked.keep()

        @invariant()
        def equals_a_fresh_parse(self) -> None:
            self.tracked.check()

        def teardown(self) -> None:
            self.tracked.check_earlier()
            self.stack.close()

    return Edits


_settings = settings(stateful_step_count=12)
TestEdits = edits_of(MESSAGE_FILES).TestCase
TestEdits.settings = _settings
TestSimpleTextEdits = edits_of(SIMPLE_TEXT_FILES).TestCase
TestSimpleTextEdits.settings = _settings


# -- the same, longer and faster --------------------------------------------------------------


def _edit_at_random(tracked: Tracked, chance: random.Random, fragments: Sequence[str]) -> int:
    """One step, and how many edits it was."""
    length = len(tracked.text)
    text = "".join(chance.choices(fragments, k=chance.choice((0, 1, 1, 1, 2, 3))))
    start = chance.randint(0, length)
    match chance.randrange(8):
        case 0 | 1 | 2:
            tracked.edit(start, start, text)
        case 3 | 4:
            tracked.edit(start, start + chance.choice((1, 1, 5, 30, 200)), "")
        case 5:
            tracked.edit(start, start + chance.randrange(20), text)
        case 6:
            bounds = sorted(chance.choices(range(length + 1), k=4))
            batch = [(bounds[0], bounds[1], text), (bounds[2], bounds[3], "")]
            tracked.apply(batch)
            return 2
        case _:
            line = chance.randrange(-1, 20)
            first = (line, chance.randrange(-1, 20))
            last = (line + chance.randrange(3), chance.randrange(20))
            tracked.edit_at(first, last, text, chance.choice(ENCODINGS))
    return 1


def _run(seed: int, edits: int, vocabulary: Vocabulary) -> None:
    """Documents of up to a hundred edits, until there were so many."""
    chance = random.Random(seed)
    while edits > 0:
        path = chance.choice(vocabulary.paths)
        text = "".join(chance.choices(vocabulary.fragments, k=chance.randrange(40)))
        with ExitStack() as stack:
            if chance.random() < 0.6:
                piece = chance.choice((8, 64, 200))
                gap = chance.choice((8, 1 << 20))
                stack.enter_context(limits(piece=piece, crumb=piece // 4, gap=gap, recent=3))
            tracked = Tracked(path, chance.choice((text, *vocabulary.starts)))
            tracked.keep()
            for number in range(chance.randrange(20, 100)):
                edits -= _edit_at_random(tracked, chance, vocabulary.fragments)
                if len(tracked.text) > 2_500:
                    tracked.edit(400, len(tracked.text) - 400, "")
                tracked.check()
                if number % 16 == 0:
                    tracked.keep()
            tracked.check_earlier()


@pytest.mark.fuzz
@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda vocabulary: vocabulary.paths[0])
def test_a_hundred_thousand_edits(number: int, vocabulary: Vocabulary) -> None:
    """``FUZZ_SEED`` runs the seed that a failure names again."""
    given = os.environ.get("FUZZ_SEED")
    seed = int(given) if given else random.randrange(2**32)
    try:
        _run(seed, 10_000, vocabulary)
    except Exception as error:
        raise AssertionError(f"FUZZ_SEED={seed}") from error


@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda vocabulary: vocabulary.paths[0])
def test_edits_by_the_hundred(vocabulary: Vocabulary) -> None:
    """A short run of the long test, the same each time."""
    _run(0, 200, vocabulary)


# -- one thing at a time ------------------------------------------------------------------------


def _cells(count: int, lines: int = 3) -> str:
    return "".join(
        f"# %% title [^m{number}]\n[^m{number}]: [markdown]\n" + f"line of {number}\n" * lines
        for number in range(count)
    )


@pytest.mark.parametrize("backward", [False, True], ids=["forward", "backward"])
def test_five_hundred_cells_at_one_place(backward: bool) -> None:
    """Labels run out between two neighbours; nobody notices but for the change being whole."""
    tracked = Tracked("a.msg.md", _cells(3))
    offset = tracked.text.index("# %% title [^m1]")
    relabelled = 0
    for number in range(500):
        text = f"# %% [^n{number}]\n"
        tracked.edit(offset, offset, text)
        offset += 0 if backward else len(text)
        relabelled += tracked.document.change.whole
        if number % 200 == 0:
            tracked.check()
    tracked.check()
    assert tracked.document.cell_count == 503
    # Halving runs out of labels now and then, and each time that all of them are given again
    # it lasts for dozens of cells.
    assert relabelled == 0 if not backward else 1 <= relabelled <= 25


class _Counted(MessageFile):
    """A message file that remembers what it was asked to read and to parse."""

    def __init__(self) -> None:
        self.read_texts: list[str] = []
        self.parsed: list[str | None] = []

    def forget(self) -> None:
        self.read_texts.clear()
        self.parsed.clear()

    def read(self, text: str) -> Piece:
        self.read_texts.append(text)
        return lex(text)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        cell = parse_cell([(p, entry) for p, entry in parts if isinstance(p, Lexed)], False)
        self.parsed.append(cell.id)
        return cell


def _counted(text: str) -> tuple[Document, _Counted]:
    format = _Counted()
    document = Document.open("a.msg.md", text, format)
    assert format.parsed
    format.forget()
    return document, format


@pytest.mark.parametrize("typed", ["x", "\n", "[^m3]", "😀", "`", "# ", ""])
def test_typing_in_a_cell_reads_and_parses_no_other(typed: str) -> None:
    text = _cells(1_000)
    document, format = _counted(text)
    offset = text.index("of 500\n")
    edited = document.edit(Span(offset, offset + (not typed)), typed)
    assert len(format.read_texts) == 1
    assert format.parsed == ["m500"]
    assert [edited.cell(label).cell.id for label in edited.change.added] == ["m500"]


def test_typing_in_a_cell_of_many_pieces_reads_one_of_them() -> None:
    text = "# %% [^m0]\n" + "some words on a line\n" * 20_000 + _cells(10)
    document, format = _counted(text)
    document.edit(Span(200_000, 200_000), "x")
    assert format.parsed == ["m0"]
    assert all("x" in text for text in format.read_texts)
    assert sum(map(len, format.read_texts)) < 100_000


def test_a_fence_at_the_top_reads_no_text_again() -> None:
    text = _cells(1_000)
    document, format = _counted(text)
    offset = text.index("line of 0\n")
    opened = document.edit(Span(offset, offset), "```\n")
    assert opened.cell_count == 1
    (touched,) = set(format.read_texts)
    assert touched.startswith("# %% title [^m0]")
    assert len(touched) < 100
    format.forget()
    closed = opened.edit(Span(offset, offset + 4), "")
    assert closed.cell_count == 1_000
    assert len(set(format.read_texts)) == 1
    assert sum(map(len, format.read_texts)) < 500
    assert [cell.cell.text for cell in closed.cells()] == [
        cell.cell.text for cell in document.cells()
    ]


def _piece_sizes(document: Document) -> list[int]:
    return [len(chunk.text) for chunk in document.store.tree]


def _from_the_top(chance: random.Random, line: int, count: int) -> int:
    return 1


def _from_the_end(chance: random.Random, line: int, count: int) -> int:
    return count - 2


def _anywhere(chance: random.Random, line: int, count: int) -> int:
    return chance.randrange(1, count - 1)


def _thinning(chance: random.Random, line: int, count: int) -> int:
    """All but every tenth line, from the end upward."""
    return count - 2 - line // 9


@pytest.mark.parametrize("pick", [_from_the_top, _from_the_end, _anywhere, _thinning])
def test_deleting_line_by_line_leaves_no_crumbs(
    pick: Callable[[random.Random, int, int], int],
) -> None:
    chance = random.Random(0)
    line = "x" * 99 + "\n"
    with limits(piece=2_048, crumb=512):
        document = Document.open("a.msg.md", "# %% [^m1]\n" + line * 400)
        assert len(_piece_sizes(document)) > 10
        for deleted in range(340):
            at = pick(chance, deleted, document.store.line_count)
            start = document.store.line_span(at).start
            document = document.edit(Span(start, start + len(line)), "")
            # Of two neighbours one is not a crumb, or else they had joined.
            assert len(_piece_sizes(document)) <= 3 + 2 * len(document.store) // 512
    assert document.text == "# %% [^m1]\n" + line * 60


@pytest.mark.parametrize("upward", [False, True], ids=["downward", "upward"])
def test_what_is_left_of_many_pieces_joins(upward: bool) -> None:
    """Of each piece one line stays; alone it would be a piece forever."""
    line = "x" * 19 + "\n"
    head = "# %% [^m1]\n"
    with limits(piece=2_048, crumb=512):
        document = Document.open("a.msg.md", head + line * 10_000)
        sizes = _piece_sizes(document)
        assert len(sizes) > 90
        for number in range(len(sizes) - 1, 0, -1) if upward else range(1, len(sizes)):
            start = sum(sizes[:number]) if upward else sizes[0] + len(line) * (number - 1)
            goes = sizes[number] - len(line)
            while goes:
                step = min(goes, 11 * len(line))
                document = document.edit(Span(start, start + step), "")
                goes -= step
        assert len(document.text) == sizes[0] + len(line) * (len(sizes) - 1)
        assert len(_piece_sizes(document)) <= 10


@pytest.mark.parametrize("at_line", [1, 900])
def test_typing_line_by_line_leaves_no_crumbs(at_line: int) -> None:
    """Each line makes a full piece too long."""
    line = "x" * 99 + "\n"
    document = Document.open("a.msg.md", "# %% [^m1]\n" + line * 1_000)
    start = document.store.line_span(at_line).start
    for _ in range(1_000):
        document = document.edit(Span(start, start), line)
    assert len(_piece_sizes(document)) <= 3 + 2 * len(document.store) // 8_192


def test_a_batch_says_what_all_of_its_edits_changed() -> None:
    document = Document.open("a.msg.md", _cells(5))
    first, last = document.text.index("of 1"), document.text.index("of 3")
    edited = document.apply([Edit(Span(last, last), "[^b]"), Edit(Span(first, first), "[^a]")], 7)
    assert edited.version == 7
    changed = [edited.cell(label).cell.id for label in edited.change.added]
    assert changed == ["m1", "m3"]
    assert edited.change.facts == {("reference", "a"), ("reference", "b")}


def test_a_batch_of_nothing_changes_nothing() -> None:
    document = Document.open("a.msg.md", _cells(2), version=1)
    same = document.apply([], 2)
    assert (same.version, same.text) == (2, document.text)
    assert not same.change.whole
    assert not same.change.added
    assert not same.change.removed


def _is(document: Document, format: Format) -> bool:
    return document.format is format


def test_a_batch_that_changes_the_format_is_wholly_new() -> None:
    tracked = Tracked("notes.md", "---\nx: 1\n---\n# Talk\n# %% [^m1]\n")
    assert _is(tracked.document, PLAIN)
    tracked.apply([(4, 5, "message_section"), (20, 20, "\n")])
    assert _is(tracked.document, SECTIONED_MSGMD)
    assert tracked.document.change.whole
    tracked.check()


def test_an_edit_can_change_the_format_back_and_forth() -> None:
    tracked = Tracked("notes.md", "# Talk\n# %% [^m1]\nx\n")
    assert _is(tracked.document, PLAIN)
    tracked.edit(0, 0, "---\nmessage_section: Talk\n---\n")
    assert _is(tracked.document, SECTIONED_MSGMD)
    tracked.check()
    tracked.edit(0, 1, "")
    assert _is(tracked.document, PLAIN)
    tracked.check()


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("x\n\ufeff# %% [^m7]\n", ["m7"]),
        ("x\n\ufeff# %% [^m7]\ny [^z]\n", ["m7", "z"]),
        ("---\n[^m1]: [gpt]\n[^z]\n", []),
        ("---\n[^m1]: [gpt]\n---\n[^z]\n", ["z"]),
        ("[^x:] y\n", ["x:"]),
        ("[^x:] y\nmore [^z]\n", ["x:", "z"]),
        ("a\n\ufeff[^m1]: [gpt]\n[^z]\n", ["m1", "z"]),
        ("- ```\n  [^x]\n[^z]\n", ["z"]),
    ],
)
def test_a_cell_is_the_same_however_it_is_cut(text: str, references: list[str]) -> None:
    """What a piece holds besides must not decide what is found in it."""
    for piece in (1, 8, 16, 1_000):
        with limits(piece=piece, crumb=1):
            tracked = Tracked("a.msg.md", text)
            (placed,) = tracked.document.cells()
        assert [reference.text for reference in placed.cell.references] == references


def test_a_format_that_was_given_stays() -> None:
    """An unsaved buffer has no name to tell its format by."""
    document = Document.open("Untitled-1", _cells(2), MSGMD)
    for edited in (
        document.edit(Span(0, 0), "\n"),
        document.apply([Edit(Span(0, 0), "x\n")]),
        document.with_text("# %% [^m1]\n"),
    ):
        assert edited.format is MSGMD
        assert edited.cell_count > 1 or edited.text == "# %% [^m1]\n"
        assert edited.edit(Span(0, 0), "y").format is MSGMD


def test_positions_out_of_range_and_turned_around() -> None:
    tracked = Tracked("a.msg.md", "# %% [^m1]\nabc\n")
    tracked.edit(99, -5, "x")
    assert tracked.document.text == "x"
    tracked.edit(5, 5, "y")
    assert tracked.document.text == "xy"
    tracked.check()
