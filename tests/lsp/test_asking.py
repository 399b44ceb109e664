"""Answers that are written into an open document, while people type."""

import copy
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from msgls.lsp import live
from msgls.text.spans import Edit, Span, difference
from tests.lsp.client import EGLOT, HELIX, NEOVIM, URI, VSCODE, Client, Refused
from tests.lsp.wire import Wire, framed

FILE = (
    "---\nagents:\n  Ada:\n    models: [replay]\n---\n\n# %% [^m1]\n\n[^m1]: [markdown]\n\nHello.\n"
)
PLACE = FILE.index("Hello.")
NEXT = "\n# %% [^m9]\n\n[^m9]: [markdown]\n\nLater.\n"
EDITORS = ("vscode", "neovim", "eglot", "helix")
STANDARD = {
    "client/registerCapability",
    "window/workDoneProgress/create",
    "workspace/applyEdit",
    "workspace/codeLens/refresh",
    "workspace/configuration",
    "workspace/inlayHint/refresh",
    "workspace/semanticTokens/refresh",
}
WORDS = " ".join(f"w{number}" for number in range(60))


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "msgls").mkdir()
    return configured(tmp_path, "0")


def configured(folder: Path, speed: str) -> Path:
    command = json.dumps(["replay", "--speed", speed])
    path = folder / "msgls" / "providers.toml"
    path.write_text(f"[providers.replay]\ncommand = {command}\n", "utf-8")
    return folder


class Editor:
    """A client that applies edits of the version that it has, and tells of it."""

    def __init__(
        self,
        text: str,
        uri: str = URI,
        answers: Mapping[str, Callable[[Any], Any]] | None = None,
        **params: Any,
    ) -> None:
        self.uri = uri
        self.refused = 0
        self.types: list[Edit] = []
        """What a person types just before the next edits arrive, each before one of them."""
        self.client = Client(**params)
        self.client.answers["workspace/applyEdit"] = self._apply
        self.client.answers["window/workDoneProgress/create"] = lambda params: None
        self.client.answers.update(answers or {})
        self.client.open(text, uri)

    @property
    def text(self) -> str:
        return self.client.texts[self.uri]

    def _apply(self, params: Any) -> dict[str, bool]:
        if self.types:
            self.client.change(self.types.pop(0), uri=self.uri, settle=False)
        (change,) = params["edit"]["documentChanges"]
        if change["textDocument"]["version"] != self.client.versions[self.uri]:
            self.refused += 1
            return {"applied": False}
        after = self.client.after(params["edit"], self.uri)
        self.client.change(difference(self.text, after), uri=self.uri, settle=False)
        return {"applied": True}

    def command(self, name: str, **arguments: Any) -> Any:
        arguments = {"uri": self.uri, **arguments}
        command = f"msgls.{name}" if "." in name else f"msgls.ask.{name}"
        params = {"command": command, "arguments": [arguments]}
        return self.client.request("workspace/executeCommand", params)

    def wait(self, until: str = "") -> None:
        """Let time pass until the answer is there, or some text."""
        asking = self.client.server.session.live
        while asking.is_writing(self.uri) and not (until and until in self.text):
            time.sleep(0.01)
            self.client.settle()


def test_an_answer_is_written_and_told_of() -> None:
    editor = Editor(FILE)
    editor.command("answer")
    editor.wait()
    assert editor.text.startswith(FILE + "\n# %%% [^m2]\n\n[^m2]: [Ada] time=")
    assert editor.text.endswith("You said:\n\nHello.\n")
    kinds = [p["value"]["kind"] for p in editor.client.notifications("$/progress")]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert not editor.client.notifications("window/showMessage")


def test_whoever_types_meanwhile_is_not_overtaken(config: Path) -> None:
    configured(config, "60")
    editor = Editor(FILE.replace("Hello.", WORDS))
    top = FILE.index("Hello.")
    editor.types = [Edit(Span(top, top), f"t{number} ") for number in range(3)]
    editor.command("answer")
    editor.wait()
    assert editor.refused == 3
    assert f"t2 t1 t0 {WORDS}\n\n# %%% [^m2]" in editor.text
    assert editor.text.endswith(f"You said:\n\n{WORDS}\n")


