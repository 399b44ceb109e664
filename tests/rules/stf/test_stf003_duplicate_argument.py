"""STF003: the same argument twice."""

import pytest

from msgls.text.spans import Span
from tests.rules.stf.support import PATH, expect, expect_nothing
from tests.rules.support import find

CODE = "STF003"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("@user id=a «id»=b\n", "duplicate argument `id`: this value replaces the earlier one"),
        (
            "@user {id: 'a', «'id'»: 'b'}\n",
            "duplicate argument `id`: this value replaces the earlier one",
        ),
        (
            "@ai\n@call id=a «id»=b\nf {}\n",
            "duplicate argument `id`: this value replaces the earlier one",
        ),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source", ["@user id=a name=a\n", "@user id=a\n@ai id=a\n", "@user {id: 'a', x: {id: 'b'}}\n"]
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_first_one_is_related() -> None:
    _, [problem] = find(CODE, "@user id=a id=b\n", PATH)
    assert [related.span for related in problem.related] == [Span(6, 8)]
