"""ChatBuilder messages over the wire: folders whose files come, go and change their names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from msgls.text.spans import Edit, Span
from tests.lsp.client import BARE, EGLOT, NEOVIM, VSCODE, Client, Refused

MADE, CHANGED, GONE = 1, 2, 3
ONE = "32d9afc7-aeac-4a67-ba94-0c92678604a1"
TWO = "8f14e45f-ceea-467f-a9d5-1c7a3b2e9d10"
USER = "; role: user\n\n\nHi\n"
WATCHED_CODES = ("CBM011", "CBM012")


def message(uuid: str, *more: str) -> str:
    return "\n".join([f"; Block-UUID: {uuid}", *more, ";", "; role: user", "", "", "Hi", ""])


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three messages."""
    for number in (1, 2, 3):
        write(tmp_path / f"messages/user/{number}.md", USER)
    return tmp_path / "messages/user"


def started(root: Path, profile: Mapping[str, Any] = EGLOT) -> Client:
    client = Client(profile, workspaceFolders=[{"uri": root.as_uri(), "name": "root"}])
    client.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    return client


def show(client: Client, path: Path) -> str:
    """Open a file as it is on the disk."""
    return client.open(path.read_text("utf-8"), path.as_uri(), "chatbuilder")


def tell(client: Client, *changes: tuple[int, Path]) -> None:
    told = [{"uri": path.as_uri(), "type": kind} for kind, path in changes]
    client.notify("workspace/didChangeWatchedFiles", {"changes": told})


def codes(client: Client, uri: str) -> list[str]:
    """The problems that depend on other files, as they were sent last."""
    sent = client.notifications("textDocument/publishDiagnostics")
    last = [params for params in sent if params["uri"] == uri][-1]
    found = [problem["code"] for problem in last["diagnostics"]]
    return [code for code in found if code in WATCHED_CODES]


# -- numbers ------------------------------------------------------------------------------


def test_a_gap_opens_and_closes(folder: Path) -> None:
    client = started(folder.parent.parent)
    uri = show(client, folder / "3.md")
    assert codes(client, uri) == []
    (folder / "2.md").unlink()
    tell(client, (GONE, folder / "2.md"))
    assert codes(client, uri) == ["CBM011"]
    tell(client, (MADE, write(folder / "2.md", USER)))
    assert codes(client, uri) == []


def test_a_gap_follows_a_new_name(folder: Path) -> None:
    client = started(folder.parent.parent)
    uri = show(client, folder / "3.md")
    (folder / "2.md").rename(folder / "4.md")
    tell(client, (GONE, folder / "2.md"), (MADE, folder / "4.md"))
    assert codes(client, uri) == ["CBM011"]
    (folder / "4.md").rename(folder / "2.md")
    tell(client, (MADE, folder / "2.md"), (GONE, folder / "4.md"))
    assert codes(client, uri) == []


def test_a_message_that_is_open_and_not_saved_fills_its_gap(folder: Path) -> None:
    (folder / "2.md").unlink()
    client = started(folder.parent.parent)
    uri = show(client, folder / "3.md")
    assert codes(client, uri) == ["CBM011"]
    new = client.open(USER, (folder / "2.md").as_uri(), "chatbuilder")
    assert codes(client, uri) == []
    client.close(new)
    assert codes(client, uri) == ["CBM011"]


def test_a_message_that_is_saved_stays_when_it_is_closed(folder: Path) -> None:
    (folder / "2.md").unlink()
    client = started(folder.parent.parent)
    uri = show(client, folder / "3.md")
    new = client.open(USER, (folder / "2.md").as_uri(), "chatbuilder")
    tell(client, (MADE, write(folder / "2.md", USER)))
    client.close(new)
    assert codes(client, uri) == []


def test_a_message_that_is_gone_leaves_a_gap_though_it_is_open(folder: Path) -> None:
    client = started(folder.parent.parent)
    uri, gone = show(client, folder / "3.md"), show(client, folder / "2.md")
    (folder / "2.md").unlink()
    tell(client, (GONE, folder / "2.md"))
    assert codes(client, uri) == ["CBM011"]
    # Whoever types in it wants to keep it.
    client.change(Edit(Span(0, 0), ";\n"), uri=gone)
    assert codes(client, uri) == []


