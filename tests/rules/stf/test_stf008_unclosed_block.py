"""STF008: a block that is not ended."""

import pytest

from tests.formats.stf.reading import said
from tests.rules.stf.support import expect, expect_fix, expect_nothing

CODE = "STF008"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("«@raw»\n{}\n", "the block of `raw` is not closed: `@end` is missing"),
        ("«@raw» id=1\n{}\n@user\nx\n", "the block of `raw` is not closed: `@end` is missing"),
        ("«;meta»\n{}\n;user\n", "the block of `meta` is not closed: `;end` is missing"),
        (";user\n«;extra»\n{}\n;flush\n", "the block of `extra` is not closed: `;end` is missing"),
        ("«@raw»\n{}\n;end\n", "the block of `raw` is not closed: `@end` is missing"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@raw\n{}\n@end\n",
        "@raw\n{}\n@# x\n@ end x\n",
        "@user\n;raw\n",
        "@raw\n{}\n@/*\n",
        "@user\nx\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("@raw\n{role: 'user'}", "@raw\n{role: 'user'}\n@end"),
        ("@raw\n{}\n@user\nx\n", "@raw\n{}\n@end\n@user\nx\n"),
        (";user\r\n;extra\r\n{}\r\n", ";user\r\n;extra\r\n{}\r\n;end\r\n"),
    ],
)
def test_it_is_safely_ended(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=True)
    assert said(source) == said(fixed)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (
            "@raw\n{role: 'user',\n content: 'a'}\nb\n@ai\n",
            "@raw\n{role: 'user',\n content: 'a'}\n@end\nb\n@ai\n",
        ),
        ("@raw\n{role: 'user'} b\n@ai\n", "@raw\n{role: 'user'} b\n@end\n@ai\n"),
        ("@raw\n", "@raw\n@end\n"),
    ],
)
def test_it_is_ended_and_says_something_else(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False)
