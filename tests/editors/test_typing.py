"""What is typed into Neovim and Emacs, key by key, is what is saved.

Both run in a terminal, with what ``editors/`` ships and a real server.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.editors.pages import PAGES, Page, Typing, every_typing
from tests.editors.story import EDITORS, Editor, environment, program, server_command

PATIENCE_SECONDS = 60
# Emacs has a mode for JSON, which indents by itself, and ours is not for it.
NOT_IN_EMACS = "agents"


class Typist(NamedTuple):
    """An editor in a terminal: how it is started, gets to the end of a file, and is left."""

    editor: Editor
    start: Callable[[Page, list[str]], list[str]]
    to_the_end: Callable[[Page], str]
    typed: Callable[[str], str]
    leave: str


def _neovim(page: Page, server: list[str]) -> list[str]:
    command = ", ".join([f"[==[{part}]==]" for part in server])
    return [
        *("--clean", "-n", "--cmd", f"set runtimepath^={EDITORS / 'vim'}"),
        *("--cmd", f"lua require('msgls').setup({{ cmd = {{ {command} }} }})"),
        page.file,
    ]


def _emacs(page: Page, server: list[str]) -> list[str]:
    configuration = Path("home/.emacs.d")
    configuration.mkdir()
    # A new home has nothing that is compiled, and compiling all of it takes minutes. Said here,
    # it holds before Emacs loads what it needs for a terminal.
    early = "(setq native-comp-deferred-compilation nil native-comp-jit-compilation nil)\n"
    (configuration / "early-init.el").write_text(early, "utf-8")
    lines = [
        f"(add-to-list 'load-path {_lisp([str(EDITORS / 'emacs')])})",
        "(require 'eglot)",
        "(require 'msgls)",
        f"(setq msgls-command '({_lisp(server)}) make-backup-files nil create-lockfiles nil)",
        "(setq auto-save-default nil eglot-autoreconnect nil inhibit-startup-screen t)",
        "(dolist (mode msgls-modes)",
        '  (add-hook (intern (format "%s-hook" mode)) (function eglot-ensure)))',
    ]
    (configuration / "init.el").write_text("\n".join(lines), "utf-8")
    return ["-nw", page.file]


def _lisp(parts: list[str]) -> str:
    quoted = [part.replace("\\", "\\\\").replace('"', '\\"') for part in parts]
    return " ".join([f'"{part}"' for part in quoted])


NEOVIM = Typist(
    Editor("Neovim", "nvim", ()),
    _neovim,
    lambda page: "Go" if page.start.endswith("\n") else "GA",
    # The last line ends by itself.
    lambda text: text.removesuffix("\n"),
    "\x1b:wq\r",
)
EMACS = Typist(
    Editor("Emacs", "emacs", ()),
    _emacs,
    lambda page: "\x1b>",
    lambda text: text,
    "\x18\x13\x18\x03",
)


def type_page(typist: Typist, page: Page, every_ms: int, directory: Path) -> str:
    """Type a page in a terminal; the text that is saved."""
    file = directory / page.file
    file.parent.mkdir(parents=True)
    file.write_bytes(page.start.encode())
    home = directory / "home"
    home.mkdir()
    os.chdir(directory)
    arguments = typist.start(page, server_command(directory))
    keyboard, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    with subprocess.Popen(
        [program(typist.editor), *arguments],
        env={**environment(directory, home), "TERM": "xterm-256color"},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        # Emacs wants a terminal that is its own.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ) as process:
        os.close(terminal)
        shown = bytearray()
        threading.Thread(target=_watch, args=(keyboard, shown), daemon=True).start()
        try:
            _wait(lambda: b"serves" in _read(directory / "server.log"), shown, "the server")
            _press(keyboard, typist.to_the_end(page), every_ms)
            _press(keyboard, typist.typed(page.text).replace("\n", "\r"), every_ms)
            _press(keyboard, typist.leave, every_ms)
            _wait(lambda: process.poll() is not None, shown, "the end")
        finally:
            process.kill()
    os.close(keyboard)
    return file.read_bytes().decode()


def _press(keyboard: int, keys: str, every_ms: int) -> None:
    """One key after the other."""
    due = time.monotonic()
    for key in keys:
        os.write(keyboard, key.encode())
        due = max(due + every_ms / 1000, time.monotonic())
        time.sleep(max(due - time.monotonic(), 0))


def _watch(keyboard: int, shown: bytearray) -> None:
    """What the editor shows has to be read, or it waits."""
    try:
        while data := os.read(keyboard, 65_536):
            shown += data
    except OSError:
        return  # The editor has gone.


def _wait(look: Callable[[], bool], shown: bytearray, what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not look():
        if time.monotonic() > deadline:
            pytest.fail(f"no sign of {what}:\n{shown[-3000:].decode('utf-8', 'replace')}")
        time.sleep(0.05)


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def check(typist: Typist, name: str, every_ms: int, directory: Path) -> None:
    page = PAGES[name]
    newline = "\r\n" if "\r\n" in page.start else "\n"
    wanted = page.start + page.text.replace("\n", newline)
    saved = type_page(typist, page, every_ms, directory)
    if page.file == "agents.json":
        # Neovim has a way of its own to indent JSON, and ours is not for it.
        saved, wanted = (re.sub(r"(?m)^[ \t]+", "", text) for text in (saved, wanted))
    assert saved == wanted


@pytest.fixture(autouse=True)
def back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("typist", [NEOVIM, EMACS], ids=["neovim", "emacs"])
def test_a_short_page(typist: Typist, tmp_path: Path) -> None:
    check(typist, "short", 40, tmp_path / "short")


def check_all(typist: Typist, typing: Typing, directory: Path, subtests: pytest.Subtests) -> None:
    for name in typing.names:
        if typist is EMACS and name == NOT_IN_EMACS:
            continue
        with subtests.test(name):
            check(typist, name, typing.every_ms, directory / name)


@every_typing
def test_in_neovim(typing: Typing, tmp_path: Path, subtests: pytest.Subtests) -> None:
    check_all(NEOVIM, typing, tmp_path, subtests)


@every_typing
def test_in_emacs(typing: Typing, tmp_path: Path, subtests: pytest.Subtests) -> None:
    check_all(EMACS, typing, tmp_path, subtests)
