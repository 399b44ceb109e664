"""Code actions: the ways out of problems, silencing a rule, and what can be done with a cell.

Owns which of them are offered where, and their titles. Fixes come from the rules, cell
actions are commands; nothing here changes anything. What a place costs follows the cells
around it, not the document.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.features.snippets import agents_first_default
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import line_break_of
from msgls.formats.msgmd.history import Sight, last_reset, sight_of
from msgls.formats.msgmd.meaning import (
    MESSAGE_TYPES,
    CellRole,
    Meaning,
    frontmatter_of,
    meaning_of,
    own_home,
)
from msgls.formats.msgmd.section import section_order
from msgls.model.cells import CellKind
from msgls.rules.base import Fix, Problem, Rule, Surroundings
from msgls.rules.checker import Checker
from msgls.rules.fixing import fix_all, fixes_of
from msgls.rules.registry import BY_CODE
from msgls.rules.texts import text
from msgls.text.lines import line_bounds
from msgls.text.spans import Edit, Span

FIX_ALL_TITLE = "Fix all problems that can be fixed safely"
_MOST_AGENTS = 5
_MOST_EDITS, _MOST_TEXT = 50, 2_000
_CHILDREN = {
    CellRole.ANSWER: "tool call",
    CellRole.CALL: "result",
    CellRole.CODE: "run",
}


class FixAction(NamedTuple):
    """A way out of a problem."""

    title: str
    edits: tuple[Edit, ...]
    problem: Problem
    number: int
    """Which of the problem's ways out it is; -1 where it is none of the rule's."""
    is_preferred: bool = False

    @property
    def is_large(self) -> bool:
        """Whether its edits are better sent only if somebody wants them."""
        size = sum(len(edit.text) for edit in self.edits)
        return self.number >= 0 and (len(self.edits) > _MOST_EDITS or size > _MOST_TEXT)


class CommandAction(NamedTuple):
    """Something to do with a cell."""

    title: str
    command: str
    arguments: Mapping[str, Any] = {}
    is_going: bool = False
    """Whether it only moves the cursor."""


# -- problems -----------------------------------------------------------------------------


def cells_in(document: Document, span: Span) -> Iterator[Placed]:
    """The cells that a span touches."""
    number = document.number_at_offset(span.start)
    while number is not None and number < document.cell_count:
        placed = document.cell_number(number)
        if placed.start_offset > span.end:
            break
        yield placed
        number += 1


def problems_at(document: Document, checker: Checker, span: Span) -> list[Problem]:
    """The problems that touch a span."""
    starts = {placed.order: placed.start_offset for placed in cells_in(document, span)}
    found = []
    for problem in checker.problems_in(starts):
        start, end = problem.span.shift(starts[problem.order])
        if start <= span.end and span.start <= end:
            found.append(problem)
    return found


def fix_actions(
    document: Document, problems: Sequence[Problem], surroundings: Surroundings
) -> Iterator[FixAction]:
    """Every way out of every problem; then, each rule once, how to silence it."""
    for problem in problems:
        ways = _fixes(document, problem, surroundings)
        for number, fix in enumerate(ways):
            is_best = not number and (fix.safe or len(ways) == 1)
            title = text(fix.code, fix.key, fix.args)
            yield FixAction(title, fix.edits, problem, number, is_best)
    silenced: set[tuple[str, int]] = set()
    for problem in problems:
        order = problem.order if problem.subject is None else problem.subject
        if (problem.code, order) not in silenced:
            silenced.add((problem.code, order))
            placed = document.cell(order)
            edit = ignoring(document, placed, problem.code)
            if edit is not None:
                where = "file" if placed.cell.kind is CellKind.PREAMBLE else "cell"
                yield FixAction(f"Ignore {problem.code} in this {where}", (edit,), problem, -1)


def _fixes(document: Document, problem: Problem, surroundings: Surroundings) -> list[Fix]:
    ways = fixes_of(document, problem, BY_CODE[problem.code], surroundings)
    return [fix for fix in ways if fix.edits]


def find_fix(
    document: Document,
    checker: Checker,
    order: int,
    place: tuple[str, str, int, int],
    number: int,
) -> tuple[Edit, ...] | None:
    """The edits of a way out that was offered before: code, key and span say of which problem."""
    for problem in checker.problems_in((order,)):
        if (problem.code, problem.key, *problem.span) == place:
            ways = _fixes(document, problem, checker.surroundings)
            return ways[number].edits if 0 <= number < len(ways) else None
    return None


def ignoring(document: Document, placed: Placed, code: str) -> Edit | None:
    """The comment that silences a rule in a cell, below its definition."""
    cell = placed.cell
    if cell.frontmatter is not None and not cell.frontmatter_closed:
        return None
    at = int(cell.text.startswith("\ufeff"))
    home = own_home(cell)
    if home is not None:
        at = home.span.end
    elif cell.header is not None:
        at = cell.header.span.end
    elif cell.frontmatter is not None:
        at = line_bounds(cell.text, len(cell.text[: cell.frontmatter.end].rstrip(" \t\r\n")))[1]
    newline = line_break_of(document)
    comment = f"<!-- msgls: ignore {code} -->"
    if cell.header is None and cell.frontmatter is None:
        line = comment + newline + newline
    else:
        behind = cell.text[at:].replace("\r\n", "\n").replace("\r", "\n")[1:].lstrip(" \t")
        line = newline + newline + comment + ("" if behind[:1] in ("", "\n") else newline)
    return Edit(Span(at, at).shift(placed.start_offset), line)


def fix_all_edits(
    document: Document, rules: Sequence[Rule], surroundings: Surroundings
) -> list[Edit]:
    """The edits that apply every safe fix."""
    return differences(
        document, fix_all(document, rules, surroundings, lambda problem: True).document
    )


def differences(before: Document, after: Document) -> list[Edit]:
    """The edits that make one version of a document another.

    Cells that are the same object under the same label are the same text; only what stands
    between them is compared.
    """
    kept = {placed.order: placed for placed in before.cells()}
    edits: list[Edit] = []
    done_before = done_after = 0
    ends = Span(len(before.store), len(before.store)), Span(len(after.store), len(after.store))
    anchors = [
        (kept[placed.order].span, placed.span)
        for placed in after.cells()
        if placed.order in kept and kept[placed.order].cell is placed.cell
    ]
    for was, now in [*anchors, ends]:
        old = before.store.slice(Span(done_before, was.start))
        new = after.store.slice(Span(done_after, now.start))
        if old != new:
            edits.append(_trimmed(done_before, old, new))
        done_before, done_after = was.end, now.end
    return edits


def _trimmed(base: int, old: str, new: str) -> Edit:
    """The edit that makes ``old`` into ``new``, without what both share at the ends."""
    start = _shared(old, new, min(len(old), len(new)), first=True)
    # Never between the two characters of a line break.
    start -= old[start - 1 : start] == "\r"
    end = _shared(old, new, min(len(old), len(new)) - start, first=False)
    end -= end > 0 and old[len(old) - end] == "\n"
    return Edit(Span(base + start, base + len(old) - end), new[start : len(new) - end])


def _shared(one: str, other: str, most: int, first: bool) -> int:
    """How many characters two texts share at one end, by halving: a loop would take long."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        is_same = (
            one[:middle] == other[:middle]
            if first
            else one[len(one) - middle :] == other[len(other) - middle :]
        )
        low, high = (middle, high) if is_same else (low, middle - 1)
    return low


