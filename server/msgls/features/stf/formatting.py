"""The formatter of Simple Text Format files: the spacing of command lines, and nothing else.

Data lines are content, spaces included, and comments are free text. A line with invalid arguments
or an unknown command is not changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.features.actions import cells_in
from msgls.features.stf.meaning import cell_of
from msgls.formats.base import Placed
from msgls.formats.stf.calls import commands_of
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import END
from msgls.formats.stf.lexer import Command
from msgls.text.spans import Edit, Span
from msgls.text.work import Work


def format_document(snapshot: Snapshot) -> Work[list[Edit]]:
    """The edits that format a document."""
    found: list[Edit] = []
    for placed in snapshot.document.cells():
        found += _edits(placed)
        yield
    return found


def format_range(snapshot: Snapshot, span: Span) -> list[Edit]:
    """The edits that format the lines that a span touches."""
    start, end = sorted(span)
    found = [
        edit for placed in cells_in(snapshot.document, Span(start, end)) for edit in _edits(placed)
    ]
    return [edit for edit in found if edit.span.start <= end and start <= edit.span.end]


def _edits(placed: Placed) -> Iterator[Edit]:
    cell = cell_of(placed)
    for command in commands_of(cell):
        yield from _changed(placed, command.span, _line(cell, command))
        if command.end is not None:
            yield from _changed(placed, command.end, _end_line(cell, command.end))


def _changed(placed: Placed, line: Span, text: str) -> Iterator[Edit]:
    if line.of(placed.cell.text) != text:
        yield Edit(line.shift(placed.start_offset), text)


def _line(cell: StfCell, command: Command) -> str:
    """A command line with one space before each argument."""
    head = cell.dialect + command.word
    rest = command.rest.of(cell.text)
    arguments = cell.arguments(command)
    if arguments.faults:
        return head + rest
    if arguments.is_object or not arguments.items:
        said = rest.strip(" \t")
        return f"{head} {said}" if said else head
    pairs = [f"{item.key}={item.value_span.of(rest)}" for item in arguments.items]
    return " ".join([head, *pairs])


def _end_line(cell: StfCell, line: Span) -> str:
    """The line that ends a block. Text after ``end`` is not an argument, and is kept."""
    text = line.of(cell.text)
    return cell.dialect + text[text.index(END) :].rstrip(" \t")
