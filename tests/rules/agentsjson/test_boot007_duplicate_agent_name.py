"""BOOT007: an agent's name is its own."""

from typing import Any

import pytest

from tests.rules.agentsjson.support import PATH, STYLES, agent, expect, expect_nothing, text_of
from tests.rules.support import find

CODE = "BOOT007"


@STYLES
def test_the_later_one_is_found(style: dict[str, Any]) -> None:
    other = {"name": "«A»", "path": "b"}
    expect(CODE, text_of(agent(), other, style=style), "an agent named `A` already exists")


def test_the_first_one_is_related() -> None:
    source = text_of(agent(), {"name": "A"}, {"name": "A"})
    _, problems = find(CODE, source, PATH)
    first = source.index('"A"')
    assert [[r.span.start for r in problem.related] for problem in problems] == [[first], [first]]


@pytest.mark.parametrize(
    "source",
    [
        text_of(agent(), agent(name="B"), {"name": "a"}),
        text_of(agent(), {"name": ""}, {"name": ""}, {"name": 7}, {"name": 7}, {}, {}),
        '{"agents": [{"name": "A"}, {"name": "A"}]}',
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_escapes_are_read() -> None:
    source = text_of(agent(name="é"), {"name": "B"}).replace('"B"', '«"\\u00e9"»')
    expect(CODE, source)
