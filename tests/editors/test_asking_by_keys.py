"""Emacs and Helix ask a model by keys, in a terminal: what people see, type, save and undo."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from msgls.host.alive import is_alive
from msgls.host.unsaved import unsaved_of
from tests.editors.story import EDITORS, Editor, environment, program, server_command
from tests.editors.terminal import Terminal
from tests.editors.test_typing import configure_emacs

WORDS = " ".join(f"word{number}" for number in range(40))
HEAD = "---\nagents:\n  Echo: {models: [replay]}\n---\n\n# %% 🦊[^m1]\n\n[^m1]: [markdown]\n\n"
TEXT = f"{HEAD}{WORDS}\n"
TYPED = "Typed while it came. "
# Twenty words a second: long enough to be typed into.
SLOWLY = '[providers.replay]\ncommand = ["replay", "--speed", "20"]\n'


class Keys(NamedTuple):
    """Which keys a person presses in an editor."""

    editor: Editor
    configure: Callable[[Path, list[str]], None]
    """Let the editor have our configuration, and a server."""
    find: str
    """What goes to the text that is typed after it."""
    ask: Callable[[Terminal], None]
    insert: str
    """What begins to type, and what ends it."""
    end_of_typing: str
    save: str
    undo: str
    leave: str
    restore: Callable[[Terminal], None]
    """Put back what was not saved, after the editor was killed."""
    has_one_undo: bool
    """Whether one undo takes all of an answer."""


def _ask_in_emacs(terminal: Terminal) -> None:
    terminal.press("\x03\rask.answer\r")


def _restore_in_emacs(terminal: Terminal) -> None:
    terminal.press("\x03\runsaved.restore\r")


def _ask_in_helix(terminal: Terminal) -> None:
    _first_action_in_helix(terminal, "Ask Echo")


def _restore_in_helix(terminal: Terminal) -> None:
    _first_action_in_helix(terminal, "Restore unsaved text")


def _first_action_in_helix(terminal: Terminal, title: str) -> None:
    def is_offered() -> bool:
        # The server may not have heard of the file yet: then a person tries again.
        seen = len(terminal.shown)
        terminal.press("\x1b a", every_ms=500)
        return title in terminal.shown[seen:]

    terminal.wait(is_offered, title)
    terminal.press("\r")


def _ask_in_neovim(terminal: Terminal) -> None:
    terminal.press(":Msgls ask.answer\r")


def _restore_in_neovim(terminal: Terminal) -> None:
    terminal.wait_for("Restore unsaved text")
    terminal.press("1\r")


def _configure_neovim(home: Path, server: list[str]) -> None:
    command = ", ".join([f"[==[{part}]==]" for part in server])
    (home / "nvim").mkdir()
    lines = [
        f"vim.opt.runtimepath:prepend([==[{EDITORS / 'vim'}]==])",
        # Its own copy of what is not saved is asked about before anything else; see below.
        "vim.opt.shortmess:append('A')",
        f"require('msgls').setup({{ cmd = {{ {command} }} }})",
    ]
    (home / "nvim/init.lua").write_text("\n".join(lines), "utf-8")


def _configure_helix(home: Path, server: list[str]) -> None:
    """As it is shipped: the server is what is called so on the path."""
    shutil.copytree(EDITORS / "helix", home / "helix")
    started = home / "bin/msgls"
    started.parent.mkdir()
    started.write_text(f"#!/bin/sh\nexec {shlex.join(server)}\n", "utf-8")
    started.chmod(0o755)


EMACS = Keys(
    editor=Editor("Emacs", "emacs", ["-nw"]),
    configure=configure_emacs,
    find="\x13",
    ask=_ask_in_emacs,
    insert="",
    end_of_typing="",
    save="\x18\x13",
    undo="\x1f",
    leave="\x18\x03",
    restore=_restore_in_emacs,
    has_one_undo=True,
)
HELIX = Keys(
    editor=Editor("Helix", "hx", []),
    configure=_configure_helix,
    find="/",
    ask=_ask_in_helix,
    insert="i",
    end_of_typing="\x1b",
    save=":w\r",
    undo="u",
    leave=":q\r",
    restore=_restore_in_helix,
    has_one_undo=False,
)
NEOVIM = Keys(
    editor=Editor("Neovim", "nvim", []),
    configure=_configure_neovim,
    find="/",
    ask=_ask_in_neovim,
    insert="i",
    end_of_typing="\x1b",
    save=":w\r",
    undo="u",
    leave=":q\r",
    restore=_restore_in_neovim,
    has_one_undo=True,
)
# Debian has Helix from 13 on: `make editors` installs it where the system has it.
needs_helix = pytest.mark.skipif(shutil.which("hx") is None, reason="this system has no Helix")
EVERYBODY = [
    pytest.param(EMACS, id="emacs"),
    pytest.param(HELIX, id="helix", marks=needs_helix),
    pytest.param(NEOVIM, id="neovim"),
]


class Desk:
    """A person's home, a file, and an editor that has it open."""

    def __init__(self, keys: Keys, directory: Path, providers: str = SLOWLY) -> None:
        self.keys = keys
        self.directory = directory
        self.home = directory / "home"
        self.file = directory / "talk.msg.md"
        self.file.write_bytes(TEXT.encode())
        (self.home / "msgls").mkdir(parents=True)
        (self.home / "msgls/providers.toml").write_text(providers, "utf-8")
        keys.configure(self.home, server_command(directory))

    def open(self) -> Terminal:
        """Start the editor, and wait until the server knows the file."""
        log = self.directory / "server.log"
        log.unlink(missing_ok=True)
        editor = self.keys.editor
        variables = environment(self.directory, self.home)
        path = f"{self.home / 'bin'}{os.pathsep}{variables['PATH']}"
        terminal = Terminal(
            [program(editor), *editor.arguments, self.file.name],
            {**variables, "PATH": path},
            self.directory,
        )
        terminal.wait(lambda: log.exists() and " serves " in log.read_text("utf-8"), "the server")
        return terminal

    def saved(self, terminal: Terminal, is_so: Callable[[str], object]) -> str:
        """Save until the file is so: an edit may still be on its way."""

        def look() -> bool:
            terminal.press(self.keys.save)
            return bool(is_so(self.file.read_bytes().decode()))

        terminal.wait(look, "what is to be saved")
        return self.file.read_bytes().decode()


