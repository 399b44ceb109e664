"""How the time of everything grows with a text: four times the text, about four times the time.

Owns the actions, all that a user can start on one file, and how their growth is measured.
An input is a head, a unit that is repeated, with ``{i}`` for its number, and a tail.
``test_growth.py`` holds that every command and every request of the server is among the actions.
"""

import contextlib
import io
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from msgls.cli import output
from msgls.cli.main import main
from msgls.document.document import Document
from msgls.features.command_table import BY_ID
from msgls.lsp.addresses import VIEW_SCHEME
from tests.lsp.client import Client, Refused
from tests.measure import Measure, calls, seconds

# Four times the text may take one and a half times as long as linear growth would.
MOST_GROWTH = 6.0
# What takes less is not measured: the clock and the start of things would be.
_NOTICEABLE_SECONDS = 0.06
# What takes longer is not tried with yet more.
_LONG_SECONDS = 3.0
_FEWEST_CALLS = 2_000
_TIMES = 4


class Input(NamedTuple):
    path: str
    head: str
    unit: str
    tail: str = ""

    def text(self, length: int) -> str:
        """About ``length`` characters of it."""
        return self.head + "".join(self._units(length)) + self.tail

    def other_text(self, length: int) -> str:
        """The same with some units changed, gone and in another order."""
        units = self._units(length)
        changed = [f"{unit}x\n" if number % 7 == 3 else unit for number, unit in enumerate(units)]
        del changed[5::11]
        return self.head + "".join(reversed(changed)) + self.tail

    def _units(self, length: int) -> list[str]:
        count = max(length // len(self.unit.replace("{i}", "1234")), 1)
        return [self.unit.replace("{i}", str(number)) for number in range(1, count + 1)]


Action = Callable[[Input, int, Measure], float]
"""Does one thing to an input of a length, and tells what was measured."""


# -- on the command line --------------------------------------------------------------------------

FILE, OTHER, THIRD, CELL = "FILE", "OTHER", "THIRD", "CELL"
"""In the arguments of a command: the file, two changed copies of it, and an id in it."""


def _command(arguments: Sequence[str], given: Input, length: int, measure: Measure) -> float:
    text = given.text(length)
    with tempfile.TemporaryDirectory() as folder:
        filled = {CELL: last_id(given.path, text) if CELL in arguments else ""}
        versions = {FILE: text, OTHER: given.other_text(length), THIRD: text + given.unit}
        for name, content in versions.items():
            file = Path(folder, name, given.path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, "utf-8", newline="")
            filled[name] = str(file)
        line = [filled.get(argument, argument) for argument in arguments]

        def run() -> None:
            with contextlib.suppress(SystemExit):
                main(line)

        with _silence(), contextlib.chdir(folder), _home(folder):
            return measure(run)


def last_id(path: str, text: str) -> str:
    """The last id of a cell that a text has."""
    ids = [placed.cell.id for placed in Document.open(path, text).cells() if placed.cell.id]
    return ids[-1] if ids else "m1"


@contextlib.contextmanager
def _home(folder: str) -> Iterator[None]:
    """What the machine's user has configured does not count."""
    names = ("HOME", "XDG_CONFIG_HOME")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, folder))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        yield


_FORMATS = [
    "msgmd",
    "stf",
    "stf-semicolon",
    "chatbuilder",
    "messages",
    "openai",
    "anthropic",
    "markdown",
]
_OUTPUTS = output.FORMATS
_HINTS = ("--min-severity", "hint")
COMMANDS: Mapping[str, Action] = {
    " ".join(arg for arg in arguments if arg != FILE): partial(_command, arguments)
    for arguments in (
        ("check", FILE, *_HINTS),
        *(("check", FILE, *_HINTS, "--output-format", output) for output in _OUTPUTS),
        ("check", FILE, *_HINTS, "--diff", "--unsafe-fixes"),
        ("check", FILE, *_HINTS, "--fix", "--unsafe-fixes"),
        ("format", FILE, "--diff"),
        ("format", FILE),
        ("outline", FILE),
        ("outline", FILE, "--output-format", "json"),
        ("agents", FILE),
        ("agents", FILE, "add", "Ada"),
        ("agents", FILE, "add", "Ada", "--temporary"),
        ("set-default", FILE, "Al"),
        ("chat", FILE, "--force", "--message", "Hello"),
        *(("convert", FILE, "--to", format) for format in _FORMATS),
        *(("convert", FILE, "--to", format, "--all") for format in _FORMATS),
        ("view", FILE),
        ("view", FILE, "--explain"),
        ("view", FILE, "--to", "openai"),
        ("render", FILE),
        ("render", FILE, "--all"),
        ("ask", FILE, "--dry-run"),
        ("run", FILE, "--all", "--kernel", "none"),
        ("fork", FILE, CELL),
        ("diff", FILE, OTHER),
        ("diff", FILE, OTHER, "--output-format", "json"),
        ("merge", FILE, OTHER, THIRD),
        ("assemble", FILE, "--partial"),
        ("assemble", FILE, "--partial", "--to", "msgmd"),
        ("import", FILE),
    )
}


