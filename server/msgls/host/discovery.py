"""Config discovery: the configuration and the agents that apply to a file.

Owns the search upward for ``msgls.toml``, ``pyproject.toml`` and ``agents.json``; the nearest one
is used. Results are cached by folder, until a file there is reported as changed.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from msgls.document.snapshot import Settings, Surroundings
from msgls.formats.agentsjson.greetings import Registered, registered_in
from msgls.host.files import FileProblem, read_text
from msgls.rules.settings import SettingsError, SourceSettings, read_source, settings_of, toml_table
from msgls.text.phrases import Phrase, about

OWN_FILE = "msgls.toml"
PROJECT_FILE = "pyproject.toml"
PROJECT_TABLE = ("tool", "msgls")
AGENTS_FILE, AGENTS_KEY = "agents.json", "agents-file"

WATCHED = (OWN_FILE, PROJECT_FILE, AGENTS_FILE)


class Configuration(NamedTuple):
    """A configuration file, with its settings and their problems."""

    path: Path
    source: SourceSettings

    @property
    def folder(self) -> str:
        """The folder that its patterns are relative to."""
        return str(self.path.parent)


class Discovery:
    """Searches the folders above a file, and caches what it found."""

    def __init__(
        self,
        note: Callable[[str], None] | None = None,
        is_reported: Callable[[Path], bool] = lambda path: False,
    ) -> None:
        self._note = note
        """Called for an ``agents.json`` that cannot be read."""
        self._is_reported = is_reported
        """Whether the problems of such a file are reported elsewhere."""
        self.agents_file_of: Callable[[Path], str] = self._configured_agents_file
        """The ``agents.json`` that is configured for a file; empty if the nearest is used."""
        self._configurations: dict[Path, Configuration | None] = {}
        self._surroundings: dict[Path, Surroundings] = {}
        self._agents_files: dict[Path, Surroundings | None] = {}

    def configuration(self, path: Path) -> Configuration | None:
        """The configuration file that applies to a file, valid or not."""
        return self._configuration_in(path.absolute().parent)

    def _configuration_in(self, folder: Path) -> Configuration | None:
        if folder not in self._configurations:
            own = _configuration_at(folder)
            if own is None and folder.parent != folder:
                own = self._configuration_in(folder.parent)
            self._configurations[folder] = own
        return self._configurations[folder]

    def settings(self, path: Path) -> Settings:
        """The settings that apply to a file. Raises ``SettingsError``."""
        found = self.configuration(path)
        if found is None:
            return Settings()
        if found.source.problems:
            raise SettingsError(found.source.problems)
        return settings_of(found.source.values, found.folder)

    def surroundings(self, path: Path) -> Surroundings:
        """The surroundings of a file."""
        configured = self.agents_file_of(path)
        if not configured:
            return self._surroundings_in(path.absolute().parent)
        file = Path(configured).absolute()
        if file not in self._agents_files and not _is_file(file):
            self._report(file, Phrase("there is no such file"))
        return self._registered_at(file) or Surroundings()

    def reads(self, path: Path) -> bool:
        """Whether that file was looked up as an ``agents.json``, existing or not."""
        return path in self._agents_files

    def _surroundings_in(self, folder: Path) -> Surroundings:
        if folder not in self._surroundings:
            found = self._registered_at(folder / AGENTS_FILE)
            if found is None and folder.parent != folder:
                found = self._surroundings_in(folder.parent)
            self._surroundings[folder] = found or Surroundings()
        return self._surroundings[folder]

    def _registered_at(self, file: Path) -> Surroundings | None:
        if file not in self._agents_files:
            registered = registered_at(file, self._report)
            self._agents_files[file] = (
                None
                if registered is None
                else Surroundings(
                    other_agents=frozenset(registered.agents),
                    agents_file=str(file),
                    greetings=registered.greetings,
                )
            )
        return self._agents_files[file]

    def _report(self, file: Path, what: Phrase) -> None:
        if self._note is not None and not self._is_reported(file):
            self._note(about(file, Phrase("{what}; it registers no agents", what=what)))

    def _configured_agents_file(self, path: Path) -> str:
        found = self.configuration(path)
        if found is None or AGENTS_KEY not in found.source.values:
            return ""
        return settings_of(found.source.values, found.folder).agents_file

    def forget(self, path: Path | None = None) -> None:
        """Invalidate the folders that a changed file may affect; without a path, everything."""
        above = None if path is None else path.absolute().parent
        caches: tuple[dict[Path, Any], ...] = (
            self._configurations,
            self._surroundings,
            self._agents_files,
        )
        for cache in caches:
            for known in list(cache):
                if above is None or above == known or above in known.parents:
                    del cache[known]


def _configuration_at(folder: Path) -> Configuration | None:
    own, project = folder / OWN_FILE, folder / PROJECT_FILE
    path, table = (own, ()) if _is_file(own) else (project, PROJECT_TABLE)
    if path is project and not _is_file(project):
        return None
    try:
        text = read_text(path)
        # Most projects do not configure msgls: their file need not be parsed.
        if path is project and "msgls" not in text:
            return None
        values = toml_table(text, str(path), table)
    except FileProblem as problem:
        return Configuration(path, SourceSettings(problems=(about(path, problem.phrase),)))
    except SettingsError as error:
        return Configuration(path, SourceSettings(problems=error.problems))
    if values is None:
        return None
    return Configuration(path, read_source(values, str(path), ".".join(table)))


def _is_file(path: Path) -> bool:
    """Whether a file exists; a folder without permission counts as empty."""
    try:
        return path.is_file()
    except OSError:
        return False


def registered_at(path: Path, report: Callable[[Path, Phrase], None]) -> Registered | None:
    """The agents that an ``agents.json`` registers; ``None`` if it is not one.

    ``report`` is called with the reason if it cannot be read.
    """
    if not _is_file(path):
        return None
    # Imported here, because most files have no `agents.json`.
    from msgls.formats.strictjson import invalid_json, strict_loads

    try:
        content = strict_loads(read_text(path))
    except FileProblem as problem:
        report(path, problem.phrase)
    except (ValueError, RecursionError) as error:
        report(path, invalid_json(error))
    else:
        return registered_in(content)
    return None