# -- cells --------------------------------------------------------------------------------


def cell_actions(
    document: Document, offset: int, others: Collection[str] = ()
) -> Iterator[CommandAction]:
    """What can be done with the cell at ``offset``."""
    if document.format.name != "msgmd":
        return
    placed = document.cell_at_offset(offset)
    inside = placed is not None and placed.cell.kind is not CellKind.PREAMBLE
    for name, command in (("message", "insertMessage"), ("output", "insertOutput")):
        for where, above in (("above", True), ("below", False)):
            if inside or not above:
                title = f"Insert {name} cell {where}"
                yield CommandAction(title, f"msgls.cell.{command}", {"above": above})
    if placed is None or not inside:
        return
    meaning = meaning_of(document, placed, others)
    yield from _children_actions(document, meaning)
    yield from _arranging_actions(document, meaning, offset)
    yield from _type_actions(document, meaning, others)
    yield from history_actions(document, meaning)
    yield from going_actions(document, meaning)


def _children_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    role = meaning.role
    if not meaning.cell.id:
        return
    if role in (CellRole.ANSWER, CellRole.CALL, CellRole.RESULT):
        yield CommandAction("Insert tool call cell", "msgls.cell.insertToolCall")
    if role in (CellRole.CALL, CellRole.RESULT):
        yield CommandAction("Insert tool result cell", "msgls.cell.insertToolResult")
    if role in (CellRole.CODE, CellRole.RUN):
        yield CommandAction("Insert execution cell", "msgls.cell.insertExecution")
    if role in (CellRole.RESULT, CellRole.RUN):
        what = "results" if role is CellRole.RESULT else "runs"
        yield CommandAction(f"Renumber {what}", "msgls.cell.renumber")


