"""Checking one file: from its text to findings that any output can show.

Owns the plain data that worker processes return and outputs read: lines and columns are counted
from 1, in characters, without a byte-order mark. Decides nothing about what is shown.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from msgls.document.document import Text
from msgls.document.snapshot import Settings, Snapshot, Surroundings
from msgls.formats.base import Format
from msgls.host.files import FileProblem, read_runs, read_text, write_text
from msgls.host.opening import open_snapshot
from msgls.rules.base import Fix, Problem, Rule, Severity
from msgls.rules.checker import Checker
from msgls.rules.registry import rule_text, rules_of
from msgls.rules.settings import rules_for, severity_of
from msgls.text.phrases import Phrase
from msgls.text.spans import Span
from msgls.text.translation import ENGLISH, language_of

_BOM = "\ufeff"


class Place(NamedTuple):
    """A line and a column, both from 1."""

    line: int
    column: int


class Replacement(NamedTuple):
    """One edit of a fix."""

    start: Place
    end: Place
    text: str


class Remedy(NamedTuple):
    """A fix, for output."""

    title: str
    safe: bool
    edits: tuple[Replacement, ...]


class Elsewhere(NamedTuple):
    """Another place that is related to a finding."""

    start: Place
    end: Place
    message: str


class Finding(NamedTuple):
    """A problem, for output."""

    path: str
    code: str
    name: str
    severity: Severity
    message: str
    start: Place
    end: Place
    line: str
    """The source line that it starts on."""
    fix: Remedy | None
    related: tuple[Elsewhere, ...]
    in_english: str = ""
    """The message in English, whatever language is shown: runs are compared by it."""


class Report(NamedTuple):
    """The result of checking one file."""

    path: str
    findings: tuple[Finding, ...] = ()
    error: Phrase | None = None
    """Why the file could not be checked or written."""
    failures: tuple[str, ...] = ()
    """Rules that raised an exception, each with its message: these are bugs in msgls."""
    fixed: Mapping[str, int] = {}
    """How many fixes were applied, by rule."""
    before: str = ""
    after: str = ""
    """The text before and after fixing, if it is to be shown."""
    language: str = ENGLISH
    """The language of its findings."""

    @property
    def changed(self) -> bool:
        """Whether fixing changed the text."""
        return self.before != self.after


class Task(NamedTuple):
    """A file, and how to check it."""

    path: str
    settings: Settings
    surroundings: Surroundings
    least: Severity = Severity.WARNING
    """Less severe problems are not reported."""
    fix: bool = False
    unsafe: bool = False
    write: bool = True
    """Whether the fixed text is written to the file."""
    with_fixes: bool = True
    """Whether the fixes are shown."""
    with_edits: bool = True
    """Whether their edits are shown, too."""


def check_file(task: Task) -> Report:
    """Read, check and, if asked, fix and write one file. Never raises."""
    path, language = Path(task.path), language_of(task.settings.locale, None)
    try:
        if not task.fix:
            return check_text(task, read_runs(path))
        text = read_text(path)
        report = check_text(task, text)
        if task.write and report.changed:
            write_text(path, report.after, instead_of=text)
            report = report._replace(before="", after="")
        return report
    except FileProblem as problem:
        return Report(task.path, error=problem.phrase, language=language)
    except Exception as error:
        # A bug in msgls: the other files are still checked.
        what = f"{type(error).__name__}: {error}"
        error_of_ours = Phrase("internal error: {error}", error=what)
        return Report(task.path, error=error_of_ours, language=language)


def check_text(task: Task, text: Text, format: Format | None = None) -> Report:
    """Check and, if asked, fix a text."""
    failures: dict[str, str] = {}

    def note(rule: Rule, error: Exception) -> None:
        failures.setdefault(rule.code, f"{type(error).__name__}: {error}")

    # Absolute: the folders above may decide the format.
    path = str(Path(task.path).absolute())
    snapshot = open_snapshot(path, text, task.settings, task.surroundings, format)
    rules = active_rules(task, snapshot.document.format.name)
    before = snapshot.document.text if task.fix else ""
    applied: Mapping[str, int] = {}
    if task.fix:
        from msgls.rules.fixing import fix_all

        fixed = fix_all(snapshot, rules, lambda _: True, task.unsafe)
        snapshot, applied = snapshot.of(fixed.document), dict(fixed.applied)
    checker = Checker(snapshot, rules, note)
    findings = _Findings(task, snapshot, rules, note).all(checker.problems())
    return Report(
        task.path,
        findings,
        failures=tuple(f"{code} ({what})" for code, what in failures.items()),
        fixed=applied,
        before=before,
        after=snapshot.document.text if task.fix else "",
        language=language_of(task.settings.locale, None),
    )


def active_rules(task: Task, format: str) -> list[Rule]:
    """The rules of a format whose findings are reported: the others need not run."""
    settings = task.settings
    if settings.per_file_ignores:
        return _active(settings, str(Path(task.path).absolute()), task.least, format)
    severity = tuple(settings.severity.items())
    return _active_anywhere(settings.select, settings.ignore, severity, task.least, format)


# Cached: nearly every file has the same rules as the one before it.
@lru_cache(maxsize=8)
def _active_anywhere(
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    severity: tuple[tuple[str, str], ...],
    least: Severity,
    format: str,
) -> list[Rule]:
    settings = Settings(select=select, ignore=ignore, severity=dict(severity))
    return _active(settings, "", least, format)


def _active(settings: Settings, path: str, least: Severity, format: str) -> list[Rule]:
    rules = rules_for(settings, path, rules_of(format))
    levels = [(rule, severity_of(settings, rule, rule.worst)) for rule in rules]
    return [rule for rule, level in levels if level is not None and level <= least]


class _Findings:
    """Turns the problems of one document into findings."""

    def __init__(
        self,
        task: Task,
        snapshot: Snapshot,
        rules: Iterable[Rule],
        note: Callable[[Rule, Exception], None],
    ) -> None:
        self.task = task
        self.snapshot = snapshot
        self.document = snapshot.document
        self.rules = {rule.code: rule for rule in rules}
        self.note = note
        self.language = language_of(task.settings.locale, None)
        self.has_mark = self.document.store.line_text(0).startswith(_BOM)
        self.last_line = (0, "")
        """The number and text of the last finding's line: very many findings may be on one line."""

    def all(self, problems: Iterable[Problem]) -> tuple[Finding, ...]:
        found = map(self.finding_or_none, problems)
        least = self.task.least
        return tuple([finding for finding in found if finding and finding.severity <= least])

    def finding_or_none(self, problem: Problem) -> Finding | None:
        try:
            return self.finding(problem)
        except Exception as error:
            self.note(self.rules[problem.code], error)
            return None

    def finding(self, problem: Problem) -> Finding:
        rule = self.rules[problem.code]
        start, end = self.places(problem.label, problem.span)
        related = [
            Elsewhere(
                *self.places(other.label, other.span),
                rule_text(problem.code, other.key, other.args, self.language),
            )
            for other in problem.related
        ]
        return Finding(
            self.task.path,
            problem.code,
            rule.name,
            severity_of(self.task.settings, rule, problem.severity) or rule.severity,
            rule_text(problem.code, problem.key, problem.args, self.language),
            start,
            end,
            self.line(start.line),
            self.remedy(rule, problem) if self.task.with_fixes else None,
            tuple(related),
            rule_text(problem.code, problem.key, problem.args),
        )

    def places(self, label: int, span: Span) -> tuple[Place, Place]:
        base = self.document.cell(label).start_offset
        return self.place(base + span.start), self.place(base + span.end)

    def place(self, offset: int) -> Place:
        line, column = self.document.position_of(offset)
        # A byte-order mark is not visible, and editors do not count it.
        marked = self.has_mark and line == 0 and column > 0
        return Place(line + 1, column if marked else column + 1)

    def line(self, number: int) -> str:
        """A line, from 1."""
        if number != self.last_line[0]:
            text = self.document.store.line_text(number - 1)
            self.last_line = (number, text.removeprefix(_BOM) if number == 1 else text)
        return self.last_line[1]

    def remedy(self, rule: Rule, problem: Problem) -> Remedy | None:
        """The best fix."""
        try:
            fixes = rule.fixes(self.snapshot, problem)
            fix = next(iter(fixes), None)
            return None if fix is None else self._shown(rule, fix)
        except Exception as error:
            self.note(rule, error)
            return None

    def _shown(self, rule: Rule, fix: Fix) -> Remedy:
        edits = sorted(fix.edits, key=lambda edit: edit.span) if self.task.with_edits else ()
        title = rule_text(rule.code, fix.key, fix.args, self.language)
        shown = [
            Replacement(self.place(edit.span.start), self.place(edit.span.end), edit.text)
            for edit in edits
        ]
        return Remedy(title, fix.safe, tuple(shown))
