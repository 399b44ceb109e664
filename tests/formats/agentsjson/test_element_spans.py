"""Where agents stand, told without a tree: the same as the tree tells, in any layout."""

import json
from typing import Any

import pytest

from msgls.formats.agentsjson.cells import element_spans
from msgls.formats.jsontree import parse
from tests.notation import each

DATA: list[Any] = [
    {"agents": []},
    {"agents": [{"name": "A"}]},
    {"version": 1, "agents": [{"name": "A", "x": [1, "]", "}"]}, 7, "s", None], "after": {}},
    {"a": {"agents": [1]}, "agents": [[], {}]},
    {"agents": {}, "b": 1},
    {"b": "agents"},
    {},
    [],
    "agents",
]
LAYOUTS: list[dict[str, Any]] = [
    {},
    {"separators": (",", ":")},
    {"separators": (" , ", " : ")},
    {"indent": 1},
    {"indent": "\t", "separators": ("\n,", "\n:")},
]


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("layout", LAYOUTS)
@each("before", ["", "\r\n "])
def test_the_spans_are_those_of_the_tree(data: Any, layout: dict[str, Any], before: str) -> None:
    text = before + json.dumps(data, **layout) + "\n"
    found = parse(text).find(("agents",))
    assert element_spans(text) == ([] if found is None else [i.span for i in found.value.items])


def test_of_two_lists_the_last_one_counts() -> None:
    text = '{"agents": [1, 2], "agents": [3]}'
    spans = element_spans(text)
    assert spans is not None
    assert [span.of(text) for span in spans] == ["3"]
