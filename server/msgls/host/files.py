"""Files: which ones there are, what they hold, and how they are written.

Owns the walk through folders (what git ignores is left out), the decoding, and
writes that are atomic: whatever happens, the old file is there or the new one.
Line ends and the byte-order mark are characters like others, and stay.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgls.formats.base import Format
from msgls.formats.plain import PLAIN
from msgls.formats.registry import HEAD_LENGTH, detect, may_hold
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase, PhrasedError, about, as_phrase

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    Specs = list[tuple[str, GitIgnoreSpec]]

# Made by tools and never by people; hidden folders are left out as well.
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "site-packages", "venv"})

_MOST_NAMES = 2_000
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


Stamp = tuple[int, int]
"""When a file was changed last, and its size."""


def names_in(folder: Path) -> list[str]:
    """The names in a folder that are not hidden, those of folders with a slash at the end."""
    try:
        with os.scandir(folder) as entries:
            found = [(entry.name, entry.is_dir()) for entry in islice(entries, _MOST_NAMES)]
    except (OSError, ValueError):
        return []
    names = [name + "/" * is_dir for name, is_dir in found if not name.startswith(".")]
    return sorted(names, key=str.casefold)


class FileProblem(PhrasedError):
    """A file that cannot be read or written, and why, in words."""


class ChangedProblem(FileProblem):
    """A file that no longer holds what it held when it was read."""


# -- reading --------------------------------------------------------------------------------


def read_text(path: Path) -> str:
    """The text of a file."""
    try:
        check_regular(path)
        data = path.read_bytes()
    except OSError as error:
        raise FileProblem(reason(error)) from None
    return decode(data)


def read_ours(path: Path) -> str | None:
    """The text of a file; nothing if its format is unknown. It is opened once."""
    if not may_hold(path.name):
        return None
    try:
        check_regular(path)
        with path.open("rb") as file:
            data = file.read(HEAD_LENGTH)
            if detect(str(path.absolute()), data.decode("utf-8", "replace")) is PLAIN:
                return None
            data += file.read()
    except OSError as error:
        raise FileProblem(reason(error)) from None
    return decode(data)


def check_regular(path: Path) -> None:
    """Refuse what cannot be read to an end: pipes, devices, sockets."""
    if not _may_be_read(path):
        raise FileProblem("it is not a regular file")


def _may_be_read(path: Path) -> bool:
    """Whether reading comes to an end; a folder is refused when it is opened."""
    mode = path.stat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def decode(data: bytes) -> str:
    """UTF-8 to text; the first byte that is not UTF-8 is named."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        hint = Phrase("; it looks like UTF-16") if data.startswith(_WIDE_MARKS) else ""
        raise FileProblem(
            "not UTF-8: byte {byte} at offset {offset}{hint}",
            byte=f"0x{data[error.start]:02x}",
            offset=str(error.start),
            hint=hint,
        ) from None


def format_of(path: Path) -> Format | None:
    """The format of a file by its name and its start; nothing if its format is unknown.

    A file that cannot be read is of the format that its name says.
    """
    if not may_hold(path.name):
        return None
    format = detect(str(path.absolute()), read_head(path))
    return None if format is PLAIN else format


def read_head(path: Path, size: int = HEAD_LENGTH) -> str:
    """The start of a file as text, whatever its bytes are; empty if it cannot be read."""
    with suppress(OSError):
        if _may_be_read(path):
            with path.open("rb") as file:
                return file.read(size).decode("utf-8", "replace")
    return ""


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a file, which changes when it is written; nothing where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def reason(error: OSError) -> Phrase:
    """The reason of an error, without its number and path."""
    return as_phrase((error.strerror or str(error)).lower())


# -- writing --------------------------------------------------------------------------------


def write_text(path: Path, text: str, instead_of: str | None = None) -> None:
    """Replace what a file holds, at once; a link stays one, and permissions stay.

    Where it does not hold ``instead_of`` any more, nothing is written: programs add to these
    files at any time, and what they added since it was read must not be lost.
    """
    from hashlib import sha256

    before = None if instead_of is None else sha256(_encode(instead_of)).digest()
    write_pieces(path, (_encode(text),), before)


