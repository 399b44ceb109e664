"""Completion in messages and deltas: whole lines, keys, kinds, roles, ids and numbers.

Owns the choice. A value that is being typed seldom parses, so it is read by ``jsoncursor``; keys
come from the models, ids and numbers from the lines before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from msgls.conversation.messages import (
    PARTS_ALLOWED,
    DeltaBase,
    Message,
    PartBase,
    SessionEntry,
    ToolCall,
    ToolCallStartPayload,
    ToolResult,
)
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.markup import Part
from msgls.features.msgjson.calls import CALLS, occurrences
from msgls.features.msgjson.hover import (
    call_parts,
    entry_type_parts,
    field_parts,
    kind_parts,
    role_parts,
)
from msgls.features.msgjson.reading import json_cell
from msgls.features.msgjson.shapes import (
    DELTA_MODELS,
    PART_MODELS,
    ROLES,
    Field,
    Holder,
    Model,
    default_model,
    fields_of,
    holder_at,
    meaning_of,
    models,
    payload_of,
)
from msgls.features.snippets import literal, plain
from msgls.formats.jsoncursor import KEY, VALUE, Spot, spot_at
from msgls.formats.msgjson import JsonLines
from msgls.formats.msgjson.cells import JsonCell, Segment
from msgls.formats.msgjson.nodes import written
from msgls.formats.msgjson.records import (
    BATCH_ENTRY,
    DELTAS,
    MESSAGE_ENTRY,
    Mention,
    MentionKind,
    Step,
)
from msgls.formats.msgjson.shapes import TERMINAL_KINDS
from msgls.syntax.ids import next_free
from msgls.text.lines import line_bounds
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

# As in ENTRY_TYPES, for details, which are plain text.
_ENTRY_DETAILS = {
    MESSAGE_ENTRY: Phrase("The payload is a message."),
    BATCH_ENTRY: Phrase("The payload is a list of deltas, bare or below {key}.", key=DELTAS),
}
_FINISH_REASONS = ("stop", "length", "tool_calls", "content_filter")
_MOST = 50


class _Cursor(NamedTuple):
    document: Document
    offset: int
    base: int
    """Where the text begins that was scanned, absolute."""
    spot: Spot
    now: str

    @property
    def span(self) -> Span:
        """What is replaced, absolute."""
        return self.spot.span.shift(self.base)


def complete(snapshot: Snapshot, offset: int) -> Completions:
    """The suggestions at ``offset``."""
    document = snapshot.document
    placed = document.cell_at_offset(offset)
    if placed is None:
        return Completions(tuple(_lines(document, offset, snapshot.time)))
    at = offset - placed.start_offset
    text = placed.cell.text
    start, end = line_bounds(text, min(at, len(text)))
    if isinstance(document.format, JsonLines):
        if not text[start:end].strip(" \t\ufeff"):
            return Completions(tuple(_lines(document, offset, snapshot.time)))
        # A line is parsed by itself, even if it is invalid.
        text = text[start:end]
        base = placed.start_offset + start
    else:
        starts = [segment.span.start for segment in json_cell(placed).segments]
        inner = max([start for start in starts if start < at], default=0)
        text, base = text[inner:], placed.start_offset + inner
    cursor = _Cursor(document, offset, base, spot_at(text, offset - base), snapshot.time)
    return Completions(tuple(_items(cursor)))


def opens(snapshot: Snapshot, offset: int, character: str) -> bool:
    """Whether a list may open by itself: a quote begins a key, or one of few values."""
    return character == '"'


def _items(cursor: _Cursor) -> Iterator[Item]:
    spot = cursor.spot
    holder = None if spot.is_closed else holder_at(spot.levels, cursor.document.format)
    if holder is None:
        return
    if spot.wants == KEY:
        yield from _keys(cursor, holder)
    elif spot.wants == VALUE:
        key = spot.levels[-1].key
        field = None if key is None else fields_of(holder.model).get(key)
        if field is not None:
            yield from _values(cursor, holder, field)


# -- whole lines ----------------------------------------------------------------------------


def _lines(document: Document, offset: int, now: str) -> Iterator[Item]:
    """Whole deltas, messages or entries, on a line that is blank."""
    if not isinstance(document.format, JsonLines):
        return
    start = document.offset_of(document.position_of(offset)._replace(character=0))
    placed = document.cell_at_offset(offset)
    text = "" if placed is None else placed.cell.text
    base = 0 if placed is None else placed.start_offset
    end = base + line_bounds(text, min(offset - base, len(text)))[1]
    for draft in drafts(document, offset, now):
        edit = Edit(Span(start, max(end, offset)), plain(draft.snippet))
        yield _of_draft(draft, edit)


def _of_draft(draft: Draft, edit: Edit) -> Item:
    return Item(draft.label, ItemKind.CELL, edit, draft.detail, draft.snippet, None, draft.topic)


# -- keys -----------------------------------------------------------------------------------


def _keys(cursor: _Cursor, holder: Holder) -> Iterator[Item]:
    spot = cursor.spot
    used = holder.used - {spot.text}
    for field in fields_of(holder.model).values():
        if field.name in used:
            continue
        snippet = after_key(holder.model, field, cursor.now)
        if spot.next == ":":
            snippet = f'"{field.name}"'
        elif spot.next == '"':
            snippet += ","
        edit = Edit(cursor.span, plain(snippet))
        filter_text = f'"{field.name}"' if spot.is_quoted else field.name
        topic = ("key", f"{holder.model.__name__} {field.name}")
        detail = "" if field.is_required else Phrase("optional")
        yield Item(field.name, ItemKind.KEY, edit, detail, snippet, filter_text, topic)


# -- values ---------------------------------------------------------------------------------


class _Value(NamedTuple):
    text: str
    kind: ItemKind
    detail: str = ""
    topic: tuple[str, str] | None = None
    is_bare: bool = False
    """A number, ``true`` or ``false``."""


def _values(cursor: _Cursor, holder: Holder, field: Field) -> Iterator[Item]:
    seen: set[str] = set()
    for value in _fitting(cursor, holder, field):
        if value.text in seen or len(seen) >= _MOST:
            continue
        seen.add(value.text)
        text = value.text if value.is_bare else written(value.text)
        filter_text = f'"{value.text}"' if cursor.spot.is_quoted else value.text
        edit = Edit(cursor.span, text)
        yield Item(value.text, value.kind, edit, value.detail, None, filter_text, value.topic)


def _fitting(cursor: _Cursor, holder: Holder, field: Field) -> Iterator[_Value]:
    """The suggested values of a key, the likeliest first."""
    model, key = holder.model, field.name
    if key == "kind":
        yield from _kinds(model, holder.role)
    elif key == "role" and model is Message:
        yield from [_Value(r, ItemKind.TYPE, says, ("role", r)) for r, says in ROLES.items()]
    elif key == "type" and model is SessionEntry:
        for name, says in _ENTRY_DETAILS.items():
            yield _Value(name, ItemKind.TYPE, says, ("entry", name))
    elif key == "toolCallId":
        yield from _call_ids(cursor, model)
    elif key == "seq":
        yield from _numbers(cursor)
    elif field.json_types == ("boolean",):
        yield from [_Value(name, ItemKind.VALUE, is_bare=True) for name in ("false", "true")]
    elif key == "timestamp":
        yield from [_Value(cursor.now, ItemKind.VALUE, Phrase("now"))] if cursor.now else []
    elif key in ("runId", "toolName", "modelId", "finishReason", "mimeType", "errorCode"):
        own = cursor.spot.text
        for said in texts_before(cursor.document, cursor.offset, key):
            if said != own:
                yield _Value(said, ItemKind.VALUE, Phrase("used before"))
        for reason in _FINISH_REASONS if key == "finishReason" else ():
            yield _Value(reason, ItemKind.VALUE)


def _kinds(model: Model, role: str) -> Iterator[_Value]:
    if issubclass(model, DeltaBase):
        for kind, of_kind in DELTA_MODELS.items():
            yield _Value(kind, ItemKind.TYPE, meaning_of(of_kind), ("kind", f"delta {kind}"))
    elif issubclass(model, PartBase):
        allowed = {str(who): kinds for who, kinds in PARTS_ALLOWED.items()}.get(role)
        for kind, of_kind in sorted(
            PART_MODELS.items(), key=lambda pair: allowed is not None and pair[0] not in allowed
        ):
            fits = allowed is None or kind in allowed
            detail = meaning_of(of_kind) if fits else Phrase("not for the role {role}", role=role)
            yield _Value(kind, ItemKind.TYPE, detail, ("kind", f"part {kind}"))


def _call_ids(cursor: _Cursor, model: Model) -> Iterator[_Value]:
    """Ids of earlier calls, first those without a result or with unfinished arguments.

    A new call gets a free id first.
    """
    own = cursor.spot.text
    found = [seen for seen in calls_before(cursor.document, cursor.offset) if seen.id]
    if model in (ToolCall, ToolCallStartPayload):
        taken = {seen.id for seen in found if seen.id != own}
        free = next_free("call_", 1, taken.__contains__)
        yield _Value(free, ItemKind.ID, Phrase("a free id"))
    if model is not ToolResult:
        found.sort(key=lambda seen: not seen.is_open)
    for seen in found:
        if seen.id != own or len([s for s in found if s.id == own]) > 1:
            yield _Value(seen.id, ItemKind.ID, _call_detail(seen), ("call", seen.id))


def _call_detail(call: SeenCall) -> Phrase:
    if call.is_open:
        said = Phrase("open")
    else:
        said = Phrase("answered") if call.is_answered else Phrase("not answered")
    return said if call.run is None else Phrase("{state}, run {run}", state=said, run=call.run)


def _numbers(cursor: _Cursor) -> Iterator[_Value]:
    """The sequence number after the last one of the run."""
    run = cursor.spot.levels[-1].frame.texts.get("runId")
    own = cursor.document.number_at_offset(cursor.offset) or 0
    for step in steps_before(cursor.document, own):
        if step.seq is not None and (not run or step.run == run):
            detail = Phrase("after {number}", number=step.seq)
            yield _Value(str(step.seq + 1), ItemKind.VALUE, detail, is_bare=True)
            return
    yield _Value("0", ItemKind.VALUE, Phrase("the first"), is_bare=True)


# -- more about an item -----------------------------------------------------------------------


def documentation(snapshot: Snapshot, topic: tuple[str, str]) -> tuple[Part, ...]:
    """The documentation of an item, requested when it is selected in the list."""
    document = snapshot.document
    kind, name = topic
    first, _, second = name.partition(" ")
    if kind == "key" and first in models():
        return tuple(field_parts(models()[first], second))
    if kind == "kind" and first in ("delta", "part"):
        return tuple(kind_parts(first, second))
    if kind == "role":
        return tuple(role_parts(name))
    if kind == "entry":
        return tuple(entry_type_parts(name))
    if kind == "call":
        for said in occurrences(document, name, None, CALLS)[-1:]:
            return tuple(call_parts(document, said))
    return ()


# -- Drafts of values: of a key, and whole deltas, messages and entries.
# Owns what a new value looks like: every required key, in the order of the models, with known
# values filled in and snippet stops for the rest.

_RUN = "run-1"


class Draft(NamedTuple):
    """A whole value that can be inserted on a line."""

    label: str
    detail: str
    snippet: str
    topic: tuple[str, str]


def after_key(model: Model, field: Field, now: str) -> str:
    """A key and the draft of its value, in the snippet notation."""
    if field.name == "payload" and issubclass(model, DeltaBase | PartBase):
        payload = payload_of(model)
        body = "{$1}" if payload is None else _object(payload, count(1), {})
    elif field.name == "timestamp" and now:
        body = literal(written(now))
    else:
        body = _value(field, count(1))
    return f'"{field.name}": {body}'


def _value(field: Field, stops: Iterator[int]) -> str:
    types = field.json_types
    if types == ("boolean",):
        return f"${{{next(stops)}|false,true|}}"
    if types == ("object",):
        return f"{{${next(stops)}}}"
    if types == ("array",):
        return f"[${next(stops)}]"
    if "string" in types:
        return f'"${next(stops)}"'
    return f"${next(stops)}"


def _object(model: Model, stops: Iterator[int], known: Mapping[str, str]) -> str:
    """An object with every required key; ``known`` are values in the snippet syntax."""
    members = [
        f'"{field.name}": {known.get(field.name) or _value(field, stops)}'
        for field in fields_of(model).values()
        if field.is_required or field.name in known
    ]
    return "{" + ", ".join(members) + "}"


# -- whole values ---------------------------------------------------------------------------


def drafts(document: Document, offset: int, now: str) -> Iterator[Draft]:
    """The suggestions on a blank line, the likeliest first."""
    if not isinstance(document.format, JsonLines):
        return
    model = default_model(document.format)
    if model is DeltaBase:
        yield from _deltas(document, offset, now)
    elif model is Message:
        for role, meaning in ROLES.items():
            yield Draft(role, meaning, _message(document, offset, role, now), ("role", role))
    else:
        for role in ROLES:
            message = _message(document, offset, role, now)
            known = {"type": '"message"', "timestamp": _time(now), "payload": message}
            snippet = _object(model, count(1), known)
            label = Phrase("message: {role}", role=role)
            yield Draft(label, Phrase("An entry"), snippet, ("entry", "message"))


def _deltas(document: Document, offset: int, now: str) -> Iterator[Draft]:
    own = document.number_at_offset(offset)
    last = None if own is None else next(steps_before(document, own + 1), None)
    is_over = last is None or last.kind in TERMINAL_KINDS
    run = _RUN if last is None else last.run
    seq = 0 if last is None or last.seq is None or is_over else last.seq + 1
    # After an end only a start makes sense; before it, everything else.
    ordered = sorted(DELTA_MODELS, key=lambda kind: (kind == "start") != is_over)
    for kind in ordered:
        model = DELTA_MODELS[kind]
        stops = count(1)
        payload = payload_of(model)
        known = {
            "runId": literal(written(run)),
            "seq": str(seq),
            "kind": f'"{kind}"',
            "payload": "{}" if payload is None else _object(payload, stops, {}),
            "timestamp": _time(now),
        }
        topic = ("kind", f"delta {kind}")
        yield Draft(kind, meaning_of(model), _object(model, stops, known), topic)


def _message(document: Document, offset: int, role: str, now: str) -> str:
    runs = texts_before(document, offset, "runId")
    stops = count(1)
    kind = "tool_result" if role == "tool" else "text"
    payload = payload_of(PART_MODELS[kind])
    inner = "{}" if payload is None else _object(payload, stops, {})
    known = {
        "runId": literal(written(runs[0] if runs else _RUN)),
        "role": f'"{role}"',
        "parts": f'[{{"kind": "{kind}", "payload": {inner}}}]',
        "timestamp": _time(now),
    }
    return _object(Message, stops, known)


def _time(now: str) -> str:
    return literal(written(now)) if now else '"${9:now}"'


# -- What the lines before the cursor contain: runs, numbers, calls, and the values of keys.
# Looks back at a limited number of cells, the nearest first, so that completion takes the same time
# at the end of any file.

_FURTHEST = 400
_FURTHEST_READ = 60


class SeenCall(NamedTuple):
    """A tool call that the lines before mention."""

    id: str
    run: str | None
    is_open: bool
    """Whether its arguments have not ended."""
    is_answered: bool


def _cells_before(document: Document, number: int, furthest: int) -> Iterator[JsonCell]:
    """The cells with lower numbers, the nearest first."""
    for other in range(number - 1, max(number - furthest, 0) - 1, -1):
        yield json_cell(document.cell_number(other))


def _after(document: Document, offset: int) -> int:
    """The number of the cell after the one at ``offset``."""
    number = document.number_at_offset(offset)
    return 0 if number is None else number + 1


def _segments_before(document: Document, number: int) -> Iterator[Segment]:
    for cell in _cells_before(document, number, _FURTHEST):
        yield from reversed(cell.segments)


def steps_before(document: Document, number: int) -> Iterator[Step]:
    """The deltas of the cells with lower numbers, the nearest first."""
    for segment in _segments_before(document, number):
        if segment.record is not None:
            yield from reversed(segment.record.steps)


def calls_before(document: Document, offset: int) -> list[SeenCall]:
    """The tool calls before an offset: first those without a result, and the nearest first."""
    mentions: dict[tuple[str, str | None], list[Mention]] = {}
    for segment in _segments_before(document, _after(document, offset)):
        for mention in () if segment.record is None else reversed(segment.record.mentions):
            mentions.setdefault((mention.call, mention.run), []).append(mention)
    found = [_seen(call, run, said) for (call, run), said in mentions.items()]
    return sorted(found, key=lambda seen: seen.is_answered)


def _seen(call: str, run: str | None, said: list[Mention]) -> SeenCall:
    kinds = {mention.kind for mention in said}
    is_open = MentionKind.START in kinds and MentionKind.END not in kinds
    is_answered = bool(kinds & {MentionKind.RESULT, MentionKind.LOOSE_RESULT})
    return SeenCall(call, run, is_open, is_answered)


def texts_before(document: Document, offset: int, key: str) -> list[str]:
    """The strings that a key has in the lines before an offset, the nearest first, each once."""
    found: dict[str, None] = {}
    quoted = f'"{key}"'
    for cell in _cells_before(document, _after(document, offset), _FURTHEST_READ):
        for number, segment in enumerate(cell.segments):
            if segment.record is not None and quoted in cell.segment_text(number):
                found.update(dict.fromkeys(_texts_of(cell.value(number), key)))
    return list(found)


def _texts_of(value: Any, key: str) -> Iterator[str]:
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            said = one.get(key)
            if isinstance(said, str) and said:
                yield said
            todo += one.values()
        elif isinstance(one, list):
            todo += one