def _arranging_actions(
    document: Document, meaning: Meaning, offset: int
) -> Iterator[CommandAction]:
    placed, cell = meaning.placed, meaning.cell
    home = own_home(cell)
    head = cell.body.start if home is None else home.span.end + 1
    is_whole = meaning.role in (CellRole.MESSAGE, CellRole.CODE, CellRole.ANSWER)
    if is_whole and offset - placed.start_offset >= head:
        yield CommandAction("Split cell", "msgls.cell.split")
    number = document.number_of(placed.order)
    if number + 1 < document.cell_count:
        if document.cell_number(number + 1).cell.kind is cell.kind:
            yield CommandAction("Merge cell with next", "msgls.cell.mergeNext")
        yield CommandAction("Move cell down", "msgls.cell.moveDown")
    if number and document.cell_number(number - 1).cell.kind is not CellKind.PREAMBLE:
        yield CommandAction("Move cell up", "msgls.cell.moveUp")
    yield CommandAction("Duplicate cell", "msgls.cell.duplicate")
    yield CommandAction("Delete cell", "msgls.cell.delete")


def _type_actions(
    document: Document, meaning: Meaning, others: Collection[str]
) -> Iterator[CommandAction]:
    if meaning.role is CellRole.ANSWER and meaning.type:
        frontmatter = frontmatter_of(document)
        if frontmatter is None or frontmatter.default_agent_name != meaning.type:
            title = f"Make `{meaning.type}` the default agent"
            yield CommandAction(title, "msgls.agent.setDefault", {"name": meaning.type})
    cell_id = meaning.cell.id or ""
    if "." in cell_id:
        return
    has_children = bool(cell_id) and bool(document.entries("child", cell_id))
    agents = agents_first_default(document, others)[:_MOST_AGENTS]
    if meaning.cell.kind is CellKind.OUTPUT:
        types = [*agents, *([] if has_children else MESSAGE_TYPES[:1])]
    else:
        types = [] if has_children else [*MESSAGE_TYPES, *agents[:1]]
    now = meaning.type or (MESSAGE_TYPES[0] if meaning.cell.kind is CellKind.MESSAGE else "")
    for kind in types:
        if kind != now:
            yield CommandAction(
                f"Change cell type to `{kind}`", "msgls.cell.changeType", {"type": kind}
            )


def history_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    """What can be changed about whether the model sees a cell; the most likely one first."""
    sight = sight_of(meaning, last_reset(document), section_order(document))
    if sight in (Sight.EXCLUDED, Sight.SUMMARY):
        yield CommandAction("Include cell in history", "msgls.history.include")
    if sight in (Sight.SEEN, Sight.SUMMARY):
        yield CommandAction("Exclude cell from history", "msgls.history.exclude")
    if sight in (Sight.SEEN, Sight.EXCLUDED):
        yield CommandAction("Summarize cell in history", "msgls.history.summarize")


def going_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    """Where one can go from a cell."""
    cell_id = meaning.cell.id
    if cell_id and document.entries("child", cell_id):
        name = _CHILDREN.get(meaning.role, "cell below it")
        yield CommandAction(f"Go to the first {name}", "msgls.cell.goToChild", is_going=True)
    if meaning.parent_id and document.entries("header", meaning.parent_id):
        title = "Go to the cell that this one belongs to"
        yield CommandAction(title, "msgls.cell.goToParent", is_going=True)
