"""CBM003: every line of a header starts with a semicolon."""

import pytest

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from tests.notation import each
from tests.rules.chatbuilder.support import PATH, UUID, WHOLE
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "CBM003"


def expected(mended: str) -> str:
    return f"this header line does not start with `;`: write `{mended}`"


@pytest.mark.parametrize(
    ("source", "mended"),
    [
        ("«role: user»\n\n\nHello\n", "; role: user"),
        ("; Version: 1.0.0\n«role: user»\n\n\nHello\n", "; role: user"),
        ("; Version: 1.0.0\n\n«role: user»\n\n\nHello\n", "; role: user"),
        (f"«{UUID}»\n; role: user\n\n\nHello\n", f"; Block-UUID: {UUID}"),
        (f"; Version: 1.0.0\n«{UUID.upper()}»\n\n\nx\n", f"; Block-UUID: {UUID.upper()}"),
        (f"«Block-UUID: {UUID}»\n; role: user\n\n\nHello\n", f"; Block-UUID: {UUID}"),
        ("; role: user\n«Version: 1.0.0»\n\n\nHello\n", "; Version: 1.0.0"),
        ("; Version: 1.0.0\n«  ; role: user»\n\n\nHello\n", "; role: user"),
        ("; Version: 1.0.0\n«\trole: user»\n\n\nHello\n", "; role: user"),
        # With one empty line too few, too.
        ("«role: user»\n\nHello\n", "; role: user"),
    ],
)
@each("newline", ["\n", "\r\n", "\r"])
def test_found_and_mended(source: str, mended: str, newline: str) -> None:
    source = source.replace("\n", newline)
    expect(CODE, source, expected(mended), path=PATH)
    before, rest = source.split("«")
    written, after = rest.split("»")
    plain = before + written + after
    fixed = before + mended + after
    expect_fix(CODE, plain, fixed, safe=True, name=f"Change to `{mended}`", path=PATH)
    documents = [Document.open(PATH, text) for text in (plain, fixed)]
    one, other = [read_document(document).messages for document in documents]
    assert one == other


def test_a_header_of_nothing_else() -> None:
    source = f"«Block-UUID: {UUID}»\n«Component: x»\n«role: user»\n\n\nHello\n"
    expect(CODE, source, path=PATH)


@pytest.mark.parametrize(
    "source",
    [
        WHOLE,
        # Below the separator it is text, and prose may follow one empty line.
        f"; role: user\n\n\nrole: user\n{UUID}\n",
        "; role: user\n\nVersion: 1.0.0\n",
        "; role: user\n\nHello\nrole: user\n",
        # Nearly one.
        "; role: user\nRole: user\n\n\nHello\n",
        f"; role: user\n{UUID[:-1]}\n\n\nHello\n",
        f"; role: user\nsee {UUID}\n\n\nHello\n",
        "; role: user\n\nrole: user and more\n\n\nHello\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source, path=PATH)


def test_it_follows_edits() -> None:
    source = "; Version: 1.0.0\n; role: user\n\n\nHello\n"
    edits = [("; role", "role"), ("; Version", "Version"), ("Version: 1.0.0", "; x")]
    assert expect_follows(CODE, source, *edits, path=PATH) == [0, 1, 2, 1]
