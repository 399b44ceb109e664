"""What is pasted or dropped becomes a link, where that is what a person means."""

import pytest

from msgls.document.document import Document
from msgls.features.linking import link_over, links_to
from tests.notation import unmark

URL = "https://example.org/a?b=c#d"
TALK = "/w/a/talk.msg.md"
START = "# %% T[^m1]\n\n[^m1]: [markdown]\n\n"


def over(source: str, address: str = URL, name: str = "a.msg.md") -> str | None:
    marked = unmark(START + source)
    return link_over(Document.open(name, marked.text), marked.span(), address)


def to(*files: str, source: str = "¦", name: str = "a.msg.md") -> str | None:
    marked = unmark(START + source)
    return links_to(Document.open(name, marked.text), marked.cursor, TALK, files)


@pytest.mark.parametrize("words", ["the docs", "文档", "🦊", "a `b`"])
def test_words_become_a_link(words: str) -> None:
    assert over(f"See «{words}» here.") == f"[{words}]({URL})"
    assert over(f"`code` «{words}»", f" {URL}\n") == f"[{words}]({URL})"


@pytest.mark.parametrize(
    "source",
    [
        "See «».",
        "See « ».",
        "«two\nlines»",
        "«https://x.y»",
        "«[a](b)»",
        "in `«code»`",
        "[a](«target»)",
        "```python\n«x» = 1\n```",
        "```\n«x»",
        "- ~~~\n  «x»\n",
    ],
)
def test_code_links_and_addresses_do_not(source: str) -> None:
    assert over(source) is None


@pytest.mark.parametrize(
    "text", ["", "see https://x.y", "https://x.y and", "a:b", "javascript:alert(1)"]
)
def test_only_an_address_makes_a_link(text: str) -> None:
    assert over("«words»", text) is None


def test_what_would_end_a_target_is_enclosed() -> None:
    assert over("«it»", "https://x.y/a(b)") == "[it](<https://x.y/a(b)>)"


def test_a_closed_fence_is_over() -> None:
    assert over("```\nx\n```\n«it»") == f"[it]({URL})"


@pytest.mark.parametrize(
    ("file", "link"),
    [
        ("/w/a/notes.md", "[notes.md](notes.md)"),
        ("/w/pics/my garden (1).png", "![](../pics/my%20garden%20%281%29.png)"),
        ("/w/a/资料 100%.md", "[资料 100%.md](资料%20100%25.md)"),
        ("/w/a/X.PNG", "![](X.PNG)"),
    ],
)
def test_a_file_is_linked_as_it_is_seen_from_the_document(file: str, link: str) -> None:
    assert to(file) == link


def test_files_are_linked_one_after_the_other_and_not_in_code() -> None:
    assert to("/w/a/b.md", "/w/a/c.md") == "[b.md](b.md) [c.md](c.md)"
    assert to("/w/a/b.md", source="```\n¦") is None
    assert to("/w/a/b.md", source="```\nx¦y\n```") is None


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.stf", "@user\n\n```\n¦\n```\n"), ("1.md", "; role: user\n\n\n```\n¦\n```\n")],
)
def test_it_holds_in_every_format_that_has_prose(name: str, text: str) -> None:
    marked = unmark(text)
    document = Document.open(name, marked.text)
    assert links_to(document, marked.cursor, TALK, ["/w/a/b.md"]) is None
    assert links_to(document, len(marked.text), TALK, ["/w/a/b.md"]) == "[b.md](b.md)"


def test_json_takes_no_links() -> None:
    document = Document.open("a.messages.json", '[{"role": "user", "content": "it"}]')
    assert links_to(document, 30, TALK, ["/w/a/b.md"]) is None
