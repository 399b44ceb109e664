"""What the model sees, over the wire: it follows the typing, and maps places both ways."""

import random
from math import inf
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from msgls.conversation.model_view import ModelView
from msgls.document.document import Document
from msgls.host import opening
from msgls.lsp.addresses import view_address
from msgls.text.lines import Position
from msgls.text.spans import Edit, Span
from msgls.text.tokens import ESTIMATE, TokenCounter
from tests.conversation.corpus import CORPUS
from tests.lsp.client import PROFILES, URI, Client, Refused
from tests.lsp.test_fast_typing import CELL, TYPED

TEXT = """\
---
default_agent: writer
agents:
  writer:
    system_prompt: Be 🦊.
    context_window: 100
    max_output_tokens: 40
  reader: {models: [m]}
---

# %% 🦊 Ask[^q1]

[^q1]: [markdown]

🦊🦊 Who says so?

# %% Hidden[^q2]

[^q2]: [markdown] history=exclude

🦊 Nobody.

# %%% Answer[^a1]

[^a1]: [writer] history=summary summary="It is 🦊."

A long story.
"""
LARGE = "".join(f"# %% Cell {n}[^q{n}]\n\n[^q{n}]: [markdown]\n\nText.\n\n" for n in range(1_500))
SHOWN = """\
## system · prompt of writer

Be 🦊.

## user · q1

🦊🦊 Who says so?

## assistant · a1 · writer · summary

It is 🦊.

"""


def started(profile: str = "vscode", text: str = TEXT) -> Client:
    client = Client(PROFILES[profile])
    client.open(text)
    return client


def ask(client: Client, name: str, **params: Any) -> Any:
    return client.request(f"msgls/{name}", {"uri": URI, **params})


CONTENT = "workspace/textDocumentContent"
NOTHING = "*The model sees nothing of this file.*\n"


def address(uri: str = URI, agent: str | None = None) -> dict[str, str]:
    return {"uri": view_address(uri, "ModelView", agent)}


def view_in(client: Client, uri: str = URI, agent: str | None = None) -> str:
    text: str = client.request(CONTENT, address(uri, agent))["text"]
    return text


def place(client: Client, text: str, offset: int) -> dict[str, int]:
    """An offset of any text as a position on the wire."""
    position = Document.open("a.txt", text).position_of(offset, client.encoding)
    return {"line": position.line, "character": position.character}


def at(client: Client, text: str, position: dict[str, int]) -> int:
    spelled = Position(position["line"], position["character"])
    return Document.open("a.txt", text).offset_of(spelled, client.encoding)


def test_the_view() -> None:
    client = started()
    assert view_in(client) == SHOWN
    count = ModelView(Document.open("a.msg.md", TEXT), ESTIMATE).tokens
    assert ask(client, "tokens") == {
        "version": 1,
        "agent": "writer",
        "tokens": count,
        "budget": 60,
        "isEstimate": True,
        "isOver": False,
        "text": f"≈ {count} / 60 tokens",
        "tooltip": (
            "What writer sees of this file, in tokens; an estimate.\n"
            "The limit is what writer can process, minus its answer."
        ),
    }


def test_a_tokenizer_counts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    client = started()
    estimate = ask(client, "tokens")
    with monkeypatch.context() as patched:
        counter = TokenCounter(len)
        patched.setattr(opening, "_token_counter", lambda wanted: counter)
        counted = ask(client, "tokens")
    assert counted["tokens"] > estimate["tokens"]
    assert (estimate["isEstimate"], counted["isEstimate"]) == (True, False)
    assert ask(client, "tokens") == estimate


def test_another_agent_sees_it() -> None:
    client = started()
    tokens = ask(client, "tokens", agent="reader")
    assert (tokens["agent"], tokens["budget"], tokens["isOver"]) == ("reader", None, False)
    assert tokens["tooltip"].endswith(
        "\nNo `context_window` says how many tokens the model can process."
    )
    assert view_in(client, agent="reader") == SHOWN.partition("Be 🦊.\n\n")[2]


# -- places -----------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_places_both_ways(profile: str) -> None:
    client = started(profile)
    here = client.position(TEXT.index("says"))
    there = ask(client, "viewOf", position=here, version=1)
    assert at(client, SHOWN, there["position"]) == SHOWN.index("says")
    start, end = (at(client, SHOWN, there["range"][name]) for name in ("start", "end"))
    assert SHOWN[start:end] == "## user · q1\n\n🦊🦊 Who says so?"
    assert there["reason"] is None
    back = ask(client, "sourceOf", position=there["position"], version=1)
    assert back["position"] == here
    assert client.span(back["range"]).of(TEXT).startswith("# %% 🦊 Ask[^q1]")


def test_the_prompt_is_in_the_frontmatter() -> None:
    client = started()
    back = ask(client, "sourceOf", position=place(client, SHOWN, SHOWN.index("Be")))
    assert client.span(back["range"]).of(TEXT) == "Be 🦊."


