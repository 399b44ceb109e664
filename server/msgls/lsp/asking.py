"""Answers that are being written into open documents.

Owns what is under way: a provider at work and the answer that it gives, at most one for each
document. Edits go out one at a time, tied to the version that they were made for and at most ten
a second; the next one waits until the client has said what became of the last, and until its
change has come back. So whoever types meanwhile is never overtaken.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from pygls.capabilities import get_capability

from msgls.features.appending import CannotAppend
from msgls.features.command_table import CONTINUE_ANSWER, STOP_ASKING, Command
from msgls.features.commands import RefusedError
from msgls.features.msgmd.asking import Question, question_at
from msgls.host.providers import Ended, ProviderProblem, Running, read_providers
from msgls.lsp.applying import workspace_edit
from msgls.lsp.params import RequestError, name_in
from msgls.text.phrases import Phrase, PhrasedError
from msgls.text.redaction import Redactor
from msgls.text.spans import Edit

if TYPE_CHECKING:
    from msgls.lsp.session import OpenDocument, Session

log = logging.getLogger(__name__)

_LEAST_SECONDS = 0.1
# How long a change that a client says it made may take to come.
_PATIENCE_SECONDS = 5.0
_MOST_FAILURES = 50
_STOPPED = Phrase("stopped")


class _Ask:
    """One answer on its way into one document."""

    def __init__(self, session: Session, opened: OpenDocument, question: Question) -> None:
        self.opened = opened
        self.token = ""
        """That of the progress that the client shows."""
        self.due = 0.0
        """When the next edit may go out, or something is looked at again."""
        self.question = question
        self.answer = question.answer()
        self.problem: Phrase | None = None
        self.running: Running | None = None
        self.started = time.monotonic()
        self._session = session
        self._version: int | None = None
        """The version that the edit which is on its way was made for."""
        self._is_on_its_way = False
        self._said_applied: bool | None = None
        self._answered_at = 0.0
        self._failures = 0
        self._told = 0.0

    def prepare(self, wake: Callable[[], None]) -> None:
        """Find the provider, and send it what the model sees; in a thread, for that may be much."""
        try:
            question = self.question
            request, _ = question.request(lambda text: Redactor().redact(text)[0])
            provider = read_providers().serving(question.agent, request["model"])
            running = Running(provider, request, wake)
            if self.answer.is_ended:
                running.stop()
            self.running = running
        except PhrasedError as problem:
            self.problem = problem.phrase
        except Exception as error:
            log.exception("a question could not be asked")
            self.problem = Phrase("internal error: {error}", error=type(error).__name__)
        wake()

    def stop(self, reason: Phrase = _STOPPED) -> None:
        """Take no more; what came stays."""
        self.answer.end(reason)
        if self.running is not None:
            self.running.stop()

    def advance(self, now: float) -> bool:
        """Take what came, and let the client write it; false once all of it is done."""
        self._take()
        if self._is_on_its_way:
            self._settle(now)
        if self.problem is not None:
            return False
        if not self._is_on_its_way and now >= self.due and not self.answer.is_written:
            self._send(now)
        is_done = self.answer.is_ended and not self._is_on_its_way
        return not (is_done and (self.answer.is_written or not self.answer.has_text))

    def _take(self) -> None:
        while self.running is not None and not self.answer.is_ended:
            item = self.running.take()
            if item is None:
                return
            if isinstance(item, Ended):
                self.answer.end(item.fault or Phrase("cut off"))
            else:
                self.answer.take(item)

    def _send(self, now: float) -> None:
        opened, session = self.opened, self._session
        self.due = now + _LEAST_SECONDS
        try:
            edits = self.answer.edits(opened.document)
        except CannotAppend as problem:
            # A fence that somebody opened may be closed in a moment.
            self._fail(problem.phrase)
            return
        if edits is None:
            self.problem = Phrase("the place of the answer was removed")
            return
        if not edits:
            self.answer.settle(opened.document)
            return
        self._version, self._is_on_its_way, self._said_applied = opened.version, True, None
        title = session.say(opened, Phrase("Ask {agent}", agent=self.answer.agent))
        params = {"label": title, "edit": workspace_edit(session, opened, edits)}
        session.ask("workspace/applyEdit", params, self._applied)

    def _applied(self, answer: Any) -> None:
        self._said_applied = isinstance(answer, Mapping) and answer.get("applied") is True
        self._answered_at = time.monotonic()

    def _settle(self, now: float) -> None:
        """See what became of the edit that is on its way."""
        if self._said_applied is None:
            return
        is_back = self.opened.version != self._version
        is_late = now >= self._answered_at + _PATIENCE_SECONDS
        if self._said_applied and not (is_back or is_late):
            self.due = max(self.due, now + _LEAST_SECONDS)
            return
        self._is_on_its_way = False
        if self.answer.settle(self.opened.document) or not self._said_applied:
            self._failures = 0
        else:
            self._fail(Phrase("this editor does not let a server apply edits"))

    def _fail(self, why: Phrase) -> None:
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            self.problem = Phrase("the answer cannot be written: {reason}", reason=why)

    def report(self, now: float) -> Phrase | None:
        """How far it is, about once a second."""
        if now < self._told + 1.0:
            return None
        self._told = now
        tokens = self.answer.usage.get("outputTokens")
        if not isinstance(tokens, int):
            tokens = self.answer.length // 4
        return Phrase(
            "{seconds} s, {tokens:,} tokens", seconds=str(int(now - self.started)), tokens=tokens
        )


class Asking:
    """All answers that are under way."""

    def __init__(self, session: Session, notify: Callable[[str, bytes], None]) -> None:
        self._session = session
        self._notify = notify
        self._asks: dict[str, _Ask] = {}
        self._tokens = count(1)

    # -- commands -----------------------------------------------------------------------------

    def execute(
        self,
        command: Command,
        opened: OpenDocument,
        offset: int | None,
        arguments: Mapping[str, Any],
    ) -> None:
        """Start an answer, or stop one. Raises ``RequestError`` where that makes no sense."""
        session = self._session
        under_way = self._asks.get(opened.uri)
        if command is STOP_ASKING:
            if under_way is None:
                raise RequestError(Phrase("no answer is being written into this file"))
            under_way.stop()
            return
        options = session.initialization_options
        if isinstance(options, Mapping) and options.get("trusted") is False:
            raise RequestError(Phrase("nothing is asked in a workspace that you do not trust"))
        if under_way is not None:
            raise RequestError(Phrase("an answer is being written into this file already"))
        if not get_capability(session.capabilities, "workspace.workspace_edit.document_changes"):
            # An edit for no certain version could end up anywhere while somebody types.
            raise RequestError(Phrase("this editor does not let a server apply edits"))
        try:
            question = question_at(
                opened.snapshot,
                offset,
                name_in(arguments, "agent"),
                name_in(arguments, "model"),
                continues=command is CONTINUE_ANSWER,
                keeps_old=arguments.get("keep") is True,
            )
            # Whoever has no provider hears it at once.
            read_providers()
        except (RefusedError, ProviderProblem) as refusal:
            raise RequestError(session.say(opened, refusal.phrase)) from refusal
        ask = self._asks[opened.uri] = _Ask(session, opened, question)
        self._begin_progress(ask)
        threading.Thread(target=ask.prepare, args=(session.wake,), daemon=True).start()

    def cancelled(self, token: Any) -> None:
        """A person cancelled a progress."""
        for ask in self._asks.values():
            if ask.token == token:
                ask.stop()

    # -- documents ----------------------------------------------------------------------------

    def follow(self, opened: OpenDocument, edit: Edit) -> None:
        """A document was edited."""
        ask = self._asks.get(opened.uri)
        if ask is not None:
            ask.answer.follow(edit)

    def is_writing(self, uri: str) -> bool:
        """Whether an answer is being written into a document."""
        return uri in self._asks

    def close(self, uri: str) -> None:
        """A document is closed: nobody can write into it any more."""
        ask = self._asks.pop(uri, None)
        if ask is not None:
            ask.stop()
            self._end_progress(ask)

    def close_all(self) -> None:
        """The server ends, and its providers with it."""
        for uri in list(self._asks):
            self.close(uri)

    # -- the loop -----------------------------------------------------------------------------

    @property
    def due(self) -> float:
        """When there is something to do even if nothing happens; infinity where there is not."""
        waiting = [ask.due for ask in self._asks.values() if not ask.answer.is_written]
        return min(waiting, default=float("inf"))

    def advance(self) -> None:
        """Let every answer go on."""
        now = time.monotonic()
        for uri, ask in list(self._asks.items()):
            try:
                goes_on = ask.advance(now)
            except Exception:
                log.exception("an answer could not be written")
                goes_on = False
            if goes_on:
                self._report(ask, ask.report(now))
            else:
                del self._asks[uri]
                self._finish(ask)

    def _finish(self, ask: _Ask) -> None:
        ask.stop()
        self._end_progress(ask)
        reason = ask.problem or ask.answer.reason
        if reason is not None and reason is not _STOPPED:
            said = Phrase("the answer is not complete: {reason}", reason=reason)
            if not ask.answer.has_text:
                said = Phrase("there is no answer: {reason}", reason=reason)
            self._session.tell(said, ask.opened)

    # -- progress -----------------------------------------------------------------------------

    def _begin_progress(self, ask: _Ask) -> None:
        session = self._session
        if not get_capability(session.capabilities, "window.work_done_progress"):
            return
        token = f"msgls-ask-{next(self._tokens)}"
        title = session.say(ask.opened, Phrase("{agent} is answering", agent=ask.answer.agent))

        def created(answer: Any) -> None:
            ask.token = token
            self._progress(ask, {"kind": "begin", "title": title, "cancellable": True})

        session.ask("window/workDoneProgress/create", {"token": token}, created)

    def _report(self, ask: _Ask, said: Phrase | None) -> None:
        if said is not None and ask.token:
            self._progress(ask, {"kind": "report", "message": self._session.say(ask.opened, said)})

    def _end_progress(self, ask: _Ask) -> None:
        if ask.token:
            self._progress(ask, {"kind": "end"})
            ask.token = ""

    def _progress(self, ask: _Ask, value: Mapping[str, Any]) -> None:
        params = {"token": ask.token, "value": value}
        self._notify("$/progress", json.dumps(params).encode())
