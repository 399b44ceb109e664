"""Runners: the process that executes the code of one document.

Owns the one file that may say which kernel runs which language, ``kernels.toml`` in the user's
own configuration folder, and what is said where there is none. No message file and no setting
of a workspace has a say in what is run: a code cell can only name its language.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgls.host import processes
from msgls.host.files import FileProblem, read_text
from msgls.host.processes import Ended as Ended
from msgls.host.providers import config_folder
from msgls.text.phrases import Phrase, PhrasedError, about, joined

CONFIG_FILE = "kernels.toml"
_KEYS = frozenset({"kernels"})
_UNSAFE = re.compile(r"[^\w-]+")
_LONGEST_NAME = 60
# A cell's worth of data, each character of it escaped.
_LONGEST_LINE = 1 << 24


class RunnerProblem(PhrasedError):
    """Why nothing can be run, in words."""


def read_kernels(folder: Path | None = None) -> Mapping[str, str]:
    """The kernels that the user has chosen, by language. Raises ``RunnerProblem``."""
    path = (config_folder() if folder is None else folder) / CONFIG_FILE
    if not path.exists():
        return {}
    import tomllib

    try:
        values = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        what = Phrase("it is not valid TOML: {reason}", reason=str(error))
        raise RunnerProblem(about(path, what)) from None
    except FileProblem as problem:
        raise RunnerProblem(about(path, problem.phrase)) from None
    unknown = sorted(values.keys() - _KEYS)
    if unknown:
        raise RunnerProblem(about(path, Phrase("there is no setting `{name}`", name=unknown[0])))
    kernels = values.get("kernels", {})
    if not isinstance(kernels, dict) or not all(isinstance(k, str) for k in kernels.values()):
        raise RunnerProblem(about(path, Phrase("`kernels` must be a table of texts")))
    return kernels


def language_name(language: str) -> str:
    """One name for all that a language is called: `py` and `python3` are Python."""
    from pygments.lexers import find_lexer_class_by_name
    from pygments.util import ClassNotFound

    try:
        return str(find_lexer_class_by_name(language).name)
    except ClassNotFound:
        return language


class Runner(processes.Program):
    """A kernel at work for one document and one language."""

    longest_line = _LONGEST_LINE

    def __init__(
        self,
        language: str,
        path: Path | None,
        kernel: str | None = None,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """Start it where the document is; raises ``RunnerProblem`` where that cannot be."""
        kernel = kernel or read_kernels().get(language)
        # -P: a module of the folder that we happen to run in must not be taken for one of ours.
        command = (sys.executable, "-P", "-m", "msgls.runners.jupyter")
        try:
            process = processes.start(command)
        except OSError as error:
            reason = error.strerror or str(error)
            raise RunnerProblem("code cannot be run: {reason}", reason=reason) from None
        super().__init__(Phrase("the runner"), process, wake)
        self._language = language
        self._path = path
        self._abandoned = 0
        """How many runs have not ended that nobody waits for."""
        # A document may be where there is no folder yet.
        folder = path.parent if path is not None and path.parent.is_dir() else Path.home()
        self.send({"do": "start", "language": language, "kernel": kernel, "folder": str(folder)})

    def _fault_of(self, value: Any, size: int) -> Phrase | None:
        if isinstance(value, dict) and isinstance(value.get("event"), str):
            return None
        return Phrase("{program} wrote a line that is not an event", program=self._what)

    def run(self, cell_id: str, code: str, timeout: float | None = None) -> None:
        """Execute some code."""
        name = "output" if self._path is None else self._path.name.partition(".")[0]
        stem = _UNSAFE.sub("_", name)[:_LONGEST_NAME] or "output"
        stem += "." + _UNSAFE.sub("_", cell_id)[:_LONGEST_NAME]
        self.send({"do": "run", "code": code, "stem": stem, "timeout": timeout})

    def take(self, seconds: float | None = 0.0) -> processes.Wire | Ended | None:
        """The next event of a run that is waited for, or how it ended."""
        while (item := super().take(seconds)) is not None:
            if not self._abandoned or isinstance(item, Ended) or item["event"] == "failed":
                return item
            if item["event"] == "done":
                self._abandoned -= 1
            elif item["event"] == "input":
                self.give(None)
        return None

    def abandon(self) -> None:
        """Let the code stop; nobody waits for what it still shows."""
        self._abandoned += 1
        self.interrupt()

    def interrupt(self) -> None:
        """Let the code stop."""
        self.send({"do": "interrupt"})

    def restart(self) -> None:
        """Let the kernel forget everything, and stop what it does."""
        self.send({"do": "restart"})

    def give(self, text: str | None) -> None:
        """What a program that reads is given; nothing is the end of its input."""
        self.send({"do": "input", "text": text})

    def failure(self, event: Mapping[str, Any]) -> Phrase:
        """Why there is no kernel, and the way out."""
        why, kernels = event.get("why"), event.get("kernels") or []
        if why == "extra":
            return Phrase("running code needs Jupyter's client: pip install 'msgls[run]'")
        if why == "start":
            return Phrase("the kernel did not start: {reason}", reason=str(event.get("said")))
        known = joined(kernels) if kernels else Phrase("none")
        if event.get("said"):
            return Phrase(
                "there is no kernel `{name}`; there are: {names}",
                name=str(event["said"]),
                names=known,
            )
        return Phrase(
            "no Jupyter kernel is installed for `{language}`; there are: {names}. Install one "
            "(for Python: pip install ipykernel), or choose one in {file}",
            language=self._language,
            names=known,
            file=str(config_folder() / CONFIG_FILE),
        )
