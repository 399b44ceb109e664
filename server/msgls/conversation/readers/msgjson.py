"""Reads messages, deltas and session entries in JSON into a conversation.

Messages are read as they are, deltas are assembled, session entries are unwrapped. The other
keys of an entry are kept in ``meta.entry`` of its message, from which a session is written
again. In a session, ``message`` entries take precedence: a stream of a run that has an answer
among them is not read a second time.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from msgls.conversation.agents_in_json import AGENTS, DEFAULT_AGENT, agents_from_wire
from msgls.conversation.assembler import Assembler, ProblemKind, StreamProblem
from msgls.conversation.conversation import Conversation, Loss
from msgls.conversation.messages import Message, as_reason, delta_from_wire, wire_problems
from msgls.conversation.parts import Wire
from msgls.conversation.visibility import marked_by
from msgls.document.document import Document
from msgls.formats.msgjson.cells import JsonCell
from msgls.formats.msgjson.records import Item, Shape
from msgls.text.garbage import without_collection
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

ENTRY_META = "entry"
"""The key of a message's ``meta`` with the other keys of its session entry."""

_ENTRY_FRAME = frozenset({"type", "payload"})
_DELTA_KEYS = frozenset({"runId", "seq", "kind", "payload", "timestamp"})
_PAYLOAD_KEYS = frozenset(
    {
        "modelId", "requestId", "textDelta", "toolCallId", "toolName", "argsTextDelta",
        "finishReason", "errorCode", "message", "retryable",
    }
)  # fmt: skip

_LOSSES = {
    ProblemKind.START_MISSING: Phrase(
        "the stream of run `{run}` has no start and yields no message"
    ),
    ProblemKind.START_REPEATED: Phrase(
        "the stream of run `{run}` starts again, without the earlier part"
    ),
    ProblemKind.TERMINAL_MISSING: Phrase("the stream of run `{run}` before this one has not ended"),
    ProblemKind.NOT_ENDED: Phrase("the stream of run `{run}` has not ended and yields no message"),
    ProblemKind.DELTA_AFTER_TERMINAL: Phrase(
        "deltas after the end of the stream of run `{run}` were left out"
    ),
    ProblemKind.CALL_NOT_STARTED: Phrase(
        "the arguments of `{call}` were left out: that tool call was not started"
    ),
}


def read(document: Document) -> Conversation:
    """The conversation in a document."""
    with without_collection():
        return _Reader(document).run()


class _Place:
    """The location of a value in the file."""

    __slots__ = ("line", "span")

    def __init__(self, span: Span, line: int) -> None:
        self.span = span
        self.line = line


class _Reader:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.messages: list[Message] = []
        self.sources: list[tuple[Span, ...]] = []
        self.losses: list[Loss] = []
        self.assembler = Assembler()
        self.spans: dict[str, list[Span]] = {}
        """The spans of each run's open stream."""
        self.reported: set[str] = set()
        self.answers: dict[str, list[Any]] = {}
        """The parts of the answers in `message` entries of a session, by run."""

    def run(self) -> Conversation:
        cells = [(placed, placed.cell) for placed in self.document.cells()]
        for _, cell in cells:
            if isinstance(cell, JsonCell) and cell.is_session_entry:
                self.note_answers(cell)
        for placed, cell in cells:
            if isinstance(cell, JsonCell):
                self.read_cell(cell, placed.start_offset, placed.start_line)
        for problem in self.assembler.not_ended():
            self.stream_loss(problem)
        self.losses.sort(key=lambda loss: -1 if loss.line is None else loss.line)
        conversation = Conversation(tuple(self.messages), tuple(self.sources), tuple(self.losses))
        return with_agents(conversation)

    def note_answers(self, cell: JsonCell) -> None:
        for _, item, wire in cell.items():
            if item.shape is Shape.MESSAGE and item.is_sound and wire["role"] == "assistant":
                self.answers.setdefault(wire["runId"], []).append(wire["parts"])

    def read_cell(self, cell: JsonCell, offset: int, line: int) -> None:
        places = []
        for segment in cell.segments:
            span = segment.span
            below = bisect_right(cell.line_starts, span.start) - 1
            place = _Place(span.shift(offset), line + below)
            places.append(place)
            if segment.record is None:
                self.loss(Phrase("this is not valid JSON"), place)
        for error in cell.framing.errors:
            self.loss(error.reason, _Place(error.span, line))
        entry: tuple[int, Item, Wire] | None = None
        for number, item, wire in cell.items():
            place = places[number]
            if item.shape is Shape.ENTRY:
                entry = number, item, wire
                self.read_entry(item, wire, place)
            elif item.shape is Shape.MESSAGE:
                self.read_message(wire, place, _around(entry, number, item))
            elif item.shape is Shape.DELTA:
                self.read_delta(item, wire, place, _around(entry, number, item))
            else:
                self.loss(Phrase("neither a message nor a delta nor a session entry"), place)

    def loss(self, what: str, place: _Place | None) -> None:
        self.losses.append(Loss(what, None if place is None else place.line))

    def lose_once(self, what: str, place: _Place) -> None:
        """Report a loss only at its first place."""
        if what not in self.reported:
            self.reported.add(what)
            self.loss(what, place)

    def read_entry(self, item: Item, wire: object, place: _Place) -> None:
        kind = wire.get("type") if isinstance(wire, dict) else None
        if kind not in ("message", "message_delta_batch"):
            self.lose_once(
                Phrase("entries of the type `{kind}` are ignored", kind=str(kind)), place
            )

    # -- messages

    def read_message(self, wire: object, place: _Place, entry: Wire | None) -> None:
        try:
            message = Message.from_wire(_with_entry(wire, entry))
        except ValidationError as error:
            self.loss(Phrase("not a message: {reason}", reason=_reason(error)), place)
            return
        if isinstance(wire, dict) and entry is not None and _has_entry(wire):
            self.loss(
                Phrase("`{key}` contradicts the entry around it", key=f"meta.{ENTRY_META}"),
                place,
            )
        self.messages.append(message)
        self.sources.append((place.span,))

    # -- deltas

    def read_delta(self, item: Item, wire: Wire, place: _Place, entry: Wire | None) -> None:
        if not item.is_sound:
            try:
                wire = delta_from_wire(wire).to_wire()
            except ValidationError as error:
                self.loss(Phrase("not a delta: {reason}", reason=_reason(error)), place)
                return
        for key in _unknown_keys(wire):
            self.lose_once(Phrase("not kept: `{key}` of deltas", key=key), place)
        run = wire["runId"]
        if wire["kind"] == "start":
            self.spans[run] = []
        spans = self.spans.setdefault(run, [])
        if not spans or spans[-1] != place.span:
            spans.append(place.span)
        done = self.assembler.add(wire, place.line)
        for problem in self.assembler.problems:
            self.stream_loss(problem)
        self.assembler.problems.clear()
        for failure in self.assembler.failures:
            if failure.error is not None:
                self.loss(failure.description, place)
        self.assembler.failures.clear()
        if done is not None:
            self.take_stream(run, marked_by(done.message, entry), place, entry is not None)

    def take_stream(self, run: str, message: Wire, place: _Place, is_entry: bool) -> None:
        stored = self.answers.get(run) if is_entry else None
        if stored is None:
            self.messages.append(Message.from_wire(message))
            self.sources.append(tuple(_joined(self.spans[run])))
        elif message["parts"] not in stored:
            self.loss(not_stored(run), place)

    def stream_loss(self, problem: StreamProblem) -> None:
        text = _LOSSES.get(problem.kind)
        if text is not None:
            what = Phrase(text.template, run=problem.run_id, call=problem.tool_call_id)
            self.losses.append(Loss(what, problem.place))


