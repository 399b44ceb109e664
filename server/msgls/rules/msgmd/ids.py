"""What several rules need to know about ids: their shape, which are free, which lines define them.

Owns no state and no rule. Lookups go through the index, so they cost the same in a
file of any size.
"""

import re
from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.meaning import DEFAULT_AGENT, TOOL, frontmatter_of, meaning_of
from msgls.formats.prose import code_spans
from msgls.syntax.cells import AttributeFault, CellKind, Definition, DefinitionHead
from msgls.syntax.ids import CellId, next_free
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span

_TAKEN_BY = ("header", "definition", "footnote", "malformed", "reference", "child")
# No one counts so far, and Python refuses to read the longest numbers.
_POSITIVE = lazy_pattern(r"0*([1-9][0-9]{0,8})", re.ASCII)
_TRAILING_NUMBER = lazy_pattern(r"(.*?)([0-9]{0,9})", re.ASCII | re.DOTALL)
_NONCE = lazy_pattern(r"[A-Za-z0-9_-]+", re.ASCII)
_BLANK = lazy_pattern(r"\s")
_ID = lazy_pattern(r"(?<!\\)\[\^([^\s\[\]^]+)\](?!\()")
_WELL_FORMED = lazy_pattern(r"[^\s.\[\]^]+(?:\.[^\s.\[\]^]+)*")
_TAG = lazy_pattern(r"<([A-Za-z_][\w.-]*)[\s/>]")


def positive_number(text: str) -> int | None:
    """The number of a result or a run, or nothing where it is not a positive number."""
    match = _POSITIVE.fullmatch(text)
    return None if match is None else int(match.group(1))


def is_unknown_run(cell_id: str) -> bool:
    """Whether an answer's id looks like that of a run: then its type is MSG111's, not MSG202's."""
    written = CellId(cell_id)
    return bool(written.root) and positive_number(written.rest) is not None


def is_nonce(text: str) -> bool:
    """Whether a call can have that nonce."""
    return _NONCE.fullmatch(text) is not None


def shape_fault(cell_id: str) -> str | None:
    """What is wrong with the characters of an id, on any cell."""
    if _WELL_FORMED.fullmatch(cell_id):
        return None
    if not cell_id:
        return "empty"
    if "[" in cell_id or "]" in cell_id or "^" in cell_id:
        return "bracket"
    if _BLANK.search(cell_id):
        return "blank"
    return None if all(CellId(cell_id).segments) else "segment"


def next_id_after(document: Document, cell_id: str) -> str:
    """The first id after ``cell_id`` that nothing in the file says: ``q2`` after ``q1``."""
    prefix, number, width = numbered_id(cell_id)
    return next_free(prefix, number, lambda other: not is_free(document, other), width)


def numbered_id(cell_id: str) -> tuple[str, int, int]:
    """The parts of the id that follows ``cell_id``: prefix, number and least count of digits."""
    match = _TRAILING_NUMBER.fullmatch(cell_id)
    prefix, digits = match.groups() if match is not None else (cell_id, "")
    return prefix, int(digits or "1") + 1, len(digits)


def is_free(document: Document, cell_id: str) -> bool:
    """Whether nothing in the file says that id."""
    return not any(document.entries(relation, cell_id) for relation in _TAKEN_BY)


def next_child(document: Document, parent_id: str, label: int | None = None) -> str:
    """The id of the next result or run of ``parent_id``, or of the cell at ``label`` as one.

    The number after that of the sibling before it, or after all of them if that is taken.
    """
    before = after = 0
    for entry in document.entries("child", parent_id):
        number = max([positive_number(str(payload)) or 0 for payload in entry.payloads])
        after = max(after, number)
        if label is None or entry.label < label:
            before = max(before, number)
    if document.entries("header", f"{parent_id}.{before + 1}"):
        before = after
    return f"{parent_id}.{before + 1}"


def untyped_definitions(document: Document, cell_id: str) -> Iterator[tuple[Placed, Definition]]:
    """Footnotes and half-written definitions with that id, in order; the preamble's do not count.

    They claim the id without saying what the cell is.
    """
    footnotes = document.entries("footnote", cell_id)
    malformed = document.entries("malformed", cell_id)
    if not footnotes and not malformed:
        return
    for label in sorted({entry.label for entry in (*footnotes, *malformed)}):
        placed = document.cell(label)
        if placed.cell.kind is CellKind.PREAMBLE:
            continue
        for definition in placed.cell.definitions_of(cell_id):
            if not definition.is_typed and definition.head is not DefinitionHead.DAMAGED:
                yield placed, definition


