"""Hours of typing in one sitting: a real server, mixed edits and requests, and what it leaves.

    python tests/soak/soak.py [EDITS_AND_REQUESTS]

Documents of every format are edited at random, as people and programs do, and everything an
editor asks for is asked for in between. Now and then all answers are compared with those of a
server that has only just been given the same text. At the end memory must be less than 1.1
times what it was after a tenth, and no handle, thread, file or document may be left over.
"""

import os
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.corpora import FRONTMATTER
from tests.document.tracked import JSON_FILES, MESSAGE_FILES, SIMPLE_TEXT_FILES
from tests.lsp.client import Client
from tests.lsp.wire import PROBE, Wire

DEFAULT = 200_000
_SURROGATE = re.compile("[\\ud800-\\udfff]")
MOST_GROWTH = 1.1
_BATCH = 50
_COMPARE_EVERY = 40
"""Batches between two comparisons."""
_LONGEST = 30_000
_CAPABILITIES = {"general": {"positionEncodings": ["utf-32"]}}
_TURN = "# %% Question {n} [^q{n}]\n\n[^q{n}]: [markdown]\n\nWhat is {n}?\n\n"
_HEADER = "; Block-UUID: 8e1fdb4c-5d6c-4dff-96ca-3ae8a39a4d34\n; role: user\n\n\n"
_STARTS = {
    "file:///soak/a.msg.md": FRONTMATTER + "".join(_TURN.format(n=n) for n in range(120)),
    "file:///soak/notes.md": "---\nmessage_section: Talk\n---\n\n# Talk\n\n"
    + _TURN.format(n=1) * 20,
    "file:///soak/a.stf": "@user\nHello\n@ai\nHi\n" * 200,
    "file:///soak/messages/user/1.md": _HEADER + "# Part\n\nText\n\n```py\nx\n```\n" * 60,
    "file:///soak/a.deltas.jsonl": JSON_FILES.starts[1] + "\n",
}
_WHOLE = (
    *("documentSymbol", "foldingRange", "documentLink", "codeLens", "semanticTokens/full"),
    "formatting",
)
_PLACED = ("hover", "completion", "definition", "documentHighlight", "linkedEditingRange")


def _words(uri: str) -> tuple[str, ...]:
    vocabulary = MESSAGE_FILES
    if uri.endswith(".stf"):
        vocabulary = SIMPLE_TEXT_FILES
    elif uri.endswith(".jsonl"):
        vocabulary = JSON_FILES
    # The client below counts lines by one character, and no client sends half a pair.
    kept = [word for word in vocabulary.fragments if "\r" not in word]
    return tuple([word for word in kept if not _SURROGATE.search(word)])


