"""CBM002: a role is one of three."""

import pytest

from tests.rules.chatbuilder.support import PATH
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "CBM002"


@pytest.mark.parametrize(
    ("role", "message"),
    [
        ("assisant", "unknown role `assisant`: did you mean `assistant`?"),
        ("User", "unknown role `User`: did you mean `user`?"),
        ("human", "unknown role `human`: did you mean `user`?"),
        ("AI", "unknown role `AI`: did you mean `assistant`?"),
        ("tool", "unknown role `tool`: use `user`, `assistant` or `system`"),
        ("user now", "unknown role `user now`: use `user`, `assistant` or `system`"),
        ("[user]", "unknown role `[user]`: did you mean `user`?"),
    ],
)
def test_found(role: str, message: str) -> None:
    expect(CODE, f"; role: «{role}»\n\n\nHello\n", message, path=PATH)
    expect(CODE, f"; A: 😀\r\n;role:\t«{role}» \r\n\r\n\r\nHello\r\n", message, path=PATH)


@pytest.mark.parametrize("role", ["user", "assistant", "system", ""])
def test_nothing_is_found(role: str) -> None:
    expect_nothing(CODE, f"; role: {role}\n\n\nHello\n", path=PATH)
    expect_nothing(CODE, f"role: {role}\n\n\nHello\n", path=PATH)
    # In the body it is text, and of two the first one counts.
    expect_nothing(CODE, f"; role: {role}\n\n\n; role: nobody\n", path=PATH)
    expect_nothing(CODE, f"; role: {role}\n; role: nobody\n\n\nHello\n", path=PATH)


def test_what_was_meant_is_offered() -> None:
    before, after = "; role: assisant\n\n\nHello\n", "; role: assistant\n\n\nHello\n"
    expect_fix(CODE, before, after, safe=False, name="Change to `assistant`", path=PATH)
    assert len(fixes(CODE, before, path=PATH)) == 1


def test_else_every_role_is_offered() -> None:
    found = fixes(CODE, "; role: tool\n\n\nHello\n", path="messages/a/2.md")
    assert [text for _, _, text in found] == [
        f"; role: {role}\n\n\nHello\n" for role in ("assistant", "user", "system")
    ]


def test_it_follows_edits() -> None:
    source = "; role: user\n\n\nHello\n"
    edits = [("user", "usr"), ("usr", "user"), ("user", "")]
    assert expect_follows(CODE, source, *edits, path=PATH) == [0, 1, 0, 0]
