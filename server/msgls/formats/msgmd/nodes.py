"""The nodes and links of a cell of a message file. The Markdown in it is left to the grammar."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.formats.prose import is_relative, linked, section_end
from msgls.syntax.cells import Cell, CellKind, Definition, Header, Id
from msgls.syntax.ids import CellId
from msgls.syntax.nodes import FoldKind, Link, Node, NodeKind
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

_NUMBERS = frozenset("0123456789")
_OWN_TYPES = ("markdown", "code", "raw", "tool")


def nodes_in(cell: Cell) -> tuple[Node, ...]:
    """Every node of a cell."""
    return tuple(_nodes(cell))


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
    for number, heading in enumerate(cell.headings):
        span = Span(heading.span.start, section_end(cell.headings, number, cell.length))
        yield Node(NodeKind.SECTION, span, (), FoldKind.BLOCK)


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
    """Definitions that stand together, as where a writer puts all of them at the end."""
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


def links_in(cell: Cell) -> tuple[Link, ...]:
    """What ``output_file`` names, and relative links and images in the prose."""
    found = []
    for definition in cell.definitions:
        attribute = definition.get("output_file")
        if attribute is not None and is_relative(attribute.value):
            inner = 1 if attribute.quote else 0
            span = Span(attribute.value_span.start + inner, attribute.value_span.end - inner)
            found.append(Link(span, attribute.value))
    return (*found, *prose_links(cell))


def prose_links(cell: Cell) -> tuple[Link, ...]:
    """The relative links and images of a cell's body."""
    return tuple([Link(span, target) for span, target in linked(cell)])
