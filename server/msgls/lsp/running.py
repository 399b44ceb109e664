"""Running: kernels run the code of documents, and their output is written there.

Owns the kernels, one for each document and language: started at the first run, and ended when the
document is closed. Code runs only when the user gives a command.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgls.features.command_table import (
    INTERRUPT,
    REPLACE_RUN,
    RESTART_KERNEL,
    RUN_ALL,
    RUN_FROM_HERE,
    Command,
)
from msgls.features.commands import RefusedError
from msgls.features.msgmd.running import Code, LiveRun, code_at, code_cells, code_of
from msgls.formats.base import CellRole
from msgls.host.runners import (
    NO_CHOICE,
    Ended,
    Runner,
    RunnerProblem,
    is_choice,
    kernel_for,
    language_name,
)
from msgls.lsp.live import LiveJob
from msgls.lsp.params import RequestError, invalid
from msgls.text.phrases import Phrase

if TYPE_CHECKING:
    from msgls.lsp.session import OpenDocument, Session


class Kernels:
    """The kernels of open documents.

    A client with ``initializationOptions.showsKernels`` is notified whenever the kernels of a
    document change: ``msgls/kernels`` with ``uri`` and ``titles``.
    """

    def __init__(self, session: Session, notify: Callable[[str, bytes], None]) -> None:
        self._session = session
        self._notify = notify
        self._runners: dict[str, dict[str, Runner]] = {}
        self._titles: dict[str, dict[Runner, str]] = {}

    def get(self, opened: OpenDocument, language: str, chosen: Mapping[str, str]) -> Runner:
        """The kernel of a document for a language; started if it is not running."""
        runners = self._runners.setdefault(opened.uri, {})
        name, kernel = language_name(language), kernel_for(language, chosen)
        if name in runners and runners[name].kernel != kernel:
            self.end(opened.uri, runners[name])
        if name not in runners:
            runners[name] = Runner(language, opened.place, kernel, wake=self._session.wake)
        return runners[name]

    def started(self, uri: str, runner: Runner, title: str) -> None:
        """A kernel has started; ``title`` is its display name."""
        self._titles.setdefault(uri, {})[runner] = title
        self._tell(uri)

    def title(self, uri: str, runner: Runner) -> str | None:
        """The display name of a kernel; ``None`` while it starts, or is not running."""
        return self._titles.get(uri, {}).get(runner)

    def lost(self, uri: str, runner: Runner) -> None:
        """A kernel died; the next run starts it again."""
        if self._titles.get(uri, {}).pop(runner, None) is not None:
            self._tell(uri)

    def look(self) -> None:
        """Handle the events of kernels outside of a run."""
        for uri, runners in self._runners.items():
            if not self._session.live.is_writing(uri):
                for runner in [*runners.values()]:
                    self._look(uri, runner)

    def _look(self, uri: str, runner: Runner) -> None:
        while (event := runner.take()) is not None:
            if isinstance(event, Ended) or event["event"] == "failed":
                self.end(uri, runner)
                return
            if event["event"] == "kernel":
                self.started(uri, runner, str(event["title"]))
            elif event["event"] == "lost":
                self.lost(uri, runner)

    def _tell(self, uri: str) -> None:
        if self._session.option("showsKernels") is True:
            params = {"uri": uri, "titles": [*self._titles.get(uri, {}).values()]}
            self._notify("msgls/kernels", json.dumps(params).encode())

    def restart(self, uri: str) -> None:
        """Restart all kernels of a document: their variables are gone."""
        runners = self._runners.get(uri)
        if not runners:
            raise RequestError(Phrase("no kernel runs for this file"))
        for runner in runners.values():
            runner.restart()

    def end(self, uri: str, runner: Runner) -> None:
        """Stop a kernel, and forget it."""
        runner.stop()
        runners = self._runners.get(uri, {})
        for name in [name for name, other in runners.items() if other is runner]:
            del runners[name]
        self.lost(uri, runner)

    def close(self, uri: str) -> None:
        """A document is closed."""
        for runner in self._runners.pop(uri, {}).values():
            runner.stop()
        if self._titles.pop(uri, None):
            self._tell(uri)

    def close_all(self) -> None:
        """The server ends."""
        runners = [runner for group in self._runners.values() for runner in group.values()]
        for uri in list(self._runners):
            self.close(uri)
        for runner in runners:
            runner.wait()


class _Run(LiveJob):
    """Code cells of one document, run one after the other up to one that fails."""

    cells: LiveRun

    def __init__(
        self,
        session: Session,
        opened: OpenDocument,
        first: Code,
        others: Sequence[str],
        chosen: Mapping[str, str],
        *,
        replaces: bool,
    ) -> None:
        self._others = list(others)
        self._chosen = chosen
        self._is_interrupted = False
        self._is_running = True
        """Whether the kernel has not reported the end of the code yet."""
        live = self._begin(session, opened, first, replaces=replaces)
        title = Phrase("{id} is running", id=first.cell_id)
        super().__init__(session, opened, live, title, Phrase("Run {id}", id=first.cell_id))

    def _begin(
        self, session: Session, opened: OpenDocument, code: Code, *, replaces: bool = False
    ) -> LiveRun:
        self._runner = session.kernels.get(opened, code.language, self._chosen)
        self._runner.run(code.cell_id, code.text)
        self._is_running = True
        now = datetime.now(opened.snapshot.now.tzinfo)
        time = now.isoformat(timespec="seconds")
        return code.run(time, self._runner.displays, replaces=replaces)

    def advance(self, now: float) -> bool:
        if super().advance(now):
            return True
        is_next = self.cells.is_success and self.problem is None and not self._is_interrupted
        if not (is_next and self._others):
            return False
        try:
            code = code_of(self.opened.snapshot, self._others.pop(0))
            self.cells = self._begin(self.session, self.opened, code)
        except (RefusedError, RunnerProblem) as problem:
            self.problem = problem.phrase
            return False
        return True

    def take(self) -> None:
        for event in self.arrived(self._runner):
            if isinstance(event, Ended):
                self._end_kernel()
                self.cells.end(event.fault or Phrase("the runner ended"), self._runner.seconds)
            else:
                self._take(event)

    def _take(self, event: Mapping[str, Any]) -> None:
        kind = event["event"]
        if kind == "failed":
            self.problem = self._runner.failure(event)
            self._end_kernel()
            # Nothing was run, so there is nothing to write.
            self.cells.is_ended = True
        elif kind == "kernel":
            self.session.kernels.started(self.opened.uri, self._runner, str(event["title"]))
        elif kind == "lost":
            self.session.kernels.lost(self.opened.uri, self._runner)
        elif kind == "input":
            self._read(event)
        else:
            self._is_running = kind != "done"
            self.cells.take(event)

    def _read(self, event: Mapping[str, Any]) -> None:
        """Ask the user for the input of a program; if the client cannot do that, the input ends."""
        session, runner = self.session, self._runner
        if session.option("readsInput") is not True:
            runner.send_input(None)
            return

        def typed(answer: Any) -> None:
            if self._is_running:
                runner.send_input(answer if isinstance(answer, str) else None)

        session.ask("msgls/input", {key: event[key] for key in ("prompt", "password")}, typed)

    def interrupt(self) -> None:
        if self._is_interrupted:
            # A second interrupt does not wait for the kernel.
            self._end_kernel()
            self.cells.end(Phrase("stopped: the kernel was ended"), self._runner.seconds)
        else:
            self._is_interrupted = True
            self._runner.interrupt()

    def halt(self) -> None:
        if self._is_running:
            self._is_running = False
            self._runner.abandon()

    def _end_kernel(self) -> None:
        self._is_running = False
        self.session.kernels.end(self.opened.uri, self._runner)

    def report(self, now: float) -> Phrase | None:
        said = super().report(now)
        if said is None:
            return None
        title = self.session.kernels.title(self.opened.uri, self._runner)
        kernel = title or Phrase("the kernel starts")
        return Phrase("{kernel}, {time}", kernel=kernel, time=said)


def is_code_at(opened: OpenDocument, offset: int | None) -> bool:
    """Whether there is a code cell, or the output of one."""
    placed = None if offset is None else opened.document.cell_at_offset(offset)
    if placed is None:
        return False
    return opened.snapshot.meaning(placed).role in (CellRole.CODE, CellRole.RUN)


def run(
    session: Session,
    command: Command,
    opened: OpenDocument,
    offset: int | None,
    arguments: Mapping[str, Any],
) -> None:
    """Run code, interrupt it or restart kernels. Raises ``RequestError`` if that is not possible.

    ``kernels`` in the arguments maps languages to the kernels that the user has chosen.
    """
    if command is INTERRUPT:
        session.live.stop(opened.uri)
        return
    if command is RESTART_KERNEL:
        session.kernels.restart(opened.uri)
        return
    chosen = arguments.get("kernels", {})
    if not is_choice(chosen):
        raise invalid(NO_CHOICE)
    session.live.check_free(opened)
    snapshot = opened.snapshot
    try:
        others: list[str] = []
        if command in (RUN_ALL, RUN_FROM_HERE):
            start = 0 if command is RUN_ALL or offset is None else offset
            first_id, *others = code_cells(snapshot, start)
            first = code_of(snapshot, first_id)
        elif offset is None:
            first = code_of(snapshot, code_cells(snapshot)[-1])
        else:
            first = code_at(snapshot, offset)
        # If one of the cells cannot be run, say so before any of them runs.
        for cell_id in others:
            code_of(snapshot, cell_id)
        job = _Run(session, opened, first, others, chosen, replaces=command is REPLACE_RUN)
    except (RefusedError, RunnerProblem) as refusal:
        raise RequestError(session.say(opened, refusal.phrase)) from refusal
    session.live.start(job)
