"""Go to definition in messages and deltas: from a result to its call, and back."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.definition import Jump, Target
from msgls.features.msgjson.calls import (
    CALLS,
    RESULTS,
    Said,
    holder_of,
    id_span,
    occurrences,
    said_at,
)
from msgls.rules.base import ALONE, Surroundings


def definition(document: Document, offset: int, surroundings: Surroundings = ALONE) -> Jump | None:
    """Where the id of a tool call at ``offset`` leads."""
    said = said_at(document, offset)
    if said is None:
        return None
    targets = tuple([_target(document, other) for other in counterparts(document, said)])
    return Jump(id_span(document, said), targets) if targets else None


def counterparts(document: Document, said: Said) -> list[Said]:
    """The calls that a result, or more arguments, belong to; the results of a call."""
    kinds = RESULTS if said.gives else CALLS
    return occurrences(document, said.mention.call, said.mention.run, kinds)


def _target(document: Document, said: Said) -> Target:
    placed, around = holder_of(document, said)
    return Target(id_span(document, said), around.shift(placed.start_offset))