def answered(question: str) -> re.Pattern[str]:
    """The file, once the answer is whole."""
    definition = r"\[\^m2\]: \[Echo\] time=\"[^\"]+\" model=\"replay\""
    usage = " input_tokens=[0-9]+ output_tokens=[0-9]+"
    return re.compile(
        re.escape(f"{HEAD}{question}\n\n# %%% [^m2]\n\n")
        + f"{definition}{usage}\n\nYou said:\n\n{WORDS}\n"
    )


@pytest.mark.parametrize("keys", EVERYBODY)
def test_the_answer_comes_and_can_be_undone(keys: Keys, tmp_path: Path) -> None:
    desk = Desk(keys, tmp_path)
    with desk.open() as terminal:
        terminal.press(f"{keys.find}word0\r")
        keys.ask(terminal)
        terminal.wait_for("output_tokens")
        desk.saved(terminal, answered(WORDS).fullmatch)
        if keys.has_one_undo:
            terminal.press(keys.undo)
            desk.saved(terminal, lambda text: text == TEXT)
        terminal.press(keys.leave)
        terminal.wait_for_the_end()
    assert " WARNING " not in (tmp_path / "server.log").read_text("utf-8")


@pytest.mark.parametrize("keys", EVERYBODY)
def test_what_is_typed_meanwhile_is_where_it_was_typed(keys: Keys, tmp_path: Path) -> None:
    desk = Desk(keys, tmp_path)
    with desk.open() as terminal:
        terminal.press(f"{keys.find}word0\r")
        keys.ask(terminal)
        # An editor may draw the rest of a line that it has begun to draw in parts.
        terminal.wait_for("incomplete=1")
        terminal.press(keys.insert + TYPED + keys.end_of_typing, every_ms=60)
        terminal.wait_for("output_tokens")
        text = desk.saved(terminal, lambda text: "output_tokens" in text)
        terminal.press(keys.leave)
        terminal.wait_for_the_end()
    assert "incomplete" not in text
    before, _, answer = text.partition("\n\n# %%% [^m2]\n")
    assert before.replace(TYPED, "", 1) == TEXT.removesuffix("\n")
    assert TYPED in before
    assert answer.endswith(f"\n\nYou said:\n\n{WORDS}\n")
    assert " WARNING " not in (tmp_path / "server.log").read_text("utf-8")


