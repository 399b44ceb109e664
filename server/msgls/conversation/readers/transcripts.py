"""What the readers of agents' transcripts share.

Owns the drafts that a reader yields record by record, their ids, the information about a
session, and the conversation made of drafts. A transcript grows while it is read, so a
reader never looks ahead: the drafts of a prefix are a prefix of the drafts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from msgls.conversation.conversation import Conversation
from msgls.conversation.parts import BROKEN, Wire, json_value, text_of, text_part
from msgls.conversation.readers.drafts import Drafts, Places
from msgls.conversation.visibility import EXCLUDED, HISTORY, IS_RESET, IS_VIRTUAL
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9_-]+")
_UUID = re.compile(r"([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_LONGEST_ID = 24
_TITLE_LENGTH = 80
_BLANKS = re.compile(r"\s+")
_NOT_IN_NAMES = re.compile(r"[\[\]\r\n=\"]+")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)")


class Draft(NamedTuple):
    """A piece of a message: one text, one call or one result."""

    role: str
    parts: tuple[Wire, ...]
    line: int
    """The line of the transcript that it comes from, from 0."""
    id: str = ""
    time: str = ""
    agent: str = ""
    model: str = ""
    title: str = ""
    group: str = ""
    """A key shared by all drafts that the service sent as one message."""
    answer: str = ""
    """The id of the answer that a call or a result belongs to."""
    depth: int = 0
    """The nesting depth of sub-agents."""
    is_hidden: bool = False
    """Whether the model does not see it: it is on an abandoned branch, or from a sub-agent."""
    is_virtual: bool = False
    """Whether it was shown to the person only."""
    is_reset: bool = False
    """Whether the model sees nothing before it."""


@dataclass(slots=True)
class About:
    """The information about a session."""

    session: str = ""
    title: str = ""
    project: str = ""
    updated: str = ""
    turns: int = 0
    """How many messages the person wrote."""
    tokens: int = 0
    """Tokens that the service counted, without cached ones."""
    models: dict[str, dict[str, None]] = field(default_factory=dict)
    """The models of each agent."""
    is_agent: bool = False
    """Whether it is the session of a sub-agent, and belongs to another session."""

    def include(self, other: About) -> None:
        """Add the tokens and models of a sub-agent."""
        self.tokens += other.tokens
        for agent, models in other.models.items():
            self.models.setdefault(agent, {}).update(models)

    def asked(self, text: str = "") -> None:
        """Count a message of the person; its text is the title, if there is none yet."""
        self.turns += 1
        self.title = self.title or short_title(text)

    def answered(self, agent: str, model: str) -> None:
        """Record that an agent answered, with its model."""
        models = self.models.setdefault(agent, {})
        if model:
            models.setdefault(model)


class LeftOut(NamedTuple):
    """The number of records of one kind that were left out."""

    times: int
    line: int
    """The line of the first one."""


class Ids:
    """Short ids that stay the same when a transcript is read again, however it has grown."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._number = 0
        self._last: dict[str, int] = {}
        """The last number that was appended to an id that several records have."""

    def of(self, given: object) -> str:
        """A short, unused id made from the id of a record."""
        text = text_of(given)
        uuid = _UUID.fullmatch(text)
        whole = _NOT_IN_IDS.sub("-", text).strip("-")
        if not whole:
            return self.next()
        return self._unused(uuid.group(1) if uuid else whole[-_LONGEST_ID:], whole)

    def nonce(self, given: str) -> str:
        """A nonce made from the id of a call."""
        whole = _NOT_IN_IDS.sub("-", given).strip("-") or "call"
        return self._unused(whole[-8:].strip("-") or whole, whole)

    def next(self) -> str:
        """The next numbered id, for records without one."""
        self._number += 1
        while f"m{self._number}" in self._taken:
            self._number += 1
        return self._unused(f"m{self._number}", "")

    def _unused(self, short: str, whole: str) -> str:
        chosen = short if short not in self._taken else whole or short
        first = chosen
        while chosen in self._taken:
            self._last[first] = self._last.get(first, 1) + 1
            chosen = f"{first}-{self._last[first]}"
        self._taken.add(chosen)
        return chosen


Records = Iterable[tuple[int, object]]
"""Line numbers, from 0, each with the value of its line."""


class AgentFile(NamedTuple):
    """The transcript of a sub-agent, in a file of its own."""

    name: str
    """The type of the agent, if known."""
    records: Records


