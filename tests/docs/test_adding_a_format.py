"""The tutorial's format, taken from the page, in the real server.

That ``check`` and ``outline`` print what the page says is a matter of ``test_docs.py``.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT, blocks
from tests.lsp.wire import Wire

URI = "file:///chats/hall.talk"
PAGE = (ROOT / "docs" / "adding-a-format.md").read_text("utf-8")
FILES = {block.file: block.text for block in blocks(PAGE) if block.file}
TEXT = FILES["hall.talk"]


def with_files(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Wire]:
    with_files(tmp_path)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    command = (sys.executable, "-m", "talk", "serve")
    with Wire(command, env={"PYTHONPATH": path}) as wire:
        wire.initialize(capabilities={"general": {"positionEncodings": ["utf-16"]}})
        wire.open(URI, TEXT, "talk")
        yield wire


def asked(wire: Wire, method: str, **params: Any) -> Any:
    answer = wire.request(f"textDocument/{method}", {"textDocument": {"uri": URI}, **params})
    return answer["result"]


def spans(ranges: list[dict[str, Any]]) -> list[tuple[int, int, int]]:
    """The line of each range, and the characters where it begins and ends."""
    found = [(r["start"], r["end"]) for r in ranges]
    return [(start["line"], start["character"], end["character"]) for start, end in found]


ADA = {"line": 0, "character": 4}
ADA_TWICE = [(0, 3, 6), (4, 16, 19)]


def test_the_server_knows_the_format(server: Wire) -> None:
    (problem,) = server.published(URI, 1)
    assert (problem["code"], spans([problem["range"]])) == ("TALK001", [(4, 26, 31)])
    assert [one["name"] for one in asked(server, "documentSymbol")] == ["ada", "bob"]
    folds = asked(server, "foldingRange")
    assert [(fold["startLine"], fold["endLine"]) for fold in folds] == [(0, 1), (3, 4)]


def test_names_are_found_and_changed_everywhere(server: Wire) -> None:
    everywhere = asked(server, "references", position=ADA, context={"includeDeclaration": True})
    assert spans([one["range"] for one in everywhere]) == ADA_TWICE
    marked = asked(server, "documentHighlight", position=ADA)
    assert spans([one["range"] for one in marked]) == ADA_TWICE
    edits = asked(server, "rename", position=ADA, newName="eve")["changes"][URI]
    assert {edit["newText"] for edit in edits} == {"eve"}
    assert sorted(spans([edit["range"] for edit in edits])) == ADA_TWICE
    document = {"textDocument": {"uri": URI}}
    taken = server.request("textDocument/rename", {**document, "position": ADA, "newName": "bob"})
    assert taken["error"]["message"] == "`bob` is taken"
    prose = {**document, "position": {"line": 1, "character": 0}}
    refused = server.request("textDocument/prepareRename", prose)
    assert "put the cursor on a name" in refused["error"]["message"]


def test_what_the_format_does_not_have_is_refused_in_words(tmp_path: Path) -> None:
    with_files(tmp_path)
    command = [sys.executable, "-m", "talk", "convert", "--to", "msgmd", "hall.talk"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "hall.talk: a file of the format talk cannot be converted" in done.stderr


EDITS = """
import random
from talk.syntax import Talk
from msgls.document.document import Document
from msgls.formats.registry import add_format
from msgls.text.spans import Span

add_format(Talk())
for seed in range(60):
    chance = random.Random(seed)
    document = Document.open("a.talk", TEXT)
    for _ in range(20):
        start = chance.randrange(len(document.text) + 1)
        end = min(len(document.text), start + chance.choice([0, 0, 1, 3, 9]))
        typed = chance.choice(["\\n== x\\n", "== ", "@ada ", " ", "\\r", "\\n", "=", ""])
        document = document.edit(Span(start, end), typed)
        opened = Document.open("a.talk", document.text)
        cells = [[placed.cell.text for placed in one.cells()] for one in (document, opened)]
        assert cells[0] == cells[1], repr(document.text)
"""


def test_cells_after_an_edit_are_those_of_the_text_opened(tmp_path: Path) -> None:
    with_files(tmp_path)
    command = [sys.executable, "-c", f"TEXT = {TEXT!r}\n{EDITS}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert not done.stderr


def test_a_name_that_no_mention_can_say_is_refused(server: Wire) -> None:
    params = {"textDocument": {"uri": URI}, "position": ADA, "newName": "ada lovelace"}
    refused = server.request("textDocument/rename", params)
    assert refused["error"]["message"] == "a name is one word"


def test_problems_follow_an_edit(server: Wire) -> None:
    end = {"line": 4, "character": len(TEXT.splitlines()[4])}
    change = {"range": {"start": end, "end": end}, "text": "\n== carol\nYes?"}
    document = {"uri": URI, "version": 2}
    server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    assert server.published(URI, 2) == []
