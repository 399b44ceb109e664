"""Streams: which are open, and what a delta does to the stream of its run.

Owns the order of deltas, not their content: a stream opens with ``start``
and ends with one ``done`` or ``error``, ``seq`` increases within it, and a tool call
is started, given arguments and ended. A second ``start`` opens another stream, even in
the same run. Runs may be interleaved: each has its own stream.

The state of all streams can be encoded as a short text and decoded, so that it can be kept for
every line of a file, and reading can start at any line. The text is bounded: of very many streams
or calls the oldest are dropped, and so is a stream that has no deltas while others have many, so
that two states that differ only in that stream soon become equal. If a dropped stream continues,
it looks like one without a start; the caller must look for the start where it can.

A fault is reported once, where it begins: at the first delta of a stream that has no start, and
at the first delta after the end of a stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from msgls.formats.msgjson.shapes import CALL_KINDS, TERMINAL_KINDS

_MOST_STREAMS = 8
_MOST_CALLS = 32
# A delta whose `seq` is a multiple of this, and the end of a stream, is a tick: a stream without
# deltas is dropped after more than this many ticks of other streams.
_TICK = 64
_MOST_TICKS = 3
_LONGEST_NAME = 64

_BETWEEN_STREAMS = "\x1e"
_BETWEEN_FIELDS = "\x1f"
# Less than any plausible `seq`, for a stream whose first `seq` cannot be read.
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
    """A fault at the delta that was just followed."""

    kind: FaultKind
    tool_call_id: str = ""
    last_seq: int = 0
    """The previous ``seq``, if ``seq`` does not increase."""


class Phase(Enum):
    """The phase of a stream."""

    LOST = "l"
    """Its start was not seen."""
    OPEN = "o"
    ENDED = "e"
    LATE = "x"
    """Ended, and a delta that followed was already reported."""


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
        """How many ticks of other streams there were since its last delta."""

    @property
    def is_open(self) -> bool:
        """Whether more deltas may come."""
        return self.phase is Phase.OPEN or self.phase is Phase.LOST


_NO_FAULTS: Sequence[Fault] = ()


class Streams:
    """The streams of all runs, after the deltas so far."""

    __slots__ = ("_is_full", "by_run", "is_blurred")

    def __init__(self) -> None:
        self.by_run: dict[str, Stream] = {}
        self.is_blurred = False
        """Whether streams may be open that are not known here. Not encoded."""
        self._is_full = False
        """Whether there may be too many streams or calls."""

    def follow(self, kind: str, run: str, seq: int | None, name: str = "") -> Sequence[Fault]:
        """Follow one delta; ``name`` is its ``requestId`` or ``toolCallId``, if it has one.

        A ``seq`` of ``None`` could not be read, and is not compared.
        """
        stream = self.by_run.get(run)
        if kind == "start":
            return self._start(stream, run, seq, name)
        faults = _NO_FAULTS
        if stream is None:
            stream = self.by_run[run] = Stream(Phase.LOST, _FIRST if seq is None else seq)
            self._is_full |= len(self.by_run) > _MOST_STREAMS
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
            found = _follow_call(stream, kind, name)
            self._is_full |= len(stream.calls) > _MOST_CALLS
            return [*faults, *found] if faults else found
        return faults

    def _start(
        self, before: Stream | None, run: str, seq: int | None, request: str
    ) -> Sequence[Fault]:
        faults = _NO_FAULTS
        if before is not None:
            # Moved to the end: streams are in the order in which they were last opened or ended.
            del self.by_run[run]
            if before.phase is Phase.OPEN:
                again = before.request == request
                kind = FaultKind.START_REPEATED if again else FaultKind.TERMINAL_MISSING
                faults = (Fault(kind),)
        self.by_run[run] = Stream(Phase.OPEN, _FIRST if seq is None else seq, request)
        self._is_full |= len(self.by_run) > _MOST_STREAMS
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
            # A stream that ends with an error may leave calls open.
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

    def trim(self) -> None:
        """Drop the oldest of too many streams, and of too many calls: once for each line.

        Were it done when the state is encoded, it would matter how many lines share a block.
        """
        if not self._is_full:
            return
        self._is_full = False
        while len(self.by_run) > _MOST_STREAMS:
            del self.by_run[next(iter(self.by_run))]
        for stream in self.by_run.values():
            while len(stream.calls) > _MOST_CALLS:
                del stream.calls[next(iter(stream.calls))]

    def encode(self) -> str:
        """The state as a text, empty without streams, and without what is too much."""
        self.trim()
        texts = [_encode_stream(run, stream) for run, stream in self.by_run.items()]
        return _BETWEEN_STREAMS.join(texts)

    def release(self) -> str:
        """Encode the state; the caller must not use these streams any more."""
        global _last_released
        state = self.encode()
        _last_released = state, self
        return state

    @classmethod
    def acquire(cls, state: str) -> Streams:
        """The streams of a state: those that were released last, if it is theirs; else decoded."""
        global _last_released
        released_state, streams = _last_released
        if released_state != state or streams is None:
            return cls.decode(state)
        # They are changed from here on: nobody else may get them.
        _last_released = "", None
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


# Lines are read in order, each from the state in which the line before it ended. The streams behind
# that state are kept, so that they are not decoded again for every line.
_last_released: tuple[str, Streams | None] = ("", None)


# The same few runs and calls are named by many deltas.
@lru_cache(maxsize=256)
def short_name(name: str) -> str:
    """A name as it is encoded: unchanged, or a digest of a long or unprintable name."""
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
    phase = f"{stream.phase.value}{stream.ticks}"
    # Less is kept of a stream that has ended, so that two states become equal sooner.
    seq, request = (stream.seq, stream.request) if stream.is_open else (0, "")
    # In hex: Python refuses to write very long numbers in decimal.
    head = f"{run}{_BETWEEN_FIELDS}{phase}{_BETWEEN_FIELDS}{seq:x}{_BETWEEN_FIELDS}{request}"
    if not calls:
        return head
    return _BETWEEN_FIELDS.join([head, *[("+" if calls[call] else "-") + call for call in calls]])
