"""Asking: runs a provider, and writes its answer into an open document."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgls.conversation.agents import seeing_agent
from msgls.features.command_table import ASK, CONTINUE_ANSWER, Command
from msgls.features.commands import RefusedError
from msgls.features.msgmd.asking import Question, question_at
from msgls.host.providers import Ended, ProviderProblem, Running, read_providers
from msgls.lsp.live import LiveJob
from msgls.lsp.params import RequestError, name_in
from msgls.text.phrases import Phrase, PhrasedError
from msgls.text.redaction import Redactor

if TYPE_CHECKING:
    from msgls.lsp.session import OpenDocument, Session

log = logging.getLogger(__name__)


class _Ask(LiveJob):
    """One answer on its way into one document."""

    def __init__(self, session: Session, opened: OpenDocument, question: Question) -> None:
        self._question = question
        self._answer = question.answer()
        self._running: Running | None = None
        agent = self._answer.agent
        super().__init__(
            session,
            opened,
            self._answer,
            Phrase("{agent} is answering", agent=agent),
            Phrase("Ask {agent}", agent=agent),
        )

    def prepare(self) -> None:
        """Find the provider, and send it what the model sees; in a thread: that may take long."""
        try:
            question = self._question
            request = question.sending(lambda text: Redactor().redact(text)[0]).request
            provider = read_providers().serving(question.agent, request["model"])
            running = Running(provider, request, self.session.wake)
            if self._answer.is_ended:
                running.stop()
            self._running = running
        except PhrasedError as problem:
            self.problem = problem.phrase
        except Exception as error:
            log.exception("a question could not be asked")
            self.problem = Phrase("internal error: {error}", error=type(error).__name__)
        self.session.wake()

    def take(self) -> None:
        if self._running is None:
            return
        for item in self.arrived(self._running):
            if isinstance(item, Ended):
                self._answer.end(item.fault or Phrase("cut off"))
            else:
                self._answer.take(item)

    def halt(self) -> None:
        if self._running is not None:
            self._running.stop()

    def tokens(self) -> int:
        told = self._answer.usage.get("outputTokens")
        return told if isinstance(told, int) else self._answer.length // 4

    def outcome(self) -> Phrase | None:
        reason = self.reason
        if reason is None:
            return None
        if not self._answer.has_text:
            return Phrase("there is no answer: {reason}", reason=reason)
        return Phrase("the answer is not complete: {reason}", reason=reason)


def ask(
    session: Session,
    command: Command,
    opened: OpenDocument,
    offset: int | None,
    arguments: Mapping[str, Any],
) -> None:
    """Start an answer. Raises ``RequestError`` if nothing can be asked here."""
    session.live.check_free(opened)
    try:
        question = question_at(
            opened.snapshot,
            offset,
            name_in(arguments, "agent"),
            name_in(arguments, "model"),
            continues=command is CONTINUE_ANSWER,
            keeps_old=arguments.get("keep") is True,
        )
        # Without a provider, fail at once and not in the thread.
        read_providers()
    except (RefusedError, ProviderProblem) as refusal:
        raise RequestError(session.say(opened, refusal.phrase)) from refusal
    job = _Ask(session, opened, question)
    session.live.start(job)
    threading.Thread(target=job.prepare, daemon=True).start()


def ask_if_new(session: Session, opened: OpenDocument, offset: int | None) -> None:
    """Ask about the last message, unless it is answered or no provider is configured."""
    try:
        question = question_at(opened.snapshot, offset)
        agent = seeing_agent(opened.document, question.agent)
        read_providers().serving(question.agent, agent.options.model)
    except (RefusedError, ProviderProblem):
        return
    if question.is_at_end:
        ask(session, ASK, opened, offset, {})
