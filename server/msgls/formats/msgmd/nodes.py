"""The nodes, links and names of a cell of a message file. Its Markdown is left to the grammar.

Whether the type of a definition is an agent, and whether a cell defines one, depends on other
cells: such a name counts where the document agrees (``features/msgmd/names.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgls.formats.msgmd.attributes import value_inside
from msgls.formats.prose import is_relative, linked, section_ends
from msgls.syntax.cells import Cell, CellKind, Definition, Header, Id
from msgls.syntax.ids import CellId
from msgls.syntax.names import Name, NameKind, Use
from msgls.syntax.nodes import FoldKind, Link, Node, NodeKind
from msgls.text.phrases import Phrase
from msgls.text.spans import Span
from msgls.text.work import MANY, Work, gathered

if TYPE_CHECKING:
    from msgls.formats.agents import AgentSettings
    from msgls.formats.msgmd.frontmatter import YamlEntry

_NUMBERS = frozenset("0123456789")
_OWN_TYPES = ("markdown", "code", "raw", "tool")


def reading_nodes(cell: Cell) -> Work[tuple[Node, ...]]:
    """Every node of a cell."""
    yield from cell.reading("definitions", "references", "suppressions", "fences", "headings")
    if cell.kind is CellKind.OUTPUT:
        yield from cell.reading("output_lines")
    return tuple((yield from gathered(_nodes(cell), MANY)))


def _nodes(cell: Cell) -> Iterator[Node]:
    if cell.frontmatter is not None:
        label = Phrase("frontmatter")
        yield Node(NodeKind.FRONTMATTER, cell.frontmatter, (), FoldKind.IMPORTS, label)
    if cell.header is not None:
        yield from _header(cell.header, cell.kind is CellKind.OUTPUT)
    for definition in cell.definitions:
        yield from _definition(definition)
    yield from _definition_groups(cell)
    for reference in cell.references:
        yield from _id(reference)
    for suppression in cell.suppressions:
        yield Node(NodeKind.COMMENT, suppression.span, ("comment",))
    for line in cell.output_lines if cell.kind is CellKind.OUTPUT else ():
        if line.stream:
            is_error = ("deprecated",) if line.stream == "stderr" else ()
            prefix = Span(line.span.start, line.content.start)
            yield Node(NodeKind.STREAM, prefix, ("macro", *is_error))
    content = cell.body.start if cell.home is None else cell.home.span.end
    yield from markdown_nodes(cell, Span(min(content, cell.length), cell.length))


def markdown_nodes(cell: Cell, content: Span) -> Iterator[Node]:
    """The content, its fences and the sections below its headings."""
    yield Node(NodeKind.TEXT, content)
    for fence in cell.fences:
        yield Node(NodeKind.FENCE, fence.span, (), FoldKind.BLOCK)
        yield Node(NodeKind.TEXT, fence.content)
    for heading, end in zip(cell.headings, section_ends(cell.headings, cell.length), strict=True):
        yield Node(NodeKind.SECTION, Span(heading.span.start, end), (), FoldKind.BLOCK)


def _header(header: Header, is_output: bool) -> Iterator[Node]:
    yield Node(NodeKind.HEADER, header.span)
    output = ("modification",) if is_output else ()
    yield Node(NodeKind.MARKER, header.marker, ("keyword", *output))
    yield Node(NodeKind.TITLE, header.title)
    if header.id is not None:
        yield from _id(header.id, "declaration")


def _id(identifier: Id, *modifiers: str, coloured: bool = True) -> Iterator[Node]:
    """The first segment is the name, the second the nonce or a number, the third a number."""
    yield Node(NodeKind.ID, identifier.span)
    for _, span in CellId(identifier.text).prefixes():
        segment = span.of(identifier.text)
        token = "variable"
        if span.start:
            token = "number" if _NUMBERS.issuperset(segment) else "enumMember"
        shown = (token, *modifiers) if segment and coloured else ()
        yield Node(NodeKind.SEGMENT, span.shift(identifier.span.start), shown)


def _definition(definition: Definition) -> Iterator[Node]:
    typed = definition.is_typed
    yield from _id(definition.id, "definition", coloured=typed)
    if definition.type_span is not None and typed:
        token = "type" if definition.type in _OWN_TYPES else "class"
        yield Node(NodeKind.TYPE, definition.type_span, (token,))
    for attribute in definition.attributes:
        yield Node(NodeKind.FIELD, attribute.span)
        yield Node(NodeKind.KEY, attribute.key_span, ("property",) if typed else ())
        number = attribute.value and _NUMBERS.issuperset(attribute.value)
        has_value = attribute.value_span.end > attribute.value_span.start
        token = "number" if number else "string"
        yield Node(NodeKind.VALUE, attribute.value_span, (token,) if typed and has_value else ())


def _definition_groups(cell: Cell) -> Iterator[Node]:
    """Definitions that are together, as where a writer puts all of them at the end."""
    definitions = cell.definitions
    first = 0
    for number, definition in enumerate(definitions):
        end = definition.span.end
        following = definitions[number + 1 : number + 2]
        if following and not cell.text[end : following[0].span.start].strip(" \t\r\n"):
            continue
        if number > first:
            span = Span(definitions[first].span.start, end)
            label = Phrase("definitions")
            yield Node(NodeKind.DEFINITIONS, span, (), FoldKind.COMMENT, label)
        first = number + 1


def reading_links(cell: Cell) -> Work[tuple[Link, ...]]:
    """What ``output_file`` names, and relative links and images in the prose."""
    yield from cell.reading("definitions", "fences")
    return tuple((yield from gathered(_links(cell), MANY)))


def _links(cell: Cell) -> Iterator[Link]:
    for definition in cell.definitions:
        attribute = definition.get("output_file")
        if attribute is not None and is_relative(attribute.value):
            yield Link(value_inside(attribute), attribute.value)
    yield from prose_links(cell)


def prose_links(cell: Cell) -> Iterator[Link]:
    """The relative links and images of a cell's body."""
    return (Link(span, target) for span, target in linked(cell))


