"""The client that the protocol tests use, and what every profile gets at the start."""

import pytest

from msgls.text.spans import Edit, Span
from tests.lsp.client import PROFILES, URI, Client, Refused
from tests.notation import table

ENCODINGS = {
    "vscode": ("vscode", "utf-16"),
    "neovim": ("neovim", "utf-8"),
    "eglot": ("eglot", "utf-32"),
    "a client that says nothing": ("bare", "utf-16"),
}


@table("profile, encoding", ENCODINGS)
def test_the_encoding_is_negotiated(profile: str, encoding: str) -> None:
    assert Client(PROFILES[profile]).encoding == encoding


@pytest.mark.parametrize("profile", PROFILES)
def test_the_server_has_the_text_that_the_client_has(profile: str) -> None:
    client = Client(PROFILES[profile])
    client.open("# %% 🦊[^a]\n\n[^a]: [markdown]\n\nüber\n")
    client.change(Edit(Span(5, 6), "🐻🐻"), Edit(Span(7, 7), "!"))
    client.change(Edit(Span(0, 0), "\r\n"))
    opened = client.server.session.documents[URI]
    assert opened.document.text == client.texts[URI]
    assert client.texts[URI].startswith("\r\n# %% 🐻🐻![^a]")
    assert opened.version == client.versions[URI] == 3


def test_a_refusal_is_raised() -> None:
    with pytest.raises(Refused, match="unknown method"):
        Client().request("textDocument/unheardOf", {})


def test_requests_can_wait_in_the_queue() -> None:
    client = Client()
    first, second = client.ask("unheardOf/one"), client.ask("unheardOf/two")
    with pytest.raises(Refused, match="two"):
        client.answer(second)
    with pytest.raises(Refused, match="one"):
        client.answer(first)


def test_diagnostics_are_pushed_only_to_those_who_do_not_pull() -> None:
    for name, profile in PROFILES.items():
        client = Client(profile)
        client.open("# %%% x[^a]\n")
        published = client.notifications("textDocument/publishDiagnostics")
        assert bool(published) is (name != "vscode")
