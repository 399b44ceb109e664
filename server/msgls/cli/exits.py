"""Exit codes, usage errors, and messages to the user on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from msgls.cli.speaking import said
from msgls.cli.terminal import harmless
from msgls.text.phrases import PhrasedError, about

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


@contextmanager
def problems_of(name: object) -> Iterator[None]:
    """Raise what is wrong with a file, or what is refused there, as a usage error that names it."""
    try:
        yield
    except PhrasedError as problem:
        raise UsageProblem(about(name, problem.phrase)) from None


def tell(message: str) -> None:
    """Print a message on standard error, without control characters."""
    print(harmless(said(message, sys.stderr)), file=sys.stderr, flush=True)


def note(message: str) -> None:
    """Print a message of msgls itself on standard error."""
    print(f"msgls: {harmless(said(message, sys.stderr))}", file=sys.stderr)
