"""More than any editor asks for: much at once, large documents, many of them, and no reader.

What takes long is marked ``fuzz``; its small sisters run every day.
"""

import gc
import random
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.rules.checker import Checker
from msgls.rules.registry import rules_of
from msgls.text.spans import Edit, Span
from tests.lsp.client import BARE, NEOVIM, VSCODE, Client, Refused
from tests.lsp.wire import PROBE, Wire
from tests.snapshots import snapshot_of

UUID = "8e1fdb4c-5d6c-4dff-96ca-3ae8a39a4d34"
URI = "file:///chats/chat.msg.md"
SYMBOLS = "textDocument/documentSymbol"


def conversation(cells: int) -> str:
    """A clean conversation of so many turns."""
    return "".join(
        f"# %% Question {n} [^q{n}]\n\n[^q{n}]: [markdown]\n\nWhat is {n}? 🦊\n\n"
        for n in range(cells)
    )


def text_of(client: Client, uri: str = URI) -> str:
    text: str = client.server.session.documents[uri].document.text
    return text


def resident_bytes(process_id: int) -> int:
    """What a process takes of the memory; nothing where that cannot be told."""
    if sys.platform != "linux":
        return 0
    statm = Path(f"/proc/{process_id}/statm").read_text("ascii")
    return int(statm.split()[1]) * 4096


# -- one notification, many changes -------------------------------------------------------


def place(text: str, offset: int) -> dict[str, int]:
    """A position in a text whose lines all end in one character."""
    start = text.rfind("\n", 0, offset) + 1
    return {"line": text.count("\n", 0, offset), "character": offset - start}


def storm(text: str, count: int) -> tuple[str, list[dict[str, Any]]]:
    """So many changes, each on top of the one before it, and the text that they leave."""
    chance = random.Random(5)
    words = ("x", "\n", "🦊", "```\n", "\n# %% New [^n]\n", "[^q1]: [markdown]\n", "é\u2028", "")
    changes = []
    for _ in range(count):
        start = chance.randrange(len(text) + 1)
        end = min(start + chance.choice((0, 0, 0, 1, 7)), len(text))
        typed = chance.choice(words)
        where = {"start": place(text, start), "end": place(text, end)}
        changes.append({"range": where, "text": typed})
        text = text[:start] + typed + text[end:]
    return text, changes


@pytest.mark.parametrize("count", [200, pytest.param(1_000, marks=pytest.mark.fuzz)])
def test_many_changes_in_one_notification(count: int) -> None:
    client = Client({"general": {"positionEncodings": ["utf-32"]}})
    client.open(conversation(20))
    text, changes = storm(client.texts[URI], count)
    client.notified.clear()
    identifier = {"uri": URI, "version": 2}
    client.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": changes})
    assert text_of(client) == text
    (published,) = client.notifications("textDocument/publishDiagnostics")
    assert published["version"] == 2
    opened = client.server.session.documents[URI]
    fresh = Document.open(opened.path, text)
    wanted = Checker(snapshot_of(fresh), rules_of(fresh.format.name)).problems()
    found = opened.checker.problems()
    assert [(p.code, p.span) for p in found] == [(p.code, p.span) for p in wanted]


# -- cancelling ---------------------------------------------------------------------------


def test_what_is_cancelled_reads_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    all_cells = Document.cells

    def counted(document: Document) -> Iterator[Placed]:
        nonlocal read
        for placed in all_cells(document):
            read += 1
            yield placed

    client = Client()
    uri = client.open(conversation(3_000))
    monkeypatch.setattr(Document, "cells", counted)
    request = client.ask(SYMBOLS, {"textDocument": {"uri": uri}})
    for _ in range(3):
        client.server.step()
    assert 0 < read < 200
    before = read
    client.send({"method": "$/cancelRequest", "params": {"id": request}})
    with pytest.raises(Refused):
        client.answer(request)
    assert read == before


# -- documents that are gone --------------------------------------------------------------


def test_a_document_that_was_closed_is_refused_with_a_reason() -> None:
    client = Client()
    uri = client.open(conversation(2))
    client.close(uri)
    with pytest.raises(Refused, match="is not open") as refusal:
        client.request(SYMBOLS, {"textDocument": {"uri": uri}})
    assert refusal.value.code == -32803


def test_a_document_that_is_closed_meanwhile_is_answered_about_as_it_was() -> None:
    """An answer that is under way is of the version it was asked for, and harms nobody."""
    client = Client()
    uri = client.open(conversation(1_500))
    request = client.ask(SYMBOLS, {"textDocument": {"uri": uri}})
    client.server.step()
    client.server.step()
    client.close(uri)
    assert len(client.answer(request)) == 1_500
    assert not client.server.session.documents


