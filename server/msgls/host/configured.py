"""The settings of a file: merged from the editor and the nearest configuration file.

Owns the precedence of the sources. For each key, the first of these that sets it wins: the
editor's settings for the folder of the file (or the global ones, if it is in no folder), the
client's initialization options, the nearest configuration file upward, the default. Rules that
the client disabled in its initialization options are always off: it shows the same problems by
other means.

Invalid settings are reported once, and ignored.
"""

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

    def __init__(self, workspace: Workspace, report: Callable[[str], None]) -> None:
        self._workspace = workspace
        self._report = report
        self._reported: dict[str, tuple[Phrase, ...]] = {}
        """The problems of a source that have been reported."""
        self.locale = "auto"
        """The language for messages: that of the source that was checked last."""
        self._initial: Mapping[str, Any] = {}
        self._scopes: dict[Path | None, Mapping[str, Any]] = {}
        self._disabled: tuple[str, ...] = ()
        workspace.discovery.agents_file_of = lambda path: self.settings(path).agents_file

    # -- sources --------------------------------------------------------------------------

    def start(self, options: Any) -> None:
        """Take the client's initial settings: ``{"settings": …, "disabledRules": […]}``."""
        if not isinstance(options, Mapping):
            return
        source = self._read(options.get("settings"), "initializationOptions.settings")
        self._initial = source.values
        self._report_problems("initializationOptions.settings", source.problems, self._initial)
        names = options.get("disabledRules")
        for name in names if isinstance(names, list) else ():
            selector = normal_selector(name) if isinstance(name, str) else None
            if selector is None:
                # Not reported to the user: the client has another version than the server.
                log.warning("disabledRules: there is no rule %r", name)
            else:
                self._disabled += (selector,)

    def set_scopes(self, scopes: Mapping[Path | None, Any]) -> set[str]:
        """Set the editor's settings, by folder; returns the keys that have changed."""
        before = self._scopes
        sources = {folder: self._read(values, _editor(folder)) for folder, values in scopes.items()}
        self._scopes = {folder: source.values for folder, source in sources.items()}
        for folder, source in sources.items():
            values = {**self._initial, **source.values}
            self._report_problems(_editor(folder), source.problems, values)
        pairs = [
            (before.get(folder, {}), self._scopes.get(folder, {}))
            for folder in {*before, *self._scopes}
        ]
        return {key for old, new in pairs for key in {*old, *new} if old.get(key) != new.get(key)}

    def forget(self, path: Path) -> None:
        """Invalidate a configuration file that was created, changed or deleted."""
        self._workspace.discovery.forget(path)
        if not path.is_file():
            self._reported.pop(str(path), None)

    def _read(self, values: Any, source: str) -> SourceSettings:
        if values is None:
            values = {}
        if not isinstance(values, Mapping):
            return SourceSettings(
                problems=(about(source, about(SECTION, Phrase("must be an object"))),)
            )
        found = read_source(values, source, SECTION, by_editor=True)
        if found.foreign:
            log.info("%s: unknown settings: %s", source, ", ".join(found.foreign))
        return found

    def _report_problems(
        self, source: str, problems: tuple[Phrase, ...], values: Mapping[str, Any]
    ) -> None:
        """Report the problems of a source once after a change, not for each document.

        The language is set first, even if other values are invalid.
        """
        self.locale = values.get(_LOCALE, "auto")
        if self._reported.get(source, ()) != problems:
            self._reported[source] = problems
            if problems:
                self._report(joined(problems, "\n"))

    # -- settings -------------------------------------------------------------------------

    def settings(self, path: Path | None) -> Settings:
        """The settings of a file, also of one that does not exist yet."""
        folders = self._workspace.folders
        if path is None and folders:
            # Most likely it will be saved there.
            path = folders[0] / "untitled"
        found = None if path is None else self._workspace.discovery.configuration(path)
        home = None if path is None else self._workspace.folder_of(path)
        by_editor = {**self._initial, **self._scopes.get(home, self._scopes.get(None, {}))}
        if by_editor.get(_AGENTS_FILE) and home is not None:
            by_editor[_AGENTS_FILE] = str(home / by_editor[_AGENTS_FILE])
        values, folder = by_editor, ""
        if found is not None:
            values, folder = {**found.source.values, **by_editor}, found.folder
            self._report_problems(str(found.path), found.source.problems, values)
        if _PATTERNS in by_editor:
            folder = "" if home is None else str(home)
        settings = settings_of(values, folder)
        return settings._replace(ignore=(*settings.ignore, *self._disabled))


def _editor(folder: Path | None) -> Phrase:
    """The name of the editor's settings in messages: the global ones, or those of a folder."""
    if folder is None:
        return EDITOR
    return Phrase("the editor's settings for {folder}", folder=str(folder))
