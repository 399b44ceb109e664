"""Code cells that are executed, and the cells with their output.

Owns which code is run, and how the events of a runner (``msgls.runners``) become cells with ids,
attributes and escapes, so that nothing a program prints can become a cell or a definition, or
leave a fence open. At any moment the file is valid, and an unfinished run is marked
(``incomplete=1``).
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from msgls.conversation.notebook_outputs import (
    ALTERNATIVE,
    ERROR,
    NO_NEWLINE,
    alt_of,
    data_attributes,
    prefixed,
    prefixed_text,
)
from msgls.conversation.readers.msgmd import META_ATTRIBUTE
from msgls.conversation.writers.msgmd_cells import definition_line
from msgls.document.document import Document
from msgls.document.live import LiveText, Note
from msgls.document.snapshot import Snapshot
from msgls.features.commands import CellChange, RefusedError
from msgls.features.msgmd.answering import INCOMPLETE
from msgls.features.msgmd.appending import body_text
from msgls.features.msgmd.livecells import LiveCells, end_of_turn
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd import MessageFile
from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE, MimeType
from msgls.formats.msgmd.content import read_code
from msgls.formats.msgmd.definitions import is_type, quote_value
from msgls.formats.msgmd.edits import descendant_ids
from msgls.formats.msgmd.meaning import TOOL, is_registered, message_ids
from msgls.syntax.ids import CellId
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

Event = Mapping[str, Any]

_BASE64_WIDTH = 76
# The attributes in the first cell that are about the run, and not about the output in that cell.
_OWN = ("status", INCOMPLETE, "execution_count")


class Shown(NamedTuple):
    """A cell with a display, as a run left it."""

    cell_id: str
    attributes: Mapping[str, str]
    """The attributes that are about the run."""
    data: str
    """The text after these: attributes of the data, and the data."""
    kind: str
    mime_type: str


Displays = dict[str, Sequence[Sequence[Shown]]]
"""The displays that a kernel may update later: for each display id, lists of cells."""


class Code(NamedTuple):
    """The code of a cell."""

    cell_id: str
    language: str
    text: str
    at: int
    """An offset in the header of the cell."""

    def run(self, time: str, displays: Displays, *, replaces: bool = False) -> LiveRun:
        """A new run of it, without output."""
        return LiveRun(self, time, displays, replaces=replaces)


def code_at(snapshot: Snapshot, offset: int) -> Code:
    """The code of the cell at an offset, or of the cell that a run there belongs to."""
    _check_file(snapshot)
    placed = snapshot.document.cell_at_offset(offset)
    if placed is None or snapshot.meaning(placed).role is CellRole.PREAMBLE:
        raise RefusedError("there is no cell here")
    meaning = snapshot.meaning(placed)
    if meaning.role is CellRole.RUN:
        return code_of(snapshot, CellId(placed.cell.id or "").root)
    return _code(snapshot, meaning)


def code_of(snapshot: Snapshot, cell_id: str) -> Code:
    """The code of the cell with that id. Raises ``RefusedError``."""
    _check_file(snapshot)
    headers = snapshot.document.entries("header", cell_id)
    if not headers:
        raise RefusedError("there is no cell `{id}`", id=cell_id)
    if len(headers) > 1:
        raise RefusedError("several cells have the id `{id}`: change all but one", id=cell_id)
    return _code(snapshot, snapshot.meaning_at(headers[0].label))


def code_cells(snapshot: Snapshot, start: int = 0) -> list[str]:
    """The ids of the code cells that end after an offset, in order. Raises ``RefusedError``."""
    _check_file(snapshot)
    found = [
        placed.cell.id or ""
        for placed in snapshot.document.cells()
        if placed.span.end > start and snapshot.meaning(placed).role is CellRole.CODE
    ]
    if not found:
        raise RefusedError("there is no code cell to run")
    return found


def _check_file(snapshot: Snapshot) -> None:
    if not isinstance(snapshot.document.format, MessageFile):
        raise RefusedError("code can be run only in a message file")


def _code(snapshot: Snapshot, meaning: Meaning) -> Code:
    placed = meaning.placed
    if meaning.role is not CellRole.CODE:
        raise RefusedError("this is not a code cell")
    if not placed.cell.id:
        raise RefusedError("this code cell has no id, so its runs cannot have one")
    if "." in placed.cell.id:
        raise RefusedError(
            "the id `{id}` has a dot, so a run could not be matched to this cell: change it",
            id=placed.cell.id,
        )
    text = placed.cell.text[placed.cell.body.start :]
    code = read_code(text)
    if code is None:
        raise RefusedError("this code cell has no code: write it in a fenced block")
    if not code.language:
        raise RefusedError("name the language of the code after its opening fence")
    if code.language == TOOL:
        raise RefusedError("`tool` cannot be run: an output of that type would be a call")
    if not is_type(code.language):
        raise RefusedError(
            "`{name}` cannot be run: it is not allowed as the type of an output",
            name=code.language,
        )
    if is_registered(snapshot.document, code.language):
        raise RefusedError(
            "`{name}` is an agent here: an output of that type would be an answer",
            name=code.language,
        )
    fence = placed.cell.fences[0]
    lines = fence.content.of(placed.cell.text).replace("\r\n", "\n").replace("\r", "\n")
    line_start = placed.cell.text.rfind("\n", 0, fence.span.start) + 1
    indent = fence.fence.start - line_start
    body = "\n".join([_outdented(line, indent) for line in lines.split("\n")])
    return Code(placed.cell.id, code.language, body, placed.start_offset + 1)


def _outdented(line: str, indent: int) -> str:
    """A line of a block without the indentation of its fence."""
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(blanks, indent) :]


def clear_outputs(snapshot: Snapshot, cell_id: str | None = None) -> CellChange:
    """Remove the runs of all code, or of one cell."""
    edits = [
        Edit(placed.span, "")
        for placed in snapshot.document.cells()
        if snapshot.meaning(placed).role is CellRole.RUN
        and cell_id in (None, CellId(placed.cell.id or "").root)
    ]
    if not edits:
        raise RefusedError("there is no output to remove")
    return CellChange(tuple(_with_gap(snapshot.document, edits)))


def _with_gap(document: Document, edits: list[Edit]) -> list[Edit]:
    """Edits that also remove the empty line before a deletion at the end of the file."""
    first, end = len(edits), len(document.store)
    while first and edits[first - 1].span.end == end:
        first, end = first - 1, edits[first - 1].span.start
    newline = document.newline
    before = Span(max(end - 2 * len(newline), 0), end)
    if first < len(edits) and document.store.slice(before) == newline * 2:
        edits[first] = Edit(Span(end - len(newline), edits[first].span.end), "")
    return edits


# -- runs -----------------------------------------------------------------------------------


class _Output:
    """One cell of a run: its attributes, and their place in the document."""

    def __init__(self, attributes: Mapping[str, str]) -> None:
        self.attributes = dict(attributes)
        self.note: Note | None = None
        self.is_empty = True

    @property
    def text(self) -> str:
        """Its attributes, as text."""
        return _pairs(self.attributes)

    def set(self, attributes: Mapping[str, str]) -> None:
        """Replace all attributes."""
        self.attributes = dict(attributes)
        if self.note is not None:
            self.note.text = self.text

    def add(self, attributes: Mapping[str, str]) -> None:
        """Add or change some attributes."""
        self.set({**self.attributes, **attributes})


class _Representation(NamedTuple):
    """One representation of a display, by its MIME type: the content of its cell."""

    mime_type: str
    attributes: Mapping[str, str]
    body: str

    def text(self, kind: str) -> str:
        """The attributes of the data, and the data."""
        return _pairs({**data_attributes(kind, self.mime_type, 0), **self.attributes}) + self.body


# A display without data gets a cell already, because it may be updated later.
_NOTHING = _Representation(DEFAULT_MIME_TYPE, {}, "")


@dataclass(slots=True)
class _Live:
    """A cell with a display that may be updated."""

    cell_id: str
    output: _Output
    data: Note
    kind: str
    mime_type: str

    @property
    def shown(self) -> Shown:
        """What a later run needs to update it."""
        attributes, data = self.output.attributes, self.data.text
        return Shown(self.cell_id, attributes, data, self.kind, self.mime_type)

    def show(self, representation: _Representation) -> None:
        """Replace the data; the attributes of the run stay."""
        self.mime_type = representation.mime_type
        self.data.text = representation.text(self.kind)


class LiveRun(LiveCells):
    """The cells of one run, from the first event to the last."""

    def __init__(
        self, code: Code, time: str, displays: Displays, *, replaces: bool = False
    ) -> None:
        super().__init__(time, code.at)
        self.code = code
        self._earlier = displays
        """The displays of earlier runs; those of this run are added."""
        self.is_success: bool | None = None
        """``None`` until it has ended."""
        self._replaces = replaces
        """Whether it replaces the last run."""
        self._arrived: list[Event] = []
        self._early: list[Event] | None = []
        """The events before any of the run was in the document; ``None`` from then on."""
        self._count = 0
        self._newline = self._end = "\n"
        self._reset()

    def _reset(self) -> None:
        """Set the state to that of a run of which nothing is in the document."""
        self._live = None
        self.cell_ids = []
        self.notices: list[str] = []
        """The messages of msgls that were written into the output."""
        self._first = _Output({"status": "failure", INCOMPLETE: "1"})
        self._now: _Output | None = None
        """The cell that is being written; ``None`` if the next output begins a new one."""
        self._is_text = False
        """Whether that cell is for printed text."""
        self._rest = ""
        """The incomplete line at the end, which is in the tail."""
        self._displays: dict[str, list[list[_Live]]] = {}
        """Its own displays: for each display id, lists of cells."""
        self._adopted: dict[str, list[list[_Live]]] = {}
        """The displays of earlier runs that it has updated."""
        self._run_id = ""

    # -- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Take the next event."""
        if self.is_ended:
            return
        self._arrived.append(event)
        if event["event"] == "started":
            self._count = event["count"]
        self.is_ended = event["event"] == "done"

    def end(self, reason: str | None, seconds: float | None = None) -> None:
        """No more events will arrive, though the code has not ended after some ``seconds``.

        The reason is written into the cells.
        """
        said = {"said": str(reason or ""), "seconds": seconds}
        self.take({"event": "done", "status": "broken", **said})

    # -- the document -------------------------------------------------------------------------

    def settle(self, document: Document) -> bool:
        """Whether the last edits are in the document; ``edits`` returns the others again."""
        is_there = super().settle(document)
        if is_there and self._live is not None:
            self._early = None
            if self.is_ended and not self._arrived:
                self._keep()
        elif not is_there and self._early is not None:
            # In the next version, its id may be taken, or its place may have moved.
            self._arrived[:0] = self._early
            self._early = []
            self._reset()
        return is_there

    def edits(self, document: Document) -> Sequence[Edit] | None:
        """The edits for this version; ``None`` if the user has removed the run."""
        if self._live is None:
            if not self._arrived:
                return ()
            self._live = self._begun(document)
        for event in self._arrived:
            self._write_event(document, event)
        if self._early is not None:
            self._early += self._arrived
        self._arrived = []
        self._live.tail = self._rest + self._end
        return self._live.edits(document.store.slice)

    def _begun(self, document: Document) -> LiveText:
        """Begin the run after the code and its earlier runs."""
        code = self._cell(document)
        self._newline = document.newline
        number = document.number_of(code.label)
        last = document.cell_number(end_of_turn(document, number))
        live, self._end = self._room_after(document, last)
        old = list(_last_run(document, number)) if self._replaces else []
        if old:
            # The old run takes the place of the tail: it is removed with the first text.
            span = Span(old[0].start_offset, old[-1].span.end)
            live = LiveText(span.start, document.store.slice(span))
        n = _number(document, self.code.cell_id, self._count, [p.cell.id or "" for p in old])
        if self._count and n != self._count:
            self._first.add({"execution_count": str(self._count)})
        self._run_id = f"{self.code.cell_id}.{n}"
        newline = self._newline
        live.write(f"{self._header(self._run_id)}{newline}{newline}")
        live.write(definition_line(self._run_id, self.code.language, {"time": self._time}))
        self._first.note = live.write_note(self._first.text)
        live.mark()
        self.cell_ids.append(self._run_id)
        return live

    def _write_event(self, document: Document, event: Event) -> None:
        kind = event["event"]
        if kind == "text":
            self._write_text(event["stream"], event["lines"], event["rest"])
            if event.get("open") and self._now is not None:
                self._now.add(NO_NEWLINE)
        elif kind == "data":
            self._write_data(document, event)
        elif kind == "error":
            self._write_error(event)
        elif kind == "file":
            self._write_file(event["name"])
        elif kind == "clear":
            self._clear(document)
        elif kind == "done":
            self._finish(event)

    def _begin(self, attributes: Mapping[str, str], *, is_text: bool = False) -> _Output:
        """Begin the cell of the next output: the first cell of the run, or a further one."""
        self._end_line()
        self._is_text = is_text
        if self._now is None and self._first.is_empty:
            self._now = self._first
            others = {key: value for key, value in attributes.items() if key != "status"}
            self._first.add(others)
            return self._first
        assert self._live is not None
        output = self._now = _Output({"status": "success", **attributes})
        cell_id = f"{self._run_id}.{self._next_number()}"
        newline = self._newline
        self._live.write(f"{newline * 2}{self._header(cell_id)}{newline * 2}")
        self._live.write(definition_line(cell_id, self.code.language, {}))
        output.note = self._live.write_note(output.text)
        self.cell_ids.append(cell_id)
        return output

    def _next_number(self) -> int:
        return len(self.cell_ids) + 1

    def _write_text(self, stream: str, lines: Sequence[str], rest: str) -> None:
        if not (lines or rest or self._rest):
            return
        self._begin_text()
        self._rest = ""
        self._write_lines(prefixed(lines, stream))
        if rest:
            self._rest = self._apart() + prefixed([rest], stream)[0]

    def _begin_text(self) -> None:
        """Begin a cell for printed text, if there is none; a new one after an unfinished line."""
        is_open = self._now is not None and self._now.attributes.keys() >= NO_NEWLINE.keys()
        if self._now is None or not self._is_text or is_open:
            self._now = None
            self._begin({}, is_text=True)

    def _apart(self) -> str:
        is_first = self._now is not None and self._now.is_empty
        return self._newline * (2 if is_first else 1)

    def _write_lines(self, lines: Sequence[str]) -> None:
        assert self._live is not None
        if self._now is not None and lines:
            self._live.write(self._apart() + self._newline.join(lines))
            self._now.is_empty = False

    def _end_line(self) -> None:
        """Write the incomplete line, because other output follows it."""
        assert self._live is not None
        if self._rest and self._now is not None:
            self._live.write(self._rest)
            self._now.is_empty = False
        self._rest = ""

    def _write_file(self, name: str | None) -> None:
        self._begin_text()
        if name is None or self._now is None:
            return
        self._now.add({"output_file": name})
        self._notify(Phrase("this is only the beginning: there is more in {file}", file=name))

    def _notify(self, words: str) -> None:
        """Write a message of msgls into the output."""
        self.notices.append(words)
        self._begin_text()
        self._write_lines([f"stderr> msgls: {words}"])

    # -- data ---------------------------------------------------------------------------------

    def _write_error(self, event: Event) -> None:
        attributes = {"status": "failure", "output": ERROR} | _meta(event.get("meta", {}))
        if event.get("file") is not None:
            attributes["output_file"] = event["file"]
        self._begin(attributes)
        self._write_lines(prefixed(event["lines"], "stderr"))
        self._now = None

    def _write_data(self, document: Document, event: Event) -> None:
        assert self._live is not None
        display = event.get("id")
        representations = self._representations(document, event)
        if event["kind"] == "update":
            for shown in self._shown(document, str(display)):
                _show(shown, representations)
            return
        cells: list[_Live] = []
        if display is not None:
            representations = representations or [_NOTHING]
        for number, representation in enumerate(representations):
            kind = ALTERNATIVE if number else event["kind"]
            output = self._begin({})
            output.is_empty = False
            if display is None:
                self._live.write(representation.text(kind))
            else:
                data = self._live.write_note(representation.text(kind))
                cells.append(_Live(self.cell_ids[-1], output, data, kind, representation.mime_type))
            self._now = None
        if cells:
            self._displays.setdefault(str(display), []).append(cells)

    def _representations(self, document: Document, event: Event) -> list[_Representation]:
        data = {mime: (content, file, about) for mime, content, file, about in event["data"]}
        alt = alt_of({mime: content for mime, (content, _, _) in data.items()})
        if alt is not None:
            del data[DEFAULT_MIME_TYPE]
        found = []
        for number, (mime, (content, file, about)) in enumerate(data.items()):
            attributes = {"alt": alt} if alt is not None and number == 0 else {}
            attributes |= _meta({**about, **(event.get("meta", {}) if number == 0 else {})})
            body = self._body(document, mime, content) if content else ""
            if file is not None:
                # An attribute of the data: it is replaced together with the content.
                body = f" output_file={quote_value(file)}{body}"
            found.append(_Representation(mime, attributes, body))
        return found

    def _shown(self, document: Document, display: str) -> list[list[_Live]]:
        """All displays with an id, of this run and of those before it."""
        if display not in self._adopted:
            earlier = [self._adopt(document, cells) for cells in self._earlier.get(display, ())]
            self._adopted[display] = [cells for cells in earlier if cells]
        return [*self._adopted[display], *self._displays.get(display, ())]

    def _adopt(self, document: Document, cells: Sequence[Shown]) -> list[_Live]:
        """Cells of an earlier run that can be updated; not those that the user has changed."""
        assert self._live is not None
        found = []
        for cell_id, attributes, data, kind, mime_type in cells:
            output = _Output(attributes)
            for entry in document.entries("header", cell_id):
                placed = document.cell(entry.label)
                at = placed.start_offset + placed.cell.text.find(output.text + data)
                # Not after this run: a client may report both changes as one.
                if placed.start_offset <= at < self._live.offset:
                    output.note = self._live.take_note(at, output.text)
                    note = self._live.take_note(at + len(output.text), data)
                    found.append(_Live(cell_id, output, note, kind, mime_type))
        return found

    def _keep(self) -> None:
        """Hand the displays to later runs."""
        for display in self._adopted.keys() | self._displays.keys():
            shown = [*self._adopted.get(display, ()), *self._displays.get(display, ())]
            self._earlier[display] = [[each.shown for each in cells] for cells in shown]

    def _body(self, document: Document, mime: str, content: str) -> str:
        """The content of a cell, with the gap between it and the definition."""
        newline = self._newline
        if mime == DEFAULT_MIME_TYPE:
            return newline * 2 + newline.join(prefixed_text(content))
        if MimeType(mime).is_binary:
            return newline * 2 + newline.join(textwrap.wrap(content, _BASE64_WIDTH))
        ids = {*message_ids(document), *self.cell_ids}
        body = body_text(document, content, ids, newline, self._depth)
        return newline * 2 + body if body else ""

    # -- the end ------------------------------------------------------------------------------

    def _clear(self, document: Document) -> None:
        """Remove the output so far."""
        assert self._live is not None
        self._live.take_back(document.store.slice)
        self._rest, self._now, self._displays = "", None, {}
        del self.cell_ids[1:]
        self._first.is_empty = True
        self._first.set({k: v for k, v in self._first.attributes.items() if k in _OWN})

    def _finish(self, event: Event) -> None:
        self._end_line()
        self.is_success = event["status"] == "ok"
        for words in _last_words(event):
            self._notify(words)
            if self._now is not None and not self.is_success:
                self._now.add({"status": "failure"})
        seconds = event.get("seconds")
        others = {
            key: value
            for key, value in self._first.attributes.items()
            if key not in ("status", INCOMPLETE)
        }
        said = {"status": "success" if self.is_success else "failure"}
        if isinstance(seconds, int | float):
            said["duration"] = duration(seconds)
        self._first.set(said | others)


