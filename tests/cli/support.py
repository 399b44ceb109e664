"""How the command line is tested: in this process, with what it printed and how it ended."""

import io
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from msgls.cli.main import main

GOOD = "# %% Hello[^q1]\n\n[^q1]: [markdown]\n\nHi.\n"
UNDEFINED = "# %% Hello[^q1]\n\nHi.\n"
"""One error (MSG101) with a safe fix."""
NEAR_MISS = "#%% Hello[^q1]\n\nHi.\n"
"""One warning (MSG106) with a fix that is not safe."""


class Run(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


class Runner:
    """Runs commands in a folder of their own, without colours, 80 columns wide."""

    def __init__(
        self, folder: Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
    ) -> None:
        self.folder = folder
        self._capsys = capsys
        self._patch = patch
        patch.chdir(folder)
        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LC_ALL", "LC_MESSAGES", "LANG"):
            patch.delenv(name, raising=False)

    def __call__(self, *arguments: str, stdin: str | bytes = "") -> Run:
        data = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        code = main(arguments)
        captured = self._capsys.readouterr()
        return Run(code, captured.out, captured.err)

    def write(self, name: str, text: str | bytes) -> Path:
        """Make a file in the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
        return path

    def read(self, name: str) -> str:
        """The text of a file in the folder, with the line ends that it has."""
        return (self.folder / name).read_bytes().decode("utf-8")
