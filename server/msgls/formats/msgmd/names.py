"""The names that a cell of a message file says: ids, agents, models and tools.

Whether the type of a definition is an agent, and whether a cell defines one, depends on other
cells: such a name counts where the document agrees (``features/msgmd/names.py``).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.formats.msgmd.attributes import value_inside
from msgls.syntax.cells import Cell, Definition, Id
from msgls.syntax.ids import CellId
from msgls.syntax.names import Name, NameKind, Use
from msgls.text.spans import Span

_NOT_AGENTS = frozenset({"markdown", "code", "raw", "tool"})


def names_in(cell: Cell) -> tuple[Name, ...]:
    """Every name that a cell says, in order."""
    return tuple(sorted(_names(cell), key=lambda name: (name.reach.start, name.span.end)))


def _names(cell: Cell) -> Iterator[Name]:
    if cell.frontmatter is not None:
        yield from _in_frontmatter(cell, cell.frontmatter)
    header = cell.header
    if header is not None and header.id is not None and header.id_brackets is not None:
        brackets = Span(header.id_brackets.start + 1, header.id_brackets.end)
        yield from _of_id(header.id, Use.DECLARES, brackets)
    for definition in cell.definitions:
        yield from _of_id(definition.id, Use.DEFINES, definition.id.span)
        yield from _in_definition(definition)
    for reference in cell.references:
        yield from _of_id(reference, Use.USES, reference.span)


def _of_id(identifier: Id, use: Use, reach: Span) -> Iterator[Name]:
    """An id says its own name, and with each of its first segments that of an ancestor."""
    start = identifier.span.start
    for name, segment in CellId(identifier.text).prefixes():
        is_own = len(name) == len(identifier.text)
        around = Span(
            reach.start if not segment.start else start + segment.start,
            reach.end if is_own else start + segment.end,
        )
        span = Span(start, start + len(name))
        yield Name(NameKind.CELL, name, span, use if is_own else Use.USES, around)


def _in_definition(definition: Definition) -> Iterator[Name]:
    span = definition.type_span
    if definition.type and span is not None and definition.type not in _NOT_AGENTS:
        yield Name(NameKind.AGENT, definition.type, span, Use.USES, span)
    name = definition.get("name")
    if name is None or not name.value:
        return
    inside = value_inside(name)
    reach = Span(max(name.key_span.end + 1, name.value_span.start), name.span.end)
    if definition.value("definition") == "agent":
        yield Name(NameKind.AGENT, name.value, inside, Use.DECLARES, reach)
    elif definition.type == "tool":
        yield Name(NameKind.TOOL, name.value, inside, Use.USES, reach)


def _in_frontmatter(cell: Cell, span: Span) -> Iterator[Name]:
    # Late: it brings YAML along, and most files have no frontmatter.
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    frontmatter = parse_frontmatter(span.of(cell.text), cell.frontmatter_closed)
    default = frontmatter.default_agent
    if default is not None:
        yield Name(NameKind.AGENT, default.text, default.span, Use.USES, default.span)
    for agent in frontmatter.agents:
        at = agent.name_span
        yield Name(NameKind.AGENT, agent.name, at, Use.DECLARES, at)
        for entry in agent.attributes:
            # What an alias says stands at its anchor.
            for node in entry.value.elements if entry.key == "models" else ():
                if node.kind == "scalar" and not entry.value.is_alias:
                    yield Name(NameKind.MODEL, node.text, node.span, Use.USES, node.span)
