"""``textDocument/foldingRange``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp

from msgls.features.folding import Fold, folding
from msgls.lsp.params import Encoded
from msgls.lsp.progress import listed
from msgls.lsp.session import Session
from msgls.text.work import Work


def folding_range(session: Session, params: lsp.FoldingRangeParams) -> Work[Encoded]:
    """Everything that can be folded, within the client's limit."""
    opened = session.get(params.text_document.uri)
    snapshot, say = opened.snapshot, session.speaker(opened)
    limit = session.capability("text_document.folding_range.range_limit")
    folds = yield from folding.work(snapshot)
    return (yield from listed(_encode(fold, say) for fold in folds[:limit]))


def _encode(fold: Fold, say: Callable[[str], str]) -> dict[str, Any]:
    result: dict[str, Any] = {"startLine": fold.start_line, "endLine": fold.end_line}
    if fold.kind is not None:
        result["kind"] = fold.kind.value
    if fold.text is not None:
        result["collapsedText"] = say(fold.text)
    return result
