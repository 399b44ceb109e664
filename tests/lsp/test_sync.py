"""The server's text is the client's, whatever the client does and however it counts."""

import logging
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.rules.checker import Checker
from msgls.rules.registry import rules_of
from msgls.text.spans import Edit, Span
from tests.lsp.client import BARE, EGLOT, NEOVIM, PROFILES, URI, VSCODE, Client, Refused
from tests.notation import table
from tests.snapshots import snapshot_of

ENCODINGS = {"utf-8": NEOVIM, "utf-16": VSCODE, "utf-32": EGLOT}
# Every kind of character that has been counted wrong somewhere: beyond the first plane,
# composed, wide, line ends of other worlds, and both of ours.
ODD = "a🦊é語\u2028\u0085\f\v\u200d👩\u200d🚀\t\x00\ufeff"


def text_of(client: Client, uri: str = URI) -> str:
    text: str = client.server.session.documents[uri].document.text
    return text


def send(client: Client, version: int, *changes: Any, uri: str = URI) -> None:
    identifier = {"uri": uri, "version": version}
    params = {"textDocument": identifier, "contentChanges": list(changes)}
    client.notify("textDocument/didChange", params)


def replace(start: tuple[int, int], end: tuple[int, int], text: str) -> dict[str, Any]:
    ends = [dict(zip(("line", "character"), place, strict=True)) for place in (start, end)]
    return {"range": {"start": ends[0], "end": ends[1]}, "text": text}


# A line, the units before the place where "!" is inserted, by encoding.
PLACES = {
    "ASCII": ("ab|c", 2, 2, 2),
    "an umlaut": ("ü|x", 2, 1, 1),
    "Chinese": ("語語|x", 6, 2, 2),
    "an emoji": ("🦊|x", 4, 2, 1),
    "a family": ("👩\u200d🚀|x", 11, 5, 3),
    "a line separator is not a line end": ("a\u2028b|c", 5, 3, 3),
    "a next line is not a line end": ("a\u0085b|c", 4, 3, 3),
    "a form feed is not a line end": ("a\fb|c", 3, 3, 3),
    "a byte order mark": ("\ufeffa|b", 4, 2, 2),
}


@pytest.mark.parametrize("number", range(3))
@table("line, utf8, utf16, utf32", PLACES)
def test_columns_are_counted_as_negotiated(
    line: str, utf8: int, utf16: int, utf32: int, number: int
) -> None:
    client = Client([NEOVIM, VSCODE, EGLOT][number])
    units = (utf8, utf16, utf32)[number]
    for ending in ("\n", "\r\n", "\r"):
        before = f"first{ending}{line.replace('|', '')}{ending}last"
        client.open(before)
        send(client, 2, replace((1, units), (1, units), "!"))
        assert text_of(client) == f"first{ending}{line.replace('|', '!')}{ending}last"


NEGOTIATIONS: dict[str, tuple[Any, str]] = {
    "nothing is said": ({}, "utf-16"),
    "an empty list": ({"general": {"positionEncodings": []}}, "utf-16"),
    "only UTF-8": ({"general": {"positionEncodings": ["utf-8"]}}, "utf-8"),
    "unknown ones first": ({"general": {"positionEncodings": ["utf-7", "utf-32"]}}, "utf-32"),
    "only unknown ones": ({"general": {"positionEncodings": ["utf-7"]}}, "utf-16"),
}


@table("capabilities, encoding", NEGOTIATIONS)
def test_what_is_negotiated_is_what_is_counted(capabilities: Any, encoding: str) -> None:
    client = Client(capabilities)
    assert client.encoding == client.server.session.encoding == encoding


# What is in the options, by what the client is able to; and what is counted then.
WISHES: dict[str, tuple[Any, Any, str]] = {
    "nothing else is said": ({}, "utf-8", "utf-8"),
    "something else is said": ({"general": {"markdown": {"parser": "x"}}}, "utf-8", "utf-8"),
    "the capabilities say it": ({"general": {"positionEncodings": ["utf-32"]}}, "utf-8", "utf-32"),
    "it is unknown": ({}, "utf-7", "utf-16"),
    "it is not a name": ({}, ["utf-8"], "utf-16"),
}


@table("capabilities, wish, encoding", WISHES)
def test_a_client_that_cannot_say_how_it_counts_says_it_in_its_options(
    capabilities: Any, wish: Any, encoding: str
) -> None:
    client = Client(capabilities, initializationOptions={"positionEncoding": wish})
    assert client.encoding == client.server.session.encoding == encoding


# What a client says that it saved, and what the document is afterwards.
SAVED: dict[str, tuple[str, str]] = {
    "as we have it": ("one\n\\n two\n", "one\n\\n two\n"),
    "another text": ("other\n", "other\n"),
    "line ends as ALE writes them": (r"one\n\n two\n", "one\n\\n two\n"),
    "another text in one line": (r"one\n two\n", r"one\n two\n"),
}


