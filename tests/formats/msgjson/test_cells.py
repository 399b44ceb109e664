"""Where cells of JSON begin and end, what they say, and what a keystroke reads again."""

import json
from collections.abc import Sequence
from typing import get_args

import pytest

from msgls.conversation.messages import PARTS_ALLOWED, PartKind
from msgls.document.document import Document
from msgls.formats.msgjson import DELTAS_JSONL, MESSAGES_JSON, MSGJSON, SESSION_JSONL
from msgls.formats.msgjson.cells import JsonCell
from msgls.formats.msgjson.pieces import Frame, split_lines
from msgls.formats.msgjson.records import Shape, is_iso_time, odd_parts, read_record, shape_of
from msgls.formats.registry import detect, format_of_language
from msgls.text.spans import Span
from tests.formats.msgjson.made_up import (
    call,
    delta,
    done,
    dump,
    entry,
    message,
    result,
    said,
    start,
    text,
)


def cells(path: str, source: str) -> list[JsonCell]:
    found = []
    for placed in Document.open(path, source).cells():
        assert isinstance(placed.cell, JsonCell)
        found.append(placed.cell)
    return found


def segments(path: str, source: str) -> list[list[str]]:
    """The values of each cell."""
    return [[s.span.of(cell.text) for s in cell.segments] for cell in cells(path, source)]


# -- names ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["a.messages.json", "A.MESSAGES.JSONL", "x/run.deltas.jsonl", "a.session.jsonl"]
)
def test_a_file_is_recognised_by_its_name(name: str) -> None:
    assert detect(name, "") in MSGJSON
    assert detect(name, "").is_certain(name)


@pytest.mark.parametrize("name", ["messages.json", "a.json", "a.jsonl", "a.deltas.json", "a.md"])
def test_other_json_is_none_of_our_business(name: str) -> None:
    assert detect(name, dump(start())) not in MSGJSON


def test_language_and_name() -> None:
    assert format_of_language("msgjson") is MESSAGES_JSON


# -- lines ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "pieces"),
    [
        ("", []),
        ("{}", ["{}"]),
        ("{}\n{}\n", ["{}\n", "{}\n"]),
        ("{}\r\n{}\r{}\n", ["{}\r\n", "{}\r", "{}\n"]),
        ("\n \n{}\n\n\t\n[]\n", ["\n \n", "{}\n\n\t\n", "[]\n"]),
        ("\ufeff{}\n", ["\ufeff{}\n"]),
        # Nothing else ends a line.
        ("1\u20282\x853\f4\v5\n6", ["1\u20282\x853\f4\v5\n", "6"]),
    ],
)
def test_a_line_is_a_piece_with_the_blank_ones_after_it(source: str, pieces: list[str]) -> None:
    found = split_lines(source)
    assert "".join(found) == source
    # Blank lines before the first one may stand by themselves.
    assert [piece for piece in found if piece] == pieces or found[1:] == pieces[1:]


def test_a_cell_is_a_line() -> None:
    source = "\n" + dump(start(), text(1)) + "  {broken\n\n" + dump(done(2))
    found = segments("a.deltas.jsonl", source)
    assert found[0] == []
    assert [len(values) for values in found[1:]] == [1, 1, 1, 1]
    assert found[3] == ["{broken"]
    assert cells("a.deltas.jsonl", source)[3].segments[0].record is None


def test_the_state_is_that_of_the_streams() -> None:
    state = DELTAS_JSONL.start
    states = []
    for wire in (start(), text(1), message("user", said("x")), text(2), done(3)):
        piece = DELTAS_JSONL.read(dump(wire))
        state = piece.exit(state)
        states.append(state)
    assert states[1] == states[2]
    assert len(set(states)) == 4
    assert DELTAS_JSONL.read("\n").exit(states[0]) == states[0]


