"""Asking a model at a cell of a message file: the agent, the request, and the place of the answer.

Owns the reasons why a model cannot be asked there, and the choice of the messages: what the model
sees up to the cell that is asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from itertools import takewhile
from typing import Any, NamedTuple

from msgls.conversation.agents import agent_in
from msgls.conversation.cell_visibility import horizon_of, plain_content, seen_text, sight_of
from msgls.conversation.context import context_of, why_hidden
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.visibility import Sight
from msgls.conversation.writers.provider import provider_request
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.commands import RefusedError, ShownText
from msgls.features.msgmd.answering import INCOMPLETE, LiveAnswer
from msgls.features.msgmd.appending import check_name, check_room
from msgls.features.msgmd.livecells import end_of_turn
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd import MessageFile
from msgls.formats.msgmd.attributes import MESSAGES
from msgls.formats.msgmd.meaning import DEFAULT_AGENT, frontmatter_of
from msgls.formats.values import TRUE_VALUES
from msgls.syntax.ids import CellId
from msgls.text.phrases import Phrase

Wire = dict[str, Any]

_ANSWERS = frozenset({CellRole.ANSWER, CellRole.CALL, CellRole.RESULT})


class Sending(NamedTuple):
    """What is sent to the model, and what is hidden from it."""

    request: Wire
    messages: Sequence[Message]
    """The messages in the request."""
    hidden: Sequence[tuple[str, Phrase]]
    """The ids of the messages that it does not see, or sees in another form; and why."""


class Question(NamedTuple):
    """What a model is asked: the agent, the last cell that is sent, and where the answer goes."""

    snapshot: Snapshot
    agent: str
    model: str | None
    """``None`` for the agent's own model."""
    last_number: int
    """The number of the last cell that is sent."""
    after_number: int
    """The number of the cell that the answer goes after, or continues."""
    continues: bool
    instead_of: tuple[str, ...]
    """The ids of an earlier answer, which the new one replaces in what the model sees."""

    @property
    def is_at_end(self) -> bool:
        """Whether no cell follows, and the last one is not a system message."""
        document = self.snapshot.document
        asked = self.snapshot.meaning(document.cell_number(self.last_number))
        is_last = self.after_number == self.last_number == document.cell_count - 1
        return is_last and asked.value("role") != "system"

    @property
    def title(self) -> Phrase:
        """The title of the command that asks it."""
        if self.instead_of:
            return Phrase("Ask {agent} again", agent=self.agent)
        return Phrase("Ask {agent}", agent=self.agent)

    def answer(self) -> LiveAnswer:
        """The answer, still empty."""
        at = self.snapshot.document.cell_number(self.after_number).start_offset + 1
        return LiveAnswer(
            self.agent,
            self.snapshot.time,
            at,
            continues=self.continues,
            instead_of=self.instead_of,
        )

    def sending(self, redact: Callable[[str], str]) -> Sending:
        """What is sent, with secrets replaced."""
        document = self.snapshot.document
        text = redact(document.text)
        if text != document.text:
            # The number of cells stays the same: placeholders only replace words.
            document = Document.open(
                document.path, text, document.format, agents_around=document.agents_around
            )
        end = document.cell_number(self.last_number).span.end
        conversation = read_document(document)
        agent = agent_in(conversation, self.agent)
        if self.model is not None:
            agent = agent._replace(options=agent.options._replace(model=self.model))
        context = context_of(conversation, agent)
        whole = context.conversation
        messages = [
            message
            for message, spans in zip(whole.messages, whole.sources, strict=True)
            if not spans or spans[0].start < end
        ]
        hidden = []
        for index, sight in context.hidden:
            message, spans = conversation.messages[index], conversation.sources[index]
            if not spans or spans[0].start < end:
                name = str((message.meta or {}).get("id") or "?")
                hidden.append((name, why_hidden(message, sight)))
        request = provider_request(agent, self.agent, messages, continues=self.continues)
        return Sending(request, messages, hidden)


def question_at(
    snapshot: Snapshot,
    offset: int | None,
    agent: str | None = None,
    model: str | None = None,
    *,
    continues: bool = False,
    keeps_old: bool = False,
) -> Question:
    """The question at an offset, or at the end without one. Raises ``RefusedError``."""
    document = snapshot.document
    if not isinstance(document.format, MessageFile):
        raise RefusedError("a model can be asked only in a message file")
    is_seen = _seen(snapshot)
    number = _number(snapshot, offset, is_seen)
    if continues:
        return _continued(snapshot, number, model)
    meaning = _meaning(snapshot, number)
    if meaning.role is CellRole.ANSWER and not _calls_below(snapshot, meaning):
        if offset is None:
            raise RefusedError(
                "the last message is an answer already; write a message, or name the cell to ask "
                "about again"
            )
        number = _message_before(snapshot, number)
        meaning = _meaning(snapshot, number)
    last = end_of_turn(snapshot.document, number)
    if not is_seen(meaning):
        raise RefusedError("the model does not see this cell, so it cannot answer it")
    _check_content(snapshot, meaning)
    old = list(_old_answer(snapshot, last, is_seen))
    name = agent or _default_agent(document)
    ids = tuple([document.cell_number(n).cell.id or "" for n in old])
    after = old[-1] if old else last
    # Asking costs money, so check first that the answer can be written.
    check_name(name)
    check_room(document, document.cell_number(after))
    return Question(
        snapshot, name, model, last, after, False, () if keeps_old else tuple(filter(None, ids))
    )


