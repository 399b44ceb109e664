"""Several programs that add to one file at the same time: nothing is lost, nothing is broken."""

import errno
import multiprocessing
import os
import re
import sys
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest

from msgls.cli.main import main
from msgls.host import files
from msgls.host.files import (
    ChangedProblem,
    check_writable,
    digest_of,
    read_head,
    read_ours,
    read_text,
    write_text,
)
from tests.cli.support import Runner

if sys.platform != "win32":
    import fcntl

TALK = "talk.msg.md"
MESSAGES = 30
SAVED = 20


def append(path: str, who: str, locks: str | None) -> None:
    if locks is not None:
        act_like_windows(pytest.MonkeyPatch(), locks)
    for number in range(MESSAGES):
        if main(["chat", path, "--force", "--message", f"Message {who} {number}."]):
            raise SystemExit(1)


def save(path: str, locks: str | None) -> None:
    """What an editor does that looks whether the file has changed before it saves."""
    if locks is not None:
        act_like_windows(pytest.MonkeyPatch(), locks)
    saved = 0
    while saved < SAVED:
        before = read_text(Path(path))
        try:
            write_text(Path(path), before.replace(f"Saved {saved}.", f"Saved {saved + 1}."), before)
        except ChangedProblem:
            continue
        saved += 1


@pytest.mark.parametrize("system", ["this one", "like Windows"])
def test_two_writers_and_an_editor_lose_nothing(msgls: Runner, system: str) -> None:
    if system == "like Windows" and sys.platform == "win32":
        pytest.skip("the other case is Windows itself")
    msgls.write(TALK, "# %% [^m1]\n\n[^m1]: [markdown]\n\nSaved 0.\n")
    path = str(msgls.folder / TALK)
    locks = str(msgls.folder.parent) if system == "like Windows" else None
    start = multiprocessing.get_context("spawn").Process
    programs = [start(target=append, args=(path, who, locks)) for who in ("a", "b")]
    programs.append(start(target=save, args=(path, locks)))
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    assert [program.exitcode for program in programs] == [0, 0, 0]
    text = msgls.read(TALK)
    assert f"Saved {SAVED}." in text
    for who in ("a", "b"):
        found = re.findall(rf"^Message {who} (\d+)\.$", text, re.MULTILINE)
        assert found == [str(number) for number in range(MESSAGES)]
    assert msgls("check", TALK).out == "No problems found.\n"
    assert [one.name for one in msgls.folder.iterdir()] == [TALK]


