"""BOOT002: what is required, and what type it is of."""

import json
from typing import Any

import pytest

from msgls.rules.base import Severity
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
from tests.rules.support import expect_follows, find, message

CODE = "BOOT002"
BOOT = {"message": "Hello", "meta": META}


WRONG: list[tuple[dict[str, Any], str]] = [
    (agent(name="«7»"), "`name` must be text"),
    (agent(path="«[]»"), "`path` must be text"),
    (agent({**BOOT, "message": "«null»"}), "`message` must be text"),
    (agent({**BOOT, "isHtml": "«no»"}), "`isHtml` must be `true` or `false`"),
    (agent({**BOOT, "isHtml": "«7»"}), "`isHtml` must be `true` or `false`"),
    (agent({**BOOT, "meta": "«[]»"}), "`meta` must be an object"),
    (agent({**BOOT, "meta": {"isVirtual": "«yes»"}}), "`isVirtual` must be `true` or `false`"),
    (agent({**BOOT, "availableTasks": "«{}»"}), "`availableTasks` must be a list"),
    (agent({**BOOT, "availableTasks": ["«7»"]}), "this item must be an object"),
    (agent({**BOOT, "availableTasks": [{"task": "«7»"}]}), "`task` must be an object"),
    (agent({**BOOT, "nextTasks": "«7»"}), "`nextTasks` must be a list"),
    (agent({**BOOT, "nextTasks": [{"name": "«7»"}]}), "`name` must be text"),
    (
        agent({**BOOT, "nextTasks": [{"name": "x", "type": "«other»"}]}),
        "the type of a task is `action` or `message`",
    ),
    (
        agent({**BOOT, "nextTasks": [{"name": "x", "skipBotMessage": "«7»"}]}),
        "`skipBotMessage` must be `true` or `false`",
    ),
]


@STYLES
@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_a_wrong_type(wrong: dict[str, Any], message: str, style: dict[str, Any]) -> None:
    expect(CODE, text_of(wrong, style=style), message)


def test_a_boot_message_that_is_not_an_object() -> None:
    expect(CODE, text_of(agent("«7»")), "`bootMessage` must be an object")


VALID: list[dict[str, Any]] = [
    agent(),
    agent({**BOOT, "isHtml": False, "availableTasks": [], "nextTasks": []}),
    agent({**BOOT, "nextTasks": [{"name": "x"}, {"name": "y", "type": "ACTION"}]}),
    agent({**BOOT, "nextTasks": [{"name": "x", "type": "Message", "message": "m"}]}),
    agent(
        {
            **BOOT,
            "nextTasks": [
                {
                    "name": "x",
                    "meta": {"a": 1},
                    "host_utils": ["b"],
                    "skipUserMessage": True,
                    "skipBotMessage": False,
                }
            ],
        }
    ),
    # Unknown keys are fine, and so is whatever operations and settings hold.
    agent({**BOOT, "extra": 1}, initTask="x", enablePreview=True, llm={"a": 1}),
    agent(settings=[1], operations={"a": 7}),
    agent({**BOOT, "meta": {**META, "more": 1}}),
    # Told by another rule.
    agent({"text": "Hello", "meta": META}),
    agent({**BOOT, "availableTasks": [{"name": "x"}]}),
]


@STYLES
@pytest.mark.parametrize("valid", VALID)
def test_nothing_is_found(valid: dict[str, Any], style: dict[str, Any]) -> None:
    expect_nothing(CODE, text_of(valid, {"name": "B", "path": "b"}, style=style))


def test_without_a_boot_message_it_is_none_of_our_business() -> None:
    expect_nothing(CODE, '{"agents": [{"name": 7}, 8, {}], "x": 1}')


MISSING = {
    "an agent's name": (
        '{"agents": [«{"path": "a", "metadata": {"bootMessage": {"message": "x"}}}»]}',
        "name",
        '{"agents": [{"name": "", "path": "a", "metadata": {"bootMessage": {"message": "x"}}}]}',
    ),
    "an agent's path, minified": (
        '{"agents":[«{"name":"a","metadata":{"bootMessage":{"message":"x"}}}»]}',
        "path",
        '{"agents":[{"name":"a","metadata":{"bootMessage":{"message":"x"}},"path":""}]}',
    ),
    "a message": (
        '{"agents": [{"name": "a", "path": "b", "metadata": {«"bootMessage"»: {}}}]}',
        "message",
        '{"agents": [{"name": "a", "path": "b", "metadata": {"bootMessage": {"message": ""}}}]}',
    ),
    "a task's name, with tabs": (
        (
            '{"agents": [{"name": "a", "path": "b", "metadata": {"bootMessage": {"message": "m",\n'
            '\t"nextTasks": [\n\t\t«{»\n\t\t\t"type": "action"\n\t\t}\n\t]}}}]}'
        ),
        "name",
        (
            '{"agents": [{"name": "a", "path": "b", "metadata": {"bootMessage": {"message": "m",\n'
            '\t"nextTasks": [\n\t\t{\n\t\t\t"name": "",\n\t\t\t"type": "action"\n\t\t}\n\t]}}}]}'
        ),
    ),
    "a path, indented": (
        (
            '{"agents": [\n  «{»\n    "name": "a",'
            '\n    "metadata": {"bootMessage": {"message": "x"}}\n  }\n]}'
        ),
        "path",
        (
            '{"agents": [\n  {\n    "name": "a",'
            '\n    "metadata": {"bootMessage": {"message": "x"}},\n    "path": ""\n  }\n]}'
        ),
    ),
    "a message beside others": (
        (
            '{"agents": [{"name": "a", "path": "b", "metadata": {«"bootMessage"»: '
            '{ "isHtml": true }}}]}'
        ),
        "message",
        (
            '{"agents": [{"name": "a", "path": "b", "metadata": {"bootMessage": '
            '{ "message": "", "isHtml": true }}}]}'
        ),
    ),
}


