"""Adding to a JSON file that people write by hand: comments, commas and indentation stay.

Owns how one more text gets into a list of such a file. What was written is read again, and must
say what it said before and the text besides: a file that is written in some way that nobody
thought of is left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from msgls.formats.json5 import elements, members, parse
from msgls.text.lines import line_bounds
from msgls.text.spans import Edit, Span, apply_edits

# What may stand between a value and the bracket behind it, or before the first bracket.
_GAP = re.compile(r"(?:[\s\ufeff,]|//[^\r\n]*|/\*[\s\S]*?\*/)*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*[\s\S]*?\*/")
_INDENT = re.compile(r"[ \t]*")


def texts_in(text: str, key: str) -> list[object] | None:
    """The list of that name in the object that a text says: empty where there is none.

    Nothing where the text says no object, or something else by that name.
    """
    said = parse(text).value
    listed = said.get(key, []) if isinstance(said, dict) else None
    return listed if isinstance(listed, list) else None


def with_text(text: str, key: str, added: str) -> str | None:
    """The text with ``added`` at the end of the list ``key``; nothing where that is not certain."""
    listed = texts_in(text, key)
    if listed is None:
        return None
    literal = json.dumps(added, ensure_ascii=False)
    found = [member for member in members(text) if member.key == key]
    if found:
        opening = found[-1].value_span.start
        spans = [span.shift(opening) for span in elements(found[-1].value_span.of(text))]
        edits = _append(text, opening, spans, literal)
    else:
        opening = _behind_gap(text, 0)
        spans = [Span(m.key_span.start, m.value_span.end) for m in members(text)]
        edits = _append(text, opening, spans, f"{json.dumps(key)}: [{literal}]")
    after = apply_edits(text, edits)
    said = {**parse(text).value, key: [*listed, added]}
    return after if parse(after).value == said else None


def _append(text: str, opening: int, inner: Sequence[Span], added: str) -> Iterator[Edit]:
    """Put one thing more behind those in the brackets that open at ``opening``."""
    if not inner:
        yield Edit(Span(opening + 1, opening + 1), added)
        return
    last = inner[-1]
    behind = text[last.end : _behind_gap(text, last.end)]
    has_comma = "," in _COMMENT.sub("", behind)
    if not has_comma:
        yield Edit(Span(last.end, last.end), ",")
    # Behind the comments, which are about what stands before them.
    at = last.end + len(behind.rstrip())
    if "\n" in behind:
        newline = "\r\n" if "\r\n" in text else "\n"
        yield Edit(Span(at, at), newline + _indent(text, last.start) + added + "," * has_comma)
    else:
        yield Edit(Span(at, at), f" {added}")


def _behind_gap(text: str, start: int) -> int:
    found = _GAP.match(text, start)
    return start if found is None else found.end()


def _indent(text: str, offset: int) -> str:
    found = _INDENT.match(text, line_bounds(text, offset)[0])
    return "" if found is None else found.group()
