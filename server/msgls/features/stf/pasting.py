"""Escaping text that is to be content of a Simple Text Format file.

Owns where a prefix must be doubled: at the start of every line that has one; in a comment, only
where the line would open or close one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgls.document.snapshot import Snapshot
from msgls.features.stf.places import Cursor, LineKind
from msgls.text.patterns import lazy_pattern

_LINE_BREAK = lazy_pattern(r"\r\n|\n|\r")
_COMMENT = lazy_pattern(r"(?:\A|(?<=\n)|(?<=\r)(?!\n))([@;])(?=[ \t]*(?:/\*|\*/))")
_PREFIX = lazy_pattern(r"(?:\A|(?<=\n)|(?<=\r)(?!\n))([@;])")


def as_content(snapshot: Snapshot, offset: int, text: str) -> str:
    """``text``, escaped so that no line of it is a command at ``offset``."""
    cursor = Cursor(snapshot.document, offset)
    start = 0
    if cursor.before:
        line_break = _LINE_BREAK.search(text)
        start = len(text) if line_break is None else line_break.end()
    pattern = _COMMENT if cursor.kind is LineKind.COMMENT else _PREFIX
    return text[:start] + escaped(text[start:], cursor.prefixes, pattern)


def escaped(text: str, prefixes: Sequence[str], pattern: re.Pattern[str] = _PREFIX) -> str:
    """``text`` with its prefixes doubled; if both are possible, the first one found decides."""
    found = pattern.search(text)
    if found is None:
        return text
    prefix = found.group(1) if len(prefixes) > 1 else prefixes[0]
    return pattern.sub(lambda match: match.group() * (1 + (match.group() == prefix)), text)
