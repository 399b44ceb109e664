"""For programs that read along: one JSON object a line, as findings come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from msgls.cli.checking import Report
from msgls.cli.output.json_list import as_json, dumps


def write(reports: Iterable[Report], out: TextIO) -> None:
    """One line a finding, in the shape that the ``json`` format has too."""
    for report in reports:
        out.writelines(dumps(as_json(finding), out) + "\n" for finding in report.findings)
