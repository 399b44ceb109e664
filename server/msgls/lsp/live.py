"""Live text: answers and runs are written into open documents bit by bit, while the user types.

Owns the jobs, at most one for each document. Edits are sent one at a time, tied to the version that
they were made for, and at most ten a second. The next one waits until the client has answered the
last request, and until the change has come back as a notification. So no edit is ever applied to
a text that the user has changed meanwhile.

For a client with ``initializationOptions.takesLive``, each of these ``workspace/applyEdit``
requests has a further member ``live``: the token of the job's progress, and the line where the
cell begins that is being written. The client can mark that cell, and merge all edits with the
same token into one undo step. Other clients do not get it: Eglot, for example, refuses a request
with an unknown member.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from msgls.document.document import Document
from msgls.features.appending import CannotAppend, NoRoomYet
from msgls.host.processes import Ended, Program, Wire
from msgls.lsp.applying import workspace_edit
from msgls.lsp.convert import position_at
from msgls.lsp.params import RequestError
from msgls.text.linediff import line_edits
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit

if TYPE_CHECKING:
    from msgls.features.msgmd.livecells import LiveCells
    from msgls.lsp.session import OpenDocument, Session

log = logging.getLogger(__name__)

_LEAST_SECONDS = 0.1
_REPORT_SECONDS = 1.0
# How long to wait for the change of an edit that the client says it applied; and how long if other
# changes came meanwhile, because it may have been refused after all. Neovim collects changes for
# 0.15 seconds, and says that it applied an edit which it refused.
_PATIENCE_SECONDS = 5.0
_DOUBT_SECONDS = 0.5
_MOST_FAILURES = 50
_MOST_AT_ONCE = 200
_STOPPED = Phrase("stopped")


class LiveJob:
    """Work whose output is written into one document bit by bit.

    Each kind of job is a subclass; ``session.live.start`` starts one. The job must call
    ``session.wake``, from any thread, when output has arrived.
    """

    def __init__(
        self, session: Session, opened: OpenDocument, cells: LiveCells, title: Phrase, label: Phrase
    ) -> None:
        self.session = session
        self.opened = opened
        self.cells = cells
        self.title = title
        """The title of the progress."""
        self.label = label
        """The label of its edits."""
        self.token = ""
        self.shows_progress = False
        self.due = 0.0
        """When the next edit may be sent, or the pending one is looked at again."""
        self.started = time.monotonic()
        self.problem: Phrase | None = None
        """Why the job failed."""
        self._version: int | None = None
        """The version that the pending edit was made for."""
        self._is_pending = False
        """Whether an edit was sent that is not known to be applied or refused yet."""
        self._said_applied: bool | None = None
        self._answered_at = 0.0
        self._failures = 0
        self._reported = 0.0
        self._is_removed = False
        self._has_more = False
        """Whether more has arrived than was taken."""

    # -- what a job does ------------------------------------------------------------------------

    def take(self) -> None:
        """Hand what has arrived to the cells."""

    def arrived(self, program: Program) -> Iterator[Wire | Ended]:
        """What a program has written, but not more than can be handled between two keys."""
        for _ in range(_MOST_AT_ONCE):
            if self.cells.is_ended or self.cells.is_full:
                break
            item = program.take()
            if item is None:
                break
            yield item
        self._has_more = program.has_more

    def halt(self) -> None:
        """End the program that does the work. May be called more than once."""

    def interrupt(self) -> None:
        """The user wants it to stop."""
        self.stop()

    def tokens(self) -> int:
        """The number of tokens so far; 0 for a job that has none."""
        return 0

    def outcome(self) -> Phrase | None:
        """The message at the end; ``None`` if all is well."""
        return self.problem

    # -- writing --------------------------------------------------------------------------------

    def follow(self, before: Document, edit: Edit) -> None:
        """Follow an edit of the document, which was ``before``."""
        edits = [edit]
        if not self._is_pending:
            # A client may report two changes as one, including the text between them.
            (start, _), text = edit
            edits = line_edits(before.store.slice(edit.span), text)
            edits = [Edit(span.shift(start), new) for span, new in edits]
        for one in reversed(edits):
            self.cells.follow(one)

    @property
    def reason(self) -> str | Phrase | None:
        """Why it ended early, unless the user stopped it."""
        reason = self.problem or self.cells.reason
        return None if reason is _STOPPED else reason

    def stop(self) -> None:
        """Take no more; what is written stays."""
        self.cells.end(_STOPPED)
        self.halt()

    def advance(self, now: float) -> bool:
        """Take what has arrived, and send an edit if it is time; false once the job is done."""
        cells = self.cells
        self.take()
        if self._is_pending:
            self._settle(now)
        if self.problem is not None:
            return False
        if not self._is_pending and now >= self.due and not cells.is_written:
            self._send(now)
        is_done = cells.is_ended and not self._is_pending
        is_whole = cells.is_written or not cells.has_text
        return not (self._is_removed or (is_done and is_whole))

    def _send(self, now: float) -> None:
        opened, session = self.opened, self.session
        self.due = now + _LEAST_SECONDS
        try:
            edits = self.cells.edits(opened.document)
        except NoRoomYet as problem:
            # The user has opened a fence, and will close it: what has arrived waits for that.
            self._failures += 1
            if self._failures == _MOST_FAILURES:
                why = problem.phrase
                session.tell(Phrase("nothing can be written yet: {reason}", reason=why), opened)
            return
        except CannotAppend as problem:
            self._fail(problem.phrase)
            return
        if edits is None:
            # The user removed it, by undo for example.
            self.stop()
            self._is_removed = True
            return
        if not edits:
            self.cells.settle(opened.document)
            return
        self._version, self._is_pending, self._said_applied = opened.version, True, None
        params: dict[str, Any] = {
            "label": session.say(opened, self.label),
            "edit": workspace_edit(session, opened, edits),
        }
        if session.option("takesLive") is True:
            header = self.cells.header_offset(opened.document)
            line = position_at(opened.document, header, session.encoding)["line"]
            params["live"] = {"token": self.token, "line": line}
        session.keeping.hand_out(opened, edits)
        session.ask("workspace/applyEdit", params, self._applied)

    def _applied(self, answer: Any) -> None:
        self._said_applied = isinstance(answer, Mapping) and answer.get("applied") is True
        self._answered_at = time.monotonic()

    def _settle(self, now: float) -> None:
        """Find out what happened to the pending edit."""
        if self._said_applied is None:
            return
        is_same = self.opened.version == self._version
        is_missed = is_same or self.cells.is_awaited
        patience = _PATIENCE_SECONDS if is_same else _DOUBT_SECONDS
        if self._said_applied and is_missed and now < self._answered_at + patience:
            self.due = max(self.due, now + _LEAST_SECONDS)
            return
        self._is_pending = False
        if self.cells.settle(self.opened.document) or not self._said_applied:
            self._failures = 0
        else:
            self._fail(Phrase("this editor does not let a server apply edits"))

    def _fail(self, why: Phrase) -> None:
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            self.problem = Phrase("this cannot be written: {reason}", reason=why)

    @property
    def next_look(self) -> float:
        """When there is something to write or to report, even if nothing arrives."""
        report = self._reported + _REPORT_SECONDS
        if self._is_pending and self._said_applied is None:
            # The client's answer comes first.
            return report
        has_work = self._has_more or not self.cells.is_written
        return min(self.due, report) if has_work else report

    def report(self, now: float) -> Phrase | None:
        """Report the progress, about once a second."""
        if now < self._reported + _REPORT_SECONDS:
            return None
        self._reported = now
        seconds, tokens = str(int(now - self.started)), self.tokens()
        if not tokens:
            return Phrase("{seconds} s", seconds=seconds)
        return Phrase("{seconds} s, {tokens:,} tokens", seconds=seconds, tokens=tokens)


class LiveJobs:
    """All jobs that are writing into open documents."""

    def __init__(self, session: Session, notify: Callable[[str, bytes], None]) -> None:
        self._session = session
        self._notify = notify
        self._jobs: dict[str, LiveJob] = {}
        self._tokens = count(1)

    # -- starting and stopping ------------------------------------------------------------------

    def check_free(self, opened: OpenDocument) -> None:
        """Raise ``RequestError`` if nothing can be written, or a job is writing already."""
        session = self._session
        if session.option("trusted") is False:
            raise RequestError(
                Phrase("nothing is asked or run in a workspace that you do not trust")
            )
        if opened.uri in self._jobs:
            raise RequestError(Phrase("an answer or a run is being written into this file already"))
        if not session.takes_versions:
            # Without a version, an edit could land anywhere while the user types.
            raise RequestError(Phrase("this editor does not let a server apply edits"))

    def start(self, job: LiveJob) -> None:
        """Start a job. ``check_free`` must be called first."""
        job.token = f"msgls-live-{next(self._tokens)}"
        self._jobs[job.opened.uri] = job
        self._begin_progress(job)

    def stop(self, uri: str) -> None:
        """The user wants the job of a document to stop."""
        if uri not in self._jobs:
            raise RequestError(Phrase("nothing is being written into this file"))
        self._jobs[uri].interrupt()

    def cancelled(self, token: Any) -> None:
        """The user cancelled a progress bar."""
        for job in self._jobs.values():
            if job.token == token:
                job.interrupt()

    # -- documents ------------------------------------------------------------------------------

    def follow(self, opened: OpenDocument, before: Document, edit: Edit) -> None:
        """A document was edited; it was ``before``."""
        job = self._jobs.get(opened.uri)
        if job is not None:
            job.follow(before, edit)

    def is_writing(self, uri: str) -> bool:
        """Whether something is being written into a document."""
        return uri in self._jobs

    def close(self, uri: str) -> None:
        """A document is closed, and cannot be written to any more."""
        job = self._jobs.pop(uri, None)
        if job is not None:
            job.stop()
            self._end_progress(job)

    def close_all(self) -> None:
        """The server ends, and all jobs with it."""
        for uri in list(self._jobs):
            self.close(uri)

    # -- the loop -------------------------------------------------------------------------------

    @property
    def due(self) -> float:
        """When there is something to do even if no message arrives; else infinity."""
        return min([job.next_look for job in self._jobs.values()], default=float("inf"))

    def advance(self) -> None:
        """Advance every job."""
        now = time.monotonic()
        for uri, job in list(self._jobs.items()):
            try:
                goes_on = job.advance(now)
            except Exception:
                log.exception("a job could not be written")
                goes_on = False
            if goes_on:
                self._report(job, job.report(now))
            else:
                del self._jobs[uri]
                self._finish(job)

    def _finish(self, job: LiveJob) -> None:
        job.stop()
        self._end_progress(job)
        said = job.outcome()
        if said is not None:
            self._session.tell(said, job.opened)

    # -- progress -------------------------------------------------------------------------------

    def _begin_progress(self, job: LiveJob) -> None:
        session = self._session
        if not session.capability("window.work_done_progress"):
            return
        title = session.say(job.opened, job.title)

        def created(answer: Any) -> None:
            if self._jobs.get(job.opened.uri) is not job:
                return
            job.shows_progress = True
            self._progress(job, {"kind": "begin", "title": title, "cancellable": True})

        session.ask("window/workDoneProgress/create", {"token": job.token}, created)

    def _report(self, job: LiveJob, said: Phrase | None) -> None:
        if said is not None and job.shows_progress:
            self._progress(job, {"kind": "report", "message": self._session.say(job.opened, said)})

    def _end_progress(self, job: LiveJob) -> None:
        if job.shows_progress:
            self._progress(job, {"kind": "end"})
            job.shows_progress = False

    def _progress(self, job: LiveJob, value: Mapping[str, Any]) -> None:
        params = {"token": job.token, "value": value}
        self._notify("$/progress", json.dumps(params).encode())
