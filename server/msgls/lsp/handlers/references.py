"""``textDocument/references``."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from msgls.features.references import elsewhere, mentions
from msgls.features.references import references as find
from msgls.lsp.convert import range_of
from msgls.lsp.progress import Progress
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase
from msgls.text.spans import Span


def references(
    session: Session, params: lsp.ReferenceParams
) -> Generator[Progress, None, list[dict[str, Any]]]:
    """Every occurrence of the name under the cursor, in this file and in others."""
    opened, offset = session.place(params)
    snapshot = opened.snapshot
    declared = params.context.include_declaration
    # Made at once: the user may type while the other files are read.
    found = _locations(session, opened, find(snapshot, offset, declared))
    for done, (path, name) in enumerate(elsewhere(snapshot, offset, declared)):
        yield Progress(Phrase("Finding references"), done)
        other = session.find_mentioning(Path(path), name)
        if other is not None:
            found += _locations(session, other, mentions(other.snapshot, name, declared))
    return found


def _locations(
    session: Session, opened: OpenDocument, spans: Iterable[Span]
) -> list[dict[str, Any]]:
    document, encoding = opened.document, session.encoding
    return [{"uri": opened.uri, "range": range_of(document, span, encoding)} for span in spans]
