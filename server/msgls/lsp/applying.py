"""Edits that a client is to make: how they are written, and how it is asked to make them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from msgls.lsp.convert import position_at, text_edits
from msgls.lsp.protocol import RequestError
from msgls.lsp.session import OpenDocument, Session
from msgls.lsp.wishes import wish
from msgls.text.spans import Edit

log = logging.getLogger(__name__)


def workspace_edit(session: Session, opened: OpenDocument, edits: Sequence[Edit]) -> dict[str, Any]:
    """Edits of one document, tied to the version they were made for where the client allows it."""
    encoded = text_edits(opened.document, list(edits), session.encoding)
    if not wish(session, "workspace", "workspace_edit", "document_changes"):
        return {"changes": {opened.uri: encoded}}
    identifier = {"uri": opened.uri, "version": opened.version}
    return {"documentChanges": [{"textDocument": identifier, "edits": encoded}]}


def apply(
    session: Session, opened: OpenDocument, edits: Sequence[Edit], cursor: int | None, label: str
) -> None:
    """Let the client make edits, and then put the cursor where it belongs after them."""
    selection = None
    if cursor is not None and wish(session, "window", "show_document", "support"):
        # Not what the client will have told by then: it may go on typing.
        after = opened.document.apply(edits) if edits else opened.document
        place = position_at(after, cursor, session.encoding)
        selection = {"start": place, "end": place}
    if not edits:
        if selection is None:
            raise RequestError("this editor does not let a server place the cursor")
        _show(session, opened.uri, selection)
        return
    if not wish(session, "workspace", "apply_edit"):
        raise RequestError("this editor does not let a server apply edits")

    def applied(answer: Any) -> None:
        done = isinstance(answer, dict) and answer.get("applied")
        if done and selection is not None:
            _show(session, opened.uri, selection)
        elif not done:
            log.warning("%s was not applied: %s", label, answer)

    params = {"label": label, "edit": workspace_edit(session, opened, edits)}
    session.ask("workspace/applyEdit", params, applied)


def _show(session: Session, uri: str, selection: dict[str, Any]) -> None:
    params = {"uri": uri, "takeFocus": True, "selection": selection}
    session.ask("window/showDocument", params)