def test_where_nobody_watches_saving_is_a_reason_to_look(folder: Path) -> None:
    client = started(folder.parent.parent, NEOVIM)
    uri = show(client, folder / "3.md")
    (folder / "2.md").unlink()
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert codes(client, uri) == ["CBM011"]


def test_where_nobody_watches_a_message_that_was_saved_is_one_like_others(folder: Path) -> None:
    (folder / "2.md").unlink()
    client = started(folder.parent.parent, NEOVIM)
    uri = show(client, folder / "3.md")
    new = client.open(USER, (folder / "2.md").as_uri(), "chatbuilder")
    write(folder / "2.md", USER)
    client.notify("textDocument/didSave", {"textDocument": {"uri": new}})
    assert codes(client, uri) == []
    (folder / "2.md").unlink()
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert codes(client, uri) == ["CBM011"]


def test_files_that_the_editor_itself_makes_renames_and_deletes(folder: Path) -> None:
    client = started(folder.parent.parent, NEOVIM)
    uri, two = show(client, folder / "3.md"), (folder / "2.md").as_uri()
    (folder / "2.md").unlink()
    client.notify("workspace/didDeleteFiles", {"files": [{"uri": two}]})
    assert codes(client, uri) == ["CBM011"]
    write(folder / "2.md", USER)
    client.notify("workspace/didCreateFiles", {"files": [{"uri": two}]})
    assert codes(client, uri) == []
    (folder / "2.md").rename(folder / "5.md")
    moved = {"oldUri": two, "newUri": (folder / "5.md").as_uri()}
    client.notify("workspace/didRenameFiles", {"files": [moved]})
    assert codes(client, uri) == ["CBM011"]


def test_what_the_editor_does_with_files_is_asked_for() -> None:
    operations = Client(VSCODE).capabilities["workspace"]["fileOperations"]
    assert {"didCreate", "didRename", "didDelete"} <= operations.keys()


# -- UUIDs --------------------------------------------------------------------------------


def test_a_double_comes_changes_and_goes(tmp_path: Path) -> None:
    client = started(tmp_path)
    uri = show(client, write(tmp_path / "messages/a/1.md", message(ONE)))
    assert codes(client, uri) == []
    double = write(tmp_path / "messages/b/1.md", message(ONE.upper()))
    tell(client, (MADE, double))
    assert codes(client, uri) == ["CBM012"]
    write(double, message(TWO))
    tell(client, (CHANGED, double))
    assert codes(client, uri) == []
    write(double, message(ONE) + "x")
    tell(client, (CHANGED, double))
    assert codes(client, uri) == ["CBM012"]
    double.unlink()
    tell(client, (GONE, double))
    assert codes(client, uri) == []


def test_a_double_that_is_renamed_to_what_is_not_a_message(tmp_path: Path) -> None:
    client = started(tmp_path)
    uri = show(client, write(tmp_path / "messages/a/1.md", message(ONE)))
    double = write(tmp_path / "messages/a/2.md", message(ONE))
    tell(client, (MADE, double))
    assert codes(client, uri) == ["CBM012"]
    double.rename(tmp_path / "messages/a/2.md.bak")
    tell(client, (GONE, double))
    assert codes(client, uri) == []


def test_a_message_that_is_renamed_is_not_its_own_double(tmp_path: Path) -> None:
    client = started(tmp_path)
    old = write(tmp_path / "messages/a/1.md", message(ONE))
    show(client, old)
    new = old.rename(tmp_path / "messages/a/2.md")
    # The editor still shows it by its old name.
    tell(client, (GONE, old), (MADE, new))
    uri = show(client, new)
    assert codes(client, uri) == ["CBM011"]
    # It has both when somebody types in the old one.
    client.change(Edit(Span(0, 0), "; a: b\n"), uri=old.as_uri())
    assert codes(client, uri) == ["CBM012"]


