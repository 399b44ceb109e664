"""Writes the files of a folder together: all of them or none, as far as possible."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgls.host.files import FileProblem, reason, write_new, write_text
from msgls.text.phrases import about


def write_folder(folder: Path, files: Mapping[str, str], stale: Sequence[str] = ()) -> None:
    """Write ``files`` into a folder, and delete the files named ``stale``.

    A new folder is created atomically with all its files. In an existing folder, each file is
    replaced atomically, and files are deleted after all are written.
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
