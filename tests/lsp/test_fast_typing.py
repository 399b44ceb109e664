"""Edits and requests without a pause: every answer belongs to the text it was asked of."""

import json
import random
from collections import Counter
from collections.abc import Generator, Iterator
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple, Self

import pytest

from msgls.lsp.params import RequestError
from msgls.lsp.protocol import Route
from msgls.text.spans import Edit, Span
from tests.lsp.client import NEOVIM, URI, VSCODE, Client, Refused
from tests.lsp.wire import Wire, framed, request

TEXT = """\
---
agent: claude
---
# %% user[^1]

[^1]: [markdown]

Hi 🦊, see [^2] and <b>bold</b>

# %% [assistant][^2]

[^2]: [markdown] claude

Hello! 語

- one [link](x.md)

# %%% user[^3]

[^3]: [raw]

```python
# %% not a cell[^9]
```
"""
CELL = "\n# %% tool[^4]\n\n[^4]: [markdown]\n\nsee [^1]\n"
TYPED = [
    CELL,
    "#",
    " %%",
    "[^",
    "^1]",
    "]: ",
    "[markdown]",
    "\n",
    "\r\n",
    "🦊",
    "x",
    "```\n",
    "---\n",
    "",
]

AT_A_PLACE = (
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/completion",
    "textDocument/documentHighlight",
    "textDocument/linkedEditingRange",
    "textDocument/prepareRename",
)
OF_A_DOCUMENT = (
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/semanticTokens/full",
    "textDocument/codeLens",
    "textDocument/diagnostic",
)
PROVIDERS = {
    "textDocument/hover": "hoverProvider",
    "textDocument/definition": "definitionProvider",
    "textDocument/completion": "completionProvider",
    "textDocument/documentHighlight": "documentHighlightProvider",
    "textDocument/linkedEditingRange": "linkedEditingRangeProvider",
    "textDocument/prepareRename": "renameProvider",
    "textDocument/documentSymbol": "documentSymbolProvider",
    "textDocument/foldingRange": "foldingRangeProvider",
    "textDocument/documentLink": "documentLinkProvider",
    "textDocument/semanticTokens/full": "semanticTokensProvider",
    "textDocument/codeLens": "codeLensProvider",
    "textDocument/diagnostic": "diagnosticProvider",
}


