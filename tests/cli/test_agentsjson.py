"""``agents.json`` on the command line: checked, fixed, and its schema."""

from __future__ import annotations

import json

import pytest

from tests.cli.support import Runner

BOOT = '{"agents": [{"name": "A", "path": "a", "metadata": {"bootMessage": {"text": "x"}}}]}\n'


def test_it_is_checked_and_fixed(msgls: Runner) -> None:
    msgls.write("host/agents.json", BOOT)
    msgls.write("other/agents.json", '{"agents": [{"name": 7}, {"name": 7}]}')
    run = msgls("check", "--output-format", "concise", ".")
    assert run.code == 1
    lines = [line.replace("\\", "/").split(" ")[:2] for line in run.out.split("\n")]
    assert lines[:2] == [
        ["host/agents.json:1:53:", "warning[BOOT003]"],
        ["host/agents.json:1:69:", "warning[BOOT004]"],
    ]
    assert msgls("check", "--fix", ".").code == 0
    boot = json.loads(msgls.read("host/agents.json"))["agents"][0]["metadata"]["bootMessage"]
    assert boot == {"message": "x", "meta": {"isBootMessage": True, "isVirtual": True}}


@pytest.mark.parametrize(
    ("what", "key"), [("agents", "agents"), ("message", "role"), ("config", "lint")]
)
def test_schemas(msgls: Runner, what: str, key: str) -> None:
    run = msgls("schema", what)
    assert run.code == 0
    assert key in run.json["properties"]


def test_the_schema_of_a_delta(msgls: Runner) -> None:
    assert len(msgls("schema", "delta").json["oneOf"]) == 9
