"""STF001: a command that there is not."""

import pytest

from tests.rules.stf.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "STF001"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@user\n@«foo»\n", "unknown command `foo`"),
        ("@user\n@ «foo» a=b\n", "unknown command `foo`"),
        ("@«User»\nx\n", "unknown command `User`"),
        ("@user\n@«user:»\n", "unknown command `user:`"),
        ("@user\n@«user2»\n", "unknown command `user2`"),
        ("@user\n«@»\n", "no command follows the prefix `@`"),
        ("@user\n«@» {a: 1}\n", "no command follows the prefix `@`"),
        ("@user\n@«ending»\n", "unknown command `ending`"),
        ("@user\n@«meta»\n", "`meta` is a command of the dialect `;`, not of `@`"),
        (";user\n;«call»\n", "`call` is a command of the dialect `@`, not of `;`"),
        ("\ufeff@«Foo»\n", "unknown command `Foo`"),
        ("@user\r\n😀\r\n@«foo»\r\n", "unknown command `foo`"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@user\n@@foo\n",
        "@user\nfoo @bar\n",
        "@user\n;foo\n",
        "@user\n@# foo\n",
        "@/*\n@foo\n@*/\n@user\n",
        "@raw\n{}\n@foo\n@end\n",
        "@ user\n@\tai\n",
        "@user\n@end foo\n",
        "@msg{role:'user'}\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_capitals_may_be_meant_as_a_command() -> None:
    expect_fix(CODE, "@USER id=1\nx\n", "@user id=1\nx\n", safe=False, name="Change to `user`")
    expect_fix(CODE, "@raw\n{}\n@end\n@End\n", "@raw\n{}\n@end\n@end\n", safe=False)


def test_an_annotation_in_java_may_be_text() -> None:
    source = "@ai\n@Tool\nclass X {}\n"
    assert [(name, safe) for name, safe, _ in fixes(CODE, source)] == [
        ("Change to `tool`", False),
        ("Treat it as text: double the prefix to `@@`", False),
    ]
    expect_fix(CODE, source, source.replace("@Tool", "@@Tool"), safe=False)


def test_a_similar_command_is_offered() -> None:
    source = "@user\nx\n@asistant\ny\n"
    expect_fix(CODE, source, source.replace("asi", "assi"), safe=False)
    expect_fix(CODE, ";user\n;flsh\n", ";user\n;flush\n", safe=False)


def test_the_line_can_become_text() -> None:
    name = "Treat it as text: double the prefix to `@@`"
    expect_fix(CODE, "@user\n@Alice hi\n", "@user\n@@Alice hi\n", safe=False, name=name)
    expect_fix(CODE, "@user\n@ Alice\n", "@user\n@@ Alice\n", safe=False, name=name)
    # The prefix is that of the line, though the word begins with one, too.
    expect_fix(CODE, "@user\n@ @ x\n", "@user\n@@ @ x\n", safe=False, name=name)
    expect_fix(CODE, "@user\n@ @Alice\n@\n", "@user\n@@ @Alice\n@\n", safe=False, name=name)


def test_it_follows_the_dialect() -> None:
    edits = (("@user", ";user"), ("@foo", ";foo"), (";foo", ";ai"))
    assert expect_follows(CODE, "@user\nx\n@foo\n", *edits) == [1, 0, 1, 0]
