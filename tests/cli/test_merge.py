"""``msgls merge``, by itself and called by git."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from msgls.cli.init import ATTRIBUTES
from msgls.cli.merge import NOT_MERGED
from tests.cli.support import Runner

BASE = "# %% [^m1]\n\n[^m1]: [markdown]\n\nHello.\n"
OURS = BASE + "\n# %%% [^a1]\n\n[^a1]: [bot]\n\nOurs.\n"
THEIRS = BASE + "\n# %%% [^a1]\n\n[^a1]: [bot]\n\nTheirs.\n"
BOTH = OURS + "\n# %%% [^a2]\n\n[^a2]: [bot]\n\nTheirs.\n"


def merge(msgls: Runner, base: str, ours: str, theirs: str, *options: str) -> tuple[int, str, str]:
    # As git does: names that tell nothing.
    for name, text in ((".base", base), (".ours", ours), (".theirs", theirs)):
        msgls.write(name, text)
    run = msgls("merge", ".base", ".ours", ".theirs", "--path", "talk.msg.md", *options)
    return run.code, msgls.read(".ours"), run.err


def test_the_merge_is_written_into_ours(msgls: Runner) -> None:
    assert merge(msgls, BASE, OURS, THEIRS) == (0, BOTH, "")


def test_conflicts_are_left_and_told(msgls: Runner) -> None:
    ours, theirs = BASE.replace("Hello", "Hi"), BASE.replace("Hello", "Hey")
    code, text, err = merge(msgls, BASE, ours, theirs, "--marker-size", "9")
    assert code == 1
    assert "<<<<<<<<< ours\nHi.\n=========\nHey.\n>>>>>>>>> theirs\n" in text
    assert err == "msgls: talk.msg.md: 1 conflict, marked in the file\n"


def test_a_conflict_is_found_by_check(msgls: Runner) -> None:
    ours, theirs = BASE.replace("Hello", "Hi"), BASE.replace("Hello", "Hey")
    _, text, _ = merge(msgls, BASE, ours, theirs)
    msgls.write("talk.msg.md", text)
    assert "MSG112" in msgls("check", "talk.msg.md", "--output-format", "concise").out


@pytest.mark.parametrize("name", ["base", "ours", "theirs"])
def test_what_cannot_be_read_is_not_a_conflict(msgls: Runner, name: str) -> None:
    for other in ("base", "ours", "theirs"):
        msgls.write(other, BASE)
    msgls.write(name, b"\xff\xfe")
    run = msgls("merge", "base", "ours", "theirs", "--path", "a.msg.md")
    assert run.code == NOT_MERGED
    assert run.err == (f"msgls: {name}: not UTF-8: byte 0xff at offset 0; it looks like UTF-16\n")


def test_a_marker_needs_a_length(msgls: Runner) -> None:
    assert msgls("merge", "a", "b", "c", "--marker-size", "0").code == 2


# -- git --------------------------------------------------------------------------------------


class Repository:
    """A repository of its own, whatever the machine's settings are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.com",
            # The driver is this very package, wherever it is.
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        }
        self("init", "-q", "-b", "main")

    def __call__(self, *arguments: str) -> int:
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=self.environment, capture_output=True
        )
        return done.returncode

    def commit(self, name: str, text: str) -> None:
        (self.folder / name).write_bytes(text.encode())
        assert self("add", "-A") == 0
        assert self("commit", "-q", "-m", "x") == 0


@pytest.fixture
def repository(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> Repository:
    if shutil.which("git") is None:
        message = "THE MERGE DRIVER IS NOT TESTED: there is no git"
        if os.environ.get("CI"):
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
    repository = Repository(msgls.folder)
    monkeypatch.setenv("PATH", repository.environment["PATH"])
    run = msgls("init", "--merge-driver")
    assert (run.code, run.err) == (0, "")
    assert msgls.read(".gitattributes") == ATTRIBUTES + "\n"
    return repository


def diverge(repository: Repository, name: str, base: str, ours: str, theirs: str) -> int:
    repository.commit(name, base)
    repository("checkout", "-q", "-b", "theirs")
    repository.commit(name, theirs)
    repository("checkout", "-q", "main")
    repository.commit(name, ours)
    return repository("merge", "-q", "-m", "x", "theirs")


def test_git_merges_two_answers(msgls: Runner, repository: Repository) -> None:
    # A name that a shell would take apart.
    name = "it's a $talk.msg.md"
    assert diverge(repository, name, BASE, OURS, THEIRS) == 0
    assert msgls.read(name) == BOTH


def test_git_leaves_a_conflict_in_the_cell(msgls: Runner, repository: Repository) -> None:
    ours, theirs = OURS.replace("Hello", "Hi"), THEIRS.replace("Hello", "Hey")
    assert diverge(repository, "talk.msg.md", BASE, ours, theirs) == 1
    conflict = "<<<<<<< ours\nHi.\n=======\nHey.\n>>>>>>> theirs"
    assert msgls.read("talk.msg.md") == BOTH.replace("Hello.", conflict)


def test_the_driver_is_set_up_once(msgls: Runner, repository: Repository) -> None:
    run = msgls("init", "--merge-driver")
    assert run.code == 0
    assert "is already merged by cell" in run.out
    assert msgls.read(".gitattributes") == ATTRIBUTES + "\n"


def test_attributes_that_are_there_stay(msgls: Runner, repository: Repository) -> None:
    msgls.write(".gitattributes", "*.png binary")
    assert msgls("init", "--merge-driver").code == 0
    assert msgls.read(".gitattributes") == f"*.png binary\n{ATTRIBUTES}\n"


def test_outside_of_a_repository_it_is_told_what_to_do(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GIT_DIR", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(msgls.folder.parent))
    run = msgls("init", "--merge-driver")
    assert run.code == 1
    assert "in the repository, run: git config merge.msgls.driver '" in run.err
    assert "merge %O %A %B --marker-size %L --path %P'" in run.err
