"""``textDocument/references``."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from msgls.features.references import elsewhere, mentions
from msgls.features.references import references as find
from msgls.lsp.convert import offset_at, range_of
from msgls.lsp.progress import Progress
from msgls.lsp.session import Session
from msgls.text.phrases import Phrase


def references(
    session: Session, params: lsp.ReferenceParams
) -> Generator[Progress, None, list[dict[str, Any]]]:
    """Every occurrence of the name under the cursor, in this file and in others."""
    opened = session.get(params.text_document.uri)
    snapshot, encoding = opened.snapshot, session.encoding
    offset = offset_at(snapshot.document, params.position, encoding)
    declared = params.context.include_declaration
    found = [(opened, span) for span in find(snapshot, offset, declared)]
    for done, (path, name) in enumerate(elsewhere(snapshot, offset, declared)):
        yield Progress(Phrase("Finding references"), done)
        other = session.find_mentioning(Path(path), name)
        if other is not None:
            found += [(other, span) for span in mentions(other.snapshot, name, declared)]
    return [
        {"uri": holder.uri, "range": range_of(holder.document, span, encoding)}
        for holder, span in found
    ]
