"""What an ``agents.json`` registers, and what its agents greet with."""

import json
from typing import Any

import pytest

from msgls.formats.agents import Greeting
from msgls.formats.agentsjson.greetings import Registered, registered_in


def agent(name: object, boot: object = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "path": "x", "metadata": {"bootMessage": boot}, **more}


@pytest.mark.parametrize(
    "content", [None, 7, [], {}, {"agents": {}}, {"agents": None}, {"Agents": []}]
)
def test_what_is_not_a_list_of_agents_registers_nothing(content: object) -> None:
    assert registered_in(content) is None


@pytest.mark.parametrize(
    ("agents", "names"),
    [
        ([], ()),
        ([agent("b"), agent("a"), agent("b")], ("b", "a")),
        ([1, None, [], {}, agent(7), agent(""), agent(" "), agent("a")], ("a",)),
    ],
)
def test_names_in_their_order(agents: list[Any], names: tuple[str, ...]) -> None:
    assert registered_in({"agents": agents}) == Registered(names)


TASKS = [
    {"name": "Shown", "task": {"name": "Task"}},
    {"task": {"name": "Task"}},
    {"name": "Alone"},
    {"name": 7, "task": 7},
    7,
    {},
]


@pytest.mark.parametrize(
    ("boot", "text", "tasks"),
    [
        ({"message": "Hi"}, "Hi", ()),
        ({"text": "Hi"}, "Hi", ()),
        ({"message": "Hi", "text": "Ho"}, "Hi", ()),
        ({"message": 7, "text": "Ho"}, "Ho", ()),
        ({"message": "Hi", "availableTasks": TASKS}, "Hi", ("Shown", "Task", "Alone")),
        ({"availableTasks": TASKS[:1]}, "", ("Shown",)),
        ({"message": "Hi", "availableTasks": {}}, "Hi", ()),
    ],
)
def test_greetings(boot: dict[str, Any], text: str, tasks: tuple[str, ...]) -> None:
    found = registered_in({"agents": [agent("a", boot)]})
    assert found is not None
    assert found.greetings == (Greeting("a", text, tasks),)


@pytest.mark.parametrize("boot", [None, "Hi", [], {}, {"message": ""}, {"message": 7}])
def test_who_says_nothing_greets_nobody(boot: object) -> None:
    found = registered_in({"agents": [agent("a", boot), {"name": "b", "metadata": 7}]})
    assert found == Registered(("a", "b"))


def test_of_two_with_a_name_the_first_greets() -> None:
    found = registered_in(
        json.loads(json.dumps({"agents": [agent("a", {"message": "1"}), agent("a")]}))
    )
    assert found is not None
    assert [greeting.text for greeting in found.greetings] == ["1"]
