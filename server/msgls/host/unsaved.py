"""What an editor shows and has not saved, while something is written into it bit by bit.

Owns the journals: files in the user's own folder for state, one for each document into which an
answer or a run comes. Editors keep copies of what is not saved, too, but wait with that until
nobody types, and a model may write for minutes; so whatever ends an editor or a server before the
file is saved, all that was shown is here.

A journal begins with a line of JSON (``file``, ``stamp``, ``size``) and the text, ``size`` bytes
of it. Lines with edits follow: ``[true, [[start, end, text]]]`` says what was made; with ``false``
it is what the editor is about to be asked for, which counts if nothing comes after it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.plain import PLAIN
from msgls.host.alive import is_alive
from msgls.host.files import Stamp, stamp_of
from msgls.text.spans import Edit, Span

ENDING = ".journal"
_KEPT_SECONDS = 30 * 24 * 3600
_LEAST_GROWTH = 1 << 20


def state_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's own folder for what msgls keeps between two runs."""
    if sys.platform == "win32":
        base = environment.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "msgls"
    base = environment.get("XDG_STATE_HOME", "")
    # The specification of XDG requires that a relative path is ignored.
    is_given = base and Path(base).is_absolute()
    return (Path(base) if is_given else Path.home() / ".local" / "state") / "msgls"


def journals_folder() -> Path:
    """Where the journals are; most users have none."""
    return state_folder() / "unsaved"


def any_journals() -> bool:
    """Whether anything is kept at all."""
    try:
        with os.scandir(journals_folder()) as entries:
            return next(entries, None) is not None
    except (OSError, RuntimeError):
        # There is no such folder, or no home for it.
        return False


class Journal:
    """What is kept of one file.

    All that writes raises ``OSError``; to begin, without a home, ``RuntimeError``.
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
        """The line with what may be in the editor by now, without our being told."""
        self.begin(text)

    def begin(self, text: str) -> None:
        """Keep this text, which is in the editor, and nothing from before."""
        data = text.encode("utf-8", "surrogatepass")
        header = {"file": str(self._file), "stamp": stamp_of(self._file), "size": len(data)}
        temporary = self.path.with_suffix(".tmp")
        # It is as private as the file itself.
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            _write(handle, json.dumps(header).encode() + b"\n" + data + b"\n" + self._handed_out)
            if sys.platform == "win32":
                # What is open cannot take another name there.
                self._close()
                os.close(handle)
                temporary.replace(self.path)
                handle = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            else:
                temporary.replace(self.path)
                self._close()
        except BaseException:
            os.close(handle)
            raise
        self._handle, self._size, self._grown = handle, len(data), 0

    def hand_out(self, edits: Sequence[Edit]) -> None:
        """The editor is about to be asked for these."""
        self._handed_out = self._add(edits, is_made=False)

    def follow(self, edit: Edit, text: Callable[[], str]) -> None:
        """The text in the editor was edited; ``text`` gives all of it."""
        self._handed_out = b""
        self._add([edit], is_made=True)
        # A document that is edited for hours must not be kept many times over.
        if self._grown > self._size + _LEAST_GROWTH:
            self.begin(text())

    def remove(self) -> None:
        """Remove the journal: nothing needs to be kept any more."""
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
    """What is kept of a file, and was never saved."""

    journal: Path
    text: str
    stamp: Stamp | None
    """That of the file when it was last read or saved."""
    seconds: float
    """When the last of it came."""

    @property
    def time(self) -> datetime:
        """The time in the local format."""
        return datetime.fromtimestamp(self.seconds, UTC).astimezone()

    def is_missing_in(self, text: str) -> bool:
        """Whether a text lacks any line of it."""
        return bool(Counter(self.text.split("\n")) - Counter(text.split("\n")))

    def remove(self) -> None:
        """Keep it no longer, unless another process is using it. Raises ``OSError``."""
        process = int(self.journal.stem.rpartition("-")[2])
        if process == os.getpid() or not is_alive(process):
            self.journal.unlink(missing_ok=True)


def unsaved_of(file: Path) -> Unsaved | None:
    """What is kept of a file, the latest where there are several."""
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
        # It was never finished, or is not ours.
        return None
    return Unsaved(path, text, None if stamp is None else (stamp[0], stamp[1]), seconds)


def _replayed(text: str, lines: Sequence[bytes]) -> str:
    """The text with the edits, up to the first that cannot be read."""
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
        if path.suffix == ENDING and path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]