def write_pieces(path: Path, pieces: Iterable[bytes], instead_of: bytes | None) -> None:
    """The same for a text that comes in pieces; ``instead_of`` is what :func:`digest_of` says."""
    target = Path(os.path.realpath(path))
    try:
        before = target.stat()
        check_writable(target)
        with _to_the_end():
            temporary = _temporary(target, pieces, stat.S_IMODE(before.st_mode))
            try:
                _keep_owner(temporary, before)
                with _alone_in(target.parent):
                    if instead_of is not None and digest_of(target) != instead_of:
                        what = Phrase("it was changed in the meantime, and is left as it is")
                        raise ChangedProblem(what)
                    _replace(temporary, target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        _sync_folder(target.parent)
    except OSError as error:
        raise FileProblem(reason(error)) from None


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be replaced: for callers that must know before there is a text."""
    target = Path(os.path.realpath(path))
    if not os.access(target, os.W_OK):
        raise FileProblem("it is read-only")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise FileProblem("its folder is read-only")


def digest_of(path: Path) -> bytes:
    """What shows whether a file holds the same as before."""
    from hashlib import file_digest

    with path.open("rb") as file:
        return file_digest(file, "sha256").digest()


def write_new(path: Path, text: str) -> None:
    """Make a file that must not be there yet, at once."""
    data = _encode(text)
    mask = os.umask(0)
    os.umask(mask)
    try:
        with _to_the_end():
            temporary = _temporary(path, (data,), 0o666 & ~mask)
            try:
                # A link to an existing name is refused; renaming would replace it.
                os.link(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise FileProblem(reason(error)) from None


# On Windows: how long to wait, in seconds, and how often.
_PAUSE, _MOST_TRIES = 0.02, 100


def _replace(temporary: Path, target: Path) -> None:
    """Put a file in place; on Windows that waits for a program that has the old one open."""
    tries = _MOST_TRIES if sys.platform == "win32" else 1
    for left in reversed(range(tries)):
        try:
            temporary.replace(target)
        except PermissionError:
            if not left:
                raise
            time.sleep(_PAUSE)
        else:
            return


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let no other process of msgls replace a file of a folder at the same time."""
    if sys.platform == "win32":
        # Folders cannot be locked there: a file of their own, which stays, is locked instead.
        import msvcrt
        import tempfile
        from hashlib import sha256

        name = sha256(str(folder).lower().encode("utf-8")).hexdigest()[:16]
        with Path(tempfile.gettempdir(), f"msgls-{name}.lock").open("ab") as file:
            while True:
                # What waits by itself there looks once a second, and gives up after ten.
                with suppress(PermissionError):
                    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
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
            # Some network drives have no locks: the look at what the file holds is left then.
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


@contextmanager
def _to_the_end() -> Iterator[None]:
    """Defer SIGTERM and its like for a moment, so that no temporary file is left behind."""
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
    """A file beside ``target`` that holds some pieces and has reached the disk."""
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
    """Let the new name reach the disk too, where a folder can be opened and asked for that.

    The file is written by now: what fails here must not be reported as if it were not.
    """
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# -- finding --------------------------------------------------------------------------------

Complain = Callable[[str], None]


def find_files(paths: Iterable[str], complain: Complain) -> Iterator[Path]:
    """The files that ``paths`` name, and those below the folders among them, each once.

    Below a folder only names that some format may have are found, and nothing that git
    ignores, and no link; what is named itself is always found.
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
        # Named by the user: ignore files above do not count.
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
    """The ignore patterns of the repository around a folder, the outermost first."""
    chain = [Path(folder), *Path(folder).parents]
    root = next((number for number, above in enumerate(chain) if (above / ".git").exists()), None)
    if root is None:
        return []
    specs = _spec(str(chain[root]), ".git/info/exclude")
    for above in reversed(chain[1 : root + 1]):
        specs += _spec(str(above), ".gitignore")
    return specs


def _spec(folder: str, name: str) -> Specs:
    try:
        lines = Path(folder, name).read_text("utf-8", "replace").split("\n")
    except OSError:
        return []
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return []
    from pathspec import GitIgnoreSpec

    return [(folder, GitIgnoreSpec.from_lines(lines))]


def _is_ignored(absolute: str, is_folder: bool, specs: Specs) -> bool:
    """Whether git ignores a file: the innermost file that says anything decides."""
    for folder, spec in reversed(specs):
        relative = absolute[len(folder) :].replace(os.sep, "/").lstrip("/")
        found = spec.check_file(relative + "/" if is_folder else relative).include
        if found is not None:
            return found
    return False