def test_a_folder_that_is_deleted_takes_its_doubles_along(tmp_path: Path) -> None:
    client = started(tmp_path)
    uri = show(client, write(tmp_path / "messages/a/1.md", message(ONE)))
    double = write(tmp_path / "messages/b/1.md", message(ONE))
    show(client, double)
    assert codes(client, uri) == ["CBM012"]
    double.unlink()
    double.parent.rmdir()
    gone = {"files": [{"uri": double.parent.as_uri()}]}
    client.notify("workspace/didDeleteFiles", gone)
    assert codes(client, uri) == []


def test_a_double_that_is_only_in_the_editor(tmp_path: Path) -> None:
    client = started(tmp_path)
    uri = show(client, write(tmp_path / "messages/a/1.md", message(ONE)))
    other = show(client, write(tmp_path / "messages/b/1.md", message(TWO)))
    at = client.texts[other].index(TWO)
    client.change(Edit(Span(at, at + len(TWO)), ONE), uri=other)
    assert codes(client, uri) == codes(client, other) == ["CBM012"]
    client.close(other)
    assert codes(client, uri) == []


def test_only_what_somebody_asked_for_concerns_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = started(tmp_path)
    show(client, write(tmp_path / "messages/a/1.md", message(ONE)))
    other = show(client, write(tmp_path / "messages/b/1.md", message(TWO)))
    seen: list[Any] = []
    monkeypatch.setattr(
        client.server.session.invalidation, "recheck", lambda **how: seen.append(how)
    )
    client.change(Edit(Span(0, 0), "; Description: a\n"), uri=other)
    assert seen == []
    client.change(Edit(Span(0, 0), f"; Block-UUID: {ONE}\n"), uri=other)
    assert seen == [{"with_files": True}]


def test_files_that_nobody_has_open_are_checked_anew(tmp_path: Path) -> None:
    write(tmp_path / "messages/a/1.md", USER)
    write(tmp_path / "messages/a/3.md", USER)
    write(tmp_path / "msgls.toml", 'diagnostics.scope = "workspace"\n')
    client = started(tmp_path, VSCODE)

    def problems(ids: Mapping[str, str]) -> tuple[dict[str, list[str]], dict[str, str]]:
        previous = [{"uri": uri, "value": value} for uri, value in ids.items()]
        params = {"previousResultIds": previous}
        items = client.request("workspace/diagnostic", params)["items"]
        found = {
            Path(item["uri"]).name: [problem["code"] for problem in item["items"]]
            for item in items
            if item["kind"] == "full"
        }
        return found, {item["uri"]: item["resultId"] for item in items}

    found, ids = problems({})
    assert "CBM011" in found["3.md"]
    tell(client, (MADE, write(tmp_path / "messages/a/2.md", USER)))
    found, ids = problems(ids)
    assert "CBM011" not in found["3.md"]


# -- lenses and commands ------------------------------------------------------------------


def titles(client: Client, uri: str) -> list[str]:
    found = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    return [client.request("codeLens/resolve", lens)["command"]["title"] for lens in found]


def test_lenses_follow_the_folder(folder: Path) -> None:
    client = started(folder.parent.parent, VSCODE)
    uri = show(client, folder / "3.md")
    last = ["Previous message", "Create the next message"]
    assert titles(client, uri) == ["message 3 of 3 · user", *last]
    client.asked.clear()
    tell(client, (MADE, write(folder / "4.md", USER)))
    assert "workspace/codeLens/refresh" in [method for method, _ in client.asked]
    between = ["Previous message", "Next message"]
    assert titles(client, uri) == ["message 3 of 4 · user", *between]


def test_a_lens_works(folder: Path) -> None:
    client = started(folder.parent.parent, VSCODE)
    uri = show(client, folder / "2.md")
    found = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    lens = client.request("codeLens/resolve", found[1])
    client.request("workspace/executeCommand", lens["command"])
    assert client.requests("window/showDocument") == [
        {"uri": (folder / "1.md").as_uri(), "takeFocus": True}
    ]


