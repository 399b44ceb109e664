"""Assembles messages from deltas, one delta at a time.

Owns the assembly: contiguous ``text`` deltas become one part, contiguous ``thinking`` deltas
another, in the order of their first delta; the arguments of a tool call are joined by its
id and parsed at its end, and a call without arguments has the arguments ``{}``; ``usage`` is
cumulative, so the last one counts. A stream that ends with ``error``, does not end, or has no
start yields no message; ``failures`` holds what there is of it.

A delta takes the same time however long its stream is: texts are joined on demand. Only open
streams are kept, and a bounded number of ids.

The message's ``timestamp`` is that of its ``start``. Its ``meta`` holds ``modelId``,
``requestId`` and ``finishReason``, ``usage`` if there was one, and ``parseErrors``: the
ids of the calls whose arguments could not be parsed.

Takes models, and wire data that was already validated as a delta (``shapes.is_delta``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from msgls.conversation.parts import Wire
from msgls.formats.msgjson.shapes import CALL_KINDS
from msgls.formats.msgjson.shapes import TERMINAL_KINDS as TERMINAL_KINDS
from msgls.formats.msgjson.shapes import is_delta as is_delta
from msgls.formats.msgjson.streams import FaultKind, Streams
from msgls.formats.strictjson import json_reason, strict_loads
from msgls.text.phrases import Phrase

if TYPE_CHECKING:
    # This loads pydantic, which reading wire data does not need.
    from msgls.conversation.messages import MessageDelta

# Ids of started calls are remembered, to detect an id that is used twice.
_MOST_IDS = 65_536
# If more streams are open, the oldest are given up.
_MOST_OPEN = 4_096


class ProblemKind(Enum):
    """The faults of a stream; the values are the names in output."""

    START_MISSING = "start-missing"
    START_REPEATED = "start-repeated"
    TERMINAL_MISSING = "terminal-missing"
    NOT_ENDED = "not-ended"
    """The stream is open at the end of the input: it may still be growing."""
    DELTA_AFTER_TERMINAL = "delta-after-terminal"
    SECOND_TERMINAL = "second-terminal"
    SEQ_NOT_INCREASING = "seq-not-increasing"
    CALL_NOT_STARTED = "call-not-started"
    CALL_NOT_ENDED = "call-not-ended"
    ARGUMENTS_UNPARSABLE = "arguments-unparsable"
    DUPLICATE_CALL_ID = "duplicate-call-id"

    @property
    def code(self) -> str:
        """The code of the rule that reports it in a file."""
        return _CODES[self]


_CODES = {
    ProblemKind.START_MISSING: "DLT003",
    ProblemKind.START_REPEATED: "DLT003",
    ProblemKind.TERMINAL_MISSING: "DLT004",
    ProblemKind.NOT_ENDED: "DLT004",
    ProblemKind.DELTA_AFTER_TERMINAL: "DLT004",
    ProblemKind.SECOND_TERMINAL: "DLT004",
    ProblemKind.SEQ_NOT_INCREASING: "DLT005",
    ProblemKind.CALL_NOT_STARTED: "DLT006",
    ProblemKind.CALL_NOT_ENDED: "DLT006",
    ProblemKind.ARGUMENTS_UNPARSABLE: "DLT007",
    ProblemKind.DUPLICATE_CALL_ID: "DLT008",
}
_OF_FAULT = {fault: ProblemKind(fault.value) for fault in FaultKind}


class StreamProblem(NamedTuple):
    """A problem, and the delta at which it was found."""

    kind: ProblemKind
    place: int
    """The ``place`` that was passed with the delta."""
    run_id: str
    tool_call_id: str = ""
    seq: int = 0
    last_seq: int = 0
    detail: str = ""


class Assembled(NamedTuple):
    """A message, in wire form, and the places of the deltas that open and end its stream."""

    message: Wire
    first_place: int
    last_place: int


class Failure:
    """A stream without a message: it ended with ``error``, or did not end."""

    __slots__ = ("_draft", "error", "last_place")

    def __init__(self, draft: _Draft, last_place: int, error: Mapping[str, Any] | None) -> None:
        self._draft = draft
        self.last_place = last_place
        """The place of the delta at which that became clear."""
        self.error = error
        """The payload of ``error``; ``None`` if the stream did not end."""

    @property
    def run_id(self) -> str:
        """The run of the stream."""
        return self._draft.run_id

    @property
    def first_place(self) -> int:
        """The place of its ``start``."""
        return self._draft.place

    @property
    def description(self) -> Phrase:
        """What happened, for users, with the message of the error."""
        if self.error is None:
            return Phrase(
                "the stream of run `{run}` has not ended and yields no message", run=self.run_id
            )
        keys = ("errorCode", "message")
        reason = ": ".join([text for key in keys if (text := str(self.error.get(key) or ""))])
        match self.error.get("retryable"):
            case True:
                reason = Phrase("{said} (it can be retried)", said=reason)
            case False:
                reason = Phrase("{said} (it cannot be retried)", said=reason)
        return Phrase(
            "the stream of run `{run}` ends in an error and yields no message: {said}",
            run=self.run_id,
            said=reason,
        )

    @property
    def partial(self) -> Wire:
        """The incomplete message in wire form; ``meta.error`` holds the error, if there was one."""
        message = self._draft.message()
        if self.error is not None:
            message["meta"]["error"] = dict(self.error)
        return message


class _Draft:
    """The message that is being assembled from one stream."""

    __slots__ = ("calls", "growing_kind", "meta", "parts", "place", "run_id", "timestamp")

    def __init__(self, delta: Mapping[str, Any], place: int) -> None:
        payload = delta["payload"]
        self.run_id: str = delta["runId"]
        self.timestamp: str = delta["timestamp"]
        self.place = place
        self.meta: Wire = {"modelId": payload["modelId"], "requestId": payload["requestId"]}
        self.parts: list[_TextDraft | _CallDraft] = []
        self.calls: dict[str, _CallDraft] = {}
        """Open calls, by id."""
        self.growing_kind = ""
        """The kind of the last part, while text can still be added to it; else empty."""

    def add_text(self, kind: str, text: str) -> None:
        if self.growing_kind == kind:
            self.parts[-1].texts.append(text)
        else:
            self.parts.append(_TextDraft(kind, text))
            self.growing_kind = kind

    def message(self) -> Wire:
        """The message so far; later deltas do not change it."""
        parts = [part.part() for part in self.parts]
        meta = dict(self.meta)
        if "parseErrors" in meta:
            meta["parseErrors"] = list(meta["parseErrors"])
        head = {"runId": self.run_id, "role": "assistant", "parts": parts}
        return {**head, "timestamp": self.timestamp, "meta": meta}


class _TextDraft:
    """A text or thinking part."""

    __slots__ = ("kind", "texts")

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.texts = [text]

    def part(self) -> Wire:
        if len(self.texts) > 1:
            self.texts = ["".join(self.texts)]
        return {"kind": self.kind, "payload": {"text": self.texts[0]}}


class _CallDraft:
    """A part that calls a tool."""

    __slots__ = ("arguments", "ends", "id", "name", "places", "texts")

    def __init__(self, payload: Mapping[str, Any]) -> None:
        self.id: str = payload["toolCallId"]
        self.name: str = payload["toolName"]
        self.texts: list[str] = []
        self.arguments: Wire | None = None
        self.ends: list[int] = []
        """The offset in the arguments at which the text of each delta ends."""
        self.places: list[int] = []
        """The place of each delta."""

    def add(self, text: str, place: int) -> None:
        self.texts.append(text)
        self.ends.append(len(text) + (self.ends[-1] if self.ends else 0))
        self.places.append(place)

    def place_of(self, offset: int, end_place: int) -> int:
        """The place of the delta with the character at ``offset``; ``end_place`` after the last."""
        number = bisect_right(self.ends, offset)
        return self.places[number] if number < len(self.places) else end_place

    def part(self) -> Wire:
        payload: Wire = {"toolCallId": self.id, "toolName": self.name}
        self.texts = ["".join(self.texts)]
        if self.arguments is not None:
            payload["arguments"] = self.arguments
        elif not self.texts[0]:
            payload["arguments"] = {}
        else:
            payload["rawArgsText"] = self.texts[0]
        return {"kind": "tool_call", "payload": payload}


class Assembler:
    """Takes deltas of any number of runs, and returns each message when its stream ends."""

    def __init__(self) -> None:
        self.problems: list[StreamProblem] = []
        """The problems so far; the caller may clear the list."""
        self.failures: list[Failure] = []
        """The streams that yielded no message so far; the caller may clear the list."""
        self._streams = Streams()
        self._drafts: dict[str, _Draft] = {}
        self._ids: dict[tuple[str, str], int] = {}
        """The place of the start of each call, by run and id."""

    def add(self, delta: MessageDelta | Mapping[str, Any], place: int = 0) -> Assembled | None:
        """Add one delta; returns the message if the delta ends its stream with ``done``.

        ``place`` is any number that locates the delta, such as its line.
        """
        if not isinstance(delta, dict):
            delta = dict(delta) if isinstance(delta, Mapping) else delta.to_wire()
        kind: str = delta["kind"]
        run: str = delta["runId"]
        payload = delta["payload"]
        name = ""
        if kind in CALL_KINDS:
            name = payload["toolCallId"]
        elif kind == "start":
            name = payload["requestId"]
        stream = self._streams.by_run.get(run)
        is_late = stream is not None and not stream.is_open and kind != "start"
        faults = self._streams.follow(kind, run, delta["seq"], name)
        for fault in faults:
            found = _OF_FAULT[fault.kind]
            call, last = fault.tool_call_id, fault.last_seq
            where = place
            if found is ProblemKind.CALL_NOT_ENDED:
                where = self._ids.get((run, call), place)
            self.problems.append(StreamProblem(found, where, run, call, delta["seq"], last))
        if stream is None and len(self._streams.by_run) > _MOST_OPEN:
            self._give_up_oldest()
        if kind == "start":
            unended = self._drafts.pop(run, None)
            if unended is not None:
                self.failures.append(Failure(unended, place, None))
            self._drafts[run] = _Draft(delta, place)
            return None
        if kind == "tool_call_start":
            self._remember(run, name, place)
        if is_late:
            return None
        if kind == "done" or kind == "error":
            return self._end(kind, run, payload, place)
        draft = self._drafts.get(run)
        if draft is not None:
            self._continue(draft, kind, payload, place)
        return None

    def _continue(self, draft: _Draft, kind: str, payload: Mapping[str, Any], place: int) -> None:
        if kind == "text" or kind == "thinking":
            draft.add_text(kind, payload["textDelta"])
        elif kind == "usage":
            # Text before and after it is still one part.
            draft.meta["usage"] = payload
        else:
            draft.growing_kind = ""
            self._continue_call(draft, kind, payload, place)

    def _continue_call(
        self, draft: _Draft, kind: str, payload: Mapping[str, Any], place: int
    ) -> None:
        call_id = payload["toolCallId"]
        if kind == "tool_call_start":
            call = draft.calls[call_id] = _CallDraft(payload)
            draft.parts.append(call)
        elif kind == "tool_call_args":
            if call_id in draft.calls:
                draft.calls[call_id].add(payload["argsTextDelta"], place)
        elif call_id in draft.calls:
            ended = draft.calls.pop(call_id)
            arguments, reason, offset = parse_arguments("".join(ended.texts))
            ended.arguments = arguments
            if arguments is None:
                draft.meta.setdefault("parseErrors", []).append(call_id)
                where = ended.place_of(offset, place)
                kind_of = ProblemKind.ARGUMENTS_UNPARSABLE
                problem = StreamProblem(kind_of, where, draft.run_id, call_id, detail=reason)
                self.problems.append(problem)
            ended.ends, ended.places = [], []

    def _end(self, kind: str, run: str, payload: Mapping[str, Any], place: int) -> Assembled | None:
        draft = self._drafts.pop(run, None)
        self._forget_ended()
        if draft is None:
            return None
        if kind == "error":
            self.failures.append(Failure(draft, place, payload))
            return None
        draft.meta["finishReason"] = payload["finishReason"]
        return Assembled(draft.message(), draft.place, place)

    def _forget_ended(self) -> None:
        """Forget ended streams but the last one, for which deltas may still come too late."""
        by_run = self._streams.by_run
        if len(by_run) > 2 * len(self._drafts) + 8:
            ended = [run for run, stream in by_run.items() if not stream.is_open]
            for run in ended[:-1]:
                del by_run[run]

    def _give_up_oldest(self) -> None:
        streams = self._streams
        run = next(iter(streams.by_run))
        del streams.by_run[run]
        draft = self._drafts.pop(run, None)
        if draft is not None:
            streams.is_blurred = True
            self.problems.append(StreamProblem(ProblemKind.NOT_ENDED, draft.place, run))

    def _remember(self, run: str, call_id: str, place: int) -> None:
        key = run, call_id
        if key in self._ids:
            kind = ProblemKind.DUPLICATE_CALL_ID
            self.problems.append(StreamProblem(kind, place, run, call_id))
        self._ids[key] = place
        if len(self._ids) > _MOST_IDS:
            del self._ids[next(iter(self._ids))]

    def so_far(self, run_id: str) -> Wire | None:
        """The incomplete message of a run's open stream, in wire form."""
        draft = self._drafts.get(run_id)
        return None if draft is None else draft.message()

    def open_runs(self) -> Sequence[str]:
        """The runs whose streams are open."""
        return list(self._drafts)

    def not_ended(self) -> list[StreamProblem]:
        """The problems of the streams that are open at the end of the input."""
        return [
            StreamProblem(ProblemKind.NOT_ENDED, failure.first_place, failure.run_id)
            for failure in self.unfinished()
        ]

    def unfinished(self) -> list[Failure]:
        """The streams that are open at the end of the input."""
        failures = [Failure(draft, draft.place, None) for draft in self._drafts.values()]
        return sorted(failures, key=lambda failure: failure.first_place)


def parse_arguments(text: str) -> tuple[Wire | None, str, int]:
    """The parsed arguments; or ``None``, the reason, and its offset in the text."""
    if not text:
        return {}, "", 0
    try:
        value = strict_loads(text)
    except (ValueError, RecursionError) as error:
        return None, json_reason(error), getattr(error, "pos", 0) if text.strip() else 0
    if not isinstance(value, dict):
        return None, Phrase("it is not a JSON object"), 0
    return value, "", 0