class Typist:
    """One document, as its client has it."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.text = _STARTS[uri]
        self.version = 1
        self._words = _words(uri)

    def position(self, offset: int) -> dict[str, int]:
        start = self.text.rfind("\n", 0, offset) + 1
        return {"line": self.text.count("\n", 0, offset), "character": offset - start}

    def change(self, chance: random.Random) -> dict[str, Any]:
        """One change, and the text follows it."""
        if len(self.text) > _LONGEST or chance.random() < 0.0005:
            self.text = _STARTS[self.uri]
            return {"text": self.text}
        start = chance.randrange(len(self.text) + 1)
        kind = chance.random()
        end = start if kind < 0.6 else min(start + chance.choice((1, 1, 3, 40)), len(self.text))
        typed = "" if kind > 0.75 else chance.choice(("x", "e", " ", "\n", *self._words))
        where = {"start": self.position(start), "end": self.position(end)}
        self.text = self.text[:start] + typed + self.text[end:]
        return {"range": where, "text": typed}

    def params(self, name: str, chance: random.Random) -> dict[str, Any]:
        params: dict[str, Any] = {"textDocument": {"uri": self.uri}}
        if name == "formatting":
            params["options"] = {"tabSize": 4, "insertSpaces": True}
        if name in _PLACED:
            params["position"] = self.position(chance.randrange(len(self.text) + 1))
        return params


class Soak:
    """The server, those who type, and the count."""

    def __init__(self, wire: Wire, seed: int) -> None:
        self.wire = wire
        self.chance = random.Random(seed)
        self.typists = [Typist(uri) for uri in _STARTS]
        self.edits = self.requests = self.compared = 0

    def open(self) -> None:
        for typist in self.typists:
            typist.version = 1
            self.wire.open(typist.uri, typist.text, "")

    def batch(self) -> None:
        """Some edits and some requests in a row, and the wait for the last answer."""
        asked = []
        typist = self.chance.choice(self.typists)
        for _ in range(_BATCH):
            typist.version += 1
            changes = [typist.change(self.chance) for _ in range(self.chance.choice((1, 1, 1, 3)))]
            document = {"uri": typist.uri, "version": typist.version}
            params = {"textDocument": document, "contentChanges": changes}
            self.wire.notify("textDocument/didChange", params)
            self.edits += len(changes)
            if self.chance.random() < 0.2:
                asked.append(self._ask(typist, self.chance.choice((*_PLACED, *_PLACED, *_WHOLE))))
                if self.chance.random() < 0.1:
                    self.wire.notify("$/cancelRequest", {"id": asked[-1]})
        asked.append(self._ask(typist, "hover"))
        for request_id in asked:
            answer = self.wire.answer(request_id)
            # Cancelled, or the text has changed since.
            assert "result" in answer or answer["error"]["code"] in {-32800, -32801}, answer
        self._forget()

    def _ask(self, typist: Typist, name: str) -> int:
        self.requests += 1
        return self.wire.ask(f"textDocument/{name}", typist.params(name, self.chance))

    def _forget(self) -> None:
        with self.wire._arrived:
            self.wire.messages.clear()

    def compare(self) -> None:
        """Every answer is that of a server which has only just been given the text."""
        typist = self.chance.choice(self.typists)
        # A change of its own, so that what is published is of this version.
        typist.version += 1
        end = typist.position(len(typist.text))
        change = {"range": {"start": end, "end": end}, "text": "x"}
        typist.text += "x"
        document = {"uri": typist.uri, "version": typist.version}
        params = {"textDocument": document, "contentChanges": [change]}
        self.wire.notify("textDocument/didChange", params)
        shown = self.wire.published(typist.uri, typist.version)
        text = self.wire.request("probe/text", {"uri": typist.uri})["result"]
        assert text == typist.text, f"{typist.uri}: the texts differ"
        fresh = Client(_CAPABILITIES)
        fresh.open(typist.text, typist.uri, "", typist.version)
        (published,) = fresh.notifications("textDocument/publishDiagnostics")
        assert _sorted(shown) == _sorted(published["diagnostics"]), f"{typist.uri}: problems differ"
        for name in (*_WHOLE, *_PLACED):
            params = typist.params(name, self.chance)
            ours = self.wire.request(f"textDocument/{name}", params)["result"]
            wanted = fresh.request(f"textDocument/{name}", params)
            ours, wanted = _comparable(ours), _comparable(wanted)
            if ours != wanted:
                raise AssertionError(f"{typist.uri}: {name}: {_difference(ours, wanted)}")
            self.compared += 1
        self._forget()

    def close(self) -> None:
        for typist in self.typists:
            self.wire.notify("textDocument/didClose", {"textDocument": {"uri": typist.uri}})
        self.wire.request("workspace/symbol", {"query": ""})


def _sorted(diagnostics: list[Any]) -> list[str]:
    return sorted(map(repr, diagnostics))


def _comparable(answer: Any) -> Any:
    """An answer without what only means something to the server that gave it."""
    if isinstance(answer, list):
        return [_comparable(one) for one in answer]
    if isinstance(answer, dict):
        return {k: _comparable(v) for k, v in answer.items() if k not in ("data", "resultId")}
    return answer


def _difference(ours: Any, wanted: Any) -> str:
    """The first place where two answers part, in words."""
    if isinstance(ours, list) and isinstance(wanted, list):
        pairs = enumerate(zip(ours, wanted, strict=False))
        for number, (one, other) in pairs:
            if one != other:
                return f"number {number} is {one!r}, and should be {other!r}"
        return f"there are {len(ours)}, and should be {len(wanted)}"
    return f"{ours!r:.500}, and should be {wanted!r:.500}"


def _taken(process_id: int) -> tuple[int, int, int]:
    """Resident kilobytes, open handles, threads."""
    place = Path(f"/proc/{process_id}")
    pages = int((place / "statm").read_text("ascii").split()[1])
    handles = len(list((place / "fd").iterdir()))
    return (
        pages * os.sysconf("SC_PAGE_SIZE") // 1024,
        handles,
        len(list((place / "task").iterdir())),
    )


def main(count: int = DEFAULT, seed: int = 1) -> int:
    """Run it; 1 where something grew or is left over."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Wire(PROBE, env={"TMPDIR": folder}) as wire:
        wire.initialize(capabilities=_CAPABILITIES)
        soak = Soak(wire, seed)
        soak.open()
        early = None
        batches = told = 0
        while soak.edits + soak.requests < count:
            soak.batch()
            batches += 1
            if batches % _COMPARE_EVERY == 0:
                soak.compare()
            done = soak.edits + soak.requests
            if done >= told + count // 10:
                told = done
                early = early or _taken(wire.process.pid)
                print(f"{done:>9,}  {_taken(wire.process.pid)[0]:,} kB", flush=True)
        late = _taken(wire.process.pid)
        soak.close()
        closed = _taken(wire.process.pid)
        files = os.listdir(folder)  # noqa: PTH208
        errors = [line for line in wire.log.splitlines() if " ERROR " in line]
    early = early or late
    seconds = time.monotonic() - started
    growth = late[0] / early[0]
    print(f"{soak.edits:,} edits, {soak.requests:,} requests in {seconds:,.0f} s")
    print(f"{soak.compared:,} answers and {soak.compared // 11:,} texts compared, all equal")
    print(f"memory {early[0]:,} kB after a tenth, {late[0]:,} kB at the end: {growth:.3f} times")
    print(f"{closed[0]:,} kB with everything closed")
    print(f"handles {early[1]} and {late[1]}, threads {early[2]} and {late[2]}")
    print(f"files left: {len(files)}, errors logged: {len(errors)}")
    for line in errors[:5]:
        print(f"  {line}")
    good = growth < MOST_GROWTH and late[1:] == early[1:] and not files and not errors
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