AgentFiles = Callable[[str], "AgentFile | None"]
"""Finds the transcript of a sub-agent by its id."""


def no_files(agent_id: str) -> None:
    """Finds nothing: for a text without other files."""


class Transcript:
    """Reads a session, record by record. Never fails on invalid records."""

    agent: ClassVar[str] = "assistant"
    """The name of the agent that answers."""

    def __init__(
        self,
        agent_files: AgentFiles = no_files,
        depth: int = 0,
        abandoned: frozenset[object] | None = None,
    ) -> None:
        self.about = About()
        self.left_out: dict[str, LeftOut] = {}
        self.is_stale = False
        """Whether a draft that was already returned would be different now."""
        self.ids = Ids()
        self.who = self.agent
        """The name of the agent in this file: a sub-agent has its own."""
        self._agent_files = agent_files
        self._depth = depth
        """The nesting depth of this sub-agent; 0 for the session itself."""
        self._abandoned = abandoned
        """The messages or turns on abandoned branches, if all records are known in advance."""
        self._given_up: set[object] = set()
        """The messages or turns that were abandoned so far."""

    @classmethod
    def planned(cls, records: Records, agent_files: AgentFiles = no_files) -> Transcript:
        """A reader that knows all records in advance, and so the abandoned branches."""
        scout = cls(abandoned=frozenset())
        for line, record in records:
            scout.feed(record, line)
        return cls(agent_files, abandoned=frozenset(scout._given_up))

    def _nested(self) -> Transcript:
        """A reader for a sub-agent."""
        return type(self)(self._agent_files, self._depth + 1, frozenset())

    def feed(self, record: object, line: int) -> list[Draft]:
        """The drafts of one more record."""
        if record is BROKEN:
            self.leave_out("", line)
            return []
        if not isinstance(record, dict):
            self.leave_out("?", line)
            return []
        return list(self._record(record, line))

    def leave_out(self, kind: str, line: int) -> None:
        """Count a record that is left out."""
        before = self.left_out.get(kind, LeftOut(0, line))
        self.left_out[kind] = LeftOut(before.times + 1, before.line)

    def give_up(self, keys: Sequence[object]) -> None:
        """Record that messages or turns were abandoned."""
        self._given_up.update(keys)
        if keys and self._abandoned is None:
            self.is_stale = True

    def below(self, agent_id: str, name: object, title: str) -> Iterator[Draft]:
        """The drafts of a sub-agent from its own file; ``title`` is for one without a title."""
        file = self._agent_files(agent_id) if agent_id else None
        if file is None:
            return
        reader = self._nested()
        reader.ids, reader.who = self.ids, agent_name(file.name or name, "agent")
        for line, record in file.records:
            for draft in reader.feed(record, line):
                yield draft._replace(title=draft.title or title)
                title = ""
        self.about.include(reader.about)

    def base(self, line: int, time: str = "", key: object = None) -> Draft:
        """A draft with what all drafts of a record, or of the message ``key``, have in common."""
        is_hidden = self._depth > 0 or key in (self._abandoned or ())
        return Draft("user", (), line, time=time, depth=self._depth, is_hidden=is_hidden)

    def answering(
        self, parts: Iterable[Wire], base: Draft, next_id: Callable[[], str], answer: str = ""
    ) -> Iterator[Draft]:
        """The drafts of an answer, one for each part; a call belongs to the answer before it."""
        for part in parts:
            is_call = part["kind"] == "tool_call"
            if not is_call or not answer:
                answer = next_id()
                yield base._replace(parts=() if is_call else (part,), id=answer)
            if is_call:
                yield base._replace(parts=(part,), answer=answer)

    def note(self, base: Draft, parts: tuple[Wire, ...], id: str) -> Draft:
        """A message of the program itself, which is shown to the person only."""
        who = base.agent or self.who
        self.about.answered(who, "")
        return base._replace(role="assistant", parts=parts, id=id, agent=who, is_virtual=True)

    def compacted(self, base: Draft, id: str, tokens: int = 0) -> Draft:
        """The draft of a compaction: a reset, because the model then sees only a summary."""
        at = f", at {tokens} tokens" if tokens else ""
        said = texts_of(f"The conversation was compacted here{at}.")
        return self.note(base, said, id)._replace(is_reset=True)

    def _record(self, record: Wire, line: int) -> Iterator[Draft]:
        raise NotImplementedError


