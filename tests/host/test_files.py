"""Files: which ones are found, and that writing is all or nothing."""

import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path

import pytest

from msgls.formats.msgmd import MSGMD
from msgls.host import files
from msgls.host.files import (
    FileProblem,
    find_files,
    format_of,
    read_runs,
    read_text,
    write_new,
    write_text,
)


def make(root: Path, listing: Iterable[str], **contents: str) -> None:
    for name in listing:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(contents.get(name, ""), "utf-8")


def found(root: Path, *names: str) -> list[str]:
    complaints: list[str] = []
    paths = list(find_files([str(root / name) for name in names] or [str(root)], complaints.append))
    assert complaints == []
    return [path.relative_to(root).as_posix() for path in paths]


# Finding.


def test_folders_are_walked_in_order(tmp_path: Path) -> None:
    make(tmp_path, ["b.msg.md", "a.md", "c.txt", "sub/x.msg.md", "sub/deep/y.MSG.MD", "z.py"])
    assert found(tmp_path) == ["a.md", "b.msg.md", "sub/x.msg.md", "sub/deep/y.MSG.MD"]


def test_what_tools_make_is_left_out(tmp_path: Path) -> None:
    hidden = [".git/a.md", ".venv/a.md", "node_modules/a.md", "__pycache__/a.md", ".x/a.md"]
    make(tmp_path, [*hidden, "a.md"])
    assert found(tmp_path) == ["a.md"]
    assert found(tmp_path, ".x") == [".x/a.md"]


def test_each_file_is_found_once(tmp_path: Path) -> None:
    make(tmp_path, ["a.md", "sub/b.md"])
    assert found(tmp_path, ".", "sub", "a.md", "sub/../a.md") == ["a.md", "sub/b.md"]
    assert found(tmp_path, "a.md", "a.md", "sub", "sub/b.md") == ["a.md", "sub/b.md"]


def test_what_git_ignores_is_left_out(tmp_path: Path) -> None:
    make(tmp_path, ["a.md", "out/b.md", "sub/c.md", "sub/out/d.md", "sub/keep.md", "x.tmp.md"])
    (tmp_path / ".gitignore").write_text("# made\nout/\n*.tmp.md\nsub/*.md\n", "utf-8")
    (tmp_path / "sub/.gitignore").write_text("!keep.md\n", "utf-8")
    assert found(tmp_path) == ["a.md", "sub/keep.md"]


def test_what_the_repository_around_ignores_is_left_out(tmp_path: Path) -> None:
    make(tmp_path, [".git/info/exclude", "sub/a.md", "sub/b.md", "sub/c.md", ".gitignore"])
    (tmp_path / ".gitignore").write_text("/sub/b.md\n", "utf-8")
    (tmp_path / ".git/info/exclude").write_text("c.md\n", "utf-8")
    assert found(tmp_path, "sub") == ["sub/a.md"]


def test_without_a_repository_nothing_above_counts(tmp_path: Path) -> None:
    make(tmp_path, ["sub/a.md", ".gitignore"])
    (tmp_path / ".gitignore").write_text("*.md\n", "utf-8")
    assert found(tmp_path, "sub") == ["sub/a.md"]
    assert found(tmp_path) == []


def test_what_is_asked_for_by_name_is_found(tmp_path: Path) -> None:
    make(tmp_path, [".git/HEAD", "out/a.md", "b.md", "notes.txt"])
    (tmp_path / ".gitignore").write_text("out/\nb.md\n", "utf-8")
    assert found(tmp_path, "out", "b.md", "notes.txt") == ["out/a.md", "b.md", "notes.txt"]


def test_links_are_followed_only_by_name(tmp_path: Path) -> None:
    make(tmp_path, ["sub/a.md"])
    (tmp_path / "sub/loop").symlink_to(tmp_path)
    (tmp_path / "link.md").symlink_to(tmp_path / "sub/a.md")
    (tmp_path / "dead.md").symlink_to(tmp_path / "nowhere.md")
    assert found(tmp_path) == ["sub/a.md"]
    assert found(tmp_path, "link.md", "sub") == ["link.md"]


