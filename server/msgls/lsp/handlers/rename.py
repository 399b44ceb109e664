"""``textDocument/prepareRename`` and ``textDocument/rename``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features import rename as feature
from msgls.lsp.applying import workspace_edit
from msgls.lsp.convert import offset_at, range_of
from msgls.lsp.protocol import RequestError
from msgls.lsp.session import Session


def prepare(session: Session, params: lsp.PrepareRenameParams) -> dict[str, Any]:
    """What a rename would change; refused with a reason where there is nothing."""
    opened = session.get(params.text_document.uri)
    document, encoding = opened.document, session.encoding
    offset = offset_at(document, params.position, encoding)
    others = opened.checker.surroundings.other_agents
    try:
        found = feature.prepare_rename(document, offset, others)
    except feature.RenameRefused as refusal:
        raise RequestError(refusal.reason) from refusal
    return {"range": range_of(document, found.span, encoding), "placeholder": found.text}


def rename(session: Session, params: lsp.RenameParams) -> dict[str, Any]:
    """The edits, tied to the version that they were made for where the client allows it."""
    opened = session.get(params.text_document.uri)
    document = opened.document
    offset = offset_at(document, params.position, session.encoding)
    others = opened.checker.surroundings.other_agents
    try:
        edits = feature.rename(document, offset, params.new_name, others)
    except feature.RenameRefused as refusal:
        raise RequestError(refusal.reason) from refusal
    return workspace_edit(session, opened, edits)
