"""Files that change beside the open documents, and folders that come and go."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from msgls.document.snapshot import Snapshot
from msgls.formats.registry import FORMATS
from msgls.lsp import session as session_module
from msgls.rules.base import DocumentRule, Problem, Rule, Severity
from msgls.rules.registry import RULES
from msgls.text.spans import Edit, Span
from tests.lsp.client import BARE, EGLOT, NEOVIM, VSCODE, Client

ANSWER = "# %%% Answer[^1]\n\n[^1]: [bob]\n\nText.\n"
MADE, CHANGED, GONE = 1, 2, 3


def started(folder: Path, profile: Mapping[str, Any] = EGLOT) -> Client:
    return Client(profile, workspaceFolders=[{"uri": folder.as_uri(), "name": "root"}])


def tell(client: Client, kind: int, *paths: Path) -> None:
    changes = [{"uri": path.as_uri(), "type": kind} for path in paths]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def codes(client: Client, uri: str) -> list[str]:
    sent = client.notifications("textDocument/publishDiagnostics")
    last = [params for params in sent if params["uri"] == uri][-1]
    return [found["code"] for found in last["diagnostics"]]


def sent(client: Client) -> list[str]:
    """Of which documents problems were sent since the last call."""
    found = [
        Path(params["uri"]).name
        for params in client.notifications("textDocument/publishDiagnostics")
    ]
    client.notified.clear()
    return found


# -- being told ---------------------------------------------------------------------------


@pytest.mark.parametrize("profile", [EGLOT, VSCODE])
def test_the_client_is_asked_to_watch(profile: Mapping[str, Any], tmp_path: Path) -> None:
    client = started(tmp_path, profile)
    (asked,) = client.requests("client/registerCapability")
    options = {
        registration["method"]: registration["registerOptions"]
        for registration in asked["registrations"]
    }
    watchers = options["workspace/didChangeWatchedFiles"]["watchers"]
    globs = {watcher["globPattern"] for watcher in watchers}
    assert {"**/msgls.toml", "**/pyproject.toml", "**/agents.json", "**/.gitignore"} <= globs
    for ending in {ending for format in FORMATS for ending in format.endings}:
        assert any(ending.endswith(glob.removeprefix("**/*")) for glob in globs)
    assert client.server.session.is_watched
    if profile is VSCODE:
        assert options["workspace/didChangeConfiguration"] == {"section": "msgls"}


@pytest.mark.parametrize("profile", [NEOVIM, BARE])
def test_a_client_that_cannot_be_asked_is_not(profile: Mapping[str, Any], tmp_path: Path) -> None:
    client = started(tmp_path, profile)
    assert client.requests("client/registerCapability") == []
    assert not client.server.session.is_watched


def test_initialized_may_come_without_params() -> None:
    client = Client(EGLOT, initialize=False)
    params = {"processId": None, "rootUri": None, "capabilities": dict(EGLOT)}
    client.request("initialize", params)
    client.notify("initialized")
    assert len(client.requests("client/registerCapability")) == 1


# -- configuration ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["msgls.toml", "pyproject.toml"])
def test_configuration_comes_changes_and_goes(name: str, tmp_path: Path) -> None:
    table = "[tool.msgls.lint]\n" if name == "pyproject.toml" else "[lint]\n"
    client = started(tmp_path)
    uri = client.open(ANSWER, (tmp_path / "sub/chat.msg.md").as_uri())
    assert codes(client, uri) == ["MSG202"]
    file = write(tmp_path / name, f"{table}ignore = ['MSG202']\n")
    tell(client, MADE, file)
    assert codes(client, uri) == []
    write(file, f"{table}ignore = []\n")
    tell(client, CHANGED, file)
    assert codes(client, uri) == ["MSG202"]
    write(file, f"{table}ignore = ['MSG202']\n")
    tell(client, CHANGED, file)
    file.unlink()
    tell(client, GONE, file)
    assert codes(client, uri) == ["MSG202"]


def test_where_nobody_watches_saving_is_a_reason_to_look(tmp_path: Path) -> None:
    client = started(tmp_path, NEOVIM)
    uri = client.open(ANSWER, (tmp_path / "chat.msg.md").as_uri())
    write(tmp_path / "msgls.toml", "lint.ignore = ['MSG202']\n")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert codes(client, uri) == []


# -- agents -------------------------------------------------------------------------------


def test_agents_upward_are_known_and_followed(tmp_path: Path) -> None:
    file = write(tmp_path / "agents.json", '{"agents": [{"name": "bob"}]}')
    client = started(tmp_path)
    uri = client.open(ANSWER, (tmp_path / "sub/chat.msg.md").as_uri())
    other = client.open(ANSWER, "untitled:Untitled-1")
    assert codes(client, uri) == []
    assert codes(client, other) == ["MSG202"]
    sent(client)
    write(file, '{"agents": [{"name": "eve"}]}')
    tell(client, CHANGED, file)
    assert codes(client, uri) == ["MSG202"]
    assert sent(client) == ["chat.msg.md"]
    # Whose it is when it cannot be read, nobody knows.
    write(file, '{"agents": [')
    tell(client, CHANGED, file)
    assert client.notifications("window/showMessage") == []
    write(file, '{"agents": [{"name": "bob"}, {"name": "x"}]}')
    tell(client, CHANGED, file)
    assert codes(client, uri) == []


def test_agents_that_change_refresh_what_shows_them(tmp_path: Path) -> None:
    client = started(tmp_path, VSCODE)
    client.open(ANSWER, (tmp_path / "chat.msg.md").as_uri())
    client.asked.clear()
    tell(client, MADE, write(tmp_path / "agents.json", '{"agents": [{"name": "bob"}]}'))
    assert [method for method, _ in client.asked] == [
        "workspace/diagnostic/refresh",
        "workspace/codeLens/refresh",
        "workspace/inlayHint/refresh",
        "workspace/semanticTokens/refresh",
        "workspace/foldingRange/refresh",
    ]


# -- what rules ask -----------------------------------------------------------------------


class Curious(DocumentRule):
    """Finds something for whatever it is told of the files around."""

    code: ClassVar[str] = "MSG701"
    name: ClassVar[str] = "secret"
    severity: ClassVar[Severity] = Severity.WARNING

    def __init__(self, *questions: str) -> None:
        self.questions = questions
        self.answers: dict[str, list[object]] = {}

    def check(self, snapshot: Snapshot) -> Iterable[Problem]:
        """Ask, and remember what was said."""
        surroundings = snapshot.surroundings
        found: list[object] = []
        for question in self.questions:
            kind, _, argument = question.partition(" ")
            if kind == "exists":
                found.append(surroundings.exists(argument))
            elif kind == "with":
                key, _, value = argument.partition(" ")
                names = surroundings.others_with(key, value)
                found.append([Path(name).parent.name + Path(name).name for name in names])
            else:
                found.append(sorted(surroundings.neighbours))
        self.answers[Path(snapshot.document.path).name] = found
        return ()


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let a rule ask such questions, in place of another one."""

    def install(*questions: str) -> Curious:
        rule = Curious(*questions)
        rules: list[Rule] = [rule, *[other for other in RULES if other.code != rule.code]]
        monkeypatch.setattr(session_module, "rules_of", lambda format: rules)
        return rule

    return install


