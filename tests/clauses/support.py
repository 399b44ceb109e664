"""The doors of msgls: its command line, its language server and its library.

Nothing in `tests/clauses` looks inside. With ``MSGLS_PYTHON`` the msgls of another interpreter is
asked, in processes of its own, and so the same tests show what an older version does.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgls.text.spans import Edit, Span
from tests.cli.support import Run, Runner
from tests.lsp.client import VSCODE, Client
from tests.lsp.wire import Wire, framed

PYTHON = os.environ.get("MSGLS_PYTHON")
INTERPRETER = (sys.executable,) if PYTHON is None else (PYTHON, "-E")
"""`-E`: a `PYTHONPATH` that names this msgls must not put it before the other one."""


class Program(Runner):
    """The command line of another msgls."""

    def __call__(self, *arguments: str, stdin: str | bytes = "") -> Run:
        data = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
        command = [*INTERPRETER, "-m", "msgls", *arguments]
        done = subprocess.run(command, input=data, capture_output=True, cwd=self.folder)
        return Run(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


class _Distant:
    """A server in a process, where a client expects one in its own."""

    def __init__(self) -> None:
        self.wire = Wire((*INTERPRETER, "-m", "msgls", "serve"))
        self._taken = 0
        self._unanswered: set[Any] = set()

    def attach(self, channel: Any) -> None:
        self._channel = channel

    def receive(self, message: Mapping[str, Any]) -> None:
        if "method" in message and "id" in message:
            self._unanswered.add(message["id"])
        self.wire.write(framed(message))

    def step(self) -> bool:
        """Take what the server says, until it has answered all or asks something itself."""
        if not self._unanswered:
            return False
        message = self.wire.message(self._taken)
        self._taken += 1
        self._channel.write(framed(message))
        is_answer = "method" not in message
        if is_answer:
            self._unanswered.discard(message["id"])
        return is_answer or "id" not in message


class Editor(Client):
    """An editor with the folder of a conversation open."""

    def __init__(self, folder: Path, locale: str = "en") -> None:
        self.folder = folder
        self.distant = None if PYTHON is None else _Distant()
        super().__init__(
            VSCODE,
            server=self.distant,
            rootUri=folder.as_uri(),
            locale=locale,
            workspaceFolders=[{"uri": folder.as_uri(), "name": "talk"}],
        )
        self.answers["workspace/applyEdit"] = lambda _: {"applied": True}

    def show(self, name: str, text: str) -> str:
        """Open a file; its address."""
        language = "msgmd"
        for ending, other in (("stf", "stf"), ("jsonl", "msgjson"), ("json", "json")):
            if name.endswith(ending):
                language = other
                break
        return self.open(text, (self.folder / name).as_uri(), language)

    def type(self, uri: str, old: str, new: str) -> None:
        """Replace the one place where ``old`` stands."""
        at = self.texts[uri].index(old)
        self.change(Edit(Span(at, at + len(old)), new), uri=uri)

    def problems(self, uri: str) -> list[dict[str, Any]]:
        """All diagnostics of a document, in order of their places."""
        document = {"textDocument": {"uri": uri}}
        found: list[dict[str, Any]] = self.request("textDocument/diagnostic", document)["items"]
        return sorted(found, key=lambda one: (one["range"]["start"]["line"], one["code"]))

    def hover(self, uri: str, near: str) -> str:
        """What is shown over the last character of ``near``."""
        at = self.texts[uri].index(near) + len(near) - 1
        found = self.at("textDocument/hover", at, uri)
        return "" if found is None else str(found["contents"]["value"])

    def outline(self, uri: str) -> list[dict[str, Any]]:
        """All symbols, whatever they are in."""

        def walk(symbols: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
            for symbol in symbols:
                yield symbol
                yield from walk(symbol.get("children") or [])

        return list(
            walk(self.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}}))
        )

    def actions(self, uri: str, place: Mapping[str, Any], *kinds: str) -> list[dict[str, Any]]:
        """Code actions at a range."""
        context = {"diagnostics": self.problems(uri), **({"only": kinds} if kinds else {})}
        params = {"textDocument": {"uri": uri}, "range": place, "context": context}
        found: list[dict[str, Any]] = self.request("textDocument/codeAction", params)
        return found

    def fixed(self, uri: str, action: Mapping[str, Any]) -> str:
        """The text after a code action."""
        if "edit" not in action and "data" in action:
            action = self.request("codeAction/resolve", action)
        if "edit" in action:
            return self.after(action["edit"], uri)
        return self._run(uri, action["command"])

    def fixes(self, uri: str, code: str) -> list[str]:
        """The texts after each quick fix of the first problem of a rule."""
        problem = next(one for one in self.problems(uri) if one["code"] == code)
        return [
            self.fixed(uri, action)
            for action in self.actions(uri, problem["range"], "quickfix")
            if any(one["code"] == code for one in action.get("diagnostics", ()))
        ]

    def do(self, uri: str, command: str, near: str = "", **more: Any) -> str:
        """The text after a command that is run at the end of ``near``."""
        at = self.texts[uri].index(near) + len(near)
        argument = {"uri": uri, "position": self.position(at, uri), **more}
        return self._run(uri, {"command": command, "arguments": [argument]})

    def _run(self, uri: str, command: Mapping[str, Any]) -> str:
        self.asked.clear()
        self.request("workspace/executeCommand", dict(command))
        for params in self.requests("workspace/applyEdit"):
            return self.after(params["edit"], uri)
        return self.texts[uri]

    def leave(self) -> None:
        """End the server, if it is a process."""
        if self.distant is not None:
            self.distant.wire.__exit__(None, None, None)


def library(code: str) -> str:
    """What a program prints that uses msgls as a library."""
    done = subprocess.run([*INTERPRETER, "-c", code], capture_output=True, text=True)
    return done.stdout + done.stderr


def dumped(value: Any) -> str:
    """JSON, as programs write it."""
    return json.dumps(value, indent=1, ensure_ascii=False)


def lines(*values: Any) -> str:
    """JSONL."""
    return "".join(json.dumps(value) + "\n" for value in values)
