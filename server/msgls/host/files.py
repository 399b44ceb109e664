"""Files: finding, reading and writing them.

Owns the walk through folders (which skips what git ignores), decoding, and atomic
writes: whatever happens, either the old file exists or the new one. Line breaks and
the byte-order mark are characters like others, and are kept.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgls.formats.base import Format
from msgls.formats.plain import PLAIN
from msgls.formats.registry import HEAD_LENGTH, detect, may_hold
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase, PhrasedError, about, as_phrase

if TYPE_CHECKING:
    from io import BufferedReader

    from pathspec import GitIgnoreSpec

    Specs = list[tuple[str, GitIgnoreSpec]]

# Folders that tools create; hidden folders are skipped as well.
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "site-packages", "venv"})

_MOST_NAMES = 2_000
_READ_AT_ONCE = 1 << 20
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


# The errors of file systems that have no links, such as FAT: Linux has three, Windows one.
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL})

Stamp = tuple[int, int]
"""The modification time and the size of a file."""


def names_in(folder: Path) -> list[str]:
    """The names in a folder that are not hidden; those of folders end with a slash."""
    try:
        with os.scandir(folder) as entries:
            found = [(entry.name, entry.is_dir()) for entry in islice(entries, _MOST_NAMES)]
    except (OSError, ValueError):
        return []
    names = [name + "/" * is_dir for name, is_dir in found if not name.startswith(".")]
    return sorted(names, key=str.casefold)


def all_names_in(folder: Path) -> frozenset[str]:
    """All names in a folder; none if it cannot be read."""
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208  # only names are needed
    except OSError:
        return frozenset()


class FileProblem(PhrasedError):
    """Raised for a file that cannot be read or written, with the reason for users."""


class ChangedProblem(FileProblem):
    """Raised for a file that was changed since it was read."""


@contextmanager
def file_problems(name: object = None) -> Iterator[None]:
    """Raise errors of the system as ``FileProblem``; with a name, all problems begin with it."""
    try:
        yield
    except OSError as error:
        why = reason(error)
        raise FileProblem(why if name is None else about(name, why)) from None
    except FileProblem as problem:
        if name is None:
            raise
        raise FileProblem(about(name, problem.phrase)) from None


# -- reading --------------------------------------------------------------------------------


def read_text(path: Path) -> str:
    """The text of a file."""
    with file_problems():
        check_regular(path)
        return decode(_patiently(path.read_bytes))


def read_runs(path: Path) -> Iterator[str]:
    """The text of a file in runs of whole lines: less memory than all of it at once.

    The first run holds as much as a format is detected by.
    """
    try:
        check_regular(path)
        with path.open("rb") as file:
            yield from _decoded(iter(partial(file.read, _READ_AT_ONCE), b""))
    except OSError as error:
        raise FileProblem(reason(error)) from None


def _decoded(blocks: Iterable[bytes]) -> Iterator[str]:
    start = 0
    waiting: list[bytes] = []
    head = b""
    for block in blocks:
        head = head if len(head) > 1 else head + block[:2]
        end = block.rfind(b"\n") + 1
        waiting.append(block[:end])
        if end and (start or sum(map(len, waiting)) >= 4 * HEAD_LENGTH):
            data = b"".join(waiting)
            yield decode(data, start, head)
            start += len(data)
            waiting = []
        waiting.append(block[end:])
    data = b"".join(waiting)
    if data:
        yield decode(data, start, head)


def read_ours(path: Path) -> str | None:
    """The text of a file; ``None`` if its format is unknown. It is opened only once."""
    if not may_hold(path.name):
        return None
    with file_problems():
        check_regular(path)
        with _opened(path) as file:
            data = file.read(HEAD_LENGTH)
            if detect(str(path.absolute()), data.decode("utf-8", "replace")) is PLAIN:
                return None
            return decode(data + file.read())


def check_regular(path: Path) -> None:
    """Refuse pipes, devices and sockets, which may have no end."""
    if not _may_be_read(path):
        raise FileProblem("it is not a regular file")


def _may_be_read(path: Path) -> bool:
    """Whether reading comes to an end; folders are refused later, when they are opened."""
    mode = path.stat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def decode(data: bytes, start: int = 0, head: bytes = b"") -> str:
    """Decode UTF-8. Raises ``FileProblem``, which names the first invalid byte.

    The data may be what follows the byte ``start`` of a file that begins with ``head``.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        is_wide = (head or data).startswith(_WIDE_MARKS)
        hint = Phrase("; it looks like UTF-16") if is_wide else ""
        raise FileProblem(
            "not UTF-8: byte {byte} at offset {offset}{hint}",
            byte=f"0x{data[error.start]:02x}",
            offset=str(start + error.start),
            hint=hint,
        ) from None


