"""Settings: from files and from the editor, which of them counts, and what a change does."""

import copy
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from msgls.lsp.server import TABLE
from msgls.rules.checker import Checker
from msgls.rules.settings import SWITCHES
from msgls.text.spans import Edit, Span
from tests.lsp.client import BARE, EGLOT, NEOVIM, PROFILES, VSCODE, Client

# MSG203 (error) in the first cell, MSG106 (warning) and MSG107 (hint) in the second.
TEXT = "# %% [^1]\n\n[^1]: [markdown] history=full\n\n# %% Two\n\nText.\n"
AGENT = "# %%% Answer[^1]\n\n[^1]: [bob]\n\nText.\n"


def unasked(profile: Mapping[str, Any]) -> dict[str, Any]:
    """The same client, but for one that cannot be asked what is configured."""
    changed = copy.deepcopy(dict(profile))
    changed["workspace"]["configuration"] = False
    return changed


def started(folder: Path, profile: Mapping[str, Any] = NEOVIM, **params: Any) -> Client:
    root = {"uri": folder.as_uri(), "name": "root"}
    return Client(profile, **{"workspaceFolders": [root], **params})


def published(client: Client, uri: str) -> list[Any]:
    """What the client was sent last of a document."""
    sent = client.notifications("textDocument/publishDiagnostics")
    found: list[Any] = [params for params in sent if params["uri"] == uri][-1]["diagnostics"]
    return found


def codes(client: Client, uri: str) -> dict[str, int]:
    """The codes of what it was sent last, with their severities."""
    return {found["code"]: found["severity"] for found in published(client, uri)}


def opened(client: Client, folder: Path, text: str = TEXT, name: str = "chat.msg.md") -> str:
    return client.open(text, (folder / name).as_uri())


def push(client: Client, **settings: Any) -> None:
    client.notify("workspace/didChangeConfiguration", {"settings": {"msgls": settings}})


def watched(client: Client, *paths: Path, kind: int = 2) -> None:
    changes = [{"uri": path.as_uri(), "type": kind} for path in paths]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


# -- where settings come from -------------------------------------------------------------


def test_without_settings_everything_is_as_it_is(tmp_path: Path) -> None:
    client = started(tmp_path)
    assert codes(client, opened(client, tmp_path)) == {"MSG203": 1, "MSG107": 4}


def test_the_nearest_file_upward_holds(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "msgls.toml").write_text("lint.ignore = ['MSG203']\n", "utf-8")
    (tmp_path / "a/pyproject.toml").write_text(
        "[tool.msgls.lint]\nseverity = {MSG203 = 'hint'}\nignore = ['MSG107']\n", "utf-8"
    )
    client = started(tmp_path)
    assert codes(client, opened(client, tmp_path)) == {"MSG107": 4}
    assert codes(client, opened(client, tmp_path / "a/b")) == {"MSG203": 4}


def test_rules_can_be_off_for_some_files(tmp_path: Path) -> None:
    text = "[lint.per-file-ignores]\n'old/*' = ['MSG1', 'MSG2']\n"
    (tmp_path / "msgls.toml").write_text(text, "utf-8")
    client = started(tmp_path)
    assert codes(client, opened(client, tmp_path / "old")) == {}
    assert codes(client, opened(client, tmp_path / "new")) == {"MSG203": 1, "MSG107": 4}


@pytest.mark.parametrize("profile", [NEOVIM, EGLOT])
def test_the_editor_is_asked_for_all_and_for_each_folder(
    profile: Mapping[str, Any], tmp_path: Path
) -> None:
    folders = [{"uri": (tmp_path / name).as_uri(), "name": name} for name in "ab"]
    client = Client(profile, initialize=False)
    said = [{"lint": {"ignore": ["MSG107"]}}, {"lint": {"ignore": ["MSG203"]}}, {"lint": {}}]
    client.answers["workspace/configuration"] = lambda params: said
    client.initialize(profile, workspaceFolders=folders)
    (asked,) = client.requests("workspace/configuration")
    assert asked["items"] == [
        {"section": "msgls"},
        {"scopeUri": folders[0]["uri"], "section": "msgls"},
        {"scopeUri": folders[1]["uri"], "section": "msgls"},
    ]
    assert codes(client, opened(client, tmp_path / "a")) == {"MSG107": 4}
    assert codes(client, opened(client, tmp_path / "b")) == {"MSG203": 1, "MSG107": 4}
    assert codes(client, opened(client, tmp_path / "c")) == {"MSG203": 1}


