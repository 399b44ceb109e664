"""STF017: line ends that are more than a line feed."""

import pytest

from tests.formats.stf.reading import said
from tests.rules.stf.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "STF017"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (
            "@user«\r\n»x\r\n@ai\r\n",
            "lines end with a carriage return: line feeds are strongly recommended",
        ),
        (
            "@user\nx\n@ai«\r»y",
            "lines end with a carriage return: line feeds are strongly recommended",
        ),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize("source", ["@user\nx\n", ""])
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("@user\r\nx\r\n\r\n@ai\r\n", "@user\nx\n\n@ai\n"),
        ("@user\rx\r\ry\n", "@user\nx\n\ny\n"),
        ("\ufeff@raw\r\n{role: 'user',\r\ncontent: 'a\\\r\nb'}\r\n@end", None),
    ],
)
def test_all_are_safely_converted(source: str, fixed: str | None) -> None:
    fixed = fixed or source.replace("\r\n", "\n")
    expect_fix(CODE, source, fixed, safe=True)
    assert said(source) == said(fixed)


def test_it_follows_edits() -> None:
    edits = (("\r", ""), ("x", "\r\n"), ("@user", "@ai\r\n@user"))
    assert expect_follows(CODE, "@user\nx\n@ai\ny\r\n", *edits) == [1, 0, 1, 1]
