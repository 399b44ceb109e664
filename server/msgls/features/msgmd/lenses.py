"""Code lenses in a message file: what belongs to a cell, and what it costs the model.

Owns where they stand and what they say. Where is cheap, for a whole document; what they
say is asked for the few that somebody sees. Each has its twin among the code actions.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.counting import counted, tokens
from msgls.features.lenses import Lens, Said
from msgls.formats.base import Placed
from msgls.formats.msgmd.history import Sight, last_reset, plain_content, seen_text, sight_of
from msgls.formats.msgmd.meaning import CellRole, Meaning, meaning_of
from msgls.formats.msgmd.section import section_order
from msgls.model.cells import CellKind
from msgls.model.tokens import estimate_tokens
from msgls.rules.base import ALONE, Surroundings
from msgls.text.phrases import Phrase

CHILDREN, HISTORY = "children", "history"

_HIDDEN = {
    Sight.VIRTUAL: Phrase("for people only"),
    Sight.BEFORE_RESET: Phrase("before a reset"),
    Sight.OUTSIDE: Phrase("outside of the section"),
}


def lenses(document: Document, surroundings: Surroundings = ALONE) -> Iterator[Lens]:
    """Where lenses are, in order."""
    for placed in document.cells():
        cell = placed.cell
        if cell.kind is CellKind.PREAMBLE:
            continue
        if cell.id and document.entries("child", cell.id):
            yield Lens(placed.order, placed.start_line, CHILDREN)
        yield Lens(placed.order, placed.start_line, HISTORY)


def say(document: Document, placed: Placed, what: str, surroundings: Surroundings = ALONE) -> Said:
    """What a lens above a cell says."""
    meaning = meaning_of(document, placed, surroundings.other_agents)
    if what == CHILDREN:
        return Said(_children(document, meaning), "msgls.cell.goToChild")
    return _history(document, meaning)


def _children(document: Document, meaning: Meaning) -> Phrase:
    children = document.entries("child", meaning.cell.id or "")
    if meaning.role is CellRole.CODE:
        return counted(len(children), "run")
    if meaning.role is CellRole.CALL:
        return counted(len(children), "result")
    if meaning.role is not CellRole.ANSWER:
        return Phrase("{cells} below", cells=counted(len(children), "cell"))
    ids = [document.cell(entry.order).cell.id or "" for entry in children]
    results = sum(len(document.entries("child", child_id)) for child_id in set(ids))
    return Phrase(
        "{calls}, {results}",
        calls=counted(len(children), "tool call"),
        results=counted(results, "result"),
    )


def _history(document: Document, meaning: Meaning) -> Said:
    sight = sight_of(meaning, last_reset(document), section_order(document))
    whole = tokens(estimate_tokens(plain_content(meaning)))
    if sight in _HIDDEN:
        return Said(Phrase("Not sent, {why} · {tokens}", why=_HIDDEN[sight], tokens=whole))
    if sight is Sight.EXCLUDED:
        title = Phrase("Include in history · {tokens}", tokens=whole)
        return Said(title, "msgls.history.include")
    if sight is Sight.SUMMARY:
        short = estimate_tokens(seen_text(meaning, sight))
        title = Phrase("Include in full · {seen:,} of {tokens}", seen=short, tokens=whole)
        return Said(title, "msgls.history.include")
    return Said(Phrase("Exclude from history · {tokens}", tokens=whole), "msgls.history.exclude")
