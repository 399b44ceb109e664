"""Files as Windows, the network and people name them: from a URI to a path and back."""

import os
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from pygls import uris

from msgls.features.moving import mover
from msgls.formats.registry import detect
from msgls.lsp.handlers.links import resolve
from msgls.lsp.handlers.moving import _path
from msgls.lsp.invalidation import path_of
from tests.lsp.client import VSCODE, Client
from tests.notation import table

# How clients write the same file, and its path there.
WINDOWS = {
    "a drive": ("file:///c:/chats/a.msg.md", r"c:\chats\a.msg.md"),
    "a large letter": ("file:///C:/chats/a.msg.md", r"c:\chats\a.msg.md"),
    "a colon that is encoded": ("file:///c%3A/chats/a.msg.md", r"c:\chats\a.msg.md"),
    "blanks": ("file:///c:/my%20chats/a%20b.msg.md", r"c:\my chats\a b.msg.md"),
    "Chinese": ("file:///c:/%E5%AF%B9%E8%AF%9D/%E4%B8%80.msg.md", r"c:\对话\一.msg.md"),
    "Chinese as it is": ("file:///c:/对话/一.msg.md", r"c:\对话\一.msg.md"),
    "a share": ("file://server/share/a.msg.md", r"\\server\share\a.msg.md"),
    "a sharp and a percent": ("file:///c:/c%23/100%25.msg.md", r"c:\c#\100%.msg.md"),
    "a plus": ("file:///c:/a+b.msg.md", r"c:\a+b.msg.md"),
}


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """URIs are read as they would be on Windows."""
    monkeypatch.setattr(uris, "IS_WIN", True)


@pytest.mark.usefixtures("windows")
@table("uri, path", WINDOWS)
def test_a_uri_is_the_path_that_windows_has_for_it(uri: str, path: str) -> None:
    found = uris.to_fs_path(uri)
    assert found is not None
    assert PureWindowsPath(found) == PureWindowsPath(path)
    back = uris.from_fs_path(path)
    assert back is not None
    assert PureWindowsPath(uris.to_fs_path(back) or "") == PureWindowsPath(path)


POSIX = {
    "plain": ("file:///chats/a.msg.md", "/chats/a.msg.md"),
    "blanks": ("file:///my%20chats/a%20b.msg.md", "/my chats/a b.msg.md"),
    "Chinese": ("file:///%E5%AF%B9%E8%AF%9D/%E4%B8%80.msg.md", "/对话/一.msg.md"),
    "Chinese as it is": ("file:///对话/一.msg.md", "/对话/一.msg.md"),
    "an emoji": ("file:///%F0%9F%A6%8A.msg.md", "/🦊.msg.md"),
    "a backslash in a name": ("file:///a%5Cb.msg.md", "/a\\b.msg.md"),
    "a sharp and a percent": ("file:///c%23/100%25.msg.md", "/c#/100%.msg.md"),
}


@pytest.mark.skipif(os.name == "nt", reason="paths are others there")
@table("uri, path", POSIX)
def test_a_uri_is_the_path_that_others_have_for_it(uri: str, path: str) -> None:
    assert path_of(uri) == Path(path)


@pytest.mark.parametrize(
    "uri",
    [
        *(
            "untitled:Untitled-1",
            "git:/chats/a.msg.md?x",
            "vscode-notebook-cell:/a#b",
            "http://x/a",
        ),
        *("", "a.msg.md", "C:\\a.msg.md", "file", "zipfile:///a.zip::b.msg.md"),
    ],
)
def test_what_is_not_a_file_has_no_place(uri: str) -> None:
    assert path_of(uri) is None


STRANGE = (
    *("file:///c:/chats/a.msg.md", "file:///c%3A/chats/a.msg.md", "file://server/share/a.msg.md"),
    *(
        "file:///%E5%AF%B9.msg.md",
        "file:///100%25.msg.md",
        "file:///a%00b.msg.md",
        "file:///%ff.msg.md",
    ),
    *(
        "untitled:Untitled-1",
        "file:",
        "file://",
        "file:///",
        "FILE:///a.msg.md",
        "file://[x/a.msg.md",
    ),
)


@pytest.mark.parametrize("is_windows", [False, True])
@pytest.mark.parametrize("uri", STRANGE)
def test_whatever_a_document_is_called_it_is_served(
    uri: str, is_windows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uris, "IS_WIN", is_windows)
    client = Client(VSCODE)
    client.open("# %% Hi[^q]\n\nText\n", uri)
    where = {"textDocument": {"uri": uri}}
    symbols: Any = client.request("textDocument/documentSymbol", where)
    assert [symbol["name"] for symbol in symbols] == ["Hi"]
    report = client.request("textDocument/diagnostic", where)
    assert [found["code"] for found in report["items"]] == ["MSG101"]


@pytest.mark.parametrize(
    ("path", "format"),
    [
        (r"C:\chats\a.msg.md", "msgmd"),
        (r"\\server\share\a.msg.md", "msgmd"),
        (r"C:\对话\一.stf", "stf"),
        (r"C:\x\messages\user\1.md", "chatbuilder"),
        (r"C:\x\trees\messages\user\1.md", "plain"),
        (r"C:\x\agents.json", "agentsjson"),
        (r"C:\x\a.messages.jsonl", "msgjson"),
    ],
)
def test_a_format_is_known_by_a_path_of_windows(path: str, format: str) -> None:
    heads = {"chatbuilder": "; role: user\n", "plain": "; role: user\n"}
    head = heads.get(format, '{"agents": []}' if format == "agentsjson" else "")
    assert detect(path, head).name == format


LINKS = {
    "beside": ("file:///c:/chats/a.msg.md", "b.md", "file:///c:/chats/b.md"),
    "with a backslash": ("file:///c:/chats/a.msg.md", "sub\\b.md", "file:///c:/chats/sub/b.md"),
    "above": ("file:///c%3A/chats/a.msg.md", "../b.md", "file:///c%3A/b.md"),
    "on a share": ("file://server/share/a.msg.md", "b.md", "file://server/share/b.md"),
    "Chinese": ("file:///c:/a.msg.md", "一.md", "file:///c:/%E4%B8%80.md"),
}


@table("uri, target, wanted", LINKS)
def test_a_link_is_seen_from_its_document(uri: str, target: str, wanted: str) -> None:
    assert resolve(uri, target) == wanted


def test_a_move_is_the_same_however_its_uris_are_written() -> None:
    move = mover([(_path("file:///c%3A/a%20b"), _path("file:///c:/new"))])
    assert move(_path("file:///c:/a%20b/x.md")) == _path("file:///c%3A/new/x.md")
    assert PurePosixPath(_path("file:///c:/%E4%B8%80/")).name == "一"