TELLS_ITS_PID = """
import json, os, sys, time
sys.stdin.read()
for number in range(10_000):
    # No editor need scroll or wrap lines for that.
    text = f"pid {os.getpid()}." if number == 0 else f"{' ' if number % 10 else chr(10)}w{number}."
    delta = {"runId": "r", "seq": number, "kind": "text", "timestamp": "t"}
    print(json.dumps({**delta, "payload": {"textDelta": text}}), flush=True)
    time.sleep(0.05)
"""


@pytest.mark.parametrize("keys", EVERYBODY)
def test_a_server_that_is_killed_leaves_what_was_shown_to_be_saved(
    keys: Keys, tmp_path: Path
) -> None:
    desk = Desk(keys, tmp_path, telling_its_pid(tmp_path))
    with desk.open() as terminal:
        terminal.press(f"{keys.find}word0\r")
        keys.ask(terminal)
        wait_for_word(terminal, 30)
        shown = terminal.shown
        server = int((tmp_path / "server.pid").read_text())
        os.kill(server, signal.SIGKILL)
        terminal.wait(lambda: not is_alive(server), "the end of the server")
        text = desk.saved(terminal, lambda text: "# %%% [^m2]" in text)
        terminal.press(keys.leave)
        terminal.wait_for_the_end()
    words = words_of(text)
    assert words == list(range(1, len(words) + 1))
    assert len(words) >= max(words_of(shown))
    assert " incomplete=1\n" in text
    provider = int(text.partition("\n\npid ")[2].partition(".")[0])
    terminal.wait(lambda: not is_alive(provider), "the end of the provider")


def telling_its_pid(tmp_path: Path) -> str:
    program = tmp_path / "provider.py"
    program.write_text(TELLS_ITS_PID, "utf-8")
    command = json.dumps([sys.executable, str(program)])
    return f'[models]\n"*" = "own"\n[providers.own]\ncommand = {command}\n'


def wait_for_word(terminal: Terminal, number: int) -> None:
    """Wait until this word is shown, or a later one: not every word is drawn by itself."""
    terminal.wait(lambda: max(words_of(terminal.shown), default=0) >= number, f"w{number}.")


def words_of(text: str) -> list[int]:
    return [int(word) for word in re.findall(r"w(\d+)\.", text)]


@pytest.mark.parametrize("keys", EVERYBODY)
def test_an_editor_that_is_killed_loses_nothing_that_it_showed(
    keys: Keys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(keys, tmp_path, telling_its_pid(tmp_path))
    with desk.open() as terminal:
        terminal.press(f"{keys.find}word0\r")
        keys.ask(terminal)
        wait_for_word(terminal, 9)
        terminal.press(keys.insert + TYPED + keys.end_of_typing, every_ms=60)
        wait_for_word(terminal, 60)
        server = int((tmp_path / "server.pid").read_text())
        terminal.process.kill()
        shown = terminal.shown
        terminal.wait(lambda: not is_alive(server), "the end of the server")
    # The file is as it was saved last.
    assert desk.file.read_bytes() == TEXT.encode()
    with desk.open() as terminal:
        keys.restore(terminal)
        text = desk.saved(terminal, lambda text: "# %%% [^m2]" in text)
        provider = int(text.partition("\n\npid ")[2].partition(".")[0])
        terminal.wait(lambda: not is_alive(provider), "the end of the provider")
        terminal.press(keys.leave)
        terminal.wait_for_the_end()
    words = words_of(text)
    assert words == list(range(1, len(words) + 1))
    assert len(words) >= max(words_of(shown))
    assert TYPED in text.partition("# %%% [^m2]")[0]
    assert " incomplete=1\n" in text
    monkeypatch.setenv("XDG_STATE_HOME", str(desk.home))
    # Emacs may end its server before that has taken away what was kept.
    kept = unsaved_of(desk.file)
    assert kept is None or not kept.is_missing_in(text)
