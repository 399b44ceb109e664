"""STF009: the end of no block."""

import pytest

from tests.formats.stf.reading import said
from tests.rules.stf.support import expect, expect_fix, expect_nothing

CODE = "STF009"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@user\n«@end»\n", "this ends a block, but no block is open"),
        ("«@ end x»\n", "this ends a block, but no block is open"),
        ("@raw\n{}\n@end\n«@end»\n", "this ends a block, but no block is open"),
        ("@raw\n{}\n@user\n«@end»\n", "this ends a block, but no block is open"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    ["@raw\n{}\n@end\n", "@user\nend\n@@end\n;end\n", "@/*\n@end\n@*/\n", "@user\n@ending\n"],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("@user\nx\n@end\ny\n", "@user\nx\ny\n"),
        ("@user\nx\n@end", "@user\nx\n"),
        ("@ai\n@call\n@end\nf {}\n", "@ai\n@call\nf {}\n"),
    ],
)
def test_the_line_may_be_removed(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False, name="Remove the line")
    assert said(source) == said(fixed)


def test_the_line_may_be_text() -> None:
    source = "@ai\n@@interface Foo\n@end\n"
    name = "Treat it as text: double the prefix to `@@`"
    expect_fix(CODE, source, source.replace("\n@end", "\n@@end"), safe=False, name=name)
    assert said("@ai\n@@interface Foo\n@@end\n") == [("assistant", "@interface Foo\n@end")]