def test_an_answer_waits_until_a_fence_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "_MOST_FAILURES", 3)
    editor = Editor(FILE)
    editor.types = [Edit(Span(len(FILE), len(FILE)), "```py\n")]
    editor.command("answer")
    told: Any = []
    while not told:
        time.sleep(0.01)
        editor.client.settle()
        told = editor.client.notifications("window/showMessage")
    reason = "the fence that opens on line 12 is not closed"
    assert told[0]["message"] == f"msgls: nothing can be written yet: {reason}"
    end = len(editor.text)
    editor.client.change(Edit(Span(end, end), "```\n"), settle=False)
    editor.wait()
    assert editor.text.startswith(f"{FILE}```py\n```\n\n# %%% [^m2]")
    assert editor.text.endswith("You said:\n\nHello.\n")


def test_two_changes_that_come_as_one_leave_the_answer_where_it_is(config: Path) -> None:
    """As where a search and replace changes the first line and the last one."""
    configured(config, "20")
    editor = Editor(FILE.replace("Hello.", WORDS) + NEXT)
    editor.command("answer", position=editor.client.position(PLACE))
    editor.wait("You said:\n\nw0")
    asking = editor.client.server.session.live
    while asking._jobs[URI]._is_pending:
        editor.client.settle()
    before = editor.text
    after = before.replace(WORDS, f"First. {WORDS}", 1).replace("Later.", "Later, too.")
    editor.client.change(difference(before, after), settle=False)
    editor.wait()
    assert f"First. {WORDS}\n" in editor.text
    assert editor.text.endswith(f"You said:\n\n{WORDS}\n{NEXT.replace('.', ', too.')}")


class CollectingEditor(Editor):
    """One that says at once that it applied an edit, and later, after other changes, which."""

    def _apply(self, params: Any) -> dict[str, bool]:
        span, text = difference(self.text, self.client.after(params["edit"]))
        typed = Edit(Span(PLACE, PLACE), "!")
        # The server has time to look at the first one by itself.
        self.changes = [typed, *[None] * 20, Edit(span.shift(1), text)]
        return {"applied": True}

    changes: Sequence[Edit | None] = ()

    def wait(self, until: str = "") -> None:
        while self.client.server.session.live.is_writing(URI):
            if self.changes:
                change, *self.changes = self.changes
                if change is not None:
                    self.client.change(change, settle=False)
            time.sleep(0.01)
            self.client.settle()


def test_a_change_of_somebody_else_is_not_taken_for_our_own() -> None:
    editor = CollectingEditor(FILE)
    editor.command("answer")
    editor.wait()
    assert editor.text.count("# %%% ") == 1
    assert editor.text.endswith("You said:\n\nHello.\n")


def test_stopping_keeps_what_came(config: Path) -> None:
    configured(config, "20")
    editor = Editor(FILE.replace("Hello.", WORDS))
    editor.command("answer")
    editor.wait("You said:\n\nw0")
    with pytest.raises(Refused, match="already"):
        editor.command("answer")
    editor.command("stop")
    editor.wait()
    assert 'incomplete=1 reason="stopped"\n\nYou said:\n\nw0' in editor.text
    assert "w59" not in editor.text.partition("# %%%")[2]
    with pytest.raises(Refused, match="nothing is being written"):
        editor.command("stop")
    at = editor.client.position(editor.text.index("# %%% [^m2]"))
    configured(config, "0")
    editor.command("continue", position=at)
    editor.wait()
    assert "incomplete" not in editor.text


def test_cancelling_the_progress_stops_it(config: Path) -> None:
    configured(config, "20")
    editor = Editor(FILE.replace("Hello.", WORDS))
    editor.command("answer")
    editor.wait("You said:\n\nw0")
    token = editor.client.notifications("$/progress")[0]["token"]
    editor.client.notify("window/workDoneProgress/cancel", {"token": token})
    editor.wait()
    assert 'reason="stopped"' in editor.text


def test_removing_the_answer_ends_it(config: Path) -> None:
    configured(config, "20")
    editor = Editor(FILE.replace("Hello.", WORDS))
    before = editor.text
    editor.command("answer")
    editor.wait("You said:\n\nw0")
    editor.client.change(difference(editor.text, before))
    editor.wait()
    assert editor.text == before


def test_asking_again_and_comparing() -> None:
    editor = Editor(FILE)
    editor.command("answer")
    editor.wait()
    at = editor.client.position(editor.text.index("Hello."))
    editor.command("answer", position=at)
    editor.wait()
    assert "[^m2]: [Ada] history=exclude" in editor.text
    assert "# %%% [^m3]" in editor.text
    place = editor.client.position(editor.text.index("# %%% [^m3]"))
    shown = editor.command("compare", position=place, asText=True)
    assert shown["languageId"] == "diff"


