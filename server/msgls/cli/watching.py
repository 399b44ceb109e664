"""``--watch``: check again when something changes.

Owns the waiting. Polls names, sizes and times, which works on every file system, including
network ones.
"""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgls.cli.exits import OK, tell
from msgls.host.discovery import AGENTS_FILE, OWN_FILE, PROJECT_FILE
from msgls.host.files import find_files
from msgls.text.phrases import Phrase

_PAUSE_SECONDS = 0.4
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"

Seen = dict[str, tuple[int, int]]


def watch(
    check: Callable[[], int],
    paths: Sequence[str],
    pause: Callable[[], None] = lambda: time.sleep(_PAUSE_SECONDS),
) -> int:
    """Call ``check`` now and after each change, until interrupted."""
    try:
        while True:
            # Before the check, so that changes during it are noticed. So are the fixes that the
            # check itself writes, but a file that is fixed already is not written again.
            seen = look(paths)
            if sys.stdout.isatty():
                sys.stdout.write(_CLEAR)
            check()
            tell(Phrase("Watching for changes; stop with Ctrl+C."))
            sys.stdout.flush()
            while look(paths) == seen:
                pause()
    except KeyboardInterrupt:
        return OK


def look(paths: Sequence[str]) -> Seen:
    """The times and sizes of the files, and of those that configure them."""
    seen: Seen = {}
    folders: set[Path] = set()
    for path in find_files(paths, lambda _: None):
        _note(seen, path)
        folders.add(path.absolute().parent)
    around = {folder for inner in folders for folder in (inner, *inner.parents)}
    for folder in around:
        for name in (OWN_FILE, PROJECT_FILE, AGENTS_FILE):
            _note(seen, folder / name)
    return seen


def _note(seen: Seen, path: Path) -> None:
    try:
        found = path.stat()
    except OSError:
        return
    seen[str(path)] = found.st_mtime_ns, found.st_size
