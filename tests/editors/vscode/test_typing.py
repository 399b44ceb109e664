"""Typing is sacred: what is typed into VS Code, key by key, is what is saved.

``make test`` types a short page at two speeds. ``make typing`` types every page at three, and in
all circumstances.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.pages import PAGES, SPEEDS_MS, TYPINGS, Typing
from tests.editors.vscode.playing import PATIENCE_SECONDS, check, story

SHORT = ("short",)
# A key may take longer than its time where the machine is busy.
SLOWNESS = 3
# All in one window: what the server is, can be chosen while it is open.
CIRCUMSTANCES = [
    Typing(60, ("talk", *SHORT), circumstance)
    for circumstance in ("starting", "stopped", "slow", "appended", "undone")
]


def type_pages(directory: Path, subtests: pytest.Subtests, *typings: Typing) -> None:
    typed = [
        {
            "pages": [{"name": name, **PAGES[name]._asdict()} for name in typing.names],
            "everyMs": typing.every_ms,
            "circumstance": typing.circumstance,
        }
        for typing in typings
    ]
    patience_seconds = PATIENCE_SECONDS + SLOWNESS * sum([typing.seconds for typing in typings])
    check(subtests, {**story(directory, "typing"), "typing": typed}, directory, patience_seconds)


def test_a_short_page(tmp_path: Path, subtests: pytest.Subtests) -> None:
    type_pages(tmp_path, subtests, Typing(40, SHORT), Typing(110, SHORT))


def test_every_page_is_typed_once_at_each_speed() -> None:
    typed = sorted([(typing.every_ms, name) for typing in TYPINGS for name in typing.names])
    long = PAGES.keys() - {"short"}
    assert typed == sorted([(every_ms, name) for every_ms in SPEEDS_MS for name in long])
    assert set(SPEEDS_MS) == {40, 110, 300}


@pytest.mark.typing
@pytest.mark.parametrize("typing", TYPINGS, ids=lambda t: f"{t.names[0]} every {t.every_ms} ms")
def test_pages(typing: Typing, tmp_path: Path, subtests: pytest.Subtests) -> None:
    type_pages(tmp_path, subtests, typing)


@pytest.mark.typing
def test_circumstances(tmp_path: Path, subtests: pytest.Subtests) -> None:
    type_pages(tmp_path, subtests, *CIRCUMSTANCES)
