"""Runs a command again and again, each time killed one step later: for ``test_faults``.

A step is a call into C while a file is being written: whatever the system is asked for lies
between two of them. Prints, for each time, what was left.
"""

import json
import os
import shutil
import signal
import sys
from contextlib import redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Any

from msgls.cli.main import main
from msgls.host import files

_WATCHED = (files.__file__, shutil.__file__.replace("shutil", "tempfile"))


class _Killer:
    """Ends the process at the step of that number."""

    def __init__(self, step: int) -> None:
        self._left = step

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "c_call" and self._is_writing(frame):
            self._left -= 1
            if not self._left:
                os.kill(os.getpid(), signal.SIGKILL)

    def _is_writing(self, frame: FrameType | None) -> bool:
        while frame is not None:
            code = frame.f_code
            if code.co_name in ("write_text", "write_new") and code.co_filename in _WATCHED:
                return True
            frame = frame.f_back
        return False


def _watch_from_writing_on(killer: _Killer) -> None:
    """Not before: to be watched makes everything slow."""
    encode = files._encode

    def watched(text: str) -> bytes:
        sys.setprofile(killer)
        return encode(text)

    setattr(files, "_encode", watched)  # noqa: B010


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir())}


def _attempt(folder: Path, arguments: list[str], step: int) -> int:
    """Run the command in a child; how that ended."""
    child = os.fork()
    if not child:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        os.chdir(folder)
        _watch_from_writing_on(_Killer(step))
        code = main(arguments)
        sys.setprofile(None)
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _warm_up(folder: Path, arguments: list[str]) -> None:
    os.chdir(folder)
    with open(os.devnull, "w", encoding="utf-8") as null, redirect_stdout(null):  # noqa: PTH123
        main(arguments)
    os.chdir("/")


def run(folder: Path, before: dict[str, str], arguments: list[str]) -> list[dict[str, str]]:
    """What each attempt left, the last one being the first that nobody killed."""
    left = []
    # Step 0 is never reached: all that is loaded late is loaded now, and not in every child.
    for step in range(2_000):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, text in before.items():
            (folder / name).write_text(text, "utf-8")
        if not step:
            _warm_up(folder, arguments)
            continue
        code = _attempt(folder, arguments, step)
        left.append(_contents(folder))
        if code != -signal.SIGKILL:
            break
    return left


if __name__ == "__main__":
    given = json.loads(sys.argv[2])
    json.dump(run(Path(sys.argv[1]), given["before"], given["arguments"]), sys.stdout)
