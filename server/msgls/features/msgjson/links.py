"""Links of messages in JSON: the relative paths of ``file_ref`` parts."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.links import Link, PlacedLink
from msgls.features.msgjson.reading import json_cell, quiet_run, text_of
from msgls.features.proselinks import is_relative
from msgls.formats.jsontree import JsonValue
from msgls.formats.msgjson.cells import JsonCell

_FILE_REF = '"file_ref"'
_LINKS: WeakKeyDictionary[JsonCell, tuple[Link, ...]] = WeakKeyDictionary()


def links(document: Document) -> Iterator[PlacedLink]:
    """Every link of a document, by cell."""
    for placed in document.cells():
        cell = json_cell(placed)
        if cell is not None and quiet_run(cell) is None and _FILE_REF in cell.text:
            for link in cell_links(cell):
                yield PlacedLink(placed, link)


def cell_links(cell: JsonCell) -> tuple[Link, ...]:
    """The links of one cell, remembered with it."""
    found = _LINKS.get(cell)
    if found is None:
        found = _LINKS[cell] = tuple(_find(cell))
    return found


def _find(cell: JsonCell) -> Iterator[Link]:
    for number, segment in enumerate(cell.segments):
        text = cell.segment_text(number)
        if _FILE_REF not in text:
            continue
        for root in cell.tree(number).roots:
            for value in root.walk():
                path = _path_of(value, text)
                target = None if path is None else text_of(path, text)
                if path is not None and target is not None and is_relative(target):
                    yield Link(path.inside.shift(segment.span.start), target)


def _path_of(value: JsonValue, text: str) -> JsonValue | None:
    """The path that an object names, where it is a part that refers to a file."""
    kind, payload = value.member("kind"), value.member("payload")
    if kind is None or payload is None or kind.value.span.of(text) != _FILE_REF:
        return None
    path = payload.value.member("path")
    return None if path is None or path.value.kind != "string" else path.value
