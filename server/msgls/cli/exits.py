"""How a command ends: the exit codes, and what is wrong with how it was called."""

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
    """A mistake in the call of a command. Each line is a phrase of its own."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def note(message: str) -> None:
    """Say something to the person, beside the output; names in it are made harmless."""
    print(f"msgls: {harmless(said(message, sys.stderr))}", file=sys.stderr)
