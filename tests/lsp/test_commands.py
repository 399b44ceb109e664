"""Commands over the wire: the edit and the cursor reach the client, refusals have a reason."""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import msgls.features
from msgls.features.command_table import COMMANDS, SHOW_VIEW
from msgls.lsp.handlers.commands import ASKING, RUNNING, UNSAVED
from msgls.text.spans import Span
from tests.lsp.client import BARE, NEOVIM, PROFILES, UNVERSIONED, URI, VSCODE, Client, Refused
from tests.notation import unmark

SOURCE = "# %% 🦊[^m1]\n\n[^m1]: [markdown]\n\n🦊 H¦i\n\n# %% [^m2]\n\n[^m2]: [raw]\n"


def started(profile: Mapping[str, Any] = VSCODE, source: str = SOURCE) -> tuple[Client, int]:
    marked = unmark(source)
    client = Client(profile)
    client.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    client.open(marked.text, version=7)
    return client, marked.cursor


def run(client: Client, offset: int, command: str, **more: Any) -> Any:
    argument = {"uri": URI, "position": client.position(offset), **more}
    return client.request("workspace/executeCommand", {"command": command, "arguments": [argument]})


def shown(client: Client) -> str:
    """The text after the edit that the client was asked to make, with the cursor in it."""
    (applied,) = client.requests("workspace/applyEdit")
    if not client.requests("window/showDocument"):
        return client.after(applied["edit"], cursor="¦")
    (show,) = client.requests("window/showDocument")
    assert show["uri"] == URI
    after = client.after(applied["edit"])
    client.texts[URI] = after
    span = client.span(show["selection"])
    assert span.start == span.end
    return f"{after[: span.start]}¦{after[span.start :]}"


def test_every_command_is_announced() -> None:
    folder = Path(msgls.features.__file__).parent
    formats = [path.parent.name for path in folder.glob("*/commands.py")]
    modules = [import_module(f"msgls.features.{name}.commands") for name in formats]
    known = {command for module in modules for command in module.RUNS}
    # The view is shown by the editor, whatever the format; answers and runs are written bit by bit.
    assert known | {SHOW_VIEW, *ASKING, *RUNNING, *UNSAVED} == set(COMMANDS)
    announced = Client().capabilities["executeCommandProvider"]["commands"]
    assert announced == [command.id for command in COMMANDS]


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "bare"])
def test_the_edit_is_applied_and_the_cursor_placed(profile: str) -> None:
    client, offset = started(PROFILES[profile])
    assert run(client, offset, "msgls.cell.split", version=7) is None
    text = unmark(SOURCE).text
    new = "# %% [^m3]\n\n[^m3]: [markdown]\n\n¦🦊 Hi"
    assert shown(client) == text.replace("🦊 Hi", new)


@pytest.mark.parametrize("profile", ["vscode", "neovim"])
def test_what_is_to_be_filled_in_is_selected(profile: str) -> None:
    client, offset = started(PROFILES[profile], "# %%% $A}[^a]¦\n\n[^a]: [bot]\n\nHi.\n")
    run(client, offset, "msgls.cell.insertToolCall")
    (applied,) = client.requests("workspace/applyEdit")
    after = client.after(applied["edit"], cursor="¦")
    if profile == "vscode":
        # The edit itself places the cursor: nothing has to be shown.
        assert not client.requests("window/showDocument")
        assert after.endswith(' name="¦tool¦"\n\n<tool>\n\n</tool>\n')
        (change,) = applied["edit"]["documentChanges"][0]["edits"]
        assert change["snippet"]["value"].endswith('="${1:tool}"\n\n<$1>\n$0\n</$1>\n')
    else:
        (show,) = client.requests("window/showDocument")
        client.texts[URI] = after
        assert after[slice(*client.span(show["selection"]))] == "tool"


def test_the_version_goes_along_where_it_is_known() -> None:
    client, offset = started(VSCODE)
    run(client, offset, "msgls.cell.insertMessageAbove")
    (applied,) = client.requests("workspace/applyEdit")
    assert applied["label"] == "Insert message cell above"
    (change,) = applied["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": URI, "version": 7}
    # Neovim takes them, without saying so: it makes files.
    for capabilities, kind in ((NEOVIM, "documentChanges"), (UNVERSIONED, "changes")):
        client, offset = started(capabilities)
        run(client, offset, "msgls.cell.insertMessage")
        (applied,) = client.requests("workspace/applyEdit")
        assert set(applied["edit"]) == {kind}


