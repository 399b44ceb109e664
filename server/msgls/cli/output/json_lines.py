"""For programs that read a stream: one JSON object for each finding, on a line of its own."""

from collections.abc import Iterable
from typing import TextIO

from msgls.cli.checking import Report
from msgls.cli.output.json_list import as_json
from msgls.cli.streams import dumps


def write(reports: Iterable[Report], out: TextIO) -> None:
    """One line for each finding, with the same keys as in the ``json`` format."""
    for report in reports:
        out.writelines(dumps(as_json(finding), out) + "\n" for finding in report.findings)
