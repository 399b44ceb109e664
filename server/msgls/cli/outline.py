"""``msgls outline``: the cells of files, as a tree."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgls.cli.exits import FAILED, OK, note
from msgls.cli.opening import Opened
from msgls.cli.speaking import said
from msgls.cli.streams import add_output_format, print_json
from msgls.cli.terminal import harmless, painter, print_table
from msgls.document.snapshot import Snapshot
from msgls.features.outline import OutlineNode, outline
from msgls.text.phrases import Phrase


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help=Phrase("files and folders"))
    add_output_format(parser)


class Row(NamedTuple):
    """A line of the outline."""

    line: int
    """From 1."""
    level: int
    node: OutlineNode
    file: str = ""
    """The file that it is in, if several files are one conversation."""


def run(options: argparse.Namespace) -> int:
    """Show the outline of every message file."""
    files = Opened(options.paths)
    shown: list[tuple[str, list[Row]]] = []
    has_folder = any(Path(name).is_dir() for name in options.paths)
    for path, snapshot in files:
        is_part = has_folder and snapshot.document.format.number(path.name) is not None
        if not is_part or options.output_format == "json":
            shown.append((str(path), rows(snapshot)))
            continue
        # The messages of a folder are one conversation.
        if not shown or shown[-1][0] != str(path.parent):
            shown.append((str(path.parent), []))
        name = path.name
        shown[-1][1].extend([row._replace(file=name) for row in rows(snapshot) if not row.level])
    if options.output_format == "json":
        print_json(list(_as_json(shown)))
    else:
        _show(shown)
    if not shown and not files.failed:
        note(Phrase("no message file was found"))
    return FAILED if files.failed else OK


def rows(snapshot: Snapshot) -> list[Row]:
    """The nodes of an outline in the order of the text."""
    found: list[Row] = []
    waiting = [(0, node) for node in reversed(outline(snapshot))]
    while waiting:
        level, node = waiting.pop()
        start = node.placed.start_offset + node.selection.start
        found.append(Row(snapshot.document.position_of(start).line + 1, level, node))
        waiting += [(level + 1, child) for child in reversed(node.children)]
    # Headings come with their cell, before the cells below it.
    return sorted(found, key=lambda row: row.line)


def _show(files: Iterable[tuple[str, list[Row]]]) -> None:
    paint = painter(sys.stdout)
    for number, (path, found) in enumerate(files):
        if number:
            print()
        print(paint(harmless(path), "bold"))
        if found:
            print_table(map(_cells, found), first_cut=(1, 2))
        else:
            print("  " + said(Phrase("no cells")))


def _cells(row: Row) -> tuple[str, str, str]:
    place = row.file or str(row.line)
    return f"{place:>5}", "  " * row.level + said(row.node.name), said(row.node.beside())


def _as_json(files: Iterable[tuple[str, list[Row]]]) -> Iterator[dict[str, Any]]:
    for path, found in files:
        entries = [
            {
                "line": row.line,
                "level": row.level,
                "kind": row.node.kind.value,
                "name": row.node.name,
                "detail": row.node.beside(),
            }
            for row in found
        ]
        yield {"filename": path, "entries": entries}