def is_referred_to(document: Document, cell_id: str) -> bool:
    """Whether the text of some cell refers to an id; what is in a title does not count."""
    said = document.entries("reference", cell_id)
    return any(not in_title for entry in said for in_title in entry.payloads)


def is_claimed(document: Document, definition: Definition) -> bool:
    """Whether a typed definition is not a remnant: a cell has its id, or it is a footnote."""
    cell_id = definition.id.text
    is_prose = any(p.fault is not AttributeFault.JOINED_PAIR for p in definition.problems)
    if is_prose or document.entries("header", cell_id):
        return True
    return not definition.attributes and is_referred_to(document, cell_id)


def waiting_definition(document: Document, placed: Placed) -> Definition | None:
    """The definition at a cell's home that is another id's, and no cell's: MSG102 has it."""
    home = placed.cell.home
    if home is None or not home.is_typed or not home.id.text:
        return None
    return None if is_claimed(document, home) else home


def likely_type(document: Document, placed: Placed, cell_id: str) -> str:
    """The likely type of a cell without a definition."""
    if placed.cell.kind is CellKind.MESSAGE:
        return "code" if _has_runs(document, cell_id) else "markdown"
    if "." in cell_id:
        return run_language(document, cell_id) or TOOL
    frontmatter = frontmatter_of(document)
    name = None if frontmatter is None else frontmatter.default_agent_name
    return name or min(document.agents_around, default=DEFAULT_AGENT)


def _has_runs(document: Document, cell_id: str) -> bool:
    """Whether outputs name the cell as the code that they come from."""
    for entry in document.entries("child", cell_id):
        if any(positive_number(str(payload)) for payload in entry.payloads):
            child = meaning_of(document, document.cell(entry.label))
            is_output = child.cell.kind is CellKind.OUTPUT
            if is_output and (child.role is CellRole.RUN or child.definition is None):
                return True
    return False


def likely_definition(document: Document, placed: Placed, cell_id: str) -> str:
    """The likely definition line of such a cell."""
    kind = likely_type(document, placed, cell_id)
    line = f"[^{cell_id}]: [{kind}]"
    if kind == TOOL and cell_id.count(".") == 1:
        tag = _TAG.search(placed.cell.text, placed.cell.body.start)
        if tag is not None:
            line += f' name="{tag.group(1)}"'
    return line


def run_language(document: Document, cell_id: str) -> str | None:
    """The language of the code cell that ``cell_id`` would be a run of."""
    written = CellId(cell_id)
    if positive_number(written.rest) is None:
        return None
    for entry in document.entries("header", written.root):
        cell = document.cell(entry.label).cell
        if cell.kind is CellKind.MESSAGE and cell.code_block is not None:
            return cell.code_block.info.of(cell.text).partition(" ")[0] or None
    return None


def is_last(document: Document, placed: Placed) -> bool:
    """Whether the file ends with that cell."""
    return document.cell_number(document.cell_count - 1).label == placed.label


def id_in_title(placed: Placed) -> str | None:
    """The last ``[^id]`` of a header that is not at its end, and so is not its id."""
    header = placed.cell.header
    if header is None or header.id is not None:
        return None
    title = header.title.of(placed.cell.text)
    code = list(code_spans(title, 0, len(title)))
    for found in reversed(list(_ID.finditer(title))):
        if not any(start <= found.start() < end for start, end in code):
            return found.group(1)
    return None


def give_id(placed: Placed, cell_id: str) -> Edit:
    """Put an id at the end of a header that has none; from further in, where it is there."""
    header = placed.cell.header
    assert header is not None, "the preamble gets no id"
    title = header.title.of(placed.cell.text)
    if id_in_title(placed) == cell_id:
        before, _, after = title.rpartition(f"[^{cell_id}]")
        gap = " " if before.strip(" \t") and after.strip(" \t") else ""
        words = before.rstrip(" \t") + gap + after.strip(" \t")
        span = Span(header.title.start, header.span.end).shift(placed.start_offset)
        return Edit(span, f"{words}[^{cell_id}]")
    has_title = bool(title)
    at = header.title.end if has_title else header.percents.end
    # A backslash at the end of the title would make the brackets plain text.
    is_apart = not has_title or placed.cell.text[at - 1] == "\\"
    span = Span(at, header.span.end).shift(placed.start_offset)
    return Edit(span, f"{' ' if is_apart else ''}[^{cell_id}]")
