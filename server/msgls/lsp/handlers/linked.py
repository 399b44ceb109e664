"""``textDocument/linkedEditingRange``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.linked import linked
from msgls.lsp.convert import range_of
from msgls.lsp.session import Session


def linked_editing_range(
    session: Session, params: lsp.LinkedEditingRangeParams
) -> dict[str, Any] | None:
    """The id in a header and in its definition, which change together."""
    opened, offset = session.place(params)
    found = linked(opened.snapshot, offset)
    if found is None:
        return None
    ranges = [range_of(opened.document, span, session.encoding) for span in found.spans]
    return {"ranges": ranges, "wordPattern": found.word_pattern}
