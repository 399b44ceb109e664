"""For code scanning: SARIF 2.1.0, with the rules' documentation and the fixes."""

from collections.abc import Iterable
from typing import Any, TextIO
from urllib.parse import quote

from msgls import __version__
from msgls.cli.checking import Finding, Place, Remedy, Report
from msgls.cli.output.gitlab import fingerprint
from msgls.cli.streams import dumps
from msgls.cli.terminal import harmless
from msgls.rules.base import Severity
from msgls.rules.documentation import page_of
from msgls.rules.registry import BY_CODE
from msgls.text.phrases import Phrase
from msgls.text.translation import say

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def write(reports: Iterable[Report], out: TextIO) -> None:
    """One log with one run."""
    reports = list(reports)
    findings = [finding for report in reports for finding in report.findings]
    codes = sorted({finding.code for finding in findings})
    driver = {
        "name": "msgls",
        "semanticVersion": __version__,
        "rules": [_rule(code) for code in codes],
    }
    notifications = [_notification(report, report.error) for report in reports if report.error]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not notifications,
                "toolExecutionNotifications": notifications,
            }
        ],
        "results": [_result(finding, codes.index(finding.code)) for finding in findings],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    out.write(dumps(log, out, indent=2) + "\n")


def _rule(code: str) -> dict[str, Any]:
    page = page_of(BY_CODE[code])
    return {
        "id": code,
        "name": page.rule.name,
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": page.sections.get("What it does", page.summary)},
        "help": {"text": page.markdown(), "markdown": page.markdown()},
        "helpUri": page.url,
        "defaultConfiguration": {"level": _LEVELS.get(page.rule.severity, "note")},
    }


def _notification(report: Report, error: Phrase) -> dict[str, Any]:
    place = {"physicalLocation": {"artifactLocation": _artifact(report.path)}}
    message = _message(say(error, report.language))
    return {"level": "error", "message": message, "locations": [place]}


def _result(finding: Finding, rule_index: int) -> dict[str, Any]:
    said = "\0".join([finding.path, finding.code, finding.in_english, finding.line])
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS.get(finding.severity, "note"),
        "message": _message(finding.message),
        "locations": [_location(finding.path, finding.start, finding.end)],
        "partialFingerprints": {"msgls/v1": fingerprint(said)},
    }
    if finding.related:
        result["relatedLocations"] = [
            {**_location(finding.path, place.start, place.end), "message": _message(place.message)}
            for place in finding.related
        ]
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.path, finding.fix)]
    return result


def _fix(path: str, fix: Remedy) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(edit.start, edit.end), "insertedContent": {"text": edit.text}}
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(path), "replacements": replacements}
    return {"description": _message(fix.title), "artifactChanges": [change]}


def _location(path: str, start: Place, end: Place) -> dict[str, Any]:
    physical = {"artifactLocation": _artifact(path), "region": _region(start, end)}
    return {"physicalLocation": physical}


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(path.replace("\\", "/"), errors="surrogateescape")}


def _region(start: Place, end: Place) -> dict[str, int]:
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _message(text: str) -> dict[str, str]:
    """A message without links: it may quote `[text](target)` from a file."""
    return {"text": harmless(text).replace("](", "\\](")}
