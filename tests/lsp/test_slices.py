"""Large documents: an answer about all of one keeps nobody waiting, and is of its version."""

from collections import Counter
from typing import Any

import pytest

from msgls.rules.checker import Checker
from msgls.text.spans import Edit, Span
from tests.lsp.client import BARE, URI, Client, Refused
from tests.measure import calls

CELLS = "".join(f"# %% Cell {n}[^q{n}]\n\n[^q{n}]: [markdown]\n\nText.\n\n" for n in range(1_500))
ALL = {"start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}}
ANSWERS: dict[str, dict[str, Any]] = {
    "textDocument/documentSymbol": {},
    "textDocument/foldingRange": {},
    "textDocument/semanticTokens/full": {},
    "textDocument/semanticTokens/range": {"range": ALL},
    "textDocument/codeLens": {},
    "textDocument/documentLink": {},
    "textDocument/inlayHint": {"range": ALL},
}
"""Requests about a whole document, with what they say besides the document."""
EDITS: dict[str, dict[str, Any]] = {
    "textDocument/formatting": {"options": {"tabSize": 4, "insertSpaces": True}},
    "textDocument/codeAction": {"range": ALL, "context": {"diagnostics": []}},
}
"""Those whose answers change the document, which must still be as it was."""
METHODS = {**ANSWERS, **EDITS}


def params_of(method: str, uri: str) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, **METHODS[method]}


@pytest.mark.parametrize("method", ANSWERS)
def test_what_is_typed_meanwhile_is_handled_first(method: str) -> None:
    client = Client()
    uri = client.open(CELLS)
    expected = client.request(method, params_of(method, uri))
    fresh = Client()
    uri = fresh.open(CELLS)
    request = fresh.ask(method, params_of(method, uri))
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
            result.pop("resultId", None)
    assert answer == expected


@pytest.mark.parametrize("method", EDITS)
def test_edits_of_a_text_that_changes_meanwhile_are_refused(method: str) -> None:
    client = Client()
    uri = client.open(CELLS)
    request = client.ask(method, params_of(method, uri))
    for _ in range(9):
        client.server.step()
    client.change(Edit(Span(5, 9), "New"), uri=uri, settle=False)
    with pytest.raises(Refused) as refusal:
        client.answer(request)
    assert refusal.value.code == -32801


@pytest.mark.parametrize("steps", [1, 10, 100, 1_000, 3_000])
@pytest.mark.parametrize("method", METHODS)
def test_an_answer_can_be_cancelled_at_any_time(method: str, steps: int) -> None:
    client = Client()
    uri = client.open(CELLS)
    request = client.ask(method, params_of(method, uri))
    for _ in range(steps):
        client.server.step()
    if not client.answered():
        client.send({"method": "$/cancelRequest", "params": {"id": request}})
        with pytest.raises(Refused) as refusal:
            client.answer(request)
        assert refusal.value.code == -32800
    assert client.request(method, params_of(method, uri)) is not None


TURNS = {
    "a.msg.md": "# %% Ask[^q{n}]\n\n[^q{n}]: [code]\n\n[x](a{n}.png)\n\n```python\n1\n```\n\n"
    '# %%% [^q{n}.{n}]\n\n[^q{n}.{n}]: [python] status="success"\n\nstdout> 1\n\n'
    '# %%%  Say [^a{n}]\n[^a{n}]: [Al] time="2025-01-01T00:00:00Z"\n\n## Head\n\nSo.\n',
    "a.stf": "@user  id=u{n}\nHi\n@ai\n@call id=c{n}\nread {{}}\n@tool call_id=c{n}\nx\n",
    "a.messages.jsonl": '{{"role": "user", "runId": "r", "timestamp": "2025-01-01T00:00:00Z", '
    '"parts": [{{"kind": "text", "payload": {{"text": "Hello {n}"}}}}]}}\n',
    "a.deltas.jsonl": '{{"runId": "r{n}", "seq": 0, "kind": "start", "payload": {{}}, '
    '"timestamp": "2025-01-01T00:00:00Z"}}\n',
}


