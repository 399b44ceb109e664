"""STF010: a command inside a block."""

import pytest

from msgls.text.spans import Span
from tests.rules.stf.support import PATH, expect, expect_nothing
from tests.rules.support import find

CODE = "STF010"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@raw\n{\n«@call» id=1\n}\n@end\n", "commands are not allowed in the block of `raw`"),
        ("@raw\n«@foo»\n{}\n@end\n", "commands are not allowed in the block of `raw`"),
        (";meta\n«;flush»\n{}\n;end\n", "commands are not allowed in the block of `meta`"),
        (";user\n;extra\n«;meta»\n{}\n;end\n", "commands are not allowed in the block of `extra`"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@raw\n{}\n@user\n",
        "@raw\n@# x\n{}\n@/*\n@call\n@*/\n@end\n",
        "@raw\n@@call\n@end\n@call\nf {}\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_block_is_related() -> None:
    _, [problem] = find(CODE, "@raw\n{\n@call\n}\n@end\n", PATH)
    assert [related.span for related in problem.related] == [Span(0, 4)]
