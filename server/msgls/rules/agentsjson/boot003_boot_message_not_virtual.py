"""A boot message is not marked as virtual.

## What it does
Reports a boot message without `"isVirtual": true` in its `meta`.

## Why it matters
A virtual message is shown and never sent. A boot message without the mark leaks into what
the model sees, as if the model had said it.

## Example
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {
  "bootMessage": {"message": "Hello!", "meta": {"isBootMessage": true}}}}]}
```
Use instead:
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {
  "bootMessage": {"message": "Hello!", "meta": {"isBootMessage": true, "isVirtual": true}}}}]}
```

## Fix safety
Safe where it adds the mark or sets it to `true`: every boot message is meant to be
virtual, and is read as such here. Not safe where it renames a key that looks like a
misspelled `isVirtual`: the key may belong to another program.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.agentsjson.cells import Agent
from msgls.formats.jsontree import Member
from msgls.rules.agentsjson.base import IN_AGENT, AgentsRule, insert, misspelt, object_at
from msgls.rules.base import Fix, Problem, Severity
from msgls.text.spans import Edit, Span

_MARKS = {"isBootMessage": True, "isVirtual": True}


class BootMessageNotVirtual(AgentsRule):
    code = "BOOT003"
    name = "boot-message-not-virtual"
    severity = Severity.WARNING
    texts = {
        "message": "this boot message is not virtual: the model would see it",
        "fix.set": "Mark it as virtual",
        "fix.rename": "Change `{written}` to `isVirtual`",
    }

    def check_agent(self, agent: Agent) -> Iterator[Problem]:
        boot = agent.boot
        span = None if boot is None or boot.value.kind != "object" else _fault(boot)
        if boot is not None and span is not None:
            yield Problem(self.code, IN_AGENT, span, data=boot.value.span.start)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        _, boot, start = object_at(document, problem.data)
        meta = boot.member("meta")
        meant = None if meta is None else misspelt(meta.value, "isVirtual")
        if meant is not None and meta is not None and meta.value.member("isVirtual") is None:
            edit = Edit(meant.key_span.shift(start), '"isVirtual"')
            yield Fix.of("fix.rename", edit, written=meant.key)
            return
        if meta is None:
            edit = insert(document, problem.data, "meta", _MARKS, last=True)
        elif meta.value.kind == "null":
            written = '{"isBootMessage": true, "isVirtual": true}'
            edit = Edit(meta.value.span.shift(start), written)
        elif (virtual := meta.value.member("isVirtual")) is None:
            edit = insert(document, start + meta.value.span.start, "isVirtual", True, last=True)
        else:
            edit = Edit(virtual.value.span.shift(start), "true")
        yield Fix.of("fix.set", edit, safe=True)


def _fault(boot: Member) -> Span | None:
    """Where the mark is missing or wrong; what is of a wrong type is BOOT002."""
    meta = boot.value.member("meta")
    if meta is None or meta.value.kind == "null":
        return boot.key_span
    if meta.value.kind != "object":
        return None
    virtual = meta.value.member("isVirtual")
    if virtual is None:
        return meta.key_span
    return virtual.value.span if virtual.value.kind in ("false", "null") else None
