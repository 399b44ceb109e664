"""An editor in a terminal, at which keys are pressed as a person does.

Owns the terminal, what the editor shows in it, and that the editor ends with the test.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import pytest

PATIENCE_SECONDS = 300
_CODES = re.compile(
    r"\x1b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|[()][0-9A-B]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[=>78])"
)


class Terminal:
    """A program that runs in a terminal of its own."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], directory: Path
    ) -> None:
        self._keyboard, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        # Emacs wants a terminal that is its own, which is the first one that it opens by its name.
        opening = ["/bin/sh", "-c", 'exec "$@" < "$0" > "$0" 2>&1', os.ttyname(terminal)]
        self.process = subprocess.Popen(
            [*opening, *command],
            cwd=directory,
            env={**environment, "TERM": "xterm-256color"},
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self._shown = bytearray()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._keyboard)

    @property
    def shown(self) -> str:
        """Everything that it has written to the terminal, without codes."""
        return _CODES.sub("", self._shown.decode("utf-8", "replace"))

    def press(self, keys: str, every_ms: int = 20) -> None:
        """One key after the other."""
        due = time.monotonic()
        for key in keys:
            os.write(self._keyboard, key.encode())
            due = max(due + every_ms / 1000, time.monotonic())
            time.sleep(max(due - time.monotonic(), 0))

    def wait(self, look: Callable[[], bool], what: str) -> None:
        """Wait for something; the test fails where it never comes."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not look():
            if time.monotonic() > deadline:
                pytest.fail(f"no sign of {what}:\n{self.shown[-3000:]}")
            time.sleep(0.05)

    def wait_for(self, text: str, since: int = 0) -> int:
        """Wait until a text is shown that was not before; how much is shown then."""
        self.wait(lambda: text in self.shown[since:], text)
        return len(self.shown)

    def wait_for_the_end(self) -> None:
        """Wait until the program has ended."""
        self.wait(lambda: self.process.poll() is not None, "the end")

    def _watch(self) -> None:
        """What the editor shows has to be read, or it waits."""
        try:
            while data := os.read(self._keyboard, 65_536):
                self._shown += data
        except OSError:
            return  # The editor has gone.
