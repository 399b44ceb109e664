"""``initialized`` and ``workspace/didChangeConfiguration``: the client's configuration.

A client that supports ``workspace/configuration`` is asked for it, for all files and for each
folder; from any other client, what it pushes is used.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp

from msgls.formats.registry import FORMATS
from msgls.host.discovery import WATCHED
from msgls.lsp.addresses import RULE_SCHEME, VIEW_SCHEME
from msgls.lsp.session import Session

log = logging.getLogger(__name__)

SECTION = "msgls"


def initialized(session: Session, params: lsp.InitializedParams) -> None:
    """The client is ready for requests."""
    _register(session)
    if _can_be_asked(session):
        ask(session)


def changed(session: Session, params: dict[str, Any]) -> None:
    """The configuration changed: ask for it, or take it from the notification."""
    if _can_be_asked(session):
        ask(session)
        return
    settings = params.get("settings")
    if isinstance(settings, Mapping):
        session.invalidation.configure({None: settings.get(SECTION, settings)})


def ask(session: Session) -> None:
    """Ask what is configured for all files, and for each folder."""
    scopes: list[str | None] = [None, *session.folders]
    items = [
        {"section": SECTION} if uri is None else {"scopeUri": uri, "section": SECTION}
        for uri in scopes
    ]

    def take(answer: Any) -> None:
        if not isinstance(answer, list) or len(answer) != len(scopes):
            log.warning("workspace/configuration was answered with %r", answer)
            return
        session.invalidation.configure(dict(zip(scopes, answer, strict=True)))

    session.ask("workspace/configuration", {"items": items}, take)


def _can_be_asked(session: Session) -> bool:
    return bool(session.capability("workspace.configuration"))


def _register(session: Session) -> None:
    """Register for changes, where the client supports that."""
    registrations: list[dict[str, Any]] = []
    if session.capability("workspace.did_change_configuration.dynamic_registration"):
        method = lsp.WORKSPACE_DID_CHANGE_CONFIGURATION
        options: dict[str, Any] = {"section": SECTION}
        registrations.append({"id": "configuration", "method": method, "registerOptions": options})
    watches = bool(session.capability("workspace.did_change_watched_files.dynamic_registration"))
    if watches:
        method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        options = {"watchers": _watchers()}
        registrations.append({"id": "files", "method": method, "registerOptions": options})
    if session.capability("workspace.text_document_content.dynamic_registration"):
        method = lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT
        options = {"schemes": [VIEW_SCHEME, RULE_SCHEME]}
        registrations.append({"id": "content", "method": method, "registerOptions": options})
    if not registrations:
        return

    def done(answer: Any) -> None:
        session.is_watched = watches

    session.ask("client/registerCapability", {"registrations": registrations}, done)


def _watchers() -> list[dict[str, Any]]:
    """The files to watch: those that configure something, and those of every format."""
    endings = {ending for format in FORMATS for ending in format.endings}
    # `*.md` matches what `*.msg.md` does.
    needed = [
        ending
        for ending in sorted(endings)
        if not any(ending != other and ending.endswith(other) for other in endings)
    ]
    names = [*WATCHED, ".gitignore", *[f"*{ending}" for ending in needed]]
    return [{"globPattern": f"**/{name}"} for name in names]
