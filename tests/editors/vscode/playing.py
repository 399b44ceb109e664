"""How scenarios are played in a VS Code, and how the report becomes the outcome of a test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import msgls
from tests.editors.vscode import needs
from tests.editors.vscode.needs import HERE, ROOT

PICTURES = ROOT / ".vscode-test/pictures"

# For all scenarios of a window. They take a minute or two on an idle machine; how busy this one
# is, nobody knows. A step that waits without success gives up by itself, long before.
PATIENCE_SECONDS = 900
GRACE_SECONDS = 10


def story(directory: Path, *scenarios: str) -> dict[str, Any]:
    """Which scenarios are played, and what every one is played with."""
    return {
        "scenarios": scenarios,
        "directory": str(directory),
        "report": str(directory / "report.json"),
        "pictures": str(PICTURES),
        # One is always taken where something fails.
        "takesPictures": bool(os.environ.get("TAKE_PICTURES")),
        "vscode": str(needs.vscode()),
        "vsix": str(needs.vsix()),
        "browser": needs.browser(),
        "python": sys.executable,
        "libraries": sysconfig.get_path("purelib"),
        "version": msgls.__version__,
    }


def check(
    subtests: pytest.Subtests,
    story: dict[str, Any],
    directory: Path,
    patience_seconds: float = PATIENCE_SECONDS,
) -> None:
    """Play scenarios; each step of them is a subtest."""
    report = _play(story, directory, patience_seconds)
    # Shown where a test fails.
    sys.stdout.write(report["logs"])
    for step in report["steps"]:
        with subtests.test(step["title"]):
            if step["error"]:
                pytest.fail(step["error"], pytrace=False)
    assert report["steps"]


def _play(story: dict[str, Any], directory: Path, patience_seconds: float) -> dict[str, Any]:
    needs.driver()
    story_file = directory / "story.json"
    story_file.write_text(json.dumps(story), encoding="utf-8")
    # All that is started for a scenario ends when this end of the pipe is closed, which the system
    # does where the test is killed.
    ours, held = os.pipe()
    with (
        subprocess.Popen(
            [needs.node(), HERE / "play.mjs", story_file],
            stdin=ours,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process,
        os.fdopen(held, "wb"),
    ):
        os.close(ours)
        try:
            output, _ = process.communicate(timeout=patience_seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                output, _ = process.communicate(timeout=GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                output, _ = process.communicate()
    report_file = Path(story["report"])
    written = output.decode("utf-8", "replace")
    assert report_file.exists(), f"there is no report:\n{written}"
    report: dict[str, Any] = json.loads(report_file.read_text("utf-8"))
    report["logs"] = f"{written}\n{report['logs']}\n"
    return report
