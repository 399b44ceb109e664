"""What rules on tool calls share: every place that speaks of one, by run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.msgjson.cells import TOOL_CALL, Spoken
from msgls.formats.msgjson.records import Mention, MentionKind
from msgls.rules.base import Related
from msgls.rules.msgjson.streams import cell_at
from msgls.text.spans import Span


class Said(NamedTuple):
    """A mention in its place."""

    order: int
    segment: int
    mention: Mention


def said_of(document: Document, call: str) -> Iterator[Said]:
    """Every place that speaks of a call, in order."""
    for entry in document.entries(TOOL_CALL, call):
        for spoken in entry.payloads:
            if isinstance(spoken, Spoken):
                yield Said(entry.order, spoken.segment, spoken.mention)


def by_run(document: Document, call: str, *kinds: MentionKind) -> dict[str, list[Said]]:
    """Mentions of some kinds, by the run that they belong to."""
    found: dict[str, list[Said]] = {}
    for said in said_of(document, call):
        if said.mention.kind in kinds and said.mention.run is not None:
            found.setdefault(said.mention.run, []).append(said)
    return found


def call_span(document: Document, said: Said) -> Span:
    """Where the id of the call stands in its cell."""
    return cell_at(document, said.order).span_of(said.segment, said.mention.path)


def related_call(document: Document, said: Said, key: str = "related") -> Related:
    """Another place that speaks of the call."""
    return Related(said.order, call_span(document, said), key, {"call": said.mention.call})
