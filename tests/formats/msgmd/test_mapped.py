"""The content of a cell, and the way back to where it stands."""

import pytest

from msgls.document.document import Document
from msgls.formats.msgmd.mapped import mapped_call, mapped_content
from msgls.text.spans import Span

HEADER = "# %%% C[^a.n]\n\n"
OWN = "[^a.n]: [tool] name=x\n"
OTHER = "\n# %%% A[^a]\n"


@pytest.mark.parametrize(
    ("body", "content"),
    [
        (OWN + "\n<x/>\n\n", "<x/>"),
        (OWN, ""),
        ("", ""),
        ("one\n" + OWN + "two\n", "one\ntwo"),
        (OWN + "one\n[^a]: [gpt]\ntwo\n\\# %% three\n", "one\ntwo\n# %% three"),
        (OWN + "  🙂\n\\[^a]: [gpt]\n", "  🙂\n[^a]: [gpt]"),
        # Nobody's: it is content.
        (OWN + "[^b]: [gpt]\n", "[^b]: [gpt]"),
        (OWN.replace("\n", "\r\n") + "\r\none\r\n[^a]: [gpt]\r\ntwo\r\n", "one\r\ntwo"),
    ],
)
def test_each_character_is_found_where_it_stands(body: str, content: str) -> None:
    source = HEADER + body + OTHER
    document = Document.open("a.msg.md", source)
    placed = document.cell_number(0)
    mapped = mapped_content(document, placed)
    assert mapped.text == content
    for at, character in enumerate(content):
        assert mapped.in_cell(Span(at, at + 1)).of(source) == character
    if content:
        whole = mapped.in_cell(Span(0, len(content)))
        assert source[whole.start] == content[0]
        assert source[whole.end - 1] == content[-1]
        end = mapped.in_cell(Span(len(content), len(content)))
        assert end == Span(end.start, end.start)


@pytest.mark.parametrize(
    ("body", "xml"),
    [
        ("<x>\n</x>", "<x>\n</x>"),
        ("```xml\n\n  <x/>\n\n```", "  <x/>"),
        ("~~~\r\n<x/>\r\n~~~", "<x/>"),
        ("```\n```", ""),
        ("Words\n\n```\n<x/>\n```", "Words\n\n```\n<x/>\n```"),
        ("```\n<x/>\n```\n\n```\n<y/>\n```", "```\n<x/>\n```\n\n```\n<y/>\n```"),
    ],
)
def test_the_xml_of_a_call(body: str, xml: str) -> None:
    source = HEADER + OWN + "\n" + body + "\n"
    document = Document.open("a.msg.md", source)
    mapped = mapped_call(document, document.cell_number(0))
    assert mapped.text == xml
    for at, character in enumerate(xml):
        assert mapped.in_cell(Span(at, at + 1)).of(source) == character


def test_a_suppression_comment_is_not_content() -> None:
    source = HEADER + OWN + "one\n<!-- msgls: ignore MSG601 -->\nthree\n"
    document = Document.open("a.msg.md", source)
    mapped = mapped_content(document, document.cell_number(0))
    assert mapped.text == "one\nthree"
    assert mapped.in_cell(Span(4, 9)).of(source) == "three"
