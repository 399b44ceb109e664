"""The surroundings of files that are checked together on the command line.

All of it is plain data, because files are checked in several processes; and it contains only what
rules need.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from msgls.document.snapshot import Surroundings
from msgls.formats.base import Field, Format, folded
from msgls.host.files import all_names_in, names_in, read_head

Fields = dict[Field, tuple[str, ...]]


class Together:
    """The files of one run."""

    def __init__(self, files: Iterable[tuple[Path, Format]] = ()) -> None:
        self._names: dict[Path, frozenset[str]] = {}
        self._known_by: dict[Path, Field | None] = {}
        self._holders: dict[Field, list[Path]] = {}
        self._embedding: set[Path] = set()
        """Files that may name others."""
        for path, format in files:
            if format.identity:
                self._look(path, format)
            elif format.names_files:
                self._embedding.add(path)

    def _look(self, path: Path, format: Format) -> None:
        fields = format.head_fields(read_head(path))
        # If a field occurs twice, the first one counts.
        found = [folded(*field) for field in fields if field[0] == format.identity and field[1]]
        self._known_by[path] = found[0] if found else None
        for key in found:
            self._holders.setdefault(key, []).append(path)

    def with_others(self, path: Path, known: Surroundings) -> Surroundings:
        """The surroundings of a file, including the other files of the run."""
        if path in self._embedding:
            folder = path.absolute().parent
            return known._replace(
                exists=partial(_exists, folder), listing=partial(_listing, folder)
            )
        if path not in self._known_by:
            return known
        key = self._known_by[path]
        holders = () if key is None else self._holders[key]
        others = tuple([str(other) for other in holders if other != path])
        if key is not None and others:
            known = known._replace(others_with=partial(_lookup, {key: others}))
        return known._replace(neighbours=self._neighbours(path.absolute().parent))

    def _neighbours(self, folder: Path) -> frozenset[str]:
        if folder not in self._names:
            self._names[folder] = all_names_in(folder)
        return self._names[folder]


def _lookup(fields: Fields, key: str, value: str) -> Sequence[str]:
    return fields.get(folded(key, value), ())


def _exists(folder: Path, relative: str) -> bool | None:
    """Whether a file exists, relative to a folder; ``None`` if that is unknown."""
    if not relative or "\0" in relative or Path(relative).is_absolute():
        return None
    try:
        (folder / relative.replace("\\", "/")).stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return None
    return True


def _listing(folder: Path, relative: str) -> Sequence[str]:
    return () if "\0" in relative else names_in(folder / relative.replace("\\", "/"))
