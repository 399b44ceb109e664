"""The hooks for pre-commit: by what they say, and with pre-commit itself."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml

from msgls.cli.main import COMMANDS, make_parser
from msgls.formats.registry import FORMATS

ROOT = Path(__file__).resolve().parent.parent.parent
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
BROKEN = "# %% [^a]\n"


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_a_hook_calls_what_there_is(hook: dict[str, Any]) -> None:
    program, command, *options = hook["entry"].split()
    assert program == "msgls"
    assert command in COMMANDS
    make_parser([command]).parse_args([command, *options, "a.msg.md"])


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_a_hook_is_given_every_file_that_may_be_ours(hook: dict[str, Any]) -> None:
    for format in FORMATS:
        for ending in format.endings:
            name = ending if ending == "agents.json" else f"talk{ending}"
            assert re.search(hook["files"], f"folder/{name}"), name
    for name in ("main.py", "package.json", "data.jsonl", "myagents.json"):
        assert not re.search(hook["files"], name), name


# -- with pre-commit --------------------------------------------------------------------------


def git(folder: Path, *arguments: str) -> str:
    name = ["-c", "user.name=test", "-c", "user.email=test@example.com"]
    command = ["git", *name, "-c", "init.defaultBranch=main", *arguments]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with this project as it is now, as far as a hook needs it."""
    folder = tmp_path / "msgls"
    for name in ("server/msgls", "docs/man"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tools").mkdir()
    for name in (
        "pyproject.toml",
        "README.md",
        "LICENSE",
        ".pre-commit-hooks.yaml",
        "tools/compile_catalogue.py",
    ):
        shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Lets pip build and install without a package index: what it needs is lent from here."""
    lent = tmp_path / "lent"
    lent.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if "msgls" not in path.name and path.suffix != ".pth":
            (lent / path.name).symlink_to(path)
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": str(lent),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        # pip reads it the other way round: this says no isolation.
        "PIP_NO_BUILD_ISOLATION": "0",
        # Else it looks for newer versions of pip, in the background.
        "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
    }


@pytest.mark.fuzz
def test_pre_commit_runs_the_hooks(
    project: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "bad.msg.md").write_text(BROKEN, "utf-8")
    (folder / "README.md").write_text("# Talks[^1]\n", "utf-8")
    # As docs/ci.md has it, but for the address.
    hooks = [{"id": hook["id"]} for hook in HOOKS]
    source = {"repo": str(project), "rev": git(project, "rev-parse", "HEAD"), "hooks": hooks}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [source]}), "utf-8")
    git(folder, "add", "-A")

    def run(*names: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files", *names]
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    done = run("msgls-check")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "error[MSG101]" in done.stdout
    assert "README.md" not in done.stdout
    done = run("msgls-fix")
    assert "files were modified by this hook" in done.stdout, done.stdout + done.stderr
    assert (folder / "bad.msg.md").read_text("utf-8") == f"{BROKEN}\n[^a]: [markdown]\n"
    git(folder, "add", "-A")
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Passed") == len(HOOKS)
