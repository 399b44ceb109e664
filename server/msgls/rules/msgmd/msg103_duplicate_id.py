"""An id is used twice.

## What it does
Looks for three kinds of repetition: a second header with an id, a second definition of
it, and an ordinary footnote with the id of a cell that has a definition (of one that
has none, it is MSG108). The later one is reported, and the earlier one is shown as
related.

The calls, results and runs that belong to the second cell are not reported again. A
repeated number of a result or a run is MSG304 or MSG407, and the two sides of an
unresolved merge conflict are MSG112.

## Why it matters
An id is how everything else finds a cell: definitions, tool calls, references. If two
cells share one, a result may answer the wrong call, and an attribute may change the
wrong message. Of two definitions the one below the header is used, or else the first:
the attributes of the other one, such as `history=exclude`, have no effect.

## Example
```markdown
# %% First question[^q1]

[^q1]: [markdown]

How old is the universe?

# %% Second question[^q1]

[^q1]: [markdown]

And how do we know?
```
Use instead:
```markdown
# %% First question[^q1]

[^q1]: [markdown]

How old is the universe?

# %% Second question[^q2]

[^q2]: [markdown]

And how do we know?
```

## Fix safety
Not safe: the later cell gets the next free id, and its calls, results and runs are
renamed with it, up to the next cell with that id. A cell that shared the definition of
the earlier one gets its own, and stays hidden from the model if it was. A footnote gets
another id, and the references in its cell with it. Of two definitions, the one that has
no effect is removed.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.conflicts import Conflict, conflicts
from msgls.formats.msgmd.edits import (
    insert_definition,
    own_definition,
    remove_line,
    rename_cells,
)
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, TOOL, is_honoured, new_nonce
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Related, Severity
from msgls.rules.msgmd.ids import likely_definition, next_id_after, untyped_definitions
from msgls.rules.msgmd.overview import overview
from msgls.rules.msgmd.parents import header_id, is_child, numbered, related_id
from msgls.rules.topics import FamilyTopic
from msgls.syntax.cells import CellKind, Definition
from msgls.syntax.ids import CellId
from msgls.text.spans import Edit, Span

_HEADER = "message.header"
_DEFINITION = "message.definition"
_FOOTNOTE = "message.footnote"
_WHO_SEES_IT = ("history", "summary", "virtual")


class DuplicateId(FamilyRule):
    code = "MSG103"
    name = "duplicate-id"
    severity = Severity.ERROR
    texts = {
        "message.header": "the id `{id}` is taken by an earlier cell",
        "message.definition": "`{id}` has a definition already",
        "message.footnote": "this footnote has the id of the cell `{id}`",
        "related.header": "the earlier cell `{id}`",
        "related.definition": "the definition of `{id}`",
        "fix.rename": "Change the id to `{id}`, here and in the cells that belong to it",
        "fix.footnote": "Change the footnote's id to `{id}`",
        "fix.remove": "Remove the definition that has no effect",
    }
    wants = FamilyTopic.REPEATED

    def check(self, family: Family) -> Iterator[Problem]:
        entries = family.document.entries
        for cell_id in family.ids:
            headers = len(entries("header", cell_id))
            if headers > 1:
                yield from self._headers(family, cell_id)
            if headers:
                yield from self._definitions(family, cell_id, headers)

    def _headers(self, family: Family, cell_id: str) -> Iterator[Problem]:
        first: dict[int | None, Meaning] = {}
        same = family.named(cell_id)
        merges = _open_merges(family.document)
        for number, member in enumerate(same):
            if numbered(family, member) is not None:
                continue
            parent = _shape_owner(family, member)
            original = first.setdefault(parent, member)
            if original is member or _is_other_side(merges, original, member):
                continue
            stop = same[number + 1].placed.label if number + 1 < len(same) else None
            yield Problem(
                self.code,
                member.placed.label,
                header_id(member).span,
                _HEADER,
                {"id": cell_id},
                (related_id(original, "related.header", id=cell_id),),
                data=_descendants(family, member, stop),
            )

    def _definitions(self, family: Family, cell_id: str, headers: int) -> Iterator[Problem]:
        entries = family.document.entries
        typed_entries = entries("definition", cell_id)
        if not typed_entries:
            return
        subject = entries("header", cell_id)[0].label
        if len(typed_entries) > 1 or len(typed_entries[0].payloads) > 1:
            inside = [
                (placed, definition)
                for placed, definition in family.definitions(cell_id)
                if placed.cell.kind is not CellKind.PREAMBLE
            ]
            for placed, definition in inside[headers:]:
                yield self._line(placed, definition, _DEFINITION, inside[0], subject)
        for placed, definition in untyped_definitions(family.document, cell_id):
            typed = family.definitions(cell_id)[0]
            yield self._line(placed, definition, _FOOTNOTE, typed, subject)

    def _line(
        self,
        placed: Placed,
        definition: Definition,
        key: str,
        earlier: tuple[Placed, Definition],
        subject: int,
    ) -> Problem:
        args = {"id": definition.id.text}
        related = Related(earlier[0].label, earlier[1].span, "related.definition", args)
        span = definition.span
        return Problem(self.code, placed.label, span, key, args, (related,), subject)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        if problem.key == _HEADER:
            new_ids = _new_ids(snapshot, placed, problem.data)
            last = problem.data[-1] if problem.data else placed.label
            prose = range(placed.label, last + 1)
            edits = rename_cells(document, new_ids, prose)
            for label, new_id in new_ids.items():
                edits += _lost_definition(snapshot, document.cell(label), new_id)
            yield Fix.of("fix.rename", *edits, id=new_ids[placed.label])
        elif problem.key == _FOOTNOTE:
            new_id = next_id_after(document, problem.args["id"])
            yield Fix.of("fix.footnote", *_footnote(placed, problem, new_id), id=new_id)
        else:
            surplus = _surplus(document, problem)
            if surplus is not None:
                holder, span = surplus
                line = remove_line(holder.cell.text, *span).shift(holder.start_offset)
                yield Fix.of("fix.remove", Edit(line, ""))


def _open_merges(document: Document) -> list[Conflict]:
    """The conflicts through cells; one that opens in the frontmatter is a case by itself."""
    if not document.entries("conflict", "<"):
        return []
    first = document.cell_number(0)
    head = -1 if first.cell.frontmatter is None else first.cell.frontmatter.end
    return [
        conflict
        for conflict in conflicts(document)
        if conflict.ours.label != first.label or conflict.ours.span.start >= head
    ]


def _is_other_side(merges: list[Conflict], original: Meaning, member: Meaning) -> bool:
    """Whether the two are both sides of a merge, of which only one will stay: MSG112."""
    one, other = original.placed.label, member.placed.label
    for ours, base, theirs, end in merges:
        if theirs is None or not theirs.label < other <= end.label:
            continue
        if ours.label < one <= (base or theirs).label:
            return True
    return False


def _shape_owner(family: Family, member: Meaning) -> int | None:
    """The label of the nearest cell before that the id says it belongs to."""
    parent_id = CellId(member.cell.id or "").parent
    parents = family.named(parent_id) if parent_id else ()
    before = bisect_right(parents, member.placed.label, key=_label)
    return parents[before - 1].placed.label if before else None


def _label(meaning: Meaning) -> int:
    return meaning.placed.label


def _descendants(family: Family, member: Meaning, stop: int | None) -> tuple[int, ...]:
    """The labels of what belongs to a cell, up to the next one of the same id."""
    own_id = member.cell.id or ""
    found: dict[int, None] = {}
    after = bisect_right(family.members, member.placed.label, key=_label)
    for other in islice(family.members, after, None) if family.has_children else ():
        label, other_id = other.placed.label, other.cell.id or ""
        if stop is not None and label >= stop:
            break
        if not other_id.startswith(f"{own_id}."):
            continue
        if CellId(other_id).parent == own_id or _shape_owner(family, other) in found:
            found[label] = None
    return tuple(found)


def _new_ids(snapshot: Snapshot, placed: Placed, descendants: tuple[int, ...]) -> dict[int, str]:
    """New ids for a cell and what belongs to it; calls that keep a twin get a new nonce."""
    document, old_id = snapshot.document, placed.cell.id or ""
    meaning = snapshot.meaning(placed)
    if meaning.role is CellRole.CALL and is_child(meaning):
        new_id = f"{old_id.partition('.')[0]}.{new_nonce(document)}"
    else:
        new_id = overview(document).fresh_id(placed.label)
    renamed = {placed.label, *descendants}
    nonces: dict[str, str] = {}
    new_ids = {placed.label: new_id}
    for label in descendants:
        child_id = document.cell(label).cell.id or ""
        segments = CellId(child_id.removeprefix(f"{old_id}.")).segments
        nonce = segments[0]
        if "." not in old_id and nonce not in nonces:
            others = document.entries("nonce", nonce)
            is_shared = any(entry.label not in renamed for entry in others)
            nonces[nonce] = new_nonce(document) if is_shared else nonce
        segments[0] = nonces.get(nonce, nonce)
        new_ids[label] = ".".join([new_id, *segments])
    return new_ids


def _lost_definition(snapshot: Snapshot, placed: Placed, new_id: str) -> Iterator[Edit]:
    """The definition that a cell needs under another id, where it shared that of its twin."""
    document, home = snapshot.document, placed.cell.home
    if own_definition(document, placed) is not None:
        return
    if home is not None and home.id.text == placed.cell.id:
        return
    meaning = snapshot.meaning(placed)
    kind = meaning.type
    if kind is None:
        return
    is_message = placed.cell.kind is CellKind.MESSAGE
    line = f"[^{new_id}]: [{kind}]"
    if is_message is not (kind in MESSAGE_TYPES) or kind == TOOL:
        line = likely_definition(document, placed, new_id)
    definition, holder = meaning.definition, meaning.holder
    if definition is not None and holder is not None:
        marks = [mark for mark in definition.attributes if mark.key in _WHO_SEES_IT]
        line = " ".join([line, *[mark.span.of(holder.cell.text) for mark in marks]])
    yield insert_definition(document, placed, line)


def _footnote(placed: Placed, problem: Problem, new_id: str) -> Iterator[Edit]:
    """The footnote with another id, and the references of its cell with it."""
    cell, base = placed.cell, placed.start_offset
    for definition in cell.definitions_of(problem.args["id"]):
        if definition.span == problem.span:
            yield Edit(definition.id.span.shift(base), new_id)
    for reference in cell.references_to(problem.args["id"]):
        yield Edit(reference.span.shift(base), new_id)


def _surplus(document: Document, problem: Problem) -> tuple[Placed, Span] | None:
    """The one of two definitions that does not count: the later one, unless it is at home."""
    earlier = problem.related[0]
    for label, span in ((problem.label, problem.span), (earlier.label, earlier.span)):
        holder = document.cell(label)
        for definition in holder.cell.definitions:
            if definition.span == span and not is_honoured(document, holder, definition):
                return holder, span
    return None
