"""The formatter of Simple Text Format files: the spacing of command lines, and nothing else.

Data lines are content, spaces included, and comments are free text. A line with invalid arguments
or an unknown command is not changed. Also what must be escaped to be content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgls.document.snapshot import Snapshot
from msgls.features.actions import cells_in
from msgls.features.stf.meaning import cell_of
from msgls.features.stf.places import Cursor, LineKind
from msgls.formats.base import Placed
from msgls.formats.stf.calls import commands_of
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import END
from msgls.formats.stf.lexer import Command
from msgls.text.lines import LINE_START
from msgls.text.patterns import lazy_pattern
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


# -- Escaping text that is to be content: a prefix must be doubled at the start of every line that
# has one; in a comment, only where the line would open or close one.

_COMMENT = lazy_pattern(LINE_START + r"([@;])(?=[ \t]*(?:/\*|\*/))")
_PREFIX = lazy_pattern(LINE_START + r"([@;])")


def escaped(snapshot: Snapshot, offset: int, text: str) -> str:
    """Lines, escaped so that none of them is a command at ``offset``."""
    cursor = Cursor(snapshot.document, offset)
    pattern = _COMMENT if cursor.kind is LineKind.COMMENT else _PREFIX
    return with_doubled_prefixes(text, cursor.prefixes, pattern)


def with_doubled_prefixes(
    text: str, prefixes: Sequence[str], pattern: re.Pattern[str] = _PREFIX
) -> str:
    """``text`` with its prefixes doubled; if both are possible, the first one found decides."""
    found = pattern.search(text)
    if found is None:
        return text
    prefix = found.group(1) if len(prefixes) > 1 else prefixes[0]
    return pattern.sub(lambda match: match.group() * (1 + (match.group() == prefix)), text)
