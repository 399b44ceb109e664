"""The workspace: the open folders, their files, and the fields in the heads of the files.

Owns the list of files, the index of the fields in their heads, and the answers that were given to
documents about other files. Everything is looked up on demand and cached, until the client reports
a change of a file; if it cannot, each ``look_again`` invalidates everything. Nothing outside
the workspace is read, with links resolved.
"""

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
    all_names_in,
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
# For links to headings: limits of the files that are searched for headings.
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
    """The stamp of the file; ``None`` if the text is from an editor."""
    fields: frozenset[Field]


class Heads:
    """An index of the fields in the heads of files."""

    def __init__(self) -> None:
        self._heads: dict[str, _Head] = {}
        self._holders: dict[Field, set[str]] = {}
        self._edited: dict[Path, str] = {}
        """The start of each file that is open in an editor, to detect changes."""

    def put(self, path: Path, text: str) -> frozenset[Field]:
        """Index a file that is open in an editor; returns the fields that it gained or lost."""
        if self._edited.get(path) == text:
            return frozenset()
        key, fields = os.path.realpath(path), head_fields(path, text)
        known = self._heads.get(key)
        self._set(key, _Head(path, None, fields))
        self._edited[path] = text
        return fields if known is None else known.fields ^ fields

    def look(self, path: Path) -> None:
        """Index a file on the disk again, if its stamp changed."""
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
        """Remove all other files, except those that are open in an editor."""
        kept = {os.path.realpath(path) for path in paths}
        for key, head in list(self._heads.items()):
            if key not in kept and head.stamp is not None:
                self.drop(head.path)

    def drop(self, path: Path) -> None:
        """Remove a file that was deleted or closed."""
        self._edited.pop(path, None)
        key = os.path.realpath(path)
        head = self._heads.pop(key, None)
        for field in head.fields if head is not None else ():
            holders = self._holders[field]
            holders.discard(key)
            if not holders:
                # Every keystroke in a value makes a new field: unused ones must not accumulate.
                del self._holders[field]

    def _set(self, key: str, head: _Head) -> None:
        before = self._heads.get(key)
        if before is not None:
            self.drop(before.path)
        self._heads[key] = head
        for field in head.fields:
            self._holders.setdefault(field, set()).add(key)

    def others(self, path: Path, field: Field) -> tuple[str, ...]:
        """The paths of other files with that field."""
        own = os.path.realpath(path)
        found = [key for key in self._holders.get(field, ()) if key != own]
        return tuple(sorted(str(self._heads[key].path) for key in found))


