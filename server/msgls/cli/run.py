"""``msgls run``: execute code cells, and write their output into the file."""

import argparse
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from msgls.cli.exits import FOUND, INTERRUPTED, OK, note, problems_of
from msgls.cli.livefile import PAUSE_SECONDS, LiveFile
from msgls.cli.opening import open_one
from msgls.cli.terminal import clipped, columns, harmless
from msgls.document.snapshot import Snapshot
from msgls.features.msgmd.running import Code, LiveRun, code_cells, code_of
from msgls.host.runners import Ended, Runner, RunnerProblem, kernel_for, language_name
from msgls.text.phrases import Phrase

# How many ids fit on a line of the terminal.
_MOST_IDS = 4
# The signals by which a user or a closed terminal ends a program.
_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
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
        help=Phrase("stop a cell that runs longer than S seconds"))  # fmt: skip


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < (seconds := float(text)) < float("inf"):
            return seconds
    raise argparse.ArgumentTypeError(Phrase("a number of seconds greater than 0 is needed"))


def run(options: argparse.Namespace) -> int:
    """Execute code, and write its output."""
    snapshot = open_one(options.file)
    with problems_of(options.file):
        running = _Running(options, snapshot)
        cells = code_cells(snapshot)
        if options.cell is not None:
            cells = [options.cell]
        elif not options.all:
            cells = cells[-1:]
        # If one of the cells cannot be run, say so before any of them runs.
        for cell_id in cells:
            code_of(snapshot, cell_id)
        return running.run(cells)


class _Running:
    """Runs cells, and writes their output into a file while it arrives."""

    def __init__(self, options: argparse.Namespace, snapshot: Snapshot) -> None:
        self._options = options
        self._path = Path(options.file).absolute()
        self._snapshot = snapshot
        self._file = LiveFile(Path(options.file), snapshot.document)
        self._runners: dict[str, Runner] = {}
        self._screen = _Screen()
        self._interrupts = 0
        self._ended_by = 0
        """The signal that ended it, if one did."""
        self._is_reading = False

    def run(self, cells: Sequence[str]) -> int:
        """Run cells until one fails; the exit code."""
        # No exception at any moment: for example, not between writing a file and noting that.
        before = {number: signal.signal(number, self._signalled) for number in _SIGNALS}
        try:
            for cell_id in cells:
                code = code_of(self._snapshot.of(self._file.document), cell_id)
                live = self._run(code)
                if self._ended_by:
                    return 128 + self._ended_by
                if self._interrupts:
                    return INTERRUPTED
                if not live.is_success:
                    return FOUND
            return OK
        finally:
            for runner in self._runners.values():
                runner.stop()
                runner.wait()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _signalled(self, number: int, frame: object) -> None:
        if number == signal.SIGINT:
            self._interrupts += 1
        else:
            self._ended_by = number
        if self._is_reading:
            raise KeyboardInterrupt

    def _run(self, code: Code) -> LiveRun:
        language = language_name(code.language)
        runner = self._runners.get(language)
        if runner is None:
            kernel = self._options.kernel or kernel_for(code.language)
            runner = Runner(code.language, self._path, kernel)
            self._runners[language] = runner
        now = datetime.now(self._snapshot.now.tzinfo)
        live = code.run(now.isoformat(timespec="seconds"), runner.displays)
        runner.run(code.cell_id, code.text, self._options.timeout)
        try:
            self._follow(runner, live)
        except BrokenPipeError:
            # The reader of standard output is gone.
            live.end(Phrase("stopped"), runner.seconds)
            self._file.write(live)
            raise
        self._file.write(live)
        self._screen.end()
        for words in live.notices:
            note(words)
        note(Phrase("{id}: {status}", id=_ids(live.cell_ids), status=_status(live)))
        return live

    def _follow(self, runner: Runner, live: LiveRun) -> None:
        told = 0
        while not live.is_ended:
            event = runner.take(PAUSE_SECONDS)
            if self._interrupts > told:
                told = self._interrupts
                runner.interrupt()
            # A second interrupt does not wait for the kernel.
            if told > 1 or self._ended_by:
                live.end(Phrase("stopped"), runner.seconds)
            elif isinstance(event, Ended):
                live.end(event.fault or Phrase("the runner ended"), runner.seconds)
            elif event is not None:
                self._take(runner, live, event)
            self._file.write_if_due(live)

    def _take(self, runner: Runner, live: LiveRun, event: Mapping[str, Any]) -> None:
        kind = event["event"]
        if kind == "failed":
            raise RunnerProblem(runner.failure(event))
        if kind == "input":
            self._read(runner, event["prompt"], is_secret=event["password"])
        elif kind not in ("kernel", "lost"):
            live.take(event)
            self._screen.show(event)

    def _read(self, runner: Runner, prompt: str, *, is_secret: bool) -> None:
        """Ask the user for the input of a program; without a terminal, the input ends."""
        text = None
        if sys.stdin.isatty() and sys.stdout.isatty():
            from getpass import getpass

            self._is_reading = True
            try:
                text = getpass(harmless(prompt)) if is_secret else input(harmless(prompt))
            except EOFError:
                print()
            except KeyboardInterrupt:
                # `_follow` interrupts the kernel, which is waiting for the line.
                print()
                return
            finally:
                self._is_reading = False
        runner.send_input(text)


def _ids(ids: Sequence[str]) -> str:
    return ", ".join(ids if len(ids) <= _MOST_IDS else [*ids[: _MOST_IDS - 2], "…", ids[-1]])


def _status(live: LiveRun) -> Phrase:
    return Phrase("success") if live.is_success else Phrase("failure")


class _Screen:
    """Shows output on the terminal; an incomplete line is overwritten by the next output."""

    def __init__(self) -> None:
        self._open: TextIO | None = None
        """The stream with an incomplete line."""

    def show(self, event: Mapping[str, Any]) -> None:
        """Show the output in an event."""
        kind = event["event"]
        if kind in ("text", "error"):
            is_error = kind == "error" or event["stream"] == "stderr"
            self._print(event["lines"], sys.stderr if is_error else sys.stdout)
            if rest := event.get("rest"):
                self._print_open(rest, sys.stderr if is_error else sys.stdout)
        elif kind == "data":
            for mime, content, file, _ in event["data"]:
                if mime == "text/plain" and content is not None:
                    self._print(content.split("\n"), sys.stdout)
                else:
                    self._print([f"[{mime}{': ' + file if file else ''}]"], sys.stdout)

    def _print(self, lines: Sequence[str], out: TextIO) -> None:
        self.end()
        for line in lines:
            print(harmless(line), file=out, flush=True)

    def _print_open(self, line: str, out: TextIO) -> None:
        if out.isatty():
            # Not longer than one line, which can be overwritten.
            out.write(clipped(line, columns(out) - 1))
            out.flush()
            self._open = out

    def end(self) -> None:
        """Erase the incomplete line."""
        if self._open is not None:
            self._open.write("\r\x1b[K")
            self._open.flush()
            self._open = None
