"""A Simple Text Format file over the wire: each request once, and the commands."""

from typing import Any

import pytest

from tests.lsp.client import PROFILES, Client, Refused
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


def started(source: str = SOURCE, profile: str = "vscode") -> tuple[Client, int]:
    marked = unmark(source)
    client = Client(PROFILES[profile])
    client.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    client.open(marked.text, URI, "stf")
    return client, marked.cursor


def of_document(client: Client, method: str, **params: Any) -> Any:
    return client.request(method, {"textDocument": {"uri": URI}, **params})


@pytest.mark.parametrize("profile", PROFILES)
def test_the_ranges_are_exact_in_every_encoding(profile: str) -> None:
    marked = unmark(SOURCE)
    call, _ = marked.spans()
    client, cursor = started(profile=profile)
    everywhere = {"includeDeclaration": True}
    found = client.at("textDocument/references", cursor, URI, context=everywhere)
    assert [client.span(location["range"], URI) for location in found] == marked.spans()
    found = client.at("textDocument/documentHighlight", cursor, URI)
    assert [(client.span(one["range"], URI), one["kind"]) for one in found] == [
        (marked.spans()[0], 3),
        (marked.spans()[1], 2),
    ]
    (target,) = client.at("textDocument/definition", cursor, URI)
    place = target["targetSelectionRange"] if "targetUri" in target else target["range"]
    assert client.span(place, URI) == call
    edit = client.at("textDocument/rename", cursor, URI, newName="c2")
    assert client.after(edit, URI) == marked.text.replace("call_1", "c2")


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


def test_formatting() -> None:
    client, _ = started("@ user  id = 🦊 \n Hi \n¦")
    options = {"tabSize": 2, "insertSpaces": True}
    edits = of_document(client, "textDocument/formatting", options=options)
    assert client.edited(edits, URI) == "@user id=🦊\n Hi \n"


def test_problems_and_their_fixes() -> None:
    client, _ = started("@user\nHi\n@usr¦\n")
    report = of_document(client, "textDocument/diagnostic")
    (problem,) = report["items"]
    assert problem["code"] == "STF001"
    context = {"diagnostics": [problem], "only": ["quickfix"]}
    actions = of_document(
        client, "textDocument/codeAction", range=problem["range"], context=context
    )
    titles = [action["title"] for action in actions]
    assert "Ignore STF001 in this cell" in titles


def test_actions_and_commands() -> None:
    client, cursor = started("@user\nHi\n@ai\nH¦o\n")
    place = client.position(cursor, URI)
    context = {"diagnostics": [], "only": ["refactor"]}
    here = {"start": place, "end": place}
    actions = of_document(client, "textDocument/codeAction", range=here, context=context)
    commands = {action["title"]: action["command"] for action in actions}
    client.request(
        "workspace/executeCommand",
        {key: commands["Convert to the dialect `;`"][key] for key in ("command", "arguments")},
    )
    (applied,) = client.requests("workspace/applyEdit")
    assert client.after(applied["edit"], URI) == ";user\nHi\n;ai\nHo\n"
    assert applied["label"] == "Convert to the other dialect"
    moved = commands["Move cell up"]
    client.request(
        "workspace/executeCommand", {key: moved[key] for key in ("command", "arguments")}
    )
    assert client.after(client.requests("workspace/applyEdit")[1]["edit"], URI) == (
        "@ai\nHo\n@user\nHi\n"
    )


def test_a_refusal_has_a_reason() -> None:
    client, cursor = started("@user\n@embed\na.t¦xt\n")
    argument = {"uri": URI, "position": client.position(cursor, URI)}
    params = {"command": "msgls.stf.convertDialect", "arguments": [argument]}
    with pytest.raises(Refused, match="line 2: `embed` is not available in the dialect `;`"):
        client.request("workspace/executeCommand", params)


def test_pasting() -> None:
    client, _ = started("@user\n¦")
    params = {"uri": URI, "position": {"line": 1, "character": 0}, "text": "@ai\n"}
    assert client.request("msgls/asContent", params) == {"text": "@@ai\n"}
