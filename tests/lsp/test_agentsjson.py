"""``agents.json`` over the wire: beside message files, and beside an editor's JSON service."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from msgls.text.spans import Edit, Span
from tests.lsp.client import EGLOT, NEOVIM, PROFILES, VSCODE, Client, Refused

HOST = """{
  "agents": [
    {"name": "向导 🦊", "path": "./向导.js", "metadata": {"bootMessage": {"message": "Hi"}}},
    {"name": "other", "path": "x.js"}
  ]
}
"""
GUIDE = "向导 🦊"
TALK = f"---\ndefault_agent: {GUIDE}\n---\n\n# %%% 🦊 [^a1]\n\n[^a1]: [{GUIDE}]\n\nYes\n"
CHANGED = 2


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "agents.json", HOST)
    write(tmp_path / "chats/one.msg.md", TALK)
    write(tmp_path / "chats/two.msg.md", TALK.replace(GUIDE, "other"))
    write(tmp_path / "near/agents.json", HOST)
    write(tmp_path / "near/three.msg.md", TALK)
    write(tmp_path / "notes.md", TALK)
    return tmp_path


def started(folder: Path, profile: Mapping[str, Any] = VSCODE, **params: Any) -> Client:
    client = Client(profile, workspaceFolders=[{"uri": folder.as_uri(), "name": "x"}], **params)
    client.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    return client


def opened(client: Client, path: Path) -> str:
    language = "json" if path.suffix == ".json" else "msgmd"
    return client.open(path.read_text("utf-8"), path.as_uri(), language)


def places(client: Client, found: list[dict[str, Any]], folder: Path) -> list[tuple[str, str]]:
    """The files and texts that locations name."""
    result = []
    for place in found:
        uri = place["uri"]
        path = next(path for path in folder.rglob("*.*") if path.as_uri() == uri)
        client.texts.setdefault(uri, path.read_text("utf-8"))
        text = client.span(place["range"], uri).of(client.texts[uri])
        result.append((path.relative_to(folder).as_posix(), text))
    return result


# -- from file to file --------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("is_open", [True, False])
def test_an_agent_in_a_message_file_leads_to_its_entry(
    folder: Path, profile: str, is_open: bool
) -> None:
    client = started(folder, PROFILES[profile])
    uri = opened(client, folder / "chats/one.msg.md")
    if is_open:
        opened(client, folder / "agents.json")
    for offset in (TALK.index(GUIDE) + 1, TALK.rindex(GUIDE) + 1):
        (found,) = client.at("textDocument/definition", offset, uri)
        if "targetUri" in found:
            found = {"uri": found["targetUri"], "range": found["targetSelectionRange"]}
        assert places(client, [found], folder) == [("agents.json", GUIDE)]


@pytest.mark.parametrize("profile", PROFILES)
def test_references_are_found_in_all_files_that_it_counts_for(folder: Path, profile: str) -> None:
    client = started(folder, PROFILES[profile])
    everywhere = [("agents.json", GUIDE), *[("chats/one.msg.md", GUIDE)] * 2]
    host = opened(client, folder / "agents.json")
    for context in (True, False):
        found = client.at(
            "textDocument/references",
            HOST.index(GUIDE) + 1,
            host,
            context={"includeDeclaration": context},
        )
        assert places(client, found, folder) == everywhere[not context :]
    uri = opened(client, folder / "chats/one.msg.md")
    found = client.at(
        "textDocument/references", TALK.index(GUIDE), uri, context={"includeDeclaration": True}
    )
    assert sorted(places(client, found, folder)) == everywhere


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("source", ["agents.json", "chats/one.msg.md"])
def test_an_agent_is_renamed_in_all_files(folder: Path, profile: str, source: str) -> None:
    client = started(folder, PROFILES[profile])
    uri = opened(client, folder / source)
    # Never saved, and it counts anyway.
    fresh = client.open(TALK, (folder / "chats/new.msg.md").as_uri())
    offset = client.texts[uri].index(GUIDE) + 1
    edit = client.at("textDocument/rename", offset, uri, newName="the guide")
    for name in ("agents.json", "chats/one.msg.md"):
        path = folder / name
        client.texts.setdefault(path.as_uri(), path.read_text("utf-8"))
        client.versions.setdefault(path.as_uri(), -1)
        before = client.texts[path.as_uri()]
        assert client.after(edit, path.as_uri()) == before.replace(GUIDE, "the guide")
    assert client.after(edit, fresh) == TALK.replace(GUIDE, "the guide")
    changes = edit.get("documentChanges") or edit["changes"]
    assert len(changes) == 3


def test_a_rename_that_clashes_anywhere_is_refused(folder: Path) -> None:
    taken = TALK.replace("---\n\n", "agents: {hal: {}}\n---\n\n")
    write(folder / "chats/one.msg.md", taken)
    client = started(folder)
    host = opened(client, folder / "agents.json")
    offset = HOST.index(GUIDE) + 1
    with pytest.raises(Refused, match=r"one\.msg\.md: `hal` is taken"):
        client.at("textDocument/rename", offset, host, newName="hal")
    with pytest.raises(Refused, match="`other` is taken"):
        client.at("textDocument/rename", offset, host, newName="other")
    with pytest.raises(Refused, match="nothing to rename here"):
        client.at("textDocument/prepareRename", 0, host)


def test_a_rename_is_of_the_version_that_was_asked_about(folder: Path) -> None:
    client = started(folder, VSCODE)
    uri = opened(client, folder / "agents.json")
    place = client.position(HOST.index(GUIDE) + 1, uri)
    target = {"textDocument": {"uri": uri}, "position": place, "newName": "the guide"}
    version, before = client.versions[uri], client.texts[uri]
    request = client.ask("textDocument/rename", target)
    client.server.step()
    # The other files are still to be read.
    assert request not in client.answered()
    client.change(Edit(Span(0, 0), "\n\n\n"), uri=uri)
    changes = client.answer(request)["documentChanges"]
    own = next(change for change in changes if change["textDocument"]["uri"] == uri)
    assert own["textDocument"]["version"] == version
    client.texts[uri], client.versions[uri] = before, version
    assert client.after({"documentChanges": [own]}, uri) == before.replace(GUIDE, "the guide")


def test_references_are_of_the_version_that_was_asked_about(folder: Path) -> None:
    client = started(folder, VSCODE)
    uri = opened(client, folder / "agents.json")
    place = client.position(HOST.index(GUIDE) + 1, uri)
    asked = {
        "textDocument": {"uri": uri},
        "position": place,
        "context": {"includeDeclaration": True},
    }
    expected = client.request("textDocument/references", asked)
    request = client.ask("textDocument/references", asked)
    client.server.step()
    # The other files are still to be read.
    assert request not in client.answered()
    client.change(Edit(Span(0, 0), "\n\n\n"), uri=uri)
    assert client.answer(request) == expected


def test_an_agent_in_a_file_that_is_not_ours_stays(folder: Path) -> None:
    (folder / "agents.json").rename(folder / "team.json")
    write(folder / "msgls.toml", 'agents-file = "team.json"\n')
    client = started(folder)
    uri = opened(client, folder / "chats/one.msg.md")
    with pytest.raises(Refused, match=r"is registered in .*team\.json, which cannot be read here"):
        client.at("textDocument/rename", TALK.index(GUIDE), uri, newName="x")


# -- in the file --------------------------------------------------------------------------


def test_the_outline_and_the_links(folder: Path) -> None:
    client = started(folder)
    uri = opened(client, folder / "agents.json")
    request = {"textDocument": {"uri": uri}}
    first, _ = client.request("textDocument/documentSymbol", request)
    assert (first["name"], [child["name"] for child in first["children"]]) == (
        GUIDE,
        ["boot message"],
    )
    links = client.request("textDocument/documentLink", request)
    assert [client.span(link["range"], uri).of(HOST) for link in links] == ["./向导.js", "x.js"]
    assert links[1]["target"] == (folder / "x.js").as_uri()
    assert client.request("textDocument/foldingRange", request) == []
    found = client.request("workspace/symbol", {"query": GUIDE})
    assert {symbol["name"] for symbol in found} == {GUIDE}


@pytest.mark.parametrize("profile", [VSCODE, NEOVIM, EGLOT])
def test_keys_are_completed_and_explained(folder: Path, profile: Mapping[str, Any]) -> None:
    client = started(folder, profile)
    text = HOST.replace('"x.js"}', '"x.js",\n "m"}')
    uri = client.open(text, (folder / "agents.json").as_uri(), "json")
    found = client.at("textDocument/completion", text.index('"m"') + 2, uri)
    items = {item["label"]: item for item in found["items"]}
    assert list(items) == ["metadata", "settings", "operations"]
    item = items["metadata"]
    assert client.span(item["textEdit"]["range"], uri).of(text) == '"m"'
    assert item["filterText"] == '"metadata'
    more = client.request("completionItem/resolve", item)
    assert "What is known about the agent." in more["documentation"]["value"]


# -- boot messages ------------------------------------------------------------------------


def run(client: Client, command: str, uri: str, **more: Any) -> str:
    """The text after a command, as the client is asked to change it."""
    client.asked.clear()
    argument = {"uri": uri, **more}
    client.request("workspace/executeCommand", {"command": command, "arguments": [argument]})
    (applied,) = client.requests("workspace/applyEdit")
    return client.after(applied["edit"], uri)


def test_a_boot_message_is_inserted_and_follows_its_file(folder: Path) -> None:
    client = started(folder)
    uri = client.open("", (folder / "chats/new.msg.md").as_uri())
    greeting = f"# %%% [^a1]\n\n[^a1]: [{GUIDE}] boot=1 virtual=1\n\nHi\n"
    assert run(client, "msgls.agent.insertBoot", uri) == greeting
    host = write(folder / "agents.json", HOST.replace('"Hi"', '"Hello"'))
    changes = [{"uri": host.as_uri(), "type": CHANGED}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert run(client, "msgls.agent.insertBoot", uri) == greeting.replace("Hi", "Hello")
    reset = run(client, "msgls.history.reset", uri, agent="other")
    assert "[other] boot=1 virtual=1 reset=1\n\nThe context has been reset." in reset
    start = client.position(0, uri)
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": start, "end": start},
        "context": {"diagnostics": []},
    }
    titles = [action["title"] for action in client.request("textDocument/codeAction", params)]
    assert f"Insert boot message of `{GUIDE}`" in titles
    assert "Reset context" not in titles
    with pytest.raises(Refused, match="`other` has no boot message"):
        run(client, "msgls.agent.insertBoot", uri, agent="other")


def test_the_agents_file_can_be_configured(folder: Path) -> None:
    write(folder / "team/agents.json", HOST.replace('"Hi"', '"From the team"'))
    client = started(folder)
    uri = client.open("", (folder / "chats/new.msg.md").as_uri())
    settings: dict[str, Any] = {"agentsFile": "team/agents.json"}
    client.answers["workspace/configuration"] = lambda params: [settings for _ in params["items"]]
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert "From the team" in run(client, "msgls.agent.insertBoot", uri)
    settings["agentsFile"] = ""
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert "From the team" not in run(client, "msgls.agent.insertBoot", uri)


def test_what_a_new_conversation_starts_with(folder: Path) -> None:
    """A file that is nowhere yet has the agents of the folder that is open."""
    client = started(folder)
    uri = client.open("", "untitled:Untitled-1", "msgmd")
    wanted = {"uri": uri, "asText": True, "ifSensible": True}

    def beginning(**more: Any) -> Any:
        params = {"command": "msgls.agent.insertBoot", "arguments": [{**wanted, **more}]}
        return client.request("workspace/executeCommand", params)

    greeting = f"# %%% [^a1]\n\n[^a1]: [{GUIDE}] boot=1 virtual=1\n\nHi\n"
    assert beginning(folder=folder.as_uri()) == greeting
    # Nobody greets there, and nobody is told so.
    assert beginning() is None
    settings = {"boot": {"insert": "never"}}
    client.answers["workspace/configuration"] = lambda params: [settings for _ in params["items"]]
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert beginning(folder=folder.as_uri()) is None


# -- beside a JSON service ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        ({"jsonService": True}, ["settings", "operations"]),
        ({"jsonService": False}, ["metadata", "settings", "operations"]),
        (None, ["metadata", "settings", "operations"]),
    ],
)
def test_what_a_json_service_completes_is_left_to_it(
    folder: Path, options: Any, labels: list[str]
) -> None:
    """The first agent has a key `metadata`: a service for plain JSON offers it, too."""
    client = started(folder, initializationOptions=options)
    text = HOST.replace('"x.js"}', '"x.js",\n "m"}')
    uri = client.open(text, (folder / "agents.json").as_uri(), "json")
    found = client.at("textDocument/completion", text.index('"m"') + 2, uri)
    assert [item["label"] for item in found["items"]] == labels


@pytest.mark.parametrize("disabled", [[], ["BOOT001"]])
def test_broken_json_is_told_once(folder: Path, disabled: list[str]) -> None:
    client = started(folder, EGLOT, initializationOptions={"disabledRules": disabled})
    broken = HOST.replace('"x.js"', "")
    uri = client.open(broken, (folder / "agents.json").as_uri(), "json")
    (sent,) = [
        params
        for params in client.notifications("textDocument/publishDiagnostics")
        if params["uri"] == uri
    ]
    codes = {found["code"] for found in sent["diagnostics"]}
    assert ("BOOT001" in codes) == (not disabled)
    assert "BOOT003" in codes


def test_the_vs_code_client_disables_what_its_json_service_tells() -> None:
    source = Path(__file__).parents[2] / "client-vscode/src/server.ts"
    text = source.read_text("utf-8")
    assert "disabledRules: ['BOOT001']" in text
    assert "jsonService: true" in text
    manifest = json.loads((source.parents[1] / "package.json").read_text("utf-8"))
    assert "jsonValidation" not in manifest["contributes"]
