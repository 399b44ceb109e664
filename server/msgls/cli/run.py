"""``msgls run``: execute code cells, and write what they show into the file."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgls.cli.exits import FOUND, INTERRUPTED, OK, UsageProblem, note
from msgls.cli.livefile import PAUSE_SECONDS, LiveFile
from msgls.cli.opening import open_one
from msgls.cli.terminal import harmless
from msgls.document.snapshot import Snapshot
from msgls.features.appending import CannotAppend
from msgls.features.commands import RefusedError
from msgls.features.msgmd.running import Code, LiveRun, code_cells, code_of
from msgls.host.files import FileProblem
from msgls.host.runners import Ended, Runner, RunnerProblem, language_name
from msgls.text.phrases import Phrase, about


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add = parser.add_argument
    add("file", metavar="FILE", help=Phrase("a message file"))
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--cell", metavar="ID", help=Phrase("the code cell to run (default: the last one)")
    )
    which.add_argument(
        "--all", action="store_true", help=Phrase("run all code cells, up to one that fails")
    )
    add("--kernel", metavar="NAME", help=Phrase("the Jupyter kernel (default: by the language)"))
    add("--timeout", metavar="S", type=_seconds,
        help=Phrase("stop a cell after so many seconds"))  # fmt: skip


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError
    return seconds


def run(options: argparse.Namespace) -> int:
    """Execute code, and write what it shows."""
    snapshot = open_one(options.file)
    running = _Running(options, snapshot)
    try:
        cells = code_cells(snapshot)
        if options.cell is not None:
            cells = [options.cell]
        elif not options.all:
            cells = cells[-1:]
        # Whatever cannot be run is said before anything is.
        for cell_id in cells:
            code_of(snapshot, cell_id)
        return running.run(cells)
    except (RefusedError, CannotAppend, RunnerProblem, FileProblem) as problem:
        raise UsageProblem(about(options.file, problem.phrase)) from None


class _Running:
    """Runs on their way into a file."""

    def __init__(self, options: argparse.Namespace, snapshot: Snapshot) -> None:
        self._options = options
        self._path = Path(options.file).absolute()
        self._snapshot = snapshot
        self._file = LiveFile(Path(options.file), snapshot.document)
        self._runners: dict[str, Runner] = {}
        self._interrupts = 0

    def run(self, cells: Sequence[str]) -> int:
        """Run cells until one fails; the exit code."""
        # Not at any moment: between writing a file and knowing that it is written, for one.
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            for cell_id in cells:
                code = code_of(self._snapshot.of(self._file.document), cell_id)
                live = self._run(code)
                if self._interrupts:
                    return INTERRUPTED
                if not live.is_success:
                    return FOUND
            return OK
        finally:
            for runner in self._runners.values():
                runner.stop()
                runner.wait()
            signal.signal(signal.SIGINT, before)

    def _interrupt(self, number: int, frame: object) -> None:
        self._interrupts += 1

    def _run(self, code: Code) -> LiveRun:
        language = language_name(code.language)
        runner = self._runners.get(language)
        if runner is None:
            runner = Runner(code.language, self._path, self._options.kernel)
            self._runners[language] = runner
        now = datetime.now(self._snapshot.now.tzinfo)
        live = code.run(now.isoformat(timespec="seconds"))
        runner.run(code.cell_id, code.text, self._options.timeout)
        told = 0
        while not live.is_ended:
            event = runner.take(PAUSE_SECONDS)
            if self._interrupts > told:
                told = self._interrupts
                # Whoever insists does not wait for what the kernel makes of it.
                if told > 1:
                    live.end(Phrase("stopped"))
                runner.interrupt()
            if isinstance(event, Ended):
                live.end(event.fault or Phrase("the runner ended"))
            elif event is not None:
                self._take(runner, live, event)
            self._file.write_if_due(live)
        self._file.write(live)
        note(Phrase("{id}: {status}", id=", ".join(live.cell_ids), status=_status(live)))
        return live

    def _take(self, runner: Runner, live: LiveRun, event: Mapping[str, Any]) -> None:
        kind = event["event"]
        if kind == "failed":
            raise RunnerProblem(runner.failure(event))
        if kind == "input":
            runner.give(_read(event["prompt"], is_secret=event["password"]))
        elif kind not in ("kernel", "lost"):
            live.take(event)
            _show(event)


def _status(live: LiveRun) -> Phrase:
    return Phrase("success") if live.is_success else Phrase("failure")


def _read(prompt: str, *, is_secret: bool) -> str | None:
    """What a person types for a program that reads; nothing where nobody can."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    from getpass import getpass

    try:
        return getpass(harmless(prompt)) if is_secret else input(harmless(prompt))
    except (EOFError, KeyboardInterrupt):
        return None


def _show(event: Mapping[str, Any]) -> None:
    """Let the terminal say what the program does."""
    kind = event["event"]
    if kind in ("text", "error"):
        is_error = kind == "error" or event["stream"] == "stderr"
        out = sys.stderr if is_error else sys.stdout
        for line in event["lines"]:
            print(harmless(line), file=out, flush=True)
    elif kind == "data":
        for mime, content, file in event["data"]:
            if mime == "text/plain" and content is not None:
                print("\n".join(map(harmless, content.split("\n"))), flush=True)
            else:
                print(f"[{harmless(mime)}{': ' + harmless(file) if file else ''}]", flush=True)
