"""The extension with a server that needs no Python: ``make standalone`` builds it and runs this."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.editors.vscode.needs import ROOT
from tests.editors.vscode.playing import check, story

VSIX = ROOT / os.environ["STANDALONE_VSIX"]
LARGEST_BYTES = 40_000_000
NOTHING_ELSE = {"PATH": "/nowhere", "LANG": "C.UTF-8"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("standalone")
    with zipfile.ZipFile(VSIX) as archive:
        archive.extractall(folder)
    found = folder / "extension/bundled/server/msgls"
    found.chmod(0o755)
    return str(found)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT / "examples",
        env=NOTHING_ELSE,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_it_is_not_too_large() -> None:
    assert VSIX.stat().st_size < LARGEST_BYTES


@pytest.mark.parametrize(
    "arguments",
    [
        ("version",),
        ("check", ".", "--output-format", "json"),
        ("outline", ".", "--output-format", "json"),
        ("convert", "good.msg.md", "--to", "openai"),
        ("rule", "MSG302"),
        ("schema", "messages"),
        ("render", "good.msg.md"),
    ],
)
def test_it_says_what_the_package_says(program: str, arguments: tuple[str, ...]) -> None:
    said, wanted = run(program, *arguments), run(sys.executable, "-m", "msgls", *arguments)
    assert (said.returncode, said.stdout) == (wanted.returncode, wanted.stdout)


def test_it_serves(program: str) -> None:
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    )
    said = subprocess.run(
        [program, "serve", "--stdio"],
        input=f"Content-Length: {len(body)}\r\n\r\n{body}",
        env=NOTHING_ELSE,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert '"serverInfo":{"name":"msgls"' in said.stdout.replace(" ", "")


def test_it_brings_a_provider_along(program: str, tmp_path: Path) -> None:
    file = tmp_path / "a.msg.md"
    file.write_text((ROOT / "examples/ask.msg.md").read_text("utf-8"), "utf-8")
    said = run(program, "ask", str(file))
    assert (said.returncode, said.stdout) == (0, "You said:\n\nWhich files are here?\n")
    assert file.read_text("utf-8").endswith("\n\nYou said:\n\nWhich files are here?\n")
    # What needs a library says so.
    said = run(program, "ask", str(file), "--cell", "m1", "--provider", "openai")
    assert said.returncode == 1
    assert "not_installed: " in said.stderr


def test_it_runs_in_vs_code_without_python(tmp_path: Path, subtests: pytest.Subtests) -> None:
    told = story(tmp_path, "apart/standalone")
    check(subtests, {**told, "vsix": str(VSIX), "pictures": str(tmp_path)}, tmp_path)
