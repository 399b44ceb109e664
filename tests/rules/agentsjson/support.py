"""What the tests of these rules share: one source, in the ways in which JSON is written."""

import json
from typing import Any

import pytest

from tests.rules.support import expect as _expect
from tests.rules.support import expect_nothing as _expect_nothing
from tests.rules.support import fixes as _fixes
from tests.rules.support import unmark

PATH = "host/agents.json"

META = {"isBootMessage": True, "isVirtual": True}

STYLES = pytest.mark.parametrize(
    "style",
    [{"indent": "\t"}, {"indent": 2}, {}, {"separators": (",", ":")}],
    ids=["tabs", "indented", "on one line", "minified"],
)


def agent(boot: object = None, **more: Any) -> dict[str, Any]:
    """An agent; without more to say, one with a boot message that nothing is wrong with."""
    said = {"message": "Hello 😀", "meta": META} if boot is None else boot
    return {"name": "A", "path": "./a.js", "metadata": {"bootMessage": said}, **more}


def text_of(*agents: object, style: dict[str, Any] | None = None) -> str:
    """The file. ``«`` and ``»`` may stand in strings, and ``«…»`` around a value is a string."""
    text = json.dumps({"agents": list(agents)}, ensure_ascii=False, **(style or {}))
    for literal in ("true", "false", "null", "7", "[]", "{}"):
        text = text.replace(f'"«{literal}»"', f"«{literal}»")
    return text.replace('"«', '«"').replace('»"', '"»')


def expect(code: str, marked: str, *messages: str) -> None:
    """``code`` is found at exactly the marked ranges."""
    _expect(code, marked, *messages, path=PATH)


def expect_nothing(code: str, source: str) -> None:
    """``code`` is not found."""
    _expect_nothing(code, source, path=PATH)


def fixes(code: str, marked: str) -> list[tuple[str, bool, str]]:
    """The fixes of the first problem."""
    return _fixes(code, unmark(marked)[0], path=PATH)
