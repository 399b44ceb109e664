"""What is typed into Neovim and Emacs, key by key, is what is saved.

Both run in a terminal, with what ``editors/`` ships and a real server. ``make test`` types a short
page, ``make typing`` every page at three speeds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.editors.pages import PAGES, TYPINGS, Page
from tests.editors.story import EDITORS, Editor, environment, program, server_command
from tests.editors.terminal import PATIENCE_SECONDS, Terminal

# Emacs has a mode for JSON, which indents by itself, and ours is not for it.
NOT_IN_EMACS = "agents"
# So many pages at a time: nearly all is waiting for the next key.
AT_A_TIME = 10


class Typist(NamedTuple):
    """An editor in a terminal: how it is started, gets to the end of a file, and is left."""

    editor: Editor
    start: Callable[[Page, Path, list[str]], list[str]]
    to_the_end: Callable[[Page], str]
    typed: Callable[[str], str]
    leave: str


def _neovim(page: Page, home: Path, server: list[str]) -> list[str]:
    command = ", ".join([f"[==[{part}]==]" for part in server])
    return [
        *("--clean", "-n", "--cmd", f"set runtimepath^={EDITORS / 'vim'}"),
        *("--cmd", f"lua require('msgls').setup({{ cmd = {{ {command} }} }})"),
        page.file,
    ]


def _emacs(page: Page, home: Path, server: list[str]) -> list[str]:
    configure_emacs(home, server)
    return ["-nw", page.file]


def configure_emacs(home: Path, server: list[str]) -> None:
    """Our configuration, for whoever has this home."""
    configuration = home / ".emacs.d"
    configuration.mkdir(parents=True)
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
        # On a busy machine a server needs its time to start.
        f"(setq eglot-connect-timeout {PATIENCE_SECONDS})",
        "(dolist (mode msgls-modes)",
        '  (add-hook (intern (format "%s-hook" mode)) (function eglot-ensure)))',
    ]
    (configuration / "init.el").write_text("\n".join(lines), "utf-8")


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
    arguments = typist.start(page, home, server_command(directory))
    command = [program(typist.editor), *arguments]
    with Terminal(command, environment(directory, home), directory) as terminal:
        terminal.wait(lambda: b"serves" in _read(directory / "server.log"), "the server")
        terminal.press(typist.to_the_end(page), every_ms)
        terminal.press(typist.typed(page.text).replace("\n", "\r"), every_ms)
        terminal.press(typist.leave, every_ms)
        terminal.wait_for_the_end()
    return file.read_bytes().decode()


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


every_typist = pytest.mark.parametrize("typist", [NEOVIM, EMACS], ids=["neovim", "emacs"])


@every_typist
def test_a_short_page(typist: Typist, tmp_path: Path) -> None:
    check(typist, "short", 40, tmp_path / "short")


@pytest.mark.typing
@every_typist
def test_every_page_at_each_speed(
    typist: Typist, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    pages = [
        (typing.every_ms, name)
        for typing in TYPINGS
        for name in typing.names
        if (typist, name) != (EMACS, NOT_IN_EMACS)
    ]
    # The longest begin first.
    pages.sort(key=lambda page: page[0] * len(PAGES[page[1]].text), reverse=True)
    with ThreadPoolExecutor(AT_A_TIME) as typists:
        typed = [
            typists.submit(check, typist, name, every_ms, tmp_path / f"{name} {every_ms}")
            for every_ms, name in pages
        ]
    for (every_ms, name), done in zip(pages, typed, strict=True):
        with subtests.test(f"{name} every {every_ms} ms"):
            done.result()
