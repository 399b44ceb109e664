"""How findings are shown: one module a format, each with ``write(reports, out)``.

A writer takes the reports one by one, as they come, and owns all that it prints.
Modules are loaded by name, so that nobody pays for a format that is not asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TextIO

from msgls.cli.checking import Report

Write = Callable[[Iterable[Report], TextIO], None]

_MODULES = {
    "full": "full",
    "concise": "concise",
    "json": "json_list",
    "json-lines": "json_lines",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "sarif": "sarif",
}
FORMATS = tuple(_MODULES)
FOR_PEOPLE = ("full", "concise")
SHOW_EDITS = ("json", "json-lines", "sarif")
SHOW_FIXES = ("full", "concise", *SHOW_EDITS)
"""The formats that say how a problem can be fixed."""


def writer(name: str) -> Write:
    """The writer of an output format."""
    module = import_module(f"msgls.cli.output.{_MODULES[name]}")
    write: Write = module.write
    return write
