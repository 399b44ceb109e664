"""What is being written into open documents, bit by bit, while people type: an answer, or a run.

Owns what is under way, at most one job for each document. Edits go out one at a time, tied to the
version that they were made for and at most ten a second; the next one waits until the client has
said what happened to the last, and until its change has come back. So a user who types meanwhile is
never overtaken.

To a client that says ``initializationOptions.takesLive``, each of these ``workspace/applyEdit``
requests also says ``live``: the token of the job's progress, and the line where the cell begins
that is being written. So it can mark the cell, and make one step of undo of all edits with the
same token. Others are not told: Eglot for one refuses a request with a name that it does not know.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from pygls.capabilities import get_capability

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
    from msgls.lsp.session import OpenDocument, Session

log = logging.getLogger(__name__)

_LEAST_SECONDS = 0.1
_REPORT_SECONDS = 1.0
# How long a change that a client says it made may take to come; and how long where others came
# meanwhile, so that it may be refused after all. Neovim collects changes for 0.15 seconds, and
# says that it applied an edit which it refused.
_PATIENCE_SECONDS = 5.0
_DOUBT_SECONDS = 0.5
_MOST_FAILURES = 50
_MOST_AT_ONCE = 200
_STOPPED = Phrase("stopped")


class LiveCells(Protocol):
    """The cells that a job writes, such as an answer, and their progress."""

    is_ended: bool
    """Whether no more comes."""
    reason: str | None
    """Why they are not complete, once they ended."""

    @property
    def is_full(self) -> bool:
        """Whether so much came that is not written that no more is to be taken yet."""

    @property
    def is_written(self) -> bool:
        """Whether the document says all that came so far."""

    @property
    def has_text(self) -> bool:
        """Whether there is anything to write, or was."""

    def end(self, reason: str | None) -> None:
        """No more comes, and why not, if that is too early."""

    def follow(self, edit: Edit) -> None:
        """Follow an edit of the document."""

    def edits(self, document: Document) -> Sequence[Edit] | None:
        """The edits for this version; none if the place was removed."""

    @property
    def is_awaited(self) -> bool:
        """Whether no change came yet that can be what ``edits`` gave."""

    def settle(self, document: Document) -> bool:
        """Whether what ``edits`` gave is in the document; what is not will be given again."""

    def header_offset(self, document: Document) -> int:
        """The start of the cell that is, or will be, written."""


class LiveJob:
    """Something at work whose text goes into one document, bit by bit.

    A job that writes bit by bit derives a class from this one, and hands an object of it to
    ``session.live.start``. ``session.wake`` is to be called, from any thread, when something came.
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
        """When the next edit may go out, or something is looked at again."""
        self.started = time.monotonic()
        self.problem: Phrase | None = None
        """Why it cannot go on at all."""
        self._version: int | None = None
        """The version that the edit which is on its way was made for."""
        self._is_on_its_way = False
        self._said_applied: bool | None = None
        self._answered_at = 0.0
        self._failures = 0
        self._told = 0.0
        self._is_removed = False
        self._has_more = False
        """Whether more came than was taken."""

    # -- what a job does ------------------------------------------------------------------------

    def take(self) -> None:
        """Give what came to the cells."""

    def arrived(self, program: Program) -> Iterator[Wire | Ended]:
        """What a program wrote, up to as much as a key can wait for; the rest comes next time."""
        for _ in range(_MOST_AT_ONCE):
            if self.cells.is_ended or self.cells.is_full:
                break
            item = program.take()
            if item is None:
                break
            yield item
        self._has_more = program.has_more

    def halt(self) -> None:
        """End whatever is at work; called more than once."""

    def interrupt(self) -> None:
        """A person has had enough of it."""
        self.stop()

    def tokens(self) -> int:
        """The number of tokens so far; 0 if that makes no sense."""
        return 0

    def outcome(self) -> Phrase | None:
        """The message at the end; ``None`` if all is well."""
        return self.problem

    # -- writing --------------------------------------------------------------------------------

    def follow(self, before: Document, edit: Edit) -> None:
        """Follow an edit of the document that there was before."""
        edits = [edit]
        if not self._is_on_its_way:
            # A client may tell of two changes as one, with all that lies between them.
            (start, _), text = edit
            edits = line_edits(before.store.slice(edit.span), text)
            edits = [Edit(span.shift(start), new) for span, new in edits]
        for one in reversed(edits):
            self.cells.follow(one)

    @property
    def reason(self) -> str | Phrase | None:
        """Why it ended early, unless that was requested."""
        reason = self.problem or self.cells.reason
        return None if reason is _STOPPED else reason

    def stop(self) -> None:
        """Take no more; what came stays."""
        self.cells.end(_STOPPED)
        self.halt()

    def advance(self, now: float) -> bool:
        """Take what came, and let the client write it; false once all of it is done."""
        cells = self.cells
        self.take()
        if self._is_on_its_way:
            self._settle(now)
        if self.problem is not None:
            return False
        if not self._is_on_its_way and now >= self.due and not cells.is_written:
            self._send(now)
        is_done = cells.is_ended and not self._is_on_its_way
        is_whole = cells.is_written or not cells.has_text
        return not (self._is_removed or (is_done and is_whole))

    def _send(self, now: float) -> None:
        opened, session = self.opened, self.session
        self.due = now + _LEAST_SECONDS
        try:
            edits = self.cells.edits(opened.document)
        except NoRoomYet as problem:
            # A fence that the user opened is closed some time, and what came is not thrown away.
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
        self._version, self._is_on_its_way, self._said_applied = opened.version, True, None
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
        """See what happened to the edit that is on its way."""
        if self._said_applied is None:
            return
        is_same = self.opened.version == self._version
        is_missed = is_same or self.cells.is_awaited
        patience = _PATIENCE_SECONDS if is_same else _DOUBT_SECONDS
        if self._said_applied and is_missed and now < self._answered_at + patience:
            self.due = max(self.due, now + _LEAST_SECONDS)
            return
        self._is_on_its_way = False
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
        """When there is something to write or to report, even if nothing comes."""
        report = self._told + _REPORT_SECONDS
        if self._is_on_its_way and self._said_applied is None:
            # The client's answer comes first.
            return report
        has_work = self._has_more or not self.cells.is_written
        return min(self.due, report) if has_work else report

    def report(self, now: float) -> Phrase | None:
        """Report the progress, about once a second."""
        if now < self._told + _REPORT_SECONDS:
            return None
        self._told = now
        seconds, tokens = str(int(now - self.started)), self.tokens()
        if not tokens:
            return Phrase("{seconds} s", seconds=seconds)
        return Phrase("{seconds} s, {tokens:,} tokens", seconds=seconds, tokens=tokens)


