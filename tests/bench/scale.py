"""Many files: the first answer in a workspace of 100,000, and the memory of 2,000 open documents.

    python tests/bench/scale.py [FILES] [DOCUMENTS]

The server is a process of its own, the workspace is on the disk. That no file is read twice is
counted in ``tests/lsp/test_scale.py``. Fails beyond the limits below.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.corpora import small_files
from tests.lsp.wire import Wire

MOST_SECONDS = 2.0
MOST_MEGABYTES = 1_000
BYTES = 20_000
_TURN = "# %% Question {n}[^q{n}]\n\n[^q{n}]: [markdown]\n\nWhat is {n}?\n"


def workspace(folder: Path, count: int) -> Path:
    """A folder of folders: message files, and as much that is none of ours. One of its files."""
    for number in range(count):
        place = folder / f"{number // 1000:03}"
        if number % 1000 == 0:
            place.mkdir()
        name, text = (".msg.md", _TURN) if number % 2 else (".py", "print({n})\n")
        (place / f"{number}{name}").write_text(text.format(n=number), "utf-8")
    return folder / "000" / "1.msg.md"


def first_answers(folder: Path, opened: Path) -> list[tuple[str, float]]:
    """Seconds from the start of the process to each answer about the open file."""
    uri, start = opened.as_uri(), time.monotonic()
    seconds = []
    with Wire() as wire:
        capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
        folders = [{"uri": folder.as_uri(), "name": "w"}]
        wire.initialize(workspaceFolders=folders, capabilities=capabilities)
        wire.open(uri, opened.read_text("utf-8"))
        at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}}
        for method, params in (
            ("textDocument/hover", at),
            ("textDocument/completion", at),
            ("textDocument/documentSymbol", {"textDocument": {"uri": uri}}),
        ):
            assert "result" in wire.request(method, params)
            seconds.append((method, time.monotonic() - start))
    return seconds


def resident_megabytes(pid: int) -> float:
    """What a process has in memory."""
    line = next(
        line for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
        if line.startswith("VmRSS:")
    )  # fmt: skip
    return int(line.split()[1]) / 1e3


def open_documents(count: int) -> tuple[float, float]:
    """Megabytes of a server with so many documents of all shapes open, and those of their text."""
    with Wire() as wire:
        wire.initialize()
        texts = small_files(count, BYTES)
        for path, text in texts.items():
            wire.open(f"file:///many/{path}", text, "")
        uri = f"file:///many/{path}"
        wire.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        # Whatever waits is done before this is answered.
        wire.request("workspace/symbol", {"query": "x"})
        size = sum(len(text.encode("utf-8")) for text in texts.values())
        return resident_megabytes(wire.process.pid), size / 1e6


def main(arguments: Sequence[str]) -> int:
    """1 if something is beyond its limit."""
    files = int(arguments[0]) if arguments else 100_000
    documents = int(arguments[1]) if len(arguments) > 1 else 2_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        opened = workspace(folder, files)
        answers = first_answers(folder, opened)
    for method, seconds in answers:
        print(f"{files:,} files: {method:28} {seconds:6.2f} s after the start")
    megabytes, text = open_documents(documents)
    print(f"{documents:,} open documents, {text:.0f} MB of text: {megabytes:.0f} MB in memory")
    return int(answers[0][1] > MOST_SECONDS or megabytes > MOST_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
