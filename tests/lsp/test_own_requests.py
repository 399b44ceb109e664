"""The requests that are not in the protocol: the language of a file, and text as content."""

import re
from typing import Any

import pytest

from msgls.lsp.server import TABLE
from tests.lsp.client import URI, Client, Refused
from tests.lsp.wire import ROOT
from tests.notation import table

ACTIVATED = "---\nmessage_section: Discussion\n---\n\n# Discussion\n"

FILES = {
    "by its name": ("file:///a/b.msg.md", "", "msgmd"),
    "by its frontmatter": ("file:///a/b.md", ACTIVATED, "msgmd"),
    "with blanks in its name": ("file:///a/b%20c.md", ACTIVATED, "msgmd"),
    "a plain one": ("file:///a/b.md", "# %% T\n", None),
    "another kind of file": ("file:///a/b.txt", ACTIVATED, None),
}


@table("case", FILES)
def test_the_language_of_a_file(case: tuple[str, str, str | None]) -> None:
    uri, head, language_id = case
    answer = Client().request("msgls/languageOf", {"uri": uri, "head": head})
    assert answer == {"languageId": language_id}


def test_text_as_content() -> None:
    client = Client()
    client.open("# %% 🦊[^m1]\n\n[^m1]: [raw]\n\n🦊\n")
    place = {"uri": URI, "position": {"line": 5, "character": 0}}
    assert client.request("msgls/asContent", {**place, "text": "# %% T"}) == {"text": "\\# %% T"}


def test_what_is_pasted_as_a_link() -> None:
    client = Client()
    client.open("# %% 🦊[^m1]\n\n[^m1]: [raw]\n\n🦊 it\n")
    ends = {"start": {"line": 4, "character": 3}, "end": {"line": 4, "character": 5}}
    place = {"uri": URI, "range": ends}
    folder = URI.rpartition("/")[0]
    asked: list[tuple[dict[str, Any], str | None]] = [
        ({"address": "https://x.y"}, "[it](https://x.y)"),
        ({"files": [f"{folder}/a%20b.png"]}, "![](a%20b.png)"),
        ({"files": ["untitled:a.png"]}, None),
        ({"files": ["file://other/a.png"]}, None),
        ({}, None),
    ]
    for what, text in asked:
        assert client.request("msgls/link", {**place, **what}) == {"text": text}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("msgls/link", {"uri": URI, "address": "https://x.y"}),
        ("msgls/link", {"uri": URI, "range": {}, "address": 3}),
        ("msgls/link", {"uri": URI, "range": {}, "files": "a"}),
        ("msgls/link", {"uri": URI, "range": {}, "files": [1]}),
        ("msgls/languageOf", {"uri": "file:///a.md"}),
        ("msgls/languageOf", {"uri": 1, "head": ""}),
        ("msgls/asContent", {"uri": URI, "text": "a"}),
        ("msgls/asContent", {"uri": URI, "text": "a", "position": {"line": 0}}),
        ("msgls/asContent", {"uri": URI, "text": "a", "position": {"line": -1, "character": 0}}),
        ("msgls/asContent", {"uri": URI, "text": 1, "position": {"line": 0, "character": 0}}),
        ("msgls/asContent", {"uri": URI, "text": "a", "position": 3}),
    ],
)
def test_what_is_missing_is_said(method: str, params: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        Client().request(method, params)
    assert refused.value.code == -32602


def test_what_other_clients_can_ask_is_documented() -> None:
    page = (ROOT / "docs/clients.md").read_text("utf-8")
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "server/msgls").rglob("*.py"))
    sent = set(re.findall(r'(?:ask|notify)\(\s*"(msgls/\w+)"', source))
    assert sent == {"msgls/input", "msgls/kernels"}
    asked = {route.method for route in TABLE if route.method.startswith("msgls/")}
    assert set(re.findall(r"^\| `(msgls/\w+)`", page, re.MULTILINE)) == asked | sent
    options = set(re.findall(r'option\("(\w+)"\)', source))
    assert {"takesLive", "trusted"} < options
    assert [name for name in options if f"| `{name}` |" not in page] == []
