"""STF012: something that must be JSON5 and is not."""

import pytest

from tests.rules.stf.support import expect, expect_fix, expect_nothing

CODE = "STF012"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@raw\n{role: «'»x}\n@end\n", "`'` is not closed"),
        ("@raw\n«{»role: 'x'\n@end\n", "`{` is not closed"),
        ("@raw\n{role: «}»\n@end\n", "unexpected `}` in JSON5"),
        ("@raw\n{\n@# note\nrole: «}»\n@end\n", "unexpected `}` in JSON5"),
        ("@raw\n{a: '\\\n@@b', c: «@»}\n@end\n", "unexpected `@` in JSON5"),
        ("@raw\n{} «x»\n@end\n", "`x` follows the end of the object"),
        ("@raw\n«{»role: 'x'\n@user\nx\n", "`{` is not closed"),
        ("@raw\n«[1]»\n@end\n", "this must be an object: `{…}`"),
        ("«@raw»\n\n@end\n", "JSON5 is missing here"),
        (";meta\n{a: «@»}\n;end\n;user\n", "unexpected `@` in JSON5"),
        (";user\n;extra\n{a: «1.2.3»}\n;end\n", "`1.2.3` is not a valid number"),
        ("@user {id: «}»\n", "unexpected `}` in JSON5"),
        ("@user id='\\«u»12'\n", "unexpected `u` in JSON5"),
        ("@ai\n@call\nf {a: «}»\n", "unexpected `}` in JSON5"),
        ("@ai\n@call\nf «[1]»\n", "this must be an object: `{…}`"),
        ("@ai\n@call\n«{a: 1}»\n", "the name of the tool is missing before its arguments"),
        ("@ai\n@call\n«f»\n", "the arguments of `f` are missing: an object must follow"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@raw\n{}\n@end\n",
        "@raw\n{ // x\n a: +.5, /* y */ }\n@end\n",
        "@raw\n{}\ntext\n",
        ";meta\n42\n;end\n;user\n;extra\n['a']\n;end\n",
        "@raw\n\n@user\n",
        "@ai\n@call\nf {a: 1} // x\n",
        "@user {id: 'a'} /* x */\n",
        "@user\n{a\n",
        "@ai\n@call\nf\t{}\n",
        "@raw\n{a: '\\\n@# no\nb'}\n@end\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_a_call_can_be_given_an_empty_object() -> None:
    expect_fix(CODE, "@ai\n@call\nf\n", "@ai\n@call\nf {}\n", safe=False)


def test_places_beyond_the_first_plane() -> None:
    expect(CODE, "@raw\r\n{'😀': 1, b: «}»\r\n@end\r\n")
