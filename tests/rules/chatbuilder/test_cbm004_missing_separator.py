"""CBM004: two empty lines stand below the header."""

import pytest

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from tests.notation import each
from tests.rules.chatbuilder.support import PATH, WHOLE
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "CBM004"
MESSAGE = "two empty lines are needed between the header and the message"


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("«; role: user»\nHello\n", "; role: user\n\n\nHello\n"),
        ("«; role: user»\n\nHello\n", "; role: user\n\n\nHello\n"),
        ("; A: b\n«; role: user»\n\n# Hello\n", "; A: b\n; role: user\n\n\n# Hello\n"),
        # A line of blanks is not empty.
        ("«; role: user»\n \n\nHello\n", "; role: user\n\n\nHello\n"),
        ("«; role: user»\n\n\t\nHello\n", "; role: user\n\n\nHello\n"),
        # There is one further down: the message begins here anyway.
        ("«; role: user»\n\nHello\n\n\nWorld\n", "; role: user\n\n\nHello\n\n\nWorld\n"),
        # Nothing follows.
        ("«; role: user»\n", "; role: user\n\n\n"),
        ("«; role: user»\n\n", "; role: user\n\n\n"),
        ("\ufeff«; role: user»\n\nHello\n", "\ufeff; role: user\n\n\nHello\n"),
    ],
)
@each("newline", ["\n", "\r\n", "\r"])
def test_found_and_mended(source: str, fixed: str, newline: str) -> None:
    source, fixed = source.replace("\n", newline), fixed.replace("\n", newline)
    expect(CODE, source, MESSAGE, path=PATH)
    plain = source.replace("«", "").replace("»", "")
    name = "Insert two empty lines below the header"
    expect_fix(CODE, plain, fixed, safe=True, name=name, path=PATH)
    documents = [Document.open(PATH, text) for text in (plain, fixed)]
    one, other = [read_document(document).messages for document in documents]
    assert one == other


def test_a_file_without_any_line_break() -> None:
    expect(CODE, "«; role: user»", MESSAGE, path=PATH)
    expect_fix(CODE, "; role: user", "; role: user\n\n\n", safe=True, path=PATH)


@pytest.mark.parametrize(
    "source",
    [
        WHOLE,
        WHOLE.replace("\n", "\r\n"),
        "; role: user\n\n\n",
        "; role: user\n\n\n\n\n\nHello\n",
        "; role: user\n\n\n  \nHello\n",
        # One empty line may stand in a header.
        "; Version: 1.0.0\n\n; role: user\n\n\nHello\n",
        # No header at all.
        "Hello\n; role: user\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source, path=PATH)


def test_it_follows_edits() -> None:
    assert expect_follows(
        CODE,
        "; role: user\n\n\nHello\n\n\n# A\n",
        ("\n\n\n", "\n\n"),
        ("Hello", "\nHello"),
        ("\n\n\n", "\n"),
        ("Hello\n", ""),
        ("# A", "\n# A"),
        path=PATH,
    ) == [0, 1, 0, 1, 0, 0]