def test_nothing_is_asked_in_an_untrusted_workspace() -> None:
    editor = Editor(FILE, initializationOptions={"trusted": False})
    with pytest.raises(Refused, match="do not trust"):
        editor.command("answer")
    assert editor.text == FILE


def test_what_cannot_be_asked_is_said() -> None:
    editor = Editor(FILE.replace("[replay]", "[gpt-5]"))
    editor.command("answer")
    editor.wait()
    (told,) = editor.client.notifications("window/showMessage")
    assert "no provider is configured for `Ada` (model `gpt-5`)" in told["message"]
    assert editor.text == FILE.replace("[replay]", "[gpt-5]")


def test_no_setting_of_an_editor_or_a_workspace_chooses_a_program(
    tmp_path: Path, config: Path
) -> None:
    (config / "msgls" / "providers.toml").unlink()
    sign = tmp_path / "it-ran"
    hostile = {
        "providers": {"own": {"command": ["touch", str(sign)], "env": {"OPENAI_API_KEY": "k"}}},
        "models": {"*": "own"},
        "provider": str(sign),
        "command": ["touch", str(sign)],
    }
    folder = tmp_path / "folder"
    folder.mkdir()
    lines = [f'[providers.own]\ncommand = ["touch", "{sign}"]\n[models]\n"*" = "own"\n']
    for name in ("msgls.toml", "providers.toml", ".msgls.toml"):
        (folder / name).write_text("".join(lines), "utf-8")
    editor = Editor(
        FILE.replace("[replay]", "[gpt-5]"),
        (folder / "a.msg.md").as_uri(),
        {"workspace/configuration": lambda params: [hostile for _ in params["items"]]},
        initializationOptions=hostile,
        rootUri=folder.as_uri(),
    )
    editor.command("answer", **hostile)
    editor.wait()
    told = [params["message"] for params in editor.client.notifications("window/showMessage")]
    assert "no provider is configured for `Ada` (model `gpt-5`)" in told[-1]
    assert not sign.exists()


def test_nobody_is_asked_after_a_fence_that_is_open() -> None:
    editor = Editor(FILE + "```py\n")
    with pytest.raises(Refused, match="the fence that opens on line 12 is not closed"):
        editor.command("answer")


def test_an_editor_that_makes_files_takes_versions_without_saying_so() -> None:
    """Neovim for one."""
    profile = copy.deepcopy(dict(VSCODE))
    profile["workspace"]["workspaceEdit"] = {"resourceOperations": ["create"]}
    editor = Editor(FILE, profile=profile)
    editor.command("answer")
    editor.wait()
    assert editor.text.endswith("You said:\n\nHello.\n")
    profile["workspace"]["workspaceEdit"] = {}
    with pytest.raises(Refused, match="does not let a server apply edits"):
        Editor(FILE, profile=profile).command("answer")


def test_it_is_offered_as_a_code_action() -> None:
    editor = Editor(FILE)
    place = editor.client.range(Span(len(FILE) - 3, len(FILE) - 3))
    params = {"textDocument": {"uri": URI}, "range": place, "context": {"diagnostics": []}}
    found = editor.client.request("textDocument/codeAction", params)
    assert "Ask Ada" in [action["title"] for action in found]


@pytest.mark.parametrize("profile", [VSCODE, NEOVIM, EGLOT, HELIX], ids=EDITORS)
def test_every_editor_asks_by_a_code_action(profile: Mapping[str, Any]) -> None:
    """And is asked for nothing but what the protocol has."""
    editor = Editor(FILE.replace("Hello.", "Hello 🦊."), profile=profile)
    place = editor.client.range(Span(PLACE, PLACE))
    params = {"textDocument": {"uri": URI}, "range": place, "context": {"diagnostics": []}}
    found = editor.client.request("textDocument/codeAction", params)
    (ask,) = [action for action in found if action["title"] == "Ask Ada"]
    if "command" not in ask:
        ask = editor.client.request("codeAction/resolve", ask)
    editor.types = [Edit(Span(PLACE, PLACE), "你好 ")]
    editor.client.request("workspace/executeCommand", ask["command"])
    editor.wait()
    assert editor.refused == 1
    before, _, answer = editor.text.partition("\n# %%% [^m2]\n")
    assert before == FILE.replace("Hello.", "你好 Hello 🦊.")
    assert answer.endswith("\n\nYou said:\n\nHello 🦊.\n")
    kinds = [p["value"]["kind"] for p in editor.client.notifications("$/progress")]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert editor.client.notifications("$/progress")[0]["value"]["cancellable"] is True
    asked = {method for method, _ in editor.client.asked}
    assert asked - STANDARD == set()


