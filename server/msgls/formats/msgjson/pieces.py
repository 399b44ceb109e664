"""Pieces of JSON text: how they are cut, and the state that each leaves the next one in.

Owns two ways. *Lines*: every line that is not blank is a piece and a cell, and the state
is that of the streams. *Arrays*: a piece begins where an element may begin, and the state
is how deep in brackets it stands. Both follow from each line alone, as pieces must.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgls.formats.msgjson.cells import Framing, JsonCell, Mark, Segment
from msgls.formats.msgjson.frames import CUT, START, Frame, entered, walk
from msgls.formats.msgjson.records import Record, Shape, Step, read_record
from msgls.formats.msgjson.shapes import TERMINAL_KINDS
from msgls.formats.msgjson.streams import Fault, Streams, short_name
from msgls.formats.strictjson import strict_loads
from msgls.text.lines import has_lone_carriage_return, line_starts
from msgls.text.spans import Span

_BLANKS = " \t\r\n\ufeff"
_new_tuple = tuple.__new__


def read_value(text: str, default: Shape, in_session: bool) -> Record | None:
    """What a text that is one JSON value says; nothing where it is none."""
    try:
        value = strict_loads(text)
    except (ValueError, RecursionError):
        return None
    return read_record(value, default, in_session)


# -- lines ----------------------------------------------------------------------------------


def split_lines(text: str) -> list[str]:
    """Before every line that is not blank; blank lines go with the one before them."""
    if has_lone_carriage_return(text):
        starts = line_starts(text)
        lines = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    else:
        lines = [line + "\n" for line in text.split("\n")]
        lines[-1] = lines[-1][:-1]
    pieces: list[list[str]] = []
    for line in lines:
        if pieces and not line.strip(_BLANKS):
            pieces[-1].append(line)
        elif line:
            pieces.append([line])
    return ["".join(piece) for piece in pieces]


class LinePiece:
    """A line with the blank ones behind it."""

    __slots__ = ("_entry", "_exit", "_faults", "record", "span", "text")

    def __init__(self, text: str, default: Shape, in_session: bool) -> None:
        self.text = text
        body = text.strip(_BLANKS)
        start = text.find(body[0]) if body else 0
        self.span = Span(start, start + len(body))
        self.record = read_value(body, default, in_session) if body else None
        self._entry: str | None = None
        self._exit = ""
        self._faults: tuple[tuple[Fault, ...], ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing on it."""
        return self.span.start == self.span.end

    def starts_cell(self, entry: str) -> bool:
        """Every line does; blank ones only where none stands before them."""
        return entry == START or not self.is_blank

    def exit(self, entry: str) -> str:
        """The streams after the deltas of the line."""
        self._walk(entry)
        return self._exit

    def faults(self, entry: str) -> tuple[tuple[Fault, ...], ...]:
        """What is wrong with each delta, in order; nothing where all are well."""
        self._walk(entry)
        return self._faults

    def _walk(self, entry: str) -> None:
        if entry == self._entry:
            return
        self._entry = entry
        self._faults = ()
        state = "" if entry == START else entry
        if self.record is None or not self.record.steps:
            self._exit = state
            return
        streams = Streams.taken_up(state)
        faults = [_follow(streams, step) for step in self.record.steps]
        if any(faults):
            self._faults = tuple(faults)
        self._exit = streams.put_down()


def _follow(streams: Streams, step: Step) -> tuple[Fault, ...]:
    run, name = short_name(step.run), short_name(step.name)
    found = streams.follow(step.kind, run, step.seq, name)
    streams.tick(step.kind, run, step.seq)
    return tuple(found) if found else ()


def parse_lines(parts: Sequence[tuple[LinePiece, str]]) -> JsonCell:
    """The cell of a line; of blank lines at the start of a file, a cell with nothing in it."""
    texts = tuple([piece.text for piece, _ in parts])
    piece, entry = parts[0]
    record = piece.record
    if piece.is_blank:
        return JsonCell(texts, ())
    marks = list(_marks(piece, entry)) if record is not None and record.steps else ()
    # Spelled out: the constructor of a named tuple costs three times as much.
    return JsonCell(texts, (_new_tuple(Segment, (piece.span, record)),), marks)


def _marks(piece: LinePiece, entry: str) -> Iterator[Mark]:
    steps = piece.record.steps if piece.record else ()
    faults = piece.faults(entry) or ((),) * len(steps)
    for step, of_step in zip(steps, faults, strict=True):
        if of_step or step.kind == "start" or step.kind in TERMINAL_KINDS:
            yield Mark(0, step, of_step)


# -- arrays ---------------------------------------------------------------------------------


def split_array(text: str) -> list[str]:
    """Before every line that an element may begin with."""
    cuts = [match.start() for match in CUT.finditer(text)]
    if not cuts or cuts[0]:
        cuts.insert(0, 0)
    ends = [*cuts[1:], len(text)]
    return [text[start:end] for start, end in zip(cuts, ends, strict=True) if end > start]


class ArrayPiece:
    """Lines from one that may begin an element to the next."""

    __slots__ = ("_entry", "_exit", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._entry: str | None = None
        self._exit = ""

    def starts_cell(self, entry: str) -> bool:
        """Whether an element begins here: at the level of elements, or so it looks."""
        if entry == START:
            return True
        return CUT.match(self.text) is not None and not self.frame(entry).depth

    def frame(self, entry: str) -> Frame:
        """Where in the brackets the piece begins."""
        return entered(self.text, Frame.decode(entry))

    def exit(self, entry: str) -> str:
        """How deep in brackets it ends."""
        if entry != self._entry:
            self._entry = entry
            self._exit = walk(self.text, self.frame(entry)).frame.encode()
        return self._exit


def parse_array(parts: Sequence[tuple[ArrayPiece, str]], default: Shape) -> JsonCell:
    """The cell of the elements that begin with a piece and go on through the others."""
    texts = tuple([piece.text for piece, _ in parts])
    piece, entry = parts[0]
    text = "".join(texts)
    walked = walk(text, piece.frame(entry))
    segments = [
        Segment(span, read_value(span.of(text), default, False)) for span in walked.segments
    ]
    marks = [
        Mark(number, step, None)
        for number, segment in enumerate(segments)
        if segment.record is not None
        for step in segment.record.steps
    ]
    framing = Framing(walked.errors, walked.brackets)
    return JsonCell(texts, tuple(segments), marks, framing)
