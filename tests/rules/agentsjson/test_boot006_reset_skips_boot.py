"""BOOT006: a reset shows the boot message."""

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

CODE = "BOOT006"
MESSAGE = "the boot message is not shown after a reset: `skipBotMessage` must be `false`"


def reset(skips: object = "«true»", name: str = "ResetContext") -> dict[str, Any]:
    task = {"name": name, "type": "action", "skipUserMessage": True, "skipBotMessage": skips}
    return {"name": "重置上下文", "control": "button", "type": "task", "task": task}


@STYLES
@pytest.mark.parametrize("operations", [[reset()], {"menu": {"items": [reset()]}}])
def test_found_and_set(operations: object, style: dict[str, Any]) -> None:
    marked = text_of(agent(operations=operations), style=style)
    expect(CODE, marked, MESSAGE)
    fixed = marked.replace("«true»", "false")
    assert fixes(CODE, marked) == [("Change to `false`", True, fixed)]
    expect_nothing(CODE, fixed)


def test_among_the_tasks_too() -> None:
    boot = {"message": "x", "meta": META, "availableTasks": [reset()]}
    expect(CODE, text_of(agent(boot)), MESSAGE)


@pytest.mark.parametrize(
    "source",
    [
        text_of(agent(operations=[reset(False)])),
        text_of(agent(operations=[reset(True, "Other")])),
        text_of(agent(operations=[{"name": "ResetContext"}])),
        # Another agent has the boot message.
        text_of(agent(), {"name": "B", "path": "b", "operations": [reset(True)]}),
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)
