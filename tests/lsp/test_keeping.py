"""An editor that ends without saving loses nothing of an answer that it showed."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pygls import uris

from msgls.host.unsaved import any_journals
from msgls.text.spans import Edit, Span
from tests.lsp.client import VSCODE, Refused
from tests.lsp.test_asking import FILE, PLACE, WORDS, Editor, configured
from tests.lsp.test_asking import config as config

RESTORE, DISCARD = "Restore unsaved text", "Discard unsaved text"
ASKS: Mapping[str, Any] = {
    **VSCODE,
    "window": {**VSCODE["window"], "showMessage": {"messageActionItem": {}}},
}


def came(count: int) -> str:
    """The answer, as far as so many words."""
    return "said:\n\n" + " ".join(f"w{number}" for number in range(count))


class Person:
    """Somebody whose editor ends from time to time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.uri = uris.from_fs_path(str(file)) or ""
        file.write_text(FILE.replace("Hello.", WORDS), "utf-8")

    def opens(self, choice: str = "", text: str | None = None, **params: Any) -> Editor:
        """An editor with the file, whose user answers what is asked."""
        said = {"title": choice} if choice else None
        answers = {"window/showMessageRequest": lambda params: said}
        text = self.text if text is None else text
        return Editor(text, self.uri, answers, **{"profile": ASKS, **params})

    @property
    def text(self) -> str:
        return self.file.read_text("utf-8")

    def saves(self, editor: Editor) -> None:
        self.file.write_text(editor.text, "utf-8")
        params = {"textDocument": {"uri": self.uri}, "text": editor.text}
        editor.client.notify("textDocument/didSave", params)


@pytest.fixture
def person(tmp_path: Path, config: Path) -> Person:
    configured(config, "200")
    return Person(tmp_path / "talk.msg.md")


def asked(editor: Editor) -> list[str]:
    """What a person is asked when the file is opened."""
    params = editor.client.requests("window/showMessageRequest")
    return [action["title"] for one in params for action in one["actions"]]


@pytest.mark.parametrize("until", ["You", came(3), came(20), ""])
def test_what_an_editor_showed_when_it_died_can_be_put_back(person: Person, until: str) -> None:
    first = person.opens()
    first.command("answer")
    first.wait(until)
    first.client.change(Edit(Span(PLACE, PLACE), "Typed. "), uri=person.uri)
    second = person.opens(RESTORE)
    assert asked(second) == [RESTORE, DISCARD]
    assert second.text == first.text
    assert "Typed. w0" in second.text
    person.saves(second)
    assert not any_journals()
    assert not asked(person.opens())


def test_what_was_handed_out_and_not_told_of_is_kept_as_well(person: Person) -> None:
    """Neovim tells of a change when nothing was typed for a moment."""
    first = person.opens()
    first.command("answer")
    first.wait(came(3))
    shown = first.text
    seen: list[str] = []

    def show(params: Any) -> Any:
        seen.append(first.client.after(params["edit"], person.uri))

    first.client.answers["workspace/applyEdit"] = show
    while not seen:
        first.client.settle()
    assert shown != seen[0]
    assert person.opens(RESTORE).text == seen[0]


def test_an_editor_that_dies_again_before_it_saves(person: Person) -> None:
    first = person.opens()
    first.command("answer")
    first.wait()
    assert person.opens(RESTORE).text == first.text
    assert person.opens(RESTORE).text == first.text


def test_later_is_as_good_as_now(person: Person) -> None:
    first = person.opens()
    first.command("answer")
    first.wait()
    second = person.opens()
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    params = {
        "textDocument": {"uri": person.uri},
        "range": place,
        "context": {"diagnostics": [], "triggerKind": 1},
    }
    found = second.client.request("textDocument/codeAction", params)
    offered = [action for action in found if action["title"] in (RESTORE, DISCARD)]
    assert [action["title"] for action in offered] == [RESTORE, DISCARD]
    second.client.request("workspace/executeCommand", offered[0]["command"])
    second.client.settle()
    assert second.text == first.text
    with pytest.raises(Refused, match="no unsaved text"):
        second.command("unsaved.restore")


