"""Code actions: the fixes of problems, the suppression of rules, and the commands for a cell.

Owns which fixes are offered, and in which order. The fixes come from the rules, and cell actions
are commands: nothing is changed here. The time that it takes depends on the cells in the range,
not on the length of the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.command_table import Command
from msgls.features.counting import plural
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.rules.base import Fix, Problem, Rule, Severity
from msgls.rules.checker import Checker
from msgls.rules.fixing import Left, fix_all, fixes_of
from msgls.rules.registry import rule, rule_text
from msgls.rules.settings import severity_of
from msgls.syntax.cells import CellKind
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Edit, Span, difference
from msgls.text.translation import ENGLISH, say
from msgls.text.work import Pausing, Work, done

FIX_ALL_TITLE = Phrase("Fix all problems that can be fixed safely")
_MOST_EDITS, _MOST_TEXT = 50, 2_000


class FixAction(NamedTuple):
    """A fix of a problem."""

    title: str
    edits: tuple[Edit, ...]
    problem: Problem
    number: int
    """The index of the fix among the problem's fixes; -1 for the suppression of the rule."""
    is_preferred: bool = False

    @property
    def is_large(self) -> bool:
        """Whether its edits are so large that they are sent only when it is chosen."""
        size = sum(len(edit.text) for edit in self.edits)
        return self.number >= 0 and (len(self.edits) > _MOST_EDITS or size > _MOST_TEXT)


class CommandAction(NamedTuple):
    """A command that is offered as a code action."""

    row: Command
    text: Phrase | None = None
    """Its title, if that differs from the title of the command."""
    arguments: Mapping[str, Any] = {}
    obstacle: Phrase | None = None
    """Why it cannot be done, if that is known: it is shown as disabled, or left out."""

    @property
    def command(self) -> str:
        """The id of the command."""
        return self.row.id

    @property
    def title(self) -> Phrase:
        """Its name."""
        return self.text or self.row.title


def insertions(is_in_cell: bool) -> Iterator[CommandAction]:
    """The commands that insert a cell; above is offered only if the cursor is in a cell."""
    yield CommandAction(table.INSERT_MESSAGE)
    yield CommandAction(table.INSERT_OUTPUT)
    if is_in_cell:
        yield CommandAction(table.INSERT_MESSAGE_ABOVE)
        yield CommandAction(table.INSERT_OUTPUT_ABOVE)


MOST_CELL_ACTIONS = 5
"""How many are offered if the others are one step away, in a menu of the editor."""
MENU_TITLE = Phrase("Cell…")


# -- problems -----------------------------------------------------------------------------


def cells_in(document: Document, span: Span) -> Iterator[Placed]:
    """The cells that a span touches."""
    number = document.number_at_offset(span.start)
    for placed in () if number is None else document.cells_from(number):
        if placed.start_offset > span.end:
            break
        yield placed


@Pausing
def problems_at(checker: Checker, span: Span) -> Work[list[Problem]]:
    """The problems that touch a span."""
    starts: dict[int, int] = {}
    for placed in cells_in(checker.document, span):
        starts[placed.label] = placed.start_offset
        yield
    found: list[Problem] = []
    for problem in (yield from checker.problems_in(starts)):
        yield
        places = [(problem.label, problem.span)]
        places += [(other.label, other.span) for other in problem.related if other.has_fixes]
        here = [place.shift(starts[label]) for label, place in places if label in starts]
        if any(start <= span.end and span.start <= end for start, end in here):
            found.append(problem)
    return found


@Pausing
def fix_actions(
    snapshot: Snapshot,
    problems: Sequence[Problem],
    language: str = ENGLISH,
    is_asked: bool = True,
) -> Work[list[FixAction]]:
    """Every fix of every problem; then, once for each rule, its suppression.

    The suppression of a hint is offered only if the user has asked for actions: nothing is wrong
    there, and an editor would show its lamp in every cell that is excluded on purpose.
    """
    document = snapshot.document
    found: list[FixAction] = []
    for problem in problems:
        yield
        ways = _fixes(snapshot, problem)
        for number, fix in enumerate(ways):
            is_best = not number and (fix.safe or len(ways) == 1)
            title = rule_text(fix.code, fix.key, fix.args, language)
            found.append(FixAction(title, fix.edits, problem, number, is_best))
    suppressed: set[tuple[str, int]] = set()
    for problem in problems:
        yield
        if not (is_asked or _is_shown(snapshot, problem)):
            continue
        label = problem.label if problem.subject is None else problem.subject
        if (problem.code, label) not in suppressed:
            suppressed.add((problem.code, label))
            placed = document.cell(label)
            edit = ignoring(snapshot, placed, problem.code)
            if edit is not None:
                title = say(_suppressing(document, edit, problem.code), language)
                found.append(FixAction(title, (edit,), problem, -1))
    return found


def _suppressing(document: Document, edit: Edit, code: str) -> Phrase:
    if _is_for_all(document, edit):
        return Phrase("Ignore {code} in this file", code=code)
    return Phrase("Ignore {code} in this cell", code=code)


