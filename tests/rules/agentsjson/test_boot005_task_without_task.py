"""BOOT005: what is offered can be done."""

from typing import Any

import pytest

from tests.rules.agentsjson.support import (
    META,
    STYLES,
    agent,
    expect,
    expect_nothing,
    fixes,
    text_of,
)

CODE = "BOOT005"
MESSAGE = "this task has no `task`: the host application fails when it shows the message"
TASK = {"name": "T", "type": "action"}


def tasks(*available: object) -> dict[str, Any]:
    return agent({"message": "x", "meta": META, "availableTasks": list(available)})


@pytest.mark.parametrize(
    ("item", "fixed"),
    [
        ('{"name": "a"}', '{"name": "a", "task": {"name": "", "type": "action"}}'),
        ("{}", '{"task": {"name": "", "type": "action"}}'),
        ('{"other": 1}', '{"other": 1, "task": {"name": "", "type": "action"}}'),
    ],
)
def test_found_and_inserted(item: str, fixed: str) -> None:
    source = text_of(tasks({"name": "b", "task": TASK}, "ITEM"))
    expect(CODE, source.replace('"ITEM"', f"«{item}»"), MESSAGE)
    before, after = source.replace('"ITEM"', item), source.replace('"ITEM"', fixed)
    assert fixes(CODE, before) == [("Insert a `task`", False, after)]
    expect_nothing(CODE, after)


@STYLES
def test_as_the_file_is_written(style: dict[str, Any]) -> None:
    source = text_of(tasks({"name": "a", "x": 1}), style=style)
    (fix,) = fixes(CODE, source)
    flat = text_of(
        tasks({"name": "a", "x": 1, "task": {"name": "", "type": "action"}}), style=style
    )
    assert "".join(fix[2].split()) == "".join(flat.split())


@pytest.mark.parametrize(
    "source",
    [
        text_of(agent()),
        text_of(tasks({"name": "a", "task": TASK}, {"task": TASK})),
        # A wrong type is BOOT002.
        text_of(tasks(7, {"name": "a", "task": 7})),
        # Tasks that run by themselves are none that are offered.
        text_of(agent({"message": "x", "nextTasks": [{"name": "a"}]})),
        # It may be what is being typed.
        '{"agents": [{"metadata": {"bootMessage": {"availableTasks": [{"name": "a", "ta',
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_a_task_that_is_misspelt_gets_its_name() -> None:
    offered = {"name": "Help", "taks": {"name": "ShowHelp"}}
    text = text_of(agent({"message": "Hi", "meta": META, "availableTasks": [offered]}))
    [(name, safe, fixed)] = fixes(CODE, text)
    assert (name, safe) == ("Change `taks` to `task`", False)
    assert fixed == text.replace("taks", "task")