_NOT_AGENTS = frozenset({"markdown", "code", "raw", "tool"})


def reading_names(cell: Cell) -> Work[tuple[Name, ...]]:
    """Every name that a cell says, in order."""
    yield from cell.reading("definitions", "references")
    found = yield from gathered(_names(cell), MANY)
    return tuple(sorted(found, key=lambda name: (name.reach.start, name.span.end)))


def _names(cell: Cell) -> Iterator[Name]:
    if cell.frontmatter is not None:
        yield from _in_frontmatter(cell, cell.frontmatter)
    if cell.agent_block is not None:
        yield from _in_agent_block(cell, cell.agent_block)
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
    if not definition.is_typed:
        return
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
    # Imported late: it brings YAML along, and most files have no frontmatter.
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    frontmatter = parse_frontmatter(span.of(cell.text), cell.frontmatter_closed)
    default = frontmatter.default_agent
    if default is not None:
        yield Name(NameKind.AGENT, default.text, default.span, Use.USES, default.span)
    for agent in frontmatter.agents:
        at = agent.name_span
        yield Name(NameKind.AGENT, agent.name, at, Use.DECLARES, at)
        yield from _models(agent.attributes, agent.values, 0)


def _in_agent_block(cell: Cell, block: Span) -> Iterator[Name]:
    from msgls.formats.msgmd.frontmatter import parse_agent_block

    agent = cell.definitions[0].get("name")
    if agent is not None and agent.value:
        read = parse_agent_block(block.of(cell.text))
        yield from _models(read.attributes, read.values, block.start)


def _models(attributes: Iterable[YamlEntry], values: AgentSettings, start: int) -> Iterator[Name]:
    """The models of an agent, whose attributes are relative to ``start``."""
    for entry in attributes:
        # What an alias says is at its anchor.
        for node in entry.value.elements if entry.key == "models" else ():
            if node.text in values.models and not entry.value.is_alias:
                span = node.span.shift(start)
                yield Name(NameKind.MODEL, node.text, span, Use.USES, span)
