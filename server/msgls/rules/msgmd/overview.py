"""What the fixes of one version of a document choose from, computed once for all of them.

Owns the ids that fixes hand out and the lists of cells that a misspelled id may have meant. Each is
found in one pass over the document when the first fix asks, so n fixes cost n. Ids are handed out
in document order: all fixes can be applied at once, and the new ids grow along the file.
"""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, lru_cache
from operator import itemgetter

from msgls.document.document import Document
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.meaning import meaning_of
from msgls.rules.msgmd.ids import is_free, numbered_id
from msgls.rules.msgmd.parents import is_child
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId

# How many of the nearest cells an id is compared with.
_NEAR = 100
_PREFIX = "m"


class Overview:
    """The cells of one version, as fixes need them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._jumps: dict[tuple[str, int], int] = {}

    # -- ids --------------------------------------------------------------------------------

    def fresh_id(self, label: int, offset: int = 0) -> str:
        """The new id of a cell, or of the line at ``offset`` in it that should start one."""
        known = self._fresh.get((label, offset))
        return known if known is not None else self._next_free(_PREFIX, 1, 0)

    @cached_property
    def _fresh(self) -> dict[tuple[int, int], str]:
        wanted = [(*place, _PREFIX, 1, 0) for place in self._without_id()]
        wanted += [(label, 0, *numbered_id(cell_id)) for label, cell_id in self._duplicates()]
        wanted.sort(key=itemgetter(0, 1))
        return {
            (label, offset): self._next_free(prefix, first, width)
            for label, offset, prefix, first, width in wanted
        }

    def _without_id(self) -> Iterator[tuple[int, int]]:
        """Where an id is missing: cells without one, and lines that are nearly headers."""
        document = self._document
        for placed in document.cells():
            cell = placed.cell
            if cell.header is not None and cell.id is None and waiting_id(document, placed) is None:
                yield placed.label, 0
            for miss in cell.near_misses:
                if "[^" not in miss.mended:
                    yield placed.label, miss.span.start

    def _duplicates(self) -> Iterator[tuple[int, str]]:
        for name in self._document.index.names("header"):
            for entry in self._document.entries("header", name)[1:]:
                yield entry.label, name

    def _next_free(self, prefix: str, first: int, width: int) -> str:
        """The first free id from that number on, which no other cell gets."""
        jumps, document = self._jumps, self._document
        passed = []
        number = first
        while True:
            key = prefix, number
            if key in jumps:
                passed.append(key)
                number = jumps[key]
            elif is_free(document, f"{prefix}{number:0{width}}"):
                break
            else:
                passed.append(key)
                number += 1
        for key in (*passed, (prefix, number)):
            jumps[key] = number + 1
        return f"{prefix}{number:0{width}}"

    # -- cells that may have been meant -------------------------------------------------------

    def answers_before(self, label: int) -> list[str]:
        """The ids of the nearest answers before a cell, the nearest first."""
        return _nearest(self._answers, label)

    def code_cells_before(self, label: int) -> list[str]:
        """The ids of the nearest code cells before a cell, the nearest first."""
        return _nearest(self._code_cells, label)

    def calls_with_nonce(self, nonce: str) -> list[str]:
        """The ids of all calls with that nonce, in document order."""
        return self._calls.get(nonce, [])

    @cached_property
    def _calls(self) -> dict[str, list[str]]:
        calls: dict[str, dict[str, None]] = {}
        for placed in self._document.cells():
            if placed.cell.kind is CellKind.OUTPUT and (placed.cell.id or "").count(".") == 1:
                meaning = meaning_of(self._document, placed)
                if meaning.role is CellRole.CALL and is_child(meaning):
                    call_id = meaning.cell.id or ""
                    calls.setdefault(CellId(call_id).rest, {})[call_id] = None
        return {nonce: list(ids) for nonce, ids in calls.items()}

    @cached_property
    def _answers(self) -> list[tuple[int, str]]:
        return [
            (placed.label, placed.cell.id)
            for placed in self._document.cells()
            if placed.cell.kind is CellKind.OUTPUT and placed.cell.id and "." not in placed.cell.id
        ]

    @cached_property
    def _code_cells(self) -> list[tuple[int, str]]:
        return [
            (placed.label, placed.cell.id)
            for placed in self._document.cells()
            if placed.cell.kind is CellKind.MESSAGE
            and placed.cell.id
            and meaning_of(self._document, placed).role is CellRole.CODE
        ]


def _nearest(cells: list[tuple[int, str]], label: int) -> list[str]:
    end = bisect_left(cells, (label, ""))
    return [cell_id for _, cell_id in reversed(cells[max(end - _NEAR, 0) : end])]


def waiting_id(document: Document, placed: Placed) -> str | None:
    """The id of the definition at a cell's home, where no header has that id yet."""
    home = placed.cell.home
    if home is None or not home.is_typed or document.entries("header", home.id.text):
        return None
    return home.id.text or None


@lru_cache(maxsize=1)
def overview(document: Document) -> Overview:
    """The overview of a version; that of the last one asked for is kept."""
    return Overview(document)
