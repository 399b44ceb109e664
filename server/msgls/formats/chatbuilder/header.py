r"""The header of a message: lines that start with ``;``, and where they end.

Owns two readings of the same lines. ``scan`` says where a piece of text leaves the
header, by the state that it is entered in: a header ends at two empty lines, which are
three line breaks. ``parse_header`` gives its parts.

Text that is not a header line ends the header too, where the two empty lines are missing:
else a message with one empty line too few would lose its first paragraphs. A line
without its ``;`` still counts where nothing but a header holds such a line.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from msgls.formats.chatbuilder.fields import KNOWN, ROLE, ROLES, UUID, is_uuid
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

START = "^"
"""The state before the first character of a file."""
HEADER = ";"
"""After a line of the header."""
ONE_BLANK = ";1"
"""After the first empty line below one."""
SEPARATED = ";2"
"""After the second one: what is not empty now starts the body."""

_BOM = "\ufeff"
_BLANKS = " \t"
_LINE = lazy_pattern(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_KEY = lazy_pattern(r"[A-Za-z][A-Za-z0-9_-]*(?=[ \t]*:)")
# Without a `;`. Below an empty line there may be prose, which says "Version: …" as well.
_BARE_FIELD = lazy_pattern(rf"[ \t]*(?:{'|'.join(KNOWN)})[ \t]*:")
_BARE_ROLE = lazy_pattern(
    r"[ \t]*(?:role[ \t]*:[ \t]*[^ \t]*|(?:Block|Parent)-UUID[ \t]*:.*)[ \t]*"
)
_INDENTED = lazy_pattern(r"[ \t]+;[ \t]*(?:[A-Za-z][A-Za-z0-9_-]*[ \t]*:.*)?")


class Scan(NamedTuple):
    """Where a piece leaves the header."""

    body_start: int
    """The offset of the first line of the body; -1 where the piece holds none."""
    state: str
    """The state before that line, or at the end of the piece."""


def scan(text: str, entry: str) -> Scan:
    """Follow the header through ``text`` from the state ``entry``."""
    state, offset = entry, 0
    while offset < len(text):
        match = _LINE.match(text, offset)
        if match is None:
            break
        following = _after(state, match.group(1))
        if following is None:
            return Scan(offset, state)
        state, offset = following, match.end()
    return Scan(-1, state)


def _after(state: str, line: str) -> str | None:
    """The state after a line; nothing where the body starts with it."""
    if state == START:
        line = line.removeprefix(_BOM)
    if not line:
        return {START: HEADER, HEADER: ONE_BLANK}.get(state, SEPARATED)
    if state == SEPARATED:
        return None
    if line[0] == ";" or _is_bare(line, state) or not line.strip(_BLANKS):
        return HEADER
    return None


def _is_bare(line: str, state: str) -> bool:
    """Whether a line is one of a header, but for its ``;``."""
    if state != ONE_BLANK and _BARE_FIELD.match(line):
        return True
    if _BARE_ROLE.fullmatch(line) or _INDENTED.fullmatch(line):
        return True
    return is_uuid(line.strip(_BLANKS))


class Field(NamedTuple):
    """``; key: value``. All spans are relative to the file."""

    key: str
    value: str
    line: Span
    """Without its line break."""
    key_span: Span
    """Empty where a UUID stands alone: which field that is, is plain."""
    value_span: Span


class Line(NamedTuple):
    """A line of a header that is not empty."""

    span: Span
    """Without its line break."""
    field: Field | None
    comment: str
    """What is there; nothing where it is ``;`` alone."""
    bare: bool
    """Whether it does not start with ``;``."""

    @property
    def is_lone(self) -> bool:
        """Whether it is ``;`` and nothing else: it sets the role apart."""
        return self.field is None and not self.comment


class MessageHeader(NamedTuple):
    """The header of a file."""

    lines: tuple[Line, ...]
    end: int
    """Where its last line ends, without its line break."""
    body_start: int
    separated: bool
    """Whether two empty lines are between it and the body."""
    fields: tuple[Field, ...]
    """Every field in order, the role among them."""
    first: Mapping[str, Field]
    """By its key, the one that counts: of two, the first."""

    def get(self, key: str) -> Field | None:
        """The field ``key``."""
        return self.first.get(key)

    @property
    def role(self) -> Field | None:
        """The line that says whose message it is."""
        return self.get(ROLE)

    @property
    def known_role(self) -> str | None:
        """The role, if it is one."""
        field = self.role
        return field.value if field is not None and field.value in ROLES else None

    @property
    def gap(self) -> Span:
        """All between the last line of the header and the body."""
        return Span(self.end, self.body_start)


# Every keystroke in the lines below a header makes a cell, and leaves the header as it is.
@lru_cache(maxsize=16)
def parse_header(text: str, separated: bool) -> MessageHeader:
    """The parts of a header; ``text`` is all of a file before its body."""
    lines = []
    end = offset = int(text.startswith(_BOM))
    while offset < len(text):
        match = _LINE.match(text, offset)
        if match is None:
            break
        if match.group(1).strip(_BLANKS):
            end = match.end(1)
            lines.append(_parse_line(text, offset, end))
        offset = match.end()
    fields = tuple([line.field for line in lines if line.field is not None])
    first: dict[str, Field] = {}
    for field in fields:
        first.setdefault(field.key, field)
    return MessageHeader(tuple(lines), end, len(text), separated, fields, first)


def _parse_line(text: str, start: int, end: int) -> Line:
    span = Span(start, end)
    bare = text[start] != ";"
    inside = _trimmed(text, start, end)
    if text[inside.start] == ";":
        inside = _trimmed(text, inside.start + 1, end)
    elif is_uuid(inside.of(text)):
        before = Span(inside.start, inside.start)
        return Line(span, Field(UUID, inside.of(text), span, before, inside), "", bare)
    key = _KEY.match(text, inside.start, inside.end)
    if key is None:
        return Line(span, None, inside.of(text), bare)
    colon = text.index(":", key.end(), inside.end)
    value = _trimmed(text, colon + 1, inside.end)
    field = Field(key.group(), value.of(text), span, Span(*key.span()), value)
    return Line(span, field, "", bare)


def _trimmed(text: str, start: int, end: int) -> Span:
    """A part of a line, without the spaces around it."""
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip(_BLANKS))
    return Span(left, max(left, start + len(piece.rstrip(_BLANKS))))