class LiveJobs:
    """All that is being written into open documents."""

    def __init__(self, session: Session, notify: Callable[[str, bytes], None]) -> None:
        self._session = session
        self._notify = notify
        self._jobs: dict[str, LiveJob] = {}
        self._tokens = count(1)

    # -- starting and stopping ------------------------------------------------------------------

    def check_free(self, opened: OpenDocument) -> None:
        """Raise ``RequestError`` where nothing can be written, or something is being written."""
        session = self._session
        if session.option("trusted") is False:
            raise RequestError(
                Phrase("nothing is asked or run in a workspace that you do not trust")
            )
        if opened.uri in self._jobs:
            raise RequestError(Phrase("an answer or a run is being written into this file already"))
        if not session.takes_versions:
            # An edit for no certain version could end up anywhere while the user types.
            raise RequestError(Phrase("this editor does not let a server apply edits"))

    def start(self, job: LiveJob) -> None:
        """Write what a job gives from now on; ``check_free`` comes first."""
        job.token = f"msgls-live-{next(self._tokens)}"
        self._jobs[job.opened.uri] = job
        self._begin_progress(job)

    def stop(self, uri: str) -> None:
        """A person has had enough of what is written into a document."""
        if uri not in self._jobs:
            raise RequestError(Phrase("nothing is being written into this file"))
        self._jobs[uri].interrupt()

    def cancelled(self, token: Any) -> None:
        """A person cancelled a progress."""
        for job in self._jobs.values():
            if job.token == token:
                job.interrupt()

    # -- documents ------------------------------------------------------------------------------

    def follow(self, opened: OpenDocument, before: Document, edit: Edit) -> None:
        """A document was edited, which was another one before."""
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
        """The server ends, and all that is at work with it."""
        for uri in list(self._jobs):
            self.close(uri)

    # -- the loop -------------------------------------------------------------------------------

    @property
    def due(self) -> float:
        """When there is something to do even if nothing happens; infinity where there is not."""
        return min([job.next_look for job in self._jobs.values()], default=float("inf"))

    def advance(self) -> None:
        """Let every job go on."""
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
        if not get_capability(session.capabilities, "window.work_done_progress"):
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