class Noon(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(2026, 1, 1, 12, tzinfo=UTC)


class Asked(NamedTuple):
    """A request, and what the client saw when it was sent."""

    request_id: int
    method: str
    params: dict[str, Any]
    text: str


def type_and_ask(client: Client, chance: random.Random, rounds: int) -> Iterator[Asked]:
    """Edits and requests, none of which waits for anything."""
    methods = [
        method
        for method in (*AT_A_PLACE, *OF_A_DOCUMENT)
        if client.capabilities.get(PROVIDERS[method])
    ]
    assert len(methods) >= 5
    for _ in range(rounds):
        text = client.texts[URI]
        start = boundary(text, chance.randrange(len(text) + 1))
        end = boundary(text, min(start + chance.choice([0, 0, 0, 1, 5, 20]), len(text)))
        client.change(Edit(Span(start, end), chance.choice(TYPED)), settle=False)
        for method in chance.sample(methods, 2):
            text = client.texts[URI]
            params: dict[str, Any] = {"textDocument": {"uri": URI}}
            if method in AT_A_PLACE:
                params["position"] = client.position(chance.randrange(len(text) + 1))
            yield Asked(client.ask(method, params), method, params, text)


def boundary(text: str, offset: int) -> int:
    """No client can name the place between the two characters of a line break."""
    return offset - 1 if offset and text[offset - 1 : offset + 1] == "\r\n" else offset


def answer_of(client: Client, request_id: int) -> Any:
    try:
        result = client.answer(request_id)
    except Refused as refusal:
        return (refusal.code, refusal.message)
    if isinstance(result, dict):
        result.pop("resultId", None)
    for item in result if isinstance(result, list) else ():
        # The label of a cell is what its history has made of it.
        item.get("data", {}).pop("cell", None)
    return result


@pytest.mark.parametrize("profile", ["vscode", "neovim"])
def test_every_answer_is_that_of_a_server_that_only_knows_that_text(
    profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is proposed holds the time, and that goes on between the two.
    monkeypatch.setattr("msgls.host.opening.datetime", Noon)
    capabilities = {"vscode": VSCODE, "neovim": NEOVIM}[profile]
    client, fresh = Client(capabilities), Client(capabilities)
    client.open(TEXT)
    asked = list(type_and_ask(client, random.Random(1), 150))
    assert len(asked) == 300
    assert sum("\n# %% " in one.text for one in asked) > 200, "there must be something to find"
    seen = None
    for request_id, method, params, text in asked:
        if text is not seen:
            fresh.open(text)
            seen = text
        wanted = answer_of(fresh, fresh.ask(method, params))
        assert answer_of(client, request_id) == wanted, (method, params, text)


def test_overtaken_versions_are_not_published_and_the_last_one_is() -> None:
    client = Client(NEOVIM)
    client.open(TEXT)
    client.notified.clear()
    for number in range(200):
        client.change(Edit(Span(0, 0), f"{number}\n"), settle=False)
    client.settle()
    (published,) = client.notifications("textDocument/publishDiagnostics")
    assert published["version"] == client.versions[URI] == 201
    fresh = Client(NEOVIM)
    fresh.open(client.texts[URI])
    (wanted,) = fresh.notifications("textDocument/publishDiagnostics")
    assert published["diagnostics"] == wanted["diagnostics"]


# -- cancellation -------------------------------------------------------------------------


def with_handler(client: Client, handler: Any) -> str:
    """Let the client have a handler of our own; the method that calls it."""
    client.server.register(Route("probe/own", "", lambda: handler))
    return "probe/own"


def cancel(client: Client, request_id: Any) -> None:
    client.send({"method": "$/cancelRequest", "params": {"id": request_id}})


def test_what_is_cancelled_in_the_queue_is_answered_and_not_done() -> None:
    client, done = Client(), []
    method = with_handler(client, lambda session, params: done.append(params["number"]))
    ids = [client.ask(method, {"number": number}) for number in range(100)]
    for request_id in ids[::2]:
        cancel(client, request_id)
    for number, request_id in enumerate(ids):
        if number % 2:
            assert client.answer(request_id) is None
        else:
            with pytest.raises(Refused) as caught:
                client.answer(request_id)
            assert caught.value.code == -32800
    assert done == [*range(1, 100, 2)]


def test_long_work_lets_others_pass_and_can_be_cancelled() -> None:
    client, steps = Client(), Counter[str]()

    def work(session: Any, params: Any) -> Generator[None, None, str]:
        for _ in range(10):
            steps[params["name"]] += 1
            yield
        return str(params["name"])

    method = with_handler(client, work)
    first, second = client.ask(method, {"name": "first"}), client.ask(method, {"name": "second"})
    for _ in range(5):
        client.server.step()
    assert steps == {"first": 4, "second": 1}
    quick = client.ask("no/such/thing", {})
    client.server.step()
    client._take()
    assert list(client._results) == [quick]
    cancel(client, first)
    assert client.answer(second) == "second"
    with pytest.raises(Refused) as caught:
        client.answer(first)
    assert caught.value.code == -32800
    assert steps == {"first": 4, "second": 10}


def test_long_work_may_be_refused() -> None:
    client = Client()

    def work(session: Any, params: Any) -> Iterator[None]:
        yield
        raise RequestError("not today")

    with pytest.raises(Refused, match="not today") as caught:
        client.request(with_handler(client, work), {})
    assert caught.value.code == -32803


def test_cancelling_what_is_not_there_harms_nobody() -> None:
    client = Client()
    for params in (None, 5, {}, {"id": 999}, {"id": None}, {"id": [1]}, {"id": {"a": 1}}):
        client.send({"method": "$/cancelRequest", "params": params})
    method = with_handler(client, lambda session, params: "done")
    first = client.ask(method, {})
    assert client.answer(first) == "done"
    cancel(client, first)
    # Another request with that id was not cancelled.
    client._last_id = first - 1
    assert client.request(method, {}) == "done"


def test_the_same_id_twice_is_answered_twice() -> None:
    client, answers = Client(), []

    def work(session: Any, params: Any) -> Generator[None, None, int]:
        yield
        return int(params["number"])

    method = with_handler(client, work)
    for number in range(2):
        client.send({"id": "same", "method": method, "params": {"number": number}})
    while client.server.step():
        while (message := client._wire.framer.next()) is not None:
            answers.append(message["result"])
    assert answers == [0, 1]


# -- a real process -----------------------------------------------------------------------


def test_thousands_of_requests_at_once_are_all_answered_once() -> None:
    count = 3_000
    document = {"uri": URI, "version": 1}
    with Wire() as wire:
        wire.initialize()
        wire.open(URI, TEXT)
        batch, cancelled = bytearray(), []
        for number in range(count):
            place = {"line": number % 25, "character": number % 7}
            params = {"textDocument": {"uri": URI}, "position": place}
            batch += framed(request(f"r{number}", "textDocument/hover", params))
            if number % 10 == 0:
                change = {"range": {"start": place, "end": place}, "text": "x"}
                moved = {"textDocument": {**document, "version": number + 2}}
                batch += framed(
                    {
                        "jsonrpc": "2.0",
                        "method": "textDocument/didChange",
                        "params": {**moved, "contentChanges": [change]},
                    }
                )
            if number % 100 == 99:
                cancelled.append(f"r{number}")
                batch += framed(
                    {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": f"r{number}"}}
                )
        wire.write(bytes(batch))
        wire.answer(f"r{count - 1}")
        wire.request("shutdown")
    answers = [message for message in wire.messages if str(message.get("id")).startswith("r")]
    assert Counter(message["id"] for message in answers) == Counter(
        f"r{number}" for number in range(count)
    )
    errors = {message["id"]: message["error"]["code"] for message in answers if "error" in message}
    assert set(errors.values()) <= {-32800}
    assert set(errors) <= set(cancelled)
    # In order, too: a client may rely on that.
    assert [message["id"] for message in answers] == [f"r{number}" for number in range(count)]
    assert json.dumps(answers[-1])


def test_problems_move_with_their_cell_though_there_are_as_many_lines_as_before() -> None:
    text = "# %%  [^1]\n\n[^1]: [markdown]\n\n# %%  [^2]\n\n# %%  [^3]\n\n[^3]: [markdown]\n\n\n"
    client = Client(NEOVIM)
    client.open(text)
    end = len(text)
    # One line more above the problem, and one less below it.
    client.change(Edit(Span(end - 1, end), ""), Edit(Span(28, 28), "\n"))
    lines = [
        [item["range"]["start"]["line"] for item in published["diagnostics"]]
        for published in client.notifications("textDocument/publishDiagnostics")
    ]
    assert lines == [[4], [5]]


@pytest.mark.parametrize("typed", ["y", "\n", "語"])
def test_a_problem_moves_though_as_many_characters_stand_before_it(typed: str) -> None:
    text = "# %% a[^1]\n\n[^1]: [markdown]\n\nx 🦊 [^9]\n"
    place = text.index("🦊")
    client, fresh = Client(NEOVIM), Client(NEOVIM)
    client.open(text)
    client.change(Edit(Span(place, place + 1), typed))
    fresh.open(client.texts[URI])
    (wanted,) = fresh.notifications("textDocument/publishDiagnostics")
    assert wanted["diagnostics"]
    published = client.notifications("textDocument/publishDiagnostics")[-1]
    assert published["diagnostics"] == wanted["diagnostics"]