def test_a_lens_above_the_last_message_asks() -> None:
    editor = Editor(FILE)

    def lenses() -> list[Any]:
        params = {"textDocument": {"uri": URI}}
        found = editor.client.request("textDocument/codeLens", params)
        return [editor.client.request("codeLens/resolve", lens)["command"] for lens in found]

    (_, ask) = lenses()
    assert ask["title"] == "Ask Ada"
    # Editors show a lens for a while after the text has changed.
    editor.client.change(Edit(Span(PLACE, PLACE), "New. "))
    editor.client.request("workspace/executeCommand", ask)
    editor.wait()
    assert editor.text.endswith("You said:\n\nNew. Hello.\n")
    assert [lens["command"] for lens in lenses()] == ["", ""]


def test_an_answer_that_is_not_complete_offers_what_can_be_done() -> None:
    old = '\n# %%% [^m2]\n\n[^m2]: [Ada] incomplete=1 reason="stopped"\n\nHal\n'
    editor = Editor(FILE + old)
    at = (FILE + old).index("incomplete")
    params = {
        "textDocument": {"uri": URI},
        "range": editor.client.range(Span(at, at)),
        "context": {"diagnostics": []},
    }
    found = [a["title"] for a in editor.client.request("textDocument/codeAction", params)]
    wanted = {"Continue answer", "Ask Ada again", "Remove the incomplete cell"}
    assert wanted <= {title.partition(" (")[0] for title in found}, found


def act(editor: Editor, title: str, place: str) -> None:
    """Choose a code action where a text stands."""
    at = editor.text.index(place)
    params = {
        "textDocument": {"uri": URI},
        "range": editor.client.range(Span(at, at)),
        "context": {"diagnostics": []},
    }
    found = editor.client.request("textDocument/codeAction", params)
    (action,) = [action for action in found if action["title"].partition(" (")[0] == title]
    if "edit" not in action and "command" not in action:
        action = editor.client.request("codeAction/resolve", action)
    if "edit" in action:
        after = editor.client.after(action["edit"], URI)
        editor.client.change(difference(editor.text, after))
    else:
        editor.client.request("workspace/executeCommand", action["command"])
    editor.wait()


@pytest.mark.parametrize(
    ("title", "there", "gone"),
    [
        ("Continue answer", ["HalYou said:\n\nHello.\n"], ["incomplete", "# %%% [^m3]"]),
        (
            "Ask Ada again",
            ['[Ada] history=exclude incomplete=1 reason="stopped"', "# %%% [^m3]"],
            [],
        ),
        ("Remove the incomplete cell", [], ["Hal\n", "[^m2]"]),
    ],
)
def test_what_is_offered_for_an_answer_that_is_not_complete_is_done(
    title: str, there: Sequence[str], gone: Sequence[str]
) -> None:
    old = '\n# %%% [^m2]\n\n[^m2]: [Ada] incomplete=1 reason="stopped"\n\nHal\n'
    editor = Editor(FILE + old)
    act(editor, title, "incomplete")
    for text in there:
        assert text in editor.text
    for text in gone:
        assert text not in editor.text
    assert not editor.client.notifications("window/showMessage")


CALLS_TWICE = """
import json, sys
said = json.load(sys.stdin)["messages"]
results = [part for message in said for part in message["parts"] if part["kind"] == "tool_result"]
calls = [("tool_call_start", {"toolCallId": name, "toolName": name}) for name in ("ls", "pwd")]
heard = ("text", {"textDelta": json.dumps([part["payload"]["content"] for part in results])})
for number, (kind, payload) in enumerate(
    [*([heard] if results else calls), ("done", {"finishReason": "stop"})]
):
    delta = {"runId": "r", "seq": number, "kind": kind, "payload": payload, "timestamp": "t"}
    print(json.dumps(delta), flush=True)
"""
DIES = """
import json, os, sys
sys.stdin.read()
delta = {"runId": "r", "seq": 0, "kind": "text", "payload": {"textDelta": "Hal"}, "timestamp": "t"}
print(json.dumps(delta), flush=True)
os.kill(os.getpid(), 9)
"""


