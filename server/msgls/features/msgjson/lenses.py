"""Code lenses above streams: how each ended, its tokens and parts; and "open as message file".

Their places come from the index; their texts are read from the streams when they are on the
screen. Each that runs a command is also a code action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.counting import counted
from msgls.features.lenses import Lens, LensText
from msgls.features.msgjson.commands import STREAM
from msgls.features.msgjson.reading import json_cell
from msgls.features.msgjson.streams import (
    Stream,
    all_starts,
    assembled,
    starts_in,
    stream_of,
    wire_of,
)
from msgls.formats.base import Placed
from msgls.text.phrases import EMPTY, Phrase, joined
from msgls.text.work import Work, gathered

SUMMARY, OPEN_STREAM, OPEN_FILE = "summary", "stream", "file"
OPEN_TITLE = Phrase("Open as message file")

Wire = dict[str, Any]


def lenses(snapshot: Snapshot) -> Work[list[Lens]]:
    """Where lenses are, in order; the index knows the streams, however long they are."""
    document = snapshot.document
    found: list[Lens] = []
    starts = yield from gathered(all_starts(document))
    labels = {start.label for start in starts}
    for placed in document.cells():
        cell = json_cell(placed)
        if cell.segments:
            if placed.label not in labels and cell.segments[0].record is not None:
                found.append(Lens(placed.label, placed.start_line, OPEN_FILE))
            break
        yield
    for label in sorted(labels):
        line = document.cell(label).start_line
        found += Lens(label, line, SUMMARY), Lens(label, line, OPEN_STREAM)
        yield
    return found


def lens_text(snapshot: Snapshot, placed: Placed, what: str) -> LensText:
    """The text of a lens above a cell."""
    document = snapshot.document
    if what == OPEN_FILE:
        return LensText(OPEN_TITLE, table.OPEN_AS.id)
    streams = [stream_of(document, start) for start in starts_in(placed)]
    found = [stream for stream in streams if stream is not None]
    if not found:
        return LensText(EMPTY)
    if what == OPEN_STREAM:
        return LensText(OPEN_TITLE, table.OPEN_AS.id, {STREAM: True})
    return LensText(joined([summary(document, stream) for stream in found[:3]], " | "))


def summary(document: Document, stream: Stream) -> Phrase:
    """How a stream ended, its number of tokens, and its parts."""
    found = assembled(document, stream)
    pieces = [_ending(document, stream)]
    usage = found.message.get("meta", {}).get("usage")
    if usage is not None:
        pieces.append(counted(usage["totalTokens"], "token"))
    if found.skipped:
        pieces.append(Phrase("more than {count:,} deltas", count=found.deltas))
    else:
        pieces += _parts(found.message.get("parts", ()))
    return joined(pieces, " · ")


def _ending(document: Document, stream: Stream) -> str:
    if stream.end is None:
        return Phrase("has not ended")
    payload = wire_of(document, stream.end).get("payload")
    key = "finishReason" if stream.end.step.kind == "done" else "errorCode"
    reason = payload.get(key) if isinstance(payload, dict) else None
    said = reason if isinstance(reason, str) and reason else stream.end.step.kind
    return said if stream.end.step.kind == "done" else Phrase("error: {reason}", reason=said)


_NAMES = {"text": "text", "thinking": "thought", "tool_call": "tool call"}


def _parts(parts: Sequence[Wire]) -> list[Phrase]:
    """How many parts of each kind, in the order of the first ones."""
    counts: dict[str, int] = {}
    for part in parts:
        name = _NAMES[part["kind"]]
        counts[name] = counts.get(name, 0) + 1
    return [counted(count, name) for name, count in counts.items()] or [Phrase("no parts yet")]
