"""Code lenses and inlay hints over the wire."""

from typing import Any

import pytest

from msgls.text.spans import Edit, Span
from tests.features.msgmd.sample import CONVERSATION
from tests.lsp.client import PROFILES, URI, Client, Refused

DOCUMENT = {"textDocument": {"uri": URI}}


def resolved(client: Client) -> list[dict[str, Any]]:
    found = client.request("textDocument/codeLens", DOCUMENT)
    assert not any("command" in lens for lens in found)
    return [client.request("codeLens/resolve", lens) for lens in found]


def cell_lenses(client: Client, text: str) -> dict[str, dict[str, Any]]:
    """What an editor shows above the cell of its cursor, by title."""
    params = {"uri": URI, "position": client.position(CONVERSATION.index(text))}
    found = client.request("msgls/cellLenses", params)
    return {lens["command"]["title"]: lens for lens in found}


def test_lenses_are_resolved_and_only_tell_but_one_that_runs_code() -> None:
    client = Client()
    client.open(CONVERSATION)
    commands = [lens["command"] for lens in resolved(client)]
    assert commands[0] == {"title": "≈ 19 tokens · excluded", "command": ""}
    (run,) = [command for command in commands if command["command"]]
    assert (run["title"], run["command"]) == ("Run", "msgls.run.cell")
    at = CONVERSATION.split("\n").index("# %% Code[^c1]")
    assert run["arguments"][0]["position"] == {"line": at, "character": 0}


def test_the_cell_of_the_cursor_has_lenses_whose_commands_work() -> None:
    client = Client()
    client.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    client.open(CONVERSATION)
    title = cell_lenses(client, "What is")
    assert list(title) == ["Insert below", "Include"]
    assert cell_lenses(client, "Some words") == {}
    include = title["Include"]
    line = CONVERSATION.split("\n").index("# %% Question 🦊[^m1]")
    assert include["range"]["start"] == {"line": line, "character": 0}
    client.request("workspace/executeCommand", include["command"])
    (applied,) = client.requests("workspace/applyEdit")
    assert client.after(applied["edit"]) == CONVERSATION.replace(" history=exclude", "")


def test_a_lens_that_is_shown_a_moment_too_long_is_about_its_cell() -> None:
    client = Client()
    client.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    client.open(CONVERSATION)
    include = cell_lenses(client, "What is")["Include"]["command"]
    at = CONVERSATION.index("# %% Question")
    client.change(Edit(Span(at, at), "# %% [^new]\n\n[^new]: [raw] history=exclude\n\n🦊\n\n"))
    client.request("workspace/executeCommand", include)
    (applied,) = client.requests("workspace/applyEdit")
    wanted = client.texts[URI].replace("[markdown] history=exclude", "[markdown]")
    assert client.after(applied["edit"]) == wanted
    client.change(Edit(Span(0, len(client.texts[URI])), "# %% Other\n"))
    with pytest.raises(Refused, match="has changed"):
        client.request("workspace/executeCommand", include)


def test_a_client_with_a_menu_of_its_own_has_it_above_the_cell() -> None:
    client = Client(initializationOptions={"cellMenu": "editor.menu"})
    client.open(CONVERSATION)
    command = cell_lenses(client, "What is")["Cell…"]["command"]
    assert command["command"] == "editor.menu"
    assert command["arguments"][0]["uri"] == URI


def test_a_lens_follows_its_cell() -> None:
    client = Client()
    client.open("# %% [^1]\n\nHi\n")
    found = client.request("textDocument/codeLens", DOCUMENT)

    def titles() -> list[str]:
        commands = [client.request("codeLens/resolve", lens)["command"] for lens in found]
        return [command["title"] for command in commands]

    client.change(Edit(Span(0, 0), "# %% New\n\n"))
    assert titles() == ["≈ 1 token", "Ask assistant"]
    end = len(client.texts[URI])
    client.change(Edit(Span(end - 3, end), "\n"))
    assert titles() == ["≈ 0 tokens", ""]
    client.change(Edit(Span(0, len(client.texts[URI])), ""))
    assert titles() == ["", ""]


@pytest.mark.parametrize("data", [None, "words", {}, {"uri": URI, "cell": "x", "what": "history"}])
def test_a_lens_of_somebody_else_is_refused(data: Any) -> None:
    client = Client()
    client.open(CONVERSATION)
    place = {"line": 0, "character": 0}
    lens = {"range": {"start": place, "end": place}, "data": data}
    with pytest.raises(Refused) as refusal:
        client.request("codeLens/resolve", lens)
    assert refusal.value.code == -32602


def test_what_a_lens_says_is_not_a_hint_too() -> None:
    client = Client(PROFILES["vscode"])
    client.open(CONVERSATION)
    params = {**DOCUMENT, "range": client.range(Span(0, len(CONVERSATION)))}
    labels = [hint["label"] for hint in client.request("textDocument/inlayHint", params)]
    assert not any("token" in label for label in labels)


@pytest.mark.parametrize("profile", sorted(PROFILES.keys() - {"vscode"}))
def test_hints_stand_where_they_belong_in_every_encoding(profile: str) -> None:
    client = Client(PROFILES[profile])
    client.open(CONVERSATION)
    span = Span(0, CONVERSATION.index("# %%% Answer"))
    params = {**DOCUMENT, "range": client.range(span)}
    (hint,) = client.request("textDocument/inlayHint", params)
    at = CONVERSATION.index("🦊[^m1]") + len("🦊[^m1]")
    assert hint["position"] == client.position(at)
    assert hint["label"] == "~0 of 19 tokens"


def test_capabilities() -> None:
    capabilities = Client().capabilities
    assert capabilities["codeLensProvider"]["resolveProvider"] is True
    assert "inlayHintProvider" in capabilities