@pytest.mark.parametrize(("marked", "key", "fixed"), MISSING.values(), ids=list(MISSING))
def test_a_missing_key_is_inserted(marked: str, key: str, fixed: str) -> None:
    expect(CODE, marked, f"`{key}` is missing here")
    assert fixes(CODE, marked) == [(f"Insert `{key}`", False, fixed)]
    expect_nothing(CODE, fixed)


def test_a_wrong_type_has_no_fix() -> None:
    assert fixes(CODE, text_of(agent(name="«7»"))) == []


BROKEN = '{"agents": [{"name": 7, "path": "a", "metadata": {"bootMessage": {"message": "x",'


def test_in_a_broken_text_only_what_is_sure_is_told() -> None:
    expect(CODE, BROKEN.replace("7", "«7»"), "`name` must be text")
    expect_nothing(CODE, '{"agents": [{"metadata": {"bootMessage": {"mess')
    expect_nothing(
        CODE, '{"agents": [{"name": "a", "path": "b", "metadata": {"bootMessage": {"message": '
    )
    # What got out of an agent is none.
    expect_nothing(
        CODE,
        '{"agents": [{"name": "a", "path": "metadata": {"bootMessage": {"message": "x"}}, '
        '"operations": []}, {"name": "b", "path": "c"}]}',
    )
    # What is whole can be judged.
    expect(CODE, '{"agents": [{"name": "a", "path": "b", "metadata": {«"bootMessage"»: {}}}, {,')


def test_it_follows_edits() -> None:
    assert expect_follows(
        CODE,
        text_of(agent()),
        ('"A"', "7"),
        ("7", '"A"'),
        ('"message"', '"messag"'),
        ("bootMessage", "boot"),
        path=PATH,
    ) == [0, 1, 0, 1, 0]


# -- keys that are misspelt or misplaced ------------------------------------------------------


def found(*agents: object, **beside: object) -> list[tuple[str, str]]:
    """Severity and text of every problem of the rule."""
    text = json.dumps({**beside, "agents": list(agents)})
    _, problems = find(CODE, text, PATH)
    return [((p.severity or Severity.ERROR).label, message(p)) for p in problems]


@pytest.mark.parametrize(
    ("wrong", "near", "severity"),
    [
        (agent({"mesage": "Hi", "meta": META}), "message", "error"),
        (agent({"msessage": "Hi", "meta": META}), "message", "error"),
        ({"nmae": "A", "path": "a.js", "metadata": {"bootMessage": BOOT}}, "name", "error"),
        (agent({**BOOT, "isHTLM": False}), "isHtml", "info"),
        (agent({**BOOT, "availableTask": []}), "availableTasks", "info"),
        (agent({"message": "Hi", "meta": {"isVirtul": True}}), "isVirtual", "info"),
        (agent({**BOOT, "nextTasks": [{"name": "x", "mesage": "y"}]}), "message", "info"),
        ({"name": "A", "path": "a.js", "metadata": {"bootMesage": BOOT}}, "bootMessage", "warning"),
        ({"name": "A", "path": "a.js", "metdata": {"bootMessage": BOOT}}, "metadata", "warning"),
    ],
)
def test_a_key_that_is_misspelt(wrong: dict[str, Any], near: str, severity: str) -> None:
    [(how, said)] = found(wrong)
    assert how == severity
    assert said.endswith(f": did you mean `{near}`?")
    text = text_of(wrong)
    [(name, safe, fixed)] = fixes(CODE, text)
    assert (name, safe) == (f"Change to `{near}`", False)
    assert f'"{near}"' in fixed
    _, left = find(CODE, fixed, PATH)
    assert left == []


@pytest.mark.parametrize(
    ("wrong", "key", "place"),
    [
        ({"name": "A", "path": "a.js", "bootMessage": BOOT}, "bootMessage", "metadata"),
        (agent({**BOOT, "isVirtual": True}), "isVirtual", "bootMessage.meta"),
        (
            {"name": "A", "path": "a.js", "metadata": {"bootMessage": BOOT, "isHtml": True}},
            "isHtml",
            "bootMessage",
        ),
        (
            agent({**BOOT, "availableTasks": [{"task": {"name": "x"}, "skipBotMessage": True}]}),
            "skipBotMessage",
            "task",
        ),
    ],
)
def test_a_key_in_the_wrong_object(wrong: dict[str, Any], key: str, place: str) -> None:
    said = f"`{key}` belongs in `{place}`: it has no effect here"
    assert found(wrong) == [("warning", said)]


def test_a_boot_message_beside_the_agents() -> None:
    said = "`bootMessage` belongs in `agents[…].metadata`: it has no effect here"
    assert found({"name": "A", "path": "a.js"}, bootMessage=BOOT) == [("warning", said)]


def test_items_are_named_as_items() -> None:
    assert found(agent(BOOT), 7) == [("error", "this item must be an object")]
    tasks = agent({**BOOT, "nextTasks": ["ShowHelp"]})
    assert found(tasks) == [("error", "this item must be an object")]


@pytest.mark.parametrize(
    "others",
    [
        {"initTask": {}, "enablePreview": True, "llm": {"model": "m"}},
        {"metadata": {"bootMessage": BOOT, "llm": "m", "version": 2, "icon": "x"}},
        {"settings": {"isHtml": 1, "nmae": 2}, "metadata": {"bootMessage": BOOT}},
    ],
)
def test_other_keys_are_nobodys_business(others: dict[str, Any]) -> None:
    assert found({"name": "A", "path": "a.js", **others}) == []
