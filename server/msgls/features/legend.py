"""What a server announces before it needs more: names of semantic tokens, trigger characters."""

from __future__ import annotations

TYPES = (
    "keyword",
    "namespace",
    "variable",
    "enumMember",
    "number",
    "type",
    "class",
    "property",
    "string",
    "macro",
    "comment",
)
MODIFIERS = ("declaration", "definition", "deprecated", "modification")


COMPLETION_TRIGGERS = ("%", "^", "[", ".", " ", "=", '"', "@", ";", "\n", "(", "/", "#")
"""Markers, ids and their segments, types, attributes, values, commands, keys, links."""