def test_a_folder_that_cannot_be_listed_is_complained_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, ["a.md", "sub/b.md"])
    real = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("sub"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    complaints: list[str] = []
    assert [path.name for path in find_files([str(tmp_path)], complaints.append)] == ["a.md"]
    assert complaints == [f"{tmp_path / 'sub'}: permission denied"]


# Writing.


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_write_replaces_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", "utf-8")
    path.chmod(0o604)
    write_text(path, "new\r\n\ufeffé😀")
    assert path.read_bytes() == "new\r\n\ufeffé😀".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert leftovers(tmp_path) == ["a.md"]


@pytest.mark.parametrize("now", ["old, and more", "", "ol"])
def test_what_was_added_meanwhile_is_not_lost(tmp_path: Path, now: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(now, "utf-8")
    with pytest.raises(FileProblem, match="changed in the meantime"):
        write_text(path, "new", instead_of="old")
    assert path.read_text("utf-8") == now
    assert leftovers(tmp_path) == ["a.md"]
    write_text(path, "new", instead_of=now)
    assert path.read_text("utf-8") == "new"


def test_a_folder_that_cannot_be_synchronised_is_not_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be told that nothing was written, when all of it was."""
    path = tmp_path / "a.md"
    real = os.fsync

    def refuse_folders(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(22, "Invalid argument")
        real(handle)

    monkeypatch.setattr(os, "fsync", refuse_folders)
    write_new(path, "old")
    write_text(path, "new")
    assert path.read_text("utf-8") == "new"


@pytest.mark.parametrize("where", ["fsync", "replace", "fdopen"])
def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", "utf-8")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    if where == "replace":
        monkeypatch.setattr(Path, "replace", fail)
    else:
        monkeypatch.setattr(os, where, fail)
    with pytest.raises(FileProblem, match="no space left on device"):
        write_text(path, "new")
    assert path.read_text("utf-8") == "old"
    assert leftovers(tmp_path) == ["a.md"]


def test_an_interrupt_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", "utf-8")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(path, "new")
    assert path.read_text("utf-8") == "old"
    assert leftovers(tmp_path) == ["a.md"]


def test_what_utf8_cannot_say_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", "utf-8")
    with pytest.raises(FileProblem, match=r"U\+D800 cannot be encoded"):
        write_text(path, "a\ud800")
    assert path.read_text("utf-8") == "old"


def test_a_file_that_is_read_only_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", "utf-8")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(FileProblem, match="read-only"):
        write_text(path, "new")
    assert path.read_text("utf-8") == "old"


def test_a_new_file_is_made_only_where_none_is(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    write_new(path, "new")
    assert path.read_text("utf-8") == "new"
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    with pytest.raises(FileProblem, match="file exists"):
        write_new(path, "other")
    assert path.read_text("utf-8") == "new"
    assert leftovers(tmp_path) == ["a.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_what_never_ends_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "a.msg.md"
    os.mkfifo(pipe)
    assert format_of(pipe) is MSGMD
    with pytest.raises(FileProblem, match="not a regular file"):
        read_text(pipe)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_no_pattern_is_read_from_what_never_ends(tmp_path: Path) -> None:
    make(tmp_path, [".git/HEAD", "a.md", "sub/b.md", "zero/c.md"])
    (tmp_path / ".git/info").mkdir()
    os.mkfifo(tmp_path / ".git/info/exclude")
    os.mkfifo(tmp_path / "sub/.gitignore")
    (tmp_path / "zero/.gitignore").symlink_to("/dev/tty")
    assert found(tmp_path) == ["a.md", "sub/b.md", "zero/c.md"]
    assert found(tmp_path / "sub") == ["b.md"]


def test_a_new_file_is_made_where_there_are_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a memory card."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a.md"
    write_new(path, "new")
    assert path.read_text("utf-8") == "new"
    with pytest.raises(FileProblem, match="exists"):
        write_new(path, "newer")
    assert path.read_text("utf-8") == "new"
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(FileProblem):
        write_new(tmp_path / "b.md", "new")
    assert list(tmp_path.iterdir()) == [path]


def test_reading_keeps_every_character(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n\x0c")
    assert read_text(path) == "\ufeffa\r\nb\rc\n\f"
    with pytest.raises(FileProblem, match="no such file or directory"):
        read_text(tmp_path / "nowhere")
    with pytest.raises(FileProblem, match="is a directory"):
        read_text(tmp_path)


CONTENTS = (
    b"",
    b"one line",
    b"\xef\xbb\xbfa\r\nb\rc\n\x0c\n" * 9,
    "漢字 and 😀\n".encode() * 40 + b"the end",
    b"x" * 100 + b"\n" + b"y" * 100,
    b"\n" * 50,
)
INVALID = (
    b"\xff\xfea\x00\n\x00" * 9,
    b"line\n" * 30 + b"\xe4\n",
    b"x" * 90 + b"\xe6\xbc",
    b"\x80\n",
)


@pytest.mark.parametrize("data", CONTENTS)
@pytest.mark.parametrize("at_once", [1, 7, 64, 1 << 20])
def test_runs_of_a_file_are_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, at_once: int
) -> None:
    monkeypatch.setattr(files, "_READ_AT_ONCE", at_once)
    monkeypatch.setattr(files, "HEAD_LENGTH", 4)
    path = tmp_path / "a.md"
    path.write_bytes(data)
    runs = list(read_runs(path))
    assert "".join(runs) == read_text(path)
    assert all(run.endswith("\n") for run in runs[:-1])
    assert len(runs) < 2 or len(runs[0].encode()) >= 16


@pytest.mark.parametrize("data", INVALID)
@pytest.mark.parametrize("at_once", [1, 7, 64, 1 << 20])
def test_runs_name_the_byte_that_the_whole_file_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, at_once: int
) -> None:
    monkeypatch.setattr(files, "_READ_AT_ONCE", at_once)
    monkeypatch.setattr(files, "HEAD_LENGTH", 4)
    path = tmp_path / "a.md"
    path.write_bytes(data)
    with pytest.raises(FileProblem) as whole:
        read_text(path)
    with pytest.raises(FileProblem) as in_runs:
        list(read_runs(path))
    assert in_runs.value.phrase == whole.value.phrase
    with pytest.raises(FileProblem, match="no such file or directory"):
        list(read_runs(tmp_path / "nowhere"))
