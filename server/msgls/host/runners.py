"""Runners: the process that executes the code of one document.

Owns the choice of the kernel for a language: first a setting of the editor that a workspace
cannot change, then ``kernels.toml`` in the user's own configuration folder; and the messages for a
missing kernel. No message file and no workspace setting can choose what is run: a code cell can
only name its language.
"""

import os
import re
import stat
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeGuard

from msgls.features.msgmd.running import Displays
from msgls.host import processes
from msgls.host.files import FileProblem
from msgls.host.processes import Ended as Ended
from msgls.host.processes import pip_install
from msgls.host.providers import config_folder, read_config
from msgls.text.phrases import Phrase, PhrasedError, about, joined

CONFIG_FILE = "kernels.toml"
NO_CHOICE = Phrase("`kernels` must be a table of strings")
_KEYS = frozenset({"kernels"})
_UNSAFE = re.compile(r"[^\w-]+")
_LONGEST_NAME = 60
# The number of the run, the number of the file if the name was taken, and the extension.
_OF_RUN = r"\.[0-9]+(?:-[0-9]+)?\.[A-Za-z0-9]+"
# A run writes at most 64 million characters, of up to four bytes.
_LARGEST_OUTPUT = 1 << 28
# The data of a cell, with every character escaped, fits into a line.
_LONGEST_LINE = 1 << 24


class RunnerProblem(PhrasedError):
    """Raised if code cannot be run, with the reason for users."""


def read_kernels() -> Mapping[str, str]:
    """The kernels that the user has chosen, by language. Raises ``RunnerProblem``."""
    path = config_folder() / CONFIG_FILE
    try:
        values = read_config(path, _KEYS)
    except FileProblem as problem:
        raise RunnerProblem(about(path, problem.phrase)) from None
    kernels = values.get("kernels", {})
    if not is_choice(kernels):
        raise RunnerProblem(about(path, NO_CHOICE))
    return kernels


def is_choice(value: object) -> TypeGuard[Mapping[str, str]]:
    """Whether a value is a mapping from languages to kernels."""
    return isinstance(value, Mapping) and all(isinstance(k, str) for k in value.values())


def kernel_for(language: str, chosen: Mapping[str, str] = {}) -> str | None:
    """The kernel that the user has chosen for a language; ``None`` if there is no choice.

    ``chosen``, from the editor, takes precedence over the file. Raises ``RunnerProblem``.
    """
    wanted = language_name(language)
    for kernels in (chosen, read_kernels()):
        for name, kernel in kernels.items():
            if language_name(name) == wanted:
                return kernel
    return None


def language_name(language: str) -> str:
    """The canonical name of a language: `py` and `python3` are Python."""
    from pygments.lexers import find_lexer_class_by_name
    from pygments.util import ClassNotFound

    try:
        return str(find_lexer_class_by_name(language).name)
    except ClassNotFound:
        return language


def _stem(path: Path | None, cell_id: str) -> str:
    """The start of the names of output files, for output that is too large for a cell."""
    name = "output" if path is None else path.name.partition(".")[0]
    stem = _UNSAFE.sub("_", name)[:_LONGEST_NAME] or "output"
    return stem + "." + _UNSAFE.sub("_", cell_id)[:_LONGEST_NAME]


def read_output(path: Path, cell_id: str, name: str) -> bytes | None:
    """The content of an output file of a cell; ``None`` if it must not or cannot be read.

    A message file can name any file as an output file. So only regular files, not links, are read
    that are in the same folder and have a name that a run of the cell would use.
    """
    if not re.fullmatch(re.escape(_stem(path, cell_id)) + _OF_RUN, name):
        return None
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        number = os.open(path.parent / name, flags | getattr(os, "O_BINARY", 0))
        with os.fdopen(number, "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST_OUTPUT:
                return None
            return file.read()
    except OSError:
        return None


class Runner(processes.Program):
    """A running kernel for one document and one language."""

    longest_line = _LONGEST_LINE

    def __init__(
        self,
        language: str,
        path: Path | None,
        kernel: str | None,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """Start it in the folder of the document. Raises ``RunnerProblem``."""
        # -P: modules in the current folder must not be imported instead of ours.
        command = (sys.executable, "-P", "-m", "msgls.runners.jupyter")
        try:
            process = processes.start(command)
        except OSError as error:
            reason = error.strerror or str(error)
            raise RunnerProblem("code cannot be run: {reason}", reason=reason) from None
        super().__init__(Phrase("the runner"), process, wake)
        self.kernel = kernel
        self._language = language
        self._path = path
        self.displays: Displays = {}
        """The displays of its kernel, which it may update."""
        self._began: float | None = None
        self._abandoned = 0
        """The number of abandoned runs that have not ended."""
        # The folder of a new document may not exist yet.
        folder = path.parent if path is not None and path.parent.is_dir() else Path.home()
        self.send({"do": "start", "language": language, "kernel": kernel, "folder": str(folder)})

    def _fault_of(self, value: Any, size: int) -> Phrase | None:
        if isinstance(value, dict) and isinstance(value.get("event"), str):
            return None
        return Phrase("{program} wrote a line that is not an event", program=self._what)

    def run(self, cell_id: str, code: str, timeout: float | None = None) -> None:
        """Execute some code."""
        self._began = None
        stem = _stem(self._path, cell_id)
        self.send({"do": "run", "code": code, "stem": stem, "timeout": timeout})

    def take(self, seconds: float | None = 0.0) -> processes.Wire | Ended | None:
        """The next event of a run that is not abandoned, or the end of the runner."""
        while (item := super().take(seconds)) is not None:
            if not isinstance(item, Ended) and item["event"] == "started":
                self._began = time.monotonic()
            if not self._abandoned or isinstance(item, Ended) or item["event"] == "failed":
                return item
            if item["event"] == "done":
                self._abandoned -= 1
            elif item["event"] == "input":
                self.send_input(None)
        return None

    @property
    def seconds(self) -> float | None:
        """How long the code has been running; ``None`` before it starts."""
        return None if self._began is None else time.monotonic() - self._began

    def abandon(self) -> None:
        """Stop the code, and ignore its further output."""
        self._abandoned += 1
        self.interrupt()

    def interrupt(self) -> None:
        """Interrupt the code."""
        self.send({"do": "interrupt"})

    def restart(self) -> None:
        """Restart the kernel, which ends the code and loses all state."""
        self.send({"do": "restart"})

    def send_input(self, text: str | None) -> None:
        """Send input to code that waits for it; ``None`` is the end of the input."""
        self.send({"do": "input", "text": text})

    def failure(self, event: Mapping[str, Any]) -> Phrase:
        """Why there is no kernel, and how to get one."""
        why, kernels = event.get("why"), event.get("kernels") or []
        if why == "extra":
            return Phrase(
                "running code needs Jupyter's client: {command}", command=pip_install("msgls[run]")
            )
        if why == "start":
            reason = str(event.get("said"))
            if complaint := self.final_complaint():
                reason += f" ({complaint})"
            return Phrase("the kernel did not start: {reason}", reason=reason)
        known = joined(kernels) if kernels else Phrase("none")
        if event.get("said"):
            return Phrase(
                "there is no kernel `{name}`; there are: {names}",
                name=str(event["said"]),
                names=known,
            )
        return Phrase(
            "no Jupyter kernel is installed for `{language}`; there are: {names}. Install one "
            "(for Python: {command}), or choose one in {file}",
            language=self._language,
            command=pip_install("ipykernel"),
            names=known,
            file=str(config_folder() / CONFIG_FILE),
        )
