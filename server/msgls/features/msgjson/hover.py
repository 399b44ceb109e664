"""Hover in messages and deltas: the message so far, calls, keys and kinds.

Owns the choice of what is said where; the words are in ``describe``. Costs the cell, and of
the stream what ``streams`` bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.conversation.messages import DeltaBase, FileRefPayload, Message, PartBase, SessionEntry
from msgls.document.snapshot import Snapshot
from msgls.features.hover import Hover
from msgls.features.markup import Code, Part, Strong, paragraph
from msgls.features.msgjson.calls import said_at
from msgls.features.msgjson.describe import (
    call_parts,
    delta_parts,
    entry_type_parts,
    field_parts,
    kind_parts,
    message_parts,
    role_parts,
    run_parts,
    text_block,
)
from msgls.features.msgjson.reading import Here, here_at, innermost_item
from msgls.features.msgjson.scanning import KEY, VALUE, Spot, spot_at
from msgls.features.msgjson.shapes import Holder, holder_at
from msgls.features.msgjson.streams import delta_at
from msgls.formats.msgjson.records import Shape, value_at
from msgls.formats.prose import is_relative
from msgls.text.phrases import Phrase

# What people write at length, and JSON makes hard to read.
_LONG_TEXTS = ("text", "content", "rawArgsText")
# What the message so far ends in.
_ADDED_TEXTS = ("textDelta", "argsTextDelta")


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """What can be said of the place at ``offset``."""
    here = here_at(snapshot.document, offset)
    if here is None:
        return None
    spot = spot_at(here.cell.segment_text(here.segment), here.at)
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
    said = said_at(document, offset)
    if said is not None:
        yield from call_parts(document, said)
        return
    key = spot.levels[-1].key if spot.levels else None
    if spot.wants == VALUE and holder is not None and key is not None:
        yield from _of_value(snapshot, here, spot, holder, key)
    delta = delta_at(here.cell, here.placed.order, here.segment, here.path)
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
