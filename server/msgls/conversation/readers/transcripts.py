"""Transcripts that agents write: what all readers of them share.

Owns the drafts that a reader gives out record by record, the ids that they get, what a
session says of itself, and the conversation that drafts make. A transcript grows while it
is read, so a reader never looks ahead: the drafts of a prefix are a prefix of the drafts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from msgls.conversation.conversation import Conversation
from msgls.conversation.readers.drafts import Drafts, Places, Wire, dict_of, text_of, text_part
from msgls.conversation.visibility import EXCLUDED, HISTORY, IS_RESET, IS_VIRTUAL
from msgls.formats.jsontree import Path
from msgls.formats.strictjson import strict_loads
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9_-]+")
_UUID = re.compile(r"([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_LONGEST_ID = 24
_TITLE_LENGTH = 80
_BLANKS = re.compile(r"\s+")
_NOT_IN_NAMES = re.compile(r"[\[\]\r\n=\"]+")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)")

BROKEN = object()
"""Stands for a line that is not valid JSON."""


class Draft(NamedTuple):
    """A message in the making: one text, one call or one result."""

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
    """The same for all that the service sent as one message."""
    answer: str = ""
    """Of a call: the id of the answer that asks for it."""
    depth: int = 0
    """How many sub-agents deep it was said."""
    is_hidden: bool = False
    """Whether the model does not see it: a branch that was left, what a sub-agent said."""
    is_virtual: bool = False
    """Whether it was only shown to the person."""
    is_reset: bool = False
    """Whether the model sees nothing from before."""


@dataclass(slots=True)
class About:
    """The information about a session."""

    session: str = ""
    title: str = ""
    project: str = ""
    updated: str = ""
    turns: int = 0
    """How often the person said something."""
    tokens: int = 0
    """What the service counted, without what it had in its cache."""
    models: dict[str, dict[str, None]] = field(default_factory=dict)
    """The models of each agent."""
    is_agent: bool = False
    """Whether it is a sub-agent's, and belongs to another session."""

    def include(self, other: About) -> None:
        """Count what a sub-agent used."""
        self.tokens += other.tokens
        for agent, models in other.models.items():
            self.models.setdefault(agent, {}).update(models)

    def answered(self, agent: str, model: str) -> None:
        """Note that an agent answered, by some model."""
        models = self.models.setdefault(agent, {})
        if model:
            models.setdefault(model)


class LeftOut(NamedTuple):
    """Records of one kind that no message is made of."""

    times: int
    line: int
    """The line of the first one."""


