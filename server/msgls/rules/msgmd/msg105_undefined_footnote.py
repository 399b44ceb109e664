r"""The text refers to a footnote that is not there.

## What it does
Looks for `[^x]` in the prose of messages and answers where nothing is called `x`:
neither a footnote nor a definition nor a cell. Code, raw messages, tool calls, their
results and the output of programs are not prose, and neither is what stands before the
first cell.

## Why it matters
Markdown viewers show such a reference as plain text. Either the footnote was forgotten,
or the id of a cell was changed and this reference was not.

## Example
```markdown
The effect is well known[^1].
```
Use instead:
```markdown
The effect is well known[^1].

[^1]: Rayleigh, 1871.
```
Where the brackets mean something else, put them between back-quotes, or a backslash
before them: `\[^x]`.

## Fix safety
There is no fix: what the footnote should say, only its author knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgls.formats.msgmd.meaning import CellRole
from msgls.model.cells import Id
from msgls.rules.base import CellRule, Problem, Severity, Subject
from msgls.text.lines import line_bounds

_QUOTE = re.compile(r"[ \t>*+-]*(?:[0-9]{1,9}[.)][ \t]+)?")
_DEFINED_BY = ("header", "definition", "footnote", "malformed")


class UndefinedFootnote(CellRule):
    """See the module."""

    code = "MSG105"
    name = "undefined-footnote"
    severity = Severity.INFORMATION
    roles = (CellRole.MESSAGE, CellRole.ANSWER)

    def check(self, subject: Subject) -> Iterator[Problem]:
        """References to what nothing in the file is called."""
        references = subject.cell.references
        if not references or subject.meaning.type == "raw":
            return
        entries = subject.document.entries
        for reference in references:
            if any(entries(relation, reference.text) for relation in _DEFINED_BY):
                continue
            if not _is_quoted_footnote(subject.cell.text, reference):
                yield self.problem(subject.order, reference.span, id=reference.text)


def _is_quoted_footnote(text: str, reference: Id) -> bool:
    """Whether it is no reference but a footnote, in a quote or a list: `> [^x]: Rayleigh`."""
    start, end = reference.span
    if not text.startswith("]:", end):
        return False
    return _QUOTE.fullmatch(text, line_bounds(text, start)[0], start - 2) is not None
