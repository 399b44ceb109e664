"""Highlight in messages and deltas: where else the tool call under the cursor is named.

A long text of arguments is a thousand deltas that name their call, so only the nearest are
looked at; the call itself and its results are always among them.
"""

from __future__ import annotations

from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.highlight import Highlight
from msgls.features.msgjson.calls import CALLS, RESULTS, id_span, nearest, occurrences, said_at

_FURTHEST = 200


def highlights(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> list[Highlight]:
    """The places, in order."""
    said = said_at(document, offset)
    if said is None:
        return []
    call, run = said.mention.call, said.mention.run
    found = [
        *occurrences(document, call, run, (*CALLS, *RESULTS)),
        *nearest(document, said, _FURTHEST),
    ]
    places = {id_span(document, other): other.gives for other in found}
    return [Highlight(span, gives) for span, gives in sorted(places.items())]
