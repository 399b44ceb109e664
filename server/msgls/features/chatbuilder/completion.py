"""Completion in a message: fields, their values, codes of rules, languages of fences.

Owns the choice. It reads the line up to the cursor as text, because a line that is being
typed seldom parses; the parsed header tells which fields there are already.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime

from msgls.document.snapshot import Snapshot
from msgls.features.chatbuilder.folder import PARTS, bumped
from msgls.features.chatbuilder.hover import field_parts, role_parts
from msgls.features.chatbuilder.places import header_of
from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.cursor import Cursor
from msgls.features.describe import rule_parts
from msgls.features.languages import USUAL_LANGUAGES, known_languages
from msgls.features.markup import Part
from msgls.features.snippets import choice, literal, plain
from msgls.formats.chatbuilder import fields
from msgls.formats.chatbuilder.cells import OWN_KEY
from msgls.formats.chatbuilder.fields import CREATED, EXTRA, PARENT, REQUIRED, ROLE, ROLES, UUID
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.formats.chatbuilder.roles import likely_roles
from msgls.rules.chatbuilder.cbm005_missing_fields import description_of
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase, as_phrase
from msgls.text.spans import Span

_BEFORE_KEY = lazy_pattern(
    r"(?P<mark>\ufeff?[ \t]*(?:;|(?![ \t])))(?P<blanks>[ \t]*)(?P<key>[A-Za-z0-9_-]*)"
)
_BEFORE_VALUE = lazy_pattern(
    r"\ufeff?[ \t]*;[ \t]*(?P<key>[A-Za-z][A-Za-z0-9_-]*)[ \t]*:(?P<blanks>[ \t]*)(?P<value>.*)"
)
_AFTER_KEY = lazy_pattern(r"(?P<key>[A-Za-z0-9_-]*)(?P<said>[ \t]*:)?")
_CODES = lazy_pattern(r"ignore[ \t]+(?:[A-Za-z0-9-]+[, \t]+)*(?P<code>[A-Za-z0-9]*)")
_FENCE = lazy_pattern(r"[ ]*\\?(?:`{3,}|~{3,})[ \t]*(?P<name>[^ \t`]*)")

_OPENERS = (";", " ")
_OPEN = lazy_pattern(r"\ufeff?;[ \t]*(?:[A-Za-z][A-Za-z0-9_-]*[ \t]*:[ \t]+)?")

_LANGUAGE, _VERSION = "Language", "Version"


class _Cursor(Cursor):
    """A place in a message, and the line around it."""

    def __init__(self, snapshot: Snapshot, header: MessageHeader, offset: int) -> None:
        super().__init__(snapshot.document, offset)
        self.header = header
        self.now = snapshot.time

    @property
    def role(self) -> str:
        """The role, or else the likeliest one."""
        return likely_roles(self.header, self.document.path)[0]


def complete(snapshot: Snapshot, offset: int) -> Completions:
    """The suggestions at ``offset``."""
    document = snapshot.document
    header = header_of(document)
    if header is None:
        return Completions()
    cursor = _Cursor(snapshot, header, offset)
    # If there is no body, the last line may still become part of the header.
    if header.body_start < len(document.store) and cursor.line_start >= header.body_start:
        return _in_fence(cursor)
    value = _BEFORE_VALUE.fullmatch(cursor.before)
    if value is not None:
        return Completions(tuple(_values(cursor, *value.group("key", "blanks", "value"))))
    return Completions(tuple(_keys(cursor)))


def opens(snapshot: Snapshot, offset: int, character: str) -> bool:
    """Whether a list may open by itself after ``character`` was typed right before ``offset``."""
    document = snapshot.document
    line, column = document.position_of(offset)
    before = document.store.line_text(line)[:column]
    return character in _OPENERS and _OPEN.fullmatch(before) is not None


# ---------------------------------------------------------------------------
# Fields


def _keys(cursor: _Cursor) -> Iterator[Item]:
    """The fields that are not there yet, each with a value, in the order of a header."""
    before, after = _BEFORE_KEY.fullmatch(cursor.before), _AFTER_KEY.match(cursor.after)
    if before is None or after is None or not _may_start_field(cursor):
        return
    typed, rest = before["key"], after["key"]
    lead = ("" if ";" in before["mark"] else ";") + ("" if before["blanks"] else " ")
    if typed and ";" not in before["mark"]:
        return
    own = typed + rest if after["said"] else ""
    for key in (*REQUIRED, *EXTRA, ROLE, OWN_KEY):
        if key != own and cursor.header.get(key) is not None and key != OWN_KEY:
            continue
        snippet = literal(f"{lead}{key}")
        if not after["said"]:
            snippet += f": {_new(cursor, key)}"
        edit = cursor.edit(typed, rest, plain(snippet))
        yield Item(key, ItemKind.KEY, edit, _DETAILS.get(key, ""), snippet, None, ("field", key))


def _may_start_field(cursor: _Cursor) -> bool:
    """In the header; on an empty line only where the header continues, or right below it."""
    if cursor.before.strip("\ufeff \t") or cursor.offset <= cursor.header.end:
        return True
    text = cursor.document.store.slice(Span(cursor.header.end, cursor.offset))
    return len(text.replace("\r\n", "\n").strip(" \t")) <= 1


_DETAILS = {
    UUID: Phrase("with a new UUID"),
    CREATED: Phrase("now"),
    OWN_KEY: Phrase("suppress a rule"),
}


def _new(cursor: _Cursor, key: str) -> str:
    """The value that a field gets, in the snippet notation."""
    if key == ROLE:
        return choice(1, likely_roles(cursor.header, cursor.document.path))
    if key == CREATED:
        return literal(_time(cursor.now))
    if key == OWN_KEY:
        return "ignore $1"
    if key == PARENT:
        return "${1:N/A}"
    if key not in REQUIRED:
        return "$1"
    role = cursor.role
    value = fields.new_value(key, role, description_of(cursor.document, cursor.header, role))
    if key == "Authors":
        return f"${{1:{literal(fields.NOBODY)}}} (v{fields.FIRST_VERSION})"
    return literal(value) if key == UUID else f"${{1:{literal(value)}}}"


def _time(now: str) -> str:
    """A time in the style of these files: UTC, with milliseconds."""
    try:
        moment = datetime.fromisoformat(now).astimezone(UTC)
    except (ValueError, OverflowError):
        return fields.now()
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# ---------------------------------------------------------------------------
# Values


def _values(cursor: _Cursor, key: str, blanks: str, typed: str) -> Iterator[Item]:
    """The values of a field; each replaces all of the present value."""
    if key == OWN_KEY:
        yield from _rules(cursor, typed)
        return
    rest = cursor.after.rstrip(" \t")
    lead = "" if blanks else " "
    for value, detail, topic in _offered(cursor, key, typed):
        kind = ItemKind.LANGUAGE if key == _LANGUAGE else ItemKind.VALUE
        # A new value does not match what was typed, but may replace it: it must not be filtered.
        is_other = typed and not value.casefold().startswith(typed.casefold())
        filter_text = typed if is_other and key != _LANGUAGE and key != ROLE else None
        edit = cursor.edit(typed, rest, lead + value)
        yield Item(value, kind, edit, detail, literal(lead + value), filter_text, topic)


_Offer = tuple[str, str, tuple[str, str] | None]


def _offered(cursor: _Cursor, key: str, typed: str) -> Iterator[_Offer]:
    if key == ROLE:
        for role in likely_roles(cursor.header, cursor.document.path):
            yield role, "", ("role", role)
    elif key == UUID:
        yield fields.new_uuid(), Phrase("a new UUID"), None
    elif key == PARENT:
        yield "N/A", Phrase("no parent"), None
    elif key == CREATED:
        yield _time(cursor.now), Phrase("now"), None
    elif key == _VERSION:
        yield from _versions(cursor)
    elif key == _LANGUAGE:
        for name in known_languages() if typed else (fields.LANGUAGE, *_OTHER_LANGUAGES):
            yield name, "", None
    elif key == "Component":
        for role in dict.fromkeys([cursor.role, *ROLES]):
            yield f"{role.capitalize()}Message", "", None
    elif key == "Authors":
        yield fields.new_value(key, cursor.role, ""), "", None


_OTHER_LANGUAGES = tuple([name for name in USUAL_LANGUAGES if name != fields.LANGUAGE])


def _versions(cursor: _Cursor) -> Iterator[_Offer]:
    field = cursor.header.get(_VERSION)
    if field is None or not fields.is_version(field.value):
        yield fields.FIRST_VERSION, Phrase("the first version"), None
        return
    for part in PARTS:
        yield bumped(field.value, part), as_phrase(part), None


def _rules(cursor: _Cursor, typed: str) -> Iterator[Item]:
    match = _CODES.fullmatch(typed)
    if match is None:
        if "ignore".startswith(typed):
            edit = cursor.edit(typed, "", "ignore ")
            detail = Phrase("suppress rules in this file")
            yield Item("ignore", ItemKind.VALUE, edit, detail)
        return
    yield from cursor.rules(match["code"])


# ---------------------------------------------------------------------------
# The body


def _in_fence(cursor: _Cursor) -> Completions:
    """Languages after an opening fence, escaped or not; nothing anywhere else."""
    match, placed = _FENCE.fullmatch(cursor.before), cursor.placed
    if match is None or placed is None:
        return Completions()
    fences, start = placed.cell.fences, cursor.line_in_cell
    number = bisect_right(fences, start, key=lambda fence: fence.span.start) - 1
    if number < 0 or fences[number].span.start != start:
        return Completions()
    return cursor.languages(match["name"])


# ---------------------------------------------------------------------------
# More about an item


def documentation(snapshot: Snapshot, topic: tuple[str, str]) -> tuple[Part, ...]:
    """The documentation of an item, requested when it is selected in the list."""
    describe = {"field": field_parts, "role": role_parts, "rule": rule_parts}.get(topic[0])
    return () if describe is None else tuple(describe(topic[1]))
