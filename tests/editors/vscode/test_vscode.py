"""A real VS Code, in a headless browser, with the packaged extension.

Owns what a scenario is played with: the VSIX, the example files, and what the server says of them
on the command line, which is what VS Code has to show. What is done in VS Code, and what is to be
seen there, is in ``scenarios/``; each is played in a VS Code of its own, with nothing else in it.
The steps of a scenario are reported as subtests. Pictures are left in ``.vscode-test/pictures``.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import msgls
from tests.editors.vscode import needs
from tests.editors.vscode.needs import HERE, ROOT

EXAMPLES = ROOT / "examples"
OUTLINED = ("good.msg.md", "stf/good.stf", "chatbuilder/messages/trip/2.md")
SCENARIOS = sorted(path.stem for path in (HERE / "scenarios").glob("*.mjs"))
PICTURES = ROOT / ".vscode-test/pictures"

# For a whole scenario. It takes about ten seconds on an idle machine; how busy this one is,
# nobody knows. A step that waits in vain gives up by itself, long before.
PATIENCE_SECONDS = 300
GRACE_SECONDS = 10


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_in_vscode(scenario: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    story = _story(tmp_path)
    report = _play(scenario, story, tmp_path)
    # Shown where a test fails.
    sys.stdout.write(report["logs"])
    for step in report["steps"]:
        with subtests.test(step["title"]):
            if step["error"]:
                pytest.fail(step["error"], pytrace=False)
    assert not report["error"], report["error"]
    assert report["steps"]


def test_the_pictures_of_the_readme_are_there_and_small() -> None:
    shown = set(re.findall(r"docs/images/[\w-]+\.png", (ROOT / "README.md").read_text("utf-8")))
    assert shown == {f"docs/images/{path.name}" for path in (ROOT / "docs/images").iterdir()}
    assert {name for name in shown if (ROOT / name).stat().st_size > 200_000} == set()


def test_the_extension_is_small() -> None:
    assert Path(needs.vsix()).stat().st_size < 1_000_000


def test_there_are_scenarios() -> None:
    expected = {"citizens", "formats", "missing", "problems", "reading", "server", "trust", "view"}
    assert {*expected, "writing"} <= set(SCENARIOS)


def _story(directory: Path) -> dict[str, Any]:
    """All that a scenario needs to know."""
    return {
        "directory": str(directory),
        "report": str(directory / "report.json"),
        "pictures": str(PICTURES),
        "vscode": str(needs.vscode()),
        "vsix": str(needs.vsix()),
        "browser": needs.browser(),
        "python": sys.executable,
        "version": msgls.__version__,
        "examples": dict(_examples()),
        "found": _found(),
        "all": list(_problems(".")),
        "problems": list(_problems("broken.msg.md")),
        "outlines": {name: list(_outline(name)) for name in OUTLINED},
    }


def _examples() -> Iterator[tuple[str, str]]:
    for path in sorted(EXAMPLES.rglob("*")):
        if path.is_file():
            yield path.relative_to(EXAMPLES).as_posix(), path.read_text("utf-8")


def _play(scenario: str, story: dict[str, Any], directory: Path) -> dict[str, Any]:
    needs.driver()
    story_file = directory / "story.json"
    story_file.write_text(json.dumps(story), encoding="utf-8")
    with subprocess.Popen(
        [needs.node(), HERE / "play.mjs", scenario, story_file],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # A group of its own, so that all of it can be ended, and nothing else.
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            # First the polite way: VS Code is in yet another group, and is stopped by its parent.
            process.terminate()
            try:
                output, _ = process.communicate(timeout=GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
    report_file = Path(story["report"])
    written = output.decode("utf-8", "replace")
    assert report_file.exists(), f"there is no report:\n{written}"
    report: dict[str, Any] = json.loads(report_file.read_text("utf-8"))
    report["logs"] = f"{written}\n{report['logs']}\n"
    return report


def _problems(name: str) -> Iterator[dict[str, Any]]:
    """What is found in an example: all but hints, which the Problems panel leaves out."""
    for found in _msgls("check", name, "--min-severity", "info"):
        start = found["start"]
        place = f"[Ln {start['line']}, Col {start['column']}]"
        severity = found["severity"].capitalize()
        yield {
            "file": found["filename"],
            "code": found["code"],
            "row": f"{severity} msgls({found['code']}) {place} {found['message']}",
            "fix": found["fix"]["title"] if found.get("fix") else None,
        }


def _found() -> dict[str, list[str]]:
    """The rows of the Problems panel, by file."""
    rows: dict[str, list[str]] = {}
    for problem in _problems("."):
        rows.setdefault(problem["file"], []).append(problem["row"])
    return {name: sorted(rows[name]) for name in sorted(rows)}


def _outline(name: str) -> Iterator[str]:
    [outline] = _msgls("outline", name)
    for entry in outline["entries"]:
        yield "  " * entry["level"] + entry["name"]


def _msgls(*arguments: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "msgls", *arguments, "--output-format", "json"]
    said = subprocess.run(command, cwd=EXAMPLES, capture_output=True, check=False)
    found: list[dict[str, Any]] = json.loads(said.stdout)
    return found
