"""Vim, Neovim and Emacs, with what ``editors/`` has for them, know our files and colour them.

What an editor calls a file must be what the server takes it for: the table is asked of both.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from msgls.formats.registry import detect
from tests.editors.story import EDITORS, SCRIPTS

EXAMPLES = EDITORS.parent / "examples"
PLAIN = "Nothing of ours.\n"
SECTION = "---\ntitle: A\nmessage_section: true\n---\n\n## Discussion\n"

# Texts by path; where there is none, the file is an example.
FILES: dict[str, str | None] = {
    "good.msg.md": None,
    "notes.md": None,
    "README.md": None,
    "stf/good.stf": None,
    "stf/semicolons.stf": None,
    "chatbuilder/messages/trip/1.md": None,
    "messages-json/good.messages.json": None,
    "messages-json/good.deltas.jsonl": None,
    "messages-json/good.session.jsonl": None,
    "made/section.md": SECTION,
    "made/not-at-the-start.md": f"\n{SECTION}",
    "made/quoted.md": f"---\ntitle: A\n---\n\n```yaml\n{SECTION}```\n",
    "made/7.md": "; role: user\n\n\nHello.\n",
    "made/8.md": PLAIN,
    "made/trees/9.md": "; role: user\n\n\nHello.\n",
    "made/lines.messages.jsonl": "{}\n",
    "made/other.jsonl": "{}\n",
}
PLACES = ("# %% Where", "# %%% A first", "[^q1]", "[markdown]", "time=", '"success"', "stdout>")
CELLS = ("# %% Where do we start?[^q1]", "# %%% A first plan[^a1]")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("types")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            shutil.copy(EXAMPLES / name, path)
        else:
            path.write_text(text, "utf-8")
    return folder


def ask(command: list[str], workspace: Path, name: str) -> dict[str, Any]:
    """What an editor says of every file, by the file's name."""
    if shutil.which(command[0]) is None:
        reason = f"{name} IS NOT TESTED: `{command[0]}` is not installed"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    report = workspace / f"{name}.json"
    story = workspace / f"{name}-story.json"
    files = [str(workspace / name) for name in FILES]
    story.write_text(json.dumps({"files": files, "places": PLACES, "report": str(report)}), "utf-8")
    environment = {**os.environ, "MSGLS_STORY": str(story), "HOME": str(workspace)}
    done = subprocess.run(
        command,
        cwd=workspace,
        env={**environment, "LC_ALL": "C.UTF-8", "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert report.exists(), done.stdout + done.stderr
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return {name: found[str(workspace / name)] for name in FILES}


def vim(program: str) -> list[str]:
    before = f"set nocompatible runtimepath^={EDITORS / 'vim'}"
    start = "filetype plugin on | syntax on"
    common = ["--cmd", before, "--cmd", start, "-S", str(SCRIPTS / "types.vim")]
    if program == "nvim":
        return ["nvim", "--headless", "--clean", "-n", *common]
    return ["vim", "-u", "NONE", "-i", "NONE", "-n", "-es", *common]


def language(path: Path) -> str:
    """What the server calls a file."""
    return detect(str(path), path.read_text("utf-8")).language_id


@pytest.fixture(scope="module", params=["vim", "nvim"])
def in_vim(request: pytest.FixtureRequest, workspace: Path) -> dict[str, Any]:
    return ask(vim(request.param), workspace, request.param)


@pytest.fixture(scope="module")
def in_emacs(workspace: Path) -> dict[str, Any]:
    command = ["emacs", "-q", "--batch", "-L", str(EDITORS / "emacs")]
    return ask([*command, "--load", str(SCRIPTS / "types.el")], workspace, "emacs")


OURS = {"msgmd", "stf", "chatbuilder", "msgjson"}


def test_vim_calls_a_file_what_the_server_calls_it(in_vim: dict[str, Any], workspace: Path) -> None:
    expected = {name: language(workspace / name) for name in FILES}
    assert set(expected.values()) >= OURS
    found = {name: said["type"] for name, said in in_vim.items()}
    assert {n: t for n, t in found.items() if t in OURS} == {
        n: t for n, t in expected.items() if t in OURS
    }
    assert found["made/8.md"] == found["README.md"] == "markdown"


def test_emacs_calls_a_file_what_the_server_calls_it(
    in_emacs: dict[str, Any], workspace: Path
) -> None:
    expected = {name: f"{language(workspace / name)}-mode" for name in FILES}
    ours = {f"{name}-mode" for name in OURS}
    found = {name: said["type"] for name, said in in_emacs.items()}
    assert {n: t for n, t in found.items() if t in ours} == {
        n: t for n, t in expected.items() if t in ours
    }


def test_vim_colours_the_parts_of_a_cell(in_vim: dict[str, Any]) -> None:
    assert in_vim["good.msg.md"]["groups"] == {
        "# %% Where": "msgmdMessageMarker",
        "# %%% A first": "msgmdOutputMarker",
        "[^q1]": "msgmdId",
        "[markdown]": "msgmdType",
        "time=": "msgmdKey",
        '"success"': "msgmdValue",
        "stdout>": "msgmdStdout",
    }


def test_emacs_colours_the_parts_of_a_cell(in_emacs: dict[str, Any]) -> None:
    groups = in_emacs["good.msg.md"]["groups"]
    assert {place: groups[place] for place in PLACES[:4]} == {
        "# %% Where": "font-lock-keyword-face",
        "# %%% A first": "font-lock-preprocessor-face",
        "[^q1]": "font-lock-variable-name-face",
        "[markdown]": "font-lock-type-face",
    }


def test_cells_are_gone_through_and_fold(in_vim: dict[str, Any]) -> None:
    said = in_vim["good.msg.md"]
    assert (said["first"], said["second"]) == CELLS
    assert said["fold"] == 1


def test_emacs_goes_from_cell_to_cell(in_emacs: dict[str, Any]) -> None:
    assert in_emacs["good.msg.md"]["second"] == CELLS[1]
