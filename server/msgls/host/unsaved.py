"""Journals of unsaved text, while an answer or output is streamed into an editor.

Owns the journals: files in the user's own state folder, one for each document that an answer or a
run is written into. Editors back up unsaved text themselves, but only after a pause in typing, and
a model may write for minutes. If the editor or the server ends before the file is saved, all that
was shown is in the journal.

A journal begins with a line of JSON (``file``, ``stamp``, ``size``) and the text, ``size`` bytes
long. Lines with edits follow: ``[true, [[start, end, text]]]`` was applied; ``false`` marks edits
that the editor is about to be asked for, which count only if no line follows.
"""

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.plain import PLAIN
from msgls.host.alive import is_alive
from msgls.host.files import Stamp, replace, stamp_of
from msgls.text.spans import Edit, Span

ENDING = ".journal"
_KEPT_SECONDS = 30 * 24 * 3600
_LEAST_GROWTH = 1 << 20
# Without it, Windows writes two bytes for each line break.
_BINARY = getattr(os, "O_BINARY", 0)


def state_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's own folder for persistent state of msgls."""
    if sys.platform == "win32":
        base = environment.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "msgls"
    base = environment.get("XDG_STATE_HOME", "")
    # The XDG specification requires that relative paths are ignored.
    is_given = base and Path(base).is_absolute()
    return (Path(base) if is_given else Path.home() / ".local" / "state") / "msgls"


def journals_folder() -> Path:
    """The folder of the journals; for most users it does not exist."""
    return state_folder() / "unsaved"


def any_journals() -> bool:
    """Whether there are any journals."""
    try:
        with os.scandir(journals_folder()) as entries:
            return next(entries, None) is not None
    except (OSError, RuntimeError):
        # The folder or the home folder does not exist.
        return False


class Journal:
    """The journal of one file.

    Methods that write raise ``OSError``; the constructor raises ``RuntimeError`` without a home
    folder.
    """

    def __init__(self, file: Path, text: str) -> None:
        self._file = file
        folder = journals_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _remove_old(folder)
        self.path = folder / f"{_key(file)}-{os.getpid()}{ENDING}"
        self._size = self._grown = 0
        self._handle = -1
        self._handed_out = b""
        """The line with edits that the editor may have applied, but has not confirmed."""
        self.begin(text)

    def begin(self, text: str) -> None:
        """Start over with this text, which is in the editor."""
        data = text.encode("utf-8", "surrogatepass")
        header = {"file": str(self._file), "stamp": stamp_of(self._file), "size": len(data)}
        temporary = self.path.with_suffix(".tmp")
        # Readable by the user only, because the file may be private.
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
        try:
            _write(handle, json.dumps(header).encode() + b"\n" + data + b"\n" + self._handed_out)
            if sys.platform == "win32":
                # Open files cannot be renamed there.
                self._close()
                os.close(handle)
                handle = -1
                replace(temporary, self.path)
                handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | _BINARY)
            else:
                temporary.replace(self.path)
                self._close()
        except BaseException:
            if handle >= 0:
                os.close(handle)
            raise
        self._handle, self._size, self._grown = handle, len(data), 0

    def hand_out(self, edits: Sequence[Edit]) -> None:
        """Record edits that the editor is about to be asked for."""
        self._handed_out = self._add(edits, is_made=False)

    def follow(self, edit: Edit, text: Callable[[], str]) -> None:
        """Record an edit that was applied in the editor; ``text`` returns the whole text."""
        self._handed_out = b""
        self._add([edit], is_made=True)
        # A document that is edited for hours must not grow a journal many times its size.
        if self._grown > self._size + _LEAST_GROWTH:
            self.begin(text())

    def remove(self) -> None:
        """Delete the journal."""
        self._close()
        self.path.unlink(missing_ok=True)

    def _add(self, edits: Sequence[Edit], *, is_made: bool) -> bytes:
        record = [is_made, [[*span, text] for span, text in edits]]
        line = json.dumps(record).encode() + b"\n"
        self._grown += len(line)
        _write(self._handle, line)
        return line

    def _close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


class Unsaved(NamedTuple):
    """The unsaved text of a file, from a journal."""

    journal: Path
    text: str
    stamp: Stamp | None
    """The stamp of the file when it was last read or saved."""
    seconds: float
    """The time of the last edit, in seconds since 1970."""

    @property
    def time(self) -> datetime:
        """The time of the last edit, in the local time zone."""
        return datetime.fromtimestamp(self.seconds, UTC).astimezone()

    def is_missing_in(self, text: str) -> bool:
        """Whether any of its lines is missing in a text."""
        return bool(Counter(self.text.split("\n")) - Counter(text.split("\n")))

    def remove(self) -> None:
        """Delete the journal, unless another process is using it. Raises ``OSError``."""
        process = int(self.journal.stem.rpartition("-")[2])
        if process == os.getpid() or not is_alive(process):
            self.journal.unlink(missing_ok=True)


def unsaved_of(file: Path) -> Unsaved | None:
    """The unsaved text of a file; the latest, if there are several journals."""
    paths = journals_folder().glob(f"{_key(file)}-*{ENDING}")
    found = [unsaved for path in paths if (unsaved := _read(path, file)) is not None]
    return max(found, key=lambda it: it.seconds, default=None)


def _read(path: Path, file: Path) -> Unsaved | None:
    try:
        data, seconds = path.read_bytes(), path.stat().st_mtime
        head, _, rest = data.partition(b"\n")
        header = json.loads(head)
        if header["file"] != str(file):
            return None
        size, stamp = header["size"], header["stamp"]
        text = rest[:size].decode("utf-8", "surrogatepass")
        text = _replayed(text, rest[size + 1 :].split(b"\n")[:-1])
    except (OSError, ValueError, KeyError, TypeError):
        # It is incomplete, or not a journal.
        return None
    return Unsaved(path, text, None if stamp is None else (stamp[0], stamp[1]), seconds)


def _replayed(text: str, lines: Sequence[bytes]) -> str:
    """The text with the edits applied, up to the first line that cannot be read."""
    document = Document.open("unsaved", text, PLAIN)
    after = document
    for line in lines:
        try:
            is_made, triples = json.loads(line)
            edits = [Edit(Span(start, end), new) for start, end, new in triples]
            after = document.apply(edits) if edits else document
        except (TypeError, ValueError):
            break
        if is_made:
            document = after
    return after.text


def _key(file: Path) -> str:
    return sha256(str(file).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _remove_old(folder: Path) -> None:
    """Remove journals that are older than a month."""
    oldest = time.time() - _KEPT_SECONDS
    for path in folder.iterdir():
        # Another process may be removing it, too; one that cannot be removed is in nobody's way.
        with suppress(OSError):
            if path.suffix == ENDING and path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]
