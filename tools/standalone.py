"""Builds the server as a folder with a program in it that needs no Python.

``python tools/standalone.py FOLDER`` runs in an environment that has msgls and PyInstaller, and
writes ``FOLDER/msgls`` (``msgls.exe``) with what it needs beside it. A folder and not one file:
one file would be unpacked at every start.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import tempfile
from pathlib import Path

# What msgls has no use for, and what is large. A socket is all that it opens, and never TLS.
EXCLUDED = ("tkinter", "unittest", "pydoc_data", "lib2to3", "curses", "readline", "sqlite3")
# Named by strings: handlers, rules, lexers of Pygments, and the schema's types.
COLLECTED = ("msgls", "lsprotocol", "pygls", "pygments", "rich")

# Providers are programs of their own, which msgls starts as `PYTHON -P -m MODULE ARGUMENTS`: where
# there is no Python, this program takes its place.
ENTRY = """
import runpy
import sys

if sys.argv[1:3] == ["-P", "-m"]:
    name = sys.argv[3]
    del sys.argv[1:4]
    runpy.run_module(name, run_name="__main__", alter_sys=True)
else:
    from msgls.cli.main import entry

    entry()
"""


def build(folder: Path) -> None:
    """Write the program and what it needs."""
    # In an environment of its own: none of ours has it.
    run = importlib.import_module("PyInstaller.__main__").run

    with tempfile.TemporaryDirectory() as scratch:
        entry = Path(scratch, "entry.py")
        entry.write_text(ENTRY, encoding="utf-8")
        options = ["--noconfirm", "--onedir", "--name", "msgls", "--log-level", "WARN"]
        options += [] if sys.platform == "win32" else ["--strip"]
        options += [f"--exclude-module={name}" for name in EXCLUDED]
        options += [f"--collect-submodules={name}" for name in COLLECTED]
        options += ["--collect-data=msgls", "--copy-metadata=pygls"]
        for kind in ("distpath", "workpath", "specpath"):
            options += [f"--{kind}", str(Path(scratch, kind))]
        run([*options, str(entry)])
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(Path(scratch, "distpath/msgls"), folder, symlinks=True)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
