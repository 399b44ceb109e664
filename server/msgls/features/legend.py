"""What the server registers at its start: names of semantic tokens, and trigger characters."""

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