def most_calls_in_a_step(client: Client) -> float:
    """Let the server work, and say how much of that it does at most between two pauses."""
    most, busy = 0.0, [True]
    while busy.pop():
        most = max(most, calls(lambda: busy.append(client.server.step())))
    return most


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.parametrize("method", [*METHODS, "textDocument/didOpen", "textDocument/didClose"])
def test_no_step_grows_with_the_document(method: str, name: str) -> None:
    def most(turns: int) -> float:
        client, uri = Client(), f"file:///w/{name}"
        text = "".join(TURNS[name].format(n=n) for n in range(turns))
        if method == "textDocument/didOpen":
            item = {"uri": uri, "languageId": "", "version": 1, "text": text}
            client.send({"method": method, "params": {"textDocument": item}})
        else:
            client.open(text, uri, "")
            client.pause()
            client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            asked = {"id": 9, "params": params_of(method, uri)} if method in METHODS else {}
            about = {"params": {"textDocument": {"uri": uri}}}
            client.send({"method": method, **about, **asked})
        return most_calls_in_a_step(client)

    most(9)  # What is imported and compiled at the first time does not count.
    # What is cut into pieces at once is a part of these alone.
    size = 600 if method == "textDocument/didOpen" else 60
    few, many = most(size), most(4 * size)
    assert many <= max(1.5 * few, 800), (few, many)


_ANSWER = "# %% Ask[^q1]\n\n[^q1]: [markdown]\n\n# %%% Answer[^a1]\n\n[^a1]: [Al]\n\n"
_RUN = "# %% [^c1]\n\n[^c1]: [code]\n\n```\n1\n```\n\n# %%% [^c1.1]\n\n[^c1.1]: [python]\n\n"
IN_ONE_CELL = {
    "links": (_ANSWER, "See [it](a{n}.txt), and more of what it says there.\n"),
    "headings": (_ANSWER, "## Head {n}\n\nThis is said below it, for some time.\n\n"),
    "references": (_ANSWER, "See [^q1] and [^z{n}], as it is said below.\n"),
    "footnotes": (_ANSWER, "So[^n{n}].\n\n[^n{n}]: It is said so by them.\n\n"),
    "definitions": (_ANSWER, '[^d{n}]: [Al] time="2025-01-01T00:00:00Z" status=ok\n'),
    "near misses": (_ANSWER, "#%% Title {n}[^n{n}]\n\nSome text that is below.\n\n"),
    "fences": (_ANSWER, "```python\nx = {n}\n```\n\nSome text between them.\n\n"),
    "suppressions": (_ANSWER, "<!-- msgls: ignore MSG101 -->\nSome text number {n}.\n"),
    "output": (_RUN, "stdout> Line {n} of what it says.\nAnd one without a stream.\n"),
}
"""What one cell has very many of: the text before, and each of them."""
IN_THE_CELL = {
    "textDocument/hover": {},
    "textDocument/documentHighlight": {},
    "textDocument/selectionRange": {},
    "textDocument/prepareCallHierarchy": {},
    "textDocument/references": {"context": {"includeDeclaration": True}},
}
_KEY = "textDocument/didChange"
_OPEN = "textDocument/didOpen"