def duration(seconds: float) -> str:
    """A duration as the value of an attribute."""
    return f"{seconds:.2f}s" if seconds >= 1 else f"{round(seconds * 1000)}ms"


def _last_words(event: Event) -> Iterator[Phrase | str]:
    status = event["status"]
    if event.get("dropped"):
        yield Phrase("{count:,} characters were not kept", count=event["dropped"])
    if event.get("left_out"):
        yield Phrase("{count:,} outputs were not kept", count=event["left_out"])
    if event.get("lost"):
        yield Phrase("some of the output may be missing: its end did not arrive")
    if status == "died":
        code = event.get("code")
        if code is None:
            yield Phrase("the kernel died")
        else:
            yield Phrase("the kernel died, with exit code {code}", code=str(code))
    elif status == "timeout":
        yield Phrase("stopped: the time limit was reached")
    elif status == "restarted":
        yield Phrase("stopped: the kernel was restarted")
    elif status == "broken":
        yield event["said"]


def _show(cells: Sequence[_Live], representations: Sequence[_Representation]) -> None:
    """Update cells, each with the representation of the same MIME type if there is one."""
    types = [one.mime_type for one in representations]
    others = [
        one for one in representations if one.mime_type not in {cell.mime_type for cell in cells}
    ]
    for cell in cells:
        if cell.mime_type in types:
            cell.show(representations[types.index(cell.mime_type)])
        elif others:
            cell.show(others.pop(0))


