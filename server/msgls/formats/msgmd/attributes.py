"""The attributes of a definition: which there are, on which cells, with which values.

Owns the one table of them, and the reading of their values. Rules, hovers and completions all look
here. An attribute that is not in the table is allowed: another program may use it.
"""

from collections.abc import Mapping
from datetime import date
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from msgls.formats.base import CellRole
from msgls.formats.values import HISTORY_SLIPS, HISTORY_VALUES, INCLUDED_VALUES
from msgls.syntax.cells import Attribute, Definition
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.similar import closest
from msgls.text.spans import Span

MESSAGES = frozenset({CellRole.MESSAGE, CellRole.CODE})
OUTPUTS = frozenset({CellRole.ANSWER, CellRole.CALL, CellRole.RESULT, CellRole.RUN})
CELLS = MESSAGES | OUTPUTS

AGENT_DEFINITION = ("definition", "agent")
"""The attribute that makes a message cell the definition of a temporary agent."""
DEFAULT_MIME_TYPE = "text/plain"


class ValueKind(Enum):
    """How the value of an attribute is read."""

    TEXT = "text"
    CHOICE = "choice"
    SWITCH = "switch"
    TIME = "time"
    DURATION = "duration"
    MIME_TYPE = "mime-type"
    PATH = "path"


class AttributeSpec(NamedTuple):
    """One row of the table."""

    key: str
    roles: frozenset[CellRole]
    """The cells that it means something on."""
    kind: ValueKind
    description: Phrase
    """In one sentence."""
    values: tuple[str, ...] = ()
    """What may be written, the usual spelling first; empty where that is not a list."""
    read_as: Mapping[str, str] = MappingProxyType({})
    """What is read too, and as which of ``values``."""
    slips: Mapping[str, str] = MappingProxyType({})
    """Words that are invalid but clearly mean one of ``values``: they are offered as corrections.
    """
    default: str | None = None
    required_on: frozenset[CellRole] = frozenset()
    required_with: tuple[str, str] | None = None
    """The key and the value of another attribute that makes this one required."""

    def is_required(self, role: CellRole, definition: Definition) -> bool:
        """Whether a cell of that role, so defined, must have it."""
        if role in self.required_on:
            return True
        if self.required_with is None or role not in self.roles:
            return False
        key, value = self.required_with
        return definition.value(key) == value

    def accepts(self, value: str) -> bool:
        """Whether ``value`` can be read."""
        if self.kind in (ValueKind.CHOICE, ValueKind.SWITCH):
            return value in self.values or value in self.read_as
        if self.kind is ValueKind.TIME:
            return parse_time(value) is not None
        if self.kind is ValueKind.DURATION:
            return _DURATION.fullmatch(value) is not None
        if self.kind is ValueKind.MIME_TYPE:
            return _MIME_TYPE.fullmatch(value) is not None
        return True

    def mend(self, value: str) -> str | None:
        """The correction of the invalid ``value``, if it is certain."""
        trimmed = value.strip(" \t,;")
        if trimmed != value and trimmed and self.accepts(trimmed):
            return trimmed
        if self.kind in (ValueKind.CHOICE, ValueKind.SWITCH):
            return self._mend_choice(trimmed)
        mended = None
        if self.kind is ValueKind.TIME:
            mended = _mend_time(trimmed)
        elif self.kind is ValueKind.DURATION:
            mended = _mend_duration(trimmed)
        elif self.kind is ValueKind.MIME_TYPE:
            mended = _mend_mime_type(trimmed)
        return mended if mended is not None and self.accepts(mended) else None

    def _mend_choice(self, value: str) -> str | None:
        folded = value.casefold()
        if folded in self.values or folded in self.read_as:
            return folded
        if folded in self.slips:
            return self.slips[folded]
        near = closest(folded, (*self.values, *self.read_as), limit=2)
        # A single letter resembles nothing: a `2` is a misspelling of neither `0` nor `1`.
        return near[0] if len(near) == 1 and len(near[0]) > 2 else None


