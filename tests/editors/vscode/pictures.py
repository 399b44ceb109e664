"""The pictures of the documentation: what ``make screenshots`` runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.vscode.playing import check, story
from tests.editors.vscode.test_vscode import examples


@pytest.mark.parametrize(
    "name", ["apart/looks", "apart/looks_chinese", "apart/looks_asking", "running"]
)
def test_pictures(
    name: str, tmp_path: Path, subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAKE_PICTURES", "1")
    told = story(tmp_path, name)
    check(subtests, {**told, "examples": examples()}, tmp_path)
