"""STF006: a comment that is never closed."""

import pytest

from tests.rules.stf.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "STF006"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@user\n«@/*» note\nx\n", "this comment is never closed, and hides everything after it"),
        ("«@ /*»\n@user\n", "this comment is never closed, and hides everything after it"),
        ("«@/*»\n@/*\n@*/\n", "this comment is never closed, and hides everything after it"),
        ("«@/*» a */\n@user\n", "this comment is never closed, and hides everything after it"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source", ["@/*\n@*/\n", "@user\n/* x\n", "@/*\n@/*\n@*/\n@ */\n", "@# /*\n"]
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_each_of_two_is_found() -> None:
    expect(CODE, "«@/*» a\n«@/*» b\n@user\n")


@pytest.mark.parametrize(
    ("source", "fixed", "name"),
    [
        ("@/* a */\n@user\n", "@// a */\n@user\n", "Make it a single-line comment, with `//`"),
        (
            "@user\n@/*\nx\n@ai\ny\n",
            "@user\n@/*\nx\n@*/\n@ai\ny\n",
            "Close it with `@*/` before the next message",
        ),
        ("@user\n;user\n@/*\nx", "@user\n;user\n@/*\nx\n@*/", None),
        (
            ";user\r\n;/*\r\n",
            ";user\r\n;/*\r\n;*/\r\n",
            "Close it with `;*/` at the end of the file",
        ),
    ],
)
def test_it_can_be_closed(source: str, fixed: str, name: str | None) -> None:
    expect_fix(CODE, source, fixed, safe=False, name=name)


def test_it_follows_what_closes_it() -> None:
    edits = (("end", "@*/"), ("@/*", "@//"), ("@*/", "x"))
    assert expect_follows(CODE, "@user\n@/*\n@ai\nx\n@ai\nend\n", *edits) == [1, 0, 0, 0]