def test_files_that_exist_in_the_workspace(tmp_path: Path, ask: Any) -> None:
    root = tmp_path / "root"
    write(root / "a/x.md", "")
    write(tmp_path / "outside.md", "")
    (root / "link.md").symlink_to(tmp_path / "outside.md")
    (root / "inner.md").symlink_to(root / "a/x.md")
    (root / "far").symlink_to(tmp_path)
    questions = {
        "a/x.md": True,
        "a/../a/x.md": True,
        "a\\x.md": True,
        "a": True,
        "a/y.md": False,
        "a/x.md/z": False,
        "inner.md": True,
        "../root/a/x.md": True,
        "../outside.md": None,
        "link.md": None,
        "far/outside.md": None,
        "far/root/a/x.md": True,
        str(root / "a/x.md"): None,
        "": None,
        "a\0b": None,
        "x" * 5000: None,
    }
    client = started(root)
    rule = ask(*[f"exists {question}" for question in questions])
    client.open("text\n", (root / "chat.msg.md").as_uri())
    assert rule.answers["chat.msg.md"] == list(questions.values())


def test_what_is_outside_knows_nothing(tmp_path: Path, ask: Any) -> None:
    root = tmp_path / "root"
    write(root / "1.md", "; Block-UUID: a\n")
    write(tmp_path / "x.md", "")
    client = started(root)
    rule = ask("exists x.md", "exists root/1.md", "with Block-UUID a", "neighbours")
    client.open("text\n", (tmp_path / "chat.msg.md").as_uri())
    assert rule.answers["chat.msg.md"] == [None, None, [], []]
    client.open("text\n", "untitled:chat2.msg.md")
    assert rule.answers["untitled:chat2.msg.md"] == [None, None, [], []]


def test_what_was_asked_is_followed_and_nothing_else(tmp_path: Path, ask: Any) -> None:
    client = started(tmp_path)
    rule = ask("exists new.md")
    client.open("text\n", (tmp_path / "a/one.msg.md").as_uri())
    client.open("text\n", (tmp_path / "b/two.msg.md").as_uri())
    sent(client)
    tell(client, MADE, write(tmp_path / "a/other.md", ""))
    assert sent(client) == []
    tell(client, MADE, write(tmp_path / "a/new.md", ""))
    assert sent(client) == ["one.msg.md"]
    assert rule.answers == {"one.msg.md": [True], "two.msg.md": [False]}
    (tmp_path / "a/new.md").unlink()
    tell(client, GONE, tmp_path / "a/new.md")
    assert rule.answers["one.msg.md"] == [False]


