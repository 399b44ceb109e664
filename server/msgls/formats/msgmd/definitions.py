r"""The footnote definition: ``[^id]: [type] key="value" key=value``.

Owns one line: its head, its type and its attributes, with a span for each and a
typed problem for whatever cannot be read. Whether the definition belongs to a
cell is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgls.formats.msgmd.attributes import ATTRIBUTES
from msgls.formats.msgmd.lexer import PlainHead
from msgls.syntax.cells import (
    Attribute,
    AttributeFault,
    AttributeProblem,
    Definition,
    DefinitionHead,
    Id,
)
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_HEAD_TEXT = r"[ ]{0,3}\[\^(?P<id>[^\[\]\r\n]*)\]:[ \t]*"
_NAME_TEXT = r"[^\[\]\r\n=\"]+"
_TYPE_TEXT = rf"\[(?P<type>{_NAME_TEXT})\](?=[ \t]|\Z)"
_HEAD = lazy_pattern(_HEAD_TEXT)
_TYPE = lazy_pattern(_TYPE_TEXT)
_NAME = lazy_pattern(_NAME_TEXT)
TYPED_LINE = lazy_pattern(rf"{_HEAD_TEXT}{_TYPE_TEXT}(?P<rest>[^\r\n]*)")
"""A typed definition as a whole, for callers that need only its three parts."""
_UNCLOSED_ID = lazy_pattern(
    r"[ ]{0,3}\[\^(?P<id>[^\[\]\s:]+)(?P<colon>:[ \t]*)(?=\[[^\[\]=]+\](?:[ \t]|\Z))"
)
# A full-width colon is what Chinese input methods write.
_WITHOUT_COLON = lazy_pattern(r"[ ]{0,3}\[\^(?P<id>[^\[\]\r\n]+)\](?:[ \t]*[:\uff1a])?[ \t]*(?=\[)")
_DAMAGED = lazy_pattern(r"[ ]{0,3}\\\[\^(?P<id>(?:[^\\\[\]\r\n]|\\[._-])*)\\\]:[ \t]*")
_OPEN_TYPE = lazy_pattern(r"\[(?P<type>[^\[\]\s=\"]+)(?=[ \t]|\Z)[^\]]*(?:\Z|(?<=[\"\d\w])\]\Z)")

# A letter of any script or `_`, then letters, digits, `_` and `-`.
_KEY = r"[^\W\d][\w-]*"
_CLEAN_VALUE = r"\"[^\"\\\r\n]*\"|'[^'\\\r\n]*'|[^ \t\"'\r\n]+"
_CLEAN = lazy_pattern(rf"(?:[ \t]+{_KEY}=(?:{_CLEAN_VALUE}))*[ \t]*")
_CLEAN_PAIR = lazy_pattern(rf"(?<![\w-])({_KEY})=({_CLEAN_VALUE})")
_PAIR = lazy_pattern(rf"(?P<key>{_KEY})(?P<equals>[ \t]*=[ \t]*)")
_NEXT_PAIR = lazy_pattern(rf"{_KEY}[ \t]*=")
_QUOTED = {
    '"': re.compile(r'"(?P<inner>(?:\\.|[^"\\])*)"'),
    "'": re.compile(r"'(?P<inner>(?:\\.|[^'\\])*)'"),
}
_BARE = lazy_pattern(r"[^ \t\"']+")
_BARE_IN_BRACKET = lazy_pattern(r"[^ \t\"'\]]+")
_JUNK = lazy_pattern(r"[^ \t]+")
_BLANKS = lazy_pattern(r"[ \t]*")
_BLANK_LINES = lazy_pattern(r"[ \t\r\n]*")
_PLAIN_VALUE = lazy_pattern(
    r"[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h)?|true|false|none|include|exclude|summary"
)
_MARK = lazy_pattern(
    r"(?<![\w-])(?P<key>history|summary|virtual|reset)[\"']?[ \t]*\\?[=:\uff1d\uff1a][ \t]*"
    r"(?P<value>\"[^\"\r\n]*\"?|'[^'\r\n]*'?|[^ \t\"'\]\r\n]+)"
)
# What follows it is missing its space: `[markdown], history=none`. A link does not count.
_NEARLY_TYPED = lazy_pattern(r"[^\]]*\]:[ \t\u00a0\u3000]*\[[^\]\s]+\](?![(\[:])")
# A separator of other syntaxes and a key that means something, in a bare value.
_JOINED = lazy_pattern(
    # The first of a run of them alone is tried: of many, each would be tried to the end.
    r"(?<![,;\uff0c\uff1b\u3001])[,;\uff0c\uff1b\u3001]+(?:"
    rf"(?P<key>{'|'.join(ATTRIBUTES)})(?=[=\uff1d])|"
    r"(?P<mark>history|summary|virtual|reset)(?=[:\uff1a]))"
)
# What formatters escape; `\"` and `\\` are escapes of our own, and stay.
_ESCAPED = lazy_pattern(r"\\([\[\]_*<>`#~.!-])")
_TYPED = DefinitionHead.TYPED
_new_tuple = tuple.__new__
_ESCAPE = {'"': re.compile(r'\\(["\\])'), "'": re.compile(r"\\(['\\])")}


class TypedDefinition(Definition):
    """``[^id]: [type] …``, whose attributes are read once, on demand.

    ``values`` is what rules ask for of every definition, and needs no spans.
    """

    __slots__ = ("_attributes", "_problems", "_rest", "_values")

    def __init__(self, span: Span, id: Id, type: str, type_span: Span, rest: str) -> None:
        self.head = _TYPED
        self.span = span
        self.id = id
        self.type = type
        self.type_span = type_span
        self._rest = rest
        """What follows the type and its bracket."""
        self._values: Mapping[str, str] | None = None
        self._attributes: tuple[Attribute, ...] | None = None
        self._problems: tuple[AttributeProblem, ...] | None = None

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Every pair, in order."""
        if self._attributes is None:
            self._read()
        return self._attributes or ()

    @property
    def problems(self) -> tuple[AttributeProblem, ...]:
        """The faults after the type: text that is not an attribute."""
        if self._problems is None:
            self._read()
        return self._problems or ()

    @property
    def values(self) -> Mapping[str, str]:
        """The value of each key; of two, the last one counts."""
        values = self._values
        if values is None:
            values = clean_values(self._rest)
            if values is None:
                values = {attribute.key: attribute.value for attribute in self.attributes}
            else:
                self._problems = ()
            self._values = values
        return values

    @property
    def marks(self) -> Mapping[str, str]:
        """Of a line with a mistake also what is nearly an attribute that hides the cell."""
        values = self.values
        if not self.problems:
            return values
        found = {**marks_in(self._rest), **values}
        # In order: of two, the last one counts here too.
        for attribute in self.attributes:
            if attribute.key in found:
                found[attribute.key] = attribute.value
            if not attribute.quote and _JOINED.search(attribute.value):
                found.update(_all_marks(attribute.value))
        return found

    def _read(self) -> None:
        rest, start = self._rest, self.span.end - len(self._rest)
        attributes, problems = parse_attributes(rest, 0, len(rest))
        self._attributes = tuple([_shifted_attribute(found, start) for found in attributes])
        self._problems = tuple([p._replace(span=p.span.shift(start)) for p in problems])

    def shifted(self, by: int) -> Definition:
        """The same definition, so much further on."""
        assert self.type is not None
        assert self.type_span is not None
        there = Id(self.id.text, self.id.span.shift(by))
        span, type_span = self.span.shift(by), self.type_span.shift(by)
        moved = TypedDefinition(span, there, self.type, type_span, self._rest)
        # Read once for all that are made of this one.
        moved._values = self.values
        moved._problems = () if self._problems == () else None
        return moved


