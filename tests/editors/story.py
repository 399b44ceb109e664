"""A story that a real editor plays: open a broken file, mend it, rename an id, save, leave.

Owns the file, how an editor is started, stopped and cleaned up after, and how its report is
read. What is done in the editor is in ``scripts/``: each script reads the story from the JSON
file that ``MSGLS_STORY`` names, does what a person would do through the editor's own commands,
and writes a report after each step. Nothing is judged there: the tests do that.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

SCRIPTS = Path(__file__).resolve().parent / "scripts"
# What is played with is what people are given.
EDITORS = Path(__file__).resolve().parent.parent.parent / "editors"

# The foxes take two units in UTF-16, four bytes in UTF-8 and one character in the editor:
# a column that is counted wrongly anywhere shows.
BROKEN = """\
---
agents:
  oracle:
    models: [oracle-1]
---

# %% 🦊 Question[^ask]

[^ask]: [markdown]

Will it rain?

# %%% 🦊🦊 Answer[^reply]

[^reply]: [oracle]

Let me look. The question was [^ask].

## %%% 🦊 Call[^reply.0c0ffee0]

[^reply.0c0ffee0]: [tool] name="weather"

<weather/>

## %%% 🦊 Result[^reply.0c0ffee1.1]

[^reply.0c0ffee1.1]: [tool] status="success"

It will rain. My reply is [^reply], not reply.
"""

MENDED = BROKEN.replace("0c0ffee1", "0c0ffee0")
RENAMED = MENDED.replace("[^reply", "[^größer")
# Its call and the result go along.
EXCLUDED = RENAMED.replace(": [oracle]", ": [oracle] history=exclude").replace(
    ": [tool]", ": [tool] history=exclude"
)

PROBLEM = "tool result `reply.0c0ffee1.1` does not match a call: `reply` has the nonce `0c0ffee0`"
FIX = "Change the nonce to `0c0ffee0`"

# For everything that is waited for in the editor, together. It takes about two seconds on an
# idle machine; how busy this one is, nobody knows.
PATIENCE_SECONDS = 120
# The editor gives up by itself, and says on what. Where it does not, it is stopped.
GRACE_SECONDS = 60

_PLAY = {
    "fix_at": "0c0ffee1",
    "fix_title": FIX,
    "rename_at": "reply]",
    "rename_to": "größer",
    "command_name": "msgls.history.exclude",
    "patience_seconds": PATIENCE_SECONDS,
}


class Editor(NamedTuple):
    """An editor, and how it is made to run a script."""

    name: str
    program: str
    arguments: Sequence[str]


def neovim(script: str) -> Editor:
    """Neovim with our configuration, and with a script that plays in it."""
    return Editor(
        "Neovim",
        "nvim",
        [
            *("--headless", "--clean", "-n"),
            *("--cmd", f"set runtimepath^={EDITORS / 'vim'}"),
            *("-c", f"luafile {SCRIPTS / script}"),
        ],
    )


class Story(NamedTuple):
    """What came of it."""

    report: dict[str, Any]
    file: Path
    left: Sequence[str]
    """What had to be killed."""
    exit_code: int | None
    log: str
    """What the server logged, and what it wrote to standard error."""
    output: str
    """What the editor wrote."""

    def step(self, name: str) -> Any:
        """What the editor saw at a step; the test fails where it did not come to it."""
        if name not in self.report:
            reason = self.report.get("error", "there is no report")
            pytest.fail(f"`{name}` was not reached: {reason}", pytrace=False)
        return self.report[name]

    def __str__(self) -> str:
        report = json.dumps(self.report, indent=1, ensure_ascii=False)
        parts = [
            f"== report of the editor (exit code {self.exit_code})",
            report,
            "== output of the editor",
            self.output.rstrip(),
            "== log of the server",
            self.log.rstrip(),
        ]
        return "\n".join(parts) + "\n"


def play(
    editor: Editor, directory: Path, text: str = BROKEN, configuration: Mapping[str, str] = {}
) -> Story:
    """Let an editor play its script on a text in an empty directory.

    ``configuration`` are files of the user's own, by their paths in the folder for these.
    """
    file = directory / "talk.msg.md"
    # Bytes: the line ends are part of the story.
    file.write_bytes(text.encode())
    story = {
        **_PLAY,
        "file": str(file),
        "report": str(directory / "report.json"),
        "command": server_command(directory),
    }
    (directory / "story.json").write_text(json.dumps(story), encoding="utf-8")
    home = directory / "home"
    home.mkdir()
    for name, content in configuration.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(content, encoding="utf-8")
    command = [program(editor), *editor.arguments]
    with subprocess.Popen(
        command,
        cwd=directory,
        env=environment(directory, home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # A group of its own, so that all of it can be ended, and nothing else.
        start_new_session=True,
    ) as process:
        left = []
        try:
            output, _ = process.communicate(timeout=PATIENCE_SECONDS + GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            left.append(editor.name)
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
    if _kill_server(directory):
        left.append("the server")
    report = _read_report(directory / "report.json")
    if "missing" in report:
        not_tested(editor, report["missing"])
    return Story(
        report,
        file,
        left,
        process.returncode,
        _read(directory / "server.log") + _read(directory / "server.err"),
        output.decode("utf-8", "replace"),
    )


def program(editor: Editor) -> str:
    return shutil.which(editor.program) or not_tested(editor, editor.program)


def not_tested(editor: Editor, missing: str) -> NoReturn:
    reason = f"{editor.name} IS NOT TESTED: `{missing}` is not installed; try `make editors`"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def server_command(directory: Path) -> list[str]:
    # Through a shell that leaves its process id behind, and then becomes the server.
    return [
        "/bin/sh",
        "-c",
        'echo "$$" > "$0.pid" && exec "$@" 2> "$0.err"',
        str(directory / "server"),
        *(sys.executable, "-m", "msgls", "serve", "--stdio"),
        *("--log-level", "info", "--log-file", str(directory / "server.log")),
    ]


def environment(directory: Path, home: Path) -> dict[str, str]:
    """As it is, but for the settings of whoever runs the tests."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "NVIM", "VIM", "EMACS"))
    }
    places = {f"XDG_{name}_HOME": str(home) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {
        **kept,
        **places,
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
        "MSGLS_STORY": str(directory / "story.json"),
    }


def _kill_server(directory: Path) -> bool:
    """End the server where the editor left it running; true if there was one.

    An editor may go without waiting for it: it is given a little time to see that.
    """
    written = _read(directory / "server.pid").strip()
    if not written:
        return False
    deadline = time.monotonic() + GRACE_SECONDS
    try:
        while time.monotonic() < deadline:
            os.kill(int(written), 0)
            time.sleep(0.05)
        os.kill(int(written), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def _read_report(path: Path) -> dict[str, Any]:
    try:
        report: dict[str, Any] = json.loads(_read(path))
    except ValueError as error:
        return {"error": f"there is no report to read: {error}"}
    return report
