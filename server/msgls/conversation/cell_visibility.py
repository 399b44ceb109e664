"""Which cells of a document the model sees, and why it does not see the others.

Owns the interpretation of ``history``, ``summary``, ``virtual`` and ``reset`` of a cell, and the
horizon of a document (the last reset, and the section that is recorded). In a message file each
cell has a visibility; in other formats each message has.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from msgls.conversation.readers import read_document
from msgls.conversation.visibility import EXCLUDED, Horizon, Sight, history_of, is_true
from msgls.document.document import Document
from msgls.formats.base import CellRole, Meaning, Placed, View
from msgls.formats.msgmd import MessageFile
from msgls.formats.msgmd.content import SUPPRESSION_MARK, fences_of, read_code
from msgls.formats.msgmd.meaning import marking, meaning_of
from msgls.formats.msgmd.section import section_label, section_name
from msgls.formats.values import SUMMARY_VALUE
from msgls.syntax.cells import CellKind, Definition
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import EMPTY, Phrase
from msgls.text.tokens import TokenCounter

if TYPE_CHECKING:
    # This loads pydantic.
    from msgls.conversation.conversation import Conversation

_CALL, _RESULT = CellRole.CALL, CellRole.RESULT
_LABEL = attrgetter("label")
_PARAGRAPH_END = lazy_pattern(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")


def last_reset(view: Document) -> int:
    """The label of the last cell that resets the context; -1 if there is none."""
    ids = {
        str(payload[0])
        for entry in view.entries("reset", "")
        for payload in entry.payloads
        if isinstance(payload, tuple)
    }
    labels = {header.label for cell_id in ids for header in view.entries("header", cell_id)}
    # A definition that has a wrong id by mistake still applies to the header above it.
    labels |= {entry.label for entry in view.entries("reset", "")}
    for label in sorted(labels, reverse=True):
        found = marking(view, view.cell(label))
        if found is not None and is_true(found.marks.get("reset")):
            return label
    return -1


def sight_of(view: View, meaning: Meaning, horizon: Horizon) -> Sight:
    """Whether the model sees a cell."""
    sight = own_sight(meaning, horizon)
    if not _is_part(meaning):
        return sight
    if not sight.is_sent and sight is not Sight.EXCLUDED:
        return sight
    return sight if hiding_owner(view, meaning) is None else Sight.OWNER_HIDDEN


def own_sight(meaning: Meaning, horizon: Horizon) -> Sight:
    """Whether the model would see a cell, if no other cell hid it."""
    if meaning.role is CellRole.PREAMBLE:
        return Sight.NO_CELL
    if meaning.placed.label <= horizon.section_label:
        return Sight.OUTSIDE
    if is_true(meaning.mark("virtual")) or defines_agent(meaning):
        return Sight.VIRTUAL
    if meaning.placed.label <= horizon.reset_label:
        return Sight.BEFORE_RESET
    history = history_of(meaning.mark("history"))
    if history == EXCLUDED:
        return Sight.EXCLUDED
    return Sight.SUMMARY if history == SUMMARY_VALUE else Sight.SEEN


def _is_part(meaning: Meaning) -> bool:
    """Whether a cell is part of an answer: a call, a result, or one of them by its id alone."""
    if meaning.role is _CALL or meaning.role is _RESULT:
        return True
    cell = meaning.placed.cell
    return meaning.definition is None and cell.kind is CellKind.OUTPUT and "." in (cell.id or "")


def hiding_owner(view: View, meaning: Meaning) -> Definition | None:
    """The definition that hides the answer, or else the call, that a call or result is part of.

    Of several cells with the id of the owner, it is the nearest one above.
    """
    cell_id = meaning.cell.id
    if cell_id is None or not _is_part(meaning):
        return None
    # Only these two, because invalidation follows the index: it knows the children of an id and
    # what is below a root.
    root, parent = cell_id.partition(".")[0], cell_id.rpartition(".")[0]
    for owner in (root, parent) if parent != root else (root,):
        if owner == cell_id or not _may_hide(view, owner):
            continue
        headers = view.entries("header", owner)
        if headers:
            above = bisect_left(headers, meaning.placed.label, key=_LABEL) - 1
            found = marking(view, view.cell(headers[max(above, 0)].label))
            if found is not None and _hides(found):
                return found
            continue
        # The owner has a definition and no valid header: what it is meant to hide stays hidden.
        for entry in view.entries("definition", owner):
            for definition in view.cell(entry.label).cell.definitions_of(owner):
                if definition.is_typed and _hides(definition):
                    return definition
    return None


def _may_hide(view: View, cell_id: str) -> bool:
    """Whether a definition of that id may hide its cell, from the index alone."""
    entries = view.entries("definition", cell_id)
    if not entries:
        return bool(view.entries("marks", cell_id))
    if len(entries) != 1 or len(entries[0].payloads) != 1:
        return True
    payload = entries[0].payloads[0]
    if not isinstance(payload, tuple):
        return True
    return "history" in payload[1] or "virtual" in payload[1]


def _hides(definition: Definition) -> bool:
    value = definition.marks.get
    return is_true(value("virtual")) or history_of(value("history")) == EXCLUDED


def defines_agent(meaning: Meaning) -> bool:
    """Whether a cell defines a temporary agent: that is configuration, and is not sent."""
    return meaning.cell.kind is CellKind.MESSAGE and meaning.value("definition") == "agent"


def seen_text(meaning: Meaning, sight: Sight) -> str:
    """The part of the cell's content that is sent."""
    if sight is Sight.SEEN:
        return plain_content(meaning)
    if sight is not Sight.SUMMARY:
        return ""
    summary = meaning.mark("summary")
    return summary or first_paragraph(plain_content(meaning))