class UnreadableDefinition(Definition):
    """A line that was meant as a definition: only what hides its cell is read of it."""

    __slots__ = ("_is_escaped", "_is_meant", "_marks")

    def __init__(
        self,
        head: DefinitionHead,
        text: str,
        span: Span,
        id: Id,
        type: str | None = None,
        type_span: Span | None = None,
    ) -> None:
        super().__init__(head, span, id, type, type_span)
        line = span.of(text)
        self._marks = marks_in(line)
        self._is_escaped = head is DefinitionHead.DAMAGED and _is_typed(unescaped(line), id.text)
        self._is_meant = (
            self._is_escaped
            or head in (DefinitionHead.UNCLOSED_ID, DefinitionHead.UNCLOSED_TYPE)
            or _NEARLY_TYPED.match(line) is not None
        )

    @property
    def marks(self) -> Mapping[str, str]:
        """The attributes that hide a cell."""
        return self._marks

    @property
    def is_escaped(self) -> bool:
        """Whether the line reads as a typed definition of that id without the backslashes."""
        return self._is_escaped

    @property
    def is_meant(self) -> bool:
        """Whether a bracket is open, or a type is where one belongs."""
        return self._is_meant

    def _key(self) -> tuple[object, ...]:
        return (*super()._key(), self._marks, self._is_escaped)