def test_it_is_put_back_after_the_file_was_saved_as_it_is(person: Person) -> None:
    first = person.opens()
    first.command("answer")
    first.wait()
    second = person.opens()
    person.saves(second)
    os.utime(person.file, ns=(1, 1))
    second.command("unsaved.restore")
    second.client.settle()
    assert second.text == first.text
    assert [path.name for path in person.file.parent.glob("*.msg.md")] == ["talk.msg.md"]


def test_what_is_discarded_is_gone(person: Person) -> None:
    first = person.opens()
    first.command("answer")
    first.wait(came(3))
    before = person.text
    assert person.opens(DISCARD).text == before
    assert not any_journals()


def test_nothing_is_put_back_over_what_was_changed_since(person: Person) -> None:
    first = person.opens()
    first.command("answer")
    first.wait()
    person.file.write_text("# %% [^m1]\n\n[^m1]: [markdown]\n\nAnother.\n", "utf-8")
    second = person.opens()
    made: list[Any] = []
    second.client.answers["workspace/applyEdit"] = made.append
    second.command("unsaved.restore")
    second.client.settle()
    [create, fill] = made[0]["edit"]["documentChanges"]
    assert create["kind"] == "create"
    assert fill["textDocument"]["uri"] == create["uri"] != person.uri
    assert fill["edits"][0]["newText"] == first.text


def test_what_was_typed_since_it_was_opened_is_not_replaced(person: Person) -> None:
    first = person.opens()
    first.command("answer")
    first.wait()
    second = person.opens()
    second.client.change(Edit(Span(PLACE, PLACE), "New. "), uri=person.uri)
    made: list[Any] = []
    second.client.answers["workspace/applyEdit"] = made.append
    second.command("unsaved.restore")
    second.client.settle()
    assert made[0]["edit"]["documentChanges"][0]["kind"] == "create"


def test_an_editor_that_kept_it_as_well_is_not_asked(person: Person) -> None:
    """A server that dies alone, or VS Code, which keeps a copy a second after the last change."""
    first = person.opens()
    first.command("answer")
    first.wait(came(3))
    assert not asked(person.opens(text=first.text))
    assert not any_journals()


def test_what_is_saved_while_it_comes_is_kept_from_there_on(person: Person) -> None:
    first = person.opens()
    first.command("answer")
    first.wait(came(3))
    person.saves(first)
    first.wait(came(20))
    second = person.opens(RESTORE)
    assert second.text == first.text
    assert came(20) in second.text


def test_what_is_handed_out_while_it_is_saved_is_kept_as_well(person: Person) -> None:
    first = person.opens()
    first.command("answer")
    first.wait(came(3))
    seen: list[str] = []

    def save_and_show(params: Any) -> Any:
        """Saved before the edit is made, and killed before the editor tells of it."""
        if not seen:
            person.saves(first)
        seen.append(first.client.after(params["edit"], person.uri))

    first.client.answers["workspace/applyEdit"] = save_and_show
    while not seen:
        first.client.settle()
    first.client.settle()
    assert person.text == first.text
    assert person.text != seen[0]
    assert person.opens(RESTORE).text == seen[0]


@pytest.mark.parametrize("how", ["saved", "closed", "left"])
def test_who_ends_in_order_leaves_nothing(person: Person, how: str) -> None:
    editor = person.opens()
    editor.command("answer")
    editor.wait()
    assert any_journals()
    if how == "saved":
        person.saves(editor)
    elif how == "closed":
        editor.client.close(person.uri)
    else:
        editor.client.server.session.exited_normally()
    assert not any_journals()


def test_who_cannot_be_asked_is_told(person: Person) -> None:
    first = person.opens()
    first.command("answer")
    first.wait(came(3))
    second = person.opens(profile=VSCODE)
    [told] = second.client.notifications("window/showMessage")
    assert "talk.msg.md" in told["message"]
    assert told["message"].endswith(f"; there is a code action: {RESTORE}")


def test_a_folder_that_cannot_be_written_disturbs_nobody(
    person: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    editor = person.opens()
    editor.command("answer")
    editor.wait()
    assert editor.text.endswith(f"You said:\n\n{WORDS}\n")
    assert "cannot be kept" in caplog.text


def test_a_text_that_was_never_a_file_is_not_kept(person: Person) -> None:
    editor = Editor(FILE, "untitled:Untitled-1")
    editor.command("answer")
    editor.wait()
    assert not any_journals()