def answered_by(config: Path, source: str) -> None:
    """Let this program answer for everybody."""
    program = config / "provider.py"
    program.write_text(source, "utf-8")
    command = json.dumps([sys.executable, str(program)])
    text = f'[models]\n"*" = "own"\n[providers.own]\ncommand = {command}\n'
    (config / "msgls" / "providers.toml").write_text(text, "utf-8")


def test_parallel_calls_are_answered_one_by_one(config: Path) -> None:
    answered_by(config, CALLS_TWICE)
    editor = Editor(FILE)
    editor.command("answer")
    editor.wait()
    for tool in ("pwd", "ls"):
        with pytest.raises(Refused, match="has no result yet"):
            editor.command("answer")
        act(editor, "Insert tool result cell", f"<{tool}")
        result = editor.text.index('status="success"\n\n', editor.text.index(f"<{tool}"))
        at = result + len('status="success"\n\n')
        editor.client.change(Edit(Span(at, at), f"What {tool} says."))
    editor.command("answer")
    editor.wait()
    assert editor.text.endswith('\n\n["What ls says.", "What pwd says."]\n')


def test_a_provider_that_is_killed_leaves_what_came(config: Path) -> None:
    answered_by(config, DIES)
    editor = Editor(FILE)
    editor.command("answer")
    editor.wait()
    assert editor.text.endswith(
        ' incomplete=1 reason="the provider failed with exit code -9"\n\nHal\n'
    )
    (told,) = editor.client.notifications("window/showMessage")
    assert told["message"].endswith("not complete: the provider failed with exit code -9")


def test_closing_the_document_stops_the_provider(config: Path) -> None:
    configured(config, "20")
    editor = Editor(FILE.replace("Hello.", WORDS))
    editor.command("answer")
    editor.wait("You said:\n\nw0")
    editor.client.close()
    assert not editor.client.server.session.live.is_writing(URI)


def test_the_next_message_can_be_written_at_once() -> None:
    editor = Editor(FILE)
    at = editor.client.position(FILE.index("Hello."))
    editor.command("advance", position=at)
    editor.wait()
    before, _, after = editor.text.partition("# %%% [^m3]")
    assert before == FILE + "\n"
    assert editor.text.count("You said:") == 1
    assert after.endswith("You said:\n\nHello.\n\n# %% [^m2]\n\n[^m2]: [markdown]\n\n\n")


def test_an_answered_message_is_not_asked_again_on_the_way() -> None:
    editor = Editor(FILE)
    editor.command("answer")
    editor.wait()
    answered = editor.text
    editor.command("advance", position=editor.client.position(FILE.index("Hello.")))
    assert not editor.client.server.session.live.is_writing(URI)
    assert editor.text == answered


@pytest.mark.parametrize(
    "text",
    [FILE.replace("[replay]", "[gpt-5]"), FILE.replace("[markdown]", "[markdown] role=system")],
)
def test_who_cannot_or_need_not_be_asked_is_not_in_the_way(text: str) -> None:
    editor = Editor(text)
    editor.command("advance", position=editor.client.position(text.index("Hello.")))
    assert not editor.client.server.session.live.is_writing(URI)
    assert editor.text.startswith(text + "\n# %% [^m2]")


def test_every_edit_says_what_it_belongs_to_and_where_its_cell_begins(config: Path) -> None:
    configured(config, "60")
    editor = Editor(FILE.replace("Hello.", WORDS), initializationOptions={"takesLive": True})
    asked = [params["live"] for params in edits_of_an_answer(editor)]
    assert len(asked) > 2
    assert len({live["token"] for live in asked}) == 1
    header = editor.text[: editor.text.index("# %%% [^m2]")].count("\n")
    assert {live["line"] for live in asked[1:]} == {header}


def test_who_does_not_take_more_is_sent_what_the_protocol_knows() -> None:
    """Eglot refuses a request with a name that it does not know."""
    asked = edits_of_an_answer(Editor(FILE))
    assert asked
    assert [sorted(params) for params in asked] == [["edit", "label"]] * len(asked)


def test_there_are_at_most_ten_edits_a_second(config: Path) -> None:
    configured(config, "200")
    editor = Editor(FILE.replace("Hello.", WORDS))
    began = time.monotonic()
    asked = edits_of_an_answer(editor)
    # One at once, and one that was due at the end.
    assert 2 < len(asked) <= (time.monotonic() - began) * 10 + 2