_SWITCH_SLIPS = {
    **dict.fromkeys(("yes", "y", "on"), "1"),
    **dict.fromkeys(("no", "n", "off"), "0"),
}


def _switch(
    key: str, roles: frozenset[CellRole], description: Phrase, default: str = "0"
) -> AttributeSpec:
    values = ("1", "0", "true", "false")
    kind = ValueKind.SWITCH
    return AttributeSpec(key, roles, kind, description, values, {}, _SWITCH_SLIPS, default)


_SUCCESS = ("ok", "okay", "succeeded", "successful", "passed", "pass", "done", "completed")
_FAILURE = ("fail", "failing", "err", "errored", "ko", "exception")
_RUNS = frozenset({CellRole.RUN})
_RESULTS = frozenset({CellRole.RESULT, CellRole.RUN})

_TABLE = (
    AttributeSpec(
        "history",
        CELLS,
        ValueKind.CHOICE,
        Phrase("Whether the model sees this cell: all of it, only its summary, or nothing."),
        values=HISTORY_VALUES,
        slips=HISTORY_SLIPS,
        default=INCLUDED_VALUES[0],
    ),
    AttributeSpec(
        "summary",
        CELLS,
        ValueKind.TEXT,
        Phrase("What the model sees of this cell where `history` is `summary`."),
    ),
    AttributeSpec(
        "role",
        MESSAGES,
        ValueKind.CHOICE,
        Phrase("Who speaks in this message."),
        values=("user", "system"),
        slips={"human": "user", "sys": "system", "developer": "system", "dev": "system"},
        default="user",
    ),
    AttributeSpec(
        "time",
        OUTPUTS,
        ValueKind.TIME,
        Phrase("When this output was made: ISO 8601 with an offset, as 2025-05-30T09:30:00+08:00."),
    ),
    _switch(
        "reasoning",
        frozenset({CellRole.ANSWER}),
        Phrase("Whether this answer is the agent's reasoning."),
    ),
    AttributeSpec(
        "name",
        MESSAGES | {CellRole.CALL},
        ValueKind.TEXT,
        Phrase("The tool that is called, or the agent that is defined."),
        required_on=frozenset({CellRole.CALL}),
        required_with=AGENT_DEFINITION,
    ),
    AttributeSpec(
        "status",
        _RESULTS,
        ValueKind.CHOICE,
        Phrase("How it ended."),
        values=("success", "failure"),
        read_as={"error": "failure", "failed": "failure"},
        slips={**dict.fromkeys(_SUCCESS, "success"), **dict.fromkeys(_FAILURE, "failure")},
        required_on=_RUNS,
    ),
    AttributeSpec(
        "duration",
        _RESULTS,
        ValueKind.DURATION,
        Phrase(
            "How long it took: a number with `ms`, `s`, `m` or `h`, or a bare number of seconds."
        ),
    ),
    AttributeSpec(
        "mime_type",
        _RUNS,
        ValueKind.MIME_TYPE,
        Phrase("What the output is; a binary type means base64."),
        default=DEFAULT_MIME_TYPE,
    ),
    AttributeSpec(
        "output_file",
        _RUNS,
        ValueKind.PATH,
        Phrase("Where the output is kept, relative to this file."),
    ),
    AttributeSpec(
        "output",
        _RUNS,
        ValueKind.CHOICE,
        Phrase(
            "What a run showed: the value of its last expression, something that it displayed, "
            "an error, or the output before it in another way."
        ),
        values=("result", "display", "error", "alternative"),
    ),
    AttributeSpec(
        "alt",
        _RUNS,
        ValueKind.TEXT,
        Phrase("What stands in for the output where it cannot be shown."),
    ),
    AttributeSpec(
        "execution_count",
        _RUNS,
        ValueKind.TEXT,
        Phrase("What the kernel counted, where that is not the number of the run."),
    ),
    _switch(
        "newline",
        _RUNS,
        Phrase("`0`: the last line that was printed has no line break."),
        default="1",
    ),
    AttributeSpec(
        "definition",
        MESSAGES,
        ValueKind.CHOICE,
        Phrase("`agent`: this cell defines a temporary agent."),
        values=("agent",),
    ),
    _switch("virtual", OUTPUTS, Phrase("`1`: shown to people, and never sent to the model.")),
    _switch("boot", OUTPUTS, Phrase("`1`: the message that an agent starts a conversation with.")),
    _switch("reset", OUTPUTS, Phrase("`1`: what the model sees starts after this cell.")),
    _switch(
        "incomplete",
        OUTPUTS,
        Phrase("`1`: the answer is being written, or was stopped or cut off."),
    ),
)

