"""A key is missing, or a value is of a wrong type.

## What it does
Compares the file with the shape that it should have (`msgls schema agents` prints it).
An agent has a `name` and a `path`, a boot message a `message`, a task a `name`; and what
has a type has the right one. Keys that nobody knows are fine. Only a file in which some
agent has a boot message is looked at.

## Why it matters
A host takes the file as it is: a boot message without its text is an empty bubble, and a
list where an object should be breaks the agent.

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
Not safe: the key is inserted with an empty text, which the author must fill in.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.agentsjson.cells import BOOT, Agent
from msgls.formats.jsontree import Path
from msgls.rules.agentsjson.boots import IN_AGENT, AgentsRule, head_of, insert
from msgls.rules.base import Fix, Problem, Severity, Surroundings

_KEYS = {
    "text": "message.text",
    "switch": "message.switch",
    "list": "message.list",
    "object": "message.object",
    "task type": "message.type",
    "value": "message.value",
}


class InvalidShape(AgentsRule):
    """See the module."""

    code = "BOOT002"
    name = "invalid-shape"
    severity = Severity.ERROR

    def check_agent(self, agent: Agent) -> Iterator[Problem]:
        """What does not fit, less what other rules say better."""
        for found in agent.shape_problems:
            if found.expected == "key":
                if not _is_told_elsewhere(agent, found.path):
                    yield from self._missing(agent, found.path)
                continue
            what = agent.tree.find(found.path)
            if what is not None:
                key = _KEYS[found.expected]
                yield self.problem(IN_AGENT, what.value.span, key, what=_name(found.path))

    def _missing(self, agent: Agent, path: Path) -> Iterator[Problem]:
        holder = agent.tree.find(path[:-1])
        if holder is not None:
            span = holder.key_span or head_of(agent, holder.value)
            args = {"key": str(path[-1])}
            data = holder.value.span.start
            yield Problem(self.code, IN_AGENT, span, "message.missing", args, data=data)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """The key, with an empty text."""
        if problem.key != "message.missing":
            return
        key = problem.args["key"]
        # A path comes behind the name, everything else first.
        edit = insert(document, problem.data, key, "", last=key == "path")
        yield Fix.of("fix.insert", edit, name=key)


def _is_told_elsewhere(agent: Agent, path: Path) -> bool:
    """An available task without its task is BOOT005, a text under its old name BOOT004."""
    if path[-1] == "task":
        return True
    holder = agent.tree.find(path[:-1])
    is_boot = path[-2:] == (BOOT, "message")
    return is_boot and holder is not None and holder.value.member("text") is not None


def _name(path: Path) -> str:
    """What a place is called: its key, or the list that it stands in."""
    return next((str(step) for step in reversed(path) if isinstance(step, str)), "agents")
