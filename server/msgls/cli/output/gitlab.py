"""For GitLab: a code quality report."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Any, TextIO

from msgls.cli.checking import Finding, Report
from msgls.cli.streams import dumps
from msgls.cli.terminal import harmless
from msgls.rules.base import Severity

_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFORMATION: "info",
    Severity.HINT: "info",
}


def write(reports: Iterable[Report], out: TextIO) -> None:
    """A list; fingerprints are unique, and do not change when lines move."""
    seen: Counter[str] = Counter()
    found = []
    for report in reports:
        for finding in report.findings:
            said = "\0".join([finding.path, finding.code, finding.in_english, finding.line])
            seen[said] += 1
            found.append(_issue(finding, fingerprint(f"{said}\0{seen[said]}")))
    out.write(dumps(found, out, indent=2) + "\n")


def fingerprint(text: str) -> str:
    """A hash that identifies a finding from run to run."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _issue(finding: Finding, name: str) -> dict[str, Any]:
    return {
        "description": f"{finding.code}: {harmless(finding.message)}",
        "check_name": finding.code,
        "fingerprint": name,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": finding.path.replace("\\", "/"),
            "positions": {"begin": finding.start._asdict(), "end": finding.end._asdict()},
        },
    }
