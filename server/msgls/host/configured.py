"""What is configured for a file: what an editor says, and below it the nearest file.

Owns the order of the sources. Key by key, the first of these that says something decides:
the editor's settings for the folder that the file lies in (or those for all, where it lies
in none), what the client said at its start, the nearest configuration file upward, the
default. Rules that the client disabled at its start are off whatever else is said: it shows
the same problems by other means.

A source that says something it cannot say is told of once, and goes without that key.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgls.document.snapshot import Settings
from msgls.host.workspace import Workspace
from msgls.rules.settings import SourceSettings, normal_selector, read_source, settings_of
from msgls.text.phrases import Phrase, about, joined

log = logging.getLogger(__name__)

EDITOR = Phrase("the editor's settings")
SECTION = "msgls"
_PATTERNS, _AGENTS_FILE, _LOCALE = "lint.per-file-ignores", "agents-file", "locale"


class Configured:
    """Merges the settings of all sources."""

    def __init__(self, workspace: Workspace, tell: Callable[[str], None]) -> None:
        self._workspace = workspace
        self._tell = tell
        self._told: dict[str, tuple[Phrase, ...]] = {}
        """The problems of a source that have been reported."""
        self.locale = "auto"
        """The language that is set where a message is shown, or was shown last."""
        self._initial: Mapping[str, Any] = {}
        self._scopes: dict[Path | None, Mapping[str, Any]] = {}
        self._disabled: tuple[str, ...] = ()
        workspace.discovery.agents_file_of = lambda path: self.settings(path).agents_file

    # -- sources --------------------------------------------------------------------------

    def start(self, options: Any) -> None:
        """Take the client's initial settings: ``{"settings": …, "disabledRules": […]}``."""
        if not isinstance(options, Mapping):
            return
        said = self._read(options.get("settings"), "initializationOptions.settings")
        self._initial = said.values
        self._complain("initializationOptions.settings", said.problems, self._initial)
        names = options.get("disabledRules")
        for name in names if isinstance(names, list) else ():
            selector = normal_selector(name) if isinstance(name, str) else None
            if selector is None:
                # Not for a person: the client is of another version than we are.
                log.warning("disabledRules: there is no rule %r", name)
            else:
                self._disabled += (selector,)

    def say(self, scopes: Mapping[Path | None, Any]) -> set[str]:
        """Take the editor's settings, by folder; returns the keys that have changed."""
        before = self._scopes
        said = {folder: self._read(values, _editor(folder)) for folder, values in scopes.items()}
        self._scopes = {folder: found.values for folder, found in said.items()}
        for folder, found in said.items():
            self._complain(_editor(folder), found.problems, {**self._initial, **found.values})
        pairs = [
            (before.get(folder, {}), self._scopes.get(folder, {}))
            for folder in {*before, *self._scopes}
        ]
        return {key for old, new in pairs for key in {*old, *new} if old.get(key) != new.get(key)}

    def forget(self, path: Path) -> None:
        """Forget a configuration file that was created, changed or deleted; it is read again."""
        self._workspace.discovery.forget(path)
        if not path.is_file():
            self._told.pop(str(path), None)

    def _read(self, values: Any, source: str) -> SourceSettings:
        if values is None:
            values = {}
        if not isinstance(values, Mapping):
            return SourceSettings(
                problems=(about(source, about(SECTION, Phrase("must be an object"))),)
            )
        said = read_source(values, source, SECTION, by_editor=True)
        if said.foreign:
            log.info("%s: %s not known here", source, ", ".join(said.foreign))
        return said

    def _complain(
        self, source: str, problems: tuple[Phrase, ...], values: Mapping[str, Any]
    ) -> None:
        """Once for a change: not for each document that it concerns.

        Even where some values cannot be, the language among them may be one.
        """
        self.locale = values.get(_LOCALE, "auto")
        if self._told.get(source, ()) != problems:
            self._told[source] = problems
            if problems:
                self._tell(joined(problems, "\n"))

    # -- settings -------------------------------------------------------------------------

    def settings(self, path: Path | None) -> Settings:
        """The settings of a file, also of one that does not exist yet."""
        folders = self._workspace.folders
        if path is None and folders:
            # It will most likely be saved there.
            path = folders[0] / "untitled"
        found = None if path is None else self._workspace.discovery.configuration(path)
        home = None if path is None else self._workspace.folder_of(path)
        by_editor = {**self._initial, **self._scopes.get(home, self._scopes.get(None, {}))}
        if by_editor.get(_AGENTS_FILE) and home is not None:
            by_editor[_AGENTS_FILE] = str(home / by_editor[_AGENTS_FILE])
        said, folder = by_editor, ""
        if found is not None:
            said, folder = {**found.said.values, **by_editor}, found.folder
            self._complain(str(found.path), found.said.problems, said)
        if _PATTERNS in by_editor:
            folder = "" if home is None else str(home)
        settings = settings_of(said, folder)
        return settings._replace(ignore=(*settings.ignore, *self._disabled))


def _editor(folder: Path | None) -> Phrase:
    """The name of the editor's settings in messages: the global ones, or those of a folder."""
    if folder is None:
        return EDITOR
    return Phrase("the editor's settings for {folder}", folder=str(folder))