def test_a_folder_that_is_on_no_disk_says_nothing_of_others(tmp_path: Path) -> None:
    folder = {"uri": "vscode-vfs://somewhere/else", "name": "else"}
    client = Client(NEOVIM, initialize=False)
    said = [{"lint": {"ignore": ["MSG107"]}}, {"lint": {"ignore": ["MSG203"]}}]
    client.answers["workspace/configuration"] = lambda params: said
    client.initialize(NEOVIM, workspaceFolders=[folder])
    assert codes(client, opened(client, tmp_path)) == {"MSG203": 1}


@pytest.mark.parametrize("uri", ["file:///" + "x" * 5000 + "/a.msg.md", "file:///a%00b/c.msg.md"])
def test_a_place_that_cannot_be_looked_at_is_opened_all_the_same(uri: str) -> None:
    client = Client(NEOVIM)
    assert codes(client, client.open(TEXT, uri)) == {"MSG203": 1, "MSG107": 4}


@pytest.mark.parametrize("profile", [BARE, {"workspace": {"configuration": False}}])
def test_who_cannot_be_asked_is_not(profile: Mapping[str, Any]) -> None:
    assert Client(profile).asked == []


def test_what_is_pushed_counts_where_nobody_can_be_asked(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM))
    uri = opened(client, tmp_path)
    push(client, lint={"ignore": ["MSG107"]})
    assert codes(client, uri) == {"MSG203": 1}
    client.notify("workspace/didChangeConfiguration", {"settings": {"lint": {"select": []}}})
    assert codes(client, uri) == {}
    push(client)
    assert codes(client, uri) == {"MSG203": 1, "MSG107": 4}


@pytest.mark.parametrize("settings", [None, 3, "x", [], {"msgls": None}, {"other": {"lint": 1}}])
def test_what_is_pushed_may_be_nothing(settings: Any, tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM))
    uri = opened(client, tmp_path)
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    client.change(Edit(Span(0, 0), "\n"), uri=uri)
    assert codes(client, uri) == {"MSG203": 1, "MSG107": 4}
    assert client.notifications("window/showMessage") == []


def test_who_can_be_asked_is_asked_again_after_a_change(tmp_path: Path) -> None:
    client = started(tmp_path)
    uri = opened(client, tmp_path)
    said = {"lint": {"severity": {"MSG107": "error"}}}
    client.answers["workspace/configuration"] = lambda params: [said for _ in params["items"]]
    # What is pushed is not what is meant: it may be for another folder.
    push(client, lint={"ignore": ["ALL"]})
    assert codes(client, uri) == {"MSG203": 1, "MSG107": 1}


