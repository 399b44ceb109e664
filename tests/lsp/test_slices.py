"""Large documents: an answer about all of one keeps nobody waiting, and is of its version."""

from __future__ import annotations

import pytest

from msgls.text.spans import Edit, Span
from tests.lsp.client import Client, Refused

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
