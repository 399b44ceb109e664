"""Folders that are written as one thing: all of their files, or none as far as it can be.

Owns that, on top of the writing of single files.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgls.host.files import FileProblem, reason, write_new, write_text
from msgls.text.phrases import about


def write_folder(folder: Path, files: Mapping[str, str], stale: Sequence[str] = ()) -> None:
    """Let a folder hold ``files``; those of the names ``stale`` are deleted.

    A new folder appears at once, with everything in it. In one that is there, each file is
    replaced at once, and nothing is deleted before all of them are written.
    """
    if not os.path.lexists(folder):
        _write_new_folder(folder, files)
        return
    for name, text in files.items():
        put_text(folder / name, text)
    try:
        for name in stale:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise FileProblem(about(error.filename, reason(error))) from None


def put_text(path: Path, text: str) -> None:
    """Write a file, whether it exists or not."""
    try:
        if os.path.lexists(path):
            write_text(path, text)
        else:
            write_new(path, text)
    except FileProblem as problem:
        raise FileProblem(about(path, problem.phrase)) from None


def _write_new_folder(folder: Path, files: Mapping[str, str]) -> None:
    mask = os.umask(0)
    os.umask(mask)
    try:
        temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            for name, text in files.items():
                write_new(temporary / name, text)
            temporary.chmod(0o777 & ~mask)
            temporary.rename(folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except (OSError, FileProblem) as error:
        why = reason(error) if isinstance(error, OSError) else error.phrase
        raise FileProblem(about(folder, why)) from None
