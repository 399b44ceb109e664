"""BOOT008: the tasks that are offered can be told apart."""

from typing import Any

import pytest

from tests.rules.agentsjson.support import META, STYLES, agent, expect, expect_nothing, text_of

CODE = "BOOT008"


def tasks(*available: tuple[str, str]) -> dict[str, Any]:
    items = [{"name": shown, "task": {"name": name}} for shown, name in available]
    return agent({"message": "x", "meta": META, "availableTasks": items})


@STYLES
def test_the_later_one_is_found(style: dict[str, Any]) -> None:
    source = text_of(tasks(("a", "x"), ("b", "y"), ("«a»", "z")), style=style)
    expect(CODE, source, "the user is already offered a task `a`")
    source = text_of(tasks(("a", "x"), ("b", "«x»")), style=style)
    expect(CODE, source, "a task named `x` is already in this list")


def test_a_copy_is_told_once() -> None:
    expect(CODE, text_of(tasks(("a", "x"), ("«a»", "x"))))


@pytest.mark.parametrize(
    "source",
    [
        text_of(tasks(("a", "x"), ("b", "y"))),
        # A shown name is not a task's name.
        text_of(tasks(("a", "b"), ("b", "c"))),
        text_of(tasks(("a", "x")), tasks(("a", "x"))),
        text_of(tasks(("", ""), ("", ""))),
        text_of(agent({"message": "x", "nextTasks": [{"name": "a"}, {"name": "a"}]})),
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)
