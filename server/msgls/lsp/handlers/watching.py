"""Files that change: those that are watched, what the client does itself, and its folders.

What an editor does with a whole folder is not told by watching files: a pattern for
files does not match the folder. So both are listened to, and to hear twice does no harm.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp
from pygls.capabilities import get_capability

from msgls.lsp.handlers.configuration import ask
from msgls.lsp.session import Session


def changed(session: Session, params: dict[str, Any]) -> None:
    """Files were made, changed or deleted, by the editor or another program."""
    edited = int(lsp.FileChangeType.Changed)
    session.invalidation.files_changed(
        [(change["uri"], change["type"] != edited) for change in params["changes"]]
    )


def created(session: Session, params: lsp.CreateFilesParams) -> None:
    """The editor made files or folders."""
    session.invalidation.files_changed([(file.uri, True) for file in params.files])


def renamed(session: Session, params: lsp.RenameFilesParams) -> None:
    """The editor gave files or folders other names."""
    uris = [uri for file in params.files for uri in (file.old_uri, file.new_uri)]
    session.invalidation.files_changed([(uri, True) for uri in uris])


def deleted(session: Session, params: lsp.DeleteFilesParams) -> None:
    """The editor deleted files or folders."""
    session.invalidation.files_changed([(file.uri, True) for file in params.files])


def folders(session: Session, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """Folders were opened or closed."""
    removed = {folder.uri for folder in params.event.removed}
    kept = [uri for uri in session.folders if uri not in removed]
    added = [folder.uri for folder in params.event.added if folder.uri not in kept]
    session.invalidation.move_to([*kept, *added])
    if get_capability(session.capabilities, "workspace.configuration"):
        ask(session)