ATTRIBUTES: Mapping[str, AttributeSpec] = MappingProxyType({spec.key: spec for spec in _TABLE})
"""Every attribute that means something, by its key."""


def attributes_on(role: CellRole) -> list[AttributeSpec]:
    """The attributes that mean something on a cell of that role."""
    return [spec for spec in _TABLE if role in spec.roles]


@lru_cache(maxsize=1024)
def is_accepted(key: str, value: str) -> bool:
    """Whether ``value`` can be read for ``key``; an unknown key takes any."""
    spec = ATTRIBUTES.get(key)
    return spec is None or spec.accepts(value)


@lru_cache(maxsize=1024)
def known_keys_near(key: str) -> tuple[str, ...]:
    """The keys of the table that ``key``, which is not among them, may be a misspelling of."""
    return tuple(closest(key, ATTRIBUTES))


# ---------------------------------------------------------------------------
# How a value is written


def value_inside(attribute: Attribute) -> Span:
    """The value without its quotes; as it is written, where nothing is between them."""
    start, end = attribute.value_span
    if attribute.quote and end - start > 2:
        return Span(start + 1, end - 1)
    return attribute.value_span


def as_written(attribute: Attribute, value: str) -> str:
    """``value`` in the quotes that ``attribute`` has now; bare where it is bare and can be."""
    quote = attribute.quote
    if not quote and value and not any(character in " \t\"'" for character in value):
        return value
    quote = quote or '"'
    return quote + value.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote


# ---------------------------------------------------------------------------
# Times

_TIME = lazy_pattern(
    r"(?P<year>[0-9]{4})(?P<dash>-?)(?P<month>[0-9]{2})(?P=dash)(?P<day>[0-9]{2})"
    r"T(?P<hour>[0-9]{2})"
    r"(?:(?P<colon>:?)(?P<minute>[0-9]{2})(?:(?P=colon)(?P<second>[0-9]{2})"
    r"(?:[.,](?P<fraction>[0-9]{1,30}))?)?)?"
    r"(?:Z|(?P<sign>[+\-\u2212])(?P<off_hour>[0-9]{2}):?(?P<off_minute>[0-9]{2})?)"
)
_NANOSECONDS = 1_000_000_000


@lru_cache(maxsize=8192)
def parse_time(value: str) -> int | None:
    """ISO 8601 with an offset as nanoseconds of one clock, to compare; nothing for the rest."""
    match = _TIME.fullmatch(value)
    if match is None:
        return None
    year, month, day, hour = map(int, match.group("year", "month", "day", "hour"))
    numbers = match.group("minute", "second", "off_hour", "off_minute")
    minute, second, off_hour, off_minute = [int(number or 0) for number in numbers]
    # A leap second is the 61st of its minute; midnight may be the end of a day.
    is_end_of_day = hour == 24 and minute == second == 0
    if (hour > 23 and not is_end_of_day) or minute > 59 or second > 60:
        return None
    if off_hour > 23 or off_minute > 59:
        return None
    try:
        days = _days(year, month, day)
    except ValueError:
        return None
    offset = off_hour * 60 + off_minute
    if match.group("sign") == "+":
        offset = -offset
    seconds = ((days * 24 + hour) * 60 + minute + offset) * 60 + second
    fraction = (match.group("fraction") or "")[:9].ljust(9, "0")
    return seconds * _NANOSECONDS + int(fraction)


