"""STF011: a message without a role."""

import pytest

from msgls.rules.base import Severity
from tests.formats.stf.reading import said
from tests.rules.stf.support import PATH, expect, expect_fix, expect_follows, expect_nothing, fixes
from tests.rules.support import find

CODE = "STF011"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("«@msg»\nx\n", "`msg` has no role, and there is no earlier message to take one from"),
        (
            "x\n@# y\n«@message» id=1\n",
            "`message` has no role, and there is no earlier message to take one from",
        ),
        (
            "@msg role=«usr»\n",
            "services do not know the role `usr`: the message is sent as the user's",
        ),
        (
            "@msg {role: «'User'»}\n",
            "services do not know the role `User`: the message is sent as the user's",
        ),
        ("«@raw»\n{content: 'x'}\n@end\n", "the object of this message has no `role`"),
        ("«@raw»\n{role: 1}\n@end\n", "the object of this message has no `role`"),
        (
            "«@raw»\n{role: 'bot'}\n@end\n",
            "services do not know the role `bot`: the message is sent as the user's",
        ),
        (
            "@raw role=«bot»\n{}\n@end\n",
            "services do not know the role `bot`: the message is sent as the user's",
        ),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@user\n@msg\n",
        "@msg role=user\n@msg\n@msg\n",
        "@raw\n{role: 'user'}\n@end\n@msg\n",
        "@raw role=user\n{}\n@end\n",
        "@raw\n{\n@end\n",
        "@msg role=developer\n",
        "@dev\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_each_one_is_found_until_a_role_is_said() -> None:
    expect(CODE, "«@msg»\nx\n«@msg»\ny\n@ai\n@msg\nz\n")


def test_a_similar_role_is_offered() -> None:
    expect_fix(CODE, "@msg role=usr\n", "@msg role=user\n", safe=False, name="Change to `user`")


def test_an_alias_of_a_command_means_its_role() -> None:
    assert fixes(CODE, "@msg role=ai\n") == [
        ("Change to `assistant`", False, "@msg role=assistant\n")
    ]


def test_a_role_is_free_text() -> None:
    _, [problem] = find(CODE, "@msg role=narrator\nx\n", PATH)
    assert problem.severity is Severity.HINT
    assert said("@msg role=narrator\nx\n") == [("user", "x")]


def test_it_follows_the_messages_before() -> None:
    edits = (("@user\nx\n", ""), ("@msg\ny", "@ai\ny"))
    assert expect_follows(CODE, "@user\nx\n@msg\ny\n@msg\nz\n", *edits) == [0, 2, 0]
