"""Runs programs that exchange lines of JSON, each in a process of its own.

Owns the process and its pipes. Threads read and write the pipes, so that a caller waits only if
it wants to. What is buffered from a program is bounded.
"""

import errno
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
# Windows has no SIGKILL.
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
# What Windows has in place of a new session.
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)


class Ended(NamedTuple):
    """The end of a program. After a last line, the exit code is ignored."""

    fault: Phrase | None
    """The error with which it ended; ``None`` if there was none."""


def start(command: Sequence[str], environment: Mapping[str, str] = {}) -> subprocess.Popen[bytes]:
    """Start a process with pipes and additional environment variables. Raises ``OSError``."""
    home = Path.home()
    return subprocess.Popen(
        [program(command[0]), *command[1:]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        # Not in the folder of the document: programs may load files from where they run.
        cwd=home if home.is_dir() else home.anchor,
        # Ctrl+C in a terminal must not reach the program: msgls decides how it ends.
        start_new_session=True,
        creationflags=_NEW_GROUP,
    )


def program(name: str) -> str:
    """A program to start, by its name or path; on Windows with the folder that it was found in.

    Windows itself looks into the current folder first: a file there must not choose what is run.
    """
    if sys.platform != "win32" or Path(name).name != name:
        return name
    file = name if Path(name).suffix else f"{name}.exe"
    for folder in map(Path, os.environ.get("PATH", "").split(os.pathsep)):
        if folder.is_absolute() and (folder / file).is_file():
            return str(folder / file)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)


def pip_install(name: str) -> str:
    """The command that installs a package for the Python that runs msgls."""
    install = ["pip", "install", name]
    # Not every Python has pip, and the standalone program has none.
    if find_spec("pip") is not None:
        install = [sys.executable, "-m", *install]
    return subprocess.list2cmdline(install) if sys.platform == "win32" else shlex.join(install)


class Program:
    """A running program: sends it lines of JSON, and receives its lines as they come."""

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

    # -- overridden for a kind of program -----------------------------------------------

    def _fault_of(self, value: Any, size: int) -> Phrase | None:
        """The error in a line, after ``size`` bytes in total; ``None`` if it is valid."""
        return None

    def _is_last(self, value: Any) -> bool:
        """Whether this line is the last one that is read."""
        return False

    # -- lines --------------------------------------------------------------------------------

    def send(self, value: Wire) -> None:
        """Send it a line."""
        self._unsent.put(json.dumps(value).encode() + b"\n")

    def finish_input(self) -> None:
        """Close its input after the lines sent so far."""
        self._unsent.put(None)

    def take(self, seconds: float | None = 0.0) -> Wire | Ended | None:
        """The next line, or its end; ``None`` if neither comes in that many seconds."""
        try:
            return self._arrived.get(seconds is None or seconds > 0, seconds or None)
        except queue.Empty:
            return None

    @property
    def has_more(self) -> bool:
        """Whether a line or its end is waiting to be taken."""
        return not self._arrived.empty()

    def stop(self) -> None:
        """Ask it to end, and kill it if it does not."""
        if self._stopped:
            return
        self._stopped = True
        self.finish_input()
        if self._process.poll() is None:
            self._signal(signal.SIGTERM)
            # Not a daemon thread: our process must not exit before the program is killed.
            threading.Thread(target=self._kill).start()

    def wait(self) -> bool:
        """Wait some seconds for its end; returns whether it ended without being killed."""
        try:
            self._process.wait(2 * _PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return not self._killed

    def final_complaint(self) -> str:
        """The last line of its standard error; waits some seconds for its end."""
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

    # A script may end before the program that it started: so its whole process group counts.

    def _is_there(self) -> bool:
        """Whether it, or a process that it started, is still running."""
        if sys.platform == "win32" or self._process.poll() is None:
            return self._process.poll() is None
        try:
            os.killpg(self._process.pid, 0)
        except OSError:
            return False
        return True

    def _signal(self, number: int) -> None:
        """Send a signal to it and to the processes that it started."""
        with suppress(OSError):
            if sys.platform == "win32":
                self._process.send_signal(number)
            else:
                os.killpg(self._process.pid, number)

    def _feed(self) -> None:
        assert self._process.stdin is not None
        # The program may end before it has read all lines.
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
            # It may have closed its output, and still be running.
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE_SECONDS)
                self.final_complaint()
            fault = self._exit_fault()
        self.stop()
        self._put(Ended(fault))

    def _read_lines(self, pipe: IO[bytes]) -> Phrase | None:
        """Put lines into the queue up to the last one; returns the error, if there is one."""
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
                # After it is stopped, the queue may never be read again.
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
