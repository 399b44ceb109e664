"""BOOT003: a boot message is shown and never sent."""

from typing import Any

import pytest

from tests.rules.agentsjson.support import (
    META,
    PATH,
    STYLES,
    agent,
    expect,
    expect_nothing,
    fixes,
    text_of,
)
from tests.rules.support import expect_follows

CODE = "BOOT003"
MESSAGE = "this boot message is not virtual: the model would see it"


def mark_key(text: str, key: str) -> str:
    return text.replace(f'"{key}"', f'«"{key}"»', 1)


@STYLES
@pytest.mark.parametrize(
    ("boot", "key", "fixed"),
    [
        ({"message": "x"}, "bootMessage", {"message": "x", "meta": META}),
        (
            {"message": "x", "meta": {"a": 1}},
            "meta",
            {"message": "x", "meta": {"a": 1, "isVirtual": True}},
        ),
        ({"message": "x", "meta": {}}, "meta", {"message": "x", "meta": {"isVirtual": True}}),
    ],
)
def test_found_and_set(
    boot: dict[str, Any], key: str, fixed: dict[str, Any], style: dict[str, Any]
) -> None:
    import json

    source = text_of(agent(boot), style=style)
    expect(CODE, mark_key(source, key), MESSAGE)
    ((title, safe, text),) = fixes(CODE, source)
    assert (title, safe) == ("Mark it as virtual", True)
    assert json.loads(text) == {"agents": [agent(fixed)]}
    expect_nothing(CODE, text)
    if len(boot) > 1 and boot["meta"]:
        # Spaced as what is around it.
        assert text == text_of(agent(fixed), style=style)


@STYLES
@pytest.mark.parametrize("value", ["false", "null"])
def test_a_mark_that_says_otherwise(value: str, style: dict[str, Any]) -> None:
    marked = text_of(agent({"message": "x", "meta": {"isVirtual": f"«{value}»"}}), style=style)
    expect(CODE, marked, MESSAGE)
    fixed = text_of(agent({"message": "x", "meta": {"isVirtual": True}}), style=style)
    assert fixes(CODE, marked) == [("Mark it as virtual", True, fixed)]


def test_no_meta_at_all() -> None:
    source = text_of(agent({"message": "x", "meta": None}))
    expect(CODE, mark_key(source, "bootMessage"), MESSAGE)
    assert fixes(CODE, source)[0][2] == text_of(agent({"message": "x", "meta": META}))


def test_each_agent_by_itself() -> None:
    one, other = agent({"message": "x"}, name="A"), agent(name="B")
    source = text_of(one, other, agent({"message": "x"}, name="C"))
    expect(
        CODE, source.replace('"bootMessage": {"message": "x"', '«"bootMessage"»: {"message": "x"')
    )


@pytest.mark.parametrize(
    "source",
    [
        text_of(agent()),
        text_of(agent({"message": "x", "meta": {"isVirtual": True}})),
        text_of({"name": "A", "path": "a", "metadata": {"x": 1}}),
        # A wrong type is BOOT002.
        text_of(agent({"message": "x", "meta": 7})),
        text_of(agent({"message": "x", "meta": {"isVirtual": "yes"}})),
        text_of(agent(7)),
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_in_a_broken_text() -> None:
    text = '{"agents": [{"metadata": {«"bootMessage"»: {"message": "x"}, }}]}'
    expect(CODE, text, MESSAGE)
    fixed = '{"agents": [{"metadata": {"bootMessage": {"message": "x", "meta": '
    assert fixes(CODE, text)[0][2].startswith(fixed)


def test_it_follows_edits() -> None:
    edits = [
        ('"isVirtual": true', '"isVirtual": false'),
        ('"isVirtual": false', '"a": 1'),
        ('"a"', '"isVirtual"'),
        ("1", "true"),
    ]
    assert expect_follows(CODE, text_of(agent()), *edits, path=PATH) == [0, 1, 1, 0, 0]


def test_a_mark_that_is_misspelt_gets_its_name() -> None:
    text = text_of(agent({"message": "Hi", "meta": {"isVirtul": True}}))
    [(name, safe, fixed)] = fixes(CODE, text)
    # Not safe: the renamed key is no longer in the meta of the message.
    assert (name, safe) == ("Change `isVirtul` to `isVirtual`", False)
    assert fixed == text.replace("isVirtul", "isVirtual")
