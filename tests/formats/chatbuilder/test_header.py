"""The header: where it ends, and what its lines say."""

import pytest

from msgls.document.document import Document
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.text.spans import Span
from tests.notation import each, mark, table

UUID = "32d9afc7-aeac-4a67-ba94-0c92678604a1"


def header(text: str) -> MessageHeader:
    """The header of a text that is read as a message."""
    placed = Document.open("x", text, CHATBUILDER).first_cell()
    assert placed is not None
    assert isinstance(placed.cell, ChatBuilderCell)
    assert placed.cell.message_header is not None
    return placed.cell.message_header


# A bar stands where the body begins; two where nothing separates it.
ENDS = {
    "two empty lines": "; role: user\n\n\n|Hello\n",
    "more of them": "; role: user\n\n\n\n\n|Hello\n",
    "the body holds two again": "; role: user\n\n\n|Hello\n\n\n; role: system\n",
    "no body": "; role: user\n\n\n|",
    "no body, and more lines": "; role: user\n\n\n\n|",
    "one empty line in the header": "; a\n\n; role: user\n\n\n|Hello\n",
    "the first run counts": "; a\n\n\n|; role: user\n\n\nHello\n",
    "a body that looks like a header": "; role: user\n\n\n|; a\nrole: x\n",
    "a line of blanks starts the body": "; role: user\n\n\n|  \nHello\n",
    "empty lines first": "\n\n; role: user\n\n\n|Hello\n",
    "three of them": "\n\n\n|; role: user\n\n\nHello\n",
    "nothing at all": "\n\n\n|",
    "after a byte-order mark": "\ufeff; role: user\n\n\n|Hello\n",
    "one empty line": "; role: user\n\n||Hello\n",
    "none": "; role: user\n||Hello\n",
    "blanks in the first": "; role: user\n \n\n||Hello\n",
    "blanks in the second": "; role: user\n\n \n||Hello\n",
    "blanks between three": "; role: user\n\n \n\n\n|Hello\n",
    "text before the separator": "; role: user\n\n||Hello\n\n\nWorld\n",
    "a heading": "; role: user\n||# Hello\n",
    "no header": "||Hello\n\n\n; role: user\n",
    "the header alone": "; role: user\n||",
    "without a line break": "; role: user||",
    "other ends of lines do not count": "; a\u2028\u0085\f\v\n\n\n|Hello\n",
    "a vertical tab is text": "; role: user\n||\v\n\nHello\n",
}


@table("source", ENDS)
@each("newline", ["\n", "\r\n", "\r"])
def test_where_it_ends(source: str, newline: str) -> None:
    source = source.replace("\n", newline)
    if source.startswith("||"):
        text, separated = source[2:], False
    else:
        text, separated = source.replace("|", ""), "||" not in source
    found = header(text)
    assert text[: found.body_start] + "|" * (2 - found.separated) + text[found.body_start :] == (
        source
    )
    assert found.separated is separated


LINES = {
    "a field": ("; Version: 1.0.0", "Version", "1.0.0"),
    "no blank": (";Version:1.0.0", "Version", "1.0.0"),
    "many blanks": (";\t Version \t:  1.0.0 \t", "Version", "1.0.0"),
    "no value": ("; Version:", "Version", ""),
    "a value with colons": (
        "; Created-at: 2025-04-22T00:56:02",
        "Created-at",
        "2025-04-22T00:56:02",
    ),
    "a value with a semicolon": ("; Description: a; b", "Description", "a; b"),
    "a role": ("; role: user", "role", "user"),
    "any name": ("; X_y-9: z", "X_y-9", "z"),
    "wide characters": ("; Description: 見😀é", "Description", "見😀é"),
    "a bare role": ("role: user", "role", "user"),
    "a bare field": ("Version: 1.0.0", "Version", "1.0.0"),
    "an indented semicolon": ("  ; Version: 1.0.0", "Version", "1.0.0"),
    "a bare UUID": (UUID, "Block-UUID", UUID),
    "a bare UUID in blanks": (f"  {UUID} ", "Block-UUID", UUID),
}


@table("row", LINES)
@each("before", ["", "; x\n", "\ufeff"])
def test_fields(row: tuple[str, str, str], before: str) -> None:
    line, key, value = row
    text = f"{before}{line}\n\n\nHello\n"
    field = header(text).fields[-1]
    assert (field.key, field.value) == (key, value)
    assert field.line.of(text) == line
    assert field.value_span.of(text) == value
    assert field.key_span.of(text) in (key, "")
    assert header(text).lines[-1].bare is not line.startswith(";")


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ("; a comment", "a comment"),
        ("; two words: no field", "two words: no field"),
        ("; 9lives: no", "9lives: no"),
        ("; : x", ": x"),
        ("; see https://example.com", "see https://example.com"),
        (";;", ";"),
        (";", ""),
        (";  \t", ""),
    ],
)
def test_other_lines(line: str, comment: str) -> None:
    (found,) = header(f"{line}\n\n\nHello\n").lines
    assert (found.field, found.comment, found.is_lone) == (None, comment, not comment)


def test_the_first_one_of_two_counts() -> None:
    found = header("; role: user\n; A: 1\n; A: 2\n; role: system\n\n\nHello\n")
    assert [field.value for field in found.fields] == ["user", "1", "2", "system"]
    assert found.known_role == "user"
    field = found.get("A")
    assert field is not None
    assert field.value == "1"
    assert found.get("B") is None


def test_a_role_that_is_none() -> None:
    assert header("; role: tool\n\n\nHello\n").known_role is None
    assert header("; Role: user\n\n\nHello\n").role is None


def test_the_gap() -> None:
    text = "; role: user \n\n\n\nHello\n"
    assert header(text).gap == Span(13, 17)
    assert mark(text, [("", header(text).gap)]) == "; role: user «\n\n\n\n»Hello\n"
