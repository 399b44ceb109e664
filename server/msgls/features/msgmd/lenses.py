"""Code lenses in a message file: what a cell costs the model, and what is unusual about it.

Owns where they stand and what they say: one for each cell, in few words. Where is cheap, for
a whole document; what they say is asked for the few that somebody sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.conversation.cell_visibility import last_reset, plain_content, seen_text, sight_of
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.counting import counted, short_tokens
from msgls.features.lenses import Lens, Said
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.section import section_order
from msgls.syntax.cells import CellKind
from msgls.text.phrases import Phrase, joined
from msgls.text.tokens import TokenCounter

STATE = "state"

_SIGHTS = {
    Sight.SUMMARY: Phrase("summary"),
    Sight.EXCLUDED: Phrase("excluded"),
    Sight.VIRTUAL: Phrase("for people only"),
    Sight.BEFORE_RESET: Phrase("before a reset"),
    Sight.OUTSIDE: Phrase("outside of the section"),
}


def lenses(snapshot: Snapshot) -> Iterator[Lens]:
    """Where lenses are, in order."""
    for placed in snapshot.document.cells():
        if placed.cell.kind is not CellKind.PREAMBLE:
            yield Lens(placed.order, placed.start_line, STATE)


def say(snapshot: Snapshot, placed: Placed, what: str) -> Said:
    """What the lens above a cell says."""
    document = snapshot.document
    meaning = snapshot.meaning(placed)
    sight = sight_of(meaning, last_reset(document), section_order(document))
    pieces = [_tokens(meaning, sight, snapshot.tokens)]
    if sight in _SIGHTS:
        pieces.append(_SIGHTS[sight])
    return Said(joined([*pieces, *_unanswered(document, meaning)], " · "))


def _tokens(meaning: Meaning, sight: Sight, counter: TokenCounter) -> Phrase:
    whole = short_tokens(counter.count(plain_content(meaning)), counter)
    if sight is not Sight.SUMMARY:
        return whole
    seen = counter.count(seen_text(meaning, sight))
    return Phrase("{seen:,} of {tokens}", seen=seen, tokens=whole)


def _unanswered(document: Document, meaning: Meaning) -> Iterator[Phrase]:
    """What somebody still waits for: a call without a result."""
    cell_id = meaning.cell.id or ""
    if meaning.role is CellRole.CALL and not document.entries("child", cell_id):
        yield Phrase("unanswered")
    if meaning.role is not CellRole.ANSWER or not cell_id:
        return
    calls = document.entries("child", cell_id)
    ids = [document.cell(entry.order).cell.id or "" for entry in calls]
    waiting = sum(not document.entries("child", call_id) for call_id in ids)
    if waiting:
        number = counted(len(calls), "call")
        yield Phrase("{calls}, {count:,} unanswered", calls=number, count=waiting)
