"""A key is missing, or a value is of a wrong type.

## What it does
Compares the file with the shape that it should have (`msgls schema agents` prints it).
An agent must have a `name` and a `path`, a boot message a `message`, a task a `name`,
and every value must have the right type. Unknown keys are fine, with two exceptions: a
key that looks misspelled is reported as information, and a known key in the wrong
object as a warning. A misspelled key that hides a boot message (`bootMesage`) is a
warning, and a misspelling of a required key is an error. Only a file in which some
agent has a boot message is checked.

## Why it matters
The host application takes the file as it is: a boot message without its text is shown
as an empty bubble, and a list in the place of an object breaks the agent.

## Example
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {"bootMessage": {
  "meta": {"isVirtual": true}, "isHtml": "no"}}}]}
```
Use instead:
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {"bootMessage": {
  "message": "Hello!", "meta": {"isVirtual": true}, "isHtml": false}}}]}
```

## Fix safety
Not safe: a missing key is inserted with an empty text, which the author must fill in; a
misspelled key is changed to the known key that it resembles. A value of a wrong type
and a key in the wrong object have no fix.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.agentsjson.cells import BOOT, Agent, AgentsCell
from msgls.formats.jsontree import Member, Path
from msgls.rules.agentsjson.base import (
    HOMES,
    IN_AGENT,
    AgentsRule,
    OddKey,
    head_of,
    insert,
    misspelt,
    odd_keys,
)
from msgls.rules.base import Fix, Problem, Severity
from msgls.text.spans import Edit

_KEYS = {
    "text": "message.text",
    "switch": "message.switch",
    "list": "message.list",
    "object": "message.object",
    "task type": "message.type",
    "value": "message.value",
}


class InvalidShape(AgentsRule):
    code = "BOOT002"
    name = "invalid-shape"
    severity = Severity.ERROR
    texts = {
        "message.missing": "`{key}` is missing here",
        "message.misspelt": "unknown key `{written}`: did you mean `{near}`?",
        "message.misplaced": "`{written}` belongs in `{place}`: it has no effect here",
        "message.item": "this item must be an object",
        "message.text": "`{what}` must be text",
        "message.switch": "`{what}` must be `true` or `false`",
        "message.list": "`{what}` must be a list",
        "message.object": "`{what}` must be an object",
        "message.type": "the type of a task is `action` or `message`",
        "message.value": "invalid value for `{what}`",
        "fix.insert": "Insert `{name}`",
        "fix.rename": "Change to `{name}`",
    }

    def check_agent(self, agent: Agent) -> Iterator[Problem]:
        """What does not fit the models, except for what other rules report."""
        for odd in odd_keys(agent):
            if odd.home:
                yield self._misplaced(IN_AGENT, odd.member, odd.home)
            elif not _is_required(agent, odd):
                hides_boot = odd.near == BOOT or odd.member.value.member(BOOT) is not None
                severity = Severity.WARNING if hides_boot else Severity.INFORMATION
                yield self._misspelt(odd.member, odd.near)._replace(severity=severity)
        for found in agent.shape_problems:
            if found.expected == "key":
                if not _is_reported_elsewhere(agent, found.path):
                    yield from self._missing(agent, found.path)
                continue
            what = agent.tree.find(found.path)
            if what is not None:
                key = _KEYS[found.expected]
                if found.expected == "object" and _is_item(found.path):
                    key = "message.item"
                yield self.problem(IN_AGENT, what.value.span, key, what=_name(found.path))

    def _missing(self, agent: Agent, path: Path) -> Iterator[Problem]:
        holder = agent.tree.find(path[:-1])
        if holder is not None:
            meant = misspelt(holder.value, str(path[-1]))
            if meant is not None:
                yield self._misspelt(meant, str(path[-1]))
                return
            span = holder.key_span or head_of(agent, holder.value)
            args = {"key": str(path[-1])}
            data = holder.value.span.start
            yield Problem(self.code, IN_AGENT, span, "message.missing", args, data=data)

    def _misspelt(self, member: Member, near: str) -> Problem:
        args = {"written": member.key, "near": near}
        return self.problem(IN_AGENT, member.key_span, "message.misspelt", **args)

    def _misplaced(self, label: int, member: Member, place: str) -> Problem:
        args = {"written": member.key, "place": place}
        problem = self.problem(label, member.key_span, "message.misplaced", **args)
        return problem._replace(severity=Severity.WARNING)

    def check_file(self, label: int, cell: AgentsCell) -> Iterator[Problem]:
        """Every agent, and the members beside the list of them."""
        yield from super().check_file(label, cell)
        for member in cell.beside_agents:
            if member.key in HOMES:
                yield self._misplaced(label, member, f"agents[…].{HOMES[member.key]}")

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        if problem.key == "message.misspelt":
            near = problem.args["near"]
            yield Fix.of("fix.rename", Edit(problem.span, f'"{near}"'), name=near)
        if problem.key != "message.missing":
            return
        key = problem.args["key"]
        # A path comes after the name, everything else first.
        edit = insert(snapshot.document, problem.data, key, "", last=key == "path")
        yield Fix.of("fix.insert", edit, name=key)


def _is_item(path: Path) -> bool:
    """Whether a path leads to an item of a list; an agent is one."""
    return not path or isinstance(path[-1], int)


def _is_required(agent: Agent, odd: OddKey) -> bool:
    """Whether the key that was meant is missing, which is said as such."""
    return any(
        found.expected == "key"
        and found.path[-1] == odd.near
        and (holder := agent.tree.find(found.path[:-1])) is not None
        and holder.value.span == odd.holder.span
        for found in agent.shape_problems
    )


def _is_reported_elsewhere(agent: Agent, path: Path) -> bool:
    """An available task without its task is BOOT005, a text under its old name BOOT004."""
    if path[-1] == "task":
        return True
    holder = agent.tree.find(path[:-1])
    is_boot = path[-2:] == (BOOT, "message")
    return is_boot and holder is not None and holder.value.member("text") is not None


def _name(path: Path) -> str:
    """The name of a place: its key, or that of the list that it is in."""
    return next((str(step) for step in reversed(path) if isinstance(step, str)), "agents")
