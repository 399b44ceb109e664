"""The output formats for findings: one module for each, with ``write(reports, out)``.

A writer takes the reports one by one, as they arrive, and owns all that it prints.
"""

from collections.abc import Callable, Iterable
from typing import TextIO

from msgls.cli.checking import Report

Write = Callable[[Iterable[Report], TextIO], None]


FORMATS = ("full", "concise", "json", "json-lines", "github", "gitlab", "junit", "sarif")
FOR_PEOPLE = ("full", "concise")
SHOW_EDITS = ("json", "json-lines", "sarif")
SHOW_FIXES = ("full", "concise", *SHOW_EDITS)
"""The formats that show whether and how a problem can be fixed."""


def writer(name: str) -> Write:
    """The writer of an output format; only that one is imported."""
    match name:
        case "full":
            from msgls.cli.output.full import write
        case "concise":
            from msgls.cli.output.concise import write
        case "json":
            from msgls.cli.output.json_list import write
        case "json-lines":
            from msgls.cli.output.json_lines import write
        case "github":
            from msgls.cli.output.github import write
        case "gitlab":
            from msgls.cli.output.gitlab import write
        case "junit":
            from msgls.cli.output.junit import write
        case _:
            from msgls.cli.output.sarif import write
    return write