def run(client: Client, uri: str, command: str, **more: Any) -> Any:
    params = {"command": f"msgls.message.{command}", "arguments": [{"uri": uri, **more}]}
    return client.request("workspace/executeCommand", params)


@pytest.mark.parametrize("profile", [VSCODE, NEOVIM])
def test_a_new_message_is_made_and_shown(folder: Path, profile: Mapping[str, Any]) -> None:
    client = started(folder.parent.parent, profile)
    uri = show(client, folder / "2.md")
    run(client, uri, "insertNext")
    (applied,) = client.requests("workspace/applyEdit")
    new = (folder / "4.md").as_uri()
    start = {"line": 0, "character": 0}
    assert applied == {
        "label": "Create the next message in this folder",
        "edit": {
            "documentChanges": [
                {
                    "kind": "create",
                    "uri": new,
                    "options": {"overwrite": False, "ignoreIfExists": False},
                },
                {
                    "textDocument": {"uri": new, "version": None},
                    "edits": [
                        {
                            "range": {"start": start, "end": start},
                            "newText": "; role: assistant\n\n\n",
                        }
                    ],
                },
            ]
        },
    }
    (shown,) = client.requests("window/showDocument")
    assert shown["uri"] == new
    assert shown["selection"]["start"] == {"line": 3, "character": 0}


def test_a_new_message_that_is_not_made_is_not_shown(folder: Path) -> None:
    client = started(folder.parent.parent, VSCODE)
    client.answers["workspace/applyEdit"] = lambda params: {"applied": False}
    run(client, show(client, folder / "3.md"), "insertNext")
    assert client.requests("workspace/applyEdit")
    assert client.requests("window/showDocument") == []


@pytest.mark.parametrize("profile", [EGLOT, BARE])
def test_an_editor_that_makes_no_files_is_told(folder: Path, profile: Mapping[str, Any]) -> None:
    client = started(folder.parent.parent, profile)
    uri = show(client, folder / "3.md")
    with pytest.raises(Refused, match="does not let a server make files"):
        run(client, uri, "insertNext")
    assert client.requests("workspace/applyEdit") == []


def test_an_editor_that_shows_no_documents_is_told(folder: Path) -> None:
    client = started(folder.parent.parent, BARE)
    uri = show(client, folder / "2.md")
    with pytest.raises(Refused, match="does not let a server show a document"):
        run(client, uri, "goToNext")


def test_there_is_no_message_after_the_last_one(folder: Path) -> None:
    client = started(folder.parent.parent, VSCODE)
    uri = show(client, folder / "3.md")
    with pytest.raises(Refused, match="no message comes after this one"):
        run(client, uri, "goToNext")


def test_the_version_is_bumped(tmp_path: Path) -> None:
    client = started(tmp_path, VSCODE)
    path = write(tmp_path / "messages/a/1.md", message(ONE, "; Version: 1.2.3"))
    uri = show(client, path)
    run(client, uri, "bumpVersion", part="minor")
    (applied,) = client.requests("workspace/applyEdit")
    assert client.after(applied["edit"], uri) == message(ONE, "; Version: 1.3.0")
    with pytest.raises(Refused) as refusal:
        run(client, uri, "bumpVersion", part="all")
    assert refusal.value.code == -32602


# -- names --------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", [VSCODE, BARE])
def test_from_a_uuid_to_the_message_that_has_it(tmp_path: Path, profile: Mapping[str, Any]) -> None:
    parent = write(tmp_path / "messages/a/1.md", message(ONE))
    client = started(tmp_path, profile)
    child = write(tmp_path / "messages/b/7.md", message(TWO, f"; Parent-UUID: {ONE}"))
    uri = show(client, child)
    at = client.texts[uri].index(ONE) + 3
    (found,) = client.at("textDocument/definition", at, uri)
    start = {"line": 0, "character": len("; Block-UUID: ")}
    range_ = found.get("targetSelectionRange", found.get("range"))
    assert found.get("targetUri", found.get("uri")) == parent.as_uri()
    assert range_["start"] == start
    # And back, by whoever speaks of it.
    uri = show(client, parent)
    at = client.texts[uri].index(ONE)
    context = {"includeDeclaration": False}
    (used,) = client.at("textDocument/references", at, uri, context=context)
    assert used["uri"] == child.as_uri()
    assert used["range"]["start"]["line"] == 1
    context = {"includeDeclaration": True}
    both = client.at("textDocument/references", at, uri, context=context)
    assert [place["uri"] for place in both] == [parent.as_uri(), child.as_uri()]
    said = client.at("textDocument/hover", at, uri)["contents"]["value"]
    assert "../b/7.md" in said


