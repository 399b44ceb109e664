"""The shape of ``agents.json``: what is required, what is kept, and its schema."""

from typing import Any

import pytest

from msgls.formats.agentsjson.boot import Agents, ShapeProblem, agents_json_schema, shape_problems

WHOLE: dict[str, Any] = {
    "agents": [
        {
            "name": "ExampleAgent",
            "path": "./path/to/ExampleAgent.js",
            "metadata": {
                "bootMessage": {
                    "message": "欢迎使用！",
                    "isHtml": False,
                    "meta": {"isBootMessage": True, "isVirtual": True},
                    "availableTasks": [
                        {
                            "name": "开始新任务",
                            "task": {"name": "StartNewTask", "type": "ACTION", "message": "请选择"},
                        }
                    ],
                    "nextTasks": [
                        {
                            "name": "Next",
                            "host_utils": ["x"],
                            "skipUserMessage": True,
                            "skipBotMessage": False,
                            "meta": {"a": 1},
                        }
                    ],
                },
                "initTask": "x",
            },
            "settings": [],
            "operations": [{"name": "r"}],
            "llm": "m",
        }
    ]
}


def test_nothing_is_lost_on_the_way() -> None:
    agents = Agents.from_wire(WHOLE)
    assert agents.to_wire() == WHOLE
    boot = agents.agents[0].metadata.boot_message if agents.agents[0].metadata else None
    assert boot is not None
    assert boot.message == "欢迎使用！"
    assert shape_problems(WHOLE) == []


@pytest.mark.parametrize(
    ("wire", "problems"),
    [
        ({}, [(("agents",), "key")]),
        ({"agents": {}}, [(("agents",), "list")]),
        ([], [((), "object")]),
        ({"agents": [{}]}, [(("agents", 0, "name"), "key"), (("agents", 0, "path"), "key")]),
        ({"agents": [7]}, [(("agents", 0), "object")]),
        ({"agents": []}, []),
        ({"agents": [{"name": "a", "path": "b", "metadata": None}]}, []),
    ],
)
def test_problems(wire: object, problems: list[tuple[Any, Any]]) -> None:
    assert shape_problems(wire) == [ShapeProblem(*problem) for problem in problems]


def test_the_schema_says_what_is_required() -> None:
    schema = agents_json_schema()
    required = {name: set(model.get("required", ())) for name, model in schema["$defs"].items()}
    assert schema["required"] == ["agents"]
    assert required == {
        "Agent": {"name", "path"},
        "Metadata": set(),
        "BootMessage": {"message"},
        "BootMeta": set(),
        "AvailableTask": {"task"},
        "Task": {"name"},
    }


def test_every_field_is_described_in_the_words_of_the_wire() -> None:
    models = agents_json_schema()["$defs"]
    assert {"isHtml", "availableTasks", "nextTasks"} <= set(models["BootMessage"]["properties"])
    assert {"host_utils", "skipBotMessage"} <= set(models["Task"]["properties"])
    for model in models.values():
        assert all(field.get("description") for field in model["properties"].values())
        assert model.get("additionalProperties") is True
