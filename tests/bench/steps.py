"""How long the server goes without listening: CPU time of every step, worst first.

    python -m tests.bench.steps [MEGABYTES] [SHAPE …]

A document of each shape is opened, checked, published, edited in three places, and asked for
everything that an editor asks for, in this process. A step is what runs between two looks at what
the client sent. Some shapes have one cell that is nearly all of the document.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgls.lsp.protocol import Protocol
from msgls.lsp.server import TABLE
from msgls.text.garbage import collect_young
from tests.bench.corpora import SHAPES, Shape
from tests.bench.longcells import LONG_CELLS

MOST_MS = 50.0
SHOWN = 40
_ALL = {"start": {"line": 0, "character": 0}, "end": {"line": 10**7, "character": 0}}
_AT_THE_START, _PLACES = 4, ("at the start", "in the middle", "near the end")


def asked_at(place: Mapping[str, int]) -> Sequence[tuple[str, dict[str, Any]]]:
    """What an editor asks for where the cursor is."""
    here = {"start": place, "end": place}
    return (
        *((f"textDocument/{name}", {"position": place}) for name in (
            "hover", "completion", "definition", "documentHighlight", "linkedEditingRange",
            "prepareRename", "prepareCallHierarchy",
        )),
        ("textDocument/references", {"position": place, "context": {"includeDeclaration": True}}),
        ("textDocument/rename", {"position": place, "newName": "other"}),
        ("textDocument/selectionRange", {"positions": [place]}),
        ("textDocument/codeAction", {"range": here, "context": {"diagnostics": []}}),
    )  # fmt: skip


ASKED: Sequence[tuple[str, dict[str, Any]]] = (
    *((f"textDocument/{name}", {}) for name in (
        "documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink",
    )),
    ("textDocument/inlayHint", {"range": _ALL}),
    ("textDocument/semanticTokens/range", {"range": _ALL}),
    ("textDocument/codeAction", {"range": _ALL, "context": {"diagnostics": []}}),
    ("textDocument/formatting", {"options": {"tabSize": 4, "insertSpaces": True}}),
)  # fmt: skip
"""What is asked for of all of a document."""


class Step(NamedTuple):
    """The longest step of one thing that was asked."""

    milliseconds: float
    what: str
    shape: str


class Silent:
    """A client that takes everything and says nothing."""

    backlog = 0

    def wait(self, seconds: float, reading: bool) -> bool:
        """Nothing comes."""
        return False

    def read(self) -> bytes | None:
        """Nothing is there."""
        return None

    def write(self, data: bytes) -> None:
        """Taken."""

    def wake(self) -> None:
        """Nobody waits."""

    def close(self) -> None:
        """Nothing is left."""


def steps(shape: Shape, size: int) -> Iterator[Step]:
    """The longest step of each thing that is asked of a document of that shape."""
    server = Protocol(TABLE)
    server.attach(Silent())
    uri = f"file:///{shape.file}"
    for number, (method, params, where) in enumerate(messages(uri, shape.text(size))):
        is_asked = method.split("/")[-1] not in {"initialized", "didOpen", "didChange", "didClose"}
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        server.receive({**message, "id": number} if is_asked else message)
        worst, is_first = 0.0, True
        while True:
            start = time.process_time()
            is_busy = server.step()
            collect_young()
            taken = (time.process_time() - start) * 1e3
            if is_first:
                yield Step(taken, method + where, shape.name)
            else:
                worst = max(worst, taken)
            is_first = False
            if not is_busy:
                break
        while method == "initialized" and server.prepare(is_quiet=True):
            server.step()
        yield Step(worst, f"{method}{where}, what follows", shape.name)


def messages(uri: str, text: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """What is sent, and where in the document: keys, and what is asked there and of all of it."""
    yield "initialize", {"processId": None, "rootUri": None, "capabilities": {}}, ""
    yield "initialized", {}, ""
    document = {"uri": uri, "languageId": "", "version": 1, "text": text}
    yield "textDocument/didOpen", {"textDocument": document}, ""
    lines = text.count("\n")
    for version, (line, where) in enumerate(
        zip((_AT_THE_START, lines // 2, max(lines - 12, 0)), _PLACES, strict=True), 2
    ):
        place, identifier = {"line": line, "character": 3}, {"uri": uri, "version": version}
        for key in "x", "":
            end = {"line": line, "character": 4 - len(key)}
            change = {"range": {"start": place, "end": end}, "text": key}
            changed = {"textDocument": identifier, "contentChanges": [change]}
            yield "textDocument/didChange", changed, f", {'a key' if key else 'deleting'} {where}"
        for name, params in asked_at(place):
            yield name, {"textDocument": {"uri": uri}, **params}, f", {where}"
    for name, params in ASKED:
        yield name, {"textDocument": {"uri": uri}, **params}, ""
    yield "textDocument/didClose", {"textDocument": {"uri": uri}}, ""


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    size = int(float(arguments[0]) * 1e6) if arguments else 10_000_000
    found: list[Step] = []
    # As in the server's own process.
    gc.disable()
    gc.freeze()
    for shape in (*SHAPES, *LONG_CELLS):
        if len(arguments) < 2 or any(name in shape.name for name in arguments[1:]):
            found += steps(shape, size)
    found.sort(reverse=True)
    for step in found[:SHOWN]:
        print(f"{step.milliseconds:9.1f} ms  {step.what:66} {step.shape}")
    long = sum(step.milliseconds > MOST_MS for step in found)
    print(f"{long} of {len(found)} are longer than {MOST_MS:.0f} ms, of {size / 1e6:g} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