@pytest.mark.parametrize("answer", [None, {}, [], [{}], "x"])
def test_a_strange_answer_changes_nothing(answer: Any, tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text("lint.ignore = ['MSG203']\n", "utf-8")
    client = started(tmp_path)
    client.answers["workspace/configuration"] = lambda params: answer
    push(client)
    assert codes(client, opened(client, tmp_path)) == {"MSG107": 4}


def test_what_is_said_at_the_start(tmp_path: Path) -> None:
    options = {"settings": {"lint": {"severity": {"MSG203": "hint"}}}, "disabledRules": ["MSG107"]}
    client = started(tmp_path, initializationOptions=options)
    assert codes(client, opened(client, tmp_path)) == {"MSG203": 4}


def test_disabled_rules_stay_off_whatever_is_selected(tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text("lint.select = ['MSG107']\n", "utf-8")
    options = {"disabledRules": ["MSG107", "no such rule", 3]}
    client = started(tmp_path, unasked(NEOVIM), initializationOptions=options)
    uri = opened(client, tmp_path)
    assert codes(client, uri) == {}
    push(client, lint={"select": ["MSG1", "MSG203"], "ignore": []})
    assert codes(client, uri) == {"MSG203": 1}


@pytest.mark.parametrize("options", [None, 3, [], {}, {"settings": None, "disabledRules": None}])
def test_nothing_may_be_said_at_the_start(options: Any, tmp_path: Path) -> None:
    client = started(tmp_path, initializationOptions=options)
    assert codes(client, opened(client, tmp_path)) == {"MSG203": 1, "MSG107": 4}
    assert client.notifications("window/showMessage") == []


def test_the_editor_goes_before_the_file_key_by_key(tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text(
        "lint.ignore = ['MSG203']\nlint.severity = {MSG107 = 'error'}\n", "utf-8"
    )
    client = started(tmp_path, unasked(NEOVIM))
    uri = opened(client, tmp_path)
    assert codes(client, uri) == {"MSG107": 1}
    push(client, lint={"ignore": []})
    assert codes(client, uri) == {"MSG203": 1, "MSG107": 1}
    # An editor says nothing with null.
    push(client, lint={"ignore": None, "severity": None})
    assert codes(client, uri) == {"MSG107": 1}


def test_the_editors_patterns_are_relative_to_the_folder(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/msgls.toml").write_text("lint.ignore = ['MSG203']\n", "utf-8")
    client = started(tmp_path, unasked(NEOVIM))
    uri = opened(client, tmp_path / "sub")
    push(client, lint={"perFileIgnores": {"/chat.msg.md": ["MSG107"]}})
    assert codes(client, uri) == {"MSG107": 4}
    push(client, lint={"perFileIgnores": {"/sub/chat.msg.md": ["MSG107"]}})
    assert codes(client, uri) == {}


def test_what_is_not_a_file_yet_has_the_settings_of_the_first_folder(tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text("lint.ignore = ['MSG203']\n", "utf-8")
    client = started(tmp_path)
    assert codes(client, client.open(TEXT, "untitled:Untitled-1")) == {"MSG107": 4}


# -- what a change does -------------------------------------------------------------------


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the documents that were checked whole."""
    found: list[str] = []
    original = Checker.__init__

    def noted(self: Checker, snapshot: Any, *args: Any, **more: Any) -> None:
        found.append(Path(snapshot.document.path).name)
        original(self, snapshot, *args, **more)

    monkeypatch.setattr(Checker, "__init__", noted)
    return found


def test_only_what_must_be_is_checked_again(tmp_path: Path, checks: list[str]) -> None:
    (tmp_path / "a").mkdir()
    client = started(tmp_path, unasked(NEOVIM))
    one = opened(client, tmp_path, name="one.msg.md")
    two = opened(client, tmp_path / "a", name="two.msg.md")
    checks.clear()
    push(client, lint={"severity": {"MSG203": "info"}})
    assert codes(client, one) == codes(client, two) == {"MSG203": 3, "MSG107": 4}
    assert checks == []
    (tmp_path / "a/msgls.toml").write_text("lint.ignore = ['MSG107']\n", "utf-8")
    watched(client, tmp_path / "a/msgls.toml", kind=1)
    assert codes(client, one) == {"MSG203": 3, "MSG107": 4}
    assert codes(client, two) == {"MSG203": 3}
    assert checks == ["two.msg.md"]


def test_what_changes_nothing_sends_nothing(tmp_path: Path, checks: list[str]) -> None:
    client = started(tmp_path, unasked(NEOVIM))
    opened(client, tmp_path)
    checks.clear()
    sent = len(client.notifications("textDocument/publishDiagnostics"))
    push(client, features={"hover": False})
    push(client, features={"hover": False})
    push(client, lint={"select": ["ALL"]})
    client.notify("textDocument/didSave", {"textDocument": {"uri": next(iter(client.texts))}})
    assert len(client.notifications("textDocument/publishDiagnostics")) == sent
    assert checks == []


def refreshes(client: Client) -> list[str]:
    found = [method for method, _ in client.asked if method.endswith("/refresh")]
    client.asked.clear()
    return found


DIAGNOSTICS, LENSES, HINTS, TOKENS, FOLDING = (
    f"workspace/{name}/refresh"
    for name in ("diagnostic", "codeLens", "inlayHint", "semanticTokens", "foldingRange")
)


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({"lint": {"severity": {"MSG203": "hint"}}}, [DIAGNOSTICS]),
        ({"lint": {"ignore": ["MSG203"]}}, [DIAGNOSTICS]),
        ({"diagnostics": {"limit": 1}}, [DIAGNOSTICS]),
        ({"features": {"diagnostics": False}}, [DIAGNOSTICS]),
        ({"features": {"lenses": False}}, [LENSES]),
        ({"features": {"hints": False, "tokens": False}}, [HINTS, TOKENS]),
        ({"features": {"folding": False}}, [FOLDING]),
        ({"features": {"hover": False}}, []),
    ],
)
def test_a_client_that_pulls_is_told_to_ask_again(
    settings: dict[str, Any], wanted: list[str], tmp_path: Path
) -> None:
    client = started(tmp_path, unasked(VSCODE))
    opened(client, tmp_path)
    assert refreshes(client) == []
    push(client, **settings)
    assert refreshes(client) == wanted
    push(client, **settings)
    assert refreshes(client) == []
    assert client.notifications("textDocument/publishDiagnostics") == []


def test_a_client_that_cannot_be_told_to_ask_again_is_not(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(EGLOT))
    opened(client, tmp_path)
    push(client, lint={"ignore": ["MSG203"]}, features={"hints": False})
    assert refreshes(client) == []


def test_what_is_pulled_follows_the_settings(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(VSCODE))
    uri = opened(client, tmp_path)
    params = {"textDocument": {"uri": uri}}
    before = client.request("textDocument/diagnostic", params)
    push(client, lint={"severity": {"MSG203": "warning"}})
    params |= {"previousResultId": before["resultId"]}
    after = client.request("textDocument/diagnostic", params)
    assert after["kind"] == "full"
    assert [(found["code"], found["severity"]) for found in after["items"]] == [
        ("MSG203", 2),
        ("MSG107", 4),
    ]


def test_problems_are_limited(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM))
    uri = opened(client, tmp_path)
    push(client, diagnostics={"limit": 1})
    found = published(client, uri)
    assert [problem.get("code") for problem in found] == ["MSG203", None]
    assert "1 more problems" in found[1]["message"]


# -- fixes --------------------------------------------------------------------------------


def actions(client: Client, uri: str, **context: Any) -> list[Any]:
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 6, "character": 0}}
    params = {"textDocument": {"uri": uri}, "range": whole}
    found: list[Any] = client.request(
        "textDocument/codeAction", {**params, "context": {"diagnostics": [], **context}}
    )
    return found


def test_a_rule_that_is_off_offers_no_fix(tmp_path: Path) -> None:
    text = "# %% One[^1]\n\n[^1]: [markdown] history=full\n\n# %% Two\n"
    client = started(tmp_path, unasked(VSCODE))
    uri = opened(client, tmp_path, text)
    titles = [action["title"] for action in actions(client, uri, only=["quickfix"])]
    assert "Change to `exclude`" in titles
    push(client, lint={"ignore": ["MSG203"]})
    titles = [action["title"] for action in actions(client, uri, only=["quickfix"])]
    assert titles
    assert "Change to `exclude`" not in titles
    assert not any("MSG203" in title for title in titles)


def test_fix_all_fixes_what_is_selected(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(VSCODE))
    uri = opened(client, tmp_path, "# %% One[^1]\n\nHi\n\n# %% Two\n")

    def fixed() -> str:
        (action,) = actions(client, uri, only=["source.fixAll.msgls"])
        return client.after(client.request("codeAction/resolve", action)["edit"], uri)

    assert "[^1]: [markdown]\n" in fixed()
    push(client, lint={"ignore": ["MSG101"]})
    assert "[^1]: [markdown]\n" not in fixed()


# -- reading ------------------------------------------------------------------------------

NOTES = "---\nmessage_section: true\n---\n\n# Talk\n\n# %% One\n\nText.\n"


def test_the_default_section_holds_and_changes_live(tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text("section = 'Talk'\n", "utf-8")
    client = started(tmp_path, unasked(NEOVIM))
    uri = opened(client, tmp_path, NOTES, "notes.md")
    assert codes(client, uri) == {"MSG107": 4}
    push(client, section="Discussion")
    assert "MSG501" in codes(client, uri)
    push(client)
    assert codes(client, uri) == {"MSG107": 4}


def test_a_file_with_a_section_of_its_own_follows_its_start(tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text("section = 'Talk'\n", "utf-8")
    client = started(tmp_path)
    uri = opened(client, tmp_path, NOTES, "notes.md")
    formats = client.server.session
    at = NOTES.index("true")
    client.change(Edit(Span(at, at + 4), "false"), uri=uri)
    assert formats.get(uri).document.format.name == "plain"
    assert codes(client, uri) == {}
    client.change(Edit(Span(at, at + 5), "true"), uri=uri)
    assert formats.get(uri).document.format.name == "msgmd"
    assert codes(client, uri) == {"MSG107": 4}
    client.change(Edit(Span(at, at + 4), "Other"), uri=uri)
    assert "MSG501" in codes(client, uri)


# -- what is wrong ------------------------------------------------------------------------


def test_a_bad_file_is_told_of_once_for_each_change(tmp_path: Path) -> None:
    file = tmp_path / "msgls.toml"
    file.write_text("[lint]\nselct = []\nignore = ['MSG107']\n", "utf-8")
    client = started(tmp_path)
    uri = opened(client, tmp_path)
    opened(client, tmp_path, name="two.msg.md")
    (told,) = client.notifications("window/showMessage")
    assert told["type"] == 2
    for word in (
        str(file),
        "lint.selct: unknown key",
        "did you mean `lint.select`?",
        "lint.ignore",
    ):
        assert word in told["message"]
    # What it says rightly holds.
    assert codes(client, uri) == {"MSG203": 1}
    file.write_text("[lint]\nseverity = {MSG203 = 'of'}\n", "utf-8")
    watched(client, file)
    told = client.notifications("window/showMessage")[1]
    assert 'lint.severity.MSG203: "of" is not allowed' in told["message"]
    assert "off, error, warning, info, hint" in told["message"]
    assert codes(client, uri) == {"MSG203": 1, "MSG107": 4}
    file.write_text("[lint\n", "utf-8")
    watched(client, file)
    assert "it is not valid TOML" in client.notifications("window/showMessage")[2]["message"]
    assert codes(client, uri) == {"MSG203": 1, "MSG107": 4}
    file.write_text("[lint]\nseverity = {MSG203 = 'off'}\n", "utf-8")
    watched(client, file)
    assert len(client.notifications("window/showMessage")) == 3
    assert codes(client, uri) == {"MSG107": 4}
    file.write_text("[lint\n", "utf-8")
    watched(client, file)
    assert len(client.notifications("window/showMessage")) == 4


def test_bad_settings_of_the_editor_are_told_of_once(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM))
    uri = opened(client, tmp_path)
    for _ in range(2):
        push(client, lint={"select": "MSG1", "ignore": ["MSG107"]}, trace={"server": "off"})
    (told,) = client.notifications("window/showMessage")
    assert "the editor's settings: msgls.lint.select: must be a list of rules" in told["message"]
    assert codes(client, uri) == {"MSG203": 1}


# -- switches -----------------------------------------------------------------------------

PLACE = {"line": 0, "character": 10}
RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
ABOUT: dict[str, dict[str, Any]] = {
    "textDocument/references": {"position": PLACE, "context": {"includeDeclaration": True}},
    "textDocument/rename": {"position": PLACE, "newName": "2"},
    "textDocument/codeAction": {"range": RANGE, "context": {"diagnostics": []}},
    "textDocument/inlayHint": {"range": RANGE},
    "textDocument/semanticTokens/range": {"range": RANGE},
    "textDocument/semanticTokens/full/delta": {"previousResultId": "0"},
    "textDocument/selectionRange": {"positions": [PLACE]},
    "textDocument/formatting": {"options": {"tabSize": 4, "insertSpaces": True}},
    "textDocument/rangesFormatting": {
        "ranges": [RANGE],
        "options": {"tabSize": 4, "insertSpaces": True},
    },
    "textDocument/rangeFormatting": {
        "range": RANGE,
        "options": {"tabSize": 4, "insertSpaces": True},
    },
}
METHODS = sorted(
    row.method
    for row in TABLE
    if row.method.startswith("textDocument/") and row.feature in SWITCHES
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Client, str]:
    """One client for all switches: a new one takes longer than a test."""
    folder = tmp_path_factory.mktemp("switches")
    client = started(folder, unasked(VSCODE))
    return client, opened(client, folder, "# %%  One[^1]\n\n[^1]: [markdown]\n\n# %%%%\n")


@pytest.mark.parametrize("method", METHODS)
def test_a_switch_silences_its_feature_at_once_and_live(
    method: str, shared: tuple[Client, str]
) -> None:
    client, uri = shared
    params = {"textDocument": {"uri": uri}, **ABOUT.get(method, {"position": PLACE})}
    push(client)
    client.request(method, params)
    (feature,) = [row.feature for row in TABLE if row.method == method]
    push(client, features={feature: False})
    empty = {"kind": "full", "items": []} if method == "textDocument/diagnostic" else None
    assert client.request(method, params) == empty
    push(client, features={name: name == feature for name in SWITCHES})
    client.request(method, params)
    if method in ("textDocument/hover", "textDocument/documentSymbol", "textDocument/definition"):
        assert client.request(method, params)


def test_what_is_resolved_comes_back_as_it_is(shared: tuple[Client, str]) -> None:
    client, uri = shared
    push(client, features={"completion": False, "lenses": False, "actions": False})
    for method in ("completionItem/resolve", "codeLens/resolve", "codeAction/resolve"):
        item = {"label": "x", "data": {"uri": uri, "topic": ["rule", "MSG203"], "version": 1}}
        assert client.request(method, item) == item


def test_problems_that_are_switched_off_go_away(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM))
    uri = opened(client, tmp_path)
    push(client, features={"diagnostics": False})
    assert codes(client, uri) == {}
    client.change(Edit(Span(0, 0), "\n"), uri=uri)
    assert codes(client, uri) == {}
    push(client)
    assert codes(client, uri) == {"MSG203": 1, "MSG107": 4}


def test_switches_may_differ_by_folder(tmp_path: Path) -> None:
    (tmp_path / "quiet").mkdir()
    (tmp_path / "quiet/msgls.toml").write_text("features.outline = false\n", "utf-8")
    client = started(tmp_path)
    for folder, wanted in ((tmp_path, True), (tmp_path / "quiet", False)):
        params = {"textDocument": {"uri": opened(client, folder)}}
        assert bool(client.request("textDocument/documentSymbol", params)) is wanted


def test_every_kind_of_answer_has_a_switch_and_every_switch_an_answer() -> None:
    # What keeps documents and settings current has no switch, nor has what is run by name.
    # Where this fails: the route of a new feature names its switch, a row in rules/settings.py.
    assert {row.feature for row in TABLE} == {"", *SWITCHES}


# -- language ids -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uri", "language_id", "format"),
    [
        ("untitled:Untitled-1", "msgmd", "msgmd"),
        ("untitled:notes.md", "msgmd", "msgmd"),
        ("untitled:Untitled-1", "markdown", "plain"),
        ("untitled:Untitled-1", "json", "plain"),
        ("untitled:Untitled-1", "cobol", "plain"),
        ("untitled:chat.msg.md", "markdown", "msgmd"),
        ("file:///chats/chat", "msgmd", "msgmd"),
        ("file:///chats/chat.txt", "msgmd", "msgmd"),
        ("file:///chats/notes.md", "msgmd", "plain"),
        ("file:///chats/chat.msg.md", "markdown", "msgmd"),
        ("vscode-vfs://github/a/chat", "msgmd", "msgmd"),
    ],
)
def test_the_language_says_what_the_name_does_not(uri: str, language_id: str, format: str) -> None:
    client = Client(NEOVIM)
    client.open(TEXT, uri, language_id)
    session = client.server.session
    assert session.get(uri).document.format.name == format
    client.change(Edit(Span(0, 0), "---\nmessage_section: false\n---\n"), uri=uri)
    assert session.get(uri).document.format.name == format


@pytest.mark.parametrize("profile", PROFILES)
def test_every_client_gets_settings(profile: str, tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text("lint.select = ['MSG203']\n", "utf-8")
    client = started(tmp_path, PROFILES[profile])
    uri = opened(client, tmp_path)
    rules = client.server.session.get(uri).rules
    assert [rule.code for rule in rules] == ["MSG203"]


# -- what it costs ------------------------------------------------------------------------


def test_nothing_is_loaded_before_it_is_needed() -> None:
    code = """
import sys
from msgls.lsp.protocol import Protocol
from msgls.lsp.server import TABLE
from msgls.text.work import done
class Client(Protocol):
    def open(self, text):
        done(self.session.open("file:///no/such/folder/chat.msg.md", "msgmd", 1, text))
Client(TABLE).open('# %% One\\n')
print(*sys.modules)
"""
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not {"tomllib", "yaml", "pathspec"} & set(run.stdout.split())