@pytest.mark.parametrize(
    ("word", "is_shown", "reason"),
    [
        ("Nobody", False, "history=exclude"),
        ("long story", True, "replaced by its `summary`"),
        ("Who says", True, None),
        ("max_output", False, "it is not a cell"),
    ],
)
def test_why_a_cell_is_not_seen(word: str, is_shown: bool, reason: str | None) -> None:
    client = started()
    there = ask(client, "viewOf", position=client.position(TEXT.index(word)))
    assert (there["range"] is not None, there["reason"]) == (is_shown, reason)
    assert (there["position"] is not None) is is_shown


def test_a_place_of_another_version_is_refused() -> None:
    client = started()
    client.change(Edit(Span(0, 0), "\n"))
    for name in ("viewOf", "sourceOf"):
        with pytest.raises(Refused) as refusal:
            ask(client, name, position={"line": 0, "character": 0}, version=1)
        assert refusal.value.code == -32801


def test_an_empty_view_comes_from_nowhere() -> None:
    client = started(text="Words.\n")
    assert view_in(client) == NOTHING
    nowhere = {"version": 1, "position": None, "range": None}
    assert ask(client, "sourceOf", position={"line": 5, "character": 9}) == nowhere


@pytest.mark.parametrize("name", [name for name, (file, _) in CORPUS.items() if "." in file[-6:]])
def test_every_format_has_a_view(name: str) -> None:
    file, text = CORPUS[name]
    document = Document.open(file, text)
    if document.format.name == "plain":
        return
    client = Client()
    uri = client.open(text, uri=f"file:///chats/{file}", language_id=document.format.language_id)
    assert view_in(client, uri) == (ModelView(document, ESTIMATE).text or NOTHING)
    assert (
        client.request("msgls/tokens", {"uri": uri})["tokens"]
        == ModelView(document, ESTIMATE).tokens
    )
    assert client.request("msgls/hidden", {"uri": uri})["version"] == 1


# -- following --------------------------------------------------------------------------------


def refreshes(client: Client) -> list[Any]:
    """What the client is asked to get again, once nobody types."""
    client.asked.clear()
    client.pause()
    return client.requests("workspace/textDocumentContent/refresh")


def test_a_client_can_register_the_addresses() -> None:
    (asked,) = started().requests("client/registerCapability")
    (ours,) = [row for row in asked["registrations"] if row["method"] == CONTENT]
    assert ours["registerOptions"] == {"schemes": ["msgls-view", "msgls-rule"]}


def test_only_who_looks_is_told_of_changes() -> None:
    client = started()
    end = Span(len(TEXT), len(TEXT))
    ask(client, "tokens")
    client.change(Edit(end, "b"))
    assert refreshes(client) == []
    view_in(client)
    assert refreshes(client) == []
    client.change(Edit(end, "c"), Edit(end, "d"))
    client.change(Edit(end, "e"))
    assert refreshes(client) == [address()]
    assert refreshes(client) == []
    assert view_in(client).endswith("It is 🦊.\n\n")
    client.change(Edit(end, "f"))
    assert refreshes(client) == [address()]
    # Who did not ask for it then has closed it.
    client.change(Edit(end, "g"))
    assert refreshes(client) == []


def test_a_long_view_is_not_sent_in_every_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msgls.lsp.views._LONG", len(SHOWN) - 1)
    client = started()
    view_in(client)
    client.change(Edit(Span(len(TEXT), len(TEXT)), "a"))
    assert refreshes(client) == []
    client.server.tick()
    client.settle()
    assert client.requests("workspace/textDocumentContent/refresh") == [address()]


def test_a_client_that_knows_nothing_of_it_is_asked_nothing() -> None:
    client = started("neovim")
    assert view_in(client) == SHOWN
    client.change(Edit(Span(0, 0), "a"))
    assert refreshes(client) == []
    params = {"command": "msgls.view.show", "arguments": [{"uri": URI}]}
    with pytest.raises(Refused, match="does not show documents that a server writes"):
        client.request("workspace/executeCommand", params)


def test_the_view_is_shown_by_a_command() -> None:
    client = started()
    context = {"diagnostics": [], "only": ["navigate"]}
    params = {"textDocument": {"uri": URI}, "range": client.range(Span(0, 0)), "context": context}
    actions = client.request("textDocument/codeAction", params)
    (action,) = [a for a in actions if a["title"] == "What the model sees"]
    client.request("workspace/executeCommand", action["command"])
    (show,) = client.requests("window/showDocument")
    # An editor shows the last part of the path as the name of the document.
    assert unquote(urlsplit(show["uri"]).path) == "/What the model sees · chat.md"
    assert client.request(CONTENT, {"uri": show["uri"]})["text"] == SHOWN


def test_a_document_that_is_opened_again_is_not_the_same() -> None:
    client = started()
    view_in(client)
    client.close()
    assert refreshes(client) == [address()]
    assert view_in(client) == "*This file is not open.*\n"
    client.open("# %% [^z]\n\nZ.\n")
    assert refreshes(client) == [address()]
    assert view_in(client) == "## user · z\n\nZ.\n\n"


