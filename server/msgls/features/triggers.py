"""The characters behind which an editor asks by itself.

Apart from what they lead to: the server names them when it starts, and loads the rest only
when somebody asks.
"""

from __future__ import annotations

COMPLETION = ("#", "%", "[", "^", ".", "=", '"', ":", "`", ";", "@")
"""Markers, ids, segments of ids, types, values, fences, lines of a header, commands."""

ON_TYPE = ("%", "\n")
"""After which characters something may be completed by itself."""