def _default_agent(document: Document) -> str:
    frontmatter = frontmatter_of(document)
    return (frontmatter and frontmatter.default_agent_name) or DEFAULT_AGENT


def _meaning(snapshot: Snapshot, number: int) -> Meaning:
    return snapshot.meaning(snapshot.document.cell_number(number))


def _seen(snapshot: Snapshot) -> Callable[[Meaning], bool]:
    horizon = horizon_of(snapshot.document)
    return lambda meaning: sight_of(snapshot.document, meaning, horizon).is_sent


def _number(snapshot: Snapshot, offset: int | None, is_seen: Callable[[Meaning], bool]) -> int:
    """The number of the cell that is asked about; at the end, the last one that is seen."""
    document = snapshot.document
    if offset is not None:
        found = document.number_at_offset(offset)
        if found is None or _meaning(snapshot, found).role is CellRole.PREAMBLE:
            raise RefusedError("there is no cell here")
        return found
    for number in range(document.cell_count - 1, -1, -1):
        meaning = _meaning(snapshot, number)
        if meaning.role is CellRole.PREAMBLE:
            break
        if is_seen(meaning):
            return number
    raise RefusedError("there is no message that the model sees")


def _continued(snapshot: Snapshot, number: int, model: str | None) -> Question:
    meaning = _meaning(snapshot, number)
    definition = meaning.definition
    if meaning.role is not CellRole.ANSWER or definition is None or not is_incomplete(meaning):
        raise RefusedError("only an answer that is not complete can be continued")
    return Question(snapshot, definition.type or "", model, number, number, True, ())


def is_incomplete(meaning: Meaning) -> bool:
    """Whether a cell is marked as not complete."""
    definition = meaning.definition
    return definition is not None and definition.value(INCOMPLETE) in TRUE_VALUES


def _message_before(snapshot: Snapshot, number: int) -> int:
    for before in range(number - 1, -1, -1):
        if _meaning(snapshot, before).role in MESSAGES:
            return before
    raise RefusedError("there is no message before this answer")


def _root(meaning: Meaning) -> str:
    return CellId(meaning.placed.cell.id or "").root


def _calls_below(snapshot: Snapshot, meaning: Meaning) -> bool:
    """Whether a cell belongs to an answer that calls tools. Raises if a result is missing."""
    document, root = snapshot.document, _root(meaning)
    calls = [
        placed.cell.id
        for entry in (document.entries("child", root) if root else ())
        if (placed := document.cell(entry.label)).cell.id
        and snapshot.meaning(placed).role is CellRole.CALL
    ]
    for call in calls:
        if not document.entries("child", str(call)):
            raise RefusedError("the tool call `{call}` has no result yet", call=str(call))
    return bool(calls)


def _check_content(snapshot: Snapshot, meaning: Meaning) -> None:
    if meaning.role in _ANSWERS:
        _calls_below(snapshot, meaning)
    elif not seen_text(meaning, Sight.SEEN).strip():
        raise RefusedError("this message is empty")


def _old_answer(snapshot: Snapshot, last: int, is_seen: Callable[[Meaning], bool]) -> Iterator[int]:
    """The cells of an existing answer, up to the next message."""
    for number in range(last + 1, snapshot.document.cell_count):
        meaning = _meaning(snapshot, number)
        if meaning.role not in _ANSWERS:
            return
        definition = meaning.definition
        if definition is not None and any(definition.get(k) for k in ("virtual", "boot", "reset")):
            return
        yield number


def answers_to(snapshot: Snapshot, number: int) -> list[Meaning]:
    """The answers to the message that a cell is, or belongs to: one, or alternatives."""
    first = _message_before(snapshot, number + 1)
    following = map(snapshot.meaning, snapshot.document.cells_from(first + 1))
    return [
        meaning
        for meaning in takewhile(lambda meaning: meaning.role not in MESSAGES, following)
        if meaning.role is CellRole.ANSWER and meaning.value("reasoning") not in TRUE_VALUES
    ]


def comparison(snapshot: Snapshot, offset: int) -> ShownText:
    """The diff of two answers to one message: the one before ``offset``, and the one there.

    For the first answer, it is the diff to the one after it.
    """
    number = _number(snapshot, offset, _seen(snapshot))
    answers = answers_to(snapshot, number)
    if len(answers) < 2:
        raise RefusedError("there is no other answer to compare with")
    here = snapshot.document.cell_number(number).label
    at = max(sum(meaning.placed.label <= here for meaning in answers) - 1, 1)
    before, after = answers[at - 1], answers[at]
    old, new = (plain_content(meaning).split("\n") for meaning in (before, after))
    names = before.cell.id or "", after.cell.id or ""
    lines = list(unified_diff(old, new, *names, lineterm="", n=max(len(old), len(new))))
    if not lines:
        lines = [f"--- {names[0]}", f"+++ {names[1]}", *[f" {line}" for line in old]]
    return ShownText("answers.diff", "diff", "".join([f"{line}\n" for line in lines]))
