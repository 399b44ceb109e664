"""Typing is sacred: what is typed into VS Code, key by key, is what is saved.

``make test`` types a short page at two speeds. ``make typing`` types every page at three, and in
all circumstances.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.pages import PAGES, TYPINGS, Typing, every_typing
from tests.editors.vscode.playing import PATIENCE_SECONDS, check, story

SHORT = ("short",)
SPEEDS_MS = (40, 110)
# A key may take longer than its time where the machine is busy.
SLOWNESS = 3


def type_pages(directory: Path, subtests: pytest.Subtests, *typings: Typing, **how: str) -> None:
    typed = [
        {
            "pages": [{"name": name, **PAGES[name]._asdict()} for name in names],
            "everyMs": every_ms,
            **how,
        }
        for every_ms, names in typings
    ]
    due_ms = sum([t.every_ms * len(PAGES[name].text) for t in typings for name in t.names])
    patience_seconds = PATIENCE_SECONDS + SLOWNESS * due_ms / 1000
    check(subtests, {**story(directory, "typing"), "typing": typed}, directory, patience_seconds)


def test_a_short_page(tmp_path: Path, subtests: pytest.Subtests) -> None:
    type_pages(tmp_path, subtests, *[Typing(speed, SHORT) for speed in SPEEDS_MS])


def test_every_page_is_typed_once_at_each_speed() -> None:
    typed = sorted([(every_ms, name) for every_ms, names in TYPINGS for name in names])
    long = PAGES.keys() - {"short"}
    assert typed == sorted([(every_ms, name) for every_ms in (40, 110, 300) for name in long])


@every_typing
def test_pages(typing: Typing, tmp_path: Path, subtests: pytest.Subtests) -> None:
    type_pages(tmp_path, subtests, typing)


@pytest.mark.typing
@pytest.mark.parametrize("circumstance", ["starting", "stopped", "slow", "appended", "undone"])
def test_circumstances(circumstance: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    how = {"circumstance": circumstance}
    type_pages(tmp_path, subtests, Typing(60, ("talk", "short")), **how)
