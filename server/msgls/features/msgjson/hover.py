"""Hover in messages and deltas: the message so far, calls, keys and kinds.

Owns what is shown where, in which words. Reads the cell, and as much of its stream as ``streams``
allows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgls.conversation.messages import DeltaBase, FileRefPayload, Message, PartBase, SessionEntry
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.counting import counted
from msgls.features.hover import Hover
from msgls.features.markup import Block, Code, Part, Run, Strong, item, paragraph
from msgls.features.msgjson.calls import CALLS, RESULTS, id_span, mention_at, occurrences
from msgls.features.msgjson.outline import shortened
from msgls.features.msgjson.reading import Here, here_at, innermost_item, json_cell
from msgls.features.msgjson.shapes import (
    ENTRY_TYPES,
    KINDS,
    ROLES,
    Holder,
    Model,
    fields_of,
    holder_at,
    key_of,
    meaning_of,
    payload_of,
)
from msgls.features.msgjson.streams import Delta, SoFar, assembled, delta_at, stream_of, wire_of
from msgls.formats.jsoncursor import KEY, VALUE, Spot, spot_at
from msgls.formats.msgjson.records import MentionKind, Shape, value_at
from msgls.formats.prose import is_relative
from msgls.rules.msgjson.streams import PlacedMention
from msgls.text.phrases import Phrase
from msgls.text.tokens import TokenCounter

# Keys with long texts, which JSON makes hard to read.
_LONG_TEXTS = ("text", "content", "rawArgsText")
# Keys whose text is the end of the message so far.
_ADDED_TEXTS = ("textDelta", "argsTextDelta")


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """The hover at ``offset``."""
    here = here_at(snapshot.document, offset)
    if here is None:
        return None
    spot = spot_at(here.cell.segment_text(here.segment), here.at, is_typing=False)
    if not spot.is_token:
        return None
    parts = tuple(_of(snapshot, here, spot, offset))
    return Hover(spot.span.shift(here.base), parts) if parts else None


def _of(snapshot: Snapshot, here: Here, spot: Spot, offset: int) -> Iterator[Part]:
    document = snapshot.document
    holder = holder_at(spot.levels, document.format)
    if spot.wants == KEY and holder is not None:
        yield from field_parts(holder.model, spot.text)
        return
    said = mention_at(document, offset)
    if said is not None:
        yield from call_parts(document, said)
        return
    key = spot.levels[-1].key if spot.levels else None
    if spot.wants == VALUE and holder is not None and key is not None:
        yield from _of_value(snapshot, here, spot, holder, key)
    delta = delta_at(here.cell, here.placed.label, here.segment, here.path)
    if delta is not None:
        is_run = key == "runId" and holder is not None and issubclass(holder.model, DeltaBase)
        yield from (run_parts if is_run else delta_parts)(document, delta)


def _of_value(
    snapshot: Snapshot, here: Here, spot: Spot, holder: Holder, key: str
) -> Iterator[Part]:
    model = holder.model
    if key == "kind" and issubclass(model, DeltaBase | PartBase):
        of = "delta" if issubclass(model, DeltaBase) else "part"
        yield from kind_parts(of, spot.text)
    elif key == "role" and model is Message:
        yield from role_parts(spot.text)
        item = innermost_item(here.cell, here.segment, here.path)
        if item is not None and item.shape is Shape.MESSAGE:
            message = value_at(here.cell.value(here.segment), item.path)
            said = message if isinstance(message, dict) else {}
            yield from message_parts(said, snapshot.tokens)
    elif key == "type" and model is SessionEntry:
        yield from entry_type_parts(spot.text)
    elif key == "path" and model is FileRefPayload:
        yield paragraph(Strong(Phrase("File")), " ", Code(spot.text))
        if is_relative(spot.text):
            yield paragraph(Phrase("Relative to the folder of this file."))
        else:
            yield paragraph(Phrase("A URL or an absolute path: it is not checked."))
    elif key in _LONG_TEXTS and spot.is_quoted:
        yield text_block(spot.text)
    elif not issubclass(model, DeltaBase) and key not in _ADDED_TEXTS:
        yield from field_parts(model, key)


# -- Descriptions of keys, kinds, calls, streams and messages.
# The meaning of keys and kinds is taken from the models.

Wire = dict[str, Any]

_LONGEST_BLOCK = 1_500
_MOST_PARTS = 8


def field_parts(model: Model, key: str) -> Iterator[Part]:
    """The description of a key and its values; nothing if the model does not know it."""
    field = fields_of(model).get(key)
    if field is None:
        return
    yield paragraph(Strong(key_of(model)), " ", Code(key))
    if field.description:
        yield paragraph(field.description)
    yield item(Phrase("Value: "), field.type)
    yield item(Phrase("Required.") if field.is_required else Phrase("Optional."))


_KINDS = {"delta": Phrase("Kind of delta"), "part": Phrase("Kind of part")}


def kind_parts(of: str, kind: str) -> Iterator[Part]:
    """The description of a kind of delta or part, and of its payload."""
    model = KINDS[of].get(kind)
    if model is None:
        return
    yield paragraph(Strong(_KINDS[of]), " ", Code(kind))
    yield paragraph(meaning_of(model))
    payload = payload_of(model)
    if payload is not None:
        for field in fields_of(payload).values():
            colon = Phrase(": ") if field.is_required else Phrase(" (optional): ")
            yield item(Code(field.name), colon, field.description)


def role_parts(role: str) -> Iterator[Part]:
    """The description of a role."""
    if role in ROLES:
        yield paragraph(Strong(Phrase("Role")), " ", Code(role))
        yield paragraph(ROLES[role])


def entry_type_parts(type_: str) -> Iterator[Part]:
    """What the payload of an entry is."""
    yield paragraph(Strong(Phrase("Type of entry")), " ", Code(type_))
    other = Phrase("Neither a message nor deltas: it is ignored.")
    yield paragraph(ENTRY_TYPES.get(type_, other))


# -- streams --------------------------------------------------------------------------------


def delta_parts(document: Document, delta: Delta) -> Iterator[Part]:
    """The message assembled from the deltas up to this one."""
    stream = stream_of(document, delta)
    if stream is None:
        run = delta.step.run
        yield paragraph(Phrase("No `start` opens a stream of run `{run}`.", run=run))
        return
    if not stream.holds(delta):
        yield paragraph(Phrase("After the end of its stream: it is not part of a message."))
        return
    found = assembled(document, stream, delta)
    is_all = stream.end is not None and stream.end.key == delta.key
    title = Phrase("The message") if is_all else Phrase("The message so far")
    count = counted(found.deltas, "delta")
    of_run = Phrase("{deltas} of run `{run}`", deltas=count, run=stream.run)
    yield paragraph(Strong(title), " · ", of_run)
    yield from _message_so_far(found)
    if found.skipped:
        lines = counted(found.skipped, "line")
        yield paragraph(
            Phrase(
                "The stream is long: {lines} after its start were not read for this.", lines=lines
            )
        )


def _message_so_far(found: SoFar) -> Iterator[Part]:
    parts = found.message.get("parts", [])
    if not parts:
        if not found.skipped:
            yield paragraph(Phrase("Nothing yet."))
        return
    before = parts[:-1]
    if len(before) > _MOST_PARTS:
        yield item(Phrase("{count:,} more parts", count=len(before) - _MOST_PARTS))
    for part in before[-_MOST_PARTS:]:
        yield item(*_part_line(part))
    yield item(*_part_head(parts[-1]))
    yield _part_block(parts[-1])
    usage = found.message["meta"].get("usage")
    if usage is not None:
        count = counted(usage["totalTokens"], "token")
        yield paragraph(Phrase("{tokens} so far", tokens=count))


def _part_head(part: Wire) -> list[Run]:
    payload = part["payload"]
    if part["kind"] == "tool_call":
        return [Code("tool_call"), " ", Code(payload["toolName"]), " ", Code(payload["toolCallId"])]
    length = counted(len(payload["text"]), "character")
    return [Code(part["kind"]), Phrase(", {characters}", characters=length)]


def _part_line(part: Wire) -> list[Run]:
    words = "" if part["kind"] == "tool_call" else shortened(part["payload"]["text"])
    return [*_part_head(part), Phrase(": {words}", words=words)] if words else _part_head(part)


def _part_block(part: Wire) -> Block:
    payload = part["payload"]
    if part["kind"] != "tool_call":
        return Block(_end_of(payload["text"]))
    return arguments_block(payload)


def arguments_block(payload: Mapping[str, Any]) -> Block:
    """The arguments of a tool, as far as they are known."""
    arguments = payload.get("arguments")
    if isinstance(arguments, dict):
        try:
            text = json.dumps(arguments, ensure_ascii=False, indent=2)
        except RecursionError:
            text = "…"
    else:
        raw = payload.get("rawArgsText")
        text = raw if isinstance(raw, str) else ""
    return Block(_end_of(text), "json")


def text_block(text: str) -> Block:
    """A text as it reads, without the escapes of JSON."""
    shown = text if len(text) <= _LONGEST_BLOCK else text[:_LONGEST_BLOCK] + "…"
    return Block(_printable(shown))


def _printable(text: str) -> str:
    """A text that can be encoded: a stream may have cut an emoji in two."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _end_of(text: str) -> str:
    """The end of a text, where a delta has added to it."""
    shown = text if len(text) <= _LONGEST_BLOCK else "…" + text[-_LONGEST_BLOCK:]
    return _printable(shown)