def plain_content(meaning: Meaning) -> str:
    """The part of the body that is sent, precisely enough to count its tokens.

    Definitions are left out wherever they are: some writers put all of them into the last cell.
    Of a code cell only the first fenced block is sent, if it has one.
    """
    cell = meaning.cell
    home = cell.home
    start = cell.body.start
    if home is not None and home.is_typed:
        start = home.span.end
    cuts = [definition.span for definition in cell.definitions if definition.is_typed]
    if SUPPRESSION_MARK in cell.text:
        cuts += [suppression.span for suppression in cell.suppressions]
    pieces = []
    for cut in sorted(cuts):
        if start <= cut.start:
            pieces.append(cell.text[start : cut.start])
            start = cut.end
    pieces.append(cell.text[start:])
    text = "".join(pieces).strip(" \t\r\n")
    if meaning.role is CellRole.CODE:
        code = read_code(text)
        return text if code is None else code.block
    return text


def first_paragraph(content: str) -> str:
    """The first paragraph, which replaces a missing summary. A fenced block is one paragraph."""
    if content.startswith(("```", "~~~")):
        fences = fences_of(content)
        if fences and not fences[0].span.start:
            return fences[0].span.of(content)
    end = _PARAGRAPH_END.search(content)
    return content if end is None else content[: end.start()]


# -- a whole document ------------------------------------------------------------------------

# Greater than every label: if the named section is missing, nothing is recorded.
_NOTHING_RECORDED = 1 << 256


def horizon_of(document: Document) -> Horizon:
    """The horizon of a message file; takes the same time however long the file is."""
    reset = last_reset(document)
    if section_name(document) is None or not document.cell_count:
        return Horizon(reset)
    section = section_label(document)
    return Horizon(reset, _NOTHING_RECORDED if section < 0 else section)


class CellSight(NamedTuple):
    """A cell or message, its role and its visibility, for a table."""

    label: int
    line: int
    """From 0."""
    id: str | None
    role: str
    """Its role in a word or two."""
    tokens: int
    """About how many are sent of it."""
    sight: Sight
    why: str
    """Why it is not sent, or not in full; empty if it is."""


