"""Folders that are written as one thing."""

from pathlib import Path

import pytest

from msgls.host import folders
from msgls.host.files import FileProblem, write_new
from msgls.host.folders import put_text, write_folder


def held(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_a_new_folder_has_everything(tmp_path: Path) -> None:
    write_folder(tmp_path / "new", {"1.md": "one", "2.md": "zwei ü"})
    assert held(tmp_path / "new") == {"1.md": "one", "2.md": "zwei ü"}
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_new_folder_is_not_there_if_one_file_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(path: Path, text: str) -> None:
        if path.name == "2.md":
            raise FileProblem("no space left on device")
        write_new(path, text)

    monkeypatch.setattr(folders, "write_new", failing)
    with pytest.raises(FileProblem, match="new: no space left"):
        write_folder(tmp_path / "new", {"1.md": "one", "2.md": "two"})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_keeps_what_is_not_named(tmp_path: Path) -> None:
    for name in ("1.md", "3.md", "notes.md"):
        (tmp_path / name).write_text("old", "utf-8")
    write_folder(tmp_path, {"1.md": "one", "2.md": "two"}, stale=["3.md"])
    assert held(tmp_path) == {"1.md": "one", "2.md": "two", "notes.md": "old"}


def test_nothing_is_deleted_before_all_is_written(tmp_path: Path) -> None:
    (tmp_path / "3.md").write_text("old", "utf-8")
    (tmp_path / "2.md").mkdir()
    with pytest.raises(FileProblem, match=r"2\.md"):
        write_folder(tmp_path, {"1.md": "one", "2.md": "two"}, stale=["3.md"])
    assert (tmp_path / "3.md").read_text("utf-8") == "old"


def test_a_folder_needs_a_place(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="no such file or directory"):
        write_folder(tmp_path / "no" / "such", {"1.md": "one"})


def test_a_file_is_made_or_replaced(tmp_path: Path) -> None:
    for text in ("one", "two"):
        put_text(tmp_path / "a", text)
        assert held(tmp_path) == {"a": text}