def _shifted_attribute(found: Attribute, by: int) -> Attribute:
    key, value, span, key_span, value_span, quote = found
    places = span.shift(by), key_span.shift(by), value_span.shift(by)
    return Attribute(key, value, *places, quote)


def line_without_colon(text: str, start: int, cell_id: str) -> tuple[Span, str] | None:
    """The first line from ``start`` on that is not blank, and the definition that it nearly is.

    That is the typed definition of ``cell_id``, which it would be with its colon.
    """
    blank = _BLANK_LINES.match(text, start)
    span = Span(*line_bounds(text, start if blank is None else blank.end()))
    head = _WITHOUT_COLON.match(text, *span)
    if head is None or head["id"] != cell_id:
        return None
    mended = f"[^{cell_id}]: {text[head.end() : span.end]}".rstrip(" \t")
    return (span, mended) if TYPED_LINE.match(mended) else None


def definition_without_colon(text: str, start: int, cell_id: str) -> Definition | None:
    """That line, of which only what hides the cell is read."""
    found = line_without_colon(text, start, cell_id)
    if found is None:
        return None
    at = text.index(cell_id, found[0].start)
    own_id = Id(cell_id, Span(at, at + len(cell_id)))
    return UnreadableDefinition(DefinitionHead.PROSE, text, found[0], own_id)


def unescaped(line: str) -> str:
    """A line without the backslashes that formatters put there."""
    return _ESCAPED.sub(r"\1", line)


def _is_typed(line: str, cell_id: str) -> bool:
    typed = TYPED_LINE.match(line)
    return typed is not None and typed["id"] == cell_id


def marks_in(line: str) -> Mapping[str, str]:
    """The attributes that hide a cell; of two that are equal, the last one counts."""
    found = _all_marks(line)
    # Its first paragraph would be this line.
    if found.get("history") == "summary" and "summary" not in found:
        found["history"] = "exclude"
    return found


def _all_marks(text: str) -> dict[str, str]:
    return {mark["key"]: mark["value"].strip("\"'") for mark in _MARK.finditer(unescaped(text))}


def plain_definition(head: PlainHead) -> Definition:
    """The definition that a plain head ends with."""
    _, cell_id, _, _, start, kind, attributes, end = head
    id_start = start + len("[^")
    id_end = id_start + len(cell_id)
    type_end = end - len(attributes) - len("]")
    # Spelled out: the constructor of a named tuple costs three times as much.
    definition_id = _new_tuple(Id, (cell_id, _new_tuple(Span, (id_start, id_end))))
    type_span = _new_tuple(Span, (type_end - len(kind), type_end))
    span = _new_tuple(Span, (start, end))
    return TypedDefinition(span, definition_id, kind, type_span, attributes)


