"""Standard output, for commands that write a whole text to it."""

from __future__ import annotations

import sys


def path_or_standard(name: str) -> str | None:
    """The path after ``--output``; ``None`` for ``-``, which is standard output."""
    return None if name == "-" else name


def write_out(text: str) -> None:
    """Write a text in UTF-8, with its own line breaks, on any platform."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()
