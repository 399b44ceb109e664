"""How long the server goes without listening: CPU time of every step, worst first.

    python -m tests.bench.steps [MEGABYTES] [SHAPE …]

A document of each shape is opened, checked, published, edited, and asked for everything that an
editor asks for, in this process. A step is what runs between two looks at what the client sent.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgls.lsp.protocol import Protocol
from msgls.lsp.server import TABLE
from msgls.text.garbage import collect_young
from tests.bench.corpora import SHAPES, Shape

MOST_MS = 50.0
SHOWN = 40
_AT = {"line": 4, "character": 3}
_ALL = {"start": {"line": 0, "character": 0}, "end": {"line": 10**7, "character": 0}}
_NOWHERE = {"contentChanges": [{"range": {"start": _AT, "end": _AT}, "text": "x"}]}
_ACTIONS = {"range": _ALL, "context": {"diagnostics": []}}
REQUESTS: Sequence[tuple[str, dict[str, Any]]] = (
    *((f"textDocument/{name}", {}) for name in (
        "documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink",
    )),
    *((f"textDocument/{name}", {"position": _AT}) for name in (
        "hover", "completion", "definition", "documentHighlight", "linkedEditingRange",
        "prepareRename", "prepareCallHierarchy",
    )),
    ("textDocument/references", {"position": _AT, "context": {"includeDeclaration": True}}),
    ("textDocument/rename", {"position": _AT, "newName": "other"}),
    ("textDocument/selectionRange", {"positions": [_AT]}),
    ("textDocument/inlayHint", {"range": _ALL}),
    ("textDocument/semanticTokens/range", {"range": _ALL}),
    ("textDocument/codeAction", _ACTIONS),
    ("textDocument/formatting", {"options": {"tabSize": 4, "insertSpaces": True}}),
)  # fmt: skip


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
    hello: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
    uri = f"file:///{shape.file}"
    document = {"uri": uri, "languageId": "", "version": 1, "text": shape.text(size)}
    identifier = {"uri": uri, "version": 2}
    messages: list[tuple[str, dict[str, Any]]] = [
        ("initialize", hello),
        ("initialized", {}),
        ("textDocument/didOpen", {"textDocument": document}),
        ("textDocument/didChange", {"textDocument": identifier, **_NOWHERE}),
        *((name, {"textDocument": {"uri": uri}, **params}) for name, params in REQUESTS),
        ("textDocument/didClose", {"textDocument": {"uri": uri}}),
    ]
    for number, (method, params) in enumerate(messages):
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
                yield Step(taken, method, shape.name)
            else:
                worst = max(worst, taken)
            is_first = False
            if not is_busy:
                break
        while method == "initialized" and server.prepare(is_quiet=True):
            server.step()
        yield Step(worst, f"{method}, what follows", shape.name)


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    size = int(float(arguments[0]) * 1e6) if arguments else 10_000_000
    found: list[Step] = []
    # As in the server's own process.
    gc.disable()
    gc.freeze()
    for shape in SHAPES:
        if len(arguments) < 2 or any(name in shape.name for name in arguments[1:]):
            found += steps(shape, size)
    found.sort(reverse=True)
    for step in found[:SHOWN]:
        print(f"{step.milliseconds:9.1f} ms  {step.what:44} {step.shape}")
    long = sum(step.milliseconds > MOST_MS for step in found)
    print(f"{long} of {len(found)} are longer than {MOST_MS:.0f} ms, of {size / 1e6:g} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
