"""What a JSON value says: which messages, deltas and session entries it holds.

Owns the telling apart of the three shapes, the unwrapping of session entries, and the
few words of each that rules and other cells need: the steps of streams, the mentions of
tool calls. All of it is plain data without positions; a *path* leads from the value to
the place that it speaks of.

A session entry has ``type`` and neither ``role`` nor ``kind``; a message has ``role`` or
``parts``; a delta has ``kind`` or ``seq``. Entries of the type ``message`` hold a
message, those of the type ``message_delta_batch`` a list of deltas, bare or below
``deltas``; other types are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from sys import intern
from typing import Any, NamedTuple

from msgls.formats.msgjson.shapes import CALL_KINDS, DELTA_KINDS, is_delta, is_entry, is_message
from msgls.syntax.cells import Held
from msgls.text.patterns import lazy_pattern

Path = tuple[str | int, ...]

_new_tuple = tuple.__new__

MESSAGE_ENTRY = "message"
BATCH_ENTRY = "message_delta_batch"
DELTAS = "deltas"

# Date and time as ISO 8601 writes them, in the extended and in the basic format.
_DAY = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"(?:[01][0-9]|2[0-4]):[0-5][0-9](?::(?:[0-5][0-9]|60)(?:[.,][0-9]+)?)?"
_ZONE = r"(?:[Zz]|[+\-\u2212][0-9]{2}(?::?[0-9]{2})?)?"
_BASIC = r"[0-9]{4}(?:0[1-9]|1[0-2])[0-3][0-9]T[0-2][0-9][0-5][0-9](?:[0-6][0-9](?:[.,][0-9]+)?)?"
_ISO_TIME = lazy_pattern(rf"(?:{_DAY}[Tt ]{_CLOCK}|{_BASIC}){_ZONE}")

# Which kinds of part suit a role; the model's own table loads pydantic.
_PARTS_ALLOWED = {
    "system": ("text", "thinking"),
    "user": ("text", "image", "file_ref"),
    "assistant": ("text", "thinking", "tool_call"),
    "tool": ("tool_result",),
}


class Shape(Enum):
    """The shape of a value."""

    MESSAGE = "message"
    DELTA = "delta"
    ENTRY = "entry"
    BATCH = "batch"
    """What is where a list of deltas should be."""
    UNKNOWN = "unknown"


class Item(NamedTuple):
    """A message, a delta or an entry in a value."""

    shape: Shape
    path: Path
    is_sound: bool
    """Whether it has its shape for certain; the models must be asked where not."""


class Step(NamedTuple):
    """A delta, as far as the order of deltas is concerned."""

    kind: str
    run: str
    seq: int | None
    """Nothing where it cannot be read."""
    name: str
    """``requestId`` or ``toolCallId``, if it has one."""
    path: Path


class MentionKind(Enum):
    """The ways in which a tool call is mentioned."""

    START = "start"
    ARGS = "args"
    END = "end"
    PART = "part"
    """A ``tool_call`` part of a message."""
    RESULT = "result"
    LOOSE_RESULT = "loose-result"
    """A result that is in a session, and in no ``message`` entry."""

    # Members are compared by identity; their own hash is computed in Python, for every look-up.
    __hash__ = object.__hash__


class Mention(NamedTuple):
    """A place that speaks of a tool call."""

    kind: MentionKind
    call: str
    run: str | None
    path: Path
    """Leads to the ``toolCallId``."""
    is_further: bool = False
    """Whether it is more of a result that another message began."""


class Record(NamedTuple):
    """The contents of a JSON value."""

    items: tuple[Item, ...]
    steps: tuple[Step, ...] = ()
    mentions: tuple[Mention, ...] = ()
    has_odd_parts: bool = False
    """Whether some part may not suit the role of its message."""
    has_odd_times: bool = False
    """Whether some timestamp is invalid."""
    last_user: Path | None = None
    """Leads to the last message of the user."""
    texts: tuple[str, ...] = ()
    """What each mention of the kind ``ARGS`` adds to the arguments, in order."""

    @property
    def holds(self) -> int:
        """The flags of ``Held`` that must be looked at more closely."""
        holds = 0
        if self.items is not _SOUND_DELTA and not all(item.is_sound for item in self.items):
            holds |= _HELD_UNSOUND
        if self.has_odd_parts:
            holds |= _HELD_ODD_PART
        if self.has_odd_times:
            holds |= _HELD_ODD_TIME
        return holds


# Nearly every line is one of these: they are made once.
_SOUND_DELTA = (Item(Shape.DELTA, (), True),)
_HELD_UNSOUND, _HELD_ODD_PART = int(Held.UNSOUND), int(Held.ODD_PART)
_HELD_ODD_TIME = int(Held.ODD_TIME)
_PAYLOAD_CALL: Path = ("payload", "toolCallId")
_NO_PATH: Path = ()
_ARGS = "tool_call_args"
_MENTION_OF = {
    "tool_call_start": MentionKind.START,
    _ARGS: MentionKind.ARGS,
    "tool_call_end": MentionKind.END,
}


def read_record(value: object, default: Shape = Shape.UNKNOWN, in_session: bool = False) -> Record:
    """The contents of ``value``; ``default`` is its shape if it is not clear."""
    if is_delta(value) and isinstance(value, dict) and "role" not in value:
        step = step_of(value, _NO_PATH)
        mentions: tuple[Mention, ...] = ()
        texts: tuple[str, ...] = ()
        if step.kind in CALL_KINDS:
            mentions = (_call_mention(step.kind, step.name, step.run, _NO_PATH),)
            if step.kind == _ARGS:
                texts = (_args_text(value),)
        odd = _ISO_TIME.fullmatch(value["timestamp"]) is None
        # Not by the constructor, which costs three times as much.
        fields = (_SOUND_DELTA, (step,), mentions, False, odd, None, texts)
        return _new_tuple(Record, fields)
    builder = _Builder(default, in_session)
    if isinstance(value, list):
        for index, item in enumerate(value):
            builder.add(item, (index,))
    else:
        builder.add(value, ())
    return builder.record()


def shape_of(value: object, default: Shape = Shape.UNKNOWN) -> Shape:
    """The shape of a value."""
    if not isinstance(value, dict):
        return default
    if "role" in value or "parts" in value:
        return Shape.MESSAGE
    if "kind" in value or "seq" in value:
        return Shape.DELTA
    if "type" in value:
        return Shape.ENTRY
    return default if value else Shape.UNKNOWN


def step_of(delta: dict[str, Any], path: Path) -> Step:
    """The step of a delta in its stream."""
    kind = delta["kind"]
    name = ""
    if kind in CALL_KINDS:
        name = intern(delta["payload"]["toolCallId"])
    elif kind == "start":
        name = delta["payload"]["requestId"]
    # Every line says them again: one text of each is kept.
    return _new_tuple(Step, (intern(kind), intern(delta["runId"]), delta["seq"], name, path))


def _likely_step(delta: dict[str, Any], path: Path) -> Step | None:
    """What a delta that has not quite its shape is meant to do, where that is clear."""
    kind, run, seq, payload = [delta.get(key) for key in ("kind", "runId", "seq", "payload")]
    if not isinstance(kind, str) or not isinstance(run, str) or kind not in DELTA_KINDS:
        return None
    name = ""
    if kind in CALL_KINDS or kind == "start":
        key = "requestId" if kind == "start" else "toolCallId"
        named = payload.get(key) if isinstance(payload, dict) else None
        if not isinstance(named, str) and kind != "start":
            return None
        name = named if isinstance(named, str) else ""
    return Step(kind, run, seq if type(seq) is int else None, name, path)


# The arguments of a call come in many deltas, which all mention it alike.
@lru_cache(maxsize=256)
def _call_mention(kind: str, call: str, run: str, path: Path) -> Mention:
    return Mention(_MENTION_OF[kind], call, run, path + _PAYLOAD_CALL)


def _args_text(delta: dict[str, Any]) -> str:
    text = delta["payload"].get("argsTextDelta")
    return text if isinstance(text, str) else ""


def is_iso_time(value: str) -> bool:
    """Whether a timestamp is a date and a time as ISO 8601 has them."""
    return _ISO_TIME.fullmatch(value) is not None


def odd_parts(message: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    """The parts of a message that do not suit its role: index, kind and role."""
    role, parts = message.get("role"), message.get("parts")
    allowed = _PARTS_ALLOWED.get(role) if isinstance(role, str) else None
    if allowed is None or not isinstance(parts, list):
        return
    for index, part in enumerate(parts):
        kind = part.get("kind") if isinstance(part, dict) else None
        if isinstance(kind, str) and kind in _ALL_KINDS and kind not in allowed:
            yield index, kind, str(role)


_ALL_KINDS = frozenset(kind for kinds in _PARTS_ALLOWED.values() for kind in kinds)


def batch_of(payload: object) -> tuple[list[Any], Path] | None:
    """The deltas of a batch, and the path to them below its entry."""
    if isinstance(payload, list):
        return payload, ("payload",)
    if isinstance(payload, dict) and isinstance(payload.get(DELTAS), list):
        return payload[DELTAS], ("payload", DELTAS)
    return None


class _Builder:
    """Collects what the values of one line or element say."""

    def __init__(self, default: Shape, in_session: bool) -> None:
        self.default = default
        self.in_session = in_session
        self.items: list[Item] = []
        self.steps: list[Step] = []
        self.mentions: list[Mention] = []
        self.texts: list[str] = []
        self.has_odd_parts = False
        self.has_odd_times = False
        self.last_user: Path | None = None

    def record(self) -> Record:
        return Record(
            tuple(self.items),
            tuple(self.steps),
            tuple(self.mentions),
            self.has_odd_parts,
            self.has_odd_times,
            self.last_user,
            tuple(self.texts),
        )

    def add(self, value: object, path: Path) -> None:
        shape = shape_of(value, self.default)
        if shape is Shape.DELTA:
            self.add_delta(value, path)
        elif shape is Shape.MESSAGE:
            self.add_message(value, path, is_stored=not self.in_session)
        elif shape is Shape.ENTRY:
            self.add_entry(value, path)
        else:
            self.items.append(Item(shape, path, False))

    def add_time(self, value: object) -> None:
        if isinstance(value, dict):
            time = value.get("timestamp")
            self.has_odd_times |= isinstance(time, str) and not is_iso_time(time)

    def add_delta(self, value: object, path: Path) -> None:
        sound = is_delta(value)
        self.items.append(Item(Shape.DELTA, path, sound))
        self.add_time(value)
        if not isinstance(value, dict):
            return
        # What is wrong with one delta is said of that one, and not of all that follow.
        step = step_of(value, path) if sound else _likely_step(value, path)
        if step is not None:
            self.steps.append(step)
            if step.kind in CALL_KINDS:
                self.mentions.append(_call_mention(step.kind, step.name, step.run, path))
            if step.kind == _ARGS:
                self.texts.append(_args_text(value))

    def add_message(self, value: object, path: Path, is_stored: bool) -> None:
        sound = is_message(value)
        self.items.append(Item(Shape.MESSAGE, path, sound))
        self.add_time(value)
        if not isinstance(value, dict):
            return
        self.has_odd_parts |= any(True for _ in odd_parts(value))
        if value.get("role") == "user":
            self.last_user = path
        parts, run = value.get("parts"), value.get("runId")
        if isinstance(parts, list):
            run = run if isinstance(run, str) else None
            is_further = value.get("role") == "tool" and _is_further(value.get("meta"))
            for index, part in enumerate(parts):
                self.add_part(part, (*path, "parts", index), run, is_stored, is_further)

    def add_part(
        self,
        part: object,
        path: Path,
        run: str | None,
        is_stored: bool,
        is_further: bool = False,
    ) -> None:
        payload = part.get("payload") if isinstance(part, dict) else None
        call = payload.get("toolCallId") if isinstance(payload, dict) else None
        if not isinstance(part, dict) or not isinstance(call, str):
            return
        where = path + _PAYLOAD_CALL
        if part.get("kind") == "tool_call":
            self.mentions.append(Mention(MentionKind.PART, call, run, where))
        elif part.get("kind") == "tool_result":
            kind = MentionKind.RESULT if is_stored else MentionKind.LOOSE_RESULT
            self.mentions.append(Mention(kind, call, run, where, is_further=is_further))

    def add_entry(self, value: object, path: Path) -> None:
        self.items.append(Item(Shape.ENTRY, path, is_entry(value)))
        self.add_time(value)
        if not isinstance(value, dict) or "payload" not in value:
            return
        kind, payload = value.get("type"), value["payload"]
        if kind == MESSAGE_ENTRY:
            self.add_message(payload, (*path, "payload"), is_stored=True)
        elif kind == BATCH_ENTRY:
            batch = batch_of(payload)
            if batch is None:
                self.items.append(Item(Shape.BATCH, (*path, "payload"), False))
            else:
                for index, delta in enumerate(batch[0]):
                    self.add_delta(delta, (*path, *batch[1], index))
        else:
            self.add_loose_result(value, payload, path)

    def add_loose_result(self, entry: dict[str, Any], payload: object, path: Path) -> None:
        """A tool's result in an entry of another type, which is never read back."""
        if not isinstance(payload, dict):
            return
        run = entry.get("runId")
        run = run if isinstance(run, str) else None
        call = payload.get("toolCallId")
        if isinstance(call, str) and ("isError" in payload or "content" in payload):
            where = (*path, *_PAYLOAD_CALL)
            self.mentions.append(Mention(MentionKind.LOOSE_RESULT, call, run, where))
        elif payload.get("kind") == "tool_result":
            self.add_part(payload, (*path, "payload"), run, is_stored=False)


def _is_further(meta: object) -> bool:
    """Whether a result was a cell of its own, and not the first one of its call.

    Results of one call that the model sees in different ways are different messages.
    """
    results = meta.get("results") if isinstance(meta, dict) else None
    first = results[0] if isinstance(results, list) and results else None
    number = first.get("n") if isinstance(first, dict) else None
    return isinstance(number, int) and number > 1


def value_at(value: object, path: Sequence[str | int]) -> Any:
    """The value at ``path``, which must exist."""
    for step in path:
        value = value[step]  # type: ignore[index]  # the path fits
    return value