def whole(text: str, offset: int) -> int:
    """The next place that has a position: between the halves of a line break is none."""
    offset = min(offset, len(text))
    return offset + (text[max(offset - 1, 0) : offset + 1] == "\r\n")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(4))
def test_fast_typing_gives_what_a_fresh_view_gives(profile: str, seed: int) -> None:
    chance = random.Random(seed)
    client = started(profile)
    # A small view is made in one slice, of the version that was asked about.
    client.server.slice_seconds = inf
    view_in(client)
    asked: list[tuple[int, int, str]] = []
    for _ in range(40):
        edits, text = [], client.texts[URI]
        for _ in range(chance.choice([1, 1, 3])):
            start = whole(text, chance.randrange(len(text) + 1))
            span = Span(start, whole(text, start + chance.choice([0, 0, 1, 9])))
            edits.append(Edit(span, chance.choice([*TYPED, CELL, " history=none", " reset=1"])))
            text = text[: span.start] + edits[-1].text + text[span.end :]
        client.change(*edits, settle=False)
        if chance.random() < 0.5:
            requests = client.ask(CONTENT, address()), client.ask("msgls/tokens", {"uri": URI})
            asked.append((*requests, client.texts[URI]))
    for view, tokens, text in asked:
        document = Document.open("chat.msg.md", text)
        assert client.answer(view)["text"] == (ModelView(document, ESTIMATE).text or NOTHING)
        assert client.answer(tokens)["tokens"] == ModelView(document, ESTIMATE).tokens


def test_who_is_registered_elsewhere_may_answer_here(tmp_path: Any) -> None:
    path = tmp_path / "a.msg.md"
    client = Client(rootUri=tmp_path.as_uri())
    uri = client.open("# %% [^a]\n\n[^a]: [bot]\n\nA.\n", uri=path.as_uri())
    assert view_in(client, uri).startswith("## user · a\n")
    (tmp_path / "agents.json").write_text('{"agents": [{"name": "bot"}]}', "utf-8")
    changed = {"uri": (tmp_path / "agents.json").as_uri(), "type": 1}
    client.notify("workspace/didChangeWatchedFiles", {"changes": [changed]})
    assert refreshes(client) == [address(uri)]


# -- large ones -------------------------------------------------------------------------------


def test_what_is_typed_while_a_view_is_made_is_in_it() -> None:
    client = started(text=LARGE)
    request = client.ask(CONTENT, address())
    protocol = client.server
    for _ in range(5):
        protocol.step()
    assert client.answered() == set()
    place = LARGE.index("Cell 700")
    client.change(Edit(Span(place, place), "My "), settle=False)
    inside = client.texts[URI].index("Text.", place)
    client.change(Edit(Span(inside, inside), "Your "), settle=False)
    tokens = client.ask("msgls/tokens", {"uri": URI})
    view = client.answer(request)
    document = Document.open("chat.msg.md", client.texts[URI])
    assert view["text"] == ModelView(document, ESTIMATE).text
    assert "Your Text." in view["text"]
    assert client.answer(tokens)["tokens"] == ModelView(document, ESTIMATE).tokens


def test_a_view_that_is_not_wanted_any_more_can_be_asked_for_again() -> None:
    client = started(text=LARGE)
    request = client.ask(CONTENT, address())
    for _ in range(5):
        client.server.step()
    client.change(Edit(Span(5, 9), "New"), settle=False)
    client.server.step()
    client.send({"method": "$/cancelRequest", "params": {"id": request}})
    with pytest.raises(Refused):
        client.answer(request)
    document = Document.open("chat.msg.md", client.texts[URI])
    assert view_in(client) == ModelView(document, ESTIMATE).text


# -- hidden cells -----------------------------------------------------------------------------


def test_what_is_hidden_with_all_that_folds_with_it() -> None:
    cells = [
        ("#", "a", "history=exclude"),
        ("##", "b", "history=exclude"),
        ("##", "c", ""),
        ("#", "d", "history=exclude"),
        ("###", "e", "virtual=1"),
        ("##", "f", "history=exclude"),
        ("#", "g", ""),
        ("#", "h", "history=none"),
    ]
    text = "".join(
        [f"{hashes} %% [^{name}]\n[^{name}]: [raw] {how}\n" for hashes, name, how in cells]
    )
    hidden = ask(started(text=text), "hidden")
    assert [cells[line // 2][1] for line in hidden["lines"]] == ["b", "d", "e", "f", "h"]


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("tokens", {}),
        ("tokens", {"uri": URI, "agent": 1}),
        ("viewOf", {"uri": URI}),
        ("sourceOf", {"uri": URI, "position": {"line": -1, "character": 0}}),
        ("viewOf", {"uri": URI, "position": {"line": 0, "character": 0}, "version": "1"}),
        ("tokens", {"uri": 1}),
    ],
)
def test_what_is_missing_is_said(name: str, params: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        started().request(f"msgls/{name}", params)
    assert refused.value.code == -32602


def test_an_address_that_is_not_ours_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        started().request(CONTENT, {"uri": "file:///etc/hosts"})
    assert refused.value.code == -32602
