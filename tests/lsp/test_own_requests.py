"""The requests that are not in the protocol: the language of a file, and text as content."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.client import URI, Client, Refused
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


@pytest.mark.parametrize(
    ("method", "params"),
    [
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
