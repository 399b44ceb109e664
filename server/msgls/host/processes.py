"""Programs that we talk to in lines of JSON, each a process of its own.

Owns the process and its pipes. Threads read and write them, so that a caller
waits only if it chooses to. What they read ahead is bounded, and so is what a program can make us
keep.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NamedTuple

from msgls.formats.strictjson import strict_loads
from msgls.text.phrases import Phrase

Wire = dict[str, Any]

_MOST_WAITING = 4_096
_MOST_STDERR = 2_000
_PATIENCE_SECONDS = 2.0
_LOOK_SECONDS = 0.02
# Windows has no other.
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


class Ended(NamedTuple):
    """A program has ended; its last line takes precedence over its exit code."""

    fault: Phrase | None
    """What went wrong at its end; ``None`` if nothing did."""


def start(command: Sequence[str], environment: Mapping[str, str] = {}) -> subprocess.Popen[bytes]:
    """A process with pipes, and with more in its environment. Raises ``OSError``."""
    home = Path.home()
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        # Not where the document is: programs look for files and modules where they run.
        cwd=home if home.is_dir() else home.anchor,
        # Ctrl+C in a terminal is for us: we decide how the program ends.
        start_new_session=True,
    )


def pip_install(name: str) -> str:
    """What a person types to install something where we look for it."""
    install = ["pip", "install", name]
    # Not every Python has it, and a program that needs no Python has none.
    if find_spec("pip") is not None:
        install = [sys.executable, "-m", *install]
    return subprocess.list2cmdline(install) if sys.platform == "win32" else shlex.join(install)


class Program:
    """A program at work: takes lines of JSON, and hands its own over as they come."""

    longest_line = 1 << 20

    def __init__(
        self,
        what: Phrase,
        process: subprocess.Popen[bytes],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self._what = what
        """Its name in messages."""
        self._wake = wake
        self._arrived: queue.Queue[Wire | Ended] = queue.Queue(_MOST_WAITING)
        self._unsent: queue.Queue[bytes | None] = queue.Queue()
        self._stderr: deque[bytes] = deque(maxlen=64)
        self._stopped = self._killed = False
        self._process = process
        threading.Thread(target=self._feed, daemon=True).start()
        self._complaints = threading.Thread(target=self._read_stderr, daemon=True)
        self._complaints.start()
        threading.Thread(target=self._read_stdout, daemon=True).start()

    # -- what a kind of program says of its lines -----------------------------------------------

    def _fault_of(self, value: Any, size: int) -> Phrase | None:
        """The fault in a line, after the program has written ``size`` bytes."""
        return None

    def _is_last(self, value: Any) -> bool:
        """Whether nothing is read after this line."""
        return False

    # -- talking --------------------------------------------------------------------------------

    def send(self, value: Wire) -> None:
        """Give it a line."""
        self._unsent.put(json.dumps(value).encode() + b"\n")

    def finish_input(self) -> None:
        """There will be no more lines for it."""
        self._unsent.put(None)

    def take(self, seconds: float | None = 0.0) -> Wire | Ended | None:
        """The next line, or how it ended; nothing if nothing comes in so many seconds."""
        try:
            return self._arrived.get(seconds is None or seconds > 0, seconds or None)
        except queue.Empty:
            return None

    @property
    def has_more(self) -> bool:
        """Whether something came that nobody took."""
        return not self._arrived.empty()

    def stop(self) -> None:
        """Ask it to end, and kill it if it does not."""
        if self._stopped:
            return
        self._stopped = True
        self.finish_input()
        if self._process.poll() is None:
            self._signal(signal.SIGTERM)
            # Not a daemon thread: our own process must not end before it.
            threading.Thread(target=self._kill).start()

    def wait(self) -> bool:
        """Wait for its end, not for long; whether it ended by itself or at our request."""
        try:
            self._process.wait(2 * _PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return not self._killed

    def last_words(self) -> str:
        """The last line of its standard error, if it ends now."""
        self._complaints.join(_PATIENCE_SECONDS)
        return self.complaint

    @property
    def complaint(self) -> str:
        """The last line that it wrote to standard error."""
        lines = b"".join(self._stderr).decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")[:_MOST_STDERR]

    # -- pipes ----------------------------------------------------------------------------------

    def _kill(self) -> None:
        patience = time.monotonic() + _PATIENCE_SECONDS
        while self._is_there():
            if time.monotonic() > patience:
                self._killed = self._process.poll() is None
                self._signal(_KILL)
                return
            time.sleep(_LOOK_SECONDS)

    # A script waits for the program that does its work, and may end before that.

    def _is_there(self) -> bool:
        """Whether it still runs, or something that it started."""
        if sys.platform == "win32" or self._process.poll() is None:
            return self._process.poll() is None
        try:
            os.killpg(self._process.pid, 0)
        except OSError:
            return False
        return True

    def _signal(self, number: int) -> None:
        """Tell it, and what it started."""
        with suppress(OSError):
            if sys.platform == "win32":
                self._process.send_signal(number)
            else:
                os.killpg(self._process.pid, number)

    def _feed(self) -> None:
        assert self._process.stdin is not None
        # A program may end before it has read all of it.
        with suppress(OSError, ValueError), self._process.stdin as pipe:
            while (data := self._unsent.get()) is not None:
                pipe.write(data)
                pipe.flush()

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        pipe = self._process.stderr
        with suppress(OSError, ValueError), pipe:
            while line := pipe.readline(_MOST_STDERR):
                self._stderr.append(line)

    def _read_stdout(self) -> None:
        assert self._process.stdout is not None
        fault = None
        try:
            with self._process.stdout as pipe:
                fault = self._read_lines(pipe)
        except (OSError, ValueError) as error:
            fault = Phrase("{program} failed: {said}", program=self._what, said=_name(error))
        if fault is None:
            # It may have closed its output and still be running.
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE_SECONDS)
                self.last_words()
            fault = self._exit_fault()
        self.stop()
        self._put(Ended(fault))

    def _read_lines(self, pipe: IO[bytes]) -> Phrase | None:
        """Hand lines over until the last one; what is wrong with what came, if something is."""
        size = 0
        while line := pipe.readline(self.longest_line):
            size += len(line)
            if not line.strip():
                continue
            if len(line) == self.longest_line and not line.endswith(b"\n"):
                return Phrase(
                    "{program} wrote a line of more than {count:,} bytes",
                    program=self._what,
                    count=self.longest_line,
                )
            try:
                value = strict_loads(line.decode("utf-8"))
            except (ValueError, RecursionError):
                return Phrase("{program} wrote a line that is not JSON", program=self._what)
            fault = self._fault_of(value, size)
            if fault is not None:
                return fault
            self._put(value)
            if self._is_last(value):
                return None
        return None

    def _put(self, item: Wire | Ended) -> None:
        while True:
            try:
                self._arrived.put(item, timeout=_PATIENCE_SECONDS)
            except queue.Full:
                # Once it is stopped, the queue may never be read again.
                if self._stopped:
                    return
            else:
                self._wake()
                return

    def _exit_fault(self) -> Phrase | None:
        code = self._process.poll()
        if code == 0 or self._stopped:
            return None
        said = self.complaint
        if said:
            return Phrase("{program} failed: {said}", program=self._what, said=said)
        if code is None:
            return Phrase("{program} did not end", program=self._what)
        return Phrase("{program} failed with exit code {code}", program=self._what, code=str(code))


def _name(error: Exception) -> str:
    return type(error).__name__
