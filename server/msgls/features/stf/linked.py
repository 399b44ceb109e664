"""Linked editing in a Simple Text Format file: who answers a call follows its id.

Only from the call: whoever edits a ``call_id`` wants another call, and not another name.
"""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.linked import Linked
from msgls.features.stf.meaning import results_of
from msgls.features.stf.names import named_at, occurrences
from msgls.formats.stf.calls import IdKind

WORD_PATTERN = r"[^\s\"'{}\\]+"
"""What may be typed into an id, in quotes or without; anything else ends the linked editing."""


def linked(document: Document, offset: int) -> Linked | None:
    """The places that are to change with the one at ``offset``."""
    named = named_at(document, offset)
    if named is None:
        return None
    place, identifier = named
    own = identifier.span.shift(place.placed.start_offset)
    if identifier.kind is not IdKind.CALL or not own.contains(offset):
        return None
    orders = results_of(document, identifier.text, place.placed.order)
    spans = [
        found.span
        for found in occurrences(document, identifier)
        if found.span == own or (not found.gives and found.placed.order in orders)
    ]
    text = identifier.text
    same = [document.store.slice(span) == text for span in spans]
    return Linked(tuple(spans), WORD_PATTERN) if len(spans) > 1 and all(same) else None
