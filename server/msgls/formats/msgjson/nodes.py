"""The nodes, links and names of a cell of JSON: ids of tool calls, each unique in its run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache

from msgls.formats.jsonnodes import json_nodes_at
from msgls.formats.jsontree import JsonValue
from msgls.formats.msgjson.cells import USES, JsonCell
from msgls.formats.msgjson.records import Mention
from msgls.formats.prose import is_relative
from msgls.formats.strictjson import strict_loads
from msgls.syntax.names import Name, NameKind
from msgls.syntax.nodes import FoldKind, Link, Node, NodeKind
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_TOKEN = lazy_pattern(r'"(?:[^"\\\r\n]|\\[^\r\n])*"?|[\[\]{}]')
_PAIRS = {"}": "{", "]": "["}
_FILE_REF = '"file_ref"'


def nodes_in(cell: JsonCell) -> tuple[Node, ...]:
    """The objects and lists of several lines, without their closing brackets."""
    if len(cell.line_starts) < 3:
        return ()
    return tuple([node for segment in cell.segments for node in _brackets(cell, segment.span)])


def _brackets(cell: JsonCell, segment: Span) -> Iterator[Node]:
    opened: list[tuple[str, int]] = []
    for match in _TOKEN.finditer(cell.text, *segment):
        mark = match.group()
        if mark in "{[":
            opened.append((mark, match.start()))
        elif mark in _PAIRS and opened and opened[-1][0] == _PAIRS[mark]:
            span = Span(opened.pop()[1], match.start())
            yield Node(NodeKind.OBJECT, span, (), FoldKind.BLOCK)


def nodes_at(cell: JsonCell, at: int) -> list[Node]:
    """The nodes that a cursor is in."""
    for number, segment in enumerate(cell.segments):
        if segment.span.contains(at):
            start = segment.span.start
            found = json_nodes_at(cell.tree(number), at - start)
            return [node._replace(span=node.span.shift(start)) for node in found]
    return []


def links_in(cell: JsonCell) -> tuple[Link, ...]:
    """The relative paths of ``file_ref`` parts."""
    found = []
    for number, segment in enumerate(cell.segments) if _FILE_REF in cell.text else ():
        text = cell.segment_text(number)
        values = cell.tree(number).walk() if _FILE_REF in text else ()
        for path in (_path_of(value, text) for value in values):
            target = None if path is None else _string_value(path, text)
            if path is not None and target is not None and is_relative(target):
                found.append(Link(path.inside.shift(segment.span.start), target))
    return tuple(found)


def _string_value(value: JsonValue, text: str) -> str | None:
    try:
        return str(strict_loads(value.span.of(text)))
    except ValueError:
        return None


def _path_of(value: JsonValue, text: str) -> JsonValue | None:
    """The path that an object names, where it is a part that refers to a file."""
    kind, payload = value.member("kind"), value.member("payload")
    if kind is None or payload is None or kind.value.span.of(text) != _FILE_REF:
        return None
    path = payload.value.member("path")
    return None if path is None or path.value.kind != "string" else path.value


def names_in(cell: JsonCell) -> tuple[Name, ...]:
    """Every name that a cell says, in order."""
    return tuple(sorted(_names(cell), key=lambda name: name.reach))


def _names(cell: JsonCell) -> Iterator[Name]:
    for number, segment in enumerate(cell.segments):
        mentions = () if segment.record is None else segment.record.mentions
        for mention in mentions:
            found = _place(cell, number, mention, len(mentions) == 1)
            if found is not None:
                span, reach = (place.shift(segment.span.start) for place in found)
                use = USES[mention.kind]
                yield Name(NameKind.CALL, mention.call, span, use, reach, mention.run)


def _place(
    cell: JsonCell, segment: int, mention: Mention, is_alone: bool
) -> tuple[Span, Span] | None:
    """The id without its quotes, and all from its key on.

    As plain text where that is beyond doubt: a tree of each of a thousand lines takes long.
    """
    if is_alone:
        text = cell.segment_text(segment)
        plain = list(_written(mention.call).finditer(text))
        if len(plain) == 1:
            return Span(*plain[0].span(1)), Span(*plain[0].span())
    found = cell.find(segment, mention.path)
    if found is None or found.key_span is None:
        return None
    return found.value.inside, Span(found.key_span.start, found.value.span.end)


@lru_cache(maxsize=64)
def _written(call: str) -> re.Pattern[str]:
    quoted = re.escape(written(call)[1:-1])
    return re.compile(r'"toolCallId"[ \t\r\n]*:[ \t\r\n]*"(' + quoted + ')"')


def written(text: str) -> str:
    """A text as JSON has it, readable as far as it can be."""
    # A half of an emoji can be kept in no file as it is.
    is_whole = text.isascii() or not any("\ud800" <= mark <= "\udfff" for mark in text)
    return json.dumps(text, ensure_ascii=not is_whole)
