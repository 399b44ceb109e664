"""STF016: an embedded file that is not there."""

import pytest

from msgls.document.snapshot import Surroundings
from tests.rules.stf.support import expect, expect_nothing

CODE = "STF016"

HERE = Surroundings(exists=lambda path: path == "a.png")


@pytest.mark.parametrize(
    "marked",
    [
        "@user\n@embed\n«b.png»\n",
        "@user\n@embed\n@# x\n «../b c.png» \nx\n",
        "@user\n@embed\n«@b»\n",
    ],
)
def test_it_is_found(marked: str) -> None:
    source = marked.replace("«@b", "@«@b")
    expect(CODE, source, surroundings=HERE)


@pytest.mark.parametrize(
    "target",
    [
        "a.png",
        "/b.png",
        "\\\\host\\b.png",
        "~/b.png",
        "https://example.org/b.png",
        "data:image/png;base64,aGk=",
        "c:\\b.png",
        "",
    ],
)
def test_nothing_is_found(target: str) -> None:
    expect_nothing(CODE, f"@user\n@embed\n{target}\n", surroundings=HERE)


def test_where_nobody_knows_nothing_is_said() -> None:
    expect_nothing(CODE, "@user\n@embed\nb.png\n")


def test_its_words() -> None:
    expect(CODE, "@user\n@embed\n«b.png»\n", "there is no file `b.png`", surroundings=HERE)
