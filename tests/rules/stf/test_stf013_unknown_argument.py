"""STF013: an argument that a command does not know."""

import pytest

from tests.rules.stf.support import expect, expect_fix, expect_nothing

CODE = "STF013"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@tool «callid»=1\n", "`tool` has no argument `callid`: it takes role, name, id, call_id"),
        (
            "@user {«'mood'»: 1}\n",
            "`user` has no argument `mood`: it takes role, name, id, call_id",
        ),
        ("@ai\n@call «name»=f\nf {}\n", "`call` has no argument `name`: it takes id"),
        ("@ai\n@embed «id»=1\na.png\n", "`embed` takes no arguments"),
        (";user\n;flush «id»=1\n", "`flush` takes no arguments"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@user role=user name=a id=b call_id=c\n",
        "@raw id=1\n{}\n@end\n",
        "@ai\n@call id=1\nf {}\n",
        "@raw\n{}\n@end x=1\n",
        "@foo x=1\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("@tool callid=1\n", "@tool call_id=1\n"),
        ("@tool {'callid': 1}\n", "@tool {'call_id': 1}\n"),
        ("@user nmae=x\n", "@user name=x\n"),
    ],
)
def test_a_similar_key_is_offered(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False)
