"""STF004: text where there is no message."""

import pytest

from tests.rules.stf.support import expect, expect_fix, expect_nothing

CODE = "STF004"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("«Hello»\n", "this text is not part of a message: a command such as `user` is missing"),
        (
            "\n \n« Hello»\nmore\n\n@user\n",
            "this text is not part of a message: a command such as `user` is missing",
        ),
        (
            "\ufeff«Hello»\n",
            "this text is not part of a message: a command such as `user` is missing",
        ),
        (
            "«Hello»\n;user\n",
            "this text is not part of a message: a command such as `user` is missing",
        ),
        (
            ";user\nx\n;flush\n\n«y»\nz\n",
            "this text is not part of a message: a command such as `user` is missing",
        ),
        (
            "@# a\n«@@x»\n",
            "this text is not part of a message: a command such as `user` is missing",
        ),
        ("«@call»\nf {}\n@user\n", "`call` is not part of a message: no message is open here"),
        ("«@embed»\na.png\n@user\n", "`embed` is not part of a message: no message is open here"),
        (
            "«;extra»\n{}\n;end\n;user\n",
            ("`extra` is not part of a message: no message is open here"),
        ),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "\n \t\n@user\nx\n",
        "@# x\n@user\n",
        "@/*\nx\n@*/\n@user\n",
        ";meta\n{}\n;end\n;user\n",
        ";user\nx\n;flush\n\n;ai\ny\n",
        "\ufeff\n@user\n",
        "\ufeff@user\nx\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_each_stretch_is_told_once() -> None:
    expect(CODE, "«a»\n;# b\nc\n;user\nx\n;flush\n«d»\n;# e\nf\n;flush\n«g»\n")


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("Hello\n", "@user\nHello\n"),
        ("\n  Hello\n;ai\n", "\n;user\n  Hello\n;ai\n"),
        ("\ufeffHello\r\n", "\ufeff@user\r\nHello\r\n"),
        (";user\n;flush\nx", ";user\n;flush\n;user\nx"),
        ("@call\nf {}\n", "@assistant\n@call\nf {}\n"),
    ],
)
def test_a_message_can_be_started(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False)
