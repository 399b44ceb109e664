"""Streams: which are open, and what a delta does to the one of its run.

Owns the order of deltas, and not their content: a stream opens at ``start``
and ends at its one ``done`` or ``error``, ``seq`` increases within it, and a tool call
is started, given arguments and ended. A second ``start`` opens another stream, even in
the same run. Runs may be interleaved: each has its own stream.

The state of all streams can be written as a short text and read again, so that it can be kept
at every line of a file, and reading can start at any of them. The text is bounded, and forgets:
of very many streams or calls the oldest go, and so does a stream that has no deltas while others
have many, so that two states that differ in it are soon the same. A stream that was forgotten and
continues looks like one without a start; the caller must look it up where it can.

A mistake is told once, where it begins: of all deltas of a stream that has no start, or
after its end, the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from msgls.formats.msgjson.shapes import CALL_KINDS, TERMINAL_KINDS

_MOST_STREAMS = 8
_MOST_CALLS = 32
# A delta with such a `seq`, and the end of a stream, is a tick: who has said nothing for so
# many ticks of the others is forgotten.
_TICK = 64
_MOST_TICKS = 3
_LONGEST_NAME = 64

_BETWEEN_STREAMS = "\x1e"
_BETWEEN_FIELDS = "\x1f"
# Before every sane number, for a stream whose first one cannot be read.
_FIRST = -(1 << 63)


class FaultKind(Enum):
    """The faults in the order of deltas."""

    START_MISSING = "start-missing"
    START_REPEATED = "start-repeated"
    TERMINAL_MISSING = "terminal-missing"
    """A ``start`` while the stream before it, of the same run, has not ended."""
    DELTA_AFTER_TERMINAL = "delta-after-terminal"
    SECOND_TERMINAL = "second-terminal"
    SEQ_NOT_INCREASING = "seq-not-increasing"
    CALL_NOT_STARTED = "call-not-started"
    """Arguments or an end of a call that is not open."""
    CALL_NOT_ENDED = "call-not-ended"
    """A call that is open while its stream is done."""


class Fault(NamedTuple):
    """One thing that is wrong, at the delta that was given."""

    kind: FaultKind
    tool_call_id: str = ""
    last_seq: int = 0
    """The ``seq`` before, where the order of those is wrong."""


class Phase(Enum):
    """The phase of a stream."""

    LOST = "l"
    """Its start was not seen."""
    OPEN = "o"
    ENDED = "e"
    LATE = "x"
    """Ended, and something followed, which was said already."""


class Stream:
    """The state of one stream."""

    __slots__ = ("calls", "forgets_calls", "phase", "request", "seq", "ticks")

    def __init__(self, phase: Phase, seq: int, request: str = "") -> None:
        self.phase = phase
        self.seq = seq
        self.request = request
        self.calls: dict[str, bool] = {}
        """Open calls; false for one whose start was not seen."""
        self.forgets_calls = False
        self.ticks = 0
        """How many times others ticked since its last delta."""

    @property
    def is_open(self) -> bool:
        """Whether more deltas may come."""
        return self.phase is Phase.OPEN or self.phase is Phase.LOST


_NO_FAULTS: Sequence[Fault] = ()


class Streams:
    """The streams of all runs, each at the place that has been reached."""

    __slots__ = ("by_run", "is_blurred")

    def __init__(self) -> None:
        self.by_run: dict[str, Stream] = {}
        self.is_blurred = False
        """Whether streams may be open that are not known here. No part of the text."""

    def follow(self, kind: str, run: str, seq: int | None, name: str = "") -> Sequence[Fault]:
        """Take one delta up; ``name`` is its ``requestId`` or ``toolCallId``, if it has one.

        A ``seq`` that cannot be read is passed over.
        """
        stream = self.by_run.get(run)
        if kind == "start":
            return self._start(stream, run, seq, name)
        faults = _NO_FAULTS
        if stream is None:
            stream = self.by_run[run] = Stream(Phase.LOST, _FIRST if seq is None else seq)
            if not self.is_blurred:
                faults = (Fault(FaultKind.START_MISSING),)
            else:
                stream.forgets_calls = True
        elif not stream.is_open:
            return self._late(stream, kind)
        elif seq is not None:
            if seq <= stream.seq:
                faults = (Fault(FaultKind.SEQ_NOT_INCREASING, last_seq=stream.seq),)
            stream.seq = seq
        if kind in TERMINAL_KINDS:
            return [*faults, *self._end(stream, run, kind)]
        if kind in CALL_KINDS:
            return [*faults, *_follow_call(stream, kind, name)]
        return faults

    def _start(
        self, before: Stream | None, run: str, seq: int | None, request: str
    ) -> Sequence[Fault]:
        faults = _NO_FAULTS
        if before is not None:
            # After the others: the order is that in which they were opened or ended.
            del self.by_run[run]
            if before.phase is Phase.OPEN:
                again = before.request == request
                kind = FaultKind.START_REPEATED if again else FaultKind.TERMINAL_MISSING
                faults = (Fault(kind),)
        self.by_run[run] = Stream(Phase.OPEN, _FIRST if seq is None else seq, request)
        return faults

    def _late(self, stream: Stream, kind: str) -> Sequence[Fault]:
        if kind in TERMINAL_KINDS:
            return (Fault(FaultKind.SECOND_TERMINAL),)
        if stream.phase is Phase.LATE:
            return _NO_FAULTS
        stream.phase = Phase.LATE
        return (Fault(FaultKind.DELTA_AFTER_TERMINAL),)

    def _end(self, stream: Stream, run: str, kind: str) -> list[Fault]:
        faults = []
        if kind == "done":
            # What breaks off in an error leaves calls behind.
            calls = stream.calls.items()
            faults = [Fault(FaultKind.CALL_NOT_ENDED, call) for call, known in calls if known]
        stream.phase = Phase.ENDED
        stream.calls = {}
        self.by_run[run] = self.by_run.pop(run)
        return faults

    def tick(self, kind: str, run: str, seq: int | None) -> None:
        """Age the streams without deltas; ``run`` has just had one."""
        stream = self.by_run.get(run)
        if stream is not None:
            stream.ticks = 0
        if len(self.by_run) < 2 or not (kind in TERMINAL_KINDS or (seq and not seq % _TICK)):
            return
        for other, idle in list(self.by_run.items()):
            if other != run:
                idle.ticks += 1
                if idle.ticks > _MOST_TICKS:
                    del self.by_run[other]

    # -- as text --------------------------------------------------------------------------

    def encode(self) -> str:
        """The state as a text; nothing where nothing is known. Forgets what is too much."""
        while len(self.by_run) > _MOST_STREAMS:
            del self.by_run[next(iter(self.by_run))]
        texts = [_encode_stream(run, stream) for run, stream in self.by_run.items()]
        return _BETWEEN_STREAMS.join(texts)

    def put_down(self) -> str:
        """The state as a text; the streams are kept for the line that follows."""
        global _put_down
        state = self.encode()
        _put_down = state, self
        return state

    @classmethod
    def taken_up(cls, state: str) -> Streams:
        """The streams of a state; from one line to the next, those that were just put down."""
        global _put_down
        kept, streams = _put_down
        if kept != state or streams is None:
            return cls.decode(state)
        _put_down = "", None
        return streams

    @classmethod
    def decode(cls, state: str) -> Streams:
        """The streams of a state that ``encode`` wrote."""
        streams = cls()
        if not state:
            return streams
        for text in state.split(_BETWEEN_STREAMS):
            run, phase, seq, request, *calls = text.split(_BETWEEN_FIELDS)
            stream = Stream(_PHASES[phase[0]], int(seq, 16), request)
            stream.ticks = int(phase[1:])
            stream.calls = {call[1:]: call[0] == "+" for call in calls}
            streams.by_run[run] = stream
        return streams


_put_down: tuple[str, Streams | None] = ("", None)


# Runs and calls are named again and again.
@lru_cache(maxsize=256)
def short_name(name: str) -> str:
    """A name as states hold it: as it is, or a digest of it where it is long or strange."""
    if len(name) <= _LONGEST_NAME and name.isprintable() and not name.startswith("#"):
        return name
    # Imported late: hardly any file has such names.
    import hashlib

    return "#" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _follow_call(stream: Stream, kind: str, call: str) -> Sequence[Fault]:
    if kind == "tool_call_start":
        stream.calls.pop(call, None)
        stream.calls[call] = True
        return _NO_FAULTS
    if kind == "tool_call_args":
        known = call in stream.calls
        if not known:
            stream.calls[call] = False
    else:
        known = stream.calls.pop(call, None) is not None
    if known or stream.forgets_calls:
        return _NO_FAULTS
    return (Fault(FaultKind.CALL_NOT_STARTED, call),)


_PHASES = {phase.value: phase for phase in Phase}


def _encode_stream(run: str, stream: Stream) -> str:
    calls = stream.calls
    while len(calls) > _MOST_CALLS:
        del calls[next(iter(calls))]
    phase = f"{stream.phase.value}{stream.ticks}"
    # A stream that has ended needs fewer words: so two states become equal sooner.
    seq, request = (stream.seq, stream.request) if stream.is_open else (0, "")
    # In hex: Python refuses to write very long numbers in decimal.
    head = f"{run}{_BETWEEN_FIELDS}{phase}{_BETWEEN_FIELDS}{seq:x}{_BETWEEN_FIELDS}{request}"
    if not calls:
        return head
    return _BETWEEN_FIELDS.join([head, *[("+" if calls[call] else "-") + call for call in calls]])
