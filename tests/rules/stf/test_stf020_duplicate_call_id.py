"""STF020: two calls with one id."""

import pytest

from tests.rules.stf.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "STF020"


@pytest.mark.parametrize(
    "marked",
    [
        "@ai\n@call id=c1\nf {}\n@call id=«c1»\ng {}\n",
        "@ai\n@call id=c1\nf {}\n@ai\n@call id=«'c1'»\ng {}\n@ai\n@call id=«c1»\nh {}\n",
        "@ai\n@call id=c1\nf {}\n@raw\n{tool_calls: [{id: «'c1'», name: 'f'}]}\n@end\n",
        ";raw\n{tool_calls: [{id: 'a', name: 'f'}, {id: «'a'», name: 'g'}]}\n;end\n",
    ],
)
def test_it_is_found(marked: str) -> None:
    expect(CODE, marked)


def test_what_it_says() -> None:
    expect(
        CODE,
        ("@ai\n@call id=c\nf {}\n@call id=«c»\nf {}\n"),
        "an earlier call already has the id `c`",
    )


@pytest.mark.parametrize(
    "source",
    [
        "@ai\n@call id=c1\nf {}\n@call id=c2\ng {}\n@tool call_id=c1\nx\n@tool call_id=c1\ny\n",
        "@ai\n@call\nf {}\n@call\ng {}\n",
        "@ai id=c1\n@call id=c1\nf {}\n",
        "@ai\n@@call id=c1\n@call id=c1\nf {}\n@/*\n@call id=c1\n@*/\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (
            "@ai\n@call id=c1\nf {}\n@call id=c2\nf {}\n@call id=c1\ng {}\n",
            "@ai\n@call id=c1\nf {}\n@call id=c2\nf {}\n@call id=c3\ng {}\n",
        ),
        # Parallel calls: the results come in their order.
        (
            "@ai\n@call id=x\nf {}\n@call id=x\ng {}\n@tool call_id=x\na\n@tool call_id=x\nb\n",
            "@ai\n@call id=x\nf {}\n@call id=x2\ng {}\n@tool call_id=x\na\n@tool call_id=x2\nb\n",
        ),
        (
            "@ai\n@call id=x\nf {}\n@tool call_id=x\n@ai\n@call id=x\ng {}\n@tool call_id=x\n",
            "@ai\n@call id=x\nf {}\n@tool call_id=x\n@ai\n@call id=x2\ng {}\n@tool call_id=x2\n",
        ),
    ],
)
def test_it_gets_the_next_free_id(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False)


def test_it_follows_edits() -> None:
    source = "@ai\n@call id=c1\nf {}\n@ai\n@call id=c2\ng {}\n"
    assert expect_follows(CODE, source, ("c2", "c1"), ("id=c1", "id=c3")) == [0, 1, 0]
