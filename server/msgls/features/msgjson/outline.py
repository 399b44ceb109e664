"""The outline of messages and deltas in JSON: streams, messages, and the calls in them.

Owns their names. Only the values that need a name are parsed again: starts, ends, calls and
messages; for the many deltas between, their steps are enough. Names are cached with the cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.counting import counted
from msgls.features.markup import one_line
from msgls.features.msgjson.reading import head_of, json_cell, place_of, quiet_run
from msgls.features.outline import OutlineNode, Symbol, SymbolKind
from msgls.formats.base import Placed
from msgls.formats.jsontree import Path
from msgls.formats.msgjson.cells import JsonCell
from msgls.formats.msgjson.records import Shape, Step
from msgls.formats.msgjson.shapes import TERMINAL_KINDS
from msgls.syntax.cells import remembered
from msgls.text.lines import shorten
from msgls.text.phrases import Phrase, joined
from msgls.text.work import Work

Wire = dict[str, Any]

_ROLE_KINDS = {"assistant": SymbolKind.ANSWER, "tool": SymbolKind.RESULT}
_LONGEST = 60
# A line may be as long as a book; only its first words are shown.
_LOOKED_AT = 4 * _LONGEST


class Named(NamedTuple):
    """A value in a cell that the outline shows, or that continues or ends one."""

    shape: str
    """``start``, ``delta``, ``call``, ``call_end``, ``end``, ``message`` or ``part``."""
    segment: int
    path: Path
    run: str = ""
    name: str = ""
    detail: str = ""
    kind: SymbolKind = SymbolKind.MESSAGE


def outline(snapshot: Snapshot) -> Work[list[OutlineNode]]:
    """The streams and messages of a file in order, each with its calls."""
    tree = _Tree()
    for placed in snapshot.document.cells():
        yield
        cell = json_cell(placed)
        run = quiet_run(cell)
        if run is not None:
            tree.go_on_quietly(placed, cell, run)
            continue
        for named in named_in(cell):
            tree.add(placed, cell, named)
    return tree.roots


def symbols(snapshot: Snapshot, placed: Placed) -> Iterator[Symbol]:
    """The symbols of one cell."""
    cell = json_cell(placed)
    for named in () if quiet_run(cell) is not None else named_in(cell):
        if named.name:
            selection = head_of(cell, named.segment, named.path)
            end = place_of(cell, named.segment, named.path).end
            depth = 2 if named.shape in ("call", "part") else 1
            yield Symbol(named.name, named.detail, named.kind, selection, end, depth)


class _Tree:
    """Builds the outline; streams of several runs may be open at once."""

    def __init__(self) -> None:
        self.roots: list[OutlineNode] = []
        self.open: dict[str, OutlineNode] = {}
        self.calls: dict[tuple[str, str], OutlineNode] = {}

    def add(self, placed: Placed, cell: JsonCell, named: Named) -> None:
        end = placed, place_of(cell, named.segment, named.path).end
        stream = self.open.get(named.run)
        if named.shape in ("start", "message"):
            node = _node(placed, cell, named, end)
            self.roots.append(node)
            if named.shape == "start":
                self.open[named.run] = node
        elif named.shape == "part":
            self.roots[-1].children.append(_node(placed, cell, named, end))
        elif stream is not None:
            stream.end = end
            self.go_on(placed, cell, named, stream)

    def go_on_quietly(self, placed: Placed, cell: JsonCell, run: str) -> None:
        """Add a line that only continues its stream."""
        stream = self.open.get(run)
        if stream is not None:
            stream.end = placed, cell.segments[0].span.end

    def go_on(self, placed: Placed, cell: JsonCell, named: Named, stream: OutlineNode) -> None:
        end = stream.end
        if named.shape == "call":
            node = _node(placed, cell, named, end)
            stream.children.append(node)
            self.calls[named.run, named.detail] = node
        elif named.shape == "call_end":
            call = self.calls.pop((named.run, named.detail), None)
            if call is not None:
                call.end = end
        elif named.shape == "end":
            stream.detail = joined([stream.detail, named.detail], " · ")
            del self.open[named.run]


def _node(placed: Placed, cell: JsonCell, named: Named, end: tuple[Placed, int]) -> OutlineNode:
    selection = head_of(cell, named.segment, named.path)
    return OutlineNode(named.name, named.detail, named.kind, placed, selection, end)


# -- the names of one cell ------------------------------------------------------------------


@remembered
def named_in(cell: JsonCell) -> tuple[Named, ...]:
    """The values in a cell that the outline shows, or that continue or end one."""
    return tuple(_names(cell))


def _names(cell: JsonCell) -> Iterator[Named]:
    for number, segment in enumerate(cell.segments):
        record = segment.record
        if record is None:
            continue
        value: Any = None
        for step in record.steps:
            if step.kind in _READ_AGAIN and value is None:
                value = cell.value(number)
            yield _of_step(number, step, value)
        for item in record.items:
            if item.shape is Shape.MESSAGE:
                value = cell.value(number) if value is None else value
                yield from _of_message(number, item.path, _at(value, item.path))


_READ_AGAIN = TERMINAL_KINDS | {"start", "tool_call_start"}


def _of_step(segment: int, step: Step, value: Any) -> Named:
    payload = _dict(_at(value, step.path).get("payload")) if step.kind in _READ_AGAIN else {}
    if step.kind == "start":
        model = _text(payload.get("modelId"))
        name = Phrase("stream · {run}", run=step.run)
        return Named("start", segment, step.path, step.run, name, model, SymbolKind.ANSWER)
    if step.kind == "tool_call_start":
        tool = _text(payload.get("toolName")) or step.name
        return Named("call", segment, step.path, step.run, tool, step.name, SymbolKind.CALL)
    if step.kind == "tool_call_end":
        return Named("call_end", segment, step.path, step.run, "", step.name)
    if step.kind in TERMINAL_KINDS:
        reason = payload.get("finishReason" if step.kind == "done" else "errorCode")
        said = _text(reason) or step.kind
        shown = Phrase("error: {reason}", reason=said) if step.kind == "error" else said
        return Named("end", segment, step.path, step.run, "", shown)
    return Named("delta", segment, step.path, step.run)


def _of_message(segment: int, path: Path, message: Wire) -> Iterator[Named]:
    role = _text(message.get("role")) or Phrase("no role")
    parts = [_dict(part) for part in _list(message.get("parts"))]
    kind = _ROLE_KINDS.get(role, SymbolKind.MESSAGE)
    run = _text(message.get("runId"))
    yield Named("message", segment, path, run, role, first_words(parts), kind)
    for index, part in enumerate(parts):
        found = _of_part(part)
        if found is not None:
            name, detail, part_kind = found
            where = (*path, "parts", index)
            yield Named("part", segment, where, run, name, detail, part_kind)


def _of_part(part: Wire) -> tuple[str, str, SymbolKind] | None:
    payload = _dict(part.get("payload"))
    call = _text(payload.get("toolCallId"))
    if part.get("kind") == "tool_call":
        return _text(payload.get("toolName")) or call or Phrase("(call)"), call, SymbolKind.CALL
    if part.get("kind") == "tool_result":
        shown = Phrase("failed") if payload.get("isError") is True else ""
        name = Phrase("result of {id}", id=call) if call else Phrase("(result)")
        return name, shown, SymbolKind.RESULT
    if part.get("kind") == "file_ref":
        return _text(payload.get("path")) or Phrase("(file)"), Phrase("file"), SymbolKind.FILE
    return None


def first_words(parts: list[Wire]) -> str:
    """The first words of a message; the number of its parts if it has no text."""
    for part in parts:
        payload = _dict(part.get("payload"))
        text = payload.get("text") if part.get("kind") == "text" else None
        if isinstance(text, str) and text.strip(" \t\r\n"):
            return shortened(text)
        content = payload.get("content")
        if part.get("kind") == "tool_result" and isinstance(content, str) and content:
            return shortened(content)
    return counted(len(parts), "part")


def shortened(text: str) -> str:
    """The start of a text, on one line."""
    return shorten(one_line(text.lstrip(" \t\r\n")[:_LOOKED_AT]).strip(" "), _LONGEST)


def _at(value: Any, path: Path) -> Wire:
    for step in path:
        value = value[step]
    return _dict(value)


def _dict(value: object) -> Wire:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return one_line(value[:_LOOKED_AT]) if isinstance(value, str) else ""