def test_a_definition_is_found_in_a_document_as_the_editor_has_it(tmp_path: Path) -> None:
    client = started(tmp_path)
    parent = show(client, write(tmp_path / "messages/a/1.md", message(ONE)))
    client.change(Edit(Span(0, 0), "; a: b\n"), uri=parent)
    child = write(tmp_path / "messages/b/1.md", message(TWO, f"; Parent-UUID: {ONE}"))
    uri = show(client, child)
    (found,) = client.at("textDocument/definition", client.texts[uri].index(ONE), uri)
    assert found["targetSelectionRange"]["start"]["line"] == 1


# -- symbols ------------------------------------------------------------------------------


def symbols(client: Client, query: str) -> list[tuple[str, int, str]]:
    found = client.request("workspace/symbol", {"query": query})
    return [(s["name"], s["kind"], Path(s["location"]["uri"]).name) for s in found]


PACKAGE = 4


def test_a_folder_is_one_conversation(folder: Path) -> None:
    write(folder.parent / "other/1.md", "; role: user\n\n\n# Closures\n")
    write(folder / "notes.md", "# Notes\n")
    client = started(folder.parent.parent)
    user = ("messages/user (3 messages)", PACKAGE, "1.md")
    other = ("messages/other (1 message)", PACKAGE, "1.md")
    found = symbols(client, "messages")
    assert sorted(found) == sorted([user, other])
    assert [name for name, *_ in symbols(client, "clos")] == ["user: Closures", "Closures"]
    assert symbols(client, "role") == []
    # Files come, and an open document is one of them whether it is saved or not.
    tell(client, (MADE, write(folder / "4.md", USER)))
    client.open(USER, (folder / "5.md").as_uri(), "chatbuilder")
    assert ("messages/user (5 messages)", PACKAGE, "1.md") in symbols(client, "messages/user")


# -- everything else, once ----------------------------------------------------------------


def test_the_other_features_are_there(tmp_path: Path) -> None:
    text = message(ONE, "; Version:1.0.0") + "\n# A\n\n[n](n.md)\n\n\\```py\nx\n\\```\n"
    client = started(tmp_path, VSCODE)
    uri = show(client, write(tmp_path / "messages/a/1.md", text))
    document = {"textDocument": {"uri": uri}}
    outline = client.request("textDocument/documentSymbol", document)
    assert [symbol["name"] for symbol in outline] == ["user: Hi", "A"]
    assert [child["name"] for child in outline[0]["children"]] == ["Block-UUID", "Version", "role"]
    folds = client.request("textDocument/foldingRange", document)
    assert [(fold["startLine"], fold["endLine"]) for fold in folds] == [(0, 3), (8, 14), (12, 14)]
    (link,) = client.request("textDocument/documentLink", document)
    assert link["target"] == (tmp_path / "messages/a/n.md").as_uri()
    options = {"tabSize": 4, "insertSpaces": True}
    edits = client.request("textDocument/formatting", {**document, "options": options})
    assert client.edited(edits, uri) == text.replace("Version:1", "Version: 1")
    assert client.request("textDocument/semanticTokens/full", document)["data"]
    at = text.index("1.0.0") + 5
    items = client.at("textDocument/completion", at, uri)["items"]
    assert [item["label"] for item in items] == ["1.0.1", "1.1.0", "2.0.0"]
    pasted = {"uri": uri, "position": client.position(len(text), uri), "text": "```\n"}
    assert client.request("msgls/asContent", pasted) == {"text": "\\```\n"}
