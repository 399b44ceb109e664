"""A Simple Text Format file over the wire: what is told of a place and of the whole."""

from typing import Any

import pytest

from tests.lsp.client import Client, Refused
from tests.notation import unmark

URI = "file:///chats/chat.stf"
SOURCE = """@user id=m1 name=🦊
What is the weather?
@embed
notes.txt
@ai
I will look.
@call id=«call_1»
get_weather {city: 'Hangzhou'}
@tool name=🦊 call_id=«¦call_1»
Sunny.
"""


def started() -> tuple[Client, int]:
    marked = unmark(SOURCE)
    client = Client()
    client.open(marked.text, URI, "stf")
    return client, marked.cursor


def of_document(client: Client, method: str, **params: Any) -> Any:
    return client.request(method, {"textDocument": {"uri": URI}, **params})


def test_what_is_told_of_a_place() -> None:
    client, cursor = started()
    hover = client.at("textDocument/hover", cursor, URI)
    assert "**Call** of `get_weather` as `call_1`" in hover["contents"]["value"]
    found = client.at("textDocument/completion", cursor, URI)
    assert [item["label"] for item in found["items"]] == ["call_1"]
    resolved = client.request("completionItem/resolve", found["items"][0])
    assert "get_weather" in resolved["documentation"]["value"]
    ranges = of_document(
        client, "textDocument/selectionRange", positions=[client.position(cursor, URI)]
    )
    assert client.span(ranges[0]["range"], URI).of(client.texts[URI]) == "call_1"
    prepared = client.at("textDocument/prepareRename", cursor, URI)
    assert prepared["placeholder"] == "call_1"
    with pytest.raises(Refused, match="put the cursor on the value of `id` or `call_id`"):
        client.at("textDocument/prepareRename", 1, URI)
    linked = client.at("textDocument/linkedEditingRange", unmark(SOURCE).spans()[0].start, URI)
    assert [client.span(one, URI) for one in linked["ranges"]] == unmark(SOURCE).spans()


def test_what_is_told_of_the_document() -> None:
    client, _ = started()
    symbols = of_document(client, "textDocument/documentSymbol")
    assert [symbol["name"] for symbol in symbols] == ["user · 🦊", "assistant", "tool · 🦊"]
    assert [child["name"] for child in symbols[0]["children"]] == ["notes.txt"]
    assert [child["name"] for child in symbols[1]["children"]] == ["get_weather"]
    folds = of_document(client, "textDocument/foldingRange")
    assert [(fold["startLine"], fold["endLine"]) for fold in folds] == [(0, 3), (4, 7), (8, 9)]
    (link,) = of_document(client, "textDocument/documentLink")
    assert client.span(link["range"], URI).of(client.texts[URI]) == "notes.txt"
    assert link["target"] == "file:///chats/notes.txt"
    assert of_document(client, "textDocument/semanticTokens/full")["data"][:10] == [
        *(0, 1, 4, 0, 0),
        *(0, 5, 2, 7, 0),
    ]
    lenses = of_document(client, "textDocument/codeLens")
    titles = [client.request("codeLens/resolve", lens)["command"]["title"] for lens in lenses]
    assert titles[0].endswith(" tokens")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = of_document(client, "textDocument/inlayHint", range=whole)
    assert "← get_weather" in [hint["label"] for hint in hints]


def test_the_hierarchy() -> None:
    client, cursor = started()
    (result,) = client.at("textDocument/prepareCallHierarchy", cursor, URI)
    (incoming,) = client.request("callHierarchy/incomingCalls", {"item": result})
    assert incoming["from"]["name"] == "get_weather"
    (message,) = client.request("callHierarchy/incomingCalls", {"item": incoming["from"]})
    assert message["from"]["name"] == "assistant"
    (outgoing,) = client.request("callHierarchy/outgoingCalls", {"item": incoming["from"]})
    assert outgoing["to"]["name"] == "tool · 🦊"