# -- calls ----------------------------------------------------------------------------------


def call_parts(document: Document, said: PlacedMention) -> Iterator[Part]:
    """A tool call: its tool, its arguments and its results."""
    call, run = said.mention.call, said.mention.run
    calls = occurrences(document, call, run, CALLS)
    results = occurrences(document, call, run, RESULTS)
    yield paragraph(Strong(Phrase("Tool call")), " ", Code(call))
    if calls:
        yield from _made_at(document, calls[0])
    else:
        yield paragraph(Phrase("No call of this run has that id."))
    for result in results[:3]:
        line = document.position_of(id_span(document, result).start).line + 1
        yield item(Phrase("Result on line {line}: ", line=line), _result_words(document, result))
    if not results:
        yield item(Phrase("No result"))


def _made_at(document: Document, said: PlacedMention) -> Iterator[Part]:
    line = document.position_of(id_span(document, said).start).line + 1
    payload = _payload(document, said)
    name = payload.get("toolName")
    if isinstance(name, str):
        yield item(Phrase("Tool `{name}`, called on line {line}", name=name, line=line))
    if said.mention.kind is MentionKind.PART:
        yield arguments_block(payload)
    elif said.mention.run is not None:
        yield from _streamed(document, said)


def _streamed(document: Document, said: PlacedMention) -> Iterator[Part]:
    """The arguments of a call that a stream contains."""
    cell = json_cell(document.cell(said.label))
    path = said.mention.path[:-2]
    record = cell.segments[said.segment].record
    for step in () if record is None else record.steps:
        stream = None
        if step.path == path:
            stream = stream_of(document, Delta(said.label, said.segment, step))
        parts = [] if stream is None else assembled(document, stream).message.get("parts", [])
        for part in parts:
            if part["payload"].get("toolCallId") == said.mention.call:
                yield arguments_block(part["payload"])