def left_out_phrases(left_out: dict[str, LeftOut]) -> Iterator[tuple[Phrase, int]]:
    """Losses for records that were left out, each with the line of the first."""
    for kind, (times, line) in left_out.items():
        if not kind:
            what = Phrase("{count} lines are not valid JSON", count=times)
            yield Phrase("a line is not valid JSON") if times == 1 else what, line
        elif kind == "?":
            what = Phrase("{count} lines are not records", count=times)
            yield Phrase("a line is not a record") if times == 1 else what, line
        elif times == 1:
            yield Phrase("a record of the kind `{kind}` is left out", kind=kind), line
        else:
            what = Phrase(
                "{count} records of the kind `{kind}` are left out", count=times, kind=kind
            )
            yield what, line


# -- lines ----------------------------------------------------------------------------------


def records_of(text: str) -> list[tuple[int, object]]:
    """The records of JSON lines; a last line that is still being written is not among them.

    A text that is one value, over many lines, is one record.
    """
    found: list[tuple[int, object]] = []
    lines = text.split("\n")
    first = next((line for line in lines if line.strip(" \t\r")), "")
    if json_value(first) is BROKEN:
        value = json_value(text)
        if value is not BROKEN:
            return [(0, value)]
    for number, line in enumerate(lines):
        if not line.strip(" \t\r"):
            continue
        value = json_value(line)
        if value is not BROKEN or number < len(lines) - 1:
            found.append((number, value))
    return found


class LinePlaces(Places):
    """Places in JSON lines: the first step of a path is the line."""

    def __init__(self, text: str) -> None:
        super().__init__(text)

    def span(self, path: Path) -> Span | None:
        """The line that a path leads to."""
        if not path or not isinstance(path[0], int) or path[0] >= len(self._starts):
            return None
        start = self._starts[path[0]]
        after = path[0] + 1
        end = self._starts[after] if after < len(self._starts) else len(self._text)
        return Span(start, end)


# -- conversations --------------------------------------------------------------------------


def conversation_of(
    transcript: Transcript, drafts: Sequence[Draft], places: Places, base: Path = ()
) -> Conversation:
    """The conversation made of drafts; adjacent drafts of one group are one message."""
    made = Drafts(places)
    for draft, parts in _joined(drafts):
        meta: Wire = {"id": draft.id} if draft.role != "tool" and draft.id else {}
        meta |= {"agent": draft.agent} if draft.role == "assistant" and draft.agent else {}
        meta |= {"title": draft.title} if draft.title else {}
        meta |= {"model": draft.model} if draft.model else {}
        meta |= {HISTORY: EXCLUDED} if draft.is_hidden else {}
        meta |= {IS_VIRTUAL: True} if draft.is_virtual else {}
        meta |= {IS_RESET: True} if draft.is_reset else {}
        made.add(draft.role, parts, (*base, draft.line), meta, draft.time)
    for what, line in left_out_phrases(transcript.left_out):
        made.lose(what, (*base, line))
    return made.conversation()


def _joined(drafts: Sequence[Draft]) -> Iterator[tuple[Draft, list[Wire]]]:
    """The first draft of each message, with the parts of all its drafts."""
    first: Draft | None = None
    parts: list[Wire] = []
    for draft in drafts:
        is_more = (
            first is not None
            and draft.role == first.role == "assistant"
            and draft.group
            and (draft.group, draft.depth) == (first.group, first.depth)
        )
        if first is not None and not is_more:
            yield first, parts
        if not is_more:
            first, parts = draft, []
        parts += draft.parts
    if first is not None:
        yield first, parts


# -- small things ---------------------------------------------------------------------------


def iso_time(value: object) -> str:
    """The value if it is an ISO 8601 time with an offset, else an empty string."""
    text = text_of(value)
    return text if _TIME.fullmatch(text) else ""


def short_title(text: str) -> str:
    """A text as a title: on one line, and truncated."""
    line = _BLANKS.sub(" ", text).strip()
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1] + "\u2026"


def agent_name(value: object, default: str) -> str:
    """A text as the name of an agent: one that is valid as the type of a cell."""
    name = _BLANKS.sub(" ", _NOT_IN_NAMES.sub(" ", text_of(value))).strip()
    return name if name and name != "tool" else default


def number_of(value: Any) -> int:
    """The value if it is a positive integer, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def texts_of(text: str, kind: str = "text") -> tuple[Wire, ...]:
    """One part for the text; none if it is blank."""
    return (text_part(text, kind),) if text.strip() else ()
