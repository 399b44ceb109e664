"""STF015: a command of the other dialect."""

import pytest

from tests.rules.stf.support import expect, expect_fix, expect_nothing

CODE = "STF015"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (
            "@user\n«;user»\n",
            (
                "this is read as text, because commands in this file start with `@`: did "
                "you mean a command?"
            ),
        ),
        (
            "@user\n«; ai» id=1\n",
            (
                "this is read as text, because commands in this file start with "
                "`@`: did you mean a command?"
            ),
        ),
        (
            ";user\n«@call»\n",
            (
                "this is read as text, because commands in this file start with `;`: did "
                "you mean a command?"
            ),
        ),
        (
            "@user\n«;flush»\n",
            (
                "this is read as text, because commands in this file start with `@`: did "
                "you mean a command?"
            ),
        ),
        (
            "@# x\n«;user»\n@user\n",
            (
                "this is read as text, because commands in this file start with "
                "`@`: did you mean a command?"
            ),
        ),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@user\n;; user\n; foo\n;# x\n;end\n",
        "@user\n; user of the thing\n",
        "@user\n ;user\n",
        "@/*\n;user\n@*/\n",
        "@raw\n;user\n@end\n",
        "@user\n;call\n",
        ";user\n@flush\n@alice\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_prefix_can_be_changed() -> None:
    expect_fix(CODE, "@user\n; ai id=1\nx\n", "@user\n@ ai id=1\nx\n", safe=False)
