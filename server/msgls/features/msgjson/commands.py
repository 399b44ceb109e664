"""The commands of messages and deltas in JSON."""

from __future__ import annotations

from collections.abc import Mapping

from msgls.document.document import Document
from msgls.features import command_table as table
from msgls.features.command_table import Command
from msgls.features.commands import Call, CellChange, RefusedError, Run, go_beside
from msgls.features.converting import convert_to
from msgls.features.msgjson.calls import (
    CALLS,
    RESULTS,
    Said,
    holder_of,
    occurrences,
    said_at,
)
from msgls.features.msgjson.opening import open_as
from msgls.features.msgjson.reading import json_cell
from msgls.formats.base import Placed
from msgls.formats.msgjson.records import MentionKind
from msgls.text.phrases import Phrase


def _go_beside(step: int) -> Run:
    return go_beside(step, Phrase("there is no other line or element"), _start_of)


def _start_of(placed: Placed) -> int:
    cell = json_cell(placed)
    inner = cell.segments[0].span.start if cell is not None and cell.segments else 0
    return placed.start_offset + inner


def _go_to(kinds: tuple[MentionKind, ...], refusal: Phrase) -> Run:
    def go(call: Call) -> CellChange:
        for said in mentions_at(call.document, call.offset):
            for other in occurrences(call.document, said.mention.call, said.mention.run, kinds):
                if other != said:
                    placed, span = holder_of(call.document, other)
                    return CellChange((), placed.start_offset + span.start)
        raise RefusedError(refusal)

    return go


def mentions_at(document: Document, offset: int) -> list[Said]:
    """The tool call under the cursor, else all that its line or element names."""
    said = said_at(document, offset)
    if said is not None:
        return [said]
    placed = document.cell_at_offset(offset)
    cell = json_cell(placed)
    if placed is None or cell is None:
        return []
    return [
        Said(placed.order, number, mention)
        for number, segment in enumerate(cell.segments)
        if segment.record is not None
        for mention in segment.record.mentions
    ]


RUNS: Mapping[Command, Run] = {
    table.GO_TO_NEXT: _go_beside(1),
    table.GO_TO_PREVIOUS: _go_beside(-1),
    table.GO_TO_PARENT: _go_to(CALLS, Phrase("there is no call here")),
    table.GO_TO_CHILD: _go_to(RESULTS, Phrase("there is no result of a call here")),
    table.OPEN_AS: open_as,
    table.CONVERT_TO: convert_to,
}