@table("text, expected", SAVED)
def test_what_was_saved_counts(text: str, expected: str) -> None:
    client = Client()
    client.open("one\n\\n two\n")
    client.notify("textDocument/didSave", {"textDocument": {"uri": URI}, "text": text})
    assert text_of(client) == expected


def test_half_a_surrogate_pair_is_the_start_of_its_character() -> None:
    client = Client(VSCODE)
    client.open("🦊x\n")
    send(client, 2, replace((0, 1), (0, 2), "!"))
    assert text_of(client) == "!x\n"


def test_every_change_is_applied_each_on_top_of_the_one_before() -> None:
    client = Client()
    client.open("one\ntwo\nthree\n")
    send(
        client,
        2,
        replace((0, 0), (1, 0), ""),
        replace((0, 0), (0, 3), "2\r\n2.5"),
        {"text": "all new\n"},
        replace((0, 3), (0, 7), " old"),
        replace((1, 0), (1, 0), "and more"),
    )
    assert text_of(client) == "all old\nand more"


def test_a_change_of_nothing_is_a_new_version() -> None:
    client = Client()
    client.open("one\n")
    send(client, 2)
    assert client.server.session.documents[URI].version == 2
    assert text_of(client) == "one\n"


def test_a_line_break_that_is_cut_in_two() -> None:
    client = Client()
    client.open("a\r\nb")
    send(client, 2, replace((0, 1), (1, 0), "\r"))
    send(client, 3, replace((1, 0), (1, 0), "\n"))
    assert text_of(client) == "a\r\nb"
    send(client, 4, replace((1, 1), (1, 1), "!"))
    assert text_of(client) == "a\r\nb!"


changes = st.lists(
    st.one_of(
        st.tuples(
            st.floats(0, 1), st.floats(0, 1), st.text(alphabet=ODD + "\r\n# %[^1]:", max_size=8)
        ),
        st.text(alphabet=ODD + "\r\n# %[^1]:", max_size=30),
    ),
    max_size=8,
)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data())
def test_the_texts_never_differ(encoding: str, data: st.DataObject) -> None:
    client = shared(encoding)
    start = "# %% user[^1]\r\n\r\n[^1]: [markdown]\n\n" + ODD + "\n# %% b\n"
    client.open(start)
    for change in data.draw(changes):
        text = client.texts[URI]
        if isinstance(change, str):
            client.versions[URI] += 1
            client.texts[URI] = change
            send(client, client.versions[URI], {"text": change})
        else:
            ends = sorted(_boundary(text, round(part * len(text))) for part in change[:2])
            client.change(Edit(Span(*ends), change[2]))
    assert text_of(client) == client.texts[URI]
    opened = client.server.session.documents[URI]
    fresh = Document.open(opened.path, client.texts[URI])
    rules = rules_of(fresh.format.name)
    wanted = Checker(snapshot_of(fresh, client.server.session.surroundings(opened.path)), rules)
    assert len(opened.checker.problems()) == len(wanted.problems())
    assert opened.version == client.versions[URI]


@cache
def shared(encoding: str) -> Client:
    """One client for all examples: a new one takes longer than they do."""
    return Client(ENCODINGS[encoding])


def _boundary(text: str, offset: int) -> int:
    """No client can name the place between the two characters of a line break."""
    return offset - 1 if text[offset - 1 : offset + 1] == "\r\n" and offset else offset


MOVES: dict[str, tuple[Any, bool]] = {
    "a key": (replace((0, 1), (0, 1), "x"), False),
    "a word": (replace((0, 0), (0, 3), "eins"), False),
    "a line break": (replace((0, 1), (0, 1), "\n"), True),
    "as many lines as before": (replace((0, 0), (2, 0), "1\n2\n"), True),
    "backwards": (replace((1, 0), (0, 0), ""), True),
    "what is between two breaks": (replace((2, 0), (2, 1), ""), True),
    "everything": ({"text": "one\ntwo\n\rx\n"}, True),
}


@table("change, moves", MOVES)
def test_whether_an_edit_may_have_moved_lines(change: Any, moves: bool) -> None:
    client = Client()
    client.open("one\ntwo\r-\n")
    before = client.server.session.documents[URI].moves
    send(client, 2, change)
    assert (client.server.session.documents[URI].moves != before) is moves


# -- documents of every kind --------------------------------------------------------------


def symbols(client: Client, uri: str) -> list[Any]:
    params = {"textDocument": {"uri": uri}}
    found: list[Any] = client.request("textDocument/documentSymbol", params)
    return found


