"""CBM007: a field stands once."""

import pytest

from msgls.text.spans import Span
from tests.rules.chatbuilder.support import PATH, UUID, WHOLE
from tests.rules.support import expect, expect_follows, expect_nothing, find

CODE = "CBM007"


@pytest.mark.parametrize(
    ("source", "field"),
    [
        ("; Version: 1.0.0\n; «Version»: 1.0.0\n\n\nHello\n", "Version"),
        ("; role: user\n; «role»: user\n\n\nHello\n", "role"),
        ("; Mine: 1\n;\n\n; «Mine»: 2\n\n\nHello\n", "Mine"),
        (f"; Block-UUID: {UUID}\n«{UUID}»\n\n\nHello\n", "Block-UUID"),
        (f"{UUID}\n; «Block-UUID»: {UUID}\n\n\nHello\n", "Block-UUID"),
    ],
)
def test_the_later_one_is_found(source: str, field: str) -> None:
    message = f"duplicate field `{field}`: the first one is used"
    expect(CODE, source, message, path=PATH)


def test_the_first_one_is_related() -> None:
    _, problems = find(CODE, "; A: 1\n; A: 2\n; A: 3\n\n\nHello\n", PATH)
    assert [[related.span for related in problem.related] for problem in problems] == [
        [Span(2, 3)],
        [Span(2, 3)],
    ]


@pytest.mark.parametrize(
    "source",
    [
        WHOLE,
        # Another case is another field, and a comment is none.
        "; Version: 1.0.0\n; version: 1.0.0\n\n\nHello\n",
        "; a comment\n; a comment\n\n\nHello\n",
        "; role: user\n\n\n; role: user\n",
        "; msgls: ignore CBM005\n; msgls: ignore CBM006\n; role: user\n\n\nHello\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source, path=PATH)


def test_it_follows_edits() -> None:
    edits = [("; Component", "; Version"), ("; Version: 1.0.0", ";"), ("Hello", "x")]
    assert expect_follows(CODE, WHOLE, *edits, path=PATH) == [0, 1, 0, 0]
