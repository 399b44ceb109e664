"""CBM010: a lone semicolon stands before the role."""

import pytest

from tests.notation import each
from tests.rules.chatbuilder.support import PATH, WHOLE
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "CBM010"
MESSAGE = "the role is not set apart: add a line `;` before it"


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("; A: b\n«; role: user»\n\n\nx\n", "; A: b\n;\n; role: user\n\n\nx\n"),
        ("; A: b\n\n«; role: user»\n\n\nx\n", "; A: b\n\n;\n; role: user\n\n\nx\n"),
        (";\n; comment\n«; role: user»\n\n\nx\n", ";\n; comment\n;\n; role: user\n\n\nx\n"),
        ("; A: b\n«; role: who»\n; C: d\n\n\nx\n", "; A: b\n;\n; role: who\n; C: d\n\n\nx\n"),
        ("; A: b\n«role: user»\n\n\nx\n", "; A: b\n;\nrole: user\n\n\nx\n"),
    ],
)
@each("newline", ["\n", "\r\n", "\r"])
def test_found_and_mended(source: str, fixed: str, newline: str) -> None:
    source, fixed = source.replace("\n", newline), fixed.replace("\n", newline)
    expect(CODE, source, MESSAGE, path=PATH)
    plain = source.replace("«", "").replace("»", "")
    name = "Insert a line `;` before the role"
    expect_fix(CODE, plain, fixed, safe=True, name=name, path=PATH)


@pytest.mark.parametrize(
    "source",
    [
        WHOLE,
        "; role: user\n\n\nHello\n",
        "; role: user\n; A: b\n\n\nHello\n",
        "; A: b\n;  \n; role: user\n\n\nHello\n",
        "; A: b\n;\n\n; role: user\n\n\nHello\n",
        "; A: b\n\n\nHello\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source, path=PATH)


def test_it_follows_edits() -> None:
    edits = [("\n;\n", "\n"), ("; role", ";\n; role"), ("Hello", "x")]
    assert expect_follows(CODE, WHOLE, *edits, path=PATH) == [0, 1, 0, 0]
