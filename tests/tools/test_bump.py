"""The version is the same wherever it is written, and one script changes all of it."""

import json
import shutil
from pathlib import Path

import pytest

from msgls import __version__
from tools import bump


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files that say the version."""
    for name in {*(spot.path for spot in bump.SPOTS), bump.CHANGELOG.as_posix()}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(bump.ROOT / name, tmp_path / name)
    return tmp_path


def test_every_place_says_the_same() -> None:
    assert bump.current() == __version__
    assert {version for _, version in bump.said()} == {__version__}


def test_all_of_it_is_changed_and_nothing_else(tree: Path) -> None:
    lock = "client-vscode/package-lock.json"
    before = json.loads((tree / lock).read_text("utf-8"))
    bump.bump("9.8.7", "2030-01-02", tree)
    assert {version for _, version in bump.said(tree)} == {"9.8.7"}
    after = json.loads((tree / lock).read_text("utf-8"))
    assert after["version"] == after["packages"][""]["version"] == "9.8.7"
    after["version"] = after["packages"][""]["version"] = __version__
    assert after == before


def test_what_was_unreleased_is_released(tree: Path) -> None:
    bump.bump("9.8.7", "2030-01-02", tree)
    text = (tree / bump.CHANGELOG).read_text("utf-8")
    assert "## [Unreleased]\n\n## [9.8.7] - 2030-01-02\n\n### Added\n" in text


@pytest.mark.parametrize(
    ("version", "wish", "next_one"),
    [
        ("0.1.9", "patch", "0.1.10"),
        ("0.1.9", "minor", "0.2.0"),
        ("0.1.9", "major", "1.0.0"),
        ("0.1.9", "3.0.0", "3.0.0"),
    ],
)
def test_the_next_version(version: str, wish: str, next_one: str) -> None:
    assert bump.following(version, wish) == next_one


@pytest.mark.parametrize("wish", ["1.2", "v1.2.3", "1.2.3rc1", "next", ""])
def test_what_is_not_a_version_is_refused(wish: str) -> None:
    with pytest.raises(ValueError, match="is neither a version such as"):
        bump.following("0.1.0", wish)


def test_nothing_is_written_where_a_place_is_lost(tree: Path) -> None:
    (tree / "editors/zed/Cargo.toml").write_text("[package]\n", "utf-8")
    with pytest.raises(ValueError, match=r"Cargo\.toml: says no version"):
        bump.bump("9.8.7", "2030-01-02", tree)
    assert bump.current(tree) == __version__
