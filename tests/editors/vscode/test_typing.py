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


def type_pages(
    directory: Path, subtests: pytest.Subtests, names: tuple[str, ...], every_ms: int, **how: Any
) -> None:
    pages = [{"name": name, **PAGES[name]._asdict()} for name in names]
    keys = sum(len(PAGES[name].text) for name in names)
    typing = {"pages": pages, "everyMs": every_ms, **how}
    patience_seconds = PATIENCE_SECONDS + SLOWNESS * keys * every_ms / 1000
    whole = {**story(directory), "typing": typing}
    check(subtests, "typing", whole, directory, patience_seconds)


@pytest.mark.parametrize("every_ms", SPEEDS_MS[:2])
def test_a_short_page(every_ms: int, tmp_path: Path, subtests: pytest.Subtests) -> None:
    type_pages(tmp_path, subtests, ("short",), every_ms)


def test_every_page_is_typed() -> None:
    assert {name for group in GROUPS for name in group} == PAGES.keys() - {"short"}


@pytest.mark.typing
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0])
@pytest.mark.parametrize("every_ms", SPEEDS_MS)
def test_pages(
    every_ms: int, group: tuple[str, ...], tmp_path: Path, subtests: pytest.Subtests
) -> None:
    type_pages(tmp_path, subtests, group, every_ms)


@pytest.mark.typing
@pytest.mark.parametrize("circumstance", ["starting", "stopped", "slow", "appended", "undone"])
def test_circumstances(circumstance: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    type_pages(tmp_path, subtests, ("talk", "short"), 60, circumstance=circumstance)
