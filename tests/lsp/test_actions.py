"""Code actions over the wire: edits, commands, resolving, and what the client asks for."""

from collections.abc import Mapping
from typing import Any

import pytest

from msgls.text.spans import Edit, Span
from tests.lsp.client import BARE, NEOVIM, PROFILES, URI, VSCODE, Client, Refused
from tests.notation import unmark

SOURCE = "# %% 🦊[^«m1»]\n\nHi\n\n# %% [^m2]\n\n[^m2]: [raw]\n"
LITERAL = [name for name in PROFILES if name != "bare"]


def started(
    profile: Mapping[str, Any] = VSCODE, source: str = SOURCE, **options: Any
) -> tuple[Client, Span]:
    marked = unmark(source)
    client = Client(profile, initializationOptions=options)
    client.open(marked.text, version=7)
    return client, marked.span()


def ask(client: Client, span: Span, **context: Any) -> list[dict[str, Any]]:
    answer: list[dict[str, Any]] = client.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": URI},
            "range": client.range(span),
            "context": {"diagnostics": [], **context},
        },
    )
    return answer


def named(actions: list[dict[str, Any]], title: str) -> dict[str, Any]:
    (found,) = [action for action in actions if action["title"] == title]
    return found


@pytest.mark.parametrize("profile", LITERAL)
def test_a_fix_is_offered_with_its_edit(profile: str) -> None:
    client, span = started(PROFILES[profile])
    action = named(ask(client, span), "Insert `[^m1]: [markdown]`")
    assert action["kind"] == "quickfix"
    assert action["isPreferred"] is True
    text = unmark(SOURCE).text
    fixed = text.replace("\n\nHi", "\n\n[^m1]: [markdown]\n\nHi")
    assert client.after(action["edit"]) == fixed


def test_a_fix_names_the_diagnostic_that_it_is_for() -> None:
    client, span = started(NEOVIM)
    published = client.notifications("textDocument/publishDiagnostics")[-1]["diagnostics"]
    (wanted,) = [item for item in published if item["code"] == "MSG101"]
    other = {**wanted, "code": "MSG999"}
    action = named(ask(client, span, diagnostics=[other, wanted]), "Insert `[^m1]: [markdown]`")
    (linked,) = action["diagnostics"]
    assert (linked["code"], linked["range"]) == ("MSG101", wanted["range"])


def test_cells_are_changed_by_commands() -> None:
    client, span = started()
    client.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    action = named(ask(client, span), "Insert message cell below")
    assert action["kind"] == "refactor"
    command = action["command"]
    assert command["arguments"] == [
        {"uri": URI, "position": client.position(span.start), "version": 7}
    ]
    client.request("workspace/executeCommand", command)
    (applied,) = client.requests("workspace/applyEdit")
    assert "[^m3]: [markdown]" in client.after(applied["edit"])


def test_a_client_with_a_menu_gets_five_cell_actions_and_the_menu() -> None:
    client, span = started(cellMenu="editor.menu")
    actions = [action["title"] for action in ask(client, span) if action["kind"] == "refactor"]
    assert actions == [
        "Ask assistant",
        "Insert message cell below",
        "Insert output cell below",
        "Exclude cell from history",
        "Insert message cell above",
        "Cell…",
    ]
    assert ask(client, span)[0]["kind"] == "quickfix"
    # The menu asks for all of them.
    assert len(ask(client, span, only=["refactor"])) > 10
    assert not [action for action in ask(client, span, only=["refactor"]) if "Cell…" in action]


def test_only_what_is_asked_for() -> None:
    client, span = started()

    def kinds(**context: Any) -> set[str]:
        return {action["kind"] for action in ask(client, span, **context)}

    # What is about the file is offered on its first line, and wherever somebody asks for it.
    fixes = {"quickfix", "source.fixAll.msgls"}
    everything = fixes | {"refactor", "navigate", "source.convert.msgls"}
    assert kinds() == everything
    client.change(Edit(Span(0, 0), "\n"))
    span = span.shift(1)
    assert kinds() == everything - {"source.convert.msgls"}
    assert kinds(only=["quickfix"]) == {"quickfix"}
    assert kinds(only=["refactor"]) == {"refactor"}
    assert kinds(only=["refactor.extract"]) == set()
    assert kinds(only=["source"]) == {"source.fixAll.msgls", "source.convert.msgls"}
    assert kinds(only=["source.fixAll.msgls"]) == {"source.fixAll.msgls"}
    assert kinds(only=["source.organizeImports"]) == set()
    # The editor asks by itself at each move of the cursor.
    assert kinds(triggerKind=2) == {"quickfix"}


def test_no_lamp_in_a_cell_that_is_excluded_on_purpose() -> None:
    client, span = started(source="# %% A[^m1]\n\n[^m1]: [markdown] history=none\n\n«Text».\n")
    assert "Ignore MSG603 in this cell" in [action["title"] for action in ask(client, span)]
    assert ask(client, span, triggerKind=2) == []


@pytest.mark.parametrize("profile", LITERAL)
def test_all_safe_fixes(profile: str) -> None:
    client, span = started(PROFILES[profile])
    (action,) = ask(client, span, only=["source.fixAll"])
    if "edit" not in action:
        action = client.request("codeAction/resolve", action)
    assert "[^m1]: [markdown]\n" in client.after(action["edit"])


def test_who_asks_for_all_fixes_is_told_what_is_left_and_no_editor_that_saves() -> None:
    client, span = started(source="# %% [^«m1»]\n\n[^m1]: [markdwn]\n")
    for kind, told in ((2, 0), (1, 1)):
        (action,) = ask(client, span, only=["source.fixAll"], triggerKind=kind)
        client.request("codeAction/resolve", action)
        messages = client.notifications("window/showMessage")
        assert len(messages) == told
    assert messages[0]["type"] == 3
    assert "1 problem is left: 1 fix may change the meaning (MSG201)" in messages[0]["message"]


