"""The workspace: its files, what their heads say, and what documents were told."""

import os
from pathlib import Path

import pytest

from msgls.host import workspace as module
from msgls.host import workspace as workspace_module
from msgls.host.files import read_head
from msgls.host.workspace import Heads, Outlook, Workspace, head_fields


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_files_are_found_as_they_are_asked_for(tmp_path: Path) -> None:
    for name in ("a.md", "b/c.msg.md", "b/d.txt", ".x/e.md"):
        write(tmp_path / name)
    workspace = Workspace([tmp_path])
    assert list(workspace.files()) == [tmp_path / "a.md", tmp_path / "b/c.msg.md"]
    assert next(workspace.files()) == tmp_path / "a.md"


def test_where_nobody_watches_files_are_looked_for_each_time(tmp_path: Path) -> None:
    workspace = Workspace([tmp_path])
    assert list(workspace.files()) == []
    write(tmp_path / "a.md")
    assert list(workspace.files()) == [tmp_path / "a.md"]


def test_where_somebody_watches_files_are_looked_for_once(tmp_path: Path) -> None:
    workspace = Workspace([tmp_path])
    workspace.is_watched = True
    assert list(workspace.files()) == []
    new = write(tmp_path / "a.md")
    assert list(workspace.files()) == []
    workspace.changed(new, is_new_or_gone=True)
    assert list(workspace.files()) == [new]
    new.unlink()
    workspace.changed(new, is_new_or_gone=True)
    assert list(workspace.files()) == []


def test_a_search_that_is_overtaken_is_not_remembered(tmp_path: Path) -> None:
    first = write(tmp_path / "a.md")
    workspace = Workspace([tmp_path])
    workspace.is_watched = True
    search = workspace.files()
    assert next(search) == first
    new = write(tmp_path / "0/b.md")
    workspace.changed(new, is_new_or_gone=True)
    list(search)
    assert list(workspace.files()) == [first, new]


@pytest.mark.parametrize("folders", [[], ["gone"], ["a", "a/b"]])
def test_folders_may_be_none_gone_or_nested(folders: list[str], tmp_path: Path) -> None:
    found = write(tmp_path / "a/b/c.md")
    workspace = Workspace([tmp_path / name for name in folders])
    assert list(workspace.files()) == ([found] if "a" in folders else [])


@pytest.mark.parametrize(
    ("name", "start", "fields"),
    [
        (
            "1.md",
            "; Block-UUID: AB\n;\n; role: user\n\n\nBody",
            {"block-uuid": "ab", "role": "user"},
        ),
        ("1.md", "; Component:  A b \r\n\r\n\r\n; role: user", {"component": "a b"}),
        ("1.md", "\ufeff; role: user", {"role": "user"}),
        ("1.md", "Notes\n; role: user", {}),
        ("notes.md", "; role: user", {}),
        ("1.md", "", {}),
    ],
)
def test_what_a_head_says(name: str, start: str, fields: dict[str, str]) -> None:
    assert dict(head_fields(Path("/x") / name, start)) == fields


def test_heads_are_read_once_and_when_their_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (write(tmp_path / f"{n}.md", f"; Component: {n}\n") for n in (1, 2))
    read: list[str] = []

    def noted(path: Path, size: int) -> str:
        read.append(path.name)
        return read_head(path, size)

    monkeypatch.setattr(module, "read_head", noted)
    workspace = Workspace([tmp_path])
    assert read == []
    assert workspace.others_with(one, "Component", "2") == (str(two),)
    assert workspace.others_with(one, "Component", "1") == ()
    assert read == ["1.md", "2.md"]
    workspace.look_again()
    assert workspace.others_with(one, "Component", "2") == (str(two),)
    assert read == ["1.md", "2.md"]
    write(two, "; Component: other\n")
    os.utime(two, ns=(1, 1))
    workspace.look_again()
    assert workspace.others_with(one, "component", "OTHER") == (str(two),)
    assert workspace.others_with(one, "Component", "2") == ()
    assert read == ["1.md", "2.md", "2.md"]


def test_a_link_to_a_file_is_not_another_file(tmp_path: Path) -> None:
    root = tmp_path / "root"
    one = write(root / "1.md", "; Component: x\n")
    (tmp_path / "link").symlink_to(root)
    workspace = Workspace([tmp_path / "link"])
    assert workspace.others_with(tmp_path / "link/1.md", "Component", "x") == ()
    assert one.is_file()


def test_answers_are_kept_until_they_are_refreshed(tmp_path: Path) -> None:
    outlook = Outlook(Workspace([tmp_path]), tmp_path / "chat.msg.md")
    known = outlook.surroundings()
    assert not outlook.refresh()
    assert known.exists("a.md") is False
    write(tmp_path / "a.md")
    assert known.exists("a.md") is False
    assert outlook.refresh()
    assert known.exists("a.md") is True
    assert not outlook.refresh()
    # Nobody asked who else is there.
    write(tmp_path / "b.md")
    assert not outlook.refresh()
    assert known.neighbours == {"a.md", "b.md"}
    write(tmp_path / "c.md")
    assert outlook.refresh()
    assert "c.md" in known.neighbours
    assert len(known.neighbours) == 3


def test_not_everything_that_was_ever_asked_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_ANSWERS", 3)
    outlook = Outlook(Workspace([tmp_path]), tmp_path / "chat.msg.md")
    for name in "abcd":
        outlook.exists(name)
    # What was forgotten may have changed: better ask once too often.
    assert outlook.refresh()
    assert not outlook.refresh()


def test_what_nobody_says_any_more_is_forgotten(tmp_path: Path) -> None:
    heads = Heads()
    path = tmp_path / "1.md"
    for number in range(100):
        heads.put(path, f"; Block-UUID: {number}\n; role: user\n\n\nHi\n")
    assert len(heads._holders) == 2
    heads.drop(path)
    assert not heads._holders


def test_what_an_editor_has_open_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(path: Path, text: str) -> frozenset[tuple[str, str]]:
        read.append(text)
        return frozenset()

    monkeypatch.setattr(workspace_module, "head_fields", counted)
    heads, path = Heads(), tmp_path / "1.md"
    for text in ("a", "a", "b", "b", "a"):
        heads.put(path, text)
    assert read == ["a", "b", "a"]
    heads.drop(path)
    heads.put(path, "a")
    assert read == ["a", "b", "a", "a"]
