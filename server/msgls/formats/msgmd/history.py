"""What the model sees of a cell, and why it does not see it.

Owns the reading of ``history``, ``summary``, ``virtual`` and ``reset``.
"""

from __future__ import annotations

from enum import Enum

from msgls.formats.base import View
from msgls.formats.msgmd.content import fences_of
from msgls.formats.msgmd.meaning import CellRole, Meaning
from msgls.text.patterns import lazy_pattern

EXCLUDED_VALUES = ("none", "exclude", "0", "false")
INCLUDED_VALUES = ("include", "1", "true")
SUMMARY_VALUE = "summary"
HISTORY_VALUES = (*INCLUDED_VALUES, *EXCLUDED_VALUES, SUMMARY_VALUE)

_PARAGRAPH_END = lazy_pattern(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")
_TRUE = ("1", "true")


class Sight(Enum):
    """Whether the model sees a cell, and if not, why."""

    SEEN = "seen"
    SUMMARY = "summary"
    EXCLUDED = "excluded"
    VIRTUAL = "virtual"
    BEFORE_RESET = "before-reset"
    OUTSIDE = "outside"
    NO_CELL = "no-cell"

    @property
    def is_sent(self) -> bool:
        """Whether anything of the cell is sent."""
        return self in (Sight.SEEN, Sight.SUMMARY)


def last_reset(view: View) -> int:
    """The label of the last cell that resets the context; below every label if none does."""
    headers = [
        header.order
        for entry in view.entries("reset", "")
        for payload in entry.payloads
        if isinstance(payload, tuple)
        for header in view.entries("header", str(payload[0]))
    ]
    return max(headers, default=-1)


def sight_of(meaning: Meaning, reset_order: int, section_order: int = -1) -> Sight:
    """Whether the model sees a cell. The resetting cell itself is the last that it does not.

    ``section_order`` is the label of the cell that holds the heading of the section: in a
    plain file, a cell up to there is not recorded.
    """
    if meaning.role is CellRole.PREAMBLE:
        return Sight.NO_CELL
    if meaning.placed.order <= section_order:
        return Sight.OUTSIDE
    if meaning.value("virtual") in _TRUE:
        return Sight.VIRTUAL
    if meaning.placed.order <= reset_order:
        return Sight.BEFORE_RESET
    history = meaning.value("history")
    if history in EXCLUDED_VALUES:
        return Sight.EXCLUDED
    return Sight.SUMMARY if history == SUMMARY_VALUE else Sight.SEEN


def seen_text(meaning: Meaning, sight: Sight, end: int | None = None) -> str:
    """What of the cell's content is sent; ``end`` is where the record ends in it, if it does."""
    if sight is Sight.SEEN:
        return plain_content(meaning, end)
    if sight is not Sight.SUMMARY:
        return ""
    summary = meaning.value("summary")
    return summary or first_paragraph(plain_content(meaning, end))


def plain_content(meaning: Meaning, end: int | None = None) -> str:
    """The body less typed definitions, near enough to count it.

    Some writers put the definitions of all cells into the last one.
    """
    cell = meaning.cell
    home = cell.home
    start = cell.body.start
    if home is not None and home.is_typed:
        start = home.span.end
    if len(cell.definitions) < 2:
        return cell.text[start:end].strip(" \t\r\n")
    stop = len(cell.text) if end is None else end
    pieces = []
    for definition in cell.definitions:
        if definition.is_typed and start <= definition.span.start < stop:
            pieces.append(cell.text[start : definition.span.start])
            start = definition.span.end
    pieces.append(cell.text[start:stop])
    return "".join(pieces).strip(" \t\r\n")


def first_paragraph(content: str) -> str:
    """What stands in for a cell that has no summary. A fenced block is a paragraph as a whole."""
    if content.startswith(("```", "~~~")):
        fences = fences_of(content)
        if fences and not fences[0].span.start:
            return fences[0].span.of(content)
    end = _PARAGRAPH_END.search(content)
    return content if end is None else content[: end.start()]