def test_nobody_writes_between_the_look_and_the_writing(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = msgls.write(TALK, "before")
    refused: list[bool] = []

    def other() -> None:
        try:
            write_text(path, "the other's", instead_of="before")
        except ChangedProblem:
            refused.append(True)

    thread = threading.Thread(target=other)

    def look(path: Path) -> bytes:
        monkeypatch.setattr(files, "digest_of", digest_of)
        seen = digest_of(path)
        thread.start()
        # It has to wait until this one is done.
        thread.join(0.5)
        return seen

    monkeypatch.setattr(files, "digest_of", look)
    write_text(path, "mine", instead_of="before")
    thread.join()
    assert (msgls.read(TALK), refused) == ("mine", [True])


# -- Windows: its locks and its refusals, as its documentation has them, on this system -----------


class Windows:
    """``msvcrt``, as far as it locks: a byte of a file, which another handle is refused."""

    LK_UNLCK, LK_LOCK, LK_NBLCK = 0, 1, 2

    def __init__(self) -> None:
        self.refused = 0
        self.error = errno.EACCES

    def locking(self, handle: int, mode: int, length: int) -> None:
        """Lock, or unlock, from where the file stands."""
        assert (os.lseek(handle, 0, os.SEEK_CUR), length) == (0, 1)
        if mode == self.LK_UNLCK:
            fcntl.flock(handle, fcntl.LOCK_UN)
            return
        assert mode == self.LK_NBLCK
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.refused += 1
            raise OSError(self.error, os.strerror(self.error)) from error


OPEN, REPLACE = Path.open, Path.replace


def open_and_hold(path: Path, mode: str = "r", *rest: Any, **named: Any) -> IO[Any]:
    """Open a file as Windows does: nobody replaces it meanwhile, nor while it is replaced."""
    file = OPEN(path, mode, *rest, **named)
    if mode == "rb":
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            raise PermissionError(errno.EACCES, "Permission denied") from error
    return file


def replace_unheld(path: Path, target: Path) -> Path:
    """Replace a file as Windows does: only where nobody has it open."""
    with OPEN(target, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PermissionError(errno.EACCES, "Permission denied") from error
        return REPLACE(path, target)


def act_like_windows(patch: pytest.MonkeyPatch, locks: str) -> Windows:
    """Lock, open and replace files as on Windows; in a folder are the files of the locks."""
    system = Windows()
    patch.setitem(sys.modules, "msvcrt", system)
    patch.setattr(tempfile, "tempdir", locks)
    patch.setattr(files, "sys", SimpleNamespace(platform="win32"))
    patch.setattr(Path, "open", open_and_hold)
    patch.setattr(Path, "replace", replace_unheld)
    return system


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Windows:
    if sys.platform == "win32":
        pytest.skip("it stands in for Windows itself")
    return act_like_windows(monkeypatch, str(tmp_path))


def test_on_windows_one_program_waits_for_the_other(windows: Windows, tmp_path: Path) -> None:
    """A second one that comes meanwhile goes on when the first is done, however long that takes."""
    entered, order = threading.Event(), []

    def second() -> None:
        entered.wait()
        with files._locked(tmp_path):
            order.append("second")

    other = threading.Thread(target=second)
    other.start()
    with files._locked(tmp_path):
        entered.set()
        while not windows.refused:
            pass
        order.append("first")
    other.join()
    assert order == ["first", "second"]
    # Let go of where an error ends it, too.
    with pytest.raises(KeyError), files._locked(tmp_path):
        raise KeyError
    before = windows.refused
    with files._locked(tmp_path):
        pass
    assert windows.refused == before


def test_on_windows_a_lock_is_waited_for_that_is_refused_without_a_reason(
    windows: Windows, tmp_path: Path
) -> None:
    """As Wine does."""
    windows.error = 0
    test_on_windows_one_program_waits_for_the_other(windows, tmp_path)
    windows.error = errno.EBADF
    with (
        files._locked(tmp_path),
        pytest.raises(OSError, match="file descriptor"),
        files._locked(tmp_path),
    ):
        raise AssertionError


class Elsewhere:
    """A program that has a file open, until so many pauses have passed."""

    def __init__(self, path: Path, pauses: int) -> None:
        self._file, self._left = path.open("rb"), pauses
        self.paused = 0

    def sleep(self, seconds: float) -> None:
        """A pause of msgls."""
        assert seconds == files._PAUSE
        self.paused += 1
        if self.paused == self._left:
            self._file.close()


def test_on_windows_what_is_open_elsewhere_is_replaced_a_moment_later(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / TALK
    file.write_text("old", "utf-8")
    other = Elsewhere(file, pauses=3)
    monkeypatch.setattr(files, "time", other)
    write_text(file, "new", "old")
    assert (file.read_text("utf-8"), other.paused) == ("new", 3)
    other = Elsewhere(file, pauses=1_000)
    monkeypatch.setattr(files, "time", other)
    with pytest.raises(files.FileProblem):
        write_text(file, "newer", "new")
    assert (file.read_text("utf-8"), other.paused) == ("new", files._TRIES_TO_REPLACE - 1)
    assert not list(tmp_path.glob(".*"))


def test_on_windows_what_is_being_replaced_is_read_a_moment_later(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / TALK
    file.write_text("# %%\n", "utf-8")
    access, refusals = os.access, [True, True]

    def hidden(path: Path, mode: int) -> bool:
        return not (path == file and refusals and refusals.pop()) and access(path, mode)

    monkeypatch.setattr(os, "access", hidden)

    def replaced(pauses: int) -> Elsewhere:
        other = Elsewhere(file, pauses)
        fcntl.flock(other._file, fcntl.LOCK_EX)
        monkeypatch.setattr(files, "time", other)
        return other

    for read in (read_text, read_head, read_ours, digest_of):
        other = replaced(2)
        assert read(file)
        assert other.paused == 2
    other = replaced(1_000)
    with pytest.raises(files.FileProblem, match="permission denied"):
        read_text(file)
    assert other.paused == files._TRIES_TO_READ - 1
    monkeypatch.setattr(files, "time", SimpleNamespace(sleep=lambda _: None))
    check_writable(file)
    assert refusals == []
    refusals += [True] * 99
    with pytest.raises(files.FileProblem, match="read-only"):
        check_writable(file)
