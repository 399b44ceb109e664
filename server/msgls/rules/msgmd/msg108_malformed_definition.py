"""The definition of a cell cannot be read.

## What it does
Looks at lines that seem to define a cell but cannot be read as its definition: a
bracket that is not closed, as in `[^q1: [markdown]` or `[^q1]: [tool name="x"`, no
space after the type, as in `[^q1]: [raw]history=none`, or no type at all, as in `[^q1]:
history=none`. Such a line without a type is an ordinary Markdown footnote unless its id
is that of a cell. If that cell has a definition with a type too, it is MSG103.

## Why it matters
The cell is read as if it had no definition: its type and its attributes are lost, and
the line becomes part of what the model reads. Only what hides the cell still counts:
anywhere if the line has a type or a bracket that is not closed, else only right below the
cell's header.

## Example
```markdown
# %% A question[^q1]

[^q1]: [markdown history=none
```
Use instead:
```markdown
# %% A question[^q1]

[^q1]: [markdown] history=none
```

## Fix safety
Not safe. There is a fix where only one reading makes sense: the bracket is closed, the
type gets a space after it, the known type gets its brackets, or a message cell without
a type becomes `[markdown]`.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.msgmd.definitions import parse_attributes, parse_definition
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, TOOL, is_language, is_registered
from msgls.rules.base import CellRule, Fix, Problem, Related, Severity, Subject
from msgls.rules.definitions import cell_of, definition_at
from msgls.rules.msgmd.ids import untyped_definitions
from msgls.rules.topics import Topic
from msgls.syntax.cells import CellKind, Definition, DefinitionHead
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit

_TYPE_AND_PAIR = lazy_pattern(r"[ ]{0,3}\[\^[^\[\]]*\]:[ \t]*\[[^\[\]]+\](?=[^\W\d])")
_WORD = lazy_pattern(r"[^ \t\[\]=\"']+(?=[ \t]|\Z)")


class MalformedDefinition(CellRule):
    code = "MSG108"
    name = "malformed-definition"
    severity = Severity.ERROR
    texts = {
        "message.id": "the definition of `{id}` cannot be read: `]` is missing after the id",
        "message.bracket": (
            "the definition of `{id}` cannot be read: `]` is missing after the type"
        ),
        "message.type": (
            "the definition of the cell `{id}` has no type: `[^{id}]: [type]` is expected"
        ),
        "message.blank": (
            "the definition of `{id}` cannot be read: a space is missing after the type"
        ),
        "related": "the cell `{id}`",
        "fix.mend": "Change to `{mended}`",
    }
    wants = Topic.UNDEFINED

    def check(self, subject: Subject) -> Iterator[Problem]:
        header = subject.cell.header
        if subject.definition is not None or header is None or header.id is None:
            return
        cell_id = header.id.text
        found = next(untyped_definitions(subject.document, cell_id), None)
        if found is None or subject.document.entries("header", cell_id)[0].label != subject.label:
            return
        holder, definition = found
        key = _KEYS[definition.head]
        if key == "message.type" and _with_blank(definition.span.of(holder.cell.text)) is not None:
            key = "message.blank"
        yield Problem(
            self.code,
            holder.label,
            definition.span,
            key,
            {"id": cell_id},
            (Related(subject.label, header.id.span, "related", {"id": cell_id}),),
            subject.label,
        )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        definition, holder = definition_at(document, problem)
        mended = mended_line(document, cell_of(document, problem), holder, definition)
        if mended is not None:
            span = definition.span.shift(holder.start_offset)
            yield Fix.of("fix.mend", Edit(span, mended), mended=mended)


_KEYS = {
    DefinitionHead.PROSE: "message.type",
    DefinitionHead.UNCLOSED_ID: "message.id",
    DefinitionHead.UNCLOSED_TYPE: "message.bracket",
}


def mended_line(
    document: Document,
    owner: Placed,
    holder: Placed,
    definition: Definition,
) -> str | None:
    """The line as it was meant, or nothing where that is a guess."""
    line = definition.span.of(holder.cell.text)
    end = definition.id.span.end - definition.span.start
    if definition.head is DefinitionHead.UNCLOSED_ID:
        mended = f"{line[:end]}]{line[end:]}"
    elif definition.head is DefinitionHead.UNCLOSED_TYPE and definition.type_span is not None:
        at = definition.type_span.end - definition.span.start
        mended = f"{line[:at]}]{line[at:].rstrip(' ').removesuffix(']')}"
    elif (parted := _with_blank(line)) is not None:
        mended = parted
    else:
        start = line.index(":", end) + 1
        kind, rest = _type_of(document, owner, line[start:].strip(" \t"))
        if kind is None:
            return None
        mended = f"{line[:start]} [{kind}] {rest}".rstrip(" ")
    read = parse_definition(mended, 0, len(mended))
    return mended if read is not None and read.is_typed and not read.problems else None


def _with_blank(line: str) -> str | None:
    """The line with a space after its type, where nothing else is missing: `[raw]history=0`."""
    typed = _TYPE_AND_PAIR.match(line)
    if typed is None:
        return None
    mended = f"{line[: typed.end()]} {line[typed.end() :]}"
    read = parse_definition(mended, 0, len(mended))
    return mended if read is not None and read.is_typed and not read.problems else None


def _type_of(document: Document, owner: Placed, text: str) -> tuple[str | None, str]:
    """The type that a definition without brackets means, and the attributes after it."""
    is_message = owner.cell.kind is CellKind.MESSAGE
    word = _WORD.match(text)
    if word is not None:
        name, rest = word.group(), text[word.end() :].strip(" \t")
        if is_message:
            known = name in MESSAGE_TYPES
        else:
            known = name == TOOL or is_registered(document, name)
            known = known or ("." in (owner.cell.id or "") and is_language(name))
        return (name, rest) if known else (None, "")
    attributes, problems = parse_attributes(text, 0, len(text))
    readable = not problems and len(attributes) == len({pair.key for pair in attributes})
    return ("markdown" if is_message and readable else None), text
