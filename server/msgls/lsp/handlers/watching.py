"""Files that change: what the client watches, what it does itself, and its folders.

What an editor does with a whole folder is told by nobody who watches files: a pattern for
files does not match the folder. So both are listened to, and to hear twice does no harm.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp
from pygls.capabilities import get_capability

from msgls.lsp.session import Session


def watchers() -> list[dict[str, Any]]:
    """What files to watch: those that configure something, and those of every format."""
    from msgls.formats.registry import FORMATS
    from msgls.host.around import WATCHED

    endings = {ending for format in FORMATS for ending in format.endings}
    # `*.md` finds what `*.msg.md` does.
    needed = [
        ending
        for ending in sorted(endings)
        if not any(ending != other and ending.endswith(other) for other in endings)
    ]
    names = [*WATCHED, ".gitignore", *[f"*{ending}" for ending in needed]]
    return [{"globPattern": f"**/{name}"} for name in names]


def changed(session: Session, params: dict[str, Any]) -> None:
    """Files were made, changed or deleted, by whomever."""
    edited = int(lsp.FileChangeType.Changed)
    session.seeing.files_changed(
        [(change["uri"], change["type"] != edited) for change in params["changes"]]
    )


def created(session: Session, params: lsp.CreateFilesParams) -> None:
    """The editor made files or folders."""
    session.seeing.files_changed([(file.uri, True) for file in params.files])


def renamed(session: Session, params: lsp.RenameFilesParams) -> None:
    """The editor gave files or folders other names."""
    uris = [uri for file in params.files for uri in (file.old_uri, file.new_uri)]
    session.seeing.files_changed([(uri, True) for uri in uris])


def deleted(session: Session, params: lsp.DeleteFilesParams) -> None:
    """The editor deleted files or folders."""
    session.seeing.files_changed([(file.uri, True) for file in params.files])


def folders(session: Session, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """Folders were opened or closed."""
    removed = {folder.uri for folder in params.event.removed}
    kept = [uri for uri in session.folders if uri not in removed]
    added = [folder.uri for folder in params.event.added if folder.uri not in kept]
    session.seeing.move_to([*kept, *added])
    if get_capability(session.capabilities, "workspace.configuration"):
        from msgls.lsp.handlers.configuration import ask

        ask(session)
