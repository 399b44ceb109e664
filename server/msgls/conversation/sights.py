"""What the model sees of each cell of a document, and why it does not see the others.

Owns the horizon of a document (the last reset, the section that is the record) and the
answer for one cell. Message files can hide cells; in other formats every cell is seen,
but for boot messages, which are virtual.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgls.conversation.cell_visibility import defines_agent, last_reset, seen_text, sight_of
from msgls.conversation.readers import read_document
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd import MessageFile
from msgls.formats.msgmd.meaning import meaning_of
from msgls.formats.msgmd.section import section_name
from msgls.formats.msgmd.section import section_order as order_of_section
from msgls.model.cells import CellKind
from msgls.text.phrases import EMPTY, Phrase
from msgls.text.tokens import estimate_tokens

# Above every label: where a section is named and missing, nothing is recorded.
_NOTHING_RECORDED = 1 << 256


class Horizon(NamedTuple):
    """What every cell's sight depends on beside the cell itself."""

    reset_order: int = -1
    section_order: int = -1


def horizon_of(document: Document) -> Horizon:
    """The horizon of a message file; costs the same however long the file is."""
    reset = last_reset(document)
    if section_name(document) is None or not document.cell_count:
        return Horizon(reset)
    section = order_of_section(document)
    return Horizon(reset, _NOTHING_RECORDED if section < 0 else section)


class CellSight(NamedTuple):
    """A cell, what it is, and whether the model sees it."""

    order: int
    line: int
    """From 0."""
    id: str | None
    role: str
    """What it is, in a word or two."""
    tokens: int
    """About as many as are sent of it."""
    sight: Sight
    why: str
    """Why nothing, or not all of it, is sent; empty where all is."""


_WHY: Mapping[Sight, Phrase] = {
    Sight.SEEN: EMPTY,
    Sight.SUMMARY: Phrase("its summary stands in"),
    Sight.VIRTUAL: Phrase("it is virtual"),
    Sight.BEFORE_RESET: Phrase("it stands before the last reset"),
    Sight.OUTSIDE: Phrase("it stands outside the section"),
    Sight.NO_CELL: Phrase("it is no cell"),
}


def meaning_in(document: Document, placed: Placed) -> Meaning:
    """What a cell of a message file is."""
    return meaning_of(document, placed)


def sight_in(meaning: Meaning, horizon: Horizon) -> Sight:
    """Whether the model sees a cell of a message file."""
    return sight_of(meaning, horizon.reset_order, horizon.section_order)


def why_not(meaning: Meaning, sight: Sight, horizon: Horizon) -> Phrase:
    """Why a cell is not seen as it stands, in words."""
    if sight is Sight.EXCLUDED:
        return Phrase("history={value}", value=meaning.value("history") or "")
    if sight is Sight.SUMMARY and meaning.value("summary"):
        return Phrase("its `summary` stands in")
    if sight is Sight.SUMMARY:
        return Phrase("its first paragraph stands in")
    if sight is Sight.VIRTUAL and defines_agent(meaning):
        return Phrase("it defines an agent")
    if sight is Sight.BEFORE_RESET and meaning.placed.order == horizon.reset_order:
        return Phrase("it resets the context")
    return _WHY[sight]


def hidden_cells(document: Document) -> Iterator[Placed]:
    """The cells of a message file of which the model sees nothing, in order."""
    if not isinstance(document.format, MessageFile):
        return
    horizon = horizon_of(document)
    for placed in document.cells():
        if placed.cell.kind is not CellKind.PREAMBLE:
            meaning = meaning_in(document, placed)
            if not sight_in(meaning, horizon).is_sent:
                yield placed


def cell_sights(document: Document) -> list[CellSight]:
    """Every cell of a document that is part of the conversation, in order."""
    if isinstance(document.format, MessageFile):
        return _message_file_sights(document)
    return _message_sights(document)


def _message_file_sights(document: Document) -> list[CellSight]:
    horizon = horizon_of(document)
    found = []
    for placed in document.cells():
        if placed.cell.kind is CellKind.PREAMBLE:
            continue
        meaning = meaning_in(document, placed)
        sight = sight_in(meaning, horizon)
        text = seen_text(meaning, sight)
        found.append(
            CellSight(
                placed.order,
                placed.start_line,
                placed.cell.id,
                role_word(meaning),
                estimate_tokens(text),
                sight,
                why_not(meaning, sight, horizon),
            )
        )
    return found


def role_word(meaning: Meaning) -> str:
    """What a cell is, in a word or two: an answer by its agent."""
    if meaning.role is CellRole.MESSAGE:
        return "system" if meaning.value("role") == "system" else "user"
    if meaning.role is CellRole.ANSWER:
        return meaning.type or "assistant"
    return Phrase(meaning.role.value)


def _message_sights(document: Document) -> list[CellSight]:
    """One row a message: in these formats a cell has no say of its own."""
    from msgls.conversation.markdown import as_markdown
    from msgls.conversation.seen import sent, sights_of, why_hidden

    conversation = read_document(document)
    found = []
    for index, sight in enumerate(sights_of(conversation)):
        message, spans = conversation.messages[index], conversation.sources[index]
        placed = document.cell_at_offset(spans[0].start) if spans else None
        meta = message.meta or {}
        name = meta.get("id", meta.get("agent"))
        parts = sent(message, sight).parts if sight.is_sent else ()
        found.append(
            CellSight(
                -1 if placed is None else placed.order,
                document.position_of(spans[0].start).line if spans else 0,
                name if isinstance(name, str) else None,
                message.role,
                estimate_tokens("\n".join(map(as_markdown, parts))),
                sight,
                EMPTY if sight is Sight.SEEN else why_hidden(message, sight),
            )
        )
    return found
