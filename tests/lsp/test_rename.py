"""Rename over the wire: versioned where that is known, refused with a reason."""

import pytest

from tests.lsp.client import PROFILES, UNVERSIONED, URI, VSCODE, Client, Refused
from tests.notation import unmark

SOURCE = "# %% 🦊🦊[^«m¦»]\n\n[^m]: [raw]\n\n🦊 see [^m]\n"


@pytest.mark.parametrize("profile", PROFILES)
def test_an_id_is_renamed_everywhere(profile: str) -> None:
    marked = unmark(SOURCE)
    client = Client(PROFILES[profile])
    client.open(marked.text, version=7)
    edit = client.at("textDocument/rename", marked.cursor, newName="new")
    assert client.after(edit) == marked.text.replace("[^m]", "[^new]")


def test_the_version_goes_along_where_it_is_known() -> None:
    marked = unmark(SOURCE)
    client = Client(VSCODE)
    client.open(marked.text, version=7)
    edit = client.at("textDocument/rename", marked.cursor, newName="new")
    (change,) = edit["documentChanges"]
    assert change["textDocument"] == {"uri": URI, "version": 7}
    client = Client(UNVERSIONED)
    client.open(marked.text)
    assert set(client.at("textDocument/rename", marked.cursor, newName="new")) == {"changes"}


def test_it_can_be_asked_first() -> None:
    marked = unmark(SOURCE)
    client = Client()
    client.open(marked.text)
    assert client.capabilities["renameProvider"] == {"prepareProvider": True}
    found = client.at("textDocument/prepareRename", marked.cursor)
    assert client.span(found["range"]) == marked.span()
    assert found["placeholder"] == "m"


def test_refusals_reach_the_person() -> None:
    client = Client()
    client.open("# %% T[^m]\n\n# %% U[^n]\n\nwords\n")
    with pytest.raises(Refused, match="nothing to rename here") as refusal:
        client.at("textDocument/prepareRename", 30)
    assert refusal.value.code == -32803
    with pytest.raises(Refused, match="`n` is taken: a cell already has that id"):
        client.at("textDocument/rename", 8, newName="n")