# Many definitions say the same: the values of one are those of the next.
@lru_cache(maxsize=1024)
def clean_values(text: str) -> Mapping[str, str] | None:
    """The values of what follows a type, where it is nothing but pairs, each key once."""
    if not _CLEAN.fullmatch(text) or _JOINED.search(text):
        return None
    pairs = _CLEAN_PAIR.findall(text)
    values = {
        key: value[1:-1] if value[0] == '"' or value[0] == "'" else value for key, value in pairs
    }
    return values if len(values) == len(pairs) else None


def parse_definition(text: str, start: int, end: int) -> Definition | None:
    """The definition on the line ``text[start:end]``, or nothing if it is not one."""
    span = Span(start, end)
    head = _HEAD.match(text, start, end)
    if head is not None:
        definition_id = Id(head.group("id"), Span(*head.span("id")))
        return _after_head(text, span, definition_id, head.end())
    damaged = _DAMAGED.match(text, start, end)
    if damaged is not None:
        damaged_id = Id(re.sub(r"\\([._-])", r"\1", damaged.group("id")), Span(*damaged.span("id")))
        return UnreadableDefinition(DefinitionHead.DAMAGED, text, span, damaged_id)
    unclosed = _UNCLOSED_ID.match(text, start, end)
    if unclosed is not None:
        unclosed_id = Id(unclosed.group("id"), Span(*unclosed.span("id")))
        return UnreadableDefinition(DefinitionHead.UNCLOSED_ID, text, span, unclosed_id)
    return None


def _after_head(text: str, span: Span, definition_id: Id, offset: int) -> Definition:
    if not text.startswith("[", offset, span.end):
        return UnreadableDefinition(DefinitionHead.PROSE, text, span, definition_id)
    kind = _TYPE.match(text, offset, span.end)
    if kind is not None:
        type_span = Span(*kind.span("type"))
        rest = text[kind.end() : span.end]
        return TypedDefinition(span, definition_id, kind["type"], type_span, rest)
    opened = _OPEN_TYPE.match(text, offset, span.end)
    if opened is not None:
        return UnreadableDefinition(
            DefinitionHead.UNCLOSED_TYPE,
            text,
            span,
            definition_id,
            opened.group("type"),
            Span(*opened.span("type")),
        )
    return UnreadableDefinition(DefinitionHead.PROSE, text, span, definition_id)


def parse_attributes(
    text: str, start: int, end: int
) -> tuple[tuple[Attribute, ...], tuple[AttributeProblem, ...]]:
    """The attributes of ``text[start:end]``, and what of it is not an attribute."""
    if _CLEAN.fullmatch(text, start, end) and not _JOINED.search(text, start, end):
        attributes = tuple(_clean_attributes(text, start, end))
        if len({attribute.key for attribute in attributes}) == len(attributes):
            return attributes, ()
    reader = _AttributeReader(text, start, end)
    reader.read()
    return tuple(reader.attributes), tuple(reader.problems)


def _clean_attributes(text: str, start: int, end: int) -> Iterator[Attribute]:
    """Pairs of a line that has nothing else: nearly every line, read without looking back."""
    for pair in _CLEAN_PAIR.finditer(text, start, end):
        key_span, value_span = Span(*pair.span(1)), Span(*pair.span(2))
        value = pair.group(2)
        quote = value[0] if value[0] in "\"'" else ""
        if quote:
            value = value[1:-1]
        yield Attribute(
            pair.group(1), value, Span(key_span.start, value_span.end), key_span, value_span, quote
        )


