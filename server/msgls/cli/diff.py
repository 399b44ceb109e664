"""``msgls diff``: what happened to each cell between two files."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TextIO

from msgls.branches.diffing import (
    AROUND_CELLS,
    Changed,
    Kind,
    Unit,
    compared,
    difference,
    message_units,
)
from msgls.cli.exits import FOUND, OK, UsageProblem, problems_of, tell
from msgls.cli.opening import Part, cell_named, open_conversation, open_one
from msgls.cli.speaking import said
from msgls.cli.streams import add_output_format, print_json
from msgls.cli.terminal import Paint, clipped, columns, harmless, painter
from msgls.text.lines import line_starts, without_break
from msgls.text.phrases import Phrase, joined

_SIGNS = {
    Kind.ADDED: ("+", "green"),
    Kind.REMOVED: ("-", "red"),
    Kind.EDITED: ("~", "yellow"),
    Kind.METADATA: ("=", "cyan"),
    Kind.MOVED: (">", "magenta"),
}
_NAMES = {
    Kind.ADDED: Phrase("added"),
    Kind.REMOVED: Phrase("removed"),
    Kind.EDITED: Phrase("edited"),
    Kind.METADATA: Phrase("metadata only"),
    Kind.MOVED: Phrase("moved"),
}
# The time to compare line by line grows with the square of this, at worst.
_MOST_LINES = 2_000
_EXCERPT_LINES = 3
_INDENT = "    "


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    before = Phrase("the file as it was, or a folder of ChatBuilder messages")
    add("before", metavar="FILE", help=before)
    after = Phrase("the file or folder as it is now; the formats may differ")
    add("after", metavar="FILE", nargs="?", help=after)
    cell = Phrase("compare the answer in this cell with the next one to the same message")
    add("--cell", metavar="ID", help=cell)
    add_output_format(parser)


def run(options: argparse.Namespace) -> int:
    """Compare; the exit code is 1 if the files differ in any character."""
    if (options.after is None) == (options.cell is None):
        raise UsageProblem(Phrase("name two files, or one file and --cell"))
    if options.cell is not None:
        return _compare_answers(options)
    before, after = open_conversation(options.before), open_conversation(options.after)
    same = _texts(before) == _texts(after)
    found = [] if same else _difference(before, after)
    if options.output_format == "json":
        print_json([_as_json(changed) for changed in found])
    elif not same:
        _show(options, found, sys.stdout)
    return OK if same else FOUND


def _compare_answers(options: argparse.Namespace) -> int:
    """Two answers to one message, line by line."""
    from msgls.features.msgmd.asking import comparison

    snapshot = open_one(options.before)
    at = cell_named(options.before, snapshot.document, options.cell).start_offset
    with problems_of(options.before):
        lines = comparison(snapshot, at).text.split("\n")[:-1]
    paint = painter(sys.stdout)
    for line in lines:
        colour = {"-": "red", "+": "green"}.get(line[:1])
        print(harmless(line) if colour is None else paint(harmless(line), colour))
    return FOUND if any(line[:1] in ("-", "+") for line in lines[2:]) else OK


def _texts(parts: Sequence[Part]) -> list[str]:
    return [part.document.text for part in parts]


def _difference(before: Sequence[Part], after: Sequence[Part]) -> list[Changed]:
    if len(before) == len(after) == 1:
        return difference(before[0].document, after[0].document)
    return compared(_units(before), _units(after))


def _units(parts: Sequence[Part]) -> list[Unit]:
    """The messages of a folder, each with its file name; or those of a file."""
    if len(parts) == 1:
        return list(message_units(parts[0].document))
    return [
        unit._replace(what=f"{unit.what} {Path(part.file).name}")
        for part in parts
        for unit in message_units(part.document)
    ]


def _show(options: argparse.Namespace, found: Sequence[Changed], out: TextIO) -> None:
    paint, room = painter(out), columns(out)
    print(paint(clipped(f"--- {options.before}", room), "bold"))
    print(paint(clipped(f"+++ {options.after}", room), "bold"))
    for changed in found:
        for line in _lines(changed, paint, room):
            print(line)
    out.flush()
    tell(_summary(found))


def _summary(found: Sequence[Changed]) -> Phrase:
    if not found:
        return Phrase("No cell differs, only the text outside the cells.")
    counts = [
        Phrase("{count} {kind}", count=number, kind=_NAMES[kind])
        for kind in Kind
        if (number := sum(changed.kind is kind for changed in found))
    ]
    if len(found) == 1:
        return Phrase("1 cell differs: {counts}.", counts=joined(counts))
    return Phrase("{count} cells differ: {counts}.", count=len(found), counts=joined(counts))


# -- one change -----------------------------------------------------------------------------


def _lines(changed: Changed, paint: Paint, room: int) -> Iterator[str]:
    sign, colour = _SIGNS[changed.kind]
    yield paint(clipped(f"{sign} {said(_headline(changed))}", room), f"bold {colour}")
    for key, old, new in changed.metadata:
        line = f"{_INDENT}{key}: {_value(old)} → {_value(new)}"
        yield paint(clipped(line, room), "cyan")
    if changed.kind is Kind.EDITED and changed.before is not None and changed.after is not None:
        yield from _edited(changed.before.content, changed.after.content, paint, room)
    elif changed.kind in (Kind.ADDED, Kind.REMOVED):
        yield from _excerpt(changed.unit.content, sign, paint, colour, room)


def _headline(changed: Changed) -> Phrase:
    unit = changed.unit
    kind = _NAMES[changed.kind]
    if changed.moved and changed.kind is not Kind.MOVED:
        kind = joined([kind, _NAMES[Kind.MOVED]])
    if unit.what in AROUND_CELLS:
        return Phrase("{kind}: {what}", kind=kind, what=unit.what)
    words = [unit.what, unit.id or "", f"“{unit.title}”" if unit.title else ""]
    what = joined(filter(None, words), " ")
    return Phrase("{kind}: {what} ({place})", kind=kind, what=what, place=_place(changed))


def _place(changed: Changed) -> Phrase:
    lines = [str(unit.line + 1) for unit in (changed.before, changed.after) if unit is not None]
    if len(lines) == 1 or lines[0] == lines[1]:
        return Phrase("line {line}", line=lines[0])
    return Phrase("line {line} → {other}", line=lines[0], other=lines[1])


def _value(value: str | None) -> str:
    return said(Phrase("(none)")) if value is None else value or '""'


def _excerpt(content: str, sign: str, paint: Paint, colour: str, room: int) -> Iterator[str]:
    lines = [line for line in _split(content) if line.strip()]
    for line in lines[:_EXCERPT_LINES]:
        yield paint(clipped(f"{_INDENT}{sign}{line}", room), colour)
    if len(lines) > _EXCERPT_LINES:
        more = Phrase("… {count} more lines", count=len(lines) - _EXCERPT_LINES)
        yield _INDENT + said(more)


def _edited(before: str, after: str, paint: Paint, room: int) -> Iterator[str]:
    """The lines that differ, with one line of context."""
    old, new = _split(before), _split(after)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    first = max(start - 1, 0)
    last = max(end - 1, 0)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if max(len(old), len(new)) > _MOST_LINES:
        lines = Phrase("{old} lines were replaced by {new}", old=len(old), new=len(new))
        yield _INDENT + said(lines)
        return
    import difflib

    for line in list(difflib.unified_diff(old, new, n=1, lineterm=""))[2:]:
        if line.startswith("@@"):
            continue
        colour = {"-": "red", "+": "green"}.get(line[:1])
        shown = clipped(_INDENT + line, room)
        yield shown if colour is None else paint(shown, colour)


def _split(text: str) -> list[str]:
    starts = [*line_starts(text), len(text)]
    return [without_break(text[start:end]) for start, end in pairwise(starts)]


# -- for programs ---------------------------------------------------------------------------


def _as_json(changed: Changed) -> dict[str, Any]:
    return {
        "change": changed.kind.value,
        "moved": changed.moved,
        "id": changed.unit.id,
        "what": changed.unit.what,
        "title": changed.unit.title,
        "before": _unit_as_json(changed.before),
        "after": _unit_as_json(changed.after),
        "metadata": {key: {"before": old, "after": new} for key, old, new in changed.metadata},
    }


def _unit_as_json(unit: Unit | None) -> dict[str, Any] | None:
    return None if unit is None else {"line": unit.line + 1, "content": unit.content}