SPEAKS_AT_ONCE = """
import json, sys
sys.stdin.read()
pieces = [("thinking" if number % 2 else "text", "a") for number in range(120)]
pieces += [("text", f"{number} " + "b" * 9_996 + "\\n") for number in range(10, 30)]
for number, (kind, words) in enumerate(pieces):
    delta = {"runId": "r", "seq": number, "kind": kind, "timestamp": "t"}
    sys.stdout.write(json.dumps({**delta, "payload": {"textDelta": words}}) + "\\n")
end = {"runId": "r", "seq": len(pieces), "kind": "done", "timestamp": "t"}
sys.stdout.write(json.dumps({**end, "payload": {"finishReason": "stop"}}) + "\\n")
"""


def test_what_comes_at_once_is_written_little_by_little(config: Path) -> None:
    answered_by(config, SPEAKS_AT_ONCE)
    editor = Editor(FILE)
    asked = edits_of_an_answer(editor)
    changes = [params["edit"]["documentChanges"][0]["edits"] for params in asked]
    new = ["".join([edit["newText"] for edit in edits]) for edits in changes]
    cells = [text.count("# %%% ") for text in new]
    # A key in between waits for one of them.
    assert (sum(cells), max(cells)) == (121, 50)
    assert max(map(len, new)) < 80_000
    lines = [f"{number} {'b' * 9_996}\n" for number in range(10, 30)]
    assert editor.text.endswith("\n\n" + "".join(lines))


def edits_of_an_answer(editor: Editor) -> list[dict[str, Any]]:
    """All that the editor is asked to edit while an answer comes."""
    asked: list[dict[str, Any]] = []
    apply = editor.client.answers["workspace/applyEdit"]

    def noted(params: Any) -> Any:
        asked.append(params)
        return apply(params)

    editor.client.answers["workspace/applyEdit"] = noted
    editor.command("answer")
    editor.wait()
    return asked


TELLS_ITS_PID = """
import json, os, sys, time
sys.stdin.read()
for number in range(10_000):
    text = f"pid {os.getpid()}." if number == 0 else f" w{number}"
    delta = {"runId": "r", "seq": number, "kind": "text", "timestamp": "t"}
    print(json.dumps({**delta, "payload": {"textDelta": text}}), flush=True)
    time.sleep(0.05)
"""


def offset_in(text: str, place: dict[str, int]) -> int:
    lines = text.split("\n")[: place["line"]]
    return sum(len(line) + 1 for line in lines) + place["character"]


def started_by(wire: Wire, command: str, text: str) -> None:
    """Let a server write into a document."""
    workspace = {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}
    wire.initialize(capabilities={"workspace": workspace})
    wire.open(URI, text)
    params = {"command": command, "arguments": [{"uri": URI}]}
    wire.request("workspace/executeCommand", params)


def shown_by(wire: Wire, shown: str) -> Iterator[str]:
    """What an editor shows after each edit of a server's."""
    done: list[Any] = []
    for version in count(2):
        asked = wire.wait_for(
            lambda it: it.get("method") == "workspace/applyEdit" and it["id"] not in done
        )
        done.append(asked["id"])
        (change,) = asked["params"]["edit"]["documentChanges"]
        edits = sorted(change["edits"], key=lambda e: offset_in(shown, e["range"]["start"]))
        changes = [{"range": e["range"], "text": e["newText"]} for e in reversed(edits)]
        for one in changes:
            start, end = (offset_in(shown, one["range"][side]) for side in ("start", "end"))
            shown = shown[:start] + one["text"] + shown[end:]
        told = {"textDocument": {"uri": URI, "version": version}, "contentChanges": changes}
        wire.notify("textDocument/didChange", told)
        wire.write(framed({"jsonrpc": "2.0", "id": asked["id"], "result": {"applied": True}}))
        yield shown


def is_gone(pid: int) -> bool:
    """Whether a process ends soon."""
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("edits", [1, 3])
def test_a_server_that_is_killed_leaves_what_was_shown_and_no_provider(
    config: Path, edits: int
) -> None:
    answered_by(config, TELLS_ITS_PID)
    with Wire() as wire:
        started_by(wire, "msgls.ask.answer", FILE)
        *_, shown = islice(shown_by(wire, FILE), edits)
        wire.process.kill()
        wire.process.wait()
    assert " incomplete=1\n\npid " in shown
    assert is_gone(int(shown.partition("\n\npid ")[2].partition(".")[0]))