def test_an_edit_of_seq_is_forgotten_one_line_later() -> None:
    lines = [start(), text(1), text(2), text(3), done(4)]
    other = [start(), text(0), text(2), text(3), done(4)]

    def states(wires: Sequence[object]) -> list[str]:
        state, found = DELTAS_JSONL.start, []
        for wire in wires:
            state = DELTAS_JSONL.read(dump(wire)).exit(state)
            found.append(state)
        return found

    before, after = states(lines), states(other)
    assert before[1] != after[1]
    assert before[2:] == after[2:]


# -- arrays ---------------------------------------------------------------------------------

MESSAGES = [message("user", said("Hi [1], {2}")), message("assistant", said('"]}'), call())]


@pytest.mark.parametrize("indent", [2, 4, "\t", 3])
def test_an_element_of_an_indented_array_is_a_cell(indent: int | str) -> None:
    source = json.dumps([*MESSAGES, *MESSAGES], indent=indent)
    found = segments("a.messages.json", source)
    assert [len(values) for values in found] == [0, 1, 1, 1, 1]
    assert [json.loads(values[0]) for values in found[1:]] == [*MESSAGES, *MESSAGES]


@pytest.mark.parametrize("indent", [None, 0, 1])
def test_other_layouts_have_the_same_elements(indent: int | None) -> None:
    source = json.dumps([*MESSAGES, *MESSAGES], indent=indent)
    found = [value for values in segments("a.messages.json", source) for value in values]
    assert [json.loads(value) for value in found] == [*MESSAGES, *MESSAGES]


def test_a_file_of_one_line_is_one_cell() -> None:
    assert len(cells("a.messages.json", json.dumps(MESSAGES))) == 1


def test_one_object_is_one_cell() -> None:
    source = json.dumps(MESSAGES[1], indent=2)
    found = segments("a.messages.json", source)
    assert found == [[source]]


def test_braces_on_the_line_of_the_element_before() -> None:
    source = "[{\n" + json.dumps(MESSAGES[0])[1:-1] + "\n}, {\n" + json.dumps(MESSAGES[1])[1:-1]
    found = [value for values in segments("a.messages.json", source + "\n}]") for value in values]
    assert [json.loads(value) for value in found] == MESSAGES


def test_an_element_that_is_not_closed_does_not_swallow_the_next() -> None:
    source = json.dumps([*MESSAGES, *MESSAGES], indent=2)
    broken = source.replace('"role": "user",', '"role": "user", "x": {', 1)
    found = cells("a.messages.json", broken)
    assert len(found) == 5
    assert [cell.segments[0].record is None for cell in found[1:]] == [True, False, False, False]
    closed = source.replace("    ]", "    ]}", 1)
    found = cells("a.messages.json", closed)
    assert len(found) == 5
    assert found[1].syntax_errors() != []
    assert [cell.syntax_errors() for cell in found[2:4]] == [[], []]


@pytest.mark.parametrize("state", ["^", "", "0v0-", "1e0-", "1,2t", "0e12-", "1v3" + "4"])
def test_a_frame_is_a_state(state: str) -> None:
    frame = Frame.decode(state)
    assert Frame.decode(frame.encode()) == frame


# -- what a value is ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (message("user"), Shape.MESSAGE),
        ({"parts": []}, Shape.MESSAGE),
        (start(), Shape.DELTA),
        ({"seq": 1}, Shape.DELTA),
        (entry("message", {}), Shape.ENTRY),
        ({}, Shape.UNKNOWN),
        (3, Shape.UNKNOWN),
    ],
)
def test_what_a_value_is_meant_to_be(value: object, shape: Shape) -> None:
    assert shape_of(value) is shape


