"""``msgls check``: find problems in files, and fix what can be fixed."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from msgls.cli import output
from msgls.cli.checking import Report, Task, check_file, check_text
from msgls.cli.exits import FAILED, FOUND, OK, UsageProblem, note
from msgls.cli.opening import settings_for
from msgls.cli.running import run_tasks
from msgls.cli.speaking import spoken
from msgls.cli.streams import STDIN, add_paths, dumps, paths_of, positive, read_in, write_out
from msgls.cli.terminal import columns, table
from msgls.document.snapshot import Settings, Surroundings
from msgls.formats.plain import PLAIN
from msgls.formats.registry import DEFAULT, HEAD_LENGTH, detect
from msgls.host.discovery import Discovery
from msgls.host.files import find_files, format_of
from msgls.host.together import Together
from msgls.rules.base import Severity
from msgls.rules.settings import normal_selector, unknown_selector
from msgls.text.phrases import Phrase, about, joined
from msgls.text.translation import AUTO, say

INVALID_JSON = "BOOT001"
_SEVERITIES = {severity.label: severity for severity in Severity}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add_paths(parser)
    add("--fix", action="store_true", help=Phrase("apply safe fixes"))
    unsafe = Phrase("apply fixes that may change the meaning too")
    add("--unsafe-fixes", action="store_true", help=unsafe)
    add(
        "--diff",
        action="store_true",
        help=Phrase(
            "show what --fix would change, without changing anything; exit with 1 if a file "
            "would change"
        ),
    )
    add("--select", metavar="RULES", action="append", help=Phrase("run only these rules"))
    add("--ignore", metavar="RULES", action="append", help=Phrase("do not run these rules"))
    add(
        "--min-severity",
        choices=tuple(_SEVERITIES),
        default=Severity.WARNING.label,
        metavar="SEVERITY",
        help=Phrase(
            "report problems of at least this severity: {severities} (default: warning)",
            severities=joined(_SEVERITIES),
        ),
    )
    add(
        "--output-format",
        choices=output.FORMATS,
        default="full",
        metavar="FORMAT",
        help=Phrase("{formats} (default: full)", formats=joined(output.FORMATS)),
    )
    add("--statistics", action="store_true", help=Phrase("count the problems by rule"))
    add("--watch", action="store_true", help=Phrase("check again whenever a file changes"))
    add("--exit-zero", action="store_true", help=Phrase("exit with 0 even if problems are found"))
    add("-j", "--jobs", type=positive, metavar="N", help=Phrase("the number of processes"))


def run(options: argparse.Namespace) -> int:
    """Check once, or again and again."""
    paths = paths_of(options)
    if options.watch and (STDIN in paths or options.diff):
        raise UsageProblem(Phrase("--watch needs files, and cannot be used with --diff"))
    run = _Run(options)
    if STDIN in paths:
        return run.standard_input()
    if options.watch:
        from msgls.cli.watching import watch

        return watch(lambda: _Run(options).files(paths), paths)
    return run.files(paths)


class _Run:
    """One check of everything."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.discovery = Discovery(note, self.is_reported)
        self.together = Together()
        self.agents_files: set[Path] = set()
        """The ``agents.json`` files of this run, by their absolute paths."""
        self.select = _selectors(options.select, "--select")
        self.ignore = _selectors(options.ignore, "--ignore")
        self.failed = False
        self.found: Counter[str] = Counter()
        self.fixable = 0
        self.unsafe = 0
        """How many problems have only unsafe fixes."""
        self.fixed = 0
        self.changed = 0
        self.names: dict[str, str] = {}
        self.checked = 0
        self.language = spoken(AUTO)
        """The language of the findings, and of the summary."""

    # -- checking ---------------------------------------------------------------------------

    def files(self, paths: Sequence[str]) -> int:
        found = find_files(paths, self.complain)
        files = [(path, format) for path in found if (format := format_of(path)) is not None]
        self.together = Together(files)
        self.agents_files = {path.absolute() for path, format in files if format.registers_agents}
        tasks = [self.task(path) for path, _ in files]
        if not tasks and not self.failed:
            note(Phrase("no message file was found"))
        reports = run_tasks(tasks, self.options.jobs)
        self.show(self.counted(reports), sys.stdout)
        return self.exit_code()

    def standard_input(self) -> int:
        name = self.options.stdin_filename
        text = read_in(name or STDIN)
        if name and detect(name, text[:HEAD_LENGTH]).registers_agents:
            self.agents_files = {Path(name).absolute()}
        task = self.task(Path(name or "stdin.msg.md"))._replace(path=name or STDIN)
        report = check_text(task, text, None if name else DEFAULT)
        reports = [report]
        if name and detect(str(Path(name).absolute()), text[:HEAD_LENGTH]) is PLAIN:
            note(about(name, Phrase("this is not a message file, judging by its name and start")))
            reports = []
        if self.options.fix and not self.options.diff:
            # Standard output is for the text; everything else goes to standard error.
            write_out(report.after)
            self.show(self.counted(reports), sys.stderr)
        else:
            self.show(self.counted(reports), sys.stdout)
        return self.exit_code()

    def task(self, path: Path) -> Task:
        options = self.options
        # Computed once: it is needed several times, for very many files.
        absolute = path.absolute()
        return Task(
            str(path),
            self.configured(settings_for(self.discovery, absolute)),
            self.together.with_others(path, self.discovery.surroundings(absolute)),
            _SEVERITIES[options.min_severity],
            fix=options.fix or options.diff,
            unsafe=options.unsafe_fixes,
            write=not options.diff,
            with_fixes=options.output_format in output.SHOW_FIXES or options.statistics,
            with_edits=options.output_format in output.SHOW_EDITS,
        )

    def is_reported(self, path: Path) -> bool:
        """Whether this run itself reports that an ``agents.json`` is invalid."""
        if path not in self.agents_files:
            return False
        settings = self.configured(settings_for(self.discovery, path))
        report = check_file(Task(str(path), settings, Surroundings(), with_fixes=False))
        return bool(report.error) or any(f.code == INVALID_JSON for f in report.findings)

    def configured(self, settings: Settings) -> Settings:
        """The settings, overridden by the options of the command line."""
        for_people = self.options.output_format in output.FOR_PEOPLE
        settings = settings._replace(locale=spoken(settings.locale, for_people))
        if self.select:
            settings = settings._replace(select=self.select)
        if self.ignore:
            settings = settings._replace(ignore=(*settings.ignore, *self.ignore))
        return settings

    def complain(self, message: str) -> None:
        self.failed = True
        sys.stdout.flush()
        note(message)

    # -- output -----------------------------------------------------------------------------

    def counted(self, reports: Iterable[Report]) -> Iterator[Report]:
        """The same reports, counted; errors are printed at once."""
        for report in reports:
            self.checked += 1
            self.language = report.language
            if report.error:
                self.complain(about(report.path, report.error))
            for failure in report.failures:
                what = Phrase("a rule failed, and the others continued: {failure}", failure=failure)
                self.complain(about(report.path, what))
            self.changed += report.changed
            self.fixed += sum(report.fixed.values())
            for finding in report.findings:
                self.found[finding.code] += 1
                self.names[finding.code] = finding.name
                if finding.fix is not None:
                    self.fixable += finding.fix.safe
                    self.unsafe += not finding.fix.safe
            yield report

    def show(self, reports: Iterator[Report], out: TextIO) -> None:
        options = self.options
        if options.diff:
            _write_diffs(reports, out)
        elif options.statistics:
            for _ in reports:
                pass
            self.write_statistics(out)
        else:
            output.writer(options.output_format)(reports, out)
        if options.output_format in output.FOR_PEOPLE and not options.statistics:
            self.write_summary(out if not options.diff else sys.stderr)

    def write_statistics(self, out: TextIO) -> None:
        counted = self.found.most_common()
        if self.options.output_format in ("json", "json-lines"):
            rows = [{"code": c, "name": self.names[c], "count": n} for c, n in counted]
            out.write(dumps(rows, out, indent=2) + "\n")
            return
        rows_of_text = [(str(count), code, self.names[code]) for code, count in counted]
        out.writelines(line + "\n" for line in table(rows_of_text, columns(out)))

    def write_summary(self, out: TextIO) -> None:
        said = [say(phrase, self.language) for phrase in self.summary()]
        if said:
            # No space after the Chinese full stop, which is as wide as both.
            out.write("".join(said).rstrip() + "\n")

    def summary(self) -> Iterator[Phrase]:
        left = self.found.total()
        if self.options.diff and self.fixed:
            yield Phrase("Would fix {problems}. ", problems=_problems(self.fixed))
        elif self.options.diff:
            yield Phrase("Nothing to fix. ")
        elif self.fixed and left:
            problems = _problems(self.fixed)
            yield Phrase("Fixed {problems}, {left} left. ", problems=problems, left=str(left))
        elif self.fixed:
            yield Phrase("Fixed {problems}, none left. ", problems=_problems(self.fixed))
        elif left:
            yield Phrase("Found {problems}. ", problems=_problems(left))
            if self.fixable:
                yield Phrase("{count} of them can be fixed with --fix. ", count=str(self.fixable))
        elif self.checked and not self.failed:
            yield Phrase("No problems found. ")
        if self.unsafe and not (self.options.diff or self.options.unsafe_fixes):
            yield Phrase("Fixes that are not safe need --fix --unsafe-fixes. ")

    def exit_code(self) -> int:
        if self.failed:
            return FAILED
        found = self.changed if self.options.diff else self.found
        return FOUND if found and not self.options.exit_zero else OK


def _problems(count: int) -> Phrase:
    return Phrase("1 problem") if count == 1 else Phrase("{count} problems", count=str(count))


def _selectors(given: Sequence[str] | None, flag: str) -> tuple[str, ...]:
    found, unknown = [], []
    for text in ",".join(given or ()).split(","):
        selector = normal_selector(text) if text.strip() else ""
        if selector:
            found.append(selector)
        elif text.strip():
            unknown.append(about(flag, unknown_selector(text.strip())))
    if unknown:
        raise UsageProblem(*unknown, Phrase("`msgls rule --all` lists the rules"))
    return tuple(found)


def _write_diffs(reports: Iterable[Report], out: TextIO) -> None:
    from msgls.cli.diffs import write_diff

    for report in reports:
        if report.changed:
            write_diff(out, report.path, report.before, report.after)
