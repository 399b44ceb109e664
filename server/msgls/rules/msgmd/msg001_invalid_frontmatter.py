"""The frontmatter cannot be read.

## What it does
Looks at the block between `---` lines at the very start of the file: it must be
valid YAML, hold `key: value` pairs, and end with a line `---`.

## Why it matters
The frontmatter registers the agents and names the default one. While it cannot be read,
none of that has any effect, and the agents of answers are unknown.

## Example
```markdown
---
agents:
  writer: {models: [gpt-4o]

# %% A question[^q1]

[^q1]: [markdown]

Why is the sky blue?
```
Use instead:
```markdown
---
agents:
  writer: {models: [gpt-4o]}
---

# %% A question[^q1]

[^q1]: [markdown]

Why is the sky blue?
```

## Fix safety
There is a fix for a block that is not closed: it puts `---` after the last line that
still makes valid YAML. It is not safe, because where the block ends is a guess.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.conflicts import has_conflict_in_frontmatter
from msgls.formats.msgmd.meaning import frontmatter_of
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.text.lines import line_starts, without_break
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import as_phrase
from msgls.text.spans import Edit, Span

_KEYS = {
    "invalid-yaml": "message.yaml",
    "not-a-mapping": "message.mapping",
    "not-closed": "message.open",
}
_MOST_TRIALS = 20
_BLANK_OR_COMMENT = lazy_pattern(r"[ \t]*(?:#.*)?\Z", re.DOTALL)
_LIKE_YAML = lazy_pattern(r"[ \t]+\S|-(?: |\Z)|[\"'\w][^:]*:(?:[ \t]|\Z)|[\]}]")


class InvalidFrontmatter(CellRule):
    code = "MSG001"
    name = "invalid-frontmatter"
    severity = Severity.ERROR
    texts = {
        "message.yaml": "the frontmatter is not valid YAML: {detail}",
        "message.mapping": "the frontmatter must consist of `key: value` pairs",
        "message.open": "the frontmatter is not closed: the line `---` at its end is missing",
        "fix.close": "Close the frontmatter with `---`",
    }
    roles = (CellRole.PREAMBLE,)

    def check(self, subject: Subject) -> Iterator[Problem]:
        """What keeps the YAML from being read; the marks of a merge are MSG112's."""
        if subject.cell.frontmatter is None:
            return
        frontmatter = frontmatter_of(subject.document)
        if frontmatter is None or not frontmatter.problems:
            return
        if has_conflict_in_frontmatter(subject.cell):
            return
        for problem in frontmatter.problems:
            key = _KEYS.get(problem.kind)
            if key is not None:
                yield self.problem(
                    subject.label, problem.span, key, detail=as_phrase(problem.detail)
                )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        block = placed.cell.frontmatter
        if problem.key != "message.open" or block is None:
            return
        closing = document.newline + "---"
        text = block.of(placed.cell.text)
        # Imported late: it brings YAML along, and only a fix asks for it.
        from msgls.formats.msgmd.frontmatter import parse_frontmatter

        for end in _likely_ends(text)[: -_MOST_TRIALS - 1 : -1]:
            problems = parse_frontmatter(text[:end] + closing).problems
            if not any(problem.kind in _KEYS for problem in problems):
                yield Fix.of("fix.close", Edit(Span(end, end), closing))
                return


def _likely_ends(text: str) -> list[int]:
    """The ends of lines that read like YAML, from the top; else that of the opening line.

    Without those that an indented line follows, which belongs to them.
    """
    starts = line_starts(text)
    ends: list[int] = []
    for start, stop in pairwise([*starts[1:], len(text)]):
        line = without_break(text[start:stop])
        if _BLANK_OR_COMMENT.match(line):
            continue
        if not _LIKE_YAML.match(line):
            break
        if ends and line[0] in " \t":
            ends.pop()
        ends.append(start + len(line))
    return ends or [len(without_break(text[: starts[1]] if len(starts) > 1 else text))]
