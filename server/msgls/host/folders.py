"""Writes the files of a folder together: all of them or none, as far as possible."""

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgls.host.files import file_problems, write_new, write_text


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
    for name in stale:
        with file_problems(folder / name):
            (folder / name).unlink(missing_ok=True)


def put_text(path: Path, text: str) -> None:
    """Write a file, whether it exists or not."""
    with file_problems(path):
        if os.path.lexists(path):
            write_text(path, text)
        else:
            write_new(path, text)


def _write_new_folder(folder: Path, files: Mapping[str, str]) -> None:
    mask = os.umask(0)
    os.umask(mask)
    with file_problems(folder):
        temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            for name, text in files.items():
                write_new(temporary / name, text)
            temporary.chmod(0o777 & ~mask)
            temporary.rename(folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
