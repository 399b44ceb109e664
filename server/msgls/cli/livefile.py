"""A file that is written while an answer or a run arrives.

Owns the file meanwhile: it is replaced as a whole, but never if another program has written to it;
such a change is read and followed first.
"""

import time
from pathlib import Path

from msgls.document.document import Document
from msgls.features.msgmd.livecells import LiveCells
from msgls.host.files import FileProblem, check_writable, read_text, write_text
from msgls.text.linediff import line_edits
from msgls.text.spans import sorted_edits

PAUSE_SECONDS = 0.1
"""The least time between two writes; more for a file that takes long to write."""
_PAUSE_WRITES = 10
_MOST_TRIES = 50


class LiveFile:
    """A file, and its document."""

    def __init__(self, path: Path, document: Document) -> None:
        """Raises ``FileProblem`` if the file cannot be written."""
        check_writable(path)
        self._path = path
        self.document = document
        self._due = time.monotonic()

    def write_if_due(self, live: LiveCells) -> bool:
        """Write what has arrived, unless the last write was a moment ago; true if it is written."""
        if time.monotonic() < self._due or live.is_written:
            return False
        before = time.monotonic()
        self.write(live)
        took = time.monotonic() - before
        self._due = time.monotonic() + max(PAUSE_SECONDS, _PAUSE_WRITES * took)
        return True

    def write(self, live: LiveCells) -> None:
        """Write what has arrived. Raises ``FileProblem``."""
        for _ in range(_MOST_TRIES):
            edits = live.edits(self.document)
            if edits is None:
                raise FileProblem("the text that was being written was removed meanwhile")
            after = self.document.apply(edits) if edits else self.document
            try:
                if edits:
                    write_text(self._path, after.text, instead_of=self.document.text)
            except FileProblem:
                if not self._catch_up(live):
                    raise
                continue
            for edit in reversed(sorted_edits(edits)):
                live.follow(edit)
            self.document = after
            live.settle(after)
            break

    def _catch_up(self, live: LiveCells) -> bool:
        """Follow a change by another program; false if there is none."""
        text = read_text(self._path)
        edits = line_edits(self.document.text, text)
        if not edits:
            return False
        live.settle(self.document)
        for edit in reversed(edits):
            live.follow(edit)
        self.document = self.document.apply(edits)
        return True
