"""What lies around a file: the configuration and the agents that hold for it.

Owns the search upward for ``msgls.toml``, ``pyproject.toml`` and ``agents.json``;
the nearest one counts, and each folder is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgls.host.files import FileProblem, read_text
from msgls.rules.base import Surroundings
from msgls.rules.settings import Settings, SettingsError, read_toml, toml_table

OWN_FILE = "msgls.toml"
PROJECT_FILE = "pyproject.toml"
PROJECT_TABLE = ("tool", "msgls")
AGENTS_FILE = "agents.json"


class Around:
    """Looks upward, and remembers what it saw."""

    def __init__(self, note: Callable[[str], None] | None = None) -> None:
        self._note = note
        """Told of an ``agents.json`` that cannot be read: whose it is, nobody knows."""
        self._settings: dict[Path, Settings] = {}
        self._surroundings: dict[Path, Surroundings] = {}

    def settings(self, path: Path) -> Settings:
        """The configuration that holds for a file. Raises ``SettingsError``."""
        return self._settings_in(path.absolute().parent)

    def _settings_in(self, folder: Path) -> Settings:
        if folder not in self._settings:
            own = _settings_at(folder)
            if own is None and folder.parent != folder:
                own = self._settings_in(folder.parent)
            self._settings[folder] = own or Settings()
        return self._settings[folder]

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


def _settings_at(folder: Path) -> Settings | None:
    own = folder / OWN_FILE
    if own.is_file():
        return read_toml(_read(own), str(own), folder=str(folder))
    project = folder / PROJECT_FILE
    if not project.is_file():
        return None
    text = _read(project)
    # Most projects do not name us at all, and need not be parsed.
    if "msgls" not in text or toml_table(text, str(project), PROJECT_TABLE) is None:
        return None
    return read_toml(text, str(project), PROJECT_TABLE, str(folder))


def _read(path: Path) -> str:
    try:
        return read_text(path)
    except FileProblem as problem:
        raise SettingsError([f"{path}: {problem}"]) from None


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
    if not path.is_file():
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
