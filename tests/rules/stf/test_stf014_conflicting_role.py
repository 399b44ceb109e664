"""STF014: two roles."""

import pytest

from tests.rules.stf.support import expect, expect_nothing

CODE = "STF014"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (
            "@user «role=system»\n",
            "the role `system` has no effect: the message has the role `user`",
        ),
        (
            "@ai {«role: 'user'»}\n",
            "the role `user` has no effect: the message has the role `assistant`",
        ),
        (
            "@raw «role=user»\n{role: 'tool'}\n@end\n",
            "the role `user` has no effect: the message has the role `tool`",
        ),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@user role=user\n",
        "@ai role=assistant\n",
        "@msg role=system\n",
        "@raw role=user\n{}\n@end\n",
        "@raw role=user\n{role: 'user'}\n@end\n",
        "@user role=\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)
