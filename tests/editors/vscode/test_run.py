"""``make run``: its script opens VS Code for its owner alone, and ends without a trace."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.editors.vscode import needs
from tests.editors.vscode.needs import HERE, ROOT
from tests.editors.vscode.playing import check, story

SCRIPT = ROOT / "tools/vscode/run.mjs"
PATIENCE_SECONDS = 120


def command(place: Path, *arguments: str) -> Sequence[str]:
    fixed = ("--vsix", needs.vsix(), "--python", sys.executable, "--place", str(place))
    return [needs.node(), str(SCRIPT), *fixed, "--no-browser", *arguments]


def run(place: Path, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": path} if path else None
    return subprocess.run(
        command(place, *arguments),
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )


@contextmanager
def running(place: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The script while it runs, and the address that it tells."""
    with subprocess.Popen(
        command(place, "--vscode", needs.vscode(), *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process, next(line.strip() for line in process.stdout if "http://" in line)
        finally:
            process.terminate()


def status(address: str, token: str = "") -> int:
    headers = {"Cookie": f"vscode-tkn={token}"} if token else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_it_opens_a_new_copy_of_the_examples_and_keeps_settings(tmp_path: Path) -> None:
    settings = tmp_path / "data/data/User/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"editor.fontSize": 20, "msgls.interpreter": "old"}', encoding="utf-8")
    copy = tmp_path / "examples/good.msg.md"
    copy.parent.mkdir()
    copy.write_text("changed", encoding="utf-8")
    (tmp_path / "examples/mine.msg.md").touch()
    done = run(tmp_path, "--vscode", needs.vscode(), "--check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "Ctrl+C stops it." in done.stdout
    assert unquote(done.stdout).count(f"&folder={tmp_path / 'examples'}\n") == 1
    assert list((tmp_path / "extensions").glob("msgls.msgls-*"))
    assert copy.read_bytes() == (ROOT / "examples/good.msg.md").read_bytes()
    assert not (tmp_path / "examples/mine.msg.md").exists()
    written = json.loads(settings.read_text("utf-8"))
    assert written["editor.fontSize"] == 20
    assert written["msgls.interpreter"] == sys.executable
    assert written["security.workspace.trust.enabled"] is False
    assert written["workbench.startupEditor"] == "readme"


def test_code_of_the_examples_runs_by_a_key(tmp_path: Path, subtests: pytest.Subtests) -> None:
    with running(tmp_path) as (process, told):
        there = {"address": told, "folder": str(tmp_path / "examples")}
        check(subtests, {**story(tmp_path, "apart/made"), **there}, tmp_path)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 0


def test_a_folder_of_your_own_is_opened_untrusted_for_you_alone(tmp_path: Path) -> None:
    place, own = tmp_path / "place", tmp_path / "own folder"
    own.mkdir()
    with running(place, "--folder", str(own)) as (process, told):
        match = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)\?tkn=(\w+)&folder=(.+)", told)
        assert match
        address, token, folder = match.groups()
        assert unquote(folder) == str(own)
        assert not (place / "examples").exists()
        written = json.loads((place / "data/data/User/settings.json").read_text("utf-8"))
        assert written["security.workspace.trust.enabled"] is True
        # There is no README: VS Code's own first steps would take the place of ours.
        assert written["workbench.startupEditor"] == "none"
        assert status(address) == 403
        assert status(address, "0" * len(token)) == 403
        assert status(address, token) == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 0
        with pytest.raises(urllib.error.URLError):
            status(address, token)


def test_nothing_outlives_who_started_it(tmp_path: Path) -> None:
    program = tmp_path / "program.mjs"
    program.write_text(
        "import { spawn } from 'node:child_process';\n"
        "spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'] });\n"
        "console.log('started');\n",
        encoding="utf-8",
    )
    with subprocess.Popen(
        [needs.node(), ROOT / "tools/vscode/leash.mjs", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        process.stdin.close()
        # That ends when neither of them can write any more.
        assert process.stdout.read() == b""
        assert process.wait(PATIENCE_SECONDS) == -signal.SIGKILL


def test_a_scenario_ends_with_its_test(tmp_path: Path) -> None:
    told = tmp_path / "story.json"
    waiting = {"scenarios": ["apart/waiting"], "report": str(tmp_path / "report.json")}
    told.write_text(json.dumps(waiting), encoding="utf-8")
    command = [needs.node(), str(HERE / "play.mjs"), str(told)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE_SECONDS) == 1


def test_what_is_missing_is_told_in_one_line(tmp_path: Path) -> None:
    for arguments, words in [
        (["--folder", "no/such/folder"], "there is no folder no/such/folder"),
        (["--vscode", str(tmp_path)], "make vscode"),
        ([], "make vscode"),
        (["--no-such-option"], "--no-such-option"),
    ]:
        done = run(tmp_path / "place", *arguments)
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr.startswith("error: ")
        assert words in done.stderr
        assert done.stderr.count("\n") == 1


def test_the_desktop_gets_folders_of_its_own(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    code = programs / "code"
    code.write_text(f"#!/bin/sh\necho \"$*\" >> '{tmp_path}/calls'\n", encoding="utf-8")
    code.chmod(0o755)
    place = tmp_path / "place"
    done = run(place, "--desktop", path=f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 0, done.stdout + done.stderr
    own = f"--user-data-dir {place}/data/data --extensions-dir {place}/extensions"
    assert (tmp_path / "calls").read_text("utf-8").splitlines() == [
        f"{own} --install-extension {needs.vsix()} --force",
        f"{own} --new-window {place}/examples",
    ]


def test_without_a_desktop_it_says_so(tmp_path: Path) -> None:
    done = run(tmp_path / "place", "--desktop", path=str(tmp_path))
    assert done.returncode == 1
    assert "there is no `code` on the PATH" in done.stderr