def format_of(path: Path) -> Format | None:
    """The format of a file, by its name and its start; ``None`` if it is unknown.

    The format of a file that cannot be read follows from its name.
    """
    if not may_hold(path.name):
        return None
    format = detect(str(path.absolute()), read_head(path))
    return None if format is PLAIN else format


def read_head(path: Path, size: int = HEAD_LENGTH) -> str:
    """The start of a file as text, with invalid bytes replaced; empty if it cannot be read."""
    with suppress(OSError):
        if _may_be_read(path):
            with _opened(path) as file:
                return file.read(size).decode("utf-8", "replace")
    return ""


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a file, which changes when it is written; ``None`` if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def size_of(path: Path) -> int:
    """The size of a file in bytes; 0 if there is no file."""
    stamp = stamp_of(path)
    return 0 if stamp is None else stamp[1]


def reason(error: OSError) -> Phrase:
    """The reason of an error, without its number and path."""
    return as_phrase((error.strerror or str(error)).lower())


# -- writing --------------------------------------------------------------------------------


def write_text(path: Path, text: str, instead_of: str | None = None) -> None:
    """Replace the content of a file atomically; links and permissions are kept.

    If the file no longer holds ``instead_of``, nothing is written: programs append to these
    files at any time, and what they added since it was read must not be lost.
    """
    from hashlib import sha256

    before = None if instead_of is None else sha256(_encode(instead_of)).digest()
    write_pieces(path, (_encode(text),), before)


