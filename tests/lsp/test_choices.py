"""What an editor asks a person before a command runs, and what a new file begins with."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import URI, VSCODE, Client, Refused

TALK = """\
---
default_agent: one
agents:
  one: {models: [m1]}
  two: {}
---

# %% Ask[^q]

[^q]: [markdown]

Hi.

# %%% Answer[^a]

[^a]: [one]

Hello.
"""


def asked(client: Client, command: str, uri: str = URI, **argument: Any) -> Any:
    params = {"command": command, "argument": {"uri": uri, **argument}}
    return client.request("msgls/choices", params)


def labels(question: Any) -> list[str]:
    return [choice["label"] for choice in question["choices"]]


@pytest.fixture
def client() -> Client:
    found = Client()
    found.open(TALK)
    return found


def test_a_command_that_needs_nothing_asks_nothing(client: Client) -> None:
    position = client.position(TALK.index("Hi."))
    assert asked(client, "msgls.cell.split", position=position) is None


def test_a_type_is_chosen_or_typed(client: Client) -> None:
    place = client.position(TALK.index("Hi."))
    question = asked(client, "msgls.cell.changeType", position=place)
    assert labels(question) == ["markdown", "code", "raw", "another type…"]
    assert [choice["isTyped"] for choice in question["choices"]] == [False, False, False, True]
    assert asked(client, "msgls.cell.changeType", type="raw", position=place) is None
    uri = client.open("@user\nHi.\n", "file:///chats/a.stf", "stf")
    question = asked(client, "msgls.cell.changeType", uri, position={"line": 0, "character": 0})
    assert "developer" in labels(question)


def test_agents_are_told_with_what_is_known_of_them(client: Client) -> None:
    question = asked(client, "msgls.agent.setDefault")
    one, two = question["choices"]
    assert (one["value"], one["description"]) == ("one", "m1")
    assert one["detail"] == "default · frontmatter · 1 answer"
    assert two["detail"] == "frontmatter · 0 answers"
    assert labels(asked(client, "msgls.view.chooseAgent")) == ["The default agent", "one", "two"]
    assert asked(client, "msgls.view.chooseAgent", agent=None) is None
    lines = [choice["value"] for choice in asked(client, "msgls.agent.list")["choices"]]
    assert lines == [3, 4]


def test_where_nobody_is_registered_that_is_the_answer() -> None:
    client = Client()
    client.open("# %% A\n")
    for command in ("msgls.agent.setDefault", "msgls.agent.list"):
        with pytest.raises(Refused, match="no agent"):
            asked(client, command)


def test_a_new_agent_is_asked_for_step_by_step(client: Client) -> None:
    command, argument = "msgls.agent.add", dict[str, Any]()
    names = []
    for value in ("three", None, False):
        question = asked(client, command, **argument)
        names.append((question["name"], question["isOptional"], len(question["choices"])))
        argument[question["name"]] = value
    assert names == [("name", False, 0), ("model", True, 0), ("temporary", False, 2)]
    assert asked(client, command, **argument) is None


def test_where_the_context_is_reset_is_asked_in_an_earlier_cell_alone(client: Client) -> None:
    command = "msgls.history.reset"
    question = asked(client, command, position=client.position(TALK.index("Hi.")))
    assert [choice["value"] for choice in question["choices"]] == [True, False]
    assert asked(client, command, position=client.position(len(TALK))) is None
    assert asked(client, command) is None


def test_targets_are_those_of_the_document(client: Client) -> None:
    question = asked(client, "msgls.convert.to")
    values = [choice["value"] for choice in question["choices"]]
    assert "openai" in values
    assert "msgmd" not in values


def test_who_greets_is_asked_where_several_can(tmp_path: Path) -> None:
    metadata = {"bootMessage": {"message": "Hi.", "isVirtual": True}}
    agents = [{"name": name, "path": "./a.js", "metadata": metadata} for name in ("one", "two")]
    (tmp_path / "agents.json").write_text(json.dumps({"agents": agents}), "utf-8")
    client = Client(rootUri=tmp_path.as_uri())
    uri = client.open("", (tmp_path / "a.msg.md").as_uri())
    assert labels(asked(client, "msgls.agent.insertBoot", uri)) == ["one", "two"]
    begun = client.request("msgls/newFile", {"folder": tmp_path.as_uri()})
    assert begun["snippet"].index("Hi.") < begun["snippet"].index("${1:title}")


def test_questions_are_in_the_language_of_the_client() -> None:
    client = Client(VSCODE, locale="zh-cn")
    client.open(TALK)
    assert asked(client, "msgls.convert.to")["title"] == "转换为"


@pytest.mark.parametrize("params", [{}, {"command": "a"}, {"command": "a", "argument": {"uri": 1}}])
def test_what_is_missing_is_said(client: Client, params: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        client.request("msgls/choices", params)
    assert refused.value.code == -32602


def test_a_new_file_is_a_message_to_fill_in(client: Client) -> None:
    cell = "# %% ${1:title}[^m1]\n\n[^m1]: [markdown]\n\n${0:your message}\n"
    assert client.request("msgls/newFile", {}) == {"languageId": "msgmd", "snippet": cell}
    chinese = Client(VSCODE, locale="zh-cn").request("msgls/newFile", {})
    assert "${1:标题}" in chinese["snippet"]


def test_cells_are_told_at_every_depth_and_nothing_else(client: Client) -> None:
    assert client.request("msgls/cells", {"uri": URI}) == {
        "version": 1,
        "cells": [{"line": 7, "kind": "message"}, {"line": 13, "kind": "answer"}],
    }
