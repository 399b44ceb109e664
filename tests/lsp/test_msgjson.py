"""Messages and deltas over the wire: each request once, open as message file, files that grow."""

import json
from pathlib import Path
from typing import Any

import pytest

from msgls.text.spans import Edit, Span
from tests.formats.msgjson.made_up import (
    call_args,
    call_end,
    call_start,
    done,
    dump,
    message,
    part,
    result,
    said,
    start,
    text,
)
from tests.lsp.client import EGLOT, NEOVIM, PROFILES, VSCODE, Client, Refused

URI = "file:///chats/run.deltas.jsonl"
SOURCE = dump(
    start(),
    text(1, "Hello 🦊 "),
    call_start(2, "🦊"),
    call_args(3, "{}", "🦊"),
    call_end(4, "🦊"),
    done(5),
    message("tool", result("🦊"), part("file_ref", path="a b.txt")),
)
INFORMATION = 3
OPEN = "msgls.message.openAs"


def started(source: str = SOURCE, profile: str = "vscode", uri: str = URI) -> Client:
    client = Client(PROFILES[profile])
    client.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    client.open(source, uri, "msgjson")
    return client


def of_document(client: Client, method: str, uri: str = URI, **params: Any) -> Any:
    return client.request(method, {"textDocument": {"uri": uri}, **params})


def test_each_request_has_its_answer() -> None:
    client = started()
    (symbol,) = [s for s in of_document(client, "textDocument/documentSymbol") if "children" in s][
        :1
    ]
    assert (symbol["name"], symbol["detail"]) == ("stream · r", "m · stop")
    assert [child["name"] for child in symbol["children"]] == ["find"]
    assert of_document(client, "textDocument/foldingRange")[0]["endLine"] == 5
    (link,) = of_document(client, "textDocument/documentLink")
    assert link["target"] == "file:///chats/a%20b.txt"
    hover = client.at("textDocument/hover", SOURCE.index("Hello"), URI)
    assert "**The message so far**" in hover["contents"]["value"]
    found = client.at("textDocument/completion", SOURCE.index('"text"') + 1, URI)
    item = next(item for item in found["items"] if item["label"] == "done")
    assert client.edited([item["textEdit"]], URI) == SOURCE.replace('"text"', '"done"')
    more = client.request("completionItem/resolve", item)
    assert "Ends a stream successfully." in more["documentation"]["value"]
    ranges = of_document(
        client, "textDocument/selectionRange", positions=[{"line": 1, "character": 3}]
    )
    assert ranges[0]["parent"]


# -- open as message file -----------------------------------------------------------------------


def execute(client: Client, uri: str = URI, line: int = 0, **more: Any) -> Any:
    place = {"line": line, "character": 0}
    argument = {"uri": uri, "position": place, **more}
    return client.request("workspace/executeCommand", {"command": OPEN, "arguments": [argument]})


def test_a_client_that_shows_texts_is_given_one_with_the_places_of_what_is_lost() -> None:
    client = started(dump(message("user", said("Hi"), part("file_ref", path="a.txt"))))
    answer = execute(client, asText=True)
    assert answer["languageId"] == "msgmd"
    assert "Hi" in answer["text"]
    assert client.requests("workspace/applyEdit") == []
    assert client.notifications("window/showMessage") == []
    assert {"what", "line"} == set(answer["losses"][0])


def test_where_nothing_is_lost_nothing_is_said() -> None:
    client = started(dump(message("user", said("Hi"))), uri="file:///chats/a.messages.jsonl")
    answer = execute(client, "file:///chats/a.messages.jsonl", asText=True)
    assert answer["losses"] == []
    assert client.notifications("window/showMessage") == []


@pytest.mark.parametrize("profile", ["neovim", "eglot"])
def test_for_another_client_a_file_is_made_where_it_can(profile: str) -> None:
    client = started(profile=profile)
    answer = execute(client)
    makes_files = bool(
        PROFILES[profile].get("workspace", {}).get("workspaceEdit", {}).get("resourceOperations")
    )
    applied = client.requests("workspace/applyEdit")
    assert bool(applied) == makes_files
    for params in applied:
        create, edit = params["edit"]["documentChanges"]
        assert create["uri"] == "file:///chats/run.msg.md"
        assert create["options"] == {"overwrite": False, "ignoreIfExists": False}
        assert edit["edits"][0]["newText"] == answer["text"]


def test_a_name_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "run.msg.md").write_text("# %% Mine\n", "utf-8")
    client = Client(NEOVIM, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "root"}])
    client.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    uri = (tmp_path / "run.deltas.jsonl").as_uri()
    client.open(SOURCE, uri, "msgjson")
    execute(client, uri)
    (params,) = client.requests("workspace/applyEdit")
    assert params["edit"]["documentChanges"][0]["uri"].endswith("/run-2.msg.md")


