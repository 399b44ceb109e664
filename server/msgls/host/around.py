"""What lies around a file: the configuration and the agents that hold for it.

Owns the search upward for ``msgls.toml``, ``pyproject.toml`` and ``agents.json``;
the nearest one counts, and each folder is looked at once, until somebody says that
a file there has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from msgls.host.files import FileProblem, read_text
from msgls.rules.base import Surroundings
from msgls.rules.settings import Said, Settings, SettingsError, read_said, toml_table

OWN_FILE = "msgls.toml"
PROJECT_FILE = "pyproject.toml"
PROJECT_TABLE = ("tool", "msgls")
AGENTS_FILE = "agents.json"

WATCHED = (OWN_FILE, PROJECT_FILE, AGENTS_FILE)


class Configuration(NamedTuple):
    """A configuration file: what it says, and what is wrong with it."""

    path: Path
    said: Said

    @property
    def folder(self) -> str:
        """What its patterns are relative to."""
        return str(self.path.parent)


class Around:
    """Looks upward, and remembers what it saw."""

    def __init__(self, note: Callable[[str], None] | None = None) -> None:
        self._note = note
        """Told of an ``agents.json`` that cannot be read: whose it is, nobody knows."""
        self._configurations: dict[Path, Configuration | None] = {}
        self._surroundings: dict[Path, Surroundings] = {}

    def configuration(self, path: Path) -> Configuration | None:
        """The configuration file that holds for a file, be it good or bad."""
        return self._configuration_in(path.absolute().parent)

    def _configuration_in(self, folder: Path) -> Configuration | None:
        if folder not in self._configurations:
            own = _configuration_at(folder)
            if own is None and folder.parent != folder:
                own = self._configuration_in(folder.parent)
            self._configurations[folder] = own
        return self._configurations[folder]

    def settings(self, path: Path) -> Settings:
        """The settings that hold for a file. Raises ``SettingsError``."""
        found = self.configuration(path)
        if found is None:
            return Settings()
        if found.said.problems:
            raise SettingsError(found.said.problems)
        return Settings.of(found.said.values, found.folder)

    def surroundings(self, path: Path) -> Surroundings:
        """What rules may know beyond a file."""
        return self._surroundings_in(path.absolute().parent)

    def _surroundings_in(self, folder: Path) -> Surroundings:
        if folder not in self._surroundings:
            names = agents_at(folder / AGENTS_FILE, self._note)
            if names is not None:
                found = Surroundings(other_agents=frozenset(names))
            elif folder.parent != folder:
                found = self._surroundings_in(folder.parent)
            else:
                found = Surroundings()
            self._surroundings[folder] = found
        return self._surroundings[folder]

    def forget(self, path: Path | None = None) -> None:
        """Look again at what a file may have changed: all that lies below its folder."""
        above = None if path is None else path.absolute().parent
        memos: tuple[dict[Path, Configuration | None] | dict[Path, Surroundings], ...] = (
            self._configurations,
            self._surroundings,
        )
        for memo in memos:
            for folder in list(memo):
                if above is None or above == folder or above in folder.parents:
                    del memo[folder]


def _configuration_at(folder: Path) -> Configuration | None:
    own, project = folder / OWN_FILE, folder / PROJECT_FILE
    path, table = (own, ()) if _is_file(own) else (project, PROJECT_TABLE)
    if path is project and not _is_file(project):
        return None
    try:
        text = read_text(path)
        # Most projects do not name us at all, and need not be parsed.
        if path is project and "msgls" not in text:
            return None
        values = toml_table(text, str(path), table)
    except FileProblem as problem:
        return Configuration(path, Said(problems=(f"{path}: {problem}",)))
    except SettingsError as error:
        return Configuration(path, Said(problems=error.problems))
    if values is None:
        return None
    return Configuration(path, read_said(values, str(path), ".".join(table)))


def _is_file(path: Path) -> bool:
    """Whether a file is there to be read; a folder that lets nobody look has none for us."""
    try:
        return path.is_file()
    except OSError:
        return False


def nearest_agents_file(path: Path) -> Path | None:
    """The ``agents.json`` that registers agents for a file."""
    for folder in path.absolute().parents:
        candidate = folder / AGENTS_FILE
        if agents_at(candidate) is not None:
            return candidate
    return None


def agents_at(path: Path, note: Callable[[str], None] | None = None) -> list[str] | None:
    """The agents that an ``agents.json`` registers; nothing where the file is none of ours.

    ``note`` is told of one that cannot be read: whose it is, nobody knows.
    """
    if not _is_file(path):
        return None
    import json

    try:
        content = json.loads(read_text(path).removeprefix("\ufeff"))
    except (FileProblem, ValueError, RecursionError) as error:
        if note is not None:
            what = error if isinstance(error, FileProblem) else f"no valid JSON: {error}"
            note(f"{path}: {what}; it registers no agents")
        return None
    agents = content.get("agents") if isinstance(content, dict) else None
    if not isinstance(agents, list):
        return None
    named = [agent.get("name") for agent in agents if isinstance(agent, dict)]
    return [name for name in named if isinstance(name, str) and name]
