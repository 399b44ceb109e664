"""Whatever goes wrong while a file is written: there is the old one or the new one, whole."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from msgls.host import files
from tests.cli.support import GOOD, UNDEFINED, Runner

posix = pytest.mark.skipif(os.name != "posix", reason="there is no fork and no such signal")

UNTIDY = "# %%   Hello   [^q1]\n[^q1]:   [markdown]\n\n\n\nHi.\n"
AGENTS = "---\nagents:\n  Al: {models: [m]}\n  Bo: {models: [m]}\n---\n\n" + GOOD
MESSAGE = '{"runId": "r", "role": "user", "parts": [{"kind": "text", "payload": {"text": "x"}}], '
MESSAGES = MESSAGE + '"timestamp": "2026-01-02T03:04:05Z"}\n'


class Case(NamedTuple):
    """A command that writes ``a.msg.md``, or another file."""

    arguments: tuple[str, ...]
    before: dict[str, str]
    written: str = "a.msg.md"


CASES = {
    "fix": Case(("check", "--fix", "a.msg.md"), {"a.msg.md": UNDEFINED}),
    "format": Case(("format", "a.msg.md"), {"a.msg.md": UNTIDY}),
    "chat": Case(("chat", "a.msg.md", "--message", "Hi"), {}),
    "chat with force": Case(("chat", "a.msg.md", "--message", "Hi", "--force"), {"a.msg.md": GOOD}),
    "set-default": Case(("set-default", "a.msg.md", "Bo"), {"a.msg.md": AGENTS}),
    "init": Case(("init",), {}, "msgls.toml"),
    "convert": Case(
        ("convert", "a.messages.jsonl", "--to", "msgmd", "--output", "a.msg.md"),
        {"a.messages.jsonl": MESSAGES},
    ),
}


EVERYDAY = ("fix", "chat")
KILLED = [
    pytest.param(case, id=name, marks=[] if name in EVERYDAY else [pytest.mark.fuzz])
    for name, case in CASES.items()
]


@posix
@pytest.mark.parametrize("case", KILLED)
def test_a_kill_at_any_step_leaves_the_old_file_or_the_new_one(case: Case, tmp_path: Path) -> None:
    given = json.dumps({"before": case.before, "arguments": case.arguments})
    script = Path(__file__).with_name("killed.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "folder"), given],
        capture_output=True,
        check=True,
    )
    left = json.loads(done.stdout)
    old, new = case.before.get(case.written), left[-1].get(case.written)
    assert new is not None
    assert new != old
    assert set(left[-1]) == {*case.before, case.written}
    assert len(left) > 15
    seen = {found.get(case.written) for found in left}
    assert seen == {old, new}
    for found in left:
        others = set(found) - {*case.before, case.written}
        # What nobody could take away is hidden, named for its file, and no message file.
        assert len(others) <= 1
        assert all(name.startswith(f".{case.written}.") for name in others)
        assert all(name.endswith(".tmp") for name in others)


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["TERM", "HUP"])
def test_a_request_to_end_leaves_nothing_behind(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes when the temporary file is written, and is obeyed when the file is."""
    path = tmp_path / "a.msg.md"
    path.write_text("old", "utf-8")
    child = os.fork()
    if not child:
        signal.signal(number, signal.SIG_DFL)

        def asked_to_end(handle: int) -> None:
            os.kill(os.getpid(), number)

        monkeypatch.setattr(os, "fsync", asked_to_end)
        files.write_text(path, "new")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -number
    assert [found.name for found in tmp_path.iterdir()] == ["a.msg.md"]
    assert path.read_text("utf-8") == "new"


# -- a disk that is full ------------------------------------------------------------------

WORDS = "word " * 20_000


def _full_disk(folder: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run in a folder with room for a little more than what is there."""
    if shutil.which("unshare") is None:
        pytest.skip("no file system can be made here")
    # In a namespace of its own: the mount is gone when the command is.
    command = (
        'mkdir -p "$0/disk" && mount -t tmpfs -o size=160k tmpfs "$0/disk" || exit 99; '
        'cp "$0"/*.md "$0/disk" && cd "$0/disk" && "$@"; code=$?; '
        'mkdir -p "$0/left" && cp -a "$0/disk/." "$0/left"; exit $code'
    )
    line = ["unshare", "--mount", "sh", "-c", command, str(folder), sys.executable, "-m", "msgls"]
    done = subprocess.run([*line, *arguments], capture_output=True, text=True, check=False)
    if done.returncode in (1, 99) and not (folder / "left").exists():
        pytest.skip("this user may not mount anything")
    return done


@posix
@pytest.mark.parametrize(
    "arguments",
    [("check", "--fix"), ("format",), ("chat", "--force", "--message", "Hi")],
    ids=["fix", "format", "chat"],
)
def test_a_disk_that_is_really_full(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.msg.md").write_text(UNDEFINED + "\n\n\n" + WORDS, "utf-8")
    done = _full_disk(tmp_path, [*arguments, "a.msg.md"])
    assert done.returncode == 2
    assert "no space left on device" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    left = {path.name: path.read_text("utf-8") for path in (tmp_path / "left").iterdir()}
    assert left == {"a.msg.md": UNDEFINED + "\n\n\n" + WORDS}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("step", ["mkstemp", "fdopen", "fsync", "chmod"])
def test_a_disk_that_is_full_at_any_step(
    step: str, case: Case, msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    for name, text in case.before.items():
        msgls.write(name, text)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    owner = {"mkstemp": tempfile, "chmod": Path}.get(step, os)
    monkeypatch.setattr(owner, step, full)
    run = msgls(*case.arguments)
    assert run.code == 2
    assert "no space left on device" in run.out + run.err
    assert "internal error" not in run.err
    left = {path.name: path.read_text("utf-8") for path in msgls.folder.iterdir()}
    assert left == case.before


def test_what_a_program_adds_while_we_fix_is_kept(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = msgls.write("a.msg.md", UNDEFINED)
    real = files._temporary

    def meanwhile(*given: object) -> Path:
        with path.open("a", encoding="utf-8") as file:
            file.write("More.\n")
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "_temporary", meanwhile)
    run = msgls("check", "--fix", "a.msg.md")
    assert run.code == 2
    assert "a.msg.md: it was changed in the meantime, and is left as it is" in run.out + run.err
    assert msgls.read("a.msg.md") == UNDEFINED + "More.\n"
