"""Large documents: an answer about all of one keeps nobody waiting, and is of its version."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from msgls.rules.checker import Checker
from msgls.text.spans import Edit, Span
from tests.lsp.client import BARE, Client, Refused

CELLS = "".join(f"# %% Cell {n}[^q{n}]\n\n[^q{n}]: [markdown]\n\nText.\n\n" for n in range(1_500))
METHODS = (
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
)


@pytest.mark.parametrize("method", METHODS)
def test_what_is_typed_meanwhile_is_handled_first(method: str) -> None:
    client = Client()
    uri = client.open(CELLS)
    expected = client.request(method, {"textDocument": {"uri": uri}})
    fresh = Client()
    uri = fresh.open(CELLS)
    request = fresh.ask(method, {"textDocument": {"uri": uri}})
    protocol = fresh.server
    protocol.step()
    protocol.step()
    fresh.change(Edit(Span(5, 9), "# %% New\n\n"), uri=uri, settle=False)
    hover = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}}
    asked = fresh.ask("textDocument/hover", hover)
    protocol.step()
    assert fresh.server.session.get(uri).document.text.startswith("# %% # %% New\n")
    protocol.step()
    assert fresh.answered() == {asked}
    answer = fresh.answer(request)
    for result in (answer, expected):
        if isinstance(result, dict):
            result.pop("resultId")
    assert answer == expected


# A hint in every cell: it has no id.
MANY = "# %% Cell\n\nText.\n\n" * 20_000


def _asked_for_all(client: Client) -> tuple[str, int]:
    uri = client.open(MANY)
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 80_000, "character": 0}}
    params = {
        "textDocument": {"uri": uri},
        "range": everything,
        "context": {"diagnostics": [], "only": ["quickfix"]},
    }
    request = client.ask("textDocument/codeAction", params)
    for _ in range(3):
        client.server.step()
    return uri, request


def test_actions_on_very_many_cells_keep_nobody_waiting() -> None:
    client = Client()
    uri, _ = _asked_for_all(client)
    hover = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}}
    asked = client.ask("textDocument/hover", hover)
    client.server.step()
    assert client.answered() == {asked}


def test_actions_on_a_text_that_changes_meanwhile_are_refused() -> None:
    client = Client()
    uri, request = _asked_for_all(client)
    client.change(Edit(Span(5, 9), "New"), uri=uri, settle=False)
    with pytest.raises(Refused) as refusal:
        client.answer(request)
    assert refusal.value.code == -32801


def test_a_large_answer_can_be_cancelled() -> None:
    client = Client()
    uri = client.open(CELLS)
    request = client.ask(METHODS[0], {"textDocument": {"uri": uri}})
    client.server.step()
    client.server.step()
    client.send({"method": "$/cancelRequest", "params": {"id": request}})
    with pytest.raises(Refused) as refusal:
        client.answer(request)
    assert refusal.value.code == -32800


# -- opening: what is checked between two moments in which the server listens -------------------

OPENED = {
    "a.msg.md": "".join(
        f"# %% Cell {n}[^q{n}]\n\n[^q{n}]: [markdown]\n\nA\n\n" for n in range(3_000)
    ),
    "a.stf": "@user\nHello\n@ai\nHi\n" * 4_000,
    "a.messages.jsonl": '{"role": "user", "content": "Hello"}\n' * 4_000,
}
# Of each: cells, families or names in one step.
MOST = 300


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the checker did what, since somebody emptied it."""
    counts: Counter[str] = Counter()
    for name in ("_check_cell", "_check_family", "_check_name"):
        original = getattr(Checker, name)

        def noted(*given: Any, name: str = name, original: Any = original) -> None:
            counts[name] += 1
            original(*given)

        monkeypatch.setattr(Checker, name, noted)
    return counts


def _opened(client: Client, name: str) -> str:
    uri = f"file:///w/{name}"
    item = {"uri": uri, "languageId": "", "version": 1, "text": OPENED[name]}
    client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    client.texts[uri], client.versions[uri] = OPENED[name], 1
    return uri