def test_changes_after_the_close_open_nothing() -> None:
    client = Client(BARE)
    uri = client.open(conversation(2))
    client.close(uri)
    client.notified.clear()
    params = {"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"text": "x"}]}
    client.notify("textDocument/didChange", params)
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": "x"})
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert not client.server.session.documents
    shown = [
        d for p in client.notifications("textDocument/publishDiagnostics") for d in p["diagnostics"]
    ]
    assert not shown


# -- many documents, large documents ------------------------------------------------------


@pytest.mark.parametrize("count", [50, pytest.param(1_000, marks=pytest.mark.fuzz)])
@pytest.mark.parametrize("name", ["{}.msg.md", "messages/user/{}.md", "{}.stf"])
def test_many_documents(name: str, count: int, tmp_path: Path) -> None:
    client = Client(BARE, rootUri=tmp_path.as_uri())
    texts = {
        "{}.msg.md": conversation(2),
        "messages/user/{}.md": f"; Block-UUID: {UUID}\n; role: user\n\n\nHi\n",
        "{}.stf": "@user\nHi\n@ai\nHello\n",
    }
    addresses = [(tmp_path / name.format(n)).as_uri() for n in range(1, count + 1)]
    # All at once, as an editor does that was closed with all of them open.
    for number, uri in enumerate(addresses):
        client.texts[uri], client.versions[uri] = f"{texts[name]}\nNumber {number}\n", 1
        item = {"uri": uri, "languageId": "", "version": 1, "text": client.texts[uri]}
        client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    client.settle()
    for number, uri in enumerate(addresses):
        end = len(client.texts[uri])
        client.change(Edit(Span(end, end), "!"), uri=uri)
        assert text_of(client, uri) == f"{texts[name]}\nNumber {number}\n!"
    session = client.server.session
    assert len(session.documents) == count
    for uri in addresses:
        client.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
    client.settle()
    publisher, workspace = session.publisher, session.workspace
    kept = [session.documents, session.tokens, workspace._open, workspace._unsaved]
    kept += [publisher._boards, publisher._due, publisher._answered]
    if workspace._heads is not None:
        kept += [workspace._heads._heads, workspace._heads._holders]
    assert not any(kept)


def test_files_that_are_opened_together_are_looked_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client = Client(BARE, rootUri=tmp_path.as_uri())
    looks = []
    monkeypatch.setattr(
        client.server.session.invalidation, "recheck", lambda **why: looks.append(why)
    )
    for number in range(1, 20):
        uri = (tmp_path / f"messages/user/{number}.md").as_uri()
        item = {"uri": uri, "languageId": "", "version": 1, "text": "; role: user\n\n\nHi\n"}
        client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    client.settle()
    assert looks == [{"with_files": True}]


@pytest.mark.parametrize("cells", [4_000, pytest.param(40_000, marks=pytest.mark.fuzz)])
def test_what_a_closed_document_took_is_given_back(cells: int) -> None:
    """What is frozen for the collector's sake must not stay for ever: it goes without it."""
    client = Client(NEOVIM)
    text = conversation(cells)
    # What is remembered of any document, once, is not a leak of this one.
    client.open(text)
    client.close()
    gc.collect()
    gc.disable()
    client.open(text)
    client.change(Edit(Span(20, 20), "x"))
    client.request(SYMBOLS, {"textDocument": {"uri": URI}})
    for method in ("formatting", "foldingRange", "codeLens", "semanticTokens/full", "diagnostic"):
        params = {"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": True}}
        client.request(f"textDocument/{method}", params)
    opened = client.server.session.documents[URI]
    pieces = [weakref.ref(placed.cell) for placed in list(opened.document.cells())[:: cells // 50]]
    checker = weakref.ref(opened.checker)
    del opened
    client.close()
    client.notified.clear()
    left = checker(), [ref for ref in pieces if ref() is not None]
    gc.enable()
    assert left == (None, [])


@pytest.mark.parametrize("ending", ["close", "open again", "other settings"])
def test_what_was_not_checked_to_the_end_is_given_back(ending: str) -> None:
    # It asks for problems itself, and has not asked yet; settings are sent to it.
    client = Client({**VSCODE, "workspace": {**VSCODE["workspace"], "configuration": False}})
    text = conversation(4_000)
    client.open("# Other\n", "file:///chats/other.msg.md")
    gc.collect()
    gc.disable()
    client.open(text)
    checker = weakref.ref(client.server.session.documents[URI].checker)
    assert not client.server.session.documents[URI].checker.is_done
    if ending == "close":
        client.close()
    elif ending == "open again":
        client.open("Short.\n")
    else:
        change = {"settings": {"msgls": {"lint": {"ignore": ["MSG101"]}}}}
        client.notify("workspace/didChangeConfiguration", change)
    client.notified.clear()
    left = checker()
    gc.enable()
    assert left is None


@pytest.mark.fuzz
def test_fifty_megabytes_over_the_pipe() -> None:
    body = "Some words of an answer, as long as answers are. 🦊\n" * 20
    turn = conversation(1).replace("🦊", body)
    text = "".join([turn.replace("q0", f"q{n}") for n in range(50_000_000 // len(turn.encode()))])
    with Wire(PROBE) as wire:
        wire.initialize()
        wire.open(URI, text)
        assert len(wire.published(URI, 1)) == 0
        for version in range(2, 102):
            place = {"line": version * 1_000, "character": 0}
            change = {"range": {"start": place, "end": place}, "text": "x"}
            params = {"textDocument": {"uri": URI, "version": version}, "contentChanges": [change]}
            wire.notify("textDocument/didChange", params)
        wire.published(URI, 101)
        lines = text.split("\n")
        for version in range(2, 102):
            lines[version * 1_000] = "x" + lines[version * 1_000]
        assert wire.request("probe/text", {"uri": URI})["result"] == "\n".join(lines)
        full = resident_bytes(wire.process.pid)
        wire.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        wire.open("file:///chats/other.msg.md", "# Notes\n")
        wire.published("file:///chats/other.msg.md", 1)
        left = resident_bytes(wire.process.pid)
        assert left < full / 2 or not full, (full, left)


# -- a client that is gone, and had stopped reading ---------------------------------------


def test_a_client_that_stops_reading_and_dies_takes_the_server_along() -> None:
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        with Wire(PROBE, env={"PROBE_LIMITS": '{"MOST_BACKLOG_BYTES": 1048576}'}) as wire:
            wire.initialize(processId=client.pid)
            wire.reading.clear()
            for _ in range(40):
                wire.ask("probe/large", {"size": 200_000})
            client.kill()
            client.communicate()
            # Both pipes are still open, held by us, and one of them is full.
            assert wire.exit_code() == 1
            assert f"process {client.pid} is gone" in wire.log
    finally:
        client.kill()
        client.communicate()