_WHY: Mapping[Sight, Phrase] = {
    Sight.SEEN: EMPTY,
    Sight.SUMMARY: Phrase("replaced by its summary"),
    Sight.VIRTUAL: Phrase("it is virtual"),
    Sight.BEFORE_RESET: Phrase("it is before the last reset"),
    Sight.OUTSIDE: Phrase("it is outside the section"),
    Sight.OWNER_HIDDEN: Phrase("it belongs to a hidden cell"),
    Sight.NO_CELL: Phrase("it is not a cell"),
}


def why_not(meaning: Meaning, sight: Sight, horizon: Horizon) -> Phrase:
    """Why the model does not see a cell in full, for users."""
    if sight is Sight.EXCLUDED:
        return Phrase("history={value}", value=meaning.mark("history") or "")
    if sight is Sight.SUMMARY and meaning.mark("summary"):
        return Phrase("replaced by its `summary`")
    if sight is Sight.SUMMARY:
        return Phrase("replaced by its first paragraph")
    if sight is Sight.VIRTUAL and defines_agent(meaning):
        return Phrase("it defines an agent")
    if sight is Sight.BEFORE_RESET and meaning.placed.label == horizon.reset_label:
        return Phrase("it resets the context")
    return _WHY[sight]


def hidden_cells(document: Document) -> Iterator[Placed]:
    """The cells of a message file that the model does not see at all, in order."""
    if isinstance(document.format, MessageFile):
        for meaning, sight in _sights(document, horizon_of(document)):
            if not sight.is_sent:
                yield meaning.placed


def _sights(document: Document, horizon: Horizon) -> Iterator[tuple[Meaning, Sight]]:
    """The cells of a message file, and whether the model sees each."""
    for placed in document.cells():
        if placed.cell.kind is not CellKind.PREAMBLE:
            meaning = meaning_of(document, placed)
            yield meaning, sight_of(document, meaning, horizon)


def cell_sights(document: Document, counter: TokenCounter) -> list[CellSight]:
    """A row for every cell or message of a document, in order."""
    if isinstance(document.format, MessageFile):
        return _message_file_sights(document, counter)
    return message_sights(document, read_document(document), counter)


def _message_file_sights(document: Document, counter: TokenCounter) -> list[CellSight]:
    horizon = horizon_of(document)
    found = []
    for meaning, sight in _sights(document, horizon):
        found.append(
            CellSight(
                meaning.placed.label,
                meaning.placed.start_line,
                meaning.cell.id,
                role_word(meaning),
                counter.count(seen_text(meaning, sight)),
                sight,
                why_not(meaning, sight, horizon),
            )
        )
    return found


def role_word(meaning: Meaning) -> str:
    """The role of a cell in a word or two; for an answer, its agent."""
    if meaning.role is CellRole.MESSAGE:
        return "system" if meaning.value("role") == "system" else "user"
    if meaning.role is CellRole.ANSWER:
        return meaning.type or "assistant"
    return Phrase(meaning.role.value)


def message_sights(
    document: Document, conversation: Conversation, counter: TokenCounter
) -> list[CellSight]:
    """A row for each message: in these formats visibility belongs to messages, not to cells."""
    from msgls.conversation.context import sent, sights_of, why_hidden
    from msgls.conversation.markdown import as_markdown

    found = []
    for index, sight in enumerate(sights_of(conversation)):
        message, spans = conversation.messages[index], conversation.sources[index]
        placed = document.cell_at_offset(spans[0].start) if spans else None
        meta = message.meta or {}
        name = meta.get("id", meta.get("agent"))
        parts = sent(message, sight).parts if sight.is_sent else ()
        found.append(
            CellSight(
                -1 if placed is None else placed.label,
                document.position_of(spans[0].start).line if spans else 0,
                name if isinstance(name, str) else None,
                message.role,
                counter.count("\n".join(map(as_markdown, parts))),
                sight,
                EMPTY if sight is Sight.SEEN else why_hidden(message, sight),
            )
        )
    return found
