"""The names of semantic tokens: apart, because a server announces them before it needs more."""

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
