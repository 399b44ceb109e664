r"""A line is nearly a cell header, but not quite.

## What it does
Finds lines that look like a header but are not: `#%%` without a space, six or more `#`,
`%%%%`, a marker indented by one to three spaces, `# %%title`, a full-width `＃` or `％`,
or a no-break space or another such space where an ordinary one belongs.

## Why it matters
Such a line does not start a cell. What follows it belongs to the previous cell, and the
model reads one long message where the author sees two.

## Example
```markdown
#%% A question[^q1]

[^q1]: [markdown]

Why is the sky blue?
```
Use instead:
```markdown
# %% A question[^q1]

[^q1]: [markdown]

Why is the sky blue?
```
If the line is meant as text, put `<!-- msgls: ignore MSG106 -->` on a line of its own
in the cell.

## Fix safety
Not safe: the line becomes a cell. If that cell lacks an id or a definition, it gets
them as by the fixes of MSG107 and MSG101, and the agent of a new answer is registered.
"""

from bisect import bisect_left
from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.msgmd.meaning import is_registered
from msgls.formats.msgmd.register import register_agent
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.msgmd.ids import likely_type
from msgls.rules.msgmd.msg101_header_without_definition import HeaderWithoutDefinition, defining
from msgls.rules.msgmd.msg107_cell_without_id import giving_id
from msgls.rules.msgmd.overview import overview
from msgls.rules.topics import Topic
from msgls.syntax.cells import CellKind
from msgls.text.spans import Edit, Span, apply_edits

# How much of what follows a line shows what its cell would be.
_ENOUGH = 1_000


class MalformedHeader(CellRule):
    code = "MSG106"
    name = "malformed-header"
    severity = Severity.WARNING
    texts = {
        "message": "this looks like a cell header but is read as text: did you mean `{mended}`?",
        "fix.mend": "Change to `{mended}`",
        "fix.whole": "Change to `{mended}` and define it",
    }
    wants = Topic.NEAR_MISS

    def check(self, subject: Subject) -> Iterator[Problem]:
        for near_miss in subject.cell.near_misses:
            yield self.problem(subject.label, near_miss.span, mended=near_miss.mended)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        holder = document.cell(problem.label)
        header = Edit(problem.span.shift(holder.start_offset), problem.args["mended"])
        edits = _whole(snapshot, holder, problem)
        if edits == (header,):
            yield Fix("fix.mend", edits, False, problem.args)
            return
        shown = edits[0].text.partition("\n")[0].partition("\r")[0]
        yield Fix("fix.whole", edits, False, {"mended": shown})


def _whole(snapshot: Snapshot, holder: Placed, problem: Problem) -> tuple[Edit, ...]:
    """The edit that makes a header, with those that give its cell an id and a definition."""
    document = snapshot.document
    span = problem.span.shift(holder.start_offset)
    header = problem.args["mended"]
    placed = _as_cell(document, holder, problem)
    if placed.cell.id is None:
        fresh_id = overview(document).fresh_id(holder.label, problem.span.start)
        found: Fix | None = giving_id(document, placed, fresh_id)
    else:
        found = _defining(snapshot, placed)
    made = Span(span.start, span.start + len(header))
    inside: list[Edit] = []
    after: list[Edit] = []
    for edit in () if found is None else found.edits:
        if made.covers(edit.span):
            inside.append(Edit(edit.span.shift(-span.start), edit.text))
        else:
            after.append(Edit(edit.span.shift(span.end - made.end), edit.text))
    whole = apply_edits(header, inside)
    unregistered = _unregistered_agent(document, placed) if whole != header else None
    register = None if unregistered is None else register_agent(document, unregistered)
    return Edit(span, whole), *after, *([] if register is None else [register])


def _as_cell(document: Document, holder: Placed, problem: Problem) -> Placed:
    """The cell that the line would start: its header and some of its content are enough.

    It ends where the next near miss is. Not the document with that edit: there may be very many
    of these lines in one cell, and each edit would read all that is after it.
    """
    format, near_misses = document.format, holder.cell.near_misses
    start = problem.span.end
    following = bisect_left(near_misses, start, key=lambda near_miss: near_miss.span.start)
    end = start + _ENOUGH
    if following < len(near_misses):
        end = min(end, near_misses[following].span.start)
    text = problem.args["mended"] + holder.cell.text[start:end]
    cell = format.parse([(format.read(format.split(text)[0]), format.start)])
    return Placed(cell, holder.label, holder.start_offset + problem.span.start, holder.start_line)


def _defining(snapshot: Snapshot, placed: Placed) -> Fix | None:
    """What defines the new cell, unless something at its home or elsewhere already does."""
    home = placed.cell.home
    if home is not None and home.id.text == placed.cell.id:
        return None
    document = snapshot.document
    # Not asked of the snapshot, which knows only cells of its document.
    subject = Subject(snapshot, snapshot.meaning(placed))
    lacking = HeaderWithoutDefinition().check(subject)
    return defining(document, placed) if any(True for _ in lacking) else None


def _unregistered_agent(document: Document, placed: Placed) -> str | None:
    """The agent of the new answer, if it is not registered."""
    cell_id = placed.cell.id or ""
    if placed.cell.kind is not CellKind.OUTPUT or "." in cell_id or placed.cell.home is not None:
        return None
    name = likely_type(document, placed, cell_id)
    return None if is_registered(document, name) else name