def test_the_lens_of_a_stream_opens_that_stream() -> None:
    source = SOURCE + dump(start(0, "q2", "s"), text(1, "Growing", "s"))
    client = started(source)
    found = of_document(client, "textDocument/codeLens")
    said_there = [client.request("codeLens/resolve", lens) for lens in found]
    assert [(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in said_there] == [
        (0, "stop · 1 text · 1 tool call"),
        (0, "Open as message file"),
        (7, "has not ended · 1 text"),
        (7, "Open as message file"),
    ]
    command = said_there[-1]["command"]
    command["arguments"][0]["asText"] = True
    answer = client.request("workspace/executeCommand", command)
    assert "Growing" in answer["text"]
    assert "Hello" not in answer["text"]


def test_the_actions_are_the_twins_of_the_lenses() -> None:
    client = started()
    place = {"line": 1, "character": 3}
    found = of_document(
        client,
        "textDocument/codeAction",
        range={"start": place, "end": place},
        context={"diagnostics": [], "only": ["refactor"]},
    )
    titles = [action["title"] for action in found]
    assert titles[:2] == ["Open this stream as message file", "Open as message file"]
    command = found[0]["command"]
    command["arguments"][0]["asText"] = True
    assert "Hello" in client.request("workspace/executeCommand", command)["text"]


@pytest.mark.parametrize(
    ("source", "more", "reason"),
    [
        ("", {}, "this cannot be read as a message"),
        (SOURCE, {"stream": 1}, "must be true or false"),
        (SOURCE, {"asText": "yes"}, "must be true or false"),
        (SOURCE, {"version": 7}, "the document has changed"),
    ],
)
def test_what_cannot_be_opened_is_refused(source: str, more: dict[str, Any], reason: str) -> None:
    client = started(source)
    with pytest.raises(Refused, match=reason):
        execute(client, **more)


# -- files that grow ------------------------------------------------------------------------------


def problems(client: Client, uri: str = URI) -> list[tuple[str, int, int]]:
    """Code, severity and line of each."""
    report = of_document(client, "textDocument/diagnostic", uri)
    return [
        (found["code"], found["severity"], found["range"]["start"]["line"])
        for found in report["items"]
    ]


def appended(client: Client, *wires: object) -> None:
    end = len(client.texts[URI])
    client.change(Edit(Span(end, end), dump(*wires)), uri=URI)


def test_a_stream_that_grows_is_information_until_it_ends() -> None:
    client = started(dump(start()))
    growing = [("DLT004", INFORMATION, 0)]
    assert problems(client) == growing
    for seq in range(1, 50):
        appended(client, text(seq, f"{seq} "))
        assert problems(client) == growing
    hover = client.at("textDocument/hover", client.texts[URI].rindex("49"), URI)
    assert "48 49 " in hover["contents"]["value"]
    assert of_document(client, "textDocument/foldingRange")[0]["endLine"] == 49
    appended(client, done(50))
    assert problems(client) == []
    appended(client, start(0, "q2"))
    assert problems(client) == [("DLT004", INFORMATION, 51)]


def test_a_delta_may_come_in_pieces() -> None:
    """A file may be read while its last line is being written."""
    client = started(dump(start()))
    line = dump(text(1, "Hello 🦊"))
    for character in line:
        end = len(client.texts[URI])
        client.change(Edit(Span(end, end), character), uri=URI)
        codes = {code for code, _, _ in problems(client)}
        assert codes <= {"DLT001", "DLT002", "DLT004"}
    assert problems(client) == [("DLT004", INFORMATION, 0)]
    assert client.texts[URI] == dump(start()) + line


def test_a_file_that_is_read_anew_says_what_one_that_grew_says() -> None:
    client = started(dump(start()))
    whole = dump(start(), call_start(1), call_args(2), done(3))
    client.change(Edit(Span(0, len(client.texts[URI])), whole), uri=URI)
    other = started(dump(start()))
    appended(other, call_start(1), call_args(2), done(3))
    assert problems(client) == problems(other)
    assert {code for code, _, _ in problems(client)} == {"DLT006"}


def test_a_file_that_is_cut_and_begun_anew_is_followed() -> None:
    client = started(dump(start(), text(1), done(2)))
    assert problems(client) == []
    client.change(Edit(Span(0, len(client.texts[URI])), ""), uri=URI)
    assert problems(client) == []
    appended(client, start())
    assert problems(client) == [("DLT004", INFORMATION, 0)]


def test_a_closed_file_that_grows_is_reported_anew(tmp_path: Path) -> None:
    path = tmp_path / "run.deltas.jsonl"
    path.write_text(dump(start(), text(1)), "utf-8")
    folders = [{"uri": tmp_path.as_uri(), "name": "root"}]
    whole = {"settings": {"diagnostics": {"scope": "workspace"}}}
    client = Client(VSCODE, workspaceFolders=folders, initializationOptions=whole)

    def report() -> list[tuple[str, int]]:
        (item,) = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        return [(found["code"], found["severity"]) for found in item["items"]]

    assert report() == [("DLT004", INFORMATION)]
    for wires, expected in [
        ([text(2)], [("DLT004", INFORMATION)]),
        ([done(3)], []),
        ([text(4)], [("DLT004", 1)]),
    ]:
        with path.open("a", encoding="utf-8") as file:
            file.write(dump(*wires))
        changes = [{"uri": path.as_uri(), "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert report() == expected


def test_an_open_file_is_what_its_editor_says(tmp_path: Path) -> None:
    """A watcher may tell of a file before the editor has read it again."""
    path = tmp_path / "run.deltas.jsonl"
    path.write_text(dump(start()), "utf-8")
    client = Client(EGLOT, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "root"}])
    uri = client.open(path.read_text("utf-8"), path.as_uri(), "msgjson")
    path.write_text(dump(start(), done(1)), "utf-8")
    client.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]}
    )

    def last() -> list[str]:
        sent = client.notifications("textDocument/publishDiagnostics")
        return [found["code"] for found in sent[-1]["diagnostics"]]

    assert last() == ["DLT004"]
    end = len(client.texts[uri])
    client.change(Edit(Span(end, end), dump(done(1))), uri=uri)
    assert last() == []


def test_what_is_sent_is_json_whatever_a_stream_holds() -> None:
    line = json.dumps(text(1, "\ud83e"))
    client = started(dump(start()) + line + "\n")
    hover = client.at("textDocument/hover", client.texts[URI].index("ud83e"), URI)
    assert "The message so far" in hover["contents"]["value"]
    answer = execute(client, stream=True, asText=True)
    assert "\ufffd" in answer["text"]
    assert "a lone surrogate is replaced by U+FFFD" in [loss["what"] for loss in answer["losses"]]
