"""STF009: the end of no block."""

from __future__ import annotations

import pytest

from tests.formats.stf.reading import said
from tests.rules.stf.support import expect, expect_fix, expect_nothing

CODE = "STF009"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@user\n«@end»\n", "no block is open that could end here"),
        ("«@ end x»\n", "no block is open that could end here"),
        ("@raw\n{}\n@end\n«@end»\n", "no block is open that could end here"),
        ("@raw\n{}\n@user\n«@end»\n", "no block is open that could end here"),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "@raw\n{}\n@end\n",
        "@user\nend\n@@end\n;end\n",
        "@/*\n@end\n@*/\n",
        "@user\n@ending\n",
    ],
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
def test_the_line_is_safely_removed(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=True, name="Remove the line")
    assert said(source) == said(fixed)


def test_the_line_that_tells_the_dialect_is_no_safe_removal() -> None:
    expect_fix(CODE, ";end\n@user\nx\n", "@user\nx\n", safe=False)