def _payload(document: Document, said: PlacedMention) -> Wire:
    cell = json_cell(document.cell(said.label))
    found = value_at(cell.value(said.segment), said.mention.path[:-1])
    return found if isinstance(found, dict) else {}


def _result_words(document: Document, said: PlacedMention) -> str:
    payload = _payload(document, said)
    content = payload.get("content")
    words = shortened(content) if isinstance(content, str) else ""
    if payload.get("isError") is True:
        return Phrase("failed, {words}", words=words) if words else Phrase("failed")
    return words or Phrase("an object, or parts")


# -- messages and runs ----------------------------------------------------------------------


def message_parts(message: Wire, counter: TokenCounter) -> Iterator[Part]:
    """What a message holds."""
    parts = message.get("parts")
    kinds: dict[str, int] = {}
    length = 0
    for part in parts if isinstance(parts, list) else ():
        kind = part.get("kind") if isinstance(part, dict) else None
        payload = part.get("payload") if isinstance(part, dict) else None
        if isinstance(kind, str):
            kinds[kind] = kinds.get(kind, 0) + 1
        text = payload.get("text") if isinstance(payload, dict) else None
        length += counter.count(text) if isinstance(text, str) else 0
    for kind, count in kinds.items():
        so_many = counted(count, "part")
        yield item(Phrase("{parts} of the kind `{kind}`", parts=so_many, kind=kind))
    if length:
        said = counted(length, "token")
        yield item(said if counter.is_exact else Phrase("About {tokens}", tokens=said))


def run_parts(document: Document, delta: Delta) -> Iterator[Part]:
    """The stream of a run that a delta belongs to."""
    yield paragraph(Strong(Phrase("Run")), " ", Code(delta.step.run))
    stream = stream_of(document, delta)
    if stream is None:
        return
    payload = wire_of(document, stream.start).get("payload")
    model = payload.get("modelId") if isinstance(payload, dict) else None
    line = document.position_of(document.cell(stream.start.label).start_offset).line + 1
    if isinstance(model, str):
        yield item(Phrase("Stream from line {line} on by `{model}`", line=line, model=model))
    else:
        yield item(Phrase("Stream from line {line} on", line=line))
    if stream.end is None:
        yield item(Phrase("It has not ended."))
    else:
        last, kind = document.cell(stream.end.label).start_line + 1, stream.end.step.kind
        yield item(Phrase("Ended by `{kind}` on line {line}", kind=kind, line=last))
