"""For GitHub Actions: workflow commands that become annotations of a pull request."""

import re
from collections.abc import Iterable
from typing import TextIO

from msgls.cli.checking import Finding, Report
from msgls.cli.terminal import harmless
from msgls.rules.base import Severity

_BREAK = re.compile(r"([\r\n])")
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def write(reports: Iterable[Report], out: TextIO) -> None:
    """One command for each finding."""
    for report in reports:
        out.writelines(command(finding) + "\n" for finding in report.findings)


def command(finding: Finding) -> str:
    """``::error file=…,line=…::message``."""
    properties = {
        "title": f"{finding.code} ({finding.name})",
        "file": finding.path,
        "line": str(finding.start.line),
        "endLine": str(finding.end.line),
    }
    # GitHub rejects columns for a range over several lines.
    if finding.start.line == finding.end.line:
        properties |= {"col": str(finding.start.column), "endColumn": str(finding.end.column)}
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_COMMANDS.get(finding.severity, 'notice')} {listed}::{_data(finding.message)}"


def _data(text: str) -> str:
    shown = "".join([part if part in "\r\n" else harmless(part) for part in _BREAK.split(text)])
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
