"""How the time of everything grows with a text: four times the text, about four times the time.

Owns the actions, all that a user can start on one file, and how their growth is measured.
An input is a head, a unit that is repeated, with ``{i}`` for its number, and a tail.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from msgls.cli.main import main
from tests.lsp.client import Client, Refused
from tests.measure import Measure, calls, seconds

# Four times the text may take one and a half times as long as linear growth would.
MOST_GROWTH = 6.0
# What takes less is not measured: the clock and the start of things would be.
_NOTICEABLE_SECONDS = 0.06
_TIMES = 4


class Input(NamedTuple):
    path: str
    head: str
    unit: str
    tail: str = ""

    def text(self, length: int) -> str:
        """About ``length`` characters of it."""
        count = max(length // len(self.unit.replace("{i}", "1234")), 1)
        units = [self.unit.replace("{i}", str(number)) for number in range(1, count + 1)]
        return self.head + "".join(units) + self.tail


Action = Callable[[Input, int, Measure], float]
"""Does one thing to an input of a length, and tells what was measured."""


# -- on the command line --------------------------------------------------------------------------


def _command(arguments: tuple[str, ...], given: Input, length: int, measure: Measure) -> float:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, given.path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(given.text(length), "utf-8", newline="")

        def run() -> None:
            with contextlib.suppress(SystemExit):
                main([arguments[0], str(file), *arguments[1:]])

        with _silence():
            return measure(run)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        yield


# -- in the editor --------------------------------------------------------------------------------


def _request(
    method: str, params: Mapping[str, Any], given: Input, length: int, measure: Measure
) -> float:
    text = given.text(length)
    client, uri = Client(), f"file:///growth/{given.path}"
    client.open(text, uri)
    document = {"textDocument": {"uri": uri}}
    whole = {
        "start": {"line": 0, "character": 0},
        "end": {"line": text.count("\n"), "character": 0},
    }
    at = {"line": text.count("\n") // 2, "character": 3}
    places: dict[str, dict[str, Any]] = {
        "range": {"range": whole},
        "context": {"context": {"diagnostics": [], "includeDeclaration": True}},
        "position": {"position": at},
        "options": {"options": {"tabSize": 2, "insertSpaces": True}},
        "name": {"newName": "another"},
    }
    wanted: dict[str, Any] = dict(document)
    for name in params:
        wanted |= places[name]

    def ask() -> None:
        with contextlib.suppress(Refused):
            client.request(method, wanted)

    return measure(ask)


def _open(given: Input, length: int, measure: Measure) -> float:
    text = given.text(length)
    client = Client()
    return measure(lambda: client.open(text, f"file:///growth/{given.path}"))


def _asked(name: str, *params: str) -> tuple[str, Action]:
    method = f"textDocument/{name}"
    return name, partial(_request, method, dict.fromkeys(params))


COMMANDS: Mapping[str, Action] = {
    " ".join(arguments): partial(_command, arguments)
    for arguments in (
        ("check", "--min-severity", "hint"),
        ("check", "--min-severity", "hint", "--diff", "--unsafe-fixes"),
        ("format", "--diff"),
        ("outline",),
        ("convert", "--to", "msgmd"),
        ("convert", "--to", "stf"),
        ("convert", "--to", "openai"),
        ("convert", "--to", "anthropic"),
        ("convert", "--to", "messages"),
        ("view",),
        ("view", "--explain"),
        ("render",),
    )
}
REQUESTS: Mapping[str, Action] = dict(
    (
        ("open", _open),
        _asked("codeAction", "range", "context"),
        _asked("documentSymbol"),
        _asked("foldingRange"),
        _asked("semanticTokens/full"),
        _asked("codeLens"),
        _asked("inlayHint", "range"),
        _asked("documentLink"),
        _asked("formatting", "options"),
        _asked("hover", "position"),
        _asked("completion", "position"),
        _asked("references", "position", "context"),
        _asked("documentHighlight", "position"),
        _asked("rename", "position", "name"),
    )
)
ACTIONS: Mapping[str, Action] = {**COMMANDS, **REQUESTS}


# -- measuring ------------------------------------------------------------------------------------


def growth_of_calls(action: Action, given: Input, length: int) -> float:
    """How many times as many calls four times the text takes."""
    action(given, min(length, 500), calls)
    return action(given, length * _TIMES, calls) / action(given, length, calls)


def growth_of_seconds(action: Action, given: Input, length: int) -> float:
    """How many times as long four times the text takes; zero where that is nothing to notice.

    The best of three where it looks bad: other processes only ever make something slower.
    """
    action(given, min(length, 500), seconds)
    long = action(given, length * _TIMES, seconds)
    if long < _NOTICEABLE_SECONDS:
        return 0.0
    short = action(given, length, seconds)
    for _ in range(2):
        if long <= MOST_GROWTH * max(short, _NOTICEABLE_SECONDS / _TIMES):
            break
        long = min(long, action(given, length * _TIMES, seconds))
        short = min(short, action(given, length, seconds))
    return long / max(short, _NOTICEABLE_SECONDS / _TIMES)