def write_pieces(path: Path, pieces: Iterable[bytes], instead_of: bytes | None) -> None:
    """The same for a text in pieces; ``instead_of`` is the result of :func:`digest_of`."""
    target = Path(os.path.realpath(path))
    with file_problems():
        before = target.stat()
        check_writable(target)
        with _deferred_signals():
            temporary = _temporary(target, pieces, stat.S_IMODE(before.st_mode))
            try:
                _keep_owner(temporary, before)
                with _locked(target.parent):
                    if instead_of is not None and digest_of(target) != instead_of:
                        what = Phrase("it was changed in the meantime, and is left as it is")
                        raise ChangedProblem(what)
                    replace(temporary, target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        _sync_folder(target.parent)


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be replaced; for callers that check before they have a text."""
    target = Path(os.path.realpath(path))
    try:
        _patiently(partial(_ask_for_writing, target))
    except PermissionError:
        raise FileProblem("it is read-only") from None
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise FileProblem("its folder is read-only")


def _ask_for_writing(path: Path) -> None:
    # On Windows, a file that is being replaced has no rights to ask for, as if it were read-only.
    if not os.access(path, os.W_OK):
        raise PermissionError


def digest_of(path: Path) -> bytes:
    """A digest of a file, by which a change is detected."""
    from hashlib import file_digest

    with _opened(path) as file:
        return file_digest(file, "sha256").digest()


def write_new(path: Path, text: str) -> None:
    """Create a file atomically; it must not exist."""
    data = _encode(text)
    mask = os.umask(0)
    os.umask(mask)
    with file_problems():
        with _deferred_signals():
            temporary = _temporary(path, (data,), 0o666 & ~mask)
            try:
                _rename_to_new(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)


def _rename_to_new(temporary: Path, path: Path) -> None:
    """Give a file another name, which must be free."""
    try:
        # Linking to an existing name fails; renaming would replace the file.
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        with path.open("xb"):
            pass
        try:
            replace(temporary, path)
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def replace(temporary: Path, target: Path) -> None:
    """Rename a file into place."""
    _patiently(partial(temporary.replace, target), _TRIES_TO_REPLACE)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes of msgls that replace a file in it."""
    if sys.platform == "win32":
        # Folders cannot be locked there: a file for each folder, which is kept, is locked instead.
        import msvcrt
        import tempfile
        from hashlib import sha256

        name = sha256(str(folder).lower().encode("utf-8")).hexdigest()[:16]
        with Path(tempfile.gettempdir(), f"msgls-{name}.lock").open("ab") as file:
            while True:
                # The blocking mode tries only once a second, and gives up after ten tries.
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                except OSError as error:
                    if error.errno not in _LOCKED_ELSEWHERE:
                        raise
                else:
                    break
                time.sleep(_PAUSE)
            try:
                yield
            finally:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
        try:
            # Some network drives have no locks: then only the digest protects the file.
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


@contextmanager
def _deferred_signals() -> Iterator[None]:
    """Defer SIGTERM and SIGHUP, so that no temporary file is left behind."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        character = ord(text[error.start])
        raise FileProblem(
            "{character} cannot be encoded as UTF-8", character=f"U+{character:04X}"
        ) from None


def _temporary(target: Path, pieces: Iterable[bytes], mode: int) -> Path:
    """A temporary file beside ``target`` with some pieces, synced to the disk."""
    import tempfile

    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _keep_owner(path: Path, before: os.stat_result) -> None:
    if hasattr(os, "chown") and path.stat().st_uid != before.st_uid:
        os.chown(path, before.st_uid, before.st_gid)


def _sync_folder(folder: Path) -> None:
    """Sync the new name to the disk too, if the system allows that for folders.

    Errors are ignored: the file itself is already written.
    """
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# -- other programs, on Windows -----------------------------------------------------------------

# The pause between tries in seconds. What is being replaced can be read a moment later; a program
# that reads a file keeps others from replacing it as long as it likes.
_PAUSE, _TRIES_TO_READ, _TRIES_TO_REPLACE = 0.02, 10, 100
# The errors of a lock that another program holds: that of Windows, and that of Wine.
_LOCKED_ELSEWHERE = frozenset({errno.EACCES, 0})
Result = TypeVar("Result")


def _patiently(act: Callable[[], Result], tries: int = _TRIES_TO_READ) -> Result:
    """Do something with a file; on Windows, again if another program has it open or replaces it."""
    for _ in range(tries - 1 if sys.platform == "win32" else 0):
        with suppress(PermissionError):
            return act()
        time.sleep(_PAUSE)
    return act()


def _opened(path: Path) -> BufferedReader:
    return _patiently(lambda: path.open("rb"))


# -- finding --------------------------------------------------------------------------------

Complain = Callable[[str], None]


def find_files(paths: Iterable[str], complain: Complain) -> Iterator[Path]:
    """The files among ``paths`` and below the folders among them, each once.

    Below a folder, only files with a name that some format may have are found, except links and
    what git ignores; a file that is named itself is always found.
    """
    seen: set[str] = set()
    for name in paths:
        path = Path(name)
        try:
            is_folder = stat.S_ISDIR(path.stat().st_mode)
        except OSError as error:
            complain(about(name, reason(error)))
            continue
        for found in _walk(path, complain) if is_folder else (path,):
            key = os.path.realpath(found)
            if key not in seen:
                seen.add(key)
                yield found


def _walk(root: Path, complain: Complain) -> Iterator[Path]:
    absolute = os.path.abspath(root)  # noqa: PTH100  # resolve() would follow links
    specs = _specs_above(absolute)
    if specs and _is_ignored(absolute, True, specs):
        # The user named an ignored folder: ignore files above it do not apply.
        specs = []
    yield from _walk_folder(root, absolute, specs, complain)


def _walk_folder(folder: Path, absolute: str, specs: Specs, complain: Complain) -> Iterator[Path]:
    try:
        with os.scandir(absolute) as listing:
            entries = sorted(listing, key=lambda entry: _natural(entry.name))
    except OSError as error:
        complain(about(folder, reason(error)))
        return
    if any(entry.name == ".gitignore" for entry in entries):
        specs = [*specs, *_spec(absolute, ".gitignore")]
    folders = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            skipped = entry.name.startswith(".") or entry.name in _SKIPPED_FOLDERS
            if not skipped and not (specs and _is_ignored(entry.path, True, specs)):
                folders.append(entry)
        elif (
            may_hold(entry.name)
            and not (specs and _is_ignored(entry.path, False, specs))
            and entry.is_file(follow_symlinks=False)
        ):
            yield folder / entry.name
    for entry in folders:
        yield from _walk_folder(folder / entry.name, entry.path, specs, complain)


_DIGITS = lazy_pattern(r"([0-9]+)")


def _natural(name: str) -> tuple[list[tuple[int, str]], str]:
    """The sort key of names: `2.md` comes before `10.md`."""
    pieces = _DIGITS.split(name)
    return [(int(p), "") if p.isdecimal() and p.isascii() else (-1, p) for p in pieces if p], name


def _specs_above(folder: str) -> Specs:
    """The ignore patterns of the repository that contains a folder, outermost first."""
    chain = [Path(folder), *Path(folder).parents]
    root = next((number for number, above in enumerate(chain) if (above / ".git").exists()), None)
    if root is None:
        return []
    specs = _spec(str(chain[root]), ".git/info/exclude")
    for above in reversed(chain[1 : root + 1]):
        specs += _spec(str(above), ".gitignore")
    return specs


def _spec(folder: str, name: str) -> Specs:
    path = Path(folder, name)
    try:
        check_regular(path)
        lines = path.read_text("utf-8", "replace").split("\n")
    except (OSError, FileProblem):
        return []
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return []
    from pathspec import GitIgnoreSpec

    return [(folder, GitIgnoreSpec.from_lines(lines))]


def _is_ignored(absolute: str, is_folder: bool, specs: Specs) -> bool:
    """Whether git ignores a file: the innermost ignore file with a matching pattern decides."""
    for folder, spec in reversed(specs):
        relative = absolute[len(folder) :].replace(os.sep, "/").lstrip("/")
        found = spec.check_file(relative + "/" if is_folder else relative).include
        if found is not None:
            return found
    return False