def _is_for_all(document: Document, edit: Edit) -> bool:
    """Whether a comment is before all cells, and so applies to all of them."""
    first = document.first_cell()
    if first is None or first.cell.kind is not CellKind.PREAMBLE:
        return False
    return edit.span.start <= first.span.end


def _fixes(snapshot: Snapshot, problem: Problem) -> list[Fix]:
    ways = fixes_of(snapshot, problem, rule(problem.code))
    return [fix for fix in ways if fix.edits]


def find_fix(
    checker: Checker, label: int, place: tuple[str, str, int, int], number: int
) -> tuple[Edit, ...] | None:
    """The edits of a fix that was offered before; ``place`` is the problem's code, key and span."""
    for problem in done(checker.problems_in((label,))):
        if (problem.code, problem.key, *problem.span) == place:
            ways = _fixes(checker.snapshot, problem)
            return ways[number].edits if 0 <= number < len(ways) else None
    return None


def ignoring(snapshot: Snapshot, placed: Placed, code: str) -> Edit | None:
    """The comment that suppresses a rule in a cell, if the format has such comments."""
    return language_of(snapshot.document).ignoring(snapshot, placed, code)


def fix_all_edits(
    snapshot: Snapshot,
    rules: Sequence[Rule],
) -> tuple[list[Edit], Phrase | None]:
    """The edits that apply every safe fix of ``rules``; and a message about the problems left.

    Hints are not counted as left: most users do not look for them.
    """
    fixed = fix_all(snapshot, rules, lambda _: True)
    left = [one for one in fixed.left if _is_shown(snapshot, one.problem)]
    return differences(snapshot.document, fixed.document), _remaining(left) if left else None


def _is_shown(snapshot: Snapshot, problem: Problem) -> bool:
    severity = severity_of(snapshot.settings, rule(problem.code), problem.severity)
    return severity is not None and severity is not Severity.HINT


def _remaining(left: Sequence[Left]) -> Phrase:
    """How many problems are left, and why. The number first: an editor may cut a long message."""
    to_choose = [one.problem.code for one in left if one.ways]
    by_hand = [one.problem.code for one in left if not one.ways]
    why = []
    if to_choose:
        many = Phrase("{count:,} fixes may change the meaning")
        why.append(_because(to_choose, Phrase("1 fix may change the meaning"), many))
    if by_hand:
        many = Phrase("{count:,} have no automatic fix")
        why.append(_because(by_hand, Phrase("1 has no automatic fix"), many))
    many = Phrase("{count:,} problems are left")
    said = plural(len(left), Phrase("1 problem is left"), many)
    return Phrase("{many}: {why}", many=said, why=joined(why, ", "))


def _because(codes: Sequence[str], one: Phrase, many: Phrase) -> Phrase:
    reason = plural(len(codes), one, many)
    return Phrase("{reason} ({rules})", reason=reason, rules=", ".join(sorted(set(codes))))


def differences(before: Document, after: Document) -> list[Edit]:
    """The edits that turn one version of a document into another.

    Cells that are the same object under the same label have the same text; only the text
    between them is compared.
    """
    kept = {placed.label: placed for placed in before.cells()}
    edits: list[Edit] = []
    done_before = done_after = 0
    ends = Span(len(before.store), len(before.store)), Span(len(after.store), len(after.store))
    anchors = [
        (kept[placed.label].span, placed.span)
        for placed in after.cells()
        if placed.label in kept and kept[placed.label].cell is placed.cell
    ]
    for was, now in [*anchors, ends]:
        old = before.store.slice(Span(done_before, was.start))
        new = after.store.slice(Span(done_after, now.start))
        if old != new:
            edits.append(_trimmed(done_before, old, new))
        done_before, done_after = was.end, now.end
    return edits


def _trimmed(base: int, old: str, new: str) -> Edit:
    """The edit that turns ``old`` into ``new``: all between their common ends."""
    (start, end), text = difference(old, new)
    # Never between the two characters of a line break.
    if old[start - 1 : start] == "\r":
        start, text = start - 1, "\r" + text
    if old[end : end + 1] == "\n":
        end, text = end + 1, text + "\n"
    return Edit(Span(base + start, base + end), text)


# -- cells --------------------------------------------------------------------------------


def cell_actions(snapshot: Snapshot, offset: int) -> Iterator[CommandAction]:
    """The actions for the cell at ``offset``, the most useful first."""
    found = language_of(snapshot.document).cell_actions(snapshot, offset)
    return iter(sorted(found, key=lambda action: action.row.rank))


@Pausing
def range_actions(snapshot: Snapshot, span: Span) -> Work[list[CommandAction]]:
    """The actions for all selected cells, if there are several."""
    return language_of(snapshot.document).range_actions(snapshot, span)


# -- files --------------------------------------------------------------------------------


def file_actions(snapshot: Snapshot) -> Iterator[CommandAction]:
    """The actions for a whole document: the formats that it can be converted to."""
    # These load pydantic and every format.
    from msgls.features.converting import targets_of

    if table.CONVERT_TO in language_of(snapshot.document).commands():
        for target, name in targets_of(snapshot.document).items():
            title = Phrase("Convert to {target}", target=name)
            yield CommandAction(table.CONVERT_TO, title, {"target": target})
