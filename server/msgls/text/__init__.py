"""Text: spans, edits, lines, columns and the incremental store.

Knows nothing of message files. Everything to the right of it builds on it.
"""

from msgls.text.lines import Encoding, Position, column_to_units, line_starts, units_to_column
from msgls.text.spans import Edit, OverlappingEdits, Span, apply_edits, sorted_edits
from msgls.text.store import Chunk, Store, Touch
from msgls.text.tree import SumTree

__all__ = [
    "Chunk",
    "Edit",
    "Encoding",
    "OverlappingEdits",
    "Position",
    "Span",
    "Store",
    "SumTree",
    "Touch",
    "apply_edits",
    "column_to_units",
    "line_starts",
    "sorted_edits",
    "units_to_column",
]