# -- in the editor --------------------------------------------------------------------------------


class Place(NamedTuple):
    """An open document, and what requests say of it."""

    client: Client
    uri: str
    text: str
    whole: dict[str, Any]
    middle: dict[str, int]

    @property
    def document(self) -> dict[str, Any]:
        return {"uri": self.uri}

    @property
    def at_middle(self) -> dict[str, Any]:
        return {"textDocument": self.document, "position": self.middle}

    def diagnostics(self) -> list[Any]:
        items: list[Any] = self.client.request(
            "textDocument/diagnostic", {"textDocument": self.document}
        )["items"]
        return items


Make = Callable[[Place], Any]
"""Makes the params of a request."""
_OPTIONS = {"tabSize": 2, "insertSpaces": True}


def _about(*more: str) -> Make:
    def params(place: Place) -> dict[str, Any]:
        known = {
            "range": place.whole,
            "position": place.middle,
            "positions": [place.whole["start"], place.middle],
            "ranges": [place.whole],
            "options": _OPTIONS,
            "context": {"includeDeclaration": True},
            "newName": "another",
            "previousResultId": "none",
        }
        return {"textDocument": place.document, **{name: known[name] for name in more}}

    return params


def _ours(*more: str) -> Make:
    def params(place: Place) -> dict[str, Any]:
        known = {"position": place.middle, "text": place.text, "head": place.text, "whole": True}
        return {"uri": place.uri, **{name: known[name] for name in more}}

    return params


def _actions(*only: str) -> Make:
    def params(place: Place) -> dict[str, Any]:
        context = {"diagnostics": place.diagnostics(), **({"only": [*only]} if only else {})}
        return {"textDocument": place.document, "range": place.whole, "context": context}

    return params


def _fix_all(place: Place) -> dict[str, Any]:
    actions = place.client.request("textDocument/codeAction", _actions("source.fixAll")(place))
    return dict(actions[0]) if actions else {"title": "nothing"}


def _call(place: Place) -> dict[str, Any]:
    items = place.client.request("textDocument/prepareCallHierarchy", place.at_middle)
    return {"item": items[0]} if items else {}


def _lens(place: Place) -> dict[str, Any]:
    lenses = place.client.request("textDocument/codeLens", {"textDocument": place.document})
    return dict(lenses[-1]) if lenses else {"range": place.whole}


def _command_of(name: str) -> Make:
    def params(place: Place) -> dict[str, Any]:
        argument: dict[str, Any] = {"uri": place.uri, "position": place.middle}
        argument |= {"end": place.whole["end"], "asText": True, "format": "stf", "to": "stf"}
        argument |= {"agent": "Al", "name": "Al", "type": "code", "model": "m"}
        return {"command": name, "arguments": [argument]}

    return params


def _request(method: str, make: Make, given: Input, length: int, measure: Measure) -> float:
    place = _opened(given, length)
    try:
        params = make(place)
    except Refused:
        params = {}

    def ask() -> None:
        with contextlib.suppress(Refused):
            place.client.request(method, params)

    return measure(ask)


