"""What is kept of a file that is not saved: all that was shown, whatever happens when."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.host import unsaved
from msgls.host.unsaved import Journal, Unsaved, any_journals, journals_folder, unsaved_of
from msgls.text.spans import Edit, Span, apply_edits

PIECES = st.sampled_from(["a", "\n", "\r\n", "你好", "🦊", "\ud83d", '"', "\\", "\u2028", ""])
TEXTS = st.lists(PIECES, max_size=6).map("".join)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.msg.md"
    path.write_text("One.\n", "utf-8")
    return path


def left(file: Path) -> Unsaved:
    found = unsaved_of(file)
    assert found is not None
    return found


@given(st.data())
def test_whatever_ends_it_and_when_nothing_that_was_written_is_lost(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.mktemp("folder") / "a.msg.md"
    text = data.draw(TEXTS)
    journal = Journal(file, text)
    versions, sizes = [text], [journal.path.stat().st_size]
    handed_out: str | None = None
    for _ in range(data.draw(st.integers(0, 8))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        edit = Edit(Span(start, end), data.draw(TEXTS))
        after = apply_edits(text, [edit])
        action = data.draw(st.sampled_from(["edit", "hand out", "save"]))
        if action == "save":
            journal.begin(text)
            # What was handed out may be in the editor by now, and not in the file.
            versions = [text if handed_out is None else handed_out]
            sizes = [journal.path.stat().st_size]
            continue
        if action == "edit":
            journal.follow(edit, lambda text=after: text)  # type: ignore[misc]
            text, handed_out = after, None
        else:
            # Whether it is made, nobody knows yet: the editor may show it already.
            journal.hand_out([edit])
            handed_out = after
        versions.append(after)
        sizes.append(journal.path.stat().st_size)
    # Killed at any byte: all that was written as a whole is there.
    size = data.draw(st.integers(sizes[0], sizes[-1]))
    os.truncate(journal.path, size)
    whole = max(number for number, end in enumerate(sizes) if end <= size)
    assert left(file).text == versions[whole]
    journal.remove()
    assert unsaved_of(file) is None


def test_an_edit_that_the_editor_refused_is_not_kept(file: Path) -> None:
    journal = Journal(file, "One.\n")
    journal.hand_out([Edit(Span(5, 5), "Two.\n")])
    assert left(file).text == "One.\nTwo.\n"
    journal.follow(Edit(Span(0, 0), "Zero.\n"), lambda: "Zero.\nOne.\n")
    assert left(file).text == "Zero.\nOne.\n"


def test_nobody_else_can_read_it(file: Path) -> None:
    path = Journal(file, "One.\n").path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_what_is_edited_for_hours_is_not_kept_many_times(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unsaved, "_LEAST_GROWTH", 1_000)
    text = "x" * 500
    journal = Journal(file, text)
    for number in range(2_000):
        edit = Edit(Span(number % 500, number % 500 + 1), str(number % 10))
        text = apply_edits(text, [edit])
        journal.follow(edit, lambda text=text: text)  # type: ignore[misc]
        assert journal.path.stat().st_size < 3_000
    assert left(file).text == text


@pytest.mark.parametrize("data", [b"", b"{}\n", b"[]\n", b"\xff", b'{"file": 1}\n', b"null\n"])
def test_what_is_none_of_ours_is_passed_over(file: Path, data: bytes) -> None:
    path = Journal(file, "One.\n").path
    path.write_bytes(data)
    assert unsaved_of(file) is None


@pytest.mark.parametrize("line", [b"{\n", b"[1]\n", b'["a", 2, 3]\n', b"1\n", b"[[1, 2]]\n", b"\n"])
def test_a_line_that_cannot_be_read_fails_nobody(file: Path, line: bytes) -> None:
    journal = Journal(file, "One.\n")
    with journal.path.open("ab") as stream:
        stream.write(line)
    assert unsaved_of(file) is None or left(file).text == "One.\n"


def test_what_nobody_came_back_for_is_removed_in_time(file: Path) -> None:
    old = Journal(file.with_name("old.msg.md"), "Old.\n").path
    recent = Journal(file.with_name("recent.msg.md"), "Recent.\n").path
    month = 31 * 24 * 3600
    os.utime(old, (old.stat().st_atime - month, old.stat().st_mtime - month))
    Journal(file, "One.\n")
    assert (old.exists(), recent.exists()) == (False, True)


def test_what_another_editor_is_still_at_stays(file: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        path = Journal(file, "One.\n").path
        theirs = path.with_name(path.name.replace(str(os.getpid()), str(process.pid)))
        path.rename(theirs)
        left(file).remove()
        assert theirs.exists()
        process.kill()
        process.wait()
    left(file).remove()
    assert not theirs.exists()


def test_a_text_that_has_all_of_it_is_known(file: Path) -> None:
    Journal(file, "a\nb\nb\n")
    assert not left(file).is_missing_in("a\nb\nnew\nb\n")
    assert left(file).is_missing_in("a\nb\n")


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError

    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(Path, "home", nowhere)
    assert not any_journals()


def test_where_it_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert journals_folder() == tmp_path / "msgls/unsaved"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert journals_folder() == Path.home() / ".local/state/msgls/unsaved"


def test_one_that_cannot_be_removed_keeps_nobody_from_keeping(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Journal(file.with_name("b.msg.md"), "Old.\n").path
    os.utime(old, (0, 0))

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "unlink", refuse)
    Journal(file, "New.\n")
    assert left(file).text == "New.\n"


def test_every_byte_is_written_as_it_is_on_windows_too(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary, flags, really_open = 1 << 40, list[int](), os.open

    def note(path: Path, flag: int, mode: int = 0o777) -> int:
        flags.append(flag & binary)
        return really_open(path, flag & ~binary, mode)

    monkeypatch.setattr(unsaved, "_BINARY", binary)
    monkeypatch.setattr(os, "open", note)
    monkeypatch.setattr(unsaved, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setenv("LOCALAPPDATA", str(file.parent))
    journal = Journal(file, "Two\nlines.\n")
    journal.follow(Edit(Span(0, 3), "2"), lambda: "2\nlines.\n")
    assert left(file).text == "2\nlines.\n"
    assert flags == [binary, binary]