def not_stored(run: str) -> Phrase:
    """The loss of a stream that differs from all answers of its run in a session."""
    return Phrase("a stream of run `{run}` was left out: no `message` entry holds it", run=run)


def with_agents(conversation: Conversation) -> Conversation:
    """The conversation with its agents moved out of the ``meta`` of its first message."""
    meta = (conversation.messages[0].meta or {}) if conversation.messages else {}
    found = agents_from_wire(meta)
    if found is None:
        return conversation
    rest = {key: value for key, value in meta.items() if key not in (AGENTS, DEFAULT_AGENT)}
    first = conversation.messages[0].model_copy(update={"meta": rest or None})
    agents, default = found
    messages = (first, *conversation.messages[1:])
    return replace(conversation, messages=messages, agents=agents, default_agent=default)


def _around(entry: tuple[int, Item, Wire] | None, number: int, item: Item) -> Wire | None:
    """The entry whose payload contains a message or a delta."""
    if entry is None or entry[0] != number:
        return None
    inside = (*entry[1].path, "payload")
    return entry[2] if item.path[: len(inside)] == inside else None


def _has_entry(wire: Wire) -> bool:
    meta = wire.get("meta")
    return isinstance(meta, dict) and ENTRY_META in meta


def _with_entry(wire: object, entry: Wire | None) -> object:
    """A message with the other keys of its entry in ``meta``."""
    if entry is None or not isinstance(wire, dict) or _has_entry(wire):
        return wire
    about = {
        key: value
        for key, value in entry.items()
        if key not in _ENTRY_FRAME
        and not (key in ("runId", "timestamp") and value == wire.get(key))
    }
    wire = marked_by(wire, entry)
    meta = wire.get("meta")
    if not about or not (meta is None or isinstance(meta, dict)):
        return wire
    return {**wire, "meta": {**(meta or {}), ENTRY_META: about}}


def _unknown_keys(wire: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a delta that a message cannot hold."""
    if not wire.keys() <= _DELTA_KEYS:
        yield from wire.keys() - _DELTA_KEYS
    if wire["kind"] != "usage" and not wire["payload"].keys() <= _PAYLOAD_KEYS:
        for key in wire["payload"].keys() - _PAYLOAD_KEYS:
            yield f"payload.{key}"


def _joined(spans: list[Span]) -> Iterator[Span]:
    """The spans of one stream, with those of adjacent lines merged."""
    start, end = spans[0]
    for span in spans[1:]:
        if span.start - end > _LINE_BREAK:
            yield Span(start, end)
            start = span.start
        end = span.end
    yield Span(start, end)


# The longest line break, which separates adjacent lines.
_LINE_BREAK = 2


def _reason(error: ValidationError) -> Phrase:
    problem = wire_problems(error)[0]
    path, reason = ".".join(map(str, problem.path)), as_reason(problem.reason)
    return Phrase("`{path}`: {reason}", path=path, reason=reason) if path else reason