class Workspace:
    """The folders of a client: queried for its documents, and updated by its file watcher."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self.discovery = Discovery(log.info)
        self.is_watched = False
        """Whether the client reports changes of files."""
        self._folders = tuple(folders)
        self._roots = _roots(self._folders)
        self._listing: list[Path] | None = None
        self._changes = 0
        self._heads: Heads | None = None
        self._heads_stale = True
        self._asked: set[str] = set()
        """The keys that were queried: changes of other fields do not matter."""
        self._open: dict[Path, str] = {}
        """The starts of the open documents that may have fields."""
        self._unsaved: set[Path] = set()
        """The open documents that were not on the disk when they were opened."""
        self.open_paths: Callable[[], Iterable[Path]] = lambda: ()
        """All files that are open in an editor."""

    # -- files ----------------------------------------------------------------------------

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders, as the client names them."""
        return self._folders

    @folders.setter
    def folders(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(folders)
        self._roots = _roots(self._folders)
        self._invalidate_files()

    def folder_of(self, path: Path) -> Path | None:
        """The innermost folder of the workspace that a file lies in."""
        holders = [folder for folder in self._folders if folder in path.parents]
        return max(holders, key=lambda folder: len(folder.parts), default=None)

    def files(self) -> Iterator[Path]:
        """Every file that may be of some format, and that git does not ignore.

        Found lazily: a caller may stop iterating at any time.
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
        """Handle a created, changed or deleted file; returns whether it may affect others."""
        if is_new_or_gone or path.name == ".gitignore":
            self._invalidate_files()
            self._forget_deleted(path)
            return True
        if self._heads is not None and has_head(path.name):
            self._heads.look(path)
        return has_head(path.name)

    def _forget_deleted(self, path: Path) -> None:
        """Ignore open documents whose file was deleted, at ``path`` or below it.

        An editor keeps a file open that was deleted or renamed elsewhere. It is ignored for other
        files until it is edited or saved.
        """
        for opened in [known for known in self._open if known == path or path in known.parents]:
            self._unsaved.discard(opened)
            if stamp_of(opened) is None:
                del self._open[opened]
                if self._heads is not None:
                    self._heads.drop(opened)

    def look_again(self) -> None:
        """Invalidate what may have changed unnoticed: not all folders are watched."""
        self.discovery.forget()
        if not self.is_watched:
            self._invalidate_files()
            self._unsaved = {path for path in self._unsaved if stamp_of(path) is None}

    def _invalidate_files(self) -> None:
        self._changes += 1
        self._listing = None
        self._heads_stale = True

    # -- heads of files -------------------------------------------------------------------

    def opened(self, path: Path, read: Callable[[Span], str]) -> bool:
        """Handle a file that was opened or edited; returns whether it may affect other files."""
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
        changed = frozenset() if self._heads is None else self._heads.put(path, start)
        return is_new or any(key in self._asked for key, _ in changed)

    def closed(self, path: Path) -> bool:
        """Handle a closed file: that on the disk is used; returns whether it may affect others."""
        if self._open.pop(path, None) is None:
            return False
        was_unsaved = path in self._unsaved
        self._unsaved.discard(path)
        if self._heads is not None:
            self._heads.drop(path)
            self._heads.look(path)
        return was_unsaved or self._heads is not None

    def others_with(self, path: Path, key: str, value: str) -> tuple[str, ...]:
        """The paths of other files in the workspace with ``key: value`` in their heads."""
        if self.folder_of(path) is None:
            return ()
        if self._heads is None or self._heads_stale:
            self._heads = self._indexed(self._heads or Heads())
        self._asked.add(key.casefold())
        return self._heads.others(path, folded(key, value))

    def _indexed(self, heads: Heads) -> Heads:
        self._heads_stale = False
        for path, start in self._open.items():
            heads.put(path, start)
        numbered = [path for path in self.files() if has_head(path.name)]
        for path in numbered:
            heads.look(path)
        heads.keep_only(numbered)
        return heads

    def registered_by(self, agents_file: str) -> Iterator[str]:
        """The files that an ``agents.json`` registers agents for, found lazily."""
        seen = set()
        for path in chain(tuple(self.open_paths()), self.files()):
            if path not in seen and path.name.lower().endswith(_WITH_AGENTS):
                seen.add(path)
                if self.discovery.surroundings(path).agents_file == agents_file:
                    yield str(path)

    def exists(self, path: Path, relative: str) -> bool | None:
        """Whether a file exists, relative to ``path``; ``None`` if it is outside the workspace."""
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
        """The names in a folder, relative to ``path``; empty if it is outside the workspace."""
        folder = self._inside(path, relative)
        return [] if folder is None else names_in(folder)

    def headings(self, path: Path, relative: str) -> list[str]:
        """The headings of a Markdown file, relative to ``path``."""
        file = self._inside(path, relative)
        return [] if file is None else headings_at(file)

    def all_headings(self, path: Path) -> Iterator[tuple[str, str]]:
        """The headings of all other Markdown files, each with its path relative to ``path``."""
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
        # First by the path alone, so that nothing outside is accessed; then with links resolved.
        if not _is_in(Path(target), self._folders) or self.folder_of(path) is None:
            return None
        resolved = Path(os.path.realpath(target))
        return resolved if _is_in(resolved, self._roots) else None

    def neighbours(self, path: Path) -> frozenset[str]:
        """The names in the folder of a file, including open documents that were never saved."""
        if self.folder_of(path) is None:
            return frozenset()
        unsaved = [known.name for known in self._unsaved if known.parent == path.parent]
        return all_names_in(path.parent).union(unsaved)


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
    """The queries of one document about other files, with cached answers.

    They are cached because rules ask at every keystroke. ``refresh`` repeats all queries.
    """

    def __init__(self, workspace: Workspace, path: Path) -> None:
        self._workspace = workspace
        self._path = path
        self._exists: dict[str, bool | None] = {}
        self._others: dict[Field, tuple[str, ...]] = {}
        self._has_forgotten = False
        """Whether answers were dropped from the cache: then ``refresh`` must report a change."""
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
        """Whether a file with that relative path exists."""
        if relative not in self._exists:
            self._make_room()
            self._exists[relative] = self._workspace.exists(self._path, relative)
        return self._exists[relative]

    def others_with(self, key: str, value: str) -> Sequence[str]:
        """The other files with ``key: value`` in their heads."""
        if (key, value) not in self._others:
            self._make_room()
            self._others[key, value] = self._workspace.others_with(self._path, key, value)
        return self._others[key, value]

    def refresh(self) -> bool:
        """Repeat all queries; returns whether an answer changed."""
        exists = {name: self._workspace.exists(self._path, name) for name in self._exists}
        others = {field: self._workspace.others_with(self._path, *field) for field in self._others}
        has_changed = self._has_forgotten or (exists, others) != (self._exists, self._others)
        self._exists, self._others, self._has_forgotten = exists, others, False
        return self._neighbours.refresh() or has_changed

    def _make_room(self) -> None:
        """Drop all answers if there are too many: each keystroke in a path makes a new query."""
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
        """Look them up again, if they were needed before; returns whether they changed."""
        before = self._found
        self._found = None if before is None else self._look()
        return self._found != before
