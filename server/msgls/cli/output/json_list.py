"""For programs: one JSON list of findings. Owns the shape of a finding in JSON."""

from collections.abc import Iterable
from typing import Any, TextIO

from msgls.cli.checking import Finding, Remedy, Report
from msgls.cli.streams import dumps
from msgls.rules.documentation import page_url


def write(reports: Iterable[Report], out: TextIO) -> None:
    """A list, which is empty if there are no findings."""
    found = [as_json(finding) for report in reports for finding in report.findings]
    out.write(dumps(found, out, indent=2) + "\n")


def as_json(finding: Finding) -> dict[str, Any]:
    """One finding; lines and columns count from 1, columns in characters."""
    return {
        "filename": finding.path,
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.label,
        "message": finding.message,
        "start": finding.start._asdict(),
        "end": finding.end._asdict(),
        "fix": None if finding.fix is None else _fix(finding.fix),
        "url": page_url(finding.code),
    }


def _fix(fix: Remedy) -> dict[str, Any]:
    edits = [
        {"start": edit.start._asdict(), "end": edit.end._asdict(), "text": edit.text}
        for edit in fix.edits
    ]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}
