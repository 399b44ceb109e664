"""For build servers: JUnit XML, one suite for each file and one case for each finding."""

import re
from collections.abc import Iterable
from typing import TextIO
from xml.etree import ElementTree

from msgls.cli.checking import Report
from msgls.cli.terminal import COMMAND
from msgls.text.translation import say

# XML 1.0 cannot contain these characters, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(reports: Iterable[Report], out: TextIO) -> None:
    """One document; a file without findings is a suite with one case that passes."""
    root = ElementTree.Element("testsuites", name="msgls")
    tests = failures = errors = 0
    for report in reports:
        suite = _suite(root, report)
        tests += int(suite.get("tests", "0"))
        failures += len(report.findings)
        errors += bool(report.error)
    root.attrib |= {"tests": str(tests), "failures": str(failures), "errors": str(errors)}
    ElementTree.indent(root)
    # Escaped to ASCII, so that it is valid in any output encoding.
    text = ElementTree.tostring(root, encoding="us-ascii").decode("ascii")
    body = text.partition("?>")[2] if text.startswith("<?xml") else text
    body = COMMAND.sub("#&#35;", body.strip())
    out.write('<?xml version="1.0" encoding="utf-8"?>\n' + body + "\n")


def _suite(root: ElementTree.Element, report: Report) -> ElementTree.Element:
    path = _clean(report.path)
    count = len(report.findings)
    errors = int(bool(report.error))
    suite = ElementTree.SubElement(root, "testsuite", name=path)
    suite.attrib |= {
        "tests": str(count + errors or 1),
        "failures": str(count),
        "errors": str(errors),
    }
    for finding in report.findings:
        case = _case(suite, path, f"{finding.code} {finding.name}")
        case.attrib |= {"line": str(finding.start.line), "column": str(finding.start.column)}
        kind = f"{finding.severity.label} {finding.code}"
        failure = ElementTree.SubElement(
            case, "failure", message=_clean(finding.message), type=kind
        )
        place = f"{path}:{finding.start.line}:{finding.start.column}"
        failure.text = f"{place}: {_clean(finding.message)}"
    if report.error:
        case = _case(suite, path, "read")
        message = _clean(say(report.error, report.language))
        ElementTree.SubElement(case, "error", message=message)
    elif not count:
        _case(suite, path, "msgls")
    return suite


def _case(suite: ElementTree.Element, path: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", name=name, classname=path, file=path)


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
