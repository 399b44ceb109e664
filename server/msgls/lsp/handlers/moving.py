"""``workspace/willRenameFiles``: links are updated when the files that they lead to are moved."""

from __future__ import annotations

import posixpath
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types as lsp

from msgls.features.moving import Move, moved_links, mover
from msgls.host.files import FileProblem, read_text
from msgls.lsp.applying import document_edit, workspace_edits
from msgls.lsp.progress import Progress
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase


def will_rename(
    session: Session, params: lsp.RenameFilesParams
) -> Generator[Progress, None, dict[str, Any] | None]:
    """The edits of every document whose links the move would break."""
    moves = [(_path(file.old_uri), _path(file.new_uri)) for file in params.files]
    move = mover(moves)
    changes: list[dict[str, Any]] = []
    for opened in list(session.documents.values()):
        changes += _edits(session, opened, move)
    open_places = {opened.place for opened in session.documents.values()}
    names = {posixpath.basename(old) for old, _ in moves}
    for done, path in enumerate(session.workspace.files()):
        yield Progress(Phrase("Updating links"), done)
        is_moved = move(_path(path.as_uri())) != _path(path.as_uri())
        if path in open_places or not (is_moved or _mentions(path, names)):
            continue
        closed = session.read(path)
        if closed is not None:
            changes += _edits(session, closed, move)
    return workspace_edits(session, changes) if changes else None


def _path(uri: str) -> str:
    return unquote(urlsplit(uri).path).rstrip("/")


def _mentions(path: Path, names: set[str]) -> bool:
    """Whether one of the names occurs in a file: most files need not be parsed."""
    try:
        text = read_text(path)
    except FileProblem:
        return False
    return any(name in text or quote(name) in text for name in names)


def _edits(session: Session, opened: OpenDocument, move: Move) -> Iterator[dict[str, Any]]:
    edits = list(moved_links(opened.snapshot, _path(opened.uri), move))
    if edits:
        yield document_edit(session, opened, edits)
