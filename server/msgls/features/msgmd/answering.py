"""An answer that is written into a message file while it arrives.

Owns how the deltas of a model become cells: for reasoning, text and tool calls, with ids,
attributes and escapes, so that nothing a model writes can become a cell or a definition, or
close a cell's fence too early. At any moment the file is valid, and the unfinished cell is marked
(``incomplete=1``): after a crash, nothing is lost, and no part is mistaken for the whole.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgls.conversation.assembler import parse_arguments
from msgls.conversation.readers.msgmd import TEXT_KEY, root_of
from msgls.conversation.writers.msgmd_cells import definition_line
from msgls.document.document import Document
from msgls.document.live import LiveText, Note
from msgls.features.appending import CannotAppend
from msgls.features.msgmd.livecells import LiveCells, depth_of
from msgls.formats.msgmd import SectionedMessageFile
from msgls.formats.msgmd.content import (
    BLANK,
    escape_lines,
    open_fence,
    state_after,
    suppression_needed,
    wrap_call,
    write_call,
)
from msgls.formats.msgmd.definitions import quote_value
from msgls.formats.msgmd.edits import set_attribute
from msgls.formats.msgmd.lexer import NORMAL
from msgls.formats.msgmd.meaning import TOOL, definition_of, new_nonce, next_free_id
from msgls.formats.msgmd.toolcalls import render_tool_xml
from msgls.formats.values import TRUE_VALUES
from msgls.syntax.cells import Attribute, Cell
from msgls.syntax.ids import CellId
from msgls.text.patterns import HALVES
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit

Wire = Mapping[str, Any]

INCOMPLETE = "incomplete"
REASON = "reason"

# The start of a line that may or may not become a marker, a definition, a comment for msgls or a
# fence: it waits for more.
_UNDECIDED = re.compile(
    r"[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*(?:[-*+]|[0-9]{1,9}[.)]?)?"
    r"(?:\\*(?:\#+[ \t]*%?|\[\^?|\[\^[^\[\]\r\n]*\]?|\[\^[^\[\]\r\n]*\]:.*"
    r"|\[\^[^\[\]\s:]+:[ \t]*\[.*|<!?-?|<!--.*)"
    r"|`{1,2}|~{1,2}|```.*|~~~.*|\\*)\Z"
)
_BREAK = re.compile(r"\r\n|\n|\r")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
_CUT_SHORT = frozenset({"length", "max_tokens", "content_filter"})
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_FOOTNOTE = re.compile(r"(?:\A|(?<=[\r\n]))[ ]{0,3}\[\^([^\[\]\r\n]*)\]:")
_OWN_ID = re.compile(r"m([0-9]{1,9})")
_CONFLICT = frozenset({"<<<<<<<", "=======", ">>>>>>>"})
_MOST_ODD = 1_000
_DEEPEST = 6
_CALL = "call"
# Limits for one edit, which delays the user's keys as long as it takes.
_MOST_CELLS = 50
_MOST_LENGTH = 1 << 16
_MOST_REASON = 1_000


class _Ids:
    """The ids in a document, and those that the edit in progress adds."""

    def __init__(self, document: Document, own: Iterable[str]) -> None:
        self._document = document
        self._own = set(own)
        self._taken = set(self._own)
        """Those, and the ids of footnotes in the answer: no cell gets one of them."""

    def __contains__(self, cell_id: object) -> bool:
        """Whether it is the id of a cell; no footnote of an answer may have it."""
        return cell_id in self._own or bool(self._document.entries("header", str(cell_id)))

    def add(self, cell_id: str) -> None:
        """Add the id of a new cell."""
        self._own.add(cell_id)
        self._taken.add(cell_id)

    def add_footnotes(self, text: str) -> None:
        """Add the ids of the footnotes in a text."""
        if "]:" in text:
            self._taken.update(_FOOTNOTE.findall(text))

    def free(self, last_id: str) -> str:
        """A free id for the next cell; ``last_id`` is the id of the last answer, or empty."""
        number = _OWN_ID.fullmatch(last_id)
        first = 1 if number is None else int(number[1]) + 1
        while (found := next_free_id(self._document, first=first)) in self._taken:
            first = int(found[1:]) + 1
        return found


class _Piece(NamedTuple):
    """Content that has arrived, for one cell."""

    kind: str
    """Text, thinking, or a call."""
    tool: str
    texts: list[str]
    """Joined only when it is written: not at each delta, which would be slow for a long line."""


class _Before(NamedTuple):
    """The state of an answer before the pending edit, to restore it if the edit is refused."""

    live: LiveText | None
    arrived: list[_Piece]
    cells: int
    kind: str
    body: _Body
    note: Note | None
    words: str
    """The text of the note."""


class LiveAnswer(LiveCells):
    """The cells of one answer, from the first delta to the last."""

    def __init__(
        self,
        agent: str,
        time: str,
        at: int,
        *,
        continues: bool = False,
        instead_of: Sequence[str] = (),
    ) -> None:
        super().__init__(time, at)
        self.agent = agent
        self.model = ""
        self.usage: Wire = {}
        self._continues = continues
        self._old = instead_of
        """The ids of an earlier answer, which is excluded from what the model sees."""
        self.length = 0
        """How many characters have arrived."""
        self._arrived: list[_Piece] = []
        """Content that is not written yet."""
        self._arrived_length = 0
        self._calls: dict[str, tuple[str, list[str]]] = {}
        """The calls whose arguments are not complete: tool and JSON text, by the model's id."""
        self._note: Note | None = None
        """The last attributes of the cell that is being written."""
        self._earlier: dict[str, tuple[Note, float]] = {}
        """The usage of a continued answer so far: a note and a number, by attribute."""
        self._kind = ""
        """The kind of the cell that is being written."""
        self._body = _Body("\n", "\n")
        self._before: _Before | None = None

    # -- deltas -------------------------------------------------------------------------------

    def take(self, delta: Wire) -> None:
        """Take the next delta."""
        if self.is_ended:
            return
        kind, payload = delta["kind"], delta["payload"]
        if kind == "start":
            self.model = payload["modelId"]
        elif kind in ("text", "thinking"):
            self._add(kind, "", payload["textDelta"])
            self.length += len(payload["textDelta"])
        elif kind == "tool_call_start":
            if payload["toolCallId"] in self._calls:
                self._end_call(payload["toolCallId"])
            self._calls[payload["toolCallId"]] = payload["toolName"], []
        elif kind == "tool_call_args" and payload["toolCallId"] in self._calls:
            self._calls[payload["toolCallId"]][1].append(payload["argsTextDelta"])
        elif kind == "tool_call_end" and payload["toolCallId"] in self._calls:
            self._end_call(payload["toolCallId"])
        elif kind == "usage":
            self.usage = payload
        elif kind == "done":
            why = payload["finishReason"]
            self.end(Phrase("the model stopped: {why}", why=why) if why in _CUT_SHORT else None)
        elif kind == "error":
            said = [str(payload[key]) for key in ("errorCode", "message") if payload.get(key)]
            self.end(" ".join(": ".join(said).split())[:_MOST_REASON])

    def end(self, reason: str | None) -> None:
        """Nothing more will arrive; ``reason`` says why, if it ended too early."""
        if not self.is_ended:
            for call_id in list(self._calls):
                self._end_call(call_id)
            self.is_ended, self.reason = True, reason

    def _end_call(self, call_id: str) -> None:
        tool, texts = self._calls.pop(call_id)
        said = _in_whole_characters("".join(texts))
        self._add(_CALL, _in_whole_characters(tool), said)

    def _add(self, kind: str, tool: str, text: str) -> None:
        if kind == _CALL or not self._arrived or self._arrived[-1].kind != kind:
            self._arrived.append(_Piece(kind, tool, []))
        self._arrived[-1].texts.append(text)
        self._arrived_length += len(text) + 1

    @property
    def waiting(self) -> int:
        """How many of the last characters are not written, because they wait for more of a line."""
        return self._body.waiting

    @property
    def is_full(self) -> bool:
        """Whether so much is waiting to be written that no more should be taken yet."""
        return len(self._arrived) >= _MOST_CELLS or self._arrived_length >= _MOST_LENGTH

    @property
    def is_written(self) -> bool:
        """Whether everything that has arrived is in the document."""
        return super().is_written and (self._note is None or not self.is_ended)

    # -- the document -------------------------------------------------------------------------

    def settle(self, document: Document) -> bool:
        """Whether the last edits are in the document; ``edits`` returns the others again."""
        is_there = super().settle(document)
        if is_there and self._live is not None:
            self._old = ()
        elif not is_there and self._before is not None:
            self._go_back(self._before)
        self._before = None
        return is_there

    def _go_back(self, before: _Before) -> None:
        """Restore the state before the edit: it is made again, as its ids may be taken by now."""
        self._arrived[:0] = before.arrived
        del self.cell_ids[before.cells :]
        self._live, self._kind, self._body, self._note = (
            before.live,
            before.kind,
            before.body,
            before.note,
        )
        if self._live is not None:
            self._live.drop_unwritten()
        if self._note is not None:
            self._note.text = before.words

    def edits(self, document: Document) -> tuple[Edit, ...] | None:
        """The edits for this version; ``None`` if the user has removed the answer.

        Raises ``CannotAppend`` while it cannot be appended, for example after an open fence.
        """
        if self._live is None:
            if not self._arrived:
                return ()
            self._live = self._continued(document) if self._continues else None
        note = self._note
        self._before = _Before(
            self._live,
            self._arrived,
            len(self.cell_ids),
            self._kind,
            copy.copy(self._body),
            note,
            note.text if note else "",
        )
        if self._live is None:
            self._live = self._begun(document)
        live, ids = self._live, _Ids(document, self.cell_ids)
        for kind, tool, texts in self._arrived:
            text = "".join(texts)
            if kind == _CALL:
                self._write_call(document, ids, tool, text)
            else:
                if kind != self._kind:
                    self._begin_cell(ids, kind, self.agent)
                self._write(self._body.take(text, ids), ids)
        self._arrived, self._arrived_length = [], 0
        if self.is_ended:
            self._end_cell(ids, self._last_words())
        live.tail = self._body.tail
        edits = live.edits(document.store.slice)
        return None if edits is None else (*self._excluding(document), *edits)

    def _excluding(self, document: Document) -> Iterator[Edit]:
        """The edits that exclude an earlier answer: it stays as an alternative."""
        # If the user has removed it, its id may be one of the new cells'.
        for cell_id in [one for one in self._old if one not in self.cell_ids]:
            for entry in document.entries("header", cell_id)[:1]:
                found = definition_of(document, document.cell(entry.label))
                if found is not None:
                    span, text = set_attribute(found[0], "history", "exclude")
                    yield Edit(span.shift(found[1].start_offset), text)

    def _begun(self, document: Document) -> LiveText:
        """Begin the answer after the cell that it answers."""
        live, end = self._room_after(document, self._cell(document))
        self._body = _Body(document.newline, end, self._least_heading(document))
        return live

    def _least_heading(self, document: Document) -> int:
        """The least level of headings in the answer: a higher heading would end the section."""
        return self._depth + 1 if isinstance(document.format, SectionedMessageFile) else 1

    def _continued(self, document: Document) -> LiveText:
        """Continue at the end of an answer that is not complete."""
        placed = self._cell(document)
        found = definition_of(document, placed)
        mark = None if found is None else found[0].get(INCOMPLETE)
        if found is None or mark is None:
            raise CannotAppend("this answer is complete")
        text, newline = placed.cell.text, document.newline
        start, end = _content_bounds(placed.cell)
        blanks = text[end : len(text) - len(text[end:].lstrip(BLANK))]
        self._depth = depth_of(placed)
        self._body = _Body(newline, blanks or newline, self._least_heading(document))
        if start < end:
            self._body.resume(text[start:end])
        is_thought = found[0].value("reasoning") in TRUE_VALUES
        self._kind = "thinking" if is_thought else "text"
        self.cell_ids.append(placed.cell.id or "")
        live = LiveText(placed.start_offset + end, blanks)
        base, whole = found[1].start_offset, found[1].cell.text

        def note_of(attribute: Attribute) -> Note:
            start, end = attribute.span
            return live.take_note(base + start - 1, whole[start - 1 : end])

        self._note = note_of(mark)
        self._note.text = f" {INCOMPLETE}=1"
        reason = found[0].get(REASON)
        if reason is not None:
            note_of(reason).text = ""
        for name in _USAGE.values():
            took = found[0].get(name)
            number = None if took is None else _number(took.value)
            if took is not None and number is not None:
                self._earlier[name] = note_of(took), number
        return live

    def _answer_id(self) -> str:
        """The id of the last answer so far, to which calls belong; empty if there is none."""
        last_id = self.cell_ids[-1] if self.cell_ids else ""
        last_id = CellId(last_id).root if self._kind == _CALL else last_id
        return "" if "." in last_id else last_id

    def _write(self, text: str, ids: _Ids) -> None:
        assert self._live is not None
        ids.add_footnotes(text)
        self._live.write(text)

    def _begin_cell(self, ids: _Ids, kind: str, type: str, cell_id: str | None = None) -> None:
        assert self._live is not None
        live, newline = self._live, self._body.newline
        is_first = not self._kind
        self._end_cell(ids, "")
        cell_id = cell_id or ids.free(self._answer_id())
        attributes = {"name": type} if kind == _CALL else {"time": self._time}
        if kind != _CALL and self.model:
            attributes["model"] = one_line(self.model)
        if kind == "thinking":
            attributes["reasoning"] = "1"
        apart = "" if is_first else newline * 2
        live.write(f"{apart}{self._header(cell_id)}{newline}{newline}")
        live.write(definition_line(cell_id, TOOL if kind == _CALL else type, attributes))
        self._note = live.write_note(f" {INCOMPLETE}=1")
        self._kind = kind
        self._body.begin()
        self.cell_ids.append(cell_id)
        ids.add(cell_id)

    def _end_cell(self, ids: _Ids, last_words: str) -> None:
        """End the cell; ``last_words`` are its last attributes."""
        if self._note is None or self._live is None:
            return
        # An incomplete answer may be continued.
        self._write(self._body.finish(ids, is_whole=self.reason is None), ids)
        self._note.text, self._note = last_words, None

    def _write_call(self, document: Document, ids: _Ids, tool: str, json_text: str) -> None:
        """Write a call as a cell below the last answer; without one, an empty answer is added."""
        assert self._live is not None
        if not self._answer_id():
            self._begin_cell(ids, "text", self.agent)
        call_id = f"{self._answer_id()}.{new_nonce(document)}"
        self._begin_cell(ids, _CALL, tool, call_id)
        self._live.write(self._body.take(_call_body(tool, json_text), ids))

    def _last_words(self) -> str:
        """The attributes that are known at the end: usage, and why it is not complete."""
        said: dict[str, str] = {}
        if self.reason is not None:
            said = {INCOMPLETE: "1", REASON: str(self.reason)}
        for key, name in _USAGE.items():
            took = self.usage.get(key)
            if isinstance(took, int | float):
                if name in self._earlier:
                    note, earlier = self._earlier[name]
                    took, note.text = round(took + earlier, 10), ""
                said[name] = str(took)
        return "".join([f" {key}={quote_value(one_line(value))}" for key, value in said.items()])


