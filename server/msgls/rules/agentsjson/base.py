"""What the rules of ``agents.json`` share: when they look at a file, and where they point.

Owns the base class of these rules. A file in which no agent has a boot message is not
our business: other tools use that name and that shape. What a rule finds in one agent is
kept with that agent, so that a keystroke checks the one that it is typed in.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.agentsjson.cells import BOOT, Agent, AgentsCell
from msgls.formats.agentsjson.edits import insert_member
from msgls.formats.jsontree import JsonTree, JsonValue, Member
from msgls.rules.base import CellRule, Problem, Subject
from msgls.text.lines import line_bounds
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span

IN_AGENT = 0
"""The label of a problem that is still relative to its agent, and not yet in the file."""


class AgentsRule(CellRule):
    """Looks at a file in which some agent has a boot message."""

    def check(self, subject: Subject) -> Iterable[Problem]:
        """What is wrong with the file, if some agent in it has a boot message."""
        cell = subject.cell
        if not isinstance(cell, AgentsCell) or not cell.has_boot_message:
            return ()
        return self.check_file(subject.label, cell)

    def check_file(self, label: int, cell: AgentsCell) -> Iterator[Problem]:
        """What is wrong with it. ``label`` is the label of the one cell that it is."""
        for agent, start, _ in cell.agents:
            found = agent.memo.get(self.code)
            if found is None:
                found = agent.memo[self.code] = tuple(self.check_agent(agent))
            for problem in found:
                yield _placed(problem, label, start)

    def check_agent(self, agent: Agent) -> Iterable[Problem]:
        """What is wrong with one agent, whatever is around it."""
        return ()


def _placed(problem: Problem, label: int, start: int) -> Problem:
    related = [r._replace(label=label, span=r.span.shift(start)) for r in problem.related]
    data = problem.data + start if isinstance(problem.data, int) else problem.data
    return problem._replace(
        label=label, span=problem.span.shift(start), related=tuple(related), data=data
    )


def object_at(document: Document, offset: int) -> tuple[JsonTree, JsonValue, int]:
    """The object that begins there, in the tree of its agent, and where that is."""
    first = document.first_cell()
    if first is None or not isinstance(first.cell, AgentsCell):
        raise LookupError("the document has no agents")
    agent, start, _ = first.cell.agent_at(offset)
    for value in agent.value.walk():
        if value.kind == "object" and value.span.start == offset - start:
            return agent.tree, value, start
    raise LookupError("no object begins there")


def insert(document: Document, offset: int, key: str, value: object, last: bool) -> Edit:
    """Put a member into the object that begins at ``offset``."""
    tree, holder, start = object_at(document, offset)
    span, text = insert_member(tree, holder, key, value, last)
    return Edit(span.shift(start), text)


def head_of(agent: Agent, value: JsonValue) -> Span:
    """The first line of an object, because all of it may be long."""
    end = line_bounds(agent.text, value.span.start, value.span.start)[1]
    return Span(value.span.start, max(min(end, value.span.end), value.span.start + 1))


# -- Keys of ``agents.json`` that are misspelled, or stand in the wrong object. Owns which keys the
# objects of a boot message know and where each key belongs. Keys that are like none of these are
# fine: real files hold many.

_TASK = {
    "name": "",
    "type": "",
    "message": "",
    "meta": "",
    "host_utils": "",
    "skipUserMessage": "",
    "skipBotMessage": "",
}
_KNOWN: Mapping[str, Mapping[str, str]] = {
    "agent": {"name": "", "path": "", "metadata": "metadata", "settings": "", "operations": ""},
    "metadata": {BOOT: "boot"},
    "boot": {
        "message": "",
        "text": "",
        "isHtml": "",
        "meta": "marks",
        "availableTasks": "offered",
        "nextTasks": "task",
    },
    "marks": {"isBootMessage": "", "isVirtual": ""},
    "offered": {"name": "", "task": "task"},
    "task": _TASK,
}
"""The keys of each kind of object, and the kind of what is below each."""

HOMES: Mapping[str, str] = {
    BOOT: "metadata",
    "isBootMessage": "bootMessage.meta",
    "isVirtual": "bootMessage.meta",
    "isHtml": "bootMessage",
    "availableTasks": "bootMessage",
    "nextTasks": "bootMessage",
    "skipUserMessage": "task",
    "skipBotMessage": "task",
}
"""Where a key belongs whose name says what it is; words such as `name` are everybody's."""


class OddKey(NamedTuple):
    """A key that its object does not know."""

    holder: JsonValue
    member: Member
    near: str
    """The key of that object that is written nearly like it; nothing where it is misplaced."""
    home: str
    """Where it belongs; nothing where it is misspelled."""


def odd_keys(agent: Agent) -> Iterator[OddKey]:
    """Every key of an agent that is misspelled or misplaced."""
    for kind, value in _objects("agent", agent.value):
        known = _KNOWN[kind]
        present = {member.key for member in value.members}
        for member in value.members:
            if member.key in known:
                continue
            if member.key in HOMES:
                yield OddKey(value, member, "", HOMES[member.key])
                continue
            near = closest(member.key, [key for key in known if key not in present], limit=1)
            if near:
                yield OddKey(value, member, near[0], "")


def misspelt(value: JsonValue, key: str) -> Member | None:
    """The member of an object that ``key`` was meant by, where it has no such member."""
    for member in value.members:
        if member.key not in HOMES and closest(member.key, [key], limit=1, most=2):
            return member
    return None


def _objects(kind: str, value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """An object and those below it that the models know, each with its kind."""
    if value.kind == "array":
        for item in value.items:
            yield from _objects(kind, item)
    if value.kind != "object":
        return
    yield kind, value
    for member in value.members:
        below = _KNOWN[kind].get(member.key)
        if below:
            yield from _objects(below, member.value)
