"""Documents beyond a size: syntax and outline, and nothing that would take minutes."""

from pathlib import Path
from typing import Any

from msgls.text.spans import Edit, Span
from tests.lsp.client import Client

CELL = "# %% Cell[^q1]\n\n[^q1]: [markdown] history=full\n\nText.\n\n"
LARGE = CELL + "# %% Next\n\n" + "Words and more words.\n" * 50_000


def _opened(folder: Path, text: str) -> tuple[Client, str]:
    (folder / "msgls.toml").write_text("large-file = 1\n", "utf-8")
    client = Client()
    return client, client.open(text, (folder / "chat.msg.md").as_uri())


def _shown(client: Client) -> list[str]:
    return [params["message"] for params in client.notifications("window/showMessage")]


def _about(uri: str, **more: Any) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, **more}


def test_a_large_file_has_syntax_and_outline_and_says_so(tmp_path: Path) -> None:
    client, uri = _opened(tmp_path, LARGE)
    opened = client.server.session.get(uri)
    assert not opened.rules
    assert not opened.checker.problems()
    names = [found["name"] for found in client.request("textDocument/documentSymbol", _about(uri))]
    assert len(names) == 2
    assert client.request("textDocument/semanticTokens/full", _about(uri))["data"]
    assert client.request("textDocument/foldingRange", _about(uri))
    start = {"line": 0, "character": 3}
    assert client.request("textDocument/hover", _about(uri, position=start)) is None
    whole = {"start": start, "end": {"line": 9, "character": 0}}
    context: dict[str, Any] = {"diagnostics": []}
    assert not client.request("textDocument/codeAction", _about(uri, range=whole, context=context))
    (said,) = _shown(client)
    assert said == (
        "msgls: chat.msg.md has more than 1 million characters: only its syntax and outline are "
        "shown (setting `large-file`)"
    )


def test_typing_goes_on_in_a_large_file(tmp_path: Path) -> None:
    client, uri = _opened(tmp_path, LARGE)
    client.change(Edit(Span(0, 0), "# %% First\n\n"), uri=uri)
    found = client.request("textDocument/documentSymbol", _about(uri))
    assert len(found) == 3


def test_a_file_of_ordinary_size_is_checked(tmp_path: Path) -> None:
    client, uri = _opened(tmp_path, CELL)
    assert client.server.session.get(uri).checker.problems()
    assert not _shown(client)