def test_without_resolve_the_edit_comes_at_once() -> None:
    support: dict[str, Any] = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    profile = {"textDocument": {"codeAction": support}}
    client, span = started(profile)
    assert "source.fixAll.msgls" not in {action["kind"] for action in ask(client, span)}
    (action,) = ask(client, span, only=["source.fixAll.msgls"])
    assert "[^m1]: [markdown]\n" in client.after(action["edit"])


def test_a_large_fix_comes_when_it_is_wanted() -> None:
    section = "---\nmessage_section: Talk\n---\n\n# «Talk»\n\n"
    source = section + "words " * 500 + "\n\n# Other\n\nMore\n"
    client, span = started(source=source)
    uri = "file:///notes.md"
    client.open(unmark(source).text, uri, "markdown", 3)
    params = {
        "textDocument": {"uri": uri},
        "range": client.range(span, uri),
        "context": {"diagnostics": [], "only": ["quickfix"]},
    }
    offered = client.request("textDocument/codeAction", params)
    large = [action for action in offered if "edit" not in action]
    assert large
    resolved = client.request("codeAction/resolve", large[0])
    after = client.after(resolved["edit"], uri)
    assert after.index("# Other") < after.index("# Talk") < after.index("words")
    client.change(Edit(Span(0, 0), ""), uri=uri)
    with pytest.raises(Refused, match="has changed since") as refusal:
        client.request("codeAction/resolve", large[0])
    assert refusal.value.code == -32801


def test_a_client_without_literals_gets_commands() -> None:
    client, span = started(BARE)
    actions = ask(client, span)
    assert actions
    assert all(isinstance(action["command"], str) for action in actions)
    assert named(actions, "Delete cell")["command"] == "msgls.cell.delete"


@pytest.mark.parametrize("profile", PROFILES)
def test_what_cannot_be_done_is_said_to_whom_can_show_it(profile: str) -> None:
    client = Client(PROFILES[profile])
    client.open("@user\n@embed\na.png\n", "file:///a.stf", "stf", 1)
    params = {
        "textDocument": {"uri": "file:///a.stf"},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
        "context": {"diagnostics": []},
    }
    offered = client.request("textDocument/codeAction", params)
    wanted = [action for action in offered if action["title"].startswith("Convert to the dialect")]
    support = PROFILES[profile].get("textDocument", {}).get("codeAction", {})
    if not support.get("disabledSupport"):
        assert wanted == []
        return
    (action,) = wanted
    assert action["disabled"] == {"reason": "line 2: `embed` is not available in the dialect `;`"}
    assert "command" not in action


# -- clients that let no command change anything ----------------------------------------------

# As ALE has it: actions with edits, and no edits by commands.
NO_APPLYING = {
    "workspace": {"applyEdit": False},
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    },
}


def test_where_commands_change_nothing_actions_bring_their_edits() -> None:
    client, span = started(NO_APPLYING)
    actions = ask(client, span)
    assert [action["title"] for action in actions if "command" in action] == []
    assert [action["title"] for action in actions if not action["edit"]] == []
    fix = named(actions, "Insert `[^m1]: [markdown]`")
    assert "[^m1]: [markdown]" in client.after(fix["edit"])
    deleted = named(actions, "Delete cell")
    assert client.after(deleted["edit"]) == "# %% [^m2]\n\n[^m2]: [raw]\n"


def test_where_commands_change_nothing_what_only_shows_something_is_not_offered() -> None:
    source = "# %% A[^m1]\n\n[^m1]: [markdown]\n\n# %%% «B»[^m1.1]\n\n[^m1.1]: [output]\n"
    offered = {
        name: {action["kind"] for action in ask(*started(profile, source))}
        for name, profile in {"applies": VSCODE, "does not": NO_APPLYING}.items()
    }
    assert "navigate" in offered["applies"]
    assert "navigate" not in offered["does not"]


def test_where_commands_change_nothing_no_edits_of_very_many_cells_are_made_to_be_offered() -> None:
    def offered(count: int, profile: Mapping[str, Any]) -> set[str]:
        cells = [f"# %% [^m{number}]\n\n[^m{number}]: [markdown]\n\n" for number in range(count)]
        client, _ = started(profile, "".join([*cells, "# %% «»"]))
        whole = Span(0, sum(map(len, cells)))
        actions = [*ask(client, Span(0, 0)), *ask(client, whole)]
        return {action["title"] for action in actions} & wanted(count)

    def wanted(count: int) -> set[str]:
        return {"Delete cell", "Exclude from here", f"Exclude {count} cells from history"}

    assert offered(3, NO_APPLYING) == wanted(3)
    assert offered(600, NO_APPLYING) == {"Delete cell"}
    assert offered(600, VSCODE) == wanted(600)


def test_who_asks_for_the_fix_of_one_problem_and_makes_all_it_is_told_gets_one() -> None:
    client, _ = started(NO_APPLYING)
    published = client.notifications("textDocument/publishDiagnostics")[-1]["diagnostics"]
    (wanted,) = [item for item in published if item["code"] == "MSG101"]
    whole = Span(0, len(unmark(SOURCE).text))
    (action,) = ask(client, whole, diagnostics=[wanted])
    assert action["title"] == "Insert `[^m1]: [markdown]`"
    # What is named is not a problem of ours, or not any more.
    assert ask(client, whole, diagnostics=[{**wanted, "code": "MSG999"}]) == []
    assert len(ask(client, whole, diagnostics=[wanted, wanted])) > 1
    assert len(ask(client, whole)) > 1
