"""Answers that are written into an open document, while people type."""

from __future__ import annotations

import copy
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from msgls.text.spans import Edit, Span, difference
from tests.lsp.client import URI, VSCODE, Client, Refused
from tests.lsp.wire import Wire, framed

FILE = (
    "---\nagents:\n  Ada:\n    models: [replay]\n---\n\n# %% [^m1]\n\n[^m1]: [markdown]\n\nHello.\n"
)
PLACE = FILE.index("Hello.")
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

    def __init__(self, text: str, **params: Any) -> None:
        self.client = Client(**params)
        self.client.answers["workspace/applyEdit"] = self._apply
        self.client.answers["window/workDoneProgress/create"] = lambda params: None
        self.client.open(text)
        self.refused = 0
        self.types: list[Edit] = []
        """What a person types just before the next edits arrive, each before one of them."""

    @property
    def text(self) -> str:
        return self.client.texts[URI]

    def _apply(self, params: Any) -> dict[str, bool]:
        if self.types:
            self.client.change(self.types.pop(0), settle=False)
        (change,) = params["edit"]["documentChanges"]
        if change["textDocument"]["version"] != self.client.versions[URI]:
            self.refused += 1
            return {"applied": False}
        after = self.client.after(params["edit"])
        self.client.change(difference(self.text, after), settle=False)
        return {"applied": True}

    def command(self, name: str, **arguments: Any) -> Any:
        arguments = {"uri": URI, **arguments}
        command = f"msgls.{name}" if "." in name else f"msgls.ask.{name}"
        params = {"command": command, "arguments": [arguments]}
        return self.client.request("workspace/executeCommand", params)

    def wait(self, until: str = "") -> None:
        """Let time pass until the answer is there, or some text."""
        asking = self.client.server.session.live
        while asking.is_writing(URI) and not (until and until in self.text):
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
    editor = Editor(FILE.replace("Hello.", WORDS))
    asked: list[dict[str, Any]] = []
    apply = editor.client.answers["workspace/applyEdit"]

    def noted(params: Any) -> Any:
        asked.append(params["live"])
        return apply(params)

    editor.client.answers["workspace/applyEdit"] = noted
    editor.command("answer")
    editor.wait()
    assert len(asked) > 2
    assert len({live["token"] for live in asked}) == 1
    header = editor.text[: editor.text.index("# %%% [^m2]")].count("\n")
    assert {live["line"] for live in asked[1:]} == {header}


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


@pytest.mark.parametrize("edits", [1, 3])
def test_a_server_that_is_killed_leaves_what_was_shown_and_no_provider(
    config: Path, edits: int
) -> None:
    program = config / "provider.py"
    program.write_text(TELLS_ITS_PID, "utf-8")
    command = json.dumps([sys.executable, str(program)])
    text = f'[models]\n"*" = "own"\n[providers.own]\ncommand = {command}\n'
    (config / "msgls" / "providers.toml").write_text(text, "utf-8")
    shown = FILE
    with Wire() as wire:
        workspace = {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}
        wire.initialize(capabilities={"workspace": workspace})
        wire.open(URI, FILE)
        params = {"command": "msgls.ask.answer", "arguments": [{"uri": URI}]}
        wire.request("workspace/executeCommand", params)
        done: list[Any] = []
        for version in range(2, edits + 2):
            asked = wire.wait_for(
                lambda it: it.get("method") == "workspace/applyEdit" and it["id"] not in done
            )
            done.append(asked["id"])
            (change,) = asked["params"]["edit"]["documentChanges"]
            changes = [{"range": e["range"], "text": e["newText"]} for e in change["edits"]]
            for one in changes:
                start, end = (offset_in(shown, one["range"][side]) for side in ("start", "end"))
                shown = shown[:start] + one["text"] + shown[end:]
            identity = {"uri": URI, "version": version}
            told = {"textDocument": identity, "contentChanges": changes}
            wire.notify("textDocument/didChange", told)
            wire.write(framed({"jsonrpc": "2.0", "id": asked["id"], "result": {"applied": True}}))
        wire.process.kill()
        wire.process.wait()
    assert " incomplete=1\n\npid " in shown
    pid = int(shown.partition("\n\npid ")[2].partition(".")[0])
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()
