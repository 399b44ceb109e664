"""Edits of JSON that look like what is around them: indented, or on one line, or minified.

Owns where a new member goes and how it is spaced. Nothing else of the text changes.
"""

import json
from typing import Any

from msgls.formats.jsontree import JsonTree, JsonValue
from msgls.text.spans import Edit, Span

_BLANKS = " \t\r\n"


def insert_member(tree: JsonTree, holder: JsonValue, key: str, value: Any, last: bool) -> Edit:
    """Put ``"key": value`` into an object, as its last member or as its first."""
    text, members = tree.text, holder.members
    written = f"{json.dumps(key)}{_colon(tree, holder)}{_dumps(tree, holder, value)}"
    if not members:
        start = holder.span.start + 1
        end = start + len(text[start:]) - len(text[start:].lstrip(_BLANKS))
        inside = Span(start, end if text[end : end + 1] == "}" else start)
        return Edit(inside, written)
    if last:
        end = members[-1].span.end
        return Edit(Span(end, end), f",{_between(tree, holder)}{written}")
    start = members[0].key_span.start
    return Edit(Span(start, start), f"{written},{_between(tree, holder)}")


def _between(tree: JsonTree, holder: JsonValue) -> str:
    """The spaces between two members: as they are there, or as they likely would be."""
    first, *others = holder.members
    before = _spaces_before(tree.text, first.key_span.start)
    if others:
        return _spaces_before(tree.text, others[-1].key_span.start)
    if "\n" in before or "\r" in before:
        return before
    return " " if _colon(tree, holder) == ": " else ""


def _spaces_before(text: str, offset: int) -> str:
    """The spaces right before ``offset``, however many there are."""
    start = offset
    while start and text[start - 1] in _BLANKS:
        start -= 1
    return text[start:offset]


def _colon(tree: JsonTree, holder: JsonValue) -> str:
    """The colon as the members write it that are there; as the file does, where none is."""
    for value in (holder, *([tree.root] if tree.root is not None else [])):
        for member in value.members[:1]:
            between = tree.text[member.key_span.end : member.value.span.start]
            return ": " if between.endswith((" ", "\t", "\n", "\r")) else ":"
    return ": "


def _dumps(tree: JsonTree, holder: JsonValue, value: Any) -> str:
    colon = _colon(tree, holder)
    separators = (", ", ": ") if colon == ": " else (",", ":")
    return json.dumps(value, ensure_ascii=False, separators=separators)
