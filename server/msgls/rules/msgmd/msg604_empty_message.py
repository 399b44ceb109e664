"""A message has a title but no text to send.

## What it does
Looks for message cells that the model would see, with a title in their header and no
content below it. A cell without a title and without text is one that somebody is about
to write, and is not reported; nor is the definition of a temporary agent, which is
never sent.

## Why it matters
A title is for people: it shows in the outline, and is not sent. A question in the title
does not reach the model, which gets an empty message.

## Example
```markdown
# %% What is the weather in Paris?[^q1]

[^q1]: [markdown]
```
Use instead:
```markdown
# %% [^q1]

[^q1]: [markdown]

What is the weather in Paris?
```

## Fix safety
Not safe: the title is moved below the definition, and the model then sees it as text.
"""

from collections.abc import Iterator

from msgls.conversation.cell_visibility import sight_of
from msgls.conversation.visibility import Sight
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.content import escape
from msgls.formats.msgmd.mapped import mapped_content
from msgls.formats.msgmd.meaning import own_home
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.syntax.cells import Held
from msgls.text.spans import Edit, Span

# As a number: an operation on flags makes an object each time.
_SUPPRESSION = int(Held.SUPPRESSION)


class EmptyMessage(CellRule):
    code = "MSG604"
    name = "empty-message"
    severity = Severity.WARNING
    texts = {
        "message": (
            "this message has no text: its title is not sent, so the model sees nothing of it"
        ),
        "fix.move": "Make the title the text",
    }
    roles = (CellRole.MESSAGE,)

    def check(self, subject: Subject) -> Iterator[Problem]:
        cell = subject.cell
        home = own_home(cell)
        is_plain = len(cell.definitions) == 1 and not cell.holds & _SUPPRESSION
        # What follows the definition is the content, and nearly every cell has some.
        if is_plain and home is not None and cell.text[home.span.end :].strip():
            return
        header = cell.header
        if header is None or header.title.start == header.title.end:
            return
        sight = sight_of(subject.document, subject.meaning, subject.horizon)
        if sight is not Sight.SEEN or cell.fences:
            return
        if not mapped_content(subject.document, subject.placed).text:
            yield self.problem(subject.label, header.title)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        cell, base = placed.cell, placed.start_offset
        header = cell.header
        if header is None:
            return
        newline = document.newline
        home = own_home(cell)
        at = header.span.end if home is None else home.span.end
        text = escape(header.title.of(cell.text), ())
        tail = "" if cell.text[at:].startswith(("\n", "\r")) else newline
        moved = Edit(Span(at, at).shift(base), newline + newline + text + tail)
        yield Fix.of("fix.move", Edit(header.title.shift(base), ""), moved)
