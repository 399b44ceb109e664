"""Invalidation: what is read, checked or shown again when the surroundings of documents change.

Owns the comparison of the surroundings before and after, so that only the documents they concern
are read and checked again; and which refresh requests are sent to the client.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pygls import uris

from msgls.document.snapshot import Settings
from msgls.host.discovery import WATCHED
from msgls.host.opening import followed
from msgls.rules.checker import Checker
from msgls.rules.settings import fitting

if TYPE_CHECKING:
    from msgls.lsp.session import OpenDocument, Session

# By feature: the client capability, and the request that makes the client ask again.
_REFRESHES = {
    "diagnostics": ("diagnostics", "workspace/diagnostic/refresh"),
    "lenses": ("code_lens", "workspace/codeLens/refresh"),
    "hints": ("inlay_hint", "workspace/inlayHint/refresh"),
    "tokens": ("semantic_tokens", "workspace/semanticTokens/refresh"),
    "folding": ("folding_range", "workspace/foldingRange/refresh"),
}
# The features among them that show text.
_SPOKEN = frozenset({"diagnostics", "lenses", "hints", "folding"})


class Invalidation:
    """Invalidates documents when the session, the configuration or watched files change."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def configure(self, scopes: Mapping[str | None, Any]) -> None:
        """Take the client's configuration: for all files, and for each folder by its URI."""
        places = {uri: None if uri is None else path_of(uri) for uri in scopes}
        # A folder that is not on a disk has no files in it.
        by_path = {
            place: scopes[uri] for uri, place in places.items() if uri is None or place is not None
        }
        changed = self._session.configured.set_scopes(by_path)
        if changed:
            concerns_all = any(map(_concerns_problems, changed))
            self.recheck(with_files=concerns_all, is_configured=concerns_all)

    def set_folders(self, folders: list[str]) -> None:
        """Folders were added to the workspace or removed; ``folders`` are their URIs now."""
        self._session.folders = folders
        self._session.workspace.folders = paths_of(folders)
        self.recheck(with_files=True, is_configured=True)

    def files_changed(self, changes: Iterable[tuple[str, bool]]) -> None:
        """Files changed on disk: the URI of each, and whether it was created or deleted."""
        with_files = is_configured = False
        for uri, is_created_or_deleted in changes:
            path = path_of(uri)
            if path is None:
                continue
            if path.name in WATCHED or self._session.workspace.discovery.reads(path):
                is_configured = True
                self._session.configured.forget(path)
            with_files |= self._session.workspace.changed(
                path, is_new_or_gone=is_created_or_deleted
            )
        self.recheck(with_files=with_files or is_configured, is_configured=is_configured)

    def recheck(self, *, with_files: bool, is_configured: bool = False) -> None:
        """Check every open document again whose surroundings have changed.

        ``with_files``: files that are not open may be concerned too. ``is_configured``: the
        configuration changed, so the client is asked to refresh its diagnostics in any case.
        """
        stale = {"diagnostics"} if is_configured else set()
        if with_files:
            self._session.publisher.forget_files()
        for opened in list(self._session.documents.values()):
            stale |= self._recheck(opened)
        for feature, (capability, method) in _REFRESHES.items():
            path = f"workspace.{capability}.refresh_support"
            if feature in stale and self._session.capability(path):
                self._session.ask(method, None)

    def _recheck(self, opened: OpenDocument) -> set[str]:
        """Check one document again; returns the features whose answers may have changed."""
        settings = self._session.configured.settings(opened.place)
        before, settings = opened.settings, fitting(settings, len(opened.document.store))
        surroundings = opened.checker.snapshot.surroundings
        surroundings_changed = opened.outlook is not None and opened.outlook.refresh()
        if opened.outlook is not None:
            surroundings = opened.outlook.surroundings()
        document = opened.document.with_agents(surroundings.other_agents)
        if opened.by_language is None:
            document = followed(document, settings)
        rules = self._session.rules_at(opened.place, settings, document.format)
        document_changed = document is not opened.document
        needs_check = document_changed or surroundings_changed or rules != opened.rules
        opened.configure(settings, rules)
        if needs_check:
            opened.document = document
            snapshot = opened.snapshot_in(surroundings)
            failed = self._session.rule_failed
            opened.checker.stop()
            opened.checker = Checker(snapshot, rules, failed, in_slices=True)
        else:
            # What no rule depends on may still have changed: greetings of agents, and their files.
            opened.checker.snapshot = opened.snapshot_in(surroundings)
        stale = {name for name in _REFRESHES if settings.has(name) != before.has(name)}
        if settings.locale != before.locale:
            stale |= _SPOKEN
        if document_changed:
            stale = set(_REFRESHES)
            self._session.touch_views(opened)
        elif needs_check or _presentation(settings) != _presentation(before):
            stale.add("diagnostics")
        if surroundings_changed:
            # A lens may show how many files there are in the folder.
            stale.add("lenses")
        if "diagnostics" in stale:
            self._session.publisher.reset(opened.uri)
        return stale


def path_of(uri: str) -> Path | None:
    """The path of a file; ``None`` for a URI that is not a file's."""
    try:
        path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    except ValueError:
        # As in `file://[x`: a document of that name is served, but has no place on the disk.
        path = None
    return None if path is None else Path(path)


def paths_of(folder_uris: Iterable[str]) -> list[Path]:
    """The paths of those folders that are on the disk."""
    found = [path_of(uri) for uri in folder_uris]
    return [path for path in found if path is not None]


def _concerns_problems(key: str) -> bool:
    """Whether a setting may decide which problems are found or shown."""
    return not key.startswith("features.") or key == "features.diagnostics"


def _presentation(settings: Settings) -> tuple[Any, ...]:
    """The settings that decide how problems are shown."""
    return settings.severity, settings.limit