def test_the_cursor_stays_where_nothing_was_applied() -> None:
    client, offset = started()
    client.answers["workspace/applyEdit"] = lambda params: {"applied": False}
    run(client, offset, "msgls.cell.delete")
    assert client.requests("workspace/applyEdit")
    assert not client.requests("window/showDocument")


def test_what_only_moves_the_cursor_edits_nothing() -> None:
    client, offset = started()
    run(client, offset, "msgls.cell.goToNext")
    assert not client.requests("workspace/applyEdit")
    (show,) = client.requests("window/showDocument")
    assert show["selection"]["start"] == {"line": 6, "character": 5}


@pytest.mark.parametrize(
    ("command", "more", "reason"),
    [
        (
            "msgls.cell.split",
            {"version": 6},
            "the request is for version 6, but the current version is 7",
        ),
        ("msgls.cell.moveUp", {}, "this is the first cell"),
        ("msgls.cell.goToParent", {}, "this cell does not belong to another one"),
        ("msgls.agent.setDefault", {}, "this cell has no agent: give the `name` of one"),
        ("msgls.cell.split", {"uri": "file:///other.msg.md"}, "is not open"),
    ],
)
def test_refusals_have_a_reason(command: str, more: dict[str, Any], reason: str) -> None:
    client, offset = started()
    with pytest.raises(Refused, match=reason) as refusal:
        run(client, offset, command, **more)
    assert refusal.value.code == -32803
    assert not client.requests("workspace/applyEdit")


def test_an_editor_that_cannot_apply_edits_is_told() -> None:
    client, offset = started(BARE)
    with pytest.raises(Refused, match="does not let a server apply edits"):
        run(client, offset, "msgls.cell.split")
    with pytest.raises(Refused, match="does not let a server place the cursor"):
        run(client, offset, "msgls.cell.goToNext")


POSITION = {"line": 0, "character": 0}


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("msgls.cell.explode", [{"uri": URI, "position": POSITION}]),
        ("msgls.cell.split", None),
        ("msgls.cell.split", []),
        ("msgls.cell.split", ["words"]),
        ("msgls.cell.split", [{"uri": URI, "position": POSITION}] * 2),
        ("msgls.cell.split", [{"position": POSITION}]),
        ("msgls.cell.split", [{"uri": URI}]),
        ("msgls.cell.split", [{"uri": URI, "position": {"line": -1, "character": 0}}]),
        ("msgls.cell.split", [{"uri": URI, "position": {"line": True, "character": 0}}]),
        ("msgls.cell.split", [{"uri": URI, "position": POSITION, "version": "7"}]),
        ("msgls.convert.to", [{"uri": URI, "position": POSITION, "asText": 1}]),
        ("msgls.cell.changeType", [{"uri": URI, "position": POSITION}]),
        ("msgls.cell.changeType", [{"uri": URI, "position": POSITION, "type": 3}]),
    ],
)
def test_invalid_arguments(command: str, arguments: Any) -> None:
    client, _ = started()
    params = {"command": command} if arguments is None else {}
    with pytest.raises(Refused) as refusal:
        client.request(
            "workspace/executeCommand", params or {"command": command, "arguments": arguments}
        )
    assert refusal.value.code == -32602


def test_agents_are_listed_and_the_default_is_set() -> None:
    source = "---\nagents: {one: {models: [m]}, two: {}}\n---\n\n# %%% [^1]¦\n\n[^1]: [two]\n"
    client, offset = started(source=source)
    listed = client.request(
        "workspace/executeCommand", {"command": "msgls.agent.list", "arguments": [{"uri": URI}]}
    )
    assert [(a["name"], a["origin"], a["answers"], a["isDefault"]) for a in listed] == [
        ("one", "frontmatter", 0, True),
        ("two", "frontmatter", 1, False),
    ]
    assert listed[0]["models"] == ["m"]
    run(client, offset, "msgls.agent.setDefault")
    (applied,) = client.requests("workspace/applyEdit")
    assert client.after(applied["edit"]) == unmark(source).text.replace(
        "---\n", "---\ndefault_agent: two\n", 1
    )


# -- several cells, and files -----------------------------------------------------------------