def _pairs(attributes: Mapping[str, str]) -> str:
    """Attributes as text."""
    return "".join([f" {key}={quote_value(value)}" for key, value in attributes.items()])


def _meta(meta: Mapping[str, Any]) -> dict[str, str]:
    """The attribute for metadata that only a notebook has a place for."""
    return {META_ATTRIBUTE: json.dumps(meta, ensure_ascii=False)} if meta else {}


def _last_run(document: Document, number: int) -> Iterator[Placed]:
    """The cells of the last run of the code cell with that number."""
    last = document.cell_number(end_of_turn(document, number))
    if last.label == document.cell_number(number).label:
        return
    run = _run_of(last)
    for other in range(number + 1, document.number_of(last.label) + 1):
        placed = document.cell_number(other)
        if _run_of(placed) == run:
            yield placed


def _run_of(placed: Placed) -> str:
    return ".".join(CellId(placed.cell.id or "").segments[:2])


def _number(document: Document, cell_id: str, count: int, replaced: Sequence[str]) -> int:
    """The number of a run: the kernel's count, unless an earlier run has that number or a higher.

    A kernel that is restarted counts from 1 again, but the runs of a cell must not.
    """
    runs = [i for i in descendant_ids(document, cell_id) if i not in replaced]
    numbers = [CellId(i).segments[1] for i in runs]
    last = max((int(n) for n in numbers if n.isascii() and n.isdigit()), default=0)
    number = max(count, last + 1, 1)
    taken = ("header", "definition", "footnote")
    while f"{cell_id}.{number}" not in replaced and any(
        document.entries(relation, f"{cell_id}.{number}") for relation in taken
    ):
        number += 1
    return number