def _opened(given: Input, length: int) -> Place:
    text = given.text(length)
    client, uri = Client(), f"file:///growth/{given.path}"
    client.open(text, uri)
    middle, end = (client.position(offset, uri) for offset in (len(text) // 2, len(text)))
    return Place(client, uri, text, {"start": {"line": 0, "character": 0}, "end": end}, middle)


def _open(given: Input, length: int, measure: Measure) -> float:
    text = given.text(length)
    client = Client()
    return measure(lambda: client.open(text, f"file:///growth/{given.path}"))


def _edit(written: str, given: Input, length: int, measure: Measure) -> float:
    """Write something in the middle, and ask what is wrong then."""
    place = _opened(given, length)
    place.diagnostics()
    at = {"start": place.middle, "end": place.middle}
    changes = [{"range": at, "text": written.replace("UNIT", given.unit)}]

    def edit() -> None:
        version = {**place.document, "version": 2}
        place.client.notify(
            "textDocument/didChange", {"textDocument": version, "contentChanges": changes}
        )
        place.diagnostics()

    return measure(edit)


def _close(given: Input, length: int, measure: Measure) -> float:
    place = _opened(given, length)
    return measure(lambda: place.client.close(place.uri))


def _save(given: Input, length: int, measure: Measure) -> float:
    place = _opened(given, length)
    params = {"textDocument": place.document}
    return measure(lambda: place.client.notify("textDocument/didSave", params))


def _viewed(place: Place) -> dict[str, Any]:
    return {"uri": f"{VIEW_SCHEME}:/view.md?{place.uri}"}


_MOVED = {"files": [{"oldUri": "file:///growth/a.png", "newUri": "file:///growth/b.png"}]}
ASKED: Mapping[str, Make] = {
    "textDocument/hover": _about("position"),
    "textDocument/completion": _about("position"),
    "completionItem/resolve": lambda place: {"label": "m1"},
    "textDocument/definition": _about("position"),
    "textDocument/references": _about("position", "context"),
    "textDocument/documentHighlight": _about("position"),
    "textDocument/rename": _about("position", "newName"),
    "textDocument/prepareRename": _about("position"),
    "textDocument/linkedEditingRange": _about("position"),
    "textDocument/documentSymbol": _about(),
    "textDocument/diagnostic": _about(),
    "workspace/diagnostic": lambda place: {"previousResultIds": []},
    "workspace/symbol": lambda place: {"query": "m"},
    "workspace/textDocumentContent": _viewed,
    "workspace/willRenameFiles": lambda place: _MOVED,
    "textDocument/foldingRange": _about(),
    "textDocument/selectionRange": _about("positions"),
    "textDocument/semanticTokens/full": _about(),
    "textDocument/semanticTokens/full/delta": _about("previousResultId"),
    "textDocument/semanticTokens/range": _about("range"),
    "textDocument/documentLink": _about(),
    "textDocument/prepareCallHierarchy": _about("position"),
    "callHierarchy/incomingCalls": _call,
    "callHierarchy/outgoingCalls": _call,
    "textDocument/codeAction": _actions(),
    "codeAction/resolve": _fix_all,
    "textDocument/codeLens": _about(),
    "codeLens/resolve": _lens,
    "textDocument/inlayHint": _about("range"),
    "textDocument/formatting": _about("options"),
    "textDocument/rangeFormatting": _about("range", "options"),
    "textDocument/rangesFormatting": _about("ranges", "options"),
    "msgls/cellLenses": _ours("position"),
    "msgls/cells": _ours(),
    "msgls/choices": lambda place: {
        "command": "msgls.cell.changeType",
        "argument": {"uri": place.uri, "position": place.middle},
    },
    "msgls/newFile": lambda place: {"folder": "file:///growth"},
    "msgls/languageOf": _ours("head"),
    "msgls/asContent": _ours("position", "text"),
    "msgls/link": lambda place: {
        "uri": place.uri,
        "range": {"start": place.middle, "end": place.middle},
        "files": ["file:///growth/a.png"],
    },
    "msgls/missingDefinition": _about("position"),
    "msgls/viewOf": _ours("position"),
    "msgls/sourceOf": _ours("position"),
    "msgls/page": _ours(),
    "msgls/tokens": _ours(),
    "msgls/hidden": _ours(),
}
"""The params of every request about a document."""
REQUESTS: Mapping[str, Action] = {
    "textDocument/didOpen": _open,
    "textDocument/didChange": partial(_edit, "x"),
    "textDocument/didChange a unit": partial(_edit, "\nUNIT\n"),
    "textDocument/didChange a fence": partial(_edit, "\n```\n"),
    "textDocument/didSave": _save,
    "textDocument/didClose": _close,
    **{method: partial(_request, method, make) for method, make in ASKED.items()},
    "msgls/page whole": partial(_request, "msgls/page", _ours("whole")),
    **{
        f"workspace/executeCommand {name}": partial(
            _request, "workspace/executeCommand", _command_of(name)
        )
        for name in BY_ID
        # Whoever runs code starts a process: what that takes is not ours.
        if name == "msgls.run.clear" or not name.startswith("msgls.run.")
    },
}
ACTIONS: Mapping[str, Action] = {**COMMANDS, **REQUESTS}


# -- measuring ------------------------------------------------------------------------------------


def growth_of_calls(action: Action, given: Input, length: int) -> float:
    """How many times as many calls four times the text takes."""

    def growth() -> float:
        short = max(action(given, length, calls), _FEWEST_CALLS)
        return action(given, length * _TIMES, calls) / short

    action(given, min(length, 500), calls)
    factor = growth()
    # What is loaded only for a longer text is loaded the second time.
    return growth() if factor > MOST_GROWTH else factor


def growth_of_seconds(action: Action, given: Input, length: int) -> float:
    """How many times as long four times the text takes; zero where that is nothing to notice.

    What looks bad is looked at again with four times as much: a step is not growth.
    """
    action(given, min(length, 500), seconds)
    long = action(given, length * _TIMES, seconds)
    if long < _NOTICEABLE_SECONDS:
        return 0.0
    factor = _best_factor(action, given, length)
    if factor > MOST_GROWTH and long < _LONG_SECONDS:
        return min(factor, _best_factor(action, given, length * _TIMES))
    return factor


def _best_factor(action: Action, given: Input, length: int) -> float:
    """The best of three where it looks bad: other processes only ever make something slower."""
    long = short = float("inf")
    for _ in range(3):
        long = min(long, action(given, length * _TIMES, seconds))
        short = min(short, action(given, length, seconds))
        if long <= MOST_GROWTH * max(short, _NOTICEABLE_SECONDS / _TIMES):
            break
    return long / max(short, _NOTICEABLE_SECONDS / _TIMES)
