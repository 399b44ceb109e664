"""STF005: the end of no comment."""

import pytest

from tests.rules.stf.support import expect, expect_fix, expect_nothing

CODE = "STF005"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@user\n«@*/»\n", "this ends a comment, but no comment is open"),
        ("«@ */ x»\n@user\n", "this ends a comment, but no comment is open"),
        ("@/*\n@*/\n«@*/»\n", "this ends a comment, but no comment is open"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize("source", ["@/*\n@/*\n@*/\n@*/\n", "@user\n*/\n@@*/\n;*/\n", "@/*\n"])
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_line_can_be_removed() -> None:
    expect_fix(CODE, "@user\nx\n@*/\ny\n", "@user\nx\ny\n", safe=False, name="Remove the line")
    expect_fix(CODE, "@user\r\n@*/ x", "@user\r\n", safe=False)
