"""STF002: arguments that cannot be read."""

import pytest

from tests.rules.stf.support import expect, expect_nothing

CODE = "STF002"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@user «name»\n", "`name` has no value: write `key=value`, or one object"),
        ("@user «name=»\n", "`name=` has no value: write `key=value`, or one object"),
        ("@user «=a»\n", "`=a` is not an argument: write `key=value`, or one object"),
        ("@user name=«'a»\n", "the quote that opens here is not closed"),
        ("@user name='a'«b»\n", "`b` is not an argument: write `key=value`, or one object"),
        (
            "@user «Name»=a\n",
            (
                "`Name` is not a valid key: use lower-case letters, digits and "
                "`_`, starting with a letter"
            ),
        ),
        ("@user {id: «[1]»}\n", "the value must be a string or a number"),
        ("@ai\n@call «x»\nf {}\n", "`x` has no value: write `key=value`, or one object"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@user\n",
        "@user \t\n",
        "@user name = a\n",
        "@user name='a b' id=1\n",
        "@user {name: 'a b', id: 1} // x\n",
        "@user {name: 'a\n",
        "@raw\n{}\n@end = =\n",
        "@user\n@foo = =\n",
        "@user\nname\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)
