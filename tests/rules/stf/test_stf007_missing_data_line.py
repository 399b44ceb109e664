"""STF007: no line after `call` or `embed`."""

import pytest

from tests.rules.stf.support import expect, expect_nothing

CODE = "STF007"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@ai\n«@call» id=1\n@user\n", "the line with the call is missing: `name {…}`"),
        ("@ai\n«@call»", "the line with the call is missing: `name {…}`"),
        ("@ai\n«@embed»\n@# x\n", "the line with the path of the embedded file is missing"),
        ("@ai\n«@call»\n \t\nf {}\n", "the line with the call is blank"),
        ("@ai\n«@embed»\n\na.png\n", "the line with the path of the embedded file is blank"),
        ("@ai\n«@call»\n@embed\na.png\n", "the line with the call is missing: `name {…}`"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@ai\n@call\nf {}\n",
        "@ai\n@call\n@# x\n@/*\n\n@*/\nf {}\n",
        "@ai\n@embed\n;x\n",
        "@ai\n@call\n@@f {}\n",
        ";ai\n;call\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)
