"""The outline of a Simple Text Format file: messages by role and name, calls, files and blocks.

Owns the names of messages. Names are cached with the cell.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.markup import one_line
from msgls.features.outline import Symbol, SymbolKind
from msgls.features.stf.meaning import cell_of, first_words, name_of, role_of
from msgls.formats.base import Placed
from msgls.formats.stf.calls import commands_of
from msgls.formats.stf.cells import CallPlace, StfCell
from msgls.formats.stf.commands import Mode
from msgls.formats.stf.lexer import Command
from msgls.formats.stf.nodes import block_end
from msgls.syntax.cells import CellKind, remembered
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span

_KINDS = {"assistant": SymbolKind.ANSWER, "tool": SymbolKind.RESULT}
_NO_ROLE = Phrase("no role")


def symbols(snapshot: Snapshot, placed: Placed) -> Iterator[Symbol]:
    """A message, with its calls, files and blocks."""
    cell = cell_of(placed)
    if cell.kind is CellKind.MESSAGE:
        kind, name = message_name(snapshot.document, placed)
        yield Symbol(name, detail(cell), kind, head_of(cell), cell.length, 1)
    yield from _children(cell)


def message_name(document: Document, placed: Placed) -> tuple[SymbolKind, str]:
    """The title of a message: its role and its name."""
    role, name = role_of(document, placed), name_of(cell_of(placed))
    said = role or _NO_ROLE
    kind = _KINDS.get(role or "", SymbolKind.MESSAGE)
    return kind, joined([said, name], " · ") if name else said


@remembered
def detail(cell: StfCell) -> str:
    """The id of a message and its first words."""
    pieces = ["raw" if cell.is_raw else "", cell.id or "", first_words(cell)]
    return " · ".join([piece for piece in pieces if piece])


def head_of(cell: StfCell) -> Span:
    """The line that starts a message."""
    opening = cell.opening
    return Span(0, 0) if opening is None else opening.span


def call_name(call: CallPlace) -> str:
    """The name of a call in lists: a name of blanks would not be seen."""
    names = [one_line(name or "").strip(" ") for name in (call.tool, call.id)]
    return next(filter(None, names), Phrase("(call)"))


@remembered
def _children(cell: StfCell) -> tuple[Symbol, ...]:
    """The calls, files and blocks of a cell."""
    found = [_call(call) for call in cell.calls]
    for command in commands_of(cell):
        if command.name == "embed":
            found.append(_embed(cell, command))
        elif command.spec is not None and command.spec.mode is Mode.BLOCK:
            found.append(_block(cell, command))
    return tuple(sorted(found, key=lambda child: child.selection))


def _call(call: CallPlace) -> Symbol:
    name = call_name(call)
    shown = call.id if call.id and call.id != name else ""
    selection = Span(call.span.start, max(call.selection.end, call.span.start))
    return Symbol(name, shown, SymbolKind.CALL, selection, call.span.end, 2)


def _embed(cell: StfCell, command: Command) -> Symbol:
    line = cell.data_line(command)
    path = "" if line is None else one_line(line.of(cell.text)[:80]).strip(" ")
    end = command.span.end if command.data is None else command.data.end
    return Symbol(path or "embed", "embed", SymbolKind.FILE, command.span, end, 2)


def _block(cell: StfCell, command: Command) -> Symbol:
    """``meta`` or ``extra``."""
    value = cell.parsed_block(command)[1].value
    shown = ", ".join(list(value)[:6]) if isinstance(value, dict) else ""
    end = block_end(command)
    return Symbol(command.word, shown, SymbolKind.FRONTMATTER, command.span, end, 2)
