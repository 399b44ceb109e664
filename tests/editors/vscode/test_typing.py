"""Typing is sacred: what is typed into VS Code, key by key, is what is saved.

``make test`` types a short page at two speeds. ``make typing`` types every page at three, and in
all circumstances.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.editors.pages import PAGES
from tests.editors.vscode.playing import PATIENCE_SECONDS, check, story

SPEEDS_MS = (40, 110, 300)
# Pages that are typed one after the other in one VS Code, so that no group takes much longer.
GROUPS = (
    ("talk", "head", "chinese", "deltas"),
    ("code", "free", "messages", "agents"),
    ("windows", "stf", "chatbuilder"),
    ("section",),
    ("words",),
    ("stf words",),
    ("chatbuilder words",),
)
# A key may take longer than its time where the machine is busy.
SLOWNESS = 3


def typing(names: tuple[str, ...], every_ms: int, **how: Any) -> dict[str, Any]:
    """Pages that are typed one after the other, and how."""
    pages = [{"name": name, **PAGES[name]._asdict()} for name in names]
    return {"pages": pages, "everyMs": every_ms, **how}


def type_pages(directory: Path, subtests: pytest.Subtests, *typings: dict[str, Any]) -> None:
    due_ms = sum([t["everyMs"] * len(page["text"]) for t in typings for page in t["pages"]])
    patience_seconds = PATIENCE_SECONDS + SLOWNESS * due_ms / 1000
    told = {**story(directory, "typing"), "typing": typings}
    check(subtests, told, directory, patience_seconds)


def test_a_short_page(tmp_path: Path, subtests: pytest.Subtests) -> None:
    type_pages(tmp_path, subtests, *[typing(("short",), speed) for speed in SPEEDS_MS[:2]])


def test_every_page_is_typed() -> None:
    assert {name for group in GROUPS for name in group} == PAGES.keys() - {"short"}


@pytest.mark.typing
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0])
@pytest.mark.parametrize("every_ms", SPEEDS_MS)
def test_pages(
    every_ms: int, group: tuple[str, ...], tmp_path: Path, subtests: pytest.Subtests
) -> None:
    type_pages(tmp_path, subtests, typing(group, every_ms))


@pytest.mark.typing
@pytest.mark.parametrize("circumstance", ["starting", "stopped", "slow", "appended", "undone"])
def test_circumstances(circumstance: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    type_pages(tmp_path, subtests, typing(("talk", "short"), 60, circumstance=circumstance))
