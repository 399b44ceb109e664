"""For people and for grep: one line for each finding."""

from collections.abc import Iterable
from typing import TextIO

from msgls.cli.checking import Finding, Report
from msgls.cli.output.full import STYLES
from msgls.cli.terminal import Paint, harmless, painter


def write(reports: Iterable[Report], out: TextIO) -> None:
    """``path:line:column: severity[CODE] message``; ``[*]`` marks what ``--fix`` can fix."""
    paint: Paint | None = None
    for report in reports:
        for finding in report.findings:
            paint = paint or painter(out)
            out.write(line(finding, paint) + "\n")


def line(finding: Finding, paint: Paint) -> str:
    """The line of one finding."""
    place = f"{harmless(finding.path)}:{finding.start.line}:{finding.start.column}:"
    label = paint(f"{finding.severity.label}[{finding.code}]", STYLES[finding.severity])
    fixable = " [*]" if finding.fix is not None and finding.fix.safe else ""
    return f"{place} {label}{fixable} {harmless(finding.message)}"
