"""An answer that streams into a large file: how soon it is there, and what typing costs meanwhile.

The provider (``clock_provider.py``) says in every word when it said it; the client looks at
that when an edit with the word arrives. Run: ``make bench``, or this file.
"""

from __future__ import annotations

import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.client import Client
from tests.bench.core import verdict
from tests.bench.corpora import MESSAGE_FILES, Shape
from tests.bench.server import percentile, place_to_type

SIZE = 10_000_000
PROVIDER = Path(__file__).resolve().with_name("clock_provider.py")
QUESTION = "\n\n# %% [^asked]\n\n[^asked]: [markdown]\n\nWhat now?\n"
CAPABILITIES = {"workspace": {"workspaceEdit": {"documentChanges": True}}}
_WORD = re.compile("q([a-j]{6,})")
_SAID = str.maketrans("abcdefghij", "0123456789")


def configure(folder: Path, rate: float, count: int) -> None:
    """Let that provider answer for everybody."""
    (folder / "msgls").mkdir(exist_ok=True)
    command = json.dumps([sys.executable, str(PROVIDER), str(rate), str(count)])
    text = f'[models]\n"*" = "clock"\n[providers.clock]\ncommand = {command}\n'
    (folder / "msgls" / "providers.toml").write_text(text, "utf-8")


# -- the client ------------------------------------------------------------------------------


class Asking(Client):
    """A client that makes the edits of the server, and tells of them."""

    def __init__(self, shape: Shape, text: str) -> None:
        command = [sys.executable, "-m", "msgls", "serve"]
        super().__init__(command, "msgmd", capabilities=CAPABILITIES)
        self.edits = 0
        self.words = 0
        self.ages: list[float] = []
        """How old the newest word of each edit was when the edit was made."""
        self.is_done = False
        self._text_end = text.count("\n")
        self.open(shape.file, text)

    def question(self) -> None:
        """Ask about the last message."""
        place = {"line": self._text_end - 1, "character": 0}
        argument = {"uri": self.uri, "position": place}
        params = {"command": "msgls.ask.answer", "arguments": [argument]}
        problem = self.request("workspace/executeCommand", params)
        if problem:
            raise SystemExit(problem)

    def pump(self) -> None:
        """Take the next message of the server."""
        self._oblige(self._receive())

    def _oblige(self, message: dict[str, Any]) -> None:
        if message.get("method") != "workspace/applyEdit":
            super()._oblige(message)
            return
        now = time.monotonic()
        (change,) = message["params"]["edit"]["documentChanges"]
        is_current = change["textDocument"]["version"] == self._version
        if is_current:
            self._make(change["edits"], now)
        self._send({"id": message["id"], "result": {"applied": is_current}})

    def _make(self, edits: list[dict[str, Any]], now: float) -> None:
        self.edits += 1
        self._version += 1
        # From the end, so that no edit moves another one.
        changes = [
            {"range": edit["range"], "text": edit["newText"]}
            for edit in sorted(edits, key=lambda edit: _start(edit), reverse=True)
        ]
        document = {"uri": self.uri, "version": self._version}
        params = {"textDocument": document, "contentChanges": changes}
        self.notify("textDocument/didChange", params)
        words = [word for edit in edits for word in _WORD.findall(edit["newText"])]
        stamps = [int(word.translate(_SAID)) / 1e6 for word in words]
        self.words += len(stamps)
        if stamps:
            self.ages.append(now - max(stamps))
        # The mark that it is not complete goes with the last edit.
        self.is_done |= any(not edit["newText"] for edit in edits)

    @property
    def memory_bytes(self) -> int:
        """The memory that the server has now."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024


def _start(edit: dict[str, Any]) -> tuple[int, int]:
    start = edit["range"]["start"]
    return start["line"], start["character"]


# -- figures ---------------------------------------------------------------------------------


def arriving(folder: Path) -> None:
    """From a delta to its edit, and a key while an answer comes, for each shape."""
    print("10 MB: a delta to its edit; a key to its diagnostics, without and with a stream of")
    print("1,000 deltas a second; milliseconds (p50 / p95)")
    arrived, ratios = {}, {}
    for shape in MESSAGE_FILES:
        text = shape.text(SIZE) + QUESTION
        configure(folder, 4, 30)
        client = Asking(shape, text)
        client.question()
        while not client.is_done:
            client.pump()
        line, column = place_to_type(text)
        quiet = [client.type(line, column) for _ in range(60)]
        ages = client.ages
        # Without end, however busy the machine is: it ends with the client.
        configure(folder, 1_000, 10_000_000)
        client.question()
        while client.words < 1_000:
            client.pump()
        busy: list[float] = []
        while len(busy) < 60:
            seen = client.edits
            while client.edits == seen:
                client.pump()
            # At any moment between two edits.
            time.sleep(random.uniform(0, 0.1))
            busy.append(client.type(line, column))
        client.close()
        arrived[shape.name] = percentile(ages, 50)
        ratios[shape.name] = percentile(busy, 50) / percentile(quiet, 50)
        print(
            f"  {shape.name:<24} edit {percentile(ages, 50):>6.2f} /{percentile(ages, 95):>7.2f}"
            f"   key {percentile(quiet, 50):>6.2f} /{percentile(quiet, 95):>7.2f}"
            f"   key meanwhile {percentile(busy, 50):>6.2f} /{percentile(busy, 95):>7.2f}",
            flush=True,
        )
    worst = max(arrived, key=lambda name: arrived[name])
    verdict(f"a delta to its edit, worst median ({worst})", arrived[worst], 20, "ms")
    ratio = statistics.median(ratios.values())
    print(f"  a key meanwhile / without, median of the shapes: {ratio:.2f} x")


def sustained(folder: Path) -> None:
    """A thousand deltas a second for a minute: whether all of it comes, and what it leaves."""
    count, shape = 60_000, MESSAGE_FILES[0]
    configure(folder, 1_000, count)
    client = Asking(shape, shape.text(SIZE) + QUESTION)
    client.question()
    began = time.monotonic()
    early = 0
    while not client.is_done:
        client.pump()
        if not early and client.words > count // 10:
            early = client.memory_bytes
    took = time.monotonic() - began
    grown = client.memory_bytes / early
    print(f"\n10 MB: 1,000 deltas a second for {count // 1_000} seconds")
    print(f"  {client.words:,} of {count:,} words in {took:.1f} s")
    print(f"  {client.edits / took:.1f} edits a second")
    print(f"  the newest word of an edit: {percentile(client.ages, 50):.1f} ms old (median)")
    verdict("all of it / the time that the model took", took / (count / 1_000), 1.05, "x")
    verdict("memory at the end / after a tenth", grown, 1.1, "x")
    client.close()


def terminal(folder: Path) -> None:
    """``msgls ask`` into a file of 10 MB, which it writes whole each time."""
    count, shape = 5_000, MESSAGE_FILES[0]
    configure(folder, 1_000, count)
    path = folder / "talk.msg.md"
    path.write_text(shape.text(SIZE) + QUESTION, "utf-8")
    began = time.monotonic()
    command = [sys.executable, "-m", "msgls", "ask", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    took = time.monotonic() - began
    words = len(_WORD.findall(path.read_text("utf-8")))
    print(
        f"\nmsgls ask, 10 MB: {words:,} words in {took:.1f} s, the model took {count / 1_000:.0f} s"
    )


def main() -> int:
    """Run all of it."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_STATE_HOME"] = name
        arriving(Path(name))
        sustained(Path(name))
        terminal(Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
