"""The workspace: the folders that are open, their files, and what those say of each other.

Owns the list of files, the index of what their heads say, and the answers that documents were given
about the files around them. Everything is looked up on demand, and kept until the client says that
a file has changed; where it cannot, each ``look_again`` makes all of it doubtful. Nothing
outside the workspace is looked at, links resolved.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from msgls.document.snapshot import Surroundings
from msgls.formats.base import Field, folded
from msgls.formats.prose import headings
from msgls.formats.registry import FORMATS, number_of
from msgls.host.discovery import Discovery
from msgls.host.files import (
    FileProblem,
    Stamp,
    find_files,
    names_in,
    read_head,
    read_text,
    stamp_of,
)
from msgls.text.spans import Span

log = logging.getLogger(__name__)

HEAD_CHARS = 16_384
_MOST_ANSWERS = 4_096
# For links to headings: what is too long to choose from is not read.
_MOST_FILES = 500
_LARGEST_BYTES = 1_000_000

_WITH_AGENTS = tuple(end for format in FORMATS if format.has_agents for end in format.endings)


def head_fields(path: Path, start: str) -> frozenset[Field]:
    """The fields in the header of a message, read from the start of its file."""
    known = [format for format in FORMATS if format.identity and format.detect(str(path), start)]
    return frozenset([folded(*pair) for format in known for pair in format.head_fields(start)])


def has_head(name: str) -> bool:
    """Whether a file of that name may have a header."""
    return number_of(name) is not None


class _Head(NamedTuple):
    """The fields at the start of a file, and the state of the file when they were read."""

    path: Path
    stamp: Stamp | None
    """Time and size; nothing where an editor has the text."""
    fields: frozenset[Field]


class Heads:
    """Which files say what in their heads."""

    def __init__(self) -> None:
        self._heads: dict[str, _Head] = {}
        self._holders: dict[Field, set[str]] = {}
        self._edited: dict[Path, str] = {}
        """How those start that an editor has open: what was read once is not read again."""

    def put(self, path: Path, text: str) -> frozenset[Field]:
        """An editor has a file open that starts so; returns the fields that it gained or lost."""
        if self._edited.get(path) == text:
            return frozenset()
        key, fields = os.path.realpath(path), head_fields(path, text)
        known = self._heads.get(key)
        self._set(key, _Head(path, None, fields))
        self._edited[path] = text
        return fields if known is None else known.fields ^ fields

    def look(self, path: Path) -> None:
        """See whether the file changed; read its start if so."""
        key = os.path.realpath(path)
        known = self._heads.get(key)
        if known is not None and known.stamp is None:
            return
        stamp = stamp_of(path)
        if stamp is None:
            self.drop(path)
        elif known is None or known.stamp != stamp:
            self._set(key, _Head(path, stamp, head_fields(path, read_head(path, HEAD_CHARS))))

    def keep_only(self, paths: Iterable[Path]) -> None:
        """Forget every other file, but for those that an editor has."""
        kept = {os.path.realpath(path) for path in paths}
        for key, head in list(self._heads.items()):
            if key not in kept and head.stamp is not None:
                self.drop(head.path)

    def drop(self, path: Path) -> None:
        """The file is gone, or not open any more."""
        self._edited.pop(path, None)
        key = os.path.realpath(path)
        head = self._heads.pop(key, None)
        for field in head.fields if head is not None else ():
            holders = self._holders[field]
            holders.discard(key)
            if not holders:
                # Every keystroke in a value makes another field: unused ones must be removed.
                del self._holders[field]

    def _set(self, key: str, head: _Head) -> None:
        before = self._heads.get(key)
        if before is not None:
            self.drop(before.path)
        self._heads[key] = head
        for field in head.fields:
            self._holders.setdefault(field, set()).add(key)

    def others(self, path: Path, field: Field) -> tuple[str, ...]:
        """The paths of the files that say so, without ``path``."""
        own = os.path.realpath(path)
        found = [key for key in self._holders.get(field, ()) if key != own]
        return tuple(sorted(str(self._heads[key].path) for key in found))


class Workspace:
    """The folders of a client. Asked by its documents, kept up to date by its watcher."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self.discovery = Discovery(log.info)
        self.is_watched = False
        """Whether changes of files are reported."""
        self._folders = tuple(folders)
        self._roots = _roots(self._folders)
        self._listing: list[Path] | None = None
        self._changes = 0
        self._heads: Heads | None = None
        self._heads_doubtful = True
        self._asked: set[str] = set()
        """The keys that were asked for: other fields are not looked at."""
        self._open: dict[Path, str] = {}
        """The starts of the open documents that have fields there."""
        self._unsaved: set[Path] = set()
        """Those of them that were not on the disk when they were opened."""
        self.open_paths: Callable[[], Iterable[Path]] = lambda: ()
        """The files that an editor has open, whatever they are."""

    # -- files ----------------------------------------------------------------------------

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders, as the client names them."""
        return self._folders

    @folders.setter
    def folders(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(folders)
        self._roots = _roots(self._folders)
        self._doubt_files()

    def folder_of(self, path: Path) -> Path | None:
        """The innermost folder of the workspace that a file lies in."""
        holders = [folder for folder in self._folders if folder in path.parents]
        return max(holders, key=lambda folder: len(folder.parts), default=None)

    def files(self) -> Iterator[Path]:
        """Every file that may be of some format, and that git does not ignore.

        Found on the way: a caller that has enough, or something better to do, stops asking.
        """
        if self._listing is not None and self.is_watched:
            yield from tuple(self._listing)
            return
        changes, listing = self._changes, []
        for path in find_files(map(str, self._folders), log.info):
            listing.append(path)
            yield path
        if changes == self._changes:
            self._listing = listing

    def changed(self, path: Path, *, is_new_or_gone: bool) -> bool:
        """A file was made, changed or deleted; true if other files may care."""
        if is_new_or_gone or path.name == ".gitignore":
            self._doubt_files()
            self._let_go_below(path)
            return True
        if self._heads is not None and has_head(path.name):
            self._heads.look(path)
        return has_head(path.name)

    def _let_go_below(self, path: Path) -> None:
        """Forget what an editor still shows of files that are gone.

        A file that was deleted or renamed elsewhere stays open, and is not a neighbour or
        double of any file; it counts again as soon as it is edited or saved.
        """
        for opened in [known for known in self._open if known == path or path in known.parents]:
            self._unsaved.discard(opened)
            if stamp_of(opened) is None:
                del self._open[opened]
                if self._heads is not None:
                    self._heads.drop(opened)

    def look_again(self) -> None:
        """Something may have changed unnoticed: folders above the workspace are not watched."""
        self.discovery.forget()
        if not self.is_watched:
            self._doubt_files()
            self._unsaved = {path for path in self._unsaved if stamp_of(path) is None}

    def _doubt_files(self) -> None:
        self._changes += 1
        self._listing = None
        self._heads_doubtful = True

    # -- what files say -------------------------------------------------------------------

    def opened(self, path: Path, read: Callable[[Span], str]) -> bool:
        """An editor has a file open, or changed it there; true if others may care."""
        if not has_head(path.name) or self.folder_of(path) is None:
            return False
        start = read(Span(0, HEAD_CHARS))
        before = self._open.get(path)
        if before == start:
            return False
        self._open[path] = start
        is_new = before is None and stamp_of(path) is None
        if is_new:
            self._unsaved.add(path)
        said = frozenset() if self._heads is None else self._heads.put(path, start)
        return is_new or any(key in self._asked for key, _ in said)

    def closed(self, path: Path) -> bool:
        """It has it open no more: what is on the disk counts; true if others may care."""
        if self._open.pop(path, None) is None:
            return False
        was_unsaved = path in self._unsaved
        self._unsaved.discard(path)
        if self._heads is not None:
            self._heads.drop(path)
            self._heads.look(path)
        return was_unsaved or self._heads is not None

    def others_with(self, path: Path, key: str, value: str) -> tuple[str, ...]:
        """The paths of other files in the workspace whose head says ``key: value``."""
        if self.folder_of(path) is None:
            return ()
        if self._heads is None or self._heads_doubtful:
            self._heads = self._indexed(self._heads or Heads())
        self._asked.add(key.casefold())
        return self._heads.others(path, folded(key, value))

    def _indexed(self, heads: Heads) -> Heads:
        self._heads_doubtful = False
        for path, start in self._open.items():
            heads.put(path, start)
        numbered = [path for path in self.files() if has_head(path.name)]
        for path in numbered:
            heads.look(path)
        heads.keep_only(numbered)
        return heads

    def registered_by(self, agents_file: str) -> Iterator[str]:
        """The files that an ``agents.json`` registers agents for, found on the way."""
        seen = set()
        for path in chain(tuple(self.open_paths()), self.files()):
            if path not in seen and path.name.lower().endswith(_WITH_AGENTS):
                seen.add(path)
                if self.discovery.surroundings(path).agents_file == agents_file:
                    yield str(path)

    def exists(self, path: Path, relative: str) -> bool | None:
        """Whether there is a file, seen from the folder of ``path``; nothing if not in here."""
        try:
            resolved = self._inside(path, relative)
            if resolved is None or not relative:
                return None
            resolved.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except (OSError, ValueError):
            return None
        return True

    def listing(self, path: Path, relative: str) -> list[str]:
        """The names in a folder, seen from the folder of ``path``; none if that is not in here."""
        folder = self._inside(path, relative)
        return [] if folder is None else names_in(folder)

    def headings(self, path: Path, relative: str) -> list[str]:
        """The headings of a Markdown file, seen from the folder of ``path``."""
        file = self._inside(path, relative)
        return [] if file is None else headings_at(file)

    def all_headings(self, path: Path) -> Iterator[tuple[str, str]]:
        """The headings of all other files in Markdown, each with its path from ``path``."""
        for file in islice(self.files(), _MOST_FILES):
            if file != path and file.name.lower().endswith(".md"):
                relative = os.path.relpath(file, path.parent).replace(os.sep, "/")
                for heading in headings_at(file):
                    yield relative, heading

    def _inside(self, path: Path, relative: str) -> Path | None:
        """The target of a relative path; ``None`` if it is outside the workspace."""
        if "\0" in relative or Path(relative).is_absolute():
            return None
        target = os.path.normpath(path.parent / relative.replace("\\", "/"))
        # In words first: nothing outside is even looked at. Then links count as where they lead.
        if not _is_in(Path(target), self._folders) or self.folder_of(path) is None:
            return None
        resolved = Path(os.path.realpath(target))
        return resolved if _is_in(resolved, self._roots) else None

    def neighbours(self, path: Path) -> frozenset[str]:
        """The names in the folder of a file, with those that an editor has not saved yet."""
        if self.folder_of(path) is None:
            return frozenset()
        unsaved = [known.name for known in self._unsaved if known.parent == path.parent]
        try:
            names = os.listdir(path.parent)  # noqa: PTH208  # only names are needed
        except OSError:
            names = []
        return frozenset([*names, *unsaved])


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(folder == path or folder in path.parents for folder in folders)


def headings_at(file: Path) -> list[str]:
    """The headings of a file; none where it cannot be read or is too large to look at."""
    try:
        return [] if file.stat().st_size > _LARGEST_BYTES else headings(read_text(file))
    except (FileProblem, OSError, ValueError):
        return []


def _roots(folders: Iterable[Path]) -> tuple[Path, ...]:
    return tuple([Path(os.path.realpath(folder)) for folder in folders])


class Outlook:
    """What one document asked about other files, and the answers.

    The answers are kept: rules ask at every key. ``refresh`` asks again what was asked.
    """

    def __init__(self, workspace: Workspace, path: Path) -> None:
        self._workspace = workspace
        self._path = path
        self._exists: dict[str, bool | None] = {}
        self._others: dict[Field, tuple[str, ...]] = {}
        self._has_forgotten = False
        """Whether something was asked that is not known any more: then nothing is certain."""
        self._neighbours = _Names(lambda: workspace.neighbours(path))

    def surroundings(self) -> Surroundings:
        """The surroundings of the document."""
        known = self._workspace.discovery.surroundings(self._path)
        return known._replace(
            neighbours=self._neighbours,
            others_with=self.others_with,
            exists=self.exists,
            listing=partial(self._workspace.listing, self._path),
            registered_by=self._workspace.registered_by,
        )

    def exists(self, relative: str) -> bool | None:
        """Whether there is a file of that relative path."""
        if relative not in self._exists:
            self._make_room()
            self._exists[relative] = self._workspace.exists(self._path, relative)
        return self._exists[relative]

    def others_with(self, key: str, value: str) -> Sequence[str]:
        """The other files that say so."""
        if (key, value) not in self._others:
            self._make_room()
            self._others[key, value] = self._workspace.others_with(self._path, key, value)
        return self._others[key, value]

    def refresh(self) -> bool:
        """Ask again; true if one of the answers is another one now."""
        exists = {name: self._workspace.exists(self._path, name) for name in self._exists}
        others = {field: self._workspace.others_with(self._path, *field) for field in self._others}
        has_changed = self._has_forgotten or (exists, others) != (self._exists, self._others)
        self._exists, self._others, self._has_forgotten = exists, others, False
        return self._neighbours.refresh() or has_changed

    def _make_room(self) -> None:
        """Each key in a path or a value asks something new: not all of it is kept for ever."""
        if len(self._exists) + len(self._others) >= _MOST_ANSWERS:
            self._exists, self._others = {}, {}
            self._has_forgotten = True


class _Names(Set[str]):
    """Names that are looked up on demand."""

    def __init__(self, look: Callable[[], frozenset[str]]) -> None:
        self._look = look
        self._found: frozenset[str] | None = None

    @property
    def _names(self) -> frozenset[str]:
        if self._found is None:
            self._found = self._look()
        return self._found

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __hash__(self) -> int:
        return id(self)

    def refresh(self) -> bool:
        """Look again, if anybody ever did; true if that makes a difference."""
        before = self._found
        self._found = None if before is None else self._look()
        return self._found != before