def test_entries_are_unwrapped() -> None:
    batch = [start(), text(1)]
    for payload in (batch, {"deltas": batch}):
        record = read_record(entry("message_delta_batch", payload))
        assert [step.kind for step in record.steps] == ["start", "text"]
        assert [item.shape for item in record.items] == [Shape.ENTRY, Shape.DELTA, Shape.DELTA]
    record = read_record(entry("message", message("tool", result("c7"))))
    assert [item.shape for item in record.items] == [Shape.ENTRY, Shape.MESSAGE]
    assert [mention.call for mention in record.mentions] == ["c7"]


@pytest.mark.parametrize("kind", ["compaction", "model_change", ""])
def test_other_entries_are_passed_over(kind: str) -> None:
    record = read_record(entry(kind, {"anything": [start()]}))
    assert [item.shape for item in record.items] == [Shape.ENTRY]
    assert record.steps == ()


@pytest.mark.parametrize(
    "time",
    [
        "2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.123456+05:30",
        "2026-01-02T03:04:05,1-0800",
        "2026-01-02 03:04",
        "20260102T030405Z",
        "2026-12-31T23:59:60Z",
    ],
)
def test_times_as_iso_writes_them(time: str) -> None:
    assert is_iso_time(time)


@pytest.mark.parametrize(
    "time", ["", "now", "2026-13-01T00:00:00Z", "2026-01-02", "1767322245", "03:04", "2026-1-2T3:4"]
)
def test_other_times(time: str) -> None:
    assert not is_iso_time(time)


# -- positions ------------------------------------------------------------------------------


def test_a_path_leads_to_a_span_of_the_cell() -> None:
    source = "\ufeff  " + json.dumps(delta(1, "text", textDelta="é😀"), ensure_ascii=False) + "\r\n"
    (cell,) = cells("a.deltas.jsonl", source)
    assert cell.span_of(0, ("payload", "textDelta")).of(cell.text) == '"é😀"'
    assert cell.span_of(0, ("payload", "missing")).of(cell.text) == "{"


def test_typing_in_a_line_reads_its_block_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [start(), *[text(seq) for seq in range(1, 2_000)], done(2_000)]
    document = Document.open("a.deltas.jsonl", dump(*lines))
    most = max(len(chunk.labels) for chunk in document.store.tree)
    assert most < 60
    read: list[object] = []
    from msgls.formats.msgjson import pieces, records

    def counted(value: object, default: Shape, in_session: bool) -> object:
        read.append(value)
        return original(value, default, in_session)

    original = records.read_record
    monkeypatch.setattr(pieces, "read_record", counted)
    offset = document.text.index('"x"', document.text.index('"seq": 100')) + 1
    after = document.edit(Span(offset, offset), "y")
    # The lines as they were, for their facts, and the one that was typed in.
    assert len(read) <= most + 1
    assert len(after.change.added) == 1
    assert after.change.facts == frozenset()
    read.clear()
    again = after.edit(Span(offset, offset), "y")
    assert len(read) == 1
    assert len(again.change.added) == 1
    assert again.change.removed == frozenset(again.change.added)


def test_typing_in_an_element_reads_that_element_alone() -> None:
    wires = [message("user", said(f"text {number}")) for number in range(200)]
    document = Document.open("a.messages.json", json.dumps(wires, indent=2))
    offset = document.text.index("text 100")
    after = document.edit(Span(offset, offset), "more ")
    assert len(after.change.added) == 1
    assert after.change.facts == frozenset()


def test_a_session_knows_that_it_is_one() -> None:
    bare = dump(message("tool", result("c1")))
    (cell,) = [p.cell for p in Document.open("a.session.jsonl", bare, SESSION_JSONL).cells()]
    assert isinstance(cell, JsonCell)
    record = cell.segments[0].record
    assert record is not None
    assert [mention.kind.value for mention in record.mentions] == ["loose-result"]


def test_the_table_of_parts_is_that_of_the_model() -> None:
    for role, allowed in PARTS_ALLOWED.items():
        for kind in get_args(PartKind):
            wire = message(role, {"kind": kind, "payload": {}})
            assert (not list(odd_parts(wire))) == (kind in allowed)
