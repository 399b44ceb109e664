"""Completion over the wire: exact edits, snippets where they are known, lazy documentation."""

from typing import Any

import pytest

from msgls.text.spans import Edit, Span
from tests.lsp.client import EGLOT, PROFILES, URI, VSCODE, Client
from tests.notation import unmark

ASK = "# %% 🦊[^m1]\n\n[^m1]: [markdown]\n\n"


def offered(client: Client, source: str) -> list[dict[str, Any]]:
    marked = unmark(source)
    client.open(marked.text)
    answer = client.at("textDocument/completion", marked.cursor)
    items: list[dict[str, Any]] = answer["items"]
    return items


def named(items: list[dict[str, Any]], label: str) -> dict[str, Any]:
    (found,) = [item for item in items if item["label"] == label]
    return found


@pytest.mark.parametrize("profile", PROFILES)
def test_the_edit_is_exact_in_every_encoding(profile: str) -> None:
    client = Client(PROFILES[profile])
    items = offered(client, ASK + "🦊🦊 see [^m¦] and on\n")
    edit = named(items, "m1")["textEdit"]
    assert client.edited([edit]) == ASK + "🦊🦊 see [^m1] and on\n"


def test_the_order_is_ours() -> None:
    items = offered(Client(), ASK + "¦")
    keys = [item["sortText"] for item in items]
    assert keys == sorted(set(keys))


def test_snippets_only_where_they_are_known() -> None:
    rich = named(offered(Client(VSCODE), ASK + "# %%¦"), "message cell")
    assert rich["insertTextFormat"] == 2
    assert "$1[^m2]" in rich["textEdit"]["newText"]
    client = Client(EGLOT)
    bare = named(offered(client, ASK + "# %%¦"), "message cell")
    assert "insertTextFormat" not in bare
    assert client.edited([bare["textEdit"]]) == ASK + "# %% [^m2]\n\n[^m2]: [markdown]\n\n"


def test_every_id_has_the_name_of_its_cell_beside_it_where_that_can_be_shown() -> None:
    call = '## %%% [^m1.9f3d]\n\n[^m1.9f3d]: [tool] name="look"\n\n'
    items = offered(Client(VSCODE), ASK + call + "see [^¦")
    assert named(items, "m1")["labelDetails"] == {"description": "🦊"}
    assert named(items, "m1.9f3d")["labelDetails"] == {"description": "look"}
    assert "labelDetails" not in named(offered(Client(EGLOT), ASK + "see [^¦"), "m1")


def test_documentation_comes_with_resolve() -> None:
    client = Client()
    item = named(offered(client, ASK + "hello [^¦"), "m1")
    assert "documentation" not in item
    resolved = client.request("completionItem/resolve", item)
    assert resolved["documentation"]["kind"] == "markdown"
    assert "hello" in resolved["documentation"]["value"]
    del resolved["documentation"]
    assert resolved == item


def test_what_cannot_be_resolved_comes_back_as_it_is() -> None:
    client = Client()
    item = named(offered(client, ASK + "hello [^¦"), "m1")
    client.close()
    strange: list[dict[str, Any]] = [
        item,
        {"label": "x"},
        {"label": "x", "data": 1},
        {"label": "x", "data": {"uri": URI, "topic": ["cell"]}},
    ]
    for one in strange:
        assert client.request("completionItem/resolve", one) == one


def test_while_somebody_types() -> None:
    client = Client()
    client.open(ASK)
    for number, character in enumerate("# %% New[^"):
        client.change(Edit(Span(len(ASK) + number, len(ASK) + number), character))
        answer = client.at("textDocument/completion", len(ASK) + number + 1)
    assert [item["label"] for item in answer["items"]] == ["m2"]


def test_the_triggers_are_announced() -> None:
    provider = Client().capabilities["completionProvider"]
    assert provider["resolveProvider"] is True
    assert {"%", "^", "[", ".", "="} <= set(provider["triggerCharacters"])


def test_a_list_opens_by_itself_only_where_something_of_ours_can_stand() -> None:
    client = Client()
    client.open(ASK + "\nso [^")
    at_end = len(ASK) + 6

    def items(offset: int, context: dict[str, Any]) -> int:
        answer = client.at("textDocument/completion", offset, context=context)
        return len(answer["items"])

    assert items(at_end, {"triggerKind": 2, "triggerCharacter": "^"})
    assert not items(len(ASK), {"triggerKind": 2, "triggerCharacter": "\n"})
    # A person who asks gets an answer.
    assert items(len(ASK), {"triggerKind": 1})
