"""Paths and headings in the targets of links, and no list where somebody writes prose."""

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client
from tests.notation import unmark

ASK = "# %% The plan[^m1]\n\n[^m1]: [markdown]\n\n## Step one: 水\n\n## Step one: 水\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pics").mkdir()
    (tmp_path / "pics" / "my garden.png").touch()
    (tmp_path / ".hidden").touch()
    notes = "# Top\n\n```\n# code\n```\n\n## Below it ##\n"
    (tmp_path / "notes.md").write_text(notes, "utf-8")
    (tmp_path / "other.msg.md").write_text("# %% A question[^q1]\n", "utf-8")
    return tmp_path


def ask(folder: Path, source: str, typed: str = "", name: str = "talk.msg.md") -> list[Any]:
    marked = unmark(source)
    folders = [{"uri": folder.as_uri(), "name": "chats"}]
    client = Client(workspaceFolders=folders)
    uri = (folder / name).as_uri()
    client.open(marked.text, uri=uri)
    context = {"triggerKind": 2, "triggerCharacter": typed} if typed else {"triggerKind": 1}
    answer = client.at("textDocument/completion", marked.cursor, uri=uri, context=context)
    items: list[Any] = answer["items"]
    for item in items:
        item["after"] = client.edited([item["textEdit"]], uri=uri)
    return items


def labels(folder: Path, source: str, typed: str = "", name: str = "talk.msg.md") -> list[str]:
    return [item["label"] for item in ask(folder, source, typed, name)]


def test_paths_after_the_bracket(folder: Path) -> None:
    found = labels(folder, ASK + "🦊 [it](¦)", "(")
    assert found == ["../", "notes.md", "other.msg.md", "pics/"]


def test_paths_in_a_folder_are_escaped(folder: Path) -> None:
    items = ask(folder, ASK + "🦊 ![it](pics/¦)", "/")
    assert [item["label"] for item in items] == ["../", "my garden.png"]
    assert items[1]["after"] == ASK + "🦊 ![it](pics/my%20garden.png)"


def test_a_name_that_is_half_typed_is_replaced(folder: Path) -> None:
    (item,) = [i for i in ask(folder, ASK + "[it](no¦te)") if i["label"] == "notes.md"]
    assert item["after"] == ASK + "[it](notes.md)"


def test_what_follows_a_link_that_is_not_closed_stays(folder: Path) -> None:
    for after in ("[x](y)", "word (z)", "word"):
        (item,) = [i for i in ask(folder, f"{ASK}[it](no¦{after}") if i["label"] == "notes.md"]
        assert item["after"] == f"{ASK}[it](notes.md{after}"


def test_headings_of_this_file_of_another_and_of_all(folder: Path) -> None:
    own = labels(folder, ASK + "[it](#¦)", "#")
    assert own == ["the-plan", "step-one-水", "step-one-水-1"]
    assert labels(folder, ASK + "[it](notes.md#¦)", "#") == ["top", "below-it"]
    items = ask(folder, ASK + "[it](##¦)", "#")
    assert sorted(item["label"] for item in items) == ["A question", "Below it", "Top"]
    (below,) = [item for item in items if item["label"] == "Below it"]
    assert below["after"] == ASK + "[it](notes.md#below-it)"


def test_in_the_simple_text_format_too(folder: Path) -> None:
    assert "notes.md" in labels(folder, "@user\nSee [it](¦)\n", "(", "talk.stf")


@pytest.mark.parametrize(
    ("source", "typed"),
    [
        ("call f(¦", "("),
        ("a/¦", "/"),
        ("either/¦", "/"),
        ("#¦", "#"),
        ("##¦", "#"),
        ("[it](https:/¦", "/"),
        ("[it](https://example.org/¦", "/"),
        ("`[it](¦`", "("),
        ("```\n[it](¦\n```\n", "("),
        ("a\\](¦", "("),
        ("[it](notes.md) and (¦", "("),
    ],
)
def test_nothing_opens_for_somebody_who_writes(folder: Path, source: str, typed: str) -> None:
    assert labels(folder, ASK + source, typed) == []


def test_nothing_outside_of_the_workspace_is_listed(folder: Path) -> None:
    assert labels(folder, ASK + "[it](../¦)", "/") == ["../"]
    assert labels(folder, ASK + "[it](../../../../etc/passwd#¦)", "#") == []
