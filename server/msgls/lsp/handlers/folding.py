"""``textDocument/foldingRange``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp

from msgls.features.folding import Fold, folding
from msgls.lsp.progress import Sliced, in_slices
from msgls.lsp.session import Session

_Folds = list[dict[str, Any]]


def folding_range(session: Session, params: lsp.FoldingRangeParams) -> Sliced[_Folds]:
    """Everything that can be folded, within the client's limit."""
    opened = session.get(params.text_document.uri)
    snapshot, say = opened.snapshot, session.speaker(opened)
    text_document = session.capabilities.text_document
    limits = None if text_document is None else text_document.folding_range
    limit = None if limits is None else limits.range_limit
    return in_slices(
        snapshot.document, lambda: [_encode(fold, say) for fold in folding(snapshot)[:limit]]
    )


def _encode(fold: Fold, say: Callable[[str], str]) -> dict[str, Any]:
    result: dict[str, Any] = {"startLine": fold.start_line, "endLine": fold.end_line}
    if fold.kind is not None:
        result["kind"] = fold.kind.value
    if fold.text is not None:
        result["collapsedText"] = say(fold.text)
    return result