@lru_cache(maxsize=1024)
def _days(year: int, month: int, day: int) -> int:
    """The number of a day. Raises ``ValueError``."""
    return date(year, month, day).toordinal()


def is_impossible_time(value: str) -> bool:
    """Whether it is written as it should be, and there is no such day or hour."""
    return _TIME.fullmatch(value) is not None and parse_time(value) is None


_TIME_SLIP = lazy_pattern(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ \tTt_]+([0-9:.,]+)[ \t]*([Zz]|UTC|.*)")


def _mend_time(value: str) -> str | None:
    """Without a space for the ``T`` or before the offset, in capitals. An offset is not guessed."""
    match = _TIME_SLIP.fullmatch(value)
    if match is None:
        return None
    day, clock, offset = match.groups()
    return f"{day}T{clock}{'Z' if offset == 'UTC' else offset.upper()}"


# ---------------------------------------------------------------------------
# Durations

_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_DURATION = lazy_pattern(rf"{_NUMBER}(?:ms|s|m|h)?")
_DURATION_SLIP = lazy_pattern(r"([0-9]*)(?:([.,])([0-9]*))?[ \t]*([A-Za-z]*)\.?")
_UNITS = {
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), "m"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    "": "",
}


def _mend_duration(value: str) -> str | None:
    match = _DURATION_SLIP.fullmatch(value)
    if match is None:
        return None
    whole, point, fraction, word = match.groups(default="")
    unit = _UNITS.get(word.casefold())
    if unit is None or not (whole or fraction):
        return None
    if point == "," and len(fraction) == 3 and whole.strip("0"):
        return None  # 1,500 may be one and a half as well as fifteen hundred.
    return f"{whole or '0'}.{fraction}{unit}" if fraction else f"{whole}{unit}"


# ---------------------------------------------------------------------------
# MIME types

_MIME_NAME = r"[A-Za-z0-9!#$&^_.+-]+"
_MIME_TYPE = lazy_pattern(rf"{_MIME_NAME}/{_MIME_NAME}(?:[ \t]*;[^\r\n]*)?")
_MIME_SLIPS = {
    **dict.fromkeys(("text", "txt", "plain", "text/"), "text/plain"),
    **dict.fromkeys(("html", "csv", "css"), "text/{}"),
    **dict.fromkeys(("markdown", "md"), "text/markdown"),
    **dict.fromkeys(("png", "gif", "jpeg", "webp", "bmp", "tiff"), "image/{}"),
    "jpg": "image/jpeg",
    "svg": "image/svg+xml",
    **dict.fromkeys(("json", "xml", "pdf", "zip"), "application/{}"),
}
_BLANKS_IN_TYPE = lazy_pattern(r"(?<![ \t])[ \t]*[/\\][ \t]*")


def _mend_mime_type(value: str) -> str:
    slip = _MIME_SLIPS.get(value.casefold().lstrip("."))
    if slip is not None:
        return slip.format(value.casefold().lstrip("."))
    return _BLANKS_IN_TYPE.sub("/", value, count=1)


class MimeType(NamedTuple):
    """What the content of an output is, as far as reading it needs to know."""

    text: str
    """In small letters, without parameters."""

    @property
    def names_streams(self) -> bool:
        """Whether each line of the content names its stream; other texts are as they are."""
        return self.text == DEFAULT_MIME_TYPE

    @property
    def is_binary(self) -> bool:
        """Whether the content is base64."""
        subtype = self.text.partition("/")[2]
        return not self.text.startswith("text/") and not subtype.endswith(("json", "jsonl", "xml"))


def is_mime_type(text: str) -> bool:
    """Whether a text names a type, and perhaps its parameters."""
    return _MIME_TYPE.fullmatch(text) is not None


def mime_type_of(definition: Definition) -> MimeType | None:
    """The type of an execution's output; nothing where it cannot be read."""
    value = definition.value("mime_type")
    if value is None:
        return MimeType(DEFAULT_MIME_TYPE)
    if not is_mime_type(value):
        return None
    return MimeType(value.partition(";")[0].strip(" \t").lower())
