"""The nodes, links and names of a message of a Simple Text Format file.

Content, comments and JSON5 are left to the grammar, which finds them as the server does. Its
names are the ids of messages and of calls.
"""

from collections.abc import Iterator

from msgls.formats.stf.arguments import Argument
from msgls.formats.stf.calls import commands_of
from msgls.formats.stf.cells import ROLES_BY_LETTER, IdKind, StfCell
from msgls.formats.stf.commands import ROLES, relative_path
from msgls.formats.stf.lexer import Command
from msgls.syntax.names import Name, NameKind, Use
from msgls.syntax.nodes import FoldKind, Link, Node, NodeKind
from msgls.text.lines import after_break
from msgls.text.spans import Span

_ANSWERING = frozenset({"assistant", "tool"})


def nodes_in(cell: StfCell) -> tuple[Node, ...]:
    """Every node of a cell."""
    return tuple(_nodes(cell))


def _nodes(cell: StfCell) -> Iterator[Node]:
    ids = {place.written: place.kind for place in cell.ids}
    for command in commands_of(cell):
        yield from _command(cell, command)
        yield from _arguments(cell, command, ids)
    for span, kind in ids.items():
        is_line = "\n" not in span.of(cell.text) and "\r" not in span.of(cell.text)
        yield Node(NodeKind.ID, span, _id_token(kind) if is_line else ())
    for call in cell.calls:
        yield Node(NodeKind.CALL, call.span)
    for comment in cell.comments:
        yield Node(NodeKind.COMMENT, comment.span)
    for span in _comments(cell):
        yield Node(NodeKind.COMMENT, span, (), FoldKind.COMMENT)
    for data in cell.walk.data:
        yield Node(NodeKind.TEXT, data.span)
    yield Node(NodeKind.SECTION, cell.body)


def _command(cell: StfCell, command: Command) -> Iterator[Node]:
    answers = command is cell.opening and _speaker(cell) in _ANSWERING
    yield Node(NodeKind.COMMAND, command.span)
    yield Node(NodeKind.MARKER, command.word_span, ("keyword", *(("modification",) * answers)))
    if command.name == "call":
        call = cell.call_line(command)
        if call is not None and call.name:
            yield Node(NodeKind.TITLE, call.name_span, ("enumMember",))
    if command.data is not None:
        yield Node(NodeKind.COMMAND, Span(command.span.start, command.data.end))
    if command.block:
        yield Node(NodeKind.VALUE, Span(command.block[0].start, command.block[-1].end))
    if command.spec is not None and command.spec.has_block:
        span = Span(command.span.start, block_end(command))
        yield Node(NodeKind.COMMAND, span, (), FoldKind.BLOCK)
    if command.end is not None:
        start = cell.text.index("end", command.end.start)
        yield Node(NodeKind.MARKER, Span(start, start + len("end")), ("keyword",))


def _arguments(cell: StfCell, command: Command, ids: dict[Span, IdKind]) -> Iterator[Node]:
    base = command.rest.start
    arguments = cell.arguments(command)
    for argument in arguments.items:
        yield Node(NodeKind.FIELD, argument.span.shift(base))
        key, value = argument.key_span.shift(base), argument.value_span.shift(base)
        yield Node(NodeKind.KEY, key, () if arguments.is_object else ("property",))
        if value.of(cell.text)[:1] in ("'", '"') and value.length > 1:
            yield Node(NodeKind.VALUE, Span(value.start + 1, value.end - 1))
        kind = ids.pop(value, None) if value.start < value.end else None
        token = _value_token(command, argument) if kind is None else _id_token(kind)
        yield Node(NodeKind.VALUE, value, token if value.start < value.end else ())


def _speaker(cell: StfCell) -> str | None:
    """Who speaks, as far as the cell and the state before it say."""
    return cell.own_role or ROLES_BY_LETTER.get(cell.entry.role)


def _value_token(command: Command, argument: Argument) -> tuple[str, ...]:
    known = command.spec is not None and argument.key in command.spec.arguments
    if known and argument.key == "role":
        return ("type" if argument.value in ROLES else "string",)
    if known and argument.key == "name":
        return ("class",)
    is_number = isinstance(argument.json, (int, float)) and not isinstance(argument.json, bool)
    return ("number" if is_number else "string",)


def _id_token(kind: IdKind) -> tuple[str, ...]:
    return ("variable",) if kind is IdKind.RESULT else ("variable", "declaration")


def block_end(command: Command) -> int:
    """Where a command with a block ends."""
    if command.end is not None:
        return command.end.end
    return command.block[-1].end if command.block else command.span.end


def _comments(cell: StfCell) -> Iterator[Span]:
    """Block comments, and comments of a line that follow each other as one."""
    run: Span | None = None
    for comment in cell.comments:
        if comment.is_block:
            yield comment.span
            continue
        if run is not None and after_break(cell.text, run.end) == comment.span.start:
            run = Span(run.start, comment.span.end)
            continue
        if run is not None:
            yield run
        run = comment.span
    if run is not None:
        yield run


def links_in(cell: StfCell) -> tuple[Link, ...]:
    """What ``embed`` names, where it is a relative path."""
    found = []
    for command in commands_of(cell):
        line = cell.data_line(command)
        if command.name == "embed" and line is not None:
            target = relative_path(line.of(cell.text))
            found += [] if target is None else [Link(line, target)]
    return tuple(found)


_MEANT = {
    IdKind.MESSAGE: (NameKind.MESSAGE, Use.DECLARES),
    IdKind.CALL: (NameKind.CALL, Use.DECLARES),
    IdKind.RESULT: (NameKind.CALL, Use.ANSWERS),
}


def names_in(cell: StfCell) -> tuple[Name, ...]:
    """Every name that a cell says, in order."""
    return tuple(
        [
            Name(_MEANT[id.kind][0], id.text, id.span, _MEANT[id.kind][1], id.written)
            for id in cell.ids
        ]
    )
