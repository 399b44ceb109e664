"""``agents.json`` on the command line: checked, fixed, and its schema."""

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


BROKEN = '{"agents": [{"name": "helper", "path": "x"}'
CHAT = "# %%% A[^a]\n\n[^a]: [helper]\n"


def test_a_broken_file_is_told_of_once(msgls: Runner) -> None:
    broken = BROKEN.replace("}", ', "metadata": {"bootMessage": {"message": ""}}}')
    msgls.write("agents.json", broken)
    msgls.write("chat.msg.md", CHAT)
    run = msgls("check", "--output-format", "concise", ".")
    assert run.out.count("BOOT001") == 1
    assert "registers no agents" not in run.err
    run = msgls("check", "--stdin-filename", "agents.json", "-", stdin=broken)
    assert "BOOT001" in run.out
    assert "registers no agents" not in run.err
    # Where no rule tells of it, somebody must.
    for arguments in (["chat.msg.md"], ["--ignore", "BOOT001", "."]):
        run = msgls("check", *arguments)
        assert "BOOT001" not in run.out
        assert run.err.count("it registers no agents") == 1
    # Without a boot message the rule has no business there.
    msgls.write("agents.json", BROKEN)
    run = msgls("check", ".")
    assert "BOOT001" not in run.out
    assert run.err.count("it registers no agents") == 1


def test_another_file_can_be_configured(msgls: Runner) -> None:
    msgls.write("team/agents.json", '{"agents": [{"name": "helper", "path": "x"}]}')
    msgls.write("chat.msg.md", CHAT)
    assert "MSG202" in msgls("check", "chat.msg.md").out
    msgls.write("msgls.toml", 'agents-file = "team/agents.json"\n')
    assert msgls("check", "chat.msg.md").code == 0
    (agent,) = msgls("agents", "chat.msg.md", "--output-format", "json").json
    assert agent["defined"]["filename"].replace("\\", "/").endswith("team/agents.json")
    msgls.write("msgls.toml", "agents-file = 7\n")
    assert "must be the path of a file, not 7" in msgls("check", "chat.msg.md").err


AGENTS = json.dumps(
    {
        "agents": [
            {
                "name": "guide",
                "path": "./guide.js",
                "metadata": {
                    "bootMessage": {
                        "message": "Where to?",
                        "meta": {"isBootMessage": True, "isVirtual": True},
                        "availableTasks": [{"name": "Plan", "task": {"name": "Plan"}}],
                    }
                },
            },
            {"name": "clerk", "path": "./clerk.js"},
        ]
    }
)


def test_it_does_not_where_that_is_not_wanted(msgls: Runner) -> None:
    msgls.write("agents.json", AGENTS)
    msgls.write("msgls.toml", '[boot]\ninsert = "never"\n')
    msgls("chat", "a.msg.md", "--message", "Rome.")
    assert "Where to?" not in (msgls.folder / "a.msg.md").read_text("utf-8")


def test_its_agents_are_listed(msgls: Runner) -> None:
    msgls.write("agents.json", AGENTS)
    run = msgls("agents", "agents.json")
    assert run.code == 0
    rows = [line.split() for line in run.out.splitlines()]
    assert [(row[0], row[1]) for row in rows[1:]] == [
        ("guide", "agents.json"),
        ("clerk", "agents.json"),
    ]
    listed = msgls("agents", "--output-format", "json", "agents.json").json
    assert [agent["defined"] for agent in listed] == [{"filename": "agents.json", "line": 1}] * 2
