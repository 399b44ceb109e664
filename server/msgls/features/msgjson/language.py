"""The language of messages and deltas in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgls.document.document import Document
from msgls.features import msgjson
from msgls.features.folding import Fold, line_of
from msgls.features.language import Language, delegate
from msgls.features.msgjson import calls, outline
from msgls.features.msgjson.outline import named_in
from msgls.features.msgjson.reading import here_at, json_cell, place_of, quiet_run
from msgls.features.msgjson.streams import delta_at, span_of, stream_of
from msgls.syntax.nodes import FoldKind
from msgls.text.spans import Span
from msgls.text.work import Work

if TYPE_CHECKING:
    from msgls.features.command_table import Command
    from msgls.features.commands import Run


class MessagesJson(Language):
    """Messages, deltas and session entries."""

    nothing_to_rename = calls.NOTHING

    symbols = delegate(lambda: outline.symbols)
    outline = delegate(lambda: outline.outline)
    rename = delegate(lambda: calls.rename)
    cell_actions = delegate(lambda: msgjson.commands.cell_actions)
    complete = delegate(lambda: msgjson.completion.complete)
    opens = delegate(lambda: msgjson.completion.opens)
    documentation = delegate(lambda: msgjson.completion.documentation)
    hover = delegate(lambda: msgjson.hover.hover)
    lenses = delegate(lambda: msgjson.lenses.lenses)
    lens_text = delegate(lambda: msgjson.lenses.lens_text)

    def groups(self, document: Document, number: int, offset: int) -> Iterable[Span]:
        """The stream of the delta at the place."""
        here = here_at(document, offset)
        if here is None:
            return
        delta = delta_at(here.cell, here.placed.label, here.segment, here.path)
        stream = None if delta is None else stream_of(document, delta)
        if delta is not None and stream is not None and stream.end and stream.holds(delta):
            start, end = span_of(document, stream.start), span_of(document, stream.end)
            yield Span(start.start, end.end)

    def folds(self, document: Document) -> Work[list[Fold]]:
        """Each stream, from its start to the last delta known of it; runs may be interleaved."""
        found: list[Fold] = []
        opened: dict[str, int] = {}
        last: dict[str, int] = {}

        def close(run: str) -> None:
            start = opened.pop(run, None)
            if start is not None:
                found.append(Fold(start, last.get(run, start), FoldKind.REGION))

        for placed in document.cells():
            yield
            cell = json_cell(placed)
            run = quiet_run(cell)
            if run is not None:
                last[run] = placed.start_line
                continue
            for named in named_in(cell):
                if named.shape in ("message", "part"):
                    continue
                span = place_of(cell, named.segment, named.path)
                if named.shape == "start":
                    close(named.run)
                    opened[named.run] = line_of(placed, span.start)
                if named.run in opened:
                    last[named.run] = line_of(placed, span.end)
                if named.shape == "end":
                    close(named.run)
        for run in list(opened):
            close(run)
            yield
        return found

    def commands(self) -> Mapping[Command, Run]:
        return msgjson.commands.RUNS
