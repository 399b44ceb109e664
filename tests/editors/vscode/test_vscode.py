"""A real VS Code, in a headless browser, with the packaged extension.

Owns what a scenario is played with: the VSIX, the example files, and what the server says of them
on the command line, which is what VS Code has to show. What is done in VS Code, and what is to be
seen there, is in ``scenarios/``. The steps of a scenario are reported as subtests.

Where a step fails, a picture is left in ``.vscode-test/pictures``; ``TAKE_PICTURES`` takes many.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editors.vscode import needs
from tests.editors.vscode.needs import HERE, ROOT
from tests.editors.vscode.playing import check, story

EXAMPLES = ROOT / "examples"
OUTLINED = ("good.msg.md", "stf/good.stf", "chatbuilder/messages/trip/2.md")
# A VS Code takes half a minute of a processor to start: scenarios share one, unless they need
# something that can only be chosen when it starts.
WINDOWS = {
    "reading": ("problems", "reading", "citizens", "formats", "themes"),
    "writing": ("lists", "writing", "markdown", "saving"),
    "watching": ("cells", "view", "preview", "asking"),
    **{
        name: (name,)
        for name in ("chinese", "first", "installing", "nopython", "running", "server", "trust")
    },
}


@pytest.mark.parametrize("window", WINDOWS)
def test_in_vscode(window: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    shown = _shown() if window == "reading" else {}
    check(subtests, {**story(tmp_path, *WINDOWS[window]), **shown}, tmp_path)


def test_every_scenario_is_played() -> None:
    played = [name for scenarios in WINDOWS.values() for name in scenarios]
    there = {path.stem for path in (HERE / "scenarios").glob("*.mjs")}
    # These have tests of their own: test_typing.py and test_editing.py.
    assert sorted(played) == sorted(there - {"typing", "editing"})


def test_the_pictures_of_the_pages_are_there_and_small() -> None:
    pages = [ROOT / "README.md", ROOT / "README.zh-CN.md", *(ROOT / "docs").glob("*.md")]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    shown = {f"docs/images/{name}" for name in re.findall(r"images/([\w-]+\.png)", text)}
    assert shown == {f"docs/images/{path.name}" for path in (ROOT / "docs/images").iterdir()}
    assert {name for name in shown if (ROOT / name).stat().st_size > 200_000} == set()


def test_the_extension_is_small() -> None:
    # 25 kB are the hashes of what the extension installs, which do not compress.
    assert Path(needs.vsix()).stat().st_size < 950_000


def _shown() -> dict[str, Any]:
    """What VS Code has to show."""
    return {
        "examples": examples(),
        "found": _found(),
        "all": list(_problems(".")),
        "problems": list(_problems("broken.msg.md")),
        "outlines": {name: list(_outline(name)) for name in OUTLINED},
    }


def examples() -> dict[str, str]:
    """The texts of the examples, by their paths."""
    files = [path for path in sorted(EXAMPLES.rglob("*")) if path.is_file()]
    return {path.relative_to(EXAMPLES).as_posix(): path.read_text("utf-8") for path in files}


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