def test_neighbours_are_followed(tmp_path: Path, ask: Any) -> None:
    client = started(tmp_path)
    write(tmp_path / "1.md", "")
    rule = ask("neighbours")
    client.open("text\n", (tmp_path / "chat.msg.md").as_uri())
    assert rule.answers["chat.msg.md"] == [["1.md"]]
    tell(client, MADE, write(tmp_path / "3.md", ""))
    assert rule.answers["chat.msg.md"] == [["1.md", "3.md"]]
    sent(client)
    tell(client, MADE, write(tmp_path / "sub/4.md", ""))
    # A folder is a name as well.
    assert sent(client) == ["chat.msg.md"]
    tell(client, MADE, write(tmp_path / "sub/5.md", ""))
    assert sent(client) == []


def test_who_else_says_so(tmp_path: Path, ask: Any) -> None:
    head = "; Block-UUID: {}\n;\n; role: user\n\n\nBody\n; Block-UUID: body\n"
    one, two = tmp_path / "messages/a/1.md", tmp_path / "messages/b/2.md"
    write(one, head.format("AB"))
    write(two, head.format("ab"))
    write(tmp_path / "notes.md", head.format("ab"))
    write(tmp_path / "ignored/3.md", head.format("ab"))
    client = started(tmp_path)
    rule = ask("with Block-UUID ab", "with block-uuid body")
    uri = client.open(one.read_text("utf-8"), one.as_uri())
    assert rule.answers["1.md"] == [["ignored3.md", "b2.md"], []]
    # What git ignores is not of the workspace.
    tell(
        client,
        MADE,
        write(tmp_path / ".git/config", ""),
        write(tmp_path / ".gitignore", "ignored/"),
    )
    assert rule.answers["1.md"] == [["b2.md"], []]
    # A file changes on the disk.
    write(two, head.format("something else"))
    tell(client, CHANGED, two)
    assert rule.answers["1.md"] == [[], []]
    # An open document counts as it is in the editor.
    other = client.open(two.read_text("utf-8"), two.as_uri())
    sent(client)
    at = client.texts[other].index("something else")
    client.change(Edit(Span(at, at + 14), "aB"), uri=other)
    assert rule.answers == {"1.md": [["b2.md"], []], "2.md": [["a1.md"], []]}
    assert set(sent(client)) == {"1.md", "2.md"}
    end = len(client.texts[other])
    client.change(Edit(Span(end, end), "more"), uri=other)
    assert sent(client) == ["2.md"]
    # Closed without being saved, it counts as it is on the disk.
    client.close(other)
    assert rule.answers["1.md"] == [[], []]
    # Files come, and go without a word.
    tell(client, MADE, write(tmp_path / "messages/c/9.md", head.format("ab")))
    assert rule.answers["1.md"] == [["c9.md"], []]
    (tmp_path / "messages/c/9.md").unlink()
    tell(client, GONE, tmp_path / "messages/c/9.md")
    assert rule.answers["1.md"] == [[], []]
    assert client.server.session.get(uri).document.text == one.read_text("utf-8")


# -- folders ------------------------------------------------------------------------------


def test_folders_come_and_go(tmp_path: Path, ask: Any) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one / "x.md", "")
    write(two / "x.md", "")
    client = started(one)
    assert client.capabilities["workspace"]["workspaceFolders"] == {
        "supported": True,
        "changeNotifications": True,
    }
    rule = ask("exists x.md")
    client.open("text\n", (one / "1.msg.md").as_uri())
    client.open("text\n", (two / "2.msg.md").as_uri())
    assert rule.answers == {"1.msg.md": [True], "2.msg.md": [None]}
    event = {
        "added": [{"uri": two.as_uri(), "name": "two"}],
        "removed": [{"uri": one.as_uri(), "name": "root"}],
    }
    client.asked.clear()
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert rule.answers == {"1.msg.md": [None], "2.msg.md": [True]}
    (asked,) = client.requests("workspace/configuration")
    assert asked["items"][1:] == [{"scopeUri": two.as_uri(), "section": "msgls"}]
    assert list(client.server.session.workspace.files()) == [two / "x.md"]


@pytest.mark.parametrize("params", ["workspaceFolders", "rootUri", "rootPath"])
def test_the_folder_may_be_said_in_three_ways(params: str, tmp_path: Path) -> None:
    root: Any = {
        "workspaceFolders": [{"uri": tmp_path.as_uri(), "name": "root"}],
        "rootUri": tmp_path.as_uri(),
        "rootPath": str(tmp_path),
    }[params]
    client = Client(EGLOT, **{params: root})
    assert client.server.session.workspace.folders == (tmp_path,)


@pytest.mark.parametrize("changes", [None, 3, [3], [{"uri": 3, "type": 1}], [{"uri": "x:y"}]])
def test_nonsense_is_not_a_reason_to_stop(changes: Any, tmp_path: Path) -> None:
    client = started(tmp_path)
    uri = client.open(ANSWER, (tmp_path / "chat.msg.md").as_uri())
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    client.change(Edit(Span(0, 0), "\n"), uri=uri)
    assert codes(client, uri) == ["MSG202"]