@pytest.mark.parametrize("name", OPENED)
def test_a_document_is_checked_in_slices(name: str, counted: Counter[str]) -> None:
    client = Client(BARE)
    _opened(client, name)
    total: Counter[str] = Counter()
    steps, busy = 0, True
    while busy:
        busy = client.server.step()
        assert max(counted.values(), default=0) <= MOST
        total += counted
        counted.clear()
        steps += 1
    cells = OPENED[name].count("\n# ") if name.endswith(".md") else 4_000
    assert total["_check_cell"] >= cells
    assert steps > cells // MOST
    client.settle()
    assert len(client.notifications("textDocument/publishDiagnostics")) == 1


@pytest.mark.parametrize("name", OPENED)
def test_a_key_before_the_end_of_the_check_is_taken_at_once(
    name: str, counted: Counter[str]
) -> None:
    client = Client(BARE)
    uri = _opened(client, name)
    for _ in range(5):
        client.server.step()
    counted.clear()
    end = len(OPENED[name])
    client.change(Edit(Span(end, end), "x"), uri=uri, settle=False)
    client.server.step()
    assert not counted
    assert client.server.session.get(uri).document.text == OPENED[name] + "x"
    client.settle()
    fresh = Client(BARE)
    fresh.texts[uri], fresh.versions[uri] = "", 1
    item = {"uri": uri, "languageId": "", "version": 2, "text": OPENED[name] + "x"}
    fresh.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    fresh.settle()
    published = [c.notifications("textDocument/publishDiagnostics")[-1] for c in (client, fresh)]
    assert published[0] == published[1]


def test_a_small_document_does_not_wait_for_a_large_one() -> None:
    client = Client(BARE)
    large = _opened(client, "a.msg.md")
    client.server.step()
    item = {"uri": "file:///w/b.msg.md", "languageId": "", "version": 1, "text": MANY[:17]}
    client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    client.settle()
    published = client.notifications("textDocument/publishDiagnostics")
    assert [params["uri"] for params in published] == [item["uri"], large]


def test_who_asks_before_the_end_of_the_check_is_told_everything() -> None:
    client = Client()
    uri = _opened(client, "a.msg.md")
    asked = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    hover = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}}
    for _ in range(3):
        client.server.step()
    second = client.ask("textDocument/hover", hover)
    client.server.step()
    assert client.answered() == {second}
    report = client.answer(asked)
    opened = client.server.session.get(uri)
    found = [p for p in opened.checker.problems() if opened.severity_of(p) is not None]
    assert len(report["items"]) == min(len(found), opened.settings.limit + 1)


def test_a_key_that_concerns_every_cell_is_checked_in_slices(counted: Counter[str]) -> None:
    client = Client(BARE)
    head = "---\nagents:\n  Al: {models: [m]}\n---\n\n"
    answers = "".join(f"# %%% [^a{n}]\n\n[^a{n}]: [Al]\n\nText.\n\n" for n in range(3_000))
    uri = client.open(head + answers)
    counted.clear()
    at = head.index("Al") + 1
    client.change(Edit(Span(at, at), "b"), uri=uri, settle=False)
    most = busy = 1
    while busy:
        counted.clear()
        busy = client.server.step()
        most = max(most, *counted.values(), 0)
    assert 1 < most <= MOST
    client.settle()
    published = client.notifications("textDocument/publishDiagnostics")[-1]
    fresh = Client(BARE)
    fresh.open(client.texts[uri], uri=uri)
    again = fresh.notifications("textDocument/publishDiagnostics")[-1]
    assert published["diagnostics"] == again["diagnostics"] != []


def test_who_asks_of_what_changes_before_it_is_checked_asks_again() -> None:
    client = Client()
    uri = _opened(client, "a.msg.md")
    asked = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    for _ in range(3):
        client.server.step()
    client.change(Edit(Span(5, 5), "x"), uri=uri, settle=False)
    with pytest.raises(Refused) as refusal:
        client.answer(asked)
    assert refusal.value.code == -32801
