"""``textDocument/prepareRename`` and ``textDocument/rename``."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from msgls.features import rename as feature
from msgls.features.references import elsewhere
from msgls.lsp.applying import document_edit, workspace_edits
from msgls.lsp.convert import range_of
from msgls.lsp.params import RequestError
from msgls.lsp.progress import Progress
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase, about
from msgls.text.spans import Edit


def prepare(session: Session, params: lsp.PrepareRenameParams) -> dict[str, Any]:
    """The place that a rename would change; refused with a reason if there is none."""
    opened, offset = session.place(params)
    try:
        found = feature.prepare_rename(opened.snapshot, offset)
    except feature.RenameRefused as refusal:
        raise RequestError(session.say(opened, refusal.phrase)) from refusal
    where = range_of(opened.document, found.span, session.encoding)
    return {"range": where, "placeholder": found.text}


def rename(session: Session, params: lsp.RenameParams) -> Generator[Progress, None, dict[str, Any]]:
    """The edits of all files, each tied to its version where the client allows it."""
    opened, offset = session.place(params)
    snapshot = opened.snapshot
    try:
        edits = feature.rename(snapshot, offset, params.new_name)
    except feature.RenameRefused as refusal:
        raise RequestError(session.say(opened, refusal.phrase)) from refusal
    # Encoded at once: the user may type while the other files are read.
    changes = [document_edit(session, opened, edits)] if edits else []
    # If a name does not change, nothing else does.
    others = elsewhere(snapshot, offset) if edits else ()
    for done, (path, name) in enumerate(others):
        yield Progress(Phrase("Renaming"), done)
        other = session.find_mentioning(Path(path), name)
        if other is not None:
            edits = _renamed(session, other, name, params.new_name)
            changes += [document_edit(session, other, edits)] if edits else []
        elif path == snapshot.surroundings.agents_file:
            raise RequestError(
                Phrase(
                    "`{name}` is registered in {file}, which cannot be read here",
                    name=name,
                    file=path,
                )
            )
    return workspace_edits(session, changes)


def _renamed(session: Session, other: OpenDocument, name: str, new: str) -> list[Edit]:
    try:
        return feature.renamed(other.snapshot, name, new)
    except feature.RenameRefused as refusal:
        raise RequestError(session.say(other, about(other.path, refusal.phrase))) from refusal