class _AttributeReader:
    """Reads pairs until the end of the line; whatever it cannot read it skips and names."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.offset = start
        self.end = end
        self.attributes: list[Attribute] = []
        self.problems: list[AttributeProblem] = []

    def _problem(self, fault: AttributeFault, start: int, end: int, key: str | None = None) -> None:
        self.problems.append(AttributeProblem(fault, Span(start, end), key))

    def _skip_spaces(self) -> None:
        blanks = _BLANKS.match(self.text, self.offset, self.end)
        assert blanks is not None
        self.offset = blanks.end()

    def read(self) -> None:
        self._skip_spaces()
        while self.offset < self.end:
            if not (self._pair() or self._bracketed_pair()):
                junk = _JUNK.match(self.text, self.offset, self.end)
                assert junk is not None
                self._problem(AttributeFault.UNREADABLE, *junk.span())
                self.offset = junk.end()
            before = self.offset
            self._skip_spaces()
            if before == self.offset < self.end:
                self._problem(AttributeFault.MISSING_BLANK, before, before)
        self._find_duplicates()

    def _bracketed_pair(self) -> bool:
        start = self.offset
        if self.text[start] != "[":
            return False
        count = len(self.attributes), len(self.problems)
        self.offset += 1
        self._skip_spaces()
        if self._pair(_BARE_IN_BRACKET):
            self._skip_spaces()
            if self.text.startswith("]", self.offset, self.end):
                self.offset += 1
                del self.problems[count[1] :]
                key = self.attributes[-1].key
                self._problem(AttributeFault.BRACKETED_PAIR, start, self.offset, key)
                return True
        del self.attributes[count[0] :], self.problems[count[1] :]
        self.offset = start
        return False

    def _pair(self, bare: re.Pattern[str] = _BARE) -> bool:
        pair = _PAIR.match(self.text, self.offset, self.end)
        if pair is None:
            return False
        key, start = pair.group("key"), pair.start()
        key_span = Span(*pair.span("key"))
        equals_start, equals_end = pair.span("equals")
        value_start = equals_end
        if self._value_is_missing(pair):
            value_start = self.text.index("=", equals_start) + 1
            self._problem(AttributeFault.MISSING_VALUE, start, value_start, key)
            self._add(key, "", start, key_span, Span(value_start, value_start), "")
            return True
        if equals_end - equals_start > 1:
            self._problem(AttributeFault.BLANKS_AROUND_EQUALS, equals_start, equals_end, key)
        quote = self.text[value_start]
        if quote in _QUOTED:
            quoted = _QUOTED[quote].match(self.text, value_start, self.end)
            if quoted is None:
                self._problem(AttributeFault.UNCLOSED_QUOTE, value_start, self.end, key)
                value = self.text[value_start + 1 : self.end]
                self._add(key, value, start, key_span, Span(value_start, self.end), quote)
                return True
            value = _ESCAPE[quote].sub(r"\1", quoted.group("inner"))
            self._add(key, value, start, key_span, Span(*quoted.span()), quote)
            return True
        match = bare.match(self.text, value_start, self.end)
        assert match is not None or bare is _BARE_IN_BRACKET
        span = Span(*match.span()) if match is not None else Span(value_start, value_start)
        for joined in _JOINED.finditer(self.text, *span):
            self._problem(AttributeFault.JOINED_PAIR, *joined.span(), key)
        self._add(key, span.of(self.text), start, key_span, span, "")
        return True

    def _value_is_missing(self, pair: re.Match[str]) -> bool:
        """Nothing follows, or only the next pair does: ``status= duration=2s``."""
        if pair.end() >= self.end:
            return True
        blank_after = self.text[pair.end() - 1] in " \t"
        return blank_after and _NEXT_PAIR.match(self.text, pair.end(), self.end) is not None

    def _add(
        self, key: str, value: str, start: int, key_span: Span, value_span: Span, quote: str
    ) -> None:
        span = Span(start, value_span.end)
        self.attributes.append(Attribute(key, value, span, key_span, value_span, quote))
        self.offset = value_span.end

    def _find_duplicates(self) -> None:
        seen: set[str] = set()
        for attribute in self.attributes:
            if attribute.key in seen:
                self._problem(AttributeFault.DUPLICATE_KEY, *attribute.key_span, attribute.key)
            seen.add(attribute.key)


def is_type(text: str) -> bool:
    """Whether a text can stand as the type in a definition."""
    return _NAME.fullmatch(text) is not None


def quote_value(value: str) -> str:
    """``value`` as it is written in a definition; it must hold no line break.

    Numbers, durations and switches stand bare, everything else in quotes.
    """
    if _PLAIN_VALUE.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