@pytest.mark.parametrize("name", IN_ONE_CELL)
def test_no_step_grows_with_one_cell(name: str) -> None:
    def most(pieces: int) -> dict[str, float]:
        client, uri = Client(BARE), "file:///w/a.msg.md"
        head, line = IN_ONE_CELL[name]
        text = head + "".join(line.format(n=n) for n in range(pieces))
        client.texts[uri], client.versions[uri] = text, 1
        item = {"uri": uri, "languageId": "", "version": 1, "text": text}
        client.send({"method": _OPEN, "params": {"textDocument": item}})
        found = {_OPEN: most_calls_in_a_step(client)}
        place = {"line": text.count("\n") // 2, "character": 3}
        middle = text.index("\n", len(text) // 2)
        client.change(Edit(Span(middle, middle), "x"), uri=uri, settle=False)
        found[_KEY] = most_calls_in_a_step(client)
        about = {"textDocument": {"uri": uri}, "position": place, "positions": [place]}
        for number, (method, more) in enumerate([*METHODS.items(), *IN_THE_CELL.items()]):
            client.send({"method": method, "id": 1_000 + number, "params": {**about, **more}})
            found[method] = most_calls_in_a_step(client)
        client.send({"method": "textDocument/didClose", "params": about})
        found["textDocument/didClose"] = most_calls_in_a_step(client)
        return found

    most(9)  # What is imported and compiled at the first time does not count.
    few, many = most(1_000), most(4_000)
    # To look at each of them takes no time; to make something of each does.
    grown = {m: (few[m], many[m]) for m in many if many[m] > max(1.5 * few[m], 10 * 4_000)}
    assert not grown


# -- a document is read while the user works in another one ------------------------------------


def reading(client: Client, uri: str) -> None:
    """Let the server begin to read a large document."""
    item = {"uri": uri, "languageId": "msgmd", "version": 1, "text": CELLS}
    client.texts[uri], client.versions[uri] = CELLS, 1
    client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    for _ in range(20):
        client.server.step()
    assert uri not in client.server.session.documents


def test_keys_and_hovers_in_another_document_do_not_wait_until_one_is_read() -> None:
    client = Client()
    client.open("# %% Small[^a]\n\n[^a]: [markdown]\n\nText.\n")
    large = "file:///w/large.msg.md"
    reading(client, large)
    client.change(Edit(Span(5, 10), "Tiny"), settle=False)
    hover = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 3}}
    asked = client.ask("textDocument/hover", hover)
    client.server.step()
    client.server.step()
    assert client.server.session.get(URI).document.text.startswith("# %% Tiny")
    assert client.answered() == {asked}
    assert large not in client.server.session.documents


def test_what_is_said_of_a_document_waits_until_it_is_read_and_is_done_in_order() -> None:
    client = Client()
    client.open("# %% Small[^a]\n")
    large = "file:///w/large.msg.md"
    reading(client, large)
    lines = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": large}})
    wanted = client.ask("textDocument/foldingRange", {"textDocument": {"uri": large}})
    client.change(Edit(Span(0, 0), "# %% First\n\n"), uri=large, settle=False)
    after = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": large}})
    client.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": large}}})
    client.send({"method": "$/cancelRequest", "params": {"id": wanted}})
    asked = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    client.settle()
    assert [len(client.answer(number)) for number in (lines, after, asked)] == [1_500, 1_501, 1]
    with pytest.raises(Refused) as refusal:
        client.answer(wanted)
    assert refusal.value.code == -32800
    assert large not in client.server.session.documents


def test_what_may_change_everything_waits_until_a_document_is_read() -> None:
    client = Client()
    client.open("# %% Small[^a]\n")
    large = "file:///w/large.msg.md"
    reading(client, large)
    asked = client.ask("workspace/symbol", {"query": "cell 77"})
    behind = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    client.server.step()
    assert client.answered() == set()
    assert [found["location"]["uri"] for found in client.answer(asked)][:1] == [large]
    assert len(client.answer(behind)) == 1


# A hint in every cell: it has no id.
MANY = "# %% Cell\n\nText.\n\n" * 5_000


def _asked_for_all(client: Client) -> tuple[str, int]:
    uri = client.open(MANY)
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 20_000, "character": 0}}
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


# -- opening: what is checked between two moments in which the server listens -------------------

OPENED = {
    "a.msg.md": "".join(
        f"# %% Cell {n}[^q{n}]\n\n[^q{n}]: [markdown]\n\nA\n\n" for n in range(1_200)
    ),
    "a.stf": "@user\nHello\n@ai\nHi\n" * 1_200,
    "a.messages.jsonl": '{"role": "user", "content": "Hello"}\n' * 1_200,
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
    """Open a document that is read, and not yet checked."""
    uri = f"file:///w/{name}"
    item = {"uri": uri, "languageId": "", "version": 1, "text": OPENED[name]}
    client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    while uri not in client.server.session.documents:
        client.server.step()
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
    cells = OPENED[name].count("\n# ") if name.endswith(".md") else 1_200
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
    answers = "".join(f"# %%% [^a{n}]\n\n[^a{n}]: [Al]\n\nText.\n\n" for n in range(1_200))
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