def test_what_is_selected_is_excluded() -> None:
    client, _ = started()
    text = unmark(SOURCE).text
    end = client.position(text.index("raw"))
    run(client, 0, "msgls.history.exclude", end=end, version=7)
    (applied,) = client.requests("workspace/applyEdit")
    assert client.after(applied["edit"]) == text.replace("n]\n", "n] history=exclude\n").replace(
        "raw]\n", "raw] history=exclude\n"
    )


@pytest.mark.parametrize(
    ("command", "histories"),
    [
        ("exclude", ["exclude", "exclude"]),
        # What is excluded shows no summary because others do.
        ("summarize", ["summary", "exclude"]),
        ("include", []),
    ],
)
def test_from_here(command: str, histories: list[str]) -> None:
    client, offset = started(source=SOURCE.replace("[raw]", "[raw] history=exclude"))
    run(client, offset, f"msgls.history.{command}FromHere")
    (applied,) = client.requests("workspace/applyEdit")
    assert re.findall(r"history=(\w+)", client.after(applied["edit"])) == histories


def test_a_selection_offers_what_it_can() -> None:
    client, offset = started()
    span = Span(offset, len(client.texts[URI]))
    context = {"diagnostics": [], "only": ["refactor"]}
    params = {"textDocument": {"uri": URI}, "range": client.range(span), "context": context}
    actions = client.request("textDocument/codeAction", params)
    (action,) = [a for a in actions if a["title"] == "Exclude 2 cells from history"]
    client.request("workspace/executeCommand", action["command"])
    (applied,) = client.requests("workspace/applyEdit")
    assert client.after(applied["edit"]).count("history=exclude") == 2


@pytest.mark.parametrize(
    ("target", "language_id", "piece"),
    [
        ("stf", "stf", "@user id=m1"),
        ("stf-semicolon", "stf", ";user"),
        ("messages", "json", '"role": "user"'),
        ("openai", "json", '"messages": ['),
        ("anthropic", "json", '"messages": ['),
        ("markdown", "markdown", "🦊 Hi"),
        ("msgmd", "msgmd", "# %% 🦊[^m1]"),
    ],
)
def test_a_document_is_converted(target: str, language_id: str, piece: str) -> None:
    client, _ = started()
    arguments = [{"uri": URI, "target": target, "asText": True}]
    shown = client.request(
        "workspace/executeCommand", {"command": "msgls.convert.to", "arguments": arguments}
    )
    assert shown["languageId"] == language_id
    assert piece in shown["text"]
    # Who shows the text shows what is lost, too.
    assert client.notifications("window/showMessage") == []


def test_a_conversation_is_forked_at_the_cell_of_the_cursor() -> None:
    first = "# %% [^q1]\n\n[^q1]: [markdown]\n\nHi.\n"
    client, _ = started(source=f"{first}\n# %% ¦[^q2]\n\n[^q2]: [markdown]\n\nBye.\n")
    arguments = [{"uri": URI, "position": {"line": 4, "character": 0}, "asText": True}]
    shown = client.request(
        "workspace/executeCommand", {"command": "msgls.cell.fork", "arguments": arguments}
    )
    assert shown == {"languageId": "msgmd", "text": first, "losses": []}


def test_where_the_client_does_not_show_what_is_lost_it_is_told_by_its_lines() -> None:
    client, _ = started()
    run(client, 0, "msgls.convert.to", target="openai")
    (told,) = client.notifications("window/showMessage")
    head, *rows = told["message"].split("\n")
    assert head.endswith("lost or changed in the conversion:")
    assert any(row.startswith("- line ") for row in rows)
    assert any("no model is named" in row for row in rows)


def test_where_the_client_does_not_show_it_a_file_is_made() -> None:
    client, _ = started()
    run(client, 0, "msgls.convert.to", target="markdown")
    (applied,) = client.requests("workspace/applyEdit")
    created = applied["edit"]["documentChanges"][0]
    assert (created["kind"], created["uri"]) == ("create", "file:///chats/chat.md")


@pytest.mark.parametrize("more", [{}, {"target": "chatbuilder"}, {"target": "docx"}])
def test_what_it_can_be_converted_to_is_said(more: dict[str, str]) -> None:
    client, _ = started()
    with pytest.raises(Refused, match="must be one of: msgmd, stf,") as refusal:
        run(client, 0, "msgls.convert.to", **more)
    assert refusal.value.code == -32602


def test_nothing_is_not_converted() -> None:
    client, _ = started(source="¦Words.\n")
    with pytest.raises(Refused, match="no message can be read; line 1: there is no message"):
        run(client, 0, "msgls.convert.to", target="stf")
