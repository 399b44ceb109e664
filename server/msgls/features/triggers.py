"""The characters behind which an editor may ask for a list by itself.

Apart from what they lead to: the server names them when it starts, and loads the rest only
when somebody asks. Whether a list opens at a place is said by ``completion.opens``.
"""

from __future__ import annotations

COMPLETION = ("%", "^", "[", ".", " ", "=", '"', "@", ";", "\n", "(", "/", "#")
"""Markers, ids and their segments, types, attributes, values, commands, keys, links."""
