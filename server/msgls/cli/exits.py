"""Exit codes, usage errors, and notes to the user."""

from __future__ import annotations

import sys

from msgls.cli.speaking import said
from msgls.cli.terminal import harmless

OK = 0
FOUND = 1
"""Problems were found, or files would change."""
FAILED = 2
"""Wrong usage, a file that cannot be read or written, or a bug in msgls."""
INTERRUPTED = 130
PIPE_CLOSED = 141


class UsageProblem(Exception):
    """A command was called in a wrong way. Each line of the message is a phrase of its own."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def note(message: str) -> None:
    """Print a note for the user on standard error, without control characters."""
    print(f"msgls: {harmless(said(message, sys.stderr))}", file=sys.stderr)
