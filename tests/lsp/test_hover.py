"""Hover over the wire."""

import pytest

from tests.lsp.client import EGLOT, PROFILES, VSCODE, Client, Refused
from tests.notation import unmark

SOURCE = "# %% 🦊🦊 T[^«m¦»]\n\n[^m]: [raw]\n\n<b>hi</b>\n"


@pytest.mark.parametrize("profile", PROFILES)
def test_the_range_is_exact_in_every_encoding(profile: str) -> None:
    marked = unmark(SOURCE)
    client = Client(PROFILES[profile])
    client.open(marked.text)
    found = client.at("textDocument/hover", marked.cursor)
    assert client.span(found["range"]) == marked.span()


def test_the_form_is_the_one_that_the_client_shows() -> None:
    marked = unmark(SOURCE)
    for profile, kind, start in (
        (VSCODE, "markdown", "**Message** `m`"),
        (EGLOT, "plaintext", "Message m"),
    ):
        client = Client(profile)
        client.open(marked.text)
        contents = client.at("textDocument/hover", marked.cursor)["contents"]
        assert contents["kind"] == kind
        assert contents["value"].startswith(start)


def test_nothing_is_null() -> None:
    client = Client()
    client.open("words\n")
    assert client.at("textDocument/hover", 2) is None


def test_a_document_that_is_not_open_is_refused() -> None:
    client = Client()
    client.open("words\n")
    client.close()
    with pytest.raises(Refused, match="not open"):
        client.request(
            "textDocument/hover",
            {
                "textDocument": {"uri": "file:///chats/chat.msg.md"},
                "position": {"line": 0, "character": 0},
            },
        )
