"""Changes to files and to workspace folders.

A watcher does not report what an editor does with a whole folder, because a pattern for files does
not match the folder. So both are handled; a change that is reported twice does no harm.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.lsp.handlers.configuration import ask
from msgls.lsp.session import Session


def changed(session: Session, params: dict[str, Any]) -> None:
    """Watched files were created, changed or deleted, by the editor or another program."""
    edited = int(lsp.FileChangeType.Changed)
    session.invalidation.files_changed(
        [(change["uri"], change["type"] != edited) for change in params["changes"]]
    )


def created(session: Session, params: lsp.CreateFilesParams) -> None:
    """The editor created files or folders."""
    session.invalidation.files_changed([(file.uri, True) for file in params.files])


def renamed(session: Session, params: lsp.RenameFilesParams) -> None:
    """The editor renamed files or folders."""
    uris = [uri for file in params.files for uri in (file.old_uri, file.new_uri)]
    session.invalidation.files_changed([(uri, True) for uri in uris])


def deleted(session: Session, params: lsp.DeleteFilesParams) -> None:
    """The editor deleted files or folders."""
    session.invalidation.files_changed([(file.uri, True) for file in params.files])


def folders(session: Session, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """Workspace folders were added or removed."""
    removed = {folder.uri for folder in params.event.removed}
    kept = [uri for uri in session.folders if uri not in removed]
    added = [folder.uri for folder in params.event.added if folder.uri not in kept]
    session.invalidation.set_folders([*kept, *added])
    if session.capability("workspace.configuration"):
        ask(session)