class Ids:
    """Short ids that stay the same when a transcript is read again, however it has grown."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._number = 0
        self._last: dict[str, int] = {}
        """The last number that was put after an id which many records have."""

    def of(self, given: object) -> str:
        """An id that looks like the one given, which a record has."""
        text = text_of(given)
        uuid = _UUID.fullmatch(text)
        whole = _NOT_IN_IDS.sub("-", text).strip("-")
        if not whole:
            return self.next()
        return self._unused(uuid.group(1) if uuid else whole[-_LONGEST_ID:], whole)

    def nonce(self, given: str) -> str:
        """A nonce for a call."""
        whole = _NOT_IN_IDS.sub("-", given).strip("-") or "call"
        return self._unused(whole[-8:].strip("-") or whole, whole)

    def next(self) -> str:
        """An id by number, for records that have none."""
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
"""Lines, from 0, with the value of each."""


class AgentFile(NamedTuple):
    """The transcript of a sub-agent, which stands in a file of its own."""

    name: str
    """The kind of agent, where that is known."""
    records: Records


AgentFiles = Callable[[str], "AgentFile | None"]
"""From the id of a sub-agent to its transcript."""


def no_files(agent_id: str) -> None:
    """Where there is one text and no other file."""


class Transcript:
    """A session that is read record by record. Nothing in a record makes it fail."""

    agent: ClassVar[str] = "assistant"
    """Who answers."""

    def __init__(self, agent_files: AgentFiles = no_files, depth: int = 0) -> None:
        self.about = About()
        self.left_out: dict[str, LeftOut] = {}
        self.is_stale = False
        """Whether a draft that was given out is no longer what it would be by now."""
        self.ids = Ids()
        self.who = self.agent
        """Who answers in this file: a sub-agent has a name of its own."""
        self._agent_files = agent_files
        self._depth = depth
        """How many agents have started the one that speaks."""

    @classmethod
    def planned(cls, records: Records, agent_files: AgentFiles = no_files) -> Transcript:
        """A reader that knows, from all of the records, which branches were left."""
        return cls(agent_files)

    def feed(self, record: object, line: int) -> list[Draft]:
        """The drafts that one more record makes."""
        if record is BROKEN:
            self.leave_out("", line)
            return []
        if not isinstance(record, dict):
            self.leave_out("?", line)
            return []
        return list(self._record(record, line))

    def leave_out(self, kind: str, line: int) -> None:
        """Note a record that no message is made of."""
        before = self.left_out.get(kind, LeftOut(0, line))
        self.left_out[kind] = LeftOut(before.times + 1, before.line)

    def below(
        self, file: AgentFile, reader: Transcript, who: str, title: str = ""
    ) -> Iterator[Draft]:
        """What a sub-agent said in its own file; ``title`` is for a first draft without one."""
        reader.ids, reader.who = self.ids, who
        for line, record in file.records:
            for draft in reader.feed(record, line):
                yield draft._replace(title=draft.title or title)
                title = ""
        self.about.include(reader.about)

    def compacted(self, base: Draft, id: str, tokens: int = 0) -> Draft:
        """The reset where a summary took the place of what was said before."""
        self.about.answered(base.agent, "")
        at = f", at {tokens} tokens" if tokens else ""
        return base._replace(
            role="assistant",
            parts=texts_of(f"The conversation was compacted here{at}."),
            id=id,
            is_virtual=True,
            is_reset=True,
        )

    def _record(self, record: Wire, line: int) -> Iterator[Draft]:
        raise NotImplementedError


def left_out_phrases(left_out: dict[str, LeftOut]) -> Iterator[tuple[Phrase, int]]:
    """What is said of records that are left out, each with the line of the first."""
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
    if record_of(first) is BROKEN:
        value = record_of(text)
        if value is not BROKEN:
            return [(0, value)]
    for number, line in enumerate(lines):
        if not line.strip(" \t\r"):
            continue
        value = record_of(line)
        if value is not BROKEN or number < len(lines) - 1:
            found.append((number, value))
    return found


def record_of(line: str) -> object:
    """The value of one line."""
    try:
        return strict_loads(line.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return BROKEN


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
    """The conversation that drafts make; those of one group in a row are one message."""
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


def visibility(draft: Draft) -> dict[str, str]:
    """What a cell says of whether the model sees it."""
    attributes = {"history": "none"} if draft.is_hidden else {}
    attributes |= {"virtual": "1"} if draft.is_virtual else {}
    return attributes | ({"reset": "1"} if draft.is_reset else {})


def status_of(part: Wire) -> str:
    """How the result of a call ended."""
    return "failure" if dict_of(part.get("payload")).get("isError") else "success"


def _joined(drafts: Sequence[Draft]) -> Iterator[tuple[Draft, list[Wire]]]:
    """Each message with its parts: the first draft of a group speaks for the others."""
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
    """A time that is ISO 8601 with an offset, else nothing."""
    text = text_of(value)
    return text if _TIME.fullmatch(text) else ""


def title_of(text: str) -> str:
    """The beginning of a text, on one line, to call a session by."""
    line = _BLANKS.sub(" ", text).strip()
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1] + "\u2026"


def agent_name(value: object, default: str) -> str:
    """A name that can be the type of a cell."""
    name = _BLANKS.sub(" ", _NOT_IN_NAMES.sub(" ", text_of(value))).strip()
    return name if name and name != "tool" else default


def number_of(value: Any) -> int:
    """A whole number that is not negative; anything else counts as none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def texts_of(text: str, kind: str = "text") -> tuple[Wire, ...]:
    """One part for a text that is not blank."""
    return (text_part(text, kind),) if text.strip() else ()
