"""A temporary agent has a system prompt of its own.

## What it does
Looks at the YAML block at the start of a temporary agent's content: it may contain
every attribute of an agent but `system_prompt`.

## Why it matters
Only agents of the frontmatter have a system prompt. In the YAML block of a temporary
agent it is ignored, and the agent answers without it.

## Example
```markdown
# %% A critic[^c1]

[^c1]: [markdown] definition="agent" name="critic"

---
models: [gpt-4o]
system_prompt: Find what is wrong.
---
```
Use instead:
```markdown
---
agents:
  critic:
    system_prompt: Find what is wrong.
---

# %% A critic[^c1]

[^c1]: [markdown] definition="agent" name="critic"

---
models: [gpt-4o]
---
```

## Fix safety
Moving the text to the frontmatter is not safe: it makes or changes an agent there, and
the prompt takes effect. There is no fix if that agent already has a different prompt,
or if the YAML cannot be edited reliably.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.agents import agent_attribute
from msgls.formats.msgmd.edits import remove_line
from msgls.formats.msgmd.meaning import frontmatter_of
from msgls.formats.msgmd.yamledits import add_agent_attribute
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.msgmd.agents import AgentRule, read_block
from msgls.rules.topics import Topic
from msgls.text.lines import after_break, line_bounds
from msgls.text.spans import Edit, Span

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import YamlEntry

_KEY = "system_prompt"


class TemporaryAgentSystemPrompt(AgentRule):
    code = "MSG013"
    name = "temporary-agent-system-prompt"
    severity = Severity.ERROR
    texts = {
        "message": (
            "a temporary agent cannot have a `system_prompt`: only agents of the frontmatter can"
        ),
        "fix.move": "Move `system_prompt` to the agent `{name}` in the frontmatter",
    }
    # Those of the frontmatter may have one.
    roles = (CellRole.MESSAGE, CellRole.CODE)
    wants = Topic.AGENT

    def check(self, subject: Subject) -> Iterator[Problem]:
        read, base = self.block(subject) or (None, 0)
        for problem in () if read is None else read.agent_problems:
            if problem.kind == "system-prompt-not-allowed":
                yield self.problem(subject.label, problem.span.shift(base))

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        block, found = placed.cell.agent_block, read_block(placed.cell)
        name = agent_attribute(document, placed)
        if block is None or found is None or name is None:
            return
        read, _ = found
        prompts = [entry for entry in read.attributes if entry.key == _KEY]
        if len(prompts) != 1 or read.problems:
            return
        prompt = prompts[0]
        added = _added(document, name.value, prompt)
        removed = _removed(placed, block, prompt)
        if added is not None and removed is not None:
            yield Fix.of("fix.move", *added, removed, name=name.value)


def _added(document: Document, name: str, prompt: YamlEntry) -> list[Edit] | None:
    if prompt.value.kind != "scalar" or prompt.value.is_alias:
        return None
    frontmatter = frontmatter_of(document)
    agents = [] if frontmatter is None else [a for a in frontmatter.agents if a.name == name]
    written = {e.value.text for agent in agents for e in agent.attributes if e.key == _KEY}
    if written:
        return [] if written == {prompt.value.text} else None
    return add_agent_attribute(document, name, _KEY, prompt.value.text)


def _removed(placed: Placed, block: Span, prompt: YamlEntry) -> Edit | None:
    """Take out the lines of the entry; the whole block, where nothing else is in it."""
    text = placed.cell.text
    start, end = prompt.span.shift(block.start)
    line_start, _ = line_bounds(text, start)
    line_end = line_bounds(text, end)[1]
    if text[line_start:start].strip(" \t") or not _ends_line(text[end:line_end]):
        return None  # One line with others, in braces.
    removed = remove_line(text, line_start, line_end)
    if not (text[block.start : removed.start] + text[removed.end : block.end]).strip(" \t\r\n"):
        before = block.start - (2 if text.startswith("\r\n", block.start - 2) else 1)
        opening = line_bounds(text, before)[0]
        closing = after_break(text, line_bounds(text, block.end)[1])
        removed = Span(opening, closing)
        if text.startswith(("\n", "\r"), closing):
            removed = Span(opening, remove_line(text, closing, closing).end)
    return Edit(removed.shift(placed.start_offset), "")


def _ends_line(rest: str) -> bool:
    return not rest.strip(" \t") or rest.lstrip(" \t").startswith("#")
