"""Folds of messages and deltas beyond their brackets: streams, whose runs may be interleaved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgls.features.folding import Fold, line_of
from msgls.features.msgjson.outline import named_in
from msgls.features.msgjson.reading import json_cell, place_of, quiet_run
from msgls.formats.base import Placed
from msgls.syntax.nodes import FoldKind


def folds(cells: Sequence[Placed]) -> Iterator[Fold]:
    """Each stream, from its start to the last delta that is known of it."""
    opened: dict[str, int] = {}
    last: dict[str, int] = {}

    def closed(run: str) -> Iterator[Fold]:
        start = opened.pop(run, None)
        if start is not None:
            yield Fold(start, last.get(run, start), FoldKind.REGION)

    for placed in cells:
        cell = json_cell(placed)
        run = None if cell is None else quiet_run(cell)
        if run is not None:
            last[run] = placed.start_line
            continue
        for named in () if cell is None else named_in(cell):
            if cell is None or named.shape in ("message", "part"):
                continue
            span = place_of(cell, named.segment, named.path)
            if named.shape == "start":
                yield from closed(named.run)
                opened[named.run] = line_of(placed, span.start)
            if named.run in opened:
                last[named.run] = line_of(placed, span.end)
            if named.shape == "end":
                yield from closed(named.run)
    for run in list(opened):
        yield from closed(run)
