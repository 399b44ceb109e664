"""The GitHub Action: its steps are run here as the runner would run them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "run" in step}
BROKEN = "# %% [^a]\n"


def run(step: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """A step of the action, with the inputs' defaults where nothing is said."""
    given = {name: what["default"] for name, what in ACTION["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in inputs.items()}

    def value(match: re.Match[str]) -> str:
        context, _, name = match[1].partition(".")
        return given[name] if context == "inputs" else "/action"

    environment = {
        name: re.sub(r"\$\{\{\s*([\w.-]+)\s*\}\}", value, text)
        for name, text in STEPS[step]["env"].items()
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", STEPS[step]["run"]],
        cwd=folder,
        env={**os.environ, **environment, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if shutil.which("bash") is None:
        pytest.skip("THE ACTION IS NOT TESTED: `bash` is not installed")
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "talk.msg.md").write_text(BROKEN, "utf-8")
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "talk.msg.md").write_text("# %% [^a]\n\n[^a]: [markdown]\n", "utf-8")
    return tmp_path


def test_problems_are_annotations_and_the_step_fails(folder: Path) -> None:
    done = run("Check", folder)
    assert done.returncode == 1
    assert done.stdout.startswith("::error ")
    assert "file=a b/talk.msg.md,line=1" in done.stdout


def test_the_step_is_well_where_all_is_well(folder: Path) -> None:
    done = run("Check", folder, paths="good")
    assert (done.returncode, done.stdout) == (0, "")


def test_sarif_is_written_whatever_is_found(folder: Path) -> None:
    assert run("Write SARIF", folder, sarif_file="out.sarif").returncode == 0
    report = json.loads((folder / "out.sarif").read_text("utf-8"))
    assert [result["ruleId"] for result in report["runs"][0]["results"]] == ["MSG101"]


@pytest.mark.parametrize("paths", ["$(touch pwned)", "; touch pwned", "`touch pwned`", "--fix ."])
def test_paths_are_paths_and_nothing_else(folder: Path, paths: str) -> None:
    done = run("Check", folder, paths=paths)
    assert done.returncode == 2 or paths.startswith("--")
    assert not (folder / "pwned").exists()
    assert (folder / "a b" / "talk.msg.md").read_text("utf-8") == BROKEN


def test_no_input_is_pasted_into_a_script() -> None:
    assert [name for name, step in STEPS.items() if "${{" in step["run"]] == []
