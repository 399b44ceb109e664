"""Several programs that add to one file at the same time: nothing is lost, nothing is broken."""

import errno
import fcntl
import multiprocessing
import os
import re
import sys
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from msgls.cli.main import main
from msgls.host import files
from msgls.host.files import ChangedProblem, digest_of, read_text, write_text
from tests.cli.support import Runner

TALK = "talk.msg.md"
MESSAGES = 30
SAVED = 20


def append(path: str, who: str) -> None:
    for number in range(MESSAGES):
        if main(["chat", path, "--force", "--message", f"Message {who} {number}."]):
            raise SystemExit(1)


def save(path: str) -> None:
    """What an editor does that looks whether the file has changed before it saves."""
    saved = 0
    while saved < SAVED:
        before = read_text(Path(path))
        try:
            write_text(Path(path), before.replace(f"Saved {saved}.", f"Saved {saved + 1}."), before)
        except ChangedProblem:
            continue
        saved += 1


def test_two_writers_and_an_editor_lose_nothing(msgls: Runner) -> None:
    msgls.write(TALK, "# %% [^m1]\n\n[^m1]: [markdown]\n\nSaved 0.\n")
    path = str(msgls.folder / TALK)
    start = multiprocessing.get_context("spawn").Process
    programs = [start(target=append, args=(path, who)) for who in ("a", "b")]
    programs.append(start(target=save, args=(path,)))
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


# -- Windows: its lock and its refusals, as its documentation has them, on this system ------------


class Windows:
    """``msvcrt``, as far as it locks: a byte of a file, which another handle is refused."""

    LK_UNLCK, LK_LOCK, LK_NBLCK = 0, 1, 2

    def __init__(self) -> None:
        self.refused = 0

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
            raise PermissionError(errno.EACCES, "Permission denied") from error


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Windows:
    system = Windows()
    monkeypatch.setitem(sys.modules, "msvcrt", system)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(files, "sys", SimpleNamespace(platform="win32"))
    return system


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


def test_on_windows_what_is_open_elsewhere_is_replaced_a_moment_later(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / TALK
    file.write_text("old", "utf-8")
    refusals, replace = iter(range(3)), Path.replace

    def refusing(self: Path, target: Path) -> Path:
        if next(refusals, None) is not None:
            raise PermissionError(errno.EACCES, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refusing)
    write_text(file, "new", "old")
    assert file.read_text("utf-8") == "new"
    monkeypatch.setattr(files, "_MOST_TRIES", 2)
    refusals = iter(range(9))
    with pytest.raises(files.FileProblem):
        write_text(file, "newer", "new")
    assert file.read_text("utf-8") == "new"
    assert not list(tmp_path.glob(".*"))
