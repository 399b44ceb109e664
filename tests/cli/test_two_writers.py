"""Several programs that add to one file at the same time: nothing is lost, nothing is broken."""

from __future__ import annotations

import multiprocessing
import re
import threading
from pathlib import Path

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
