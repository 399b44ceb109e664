"""STF018: a key of one letter."""

import pytest

from tests.rules.stf.support import expect, expect_nothing

CODE = "STF018"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@user «n»=Ann\n", "the key `n` is a single letter: some programs require at least two"),
        (
            "@user {«n»: 'Ann'}\n",
            ("the key `n` is a single letter: some programs require at least two"),
        ),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize("source", ["@user id=n\n", "@user {id: {n: 1}}\n", "@user\nn=1\n"])
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)
