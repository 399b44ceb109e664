"""BOOT004: the old name of the text."""

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

CODE = "BOOT004"


@STYLES
def test_found_and_renamed(style: dict[str, Any]) -> None:
    source = text_of(agent({"text": "見😀", "meta": META}), style=style)
    message = "the text of a boot message is called `message` now"
    expect(CODE, source.replace('"text"', '«"text"»'), message)
    fixed = source.replace('"text"', '"message"')
    assert fixes(CODE, source) == [("Change to `message`", True, fixed)]
    expect_nothing(CODE, fixed)


@pytest.mark.parametrize(
    "boot",
    [
        {"message": "x"},
        {"message": "x", "text": "y"},
        {"Text": "x"},
        {"text": {"isVirtual": True}},
        {"message": "x", "nextTasks": [{"name": "t", "text": "y"}]},
    ],
)
def test_nothing_is_found(boot: dict[str, Any]) -> None:
    expect_nothing(CODE, text_of(agent(boot)))
    expect_nothing(CODE, text_of(agent(text="x")))
