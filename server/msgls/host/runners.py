"""Runners: the process that executes the code of one document.

Owns which kernel runs which language: what the user chose in an editor, in a setting that no
workspace can make, and else in ``kernels.toml`` in the user's own configuration folder; and the
messages for a kernel that is missing. No message file and no setting of a workspace has a say in
what is run: a code cell can only name its language.
"""

from __future__ import annotations

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
NO_CHOICE = Phrase("`kernels` must be a table of texts")
_KEYS = frozenset({"kernels"})
_UNSAFE = re.compile(r"[^\w-]+")
_LONGEST_NAME = 60
# The number of the run, that of the file where there were others, and what it holds.
_OF_RUN = r"\.[0-9]+(?:-[0-9]+)?\.[A-Za-z0-9]+"
# Of characters, a run writes 64 million.
_LARGEST_OUTPUT = 1 << 28
# A cell's worth of data, each character of it escaped.
_LONGEST_LINE = 1 << 24


class RunnerProblem(PhrasedError):
    """Why nothing can be run, in words."""


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
    """Whether a value says which kernels are wanted, by language."""
    return isinstance(value, Mapping) and all(isinstance(k, str) for k in value.values())


def kernel_for(language: str, chosen: Mapping[str, str] = {}) -> str | None:
    """The name of the kernel that the user wants for a language; ``None``: any that fits.

    What was chosen in an editor goes before the file. Raises ``RunnerProblem``.
    """
    wanted = language_name(language)
    for kernels in (chosen, read_kernels()):
        for name, kernel in kernels.items():
            if language_name(name) == wanted:
                return kernel
    return None


def language_name(language: str) -> str:
    """One name for all that a language is called: `py` and `python3` are Python."""
    from pygments.lexers import find_lexer_class_by_name
    from pygments.util import ClassNotFound

    try:
        return str(find_lexer_class_by_name(language).name)
    except ClassNotFound:
        return language


def _stem(path: Path | None, cell_id: str) -> str:
    """The start of the names of files for output that is too large for a cell."""
    name = "output" if path is None else path.name.partition(".")[0]
    stem = _UNSAFE.sub("_", name)[:_LONGEST_NAME] or "output"
    return stem + "." + _UNSAFE.sub("_", cell_id)[:_LONGEST_NAME]


def read_output(path: Path, cell_id: str, name: str) -> bytes | None:
    """What a run of a cell put into a file beside its message file.

    A message file can name any file as that of an output. So nothing is read but what has a name
    that a run of that cell gives, in the same folder, and is a file itself and not a link to one.
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
    """A kernel at work for one document and one language."""

    longest_line = _LONGEST_LINE

    def __init__(
        self,
        language: str,
        path: Path | None,
        kernel: str | None,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """Start it where the document is; raises ``RunnerProblem`` where that cannot be."""
        # -P: a module of the folder that we happen to run in must not be taken for one of ours.
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
        """What its kernel has shown, and may show otherwise."""
        self._began: float | None = None
        self._abandoned = 0
        """How many abandoned runs have not ended."""
        # A document may be where there is no folder yet.
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
        """The next event of a run that is waited for, or how it ended."""
        while (item := super().take(seconds)) is not None:
            if not isinstance(item, Ended) and item["event"] == "started":
                self._began = time.monotonic()
            if not self._abandoned or isinstance(item, Ended) or item["event"] == "failed":
                return item
            if item["event"] == "done":
                self._abandoned -= 1
            elif item["event"] == "input":
                self.give(None)
        return None

    @property
    def seconds(self) -> float | None:
        """For how long the code has been running; nothing before it began."""
        return None if self._began is None else time.monotonic() - self._began

    def abandon(self) -> None:
        """Stop the code, and ignore its further output."""
        self._abandoned += 1
        self.interrupt()

    def interrupt(self) -> None:
        """Let the code stop."""
        self.send({"do": "interrupt"})

    def restart(self) -> None:
        """Let the kernel forget everything, and stop what it does."""
        self.send({"do": "restart"})

    def give(self, text: str | None) -> None:
        """Send input to a program that reads; ``None`` is the end of its input."""
        self.send({"do": "input", "text": text})

    def failure(self, event: Mapping[str, Any]) -> Phrase:
        """Why there is no kernel, and what to do about it."""
        why, kernels = event.get("why"), event.get("kernels") or []
        if why == "extra":
            return Phrase(
                "running code needs Jupyter's client: {command}", command=pip_install("msgls[run]")
            )
        if why == "start":
            said = str(event.get("said"))
            if last_words := self.last_words():
                said += f" ({last_words})"
            return Phrase("the kernel did not start: {reason}", reason=said)
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
