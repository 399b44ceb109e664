"""The output formats for findings: one module for each, with ``write(reports, out)``.

A writer takes the reports one by one, as they arrive, and owns all that it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from msgls.cli.checking import Report

Write = Callable[[Iterable[Report], TextIO], None]


def _full() -> Write:
    from msgls.cli.output.full import write

    return write


def _concise() -> Write:
    from msgls.cli.output.concise import write

    return write


def _json_list() -> Write:
    from msgls.cli.output.json_list import write

    return write


def _json_lines() -> Write:
    from msgls.cli.output.json_lines import write

    return write


def _github() -> Write:
    from msgls.cli.output.github import write

    return write


def _gitlab() -> Write:
    from msgls.cli.output.gitlab import write

    return write


def _junit() -> Write:
    from msgls.cli.output.junit import write

    return write


def _sarif() -> Write:
    from msgls.cli.output.sarif import write

    return write


WRITERS: dict[str, Callable[[], Write]] = {
    "full": _full,
    "concise": _concise,
    "json": _json_list,
    "json-lines": _json_lines,
    "github": _github,
    "gitlab": _gitlab,
    "junit": _junit,
    "sarif": _sarif,
}
"""By output format, the function that imports its writer; only that one is imported."""
FORMATS = tuple(WRITERS)
FOR_PEOPLE = ("full", "concise")
SHOW_EDITS = ("json", "json-lines", "sarif")
SHOW_FIXES = ("full", "concise", *SHOW_EDITS)
"""The formats that show whether and how a problem can be fixed."""
