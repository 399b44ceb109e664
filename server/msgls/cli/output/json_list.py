"""For programs: one JSON list of findings. Owns the shape of a finding in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from msgls.cli.checking import Finding, Place, Remedy, Report
from msgls.cli.terminal import COMMAND, harmless
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
        "start": _place(finding.start),
        "end": _place(finding.end),
        "fix": None if finding.fix is None else _fix(finding.fix),
        "url": page_url(finding.code),
    }


def dumps(value: Any, out: TextIO, indent: int | None = None) -> str:
    """JSON; escaped to ASCII unless the encoding of ``out`` is UTF-8."""
    is_utf8 = (getattr(out, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not is_utf8, indent=indent)
    # Text that a CI log would read as a command can only be in strings, where it can be escaped.
    text = COMMAND.sub(r"#\\u0023", text)
    if text.isascii():
        return text
    # File names may contain bytes that are not UTF-8, which must be escaped. So are characters that
    # would control a terminal.
    return "".join([c if c == "\n" or harmless(c) == c else json.dumps(c)[1:-1] for c in text])


def _fix(fix: Remedy) -> dict[str, Any]:
    edits = [
        {"start": _place(edit.start), "end": _place(edit.end), "text": edit.text}
        for edit in fix.edits
    ]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _place(place: Place) -> dict[str, int]:
    return {"line": place.line, "column": place.column}
