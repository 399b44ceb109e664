"""Large workspaces: the first answer waits for no other file, and no file is read twice.

Counted, with a few hundred files; ``tests/bench/scale.py`` measures 100,000.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

FILES = 200
NAMES = (".msg.md", ".py")
_TURN = "# %% Question {n}[^q{n}]\n\n[^q{n}]: [markdown]\n\nWhat is {n}? See [^q{m}].\n"


class Reads:
    """Which files of a folder were opened, and how often: hooks cannot be taken off again."""

    def __init__(self) -> None:
        self.folder = ""
        self.counts: Counter[str] = Counter()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and self.folder and isinstance(arguments[0], (str, os.PathLike)):
            path = os.fspath(arguments[0])
            if isinstance(path, str) and path.startswith(self.folder) and path.endswith(NAMES):
                self.counts[path] += 1


_READS = Reads()


@pytest.fixture
def reads(tmp_path: Path) -> Iterator[Reads]:
    for number in range(FILES):
        folder = tmp_path / f"{number // 50}"
        folder.mkdir(exist_ok=True)
        text = _TURN.format(n=number, m=number + 1)
        (folder / f"{number}.msg.md").write_text(text, "utf-8")
        (folder / f"{number}.py").write_text("print()\n", "utf-8")
    _READS.folder = str(tmp_path)
    _READS.counts.clear()
    yield _READS
    _READS.folder = ""


def _open(client: Client, path: Path) -> dict[str, Any]:
    uri = path.as_uri()
    client.open(_TURN.format(n=0, m=1), uri=uri)
    return {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 20}}


def test_the_first_answers_read_no_other_file(reads: Reads, tmp_path: Path) -> None:
    client = Client(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    at = _open(client, tmp_path / "0/0.msg.md")
    for method in ("hover", "completion", "definition", "documentHighlight", "prepareRename"):
        client.request(f"textDocument/{method}", at)
    client.request("textDocument/diagnostic", {"textDocument": at["textDocument"]})
    assert reads.counts == {}


def test_no_file_is_read_twice(reads: Reads, tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text('diagnostics.scope = "workspace"\n', "utf-8")
    client = Client(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    at = _open(client, tmp_path / "0/0.msg.md")
    answer: dict[str, Any] = client.request("workspace/diagnostic", {"previousResultIds": []})
    assert len(answer["items"]) == FILES
    known = [{"uri": item["uri"], "value": item["resultId"]} for item in answer["items"]]
    client.request("workspace/diagnostic", {"previousResultIds": known})
    of_messages = {path: n for path, n in reads.counts.items() if path.endswith(".msg.md")}
    assert set(of_messages.values()) == {1}
    assert len(of_messages) == FILES - 1
    assert not any(path.endswith(".py") for path in reads.counts)
    reads.counts.clear()
    for query in ("Question 1", "Question 17", "Question 177"):
        assert client.request("workspace/symbol", {"query": query})
    client.request("textDocument/references", {**at, "context": {"includeDeclaration": True}})
    assert set(reads.counts.values()) <= {1}
