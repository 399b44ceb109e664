"""Opening files for commands that look at documents, not at problems."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgls.cli.exits import UsageProblem
from msgls.cli.files import FileProblem, find_files, format_of, read_text
from msgls.cli.surroundings import Around
from msgls.document.document import Document
from msgls.rules.base import Surroundings


class Opened:
    """The message files that paths name; what cannot be read is said and remembered."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._around = Around()
        self.failed = False

    def _complain(self, message: str) -> None:
        self.failed = True
        print(f"msgls: {message}", file=sys.stderr)

    def __iter__(self) -> Iterator[tuple[Path, Document, Surroundings]]:
        for path in find_files(self._paths, self._complain):
            if format_of(path) is None:
                continue
            try:
                text = read_text(path)
            except FileProblem as problem:
                self._complain(f"{path}: {problem}")
                continue
            yield path, Document.open(str(path), text), self._around.surroundings(path)


def open_one(name: str) -> tuple[Document, Surroundings]:
    """The one file that a command is about."""
    path = Path(name)
    try:
        text = read_text(path)
    except FileProblem as problem:
        raise UsageProblem(f"{name}: {problem}") from None
    if format_of(path) is None:
        raise UsageProblem(
            f"{name}: this is no message file: its name must end in .msg.md, or its "
            "frontmatter must have `message_section`"
        )
    return Document.open(name, text), Around().surroundings(path)