def _content_bounds(cell: Cell) -> tuple[int, int]:
    """The start and end of a cell's content, without the definitions before and after it."""
    text, home = cell.text, cell.home
    start = home.span.end if home is not None and home.is_typed else cell.body.start
    end = len(text.rstrip(BLANK))
    for definition in reversed(cell.definitions):
        if definition.is_typed and start < definition.span.start < end <= definition.span.end:
            end = len(text[: definition.span.start].rstrip(BLANK))
    if end <= start:
        return start, start
    # Keep the blank after the last word: the continuation follows it.
    return start, len(text) - len(text[end:].lstrip(" \t"))


_USAGE = {"inputTokens": "input_tokens", "outputTokens": "output_tokens", "cost": "cost"}


def one_line(text: str) -> str:
    """A text as the value of an attribute: short, on one line, without control characters."""
    return " ".join(_CONTROLS.sub(" ", _in_whole_characters(text)).split())[:200]


def _in_whole_characters(text: str) -> str:
    """A text in which surrogate pairs are joined."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _number(text: str) -> float | None:
    """The value of an attribute, if it is a number."""
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        return None


def _call_body(tool: str, json_text: str) -> str:
    """The XML of a call; arguments that are not a JSON object are its text."""
    root = root_of(tool)
    arguments, _, _ = parse_arguments(json_text)
    wanted = {TEXT_KEY: json_text} if arguments is None else arguments
    xml = render_tool_xml(root, wanted)
    if xml is None:
        # It cannot be XML: it is written as JSON text in the element.
        text = json.dumps(wanted, ensure_ascii=True).replace("&", "&amp;").replace("<", "&lt;")
        xml = f"<{root}>{text}</{root}>"
    body = write_call(xml, "")
    return wrap_call(xml) if open_fence(body) else body


class _Body:
    """The content of one cell, escaped line by line while it arrives."""

    def __init__(self, newline: str, end: str, least_heading: int = 1) -> None:
        self.newline = newline
        self._end = end
        """What separates the cell from whatever follows it."""
        self._least_heading = least_heading
        self.begin()

    def begin(self) -> None:
        """Begin a new cell, without content."""
        self._waiting = ""
        self._line = ""
        """The part of the current line that is written: the rest of it needs no escape."""
        self._gap = self.newline * 2
        """What separates the written text from the next one, if there is any."""
        self._is_empty = True
        self._state = NORMAL
        self._odd: list[str] = []
        """Lines that may look like a header or a merge conflict, but are neither."""
        self._deeper: int | None = None
        """By how many levels headings are moved down; the first one decides."""

    def resume(self, content: str) -> None:
        """Continue after ``content``."""
        lines = _BREAK.split(content)
        self._state = state_after("\n".join(lines[:-1]) + "\n", NORMAL)
        self._line, self._gap, self._is_empty = lines[-1], "", False
        if state_after(lines[-1] + "\n", self._state) != self._state:
            # The last line opens or closes a fence: the next text begins a new line.
            self._close_line()

    @property
    def tail(self) -> str:
        """What must follow the written text: the end of an open fence, and the gap."""
        return self._fence_end + self._end

    @property
    def _fence_end(self) -> str:
        is_open = self._state and not self._state.startswith(" ")
        return self.newline + self._state if is_open else ""

    @property
    def waiting(self) -> int:
        """How many characters have arrived and are not written."""
        return len(self._waiting)

    def take(self, text: str, ids: Container[str]) -> str:
        """Add ``text``; returns what can be written now."""
        text = self._waiting + text
        half = ""
        if HALVES.search(text):
            # A program that counts in UTF-16 may split a surrogate pair.
            if "\ud800" <= text[-1] <= "\udbff":
                text, half = text[:-1], text[-1]
            text = _in_whole_characters(text)
        # Half of a line break may have arrived.
        held = "\r" if text.endswith("\r") else ""
        lines = _BREAK.split(text.removesuffix("\r"))
        written = [self._whole_line(line, ids) for line in lines[:-1]]
        rest = lines[-1]
        if rest and not held and not (self._line == "" and _UNDECIDED.match(rest)):
            written.append(self._piece(rest, ids))
            rest = ""
        self._waiting = rest + held + half
        return "".join(written)

    def finish(self, ids: Container[str], *, is_whole: bool) -> str:
        """End the content; returns what is left to be written."""
        rest, self._waiting = _in_whole_characters(self._waiting).removesuffix("\r"), ""
        # Half of a surrogate pair may have followed half of a line break.
        lines = _BREAK.split(rest) if rest else []
        written = "".join([self._whole_line(line, ids) for line in lines])
        self._note_odd_line()
        comment = suppression_needed("\n".join(self._odd)) if is_whole else ""
        if comment:
            written += f"{self._fence_end}{self.newline * 2}{comment}"
            self._state = NORMAL
        return written

    def _whole_line(self, line: str, ids: Container[str]) -> str:
        written = self._piece(line, ids)
        self._close_line()
        return written

    def _piece(self, text: str, ids: Container[str]) -> str:
        """A line or a part of one. Blank lines wait for text after them; those at the start go."""
        written = text if self._line else self._line_start(text, ids)
        self._line += text
        if not self._line.strip(" \t"):
            if not self._is_empty:
                self._gap += text
            return ""
        written, self._gap, self._is_empty = self._gap + written, "", False
        return written

    def _line_start(self, text: str, ids: Container[str]) -> str:
        written = escape_lines(text, ids, self._state)
        heading = _HEADING.match(written) if self._state == NORMAL else None
        if heading is None:
            return written
        level = len(heading[1])
        if self._deeper is None:
            self._deeper = max(self._least_heading - level, 0)
        wanted = min(max(level + self._deeper, self._least_heading), _DEEPEST)
        return written[: heading.start(1)] + "#" * (wanted - level) + written[heading.start(1) :]

    def _note_odd_line(self) -> None:
        line = self._line
        is_odd = "%%" in line or "\uff05" in line or line[:7] in _CONFLICT
        if is_odd and self._state == NORMAL and len(self._odd) < _MOST_ODD:
            self._odd.append(escape_lines(line, (), NORMAL))

    def _close_line(self) -> None:
        if self._line:
            self._note_odd_line()
            self._state = state_after(self._line + "\n", self._state)
        self._line = ""
        if not self._is_empty:
            self._gap += self.newline
