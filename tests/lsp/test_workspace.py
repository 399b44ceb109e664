"""The workspace: problems, names and links of files that nobody has open."""

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import EGLOT, UNVERSIONED, VSCODE, Client, Refused

GOOD = "# %% Hello [^q1]\n\n[^q1]: [markdown]\n\nSee [the log](logs/run.log#end).\n"
BAD = "# %% Hello [^q1]\n\n[^q1]: [markdwn]\n\nHi\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "run.log").write_text("1\n", "utf-8")
    (tmp_path / "good.msg.md").write_text(GOOD, "utf-8")
    (tmp_path / "bad.msg.md").write_text(BAD, "utf-8")
    (tmp_path / "notes.md").write_text("# %% no cell here [^q1]\n", "utf-8")
    return tmp_path


WHOLE = {"settings": {"diagnostics": {"scope": "workspace"}}}


def client(folder: Path, profile: Any = VSCODE, options: Any = WHOLE) -> Client:
    folders = [{"uri": folder.as_uri(), "name": "chats"}]
    return Client(profile, workspaceFolders=folders, initializationOptions=options)


def pull(editor: Client, previous: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    ids = [{"uri": uri, "value": value} for uri, value in (previous or {}).items()]
    result = editor.request("workspace/diagnostic", {"previousResultIds": ids, **more})
    return {Path(item["uri"]).name: item for item in result["items"]}


def codes(report: dict[str, Any]) -> list[str]:
    return [item["code"] for item in report["items"]]


# -- diagnostics ------------------------------------------------------------------------------


def test_every_file_of_the_workspace_is_reported(folder: Path) -> None:
    reports = pull(client(folder))
    assert {name: codes(report) for name, report in reports.items()} == {
        "good.msg.md": [],
        "bad.msg.md": ["MSG201"],
    }
    assert {report["version"] for report in reports.values()} == {None}


def test_unless_asked_for_only_what_is_open_is_reported(folder: Path) -> None:
    editor = client(folder, options=None)
    assert pull(editor) == {}
    uri = editor.open(BAD, (folder / "bad.msg.md").as_uri())
    assert {name: codes(report) for name, report in pull(editor).items()} == {
        "bad.msg.md": ["MSG201"]
    }
    # VS Code keeps the problems of what it closes, and relies on being told that they are gone.
    editor.close(uri)
    assert codes(pull(editor)["bad.msg.md"]) == []


@pytest.mark.parametrize("options", [None, WHOLE])
def test_problems_of_a_file_that_was_deleted_while_open_go_when_it_closes(
    folder: Path, options: Any
) -> None:
    editor = client(folder, options=options)
    path = folder / "bad.msg.md"
    uri = editor.open(BAD, path.as_uri())
    assert codes(pull(editor)["bad.msg.md"]) == ["MSG201"]
    path.unlink()
    assert codes(pull(editor)["bad.msg.md"]) == ["MSG201"]
    editor.close(uri)
    assert codes(pull(editor)["bad.msg.md"]) == []


def test_the_page_of_a_rule_is_had_from_the_server_in_the_language_of_the_client(
    folder: Path,
) -> None:
    editor = client(folder)
    uri = editor.open(BAD, (folder / "bad.msg.md").as_uri())
    (problem,) = editor.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
    assert problem["codeDescription"]["href"] == "msgls-rule:/MSG201.md"
    address = {"uri": problem["codeDescription"]["href"]}
    page = editor.request("workspace/textDocumentContent", address)["text"]
    assert page.startswith("# MSG201: unknown-message-type\n")
    assert "## Why it matters" in page
    chinese = Client(VSCODE, locale="zh-cn").request("workspace/textDocumentContent", address)
    assert "## 原因" in chinese["text"]
    with pytest.raises(Refused):
        editor.request("workspace/textDocumentContent", {"uri": "msgls-rule:/MSG999.md"})


def test_what_did_not_change_is_said_to_be_so_and_not_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = client(folder)
    first = pull(editor)
    ids = {report["uri"]: report["resultId"] for report in first.values()}
    read: list[Path] = []
    session = editor.server.session
    original = session.read

    def note(path: Path) -> Any:
        read.append(path)
        return original(path)

    monkeypatch.setattr(session, "read", note)
    assert {report["kind"] for report in pull(editor, ids).values()} == {"unchanged"}
    assert read == []
    (folder / "bad.msg.md").write_text(GOOD + "\n", "utf-8")
    again = pull(editor, ids)
    assert again["good.msg.md"]["kind"] == "unchanged"
    assert codes(again["bad.msg.md"]) == []
    assert [path.name for path in read] == ["bad.msg.md"]


def test_an_open_document_is_reported_as_it_is_in_the_editor(folder: Path) -> None:
    editor = client(folder)
    uri = editor.open(GOOD, (folder / "bad.msg.md").as_uri(), version=7)
    report = pull(editor)["bad.msg.md"]
    assert (report["version"], codes(report)) == (7, [])
    own = editor.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert own["items"] == report["items"]


def test_a_file_that_is_gone_loses_its_problems(folder: Path) -> None:
    editor = client(folder)
    ids = {report["uri"]: report["resultId"] for report in pull(editor).values()}
    (folder / "bad.msg.md").unlink()
    assert codes(pull(editor, ids)["bad.msg.md"]) == []


def test_other_settings_make_all_of_it_new(folder: Path) -> None:
    editor = client(folder)
    ids = {report["uri"]: report["resultId"] for report in pull(editor).values()}
    (folder / "msgls.toml").write_text('[lint]\nignore = ["MSG201"]\n', "utf-8")
    change = {"uri": (folder / "msgls.toml").as_uri(), "type": 1}
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    assert codes(pull(editor, ids)["bad.msg.md"]) == []


def test_parts_of_the_result_and_how_far_it_is(folder: Path) -> None:
    for number in range(200):
        (folder / f"{number}.msg.md").write_text(BAD * 5, "utf-8")
    editor = client(folder)
    params = {"previousResultIds": [], "partialResultToken": "part", "workDoneToken": 7}
    rest = editor.request("workspace/diagnostic", params)["items"]
    told = editor.notifications("$/progress")
    parts = [item for told in told if told["token"] == "part" for item in told["value"]["items"]]
    assert parts
    assert len({item["uri"] for item in parts + rest}) == len(parts) + len(rest) == 202
    work = [told["value"] for told in told if told["token"] == 7]
    assert work[0] == {
        "kind": "begin",
        "title": "Checking message files",
        "cancellable": True,
        "percentage": 0,
        "message": "0 of 203",
    }
    assert work[-1] == {"kind": "end"}


def test_it_can_be_cancelled_on_the_way(folder: Path) -> None:
    editor = client(folder)
    request = editor.ask("workspace/diagnostic", {"previousResultIds": [], "workDoneToken": 7})
    protocol = editor.server
    protocol.step()
    protocol.step()
    editor.send({"method": "$/cancelRequest", "params": {"id": request}})
    with pytest.raises(Refused) as refusal:
        editor.answer(request)
    assert refusal.value.code == -32800
    told = [told["value"]["kind"] for told in editor.notifications("$/progress")]
    assert told == ["begin", "end"]


def test_a_client_that_gives_no_token_is_told_nothing(folder: Path) -> None:
    editor = client(folder)
    pull(editor)
    assert editor.notifications("$/progress") == []


# -- symbols ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["Hello", "Hello", "Other"]),
        ("hlo", ["Hello", "Hello"]),
        ("OTHER", ["Other"]),
        ("olleh", []),
    ],
)
def test_symbols_of_open_and_closed_files(folder: Path, query: str, expected: list[str]) -> None:
    editor = client(folder)
    editor.open("# %% Other [^q1]\n", "untitled:Untitled-1")
    found = editor.request("workspace/symbol", {"query": query})
    assert sorted(symbol["name"] for symbol in found) == sorted(expected)
    for symbol in found:
        assert symbol["location"]["range"]["start"] == {"line": 0, "character": 0}


