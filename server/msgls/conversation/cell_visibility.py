"""What the model sees of a cell, and why it does not see it.

Owns the reading of ``history``, ``summary``, ``virtual`` and ``reset``.
"""

from __future__ import annotations

from msgls.conversation.visibility import EXCLUDED, Sight, history_of
from msgls.document.document import Document
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.content import SUPPRESSION_MARK, fences_of, read_code
from msgls.formats.msgmd.meaning import definition_of
from msgls.formats.values import (
    SUMMARY_VALUE,
    TRUE_VALUES,
)
from msgls.model.cells import CellKind
from msgls.text.patterns import lazy_pattern

_PARAGRAPH_END = lazy_pattern(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")


def last_reset(view: Document) -> int:
    """The label of the last cell that resets the context; below every label if none does."""
    ids = {
        str(payload[0])
        for entry in view.entries("reset", "")
        for payload in entry.payloads
        if isinstance(payload, tuple)
    }
    orders = {header.order for cell_id in ids for header in view.entries("header", cell_id)}
    for order in sorted(orders, reverse=True):
        # The fact is read off the line as it stands: `reset=1` may be quoted in a value.
        found = definition_of(view, view.cell(order))
        if found is not None and found[0].value("reset") in TRUE_VALUES:
            return order
    return -1


def sight_of(meaning: Meaning, reset_order: int, section_order: int = -1) -> Sight:
    """Whether the model sees a cell. The resetting cell itself is the last that it does not.

    ``section_order`` is the label of the cell that holds the heading of the section: in a
    plain file, a cell up to there is not recorded.
    """
    if meaning.role is CellRole.PREAMBLE:
        return Sight.NO_CELL
    if meaning.placed.order <= section_order:
        return Sight.OUTSIDE
    if meaning.value("virtual") in TRUE_VALUES or defines_agent(meaning):
        return Sight.VIRTUAL
    if meaning.placed.order <= reset_order:
        return Sight.BEFORE_RESET
    history = history_of(meaning.value("history"))
    if history == EXCLUDED:
        return Sight.EXCLUDED
    return Sight.SUMMARY if history == SUMMARY_VALUE else Sight.SEEN


def defines_agent(meaning: Meaning) -> bool:
    """Whether a cell is the definition of a temporary agent: configuration, which is not sent."""
    return meaning.cell.kind is CellKind.MESSAGE and meaning.value("definition") == "agent"


def seen_text(meaning: Meaning, sight: Sight) -> str:
    """What of the cell's content is sent."""
    if sight is Sight.SEEN:
        return plain_content(meaning)
    if sight is not Sight.SUMMARY:
        return ""
    summary = meaning.value("summary")
    return summary or first_paragraph(plain_content(meaning))


def plain_content(meaning: Meaning) -> str:
    """What of the body is sent, near enough to count it: no definitions, no suppressions.

    Some writers put the definitions of all cells into the last one. Of a code cell it is the
    first fenced block, as far as it has one.
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
    """What stands in for a cell that has no summary. A fenced block is a paragraph as a whole."""
    if content.startswith(("```", "~~~")):
        fences = fences_of(content)
        if fences and not fences[0].span.start:
            return fences[0].span.of(content)
    end = _PARAGRAPH_END.search(content)
    return content if end is None else content[: end.start()]