def test_an_opened_document_may_be_opened_again() -> None:
    client = Client(NEOVIM)
    client.open("# %%% x[^1]\n")
    client.open("fresh\n", version=1)
    assert text_of(client) == "fresh\n"
    client.change(Edit(Span(0, 5), "really fresh"))
    assert text_of(client) == "really fresh\n"


def test_a_closed_document_is_gone_and_may_come_back() -> None:
    client = Client(NEOVIM)
    client.open("# %%% x[^1]\n")
    client.close()
    last = client.notifications("textDocument/publishDiagnostics")[-1]
    assert last["diagnostics"] == []
    with pytest.raises(Refused, match="not open"):
        symbols(client, URI)
    client.open("# %% user[^1]\n\n[^1]: [markdown]\n", version=1)
    assert len(symbols(client, URI)) >= 1


def test_a_document_without_a_file() -> None:
    client = Client(NEOVIM)
    uri = client.open("# %% user[^1]\n\n[^1]: [markdown]\n\nHi\n", uri="untitled:Untitled-1")
    assert client.server.session.get(uri).document.format.name == "msgmd"
    assert len(symbols(client, uri)) >= 1
    client.change(Edit(Span(0, 0), "# %%% bad[^2]\n\n"), uri=uri)
    published = client.notifications("textDocument/publishDiagnostics")[-1]
    assert (published["uri"], published["version"]) == (uri, 2)
    assert published["diagnostics"]


@pytest.mark.parametrize("uri", ["file:///notes.md", "untitled:Untitled-2", "vscode-vfs://x/a.md"])
def test_plain_markdown_is_left_in_peace(uri: str) -> None:
    client = Client(NEOVIM)
    client.open("# Notes\n\nSee [^1].\n\n[^1]: a footnote\n", uri=uri, language_id="markdown")
    (published,) = client.notifications("textDocument/publishDiagnostics")
    assert published["diagnostics"] == []
    client.change(Edit(Span(0, 7), "# More"), uri=uri)
    assert text_of(client, uri) == "# More\n\nSee [^1].\n\n[^1]: a footnote\n"


def test_documents_do_not_mix() -> None:
    client = Client()
    one, two = client.open("one\n", "file:///1.msg.md"), client.open("two\n", "file:///2.msg.md")
    client.change(Edit(Span(0, 3), "1"), uri=one)
    client.change(Edit(Span(0, 3), "2"), uri=two)
    assert (text_of(client, one), text_of(client, two)) == ("1\n", "2\n")


# -- what must not happen, and does -------------------------------------------------------


@pytest.mark.parametrize("part", ["document.document._Reparse.run", "rules.checker.Checker.update"])
def test_if_an_edit_fails_the_document_is_read_again(
    part: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(NEOVIM)
    client.open("# %% user[^1]\n\n[^1]: [markdown]\n\nHi\n")

    def fail(*args: Any) -> Any:
        raise ZeroDivisionError("on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(f"msgls.{part}", fail)
        client.change(Edit(Span(0, 4), "# %%%"), Edit(Span(0, 0), "\n"))
    assert "the document is read again" in caplog.text
    client.change(Edit(Span(0, 0), "\n"))
    assert text_of(client) == client.texts[URI]
    opened = client.server.session.documents[URI]
    fresh = Checker(snapshot_of(Document.open(opened.path, client.texts[URI])), rules_of("msgmd"))
    assert len(opened.checker.problems()) == len(fresh.problems()) > 0
    other = Client(NEOVIM)
    other.open(client.texts[URI])
    (wanted,) = other.notifications("textDocument/publishDiagnostics")
    published = client.notifications("textDocument/publishDiagnostics")[-1]
    assert published["diagnostics"] == wanted["diagnostics"]


def test_saving_compares(caplog: pytest.LogCaptureFixture) -> None:
    client = Client(BARE)
    client.open("ours\n")
    with caplog.at_level(logging.ERROR):
        for text in ("ours\n", None):
            params: dict[str, Any] = {"textDocument": {"uri": URI}}
            client.notify("textDocument/didSave", {**params, **({"text": text} if text else {})})
        assert caplog.text == ""
        client.notify("textDocument/didSave", {"textDocument": {"uri": URI}, "text": "theirs\n"})
    assert text_of(client) == "theirs\n"
    assert "the saved text differs from ours" in caplog.text
    send(client, 2, replace((0, 0), (0, 6), "next"))
    assert text_of(client) == "next\n"


@pytest.mark.parametrize("profile", PROFILES)
def test_the_server_asks_for_changes_in_pieces_and_for_the_saved_text(profile: str) -> None:
    sync = Client(PROFILES[profile]).capabilities["textDocumentSync"]
    assert sync["openClose"] is True
    assert sync["change"] == 2
    assert sync["save"] == {"includeText": True}