def test_symbols_follow_the_file(folder: Path) -> None:
    editor = client(folder)
    editor.request("workspace/symbol", {"query": ""})
    (folder / "bad.msg.md").write_text("# %% Quite another [^q1]\n", "utf-8")
    found = editor.request("workspace/symbol", {"query": "another"})
    assert [symbol["location"]["uri"] for symbol in found] == [(folder / "bad.msg.md").as_uri()]


# -- files that move ----------------------------------------------------------------------------


def rename(editor: Client, old: Path, new: Path) -> Any:
    files = [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]
    return editor.request("workspace/willRenameFiles", {"files": files})


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        pytest.param("logs/run.log", "logs/last.log", "logs/last.log#end", id="a file"),
        pytest.param("logs", "old logs", "old%20logs/run.log#end", id="a folder"),
        pytest.param("good.msg.md", "deep/er/good.msg.md", "../../logs/run.log#end", id="itself"),
    ],
)
def test_links_follow_what_moves(folder: Path, old: str, new: str, text: str) -> None:
    editor = client(folder)
    edit = rename(editor, folder / old, folder / new)
    (change,) = edit["documentChanges"]
    assert change["textDocument"] == {"uri": (folder / "good.msg.md").as_uri(), "version": None}
    column = GOOD.splitlines()[4].index("logs")
    assert change["edits"] == [
        {
            "range": {
                "start": {"line": 4, "character": column},
                "end": {"line": 4, "character": column + len("logs/run.log#end")},
            },
            "newText": text,
        }
    ]


def test_an_open_document_is_edited_in_its_version(folder: Path) -> None:
    editor = client(folder, UNVERSIONED)
    uri = editor.open(GOOD, (folder / "good.msg.md").as_uri())
    edit = rename(editor, folder / "logs/run.log", folder / "run.log")
    assert [change["newText"] for change in edit["changes"][uri]] == ["run.log#end"]


def test_what_nobody_links_to_may_move(folder: Path) -> None:
    assert rename(client(folder), folder / "bad.msg.md", folder / "worse.msg.md") is None
    assert rename(client(folder), folder / "notes.md", folder / "deep/notes.md") is None


def test_it_is_announced() -> None:
    capabilities = Client(VSCODE).capabilities
    assert capabilities["diagnosticProvider"]["workspaceDiagnostics"] is True
    assert capabilities["workspaceSymbolProvider"]
    (wanted,) = capabilities["workspace"]["fileOperations"]["willRename"]["filters"]
    assert wanted["pattern"]["glob"] == "**"


# -- what a client takes ------------------------------------------------------------------------


def test_parts_of_a_diagnostic_that_a_client_does_not_take_are_left_out() -> None:
    text = "# %% A[^q1]\n\n[^q1]: [markdown]\n\n# %% B[^q1]\n\n[^q1]: [markdown]\n"
    editor = Client(VSCODE)
    uri = editor.open(text)
    pulled = editor.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    (twice, *_) = [item for item in pulled["items"] if item["code"] == "MSG103"]
    assert twice["relatedInformation"]
    assert twice["codeDescription"]["href"].endswith("MSG103.md")
    assert twice["data"] == {"key": "message.header", "mayHaveFix": True}
    bare = Client(EGLOT)
    bare.open(text)
    sent = bare.notifications("textDocument/publishDiagnostics")[-1]["diagnostics"]
    (twice, *_) = [item for item in sent if item["code"] == "MSG103"]
    assert not {"relatedInformation", "codeDescription"} & twice.keys()
