"""What the rules of ``agents.json`` share: when they look at a file, and where they point.

Owns the base class of these rules. A file in which no agent has a boot message is none of
our business: other tools use that name and that shape. What a rule finds in one agent is
kept with that agent, so that a keystroke checks the one that it is typed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.formats.agentsjson.cells import Agent, AgentsCell
from msgls.formats.agentsjson.edits import insert_member
from msgls.formats.jsontree import JsonTree, JsonValue
from msgls.rules.base import CellRule, Problem, Subject
from msgls.text.lines import line_bounds
from msgls.text.spans import Edit, Span

IN_AGENT = 0
"""The label of a problem that does not know its file yet: its spans are the agent's."""


class AgentsRule(CellRule):
    """Looks at a file in which some agent has a boot message."""

    formats = ("agentsjson",)

    def check(self, subject: Subject) -> Iterable[Problem]:
        """What is wrong with the file, if it is one of ours."""
        cell = subject.cell
        if not isinstance(cell, AgentsCell) or not cell.has_boot_message:
            return ()
        return self.check_file(subject.order, cell)

    def check_file(self, order: int, cell: AgentsCell) -> Iterator[Problem]:
        """What is wrong with it. ``order`` is the label of the one cell that it is."""
        for agent, start, _ in cell.agents:
            found = agent.memo.get(self.code)
            if found is None:
                found = agent.memo[self.code] = tuple(self.check_agent(agent))
            for problem in found:
                yield _placed(problem, order, start)

    def check_agent(self, agent: Agent) -> Iterable[Problem]:
        """What is wrong with one agent, whatever stands around it."""
        return ()


def _placed(problem: Problem, order: int, start: int) -> Problem:
    related = [r._replace(order=order, span=r.span.shift(start)) for r in problem.related]
    data = problem.data + start if isinstance(problem.data, int) else problem.data
    return problem._replace(
        order=order, span=problem.span.shift(start), related=tuple(related), data=data
    )


def object_at(document: Document, offset: int) -> tuple[JsonTree, JsonValue, int]:
    """The object that begins there, in the tree of its agent, and where that stands."""
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
    """The first line of an object: all of it may be long."""
    end = line_bounds(agent.text, value.span.start, value.span.start)[1]
    return Span(value.span.start, max(min(end, value.span.end), value.span.start + 1))
