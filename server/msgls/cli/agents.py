"""``msgls agents``: every agent that a file involves."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgls.cli.exits import OK
from msgls.cli.opening import open_one
from msgls.cli.speaking import said
from msgls.cli.terminal import columns, table
from msgls.features.agents import Agent, Origin, involved_agents
from msgls.text.phrases import Phrase

_WORDS = {
    Origin.FRONTMATTER: Phrase("frontmatter"),
    Origin.CELL: Phrase("temporary"),
    Origin.AGENTS_FILE: "agents.json",
    Origin.MODEL: Phrase("a model"),
    Origin.ANSWERS: Phrase("not registered"),
}
_HEADINGS = (
    Phrase("name"),
    Phrase("default"),
    Phrase("from"),
    Phrase("defined"),
    Phrase("answers"),
    Phrase("models"),
)
_DEFAULT = Phrase("default")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help=Phrase("a message file"))
    parser.add_argument(
        "--output-format", choices=("text", "json"), default="text", help=Phrase("default: text")
    )


def run(options: argparse.Namespace) -> int:
    """List them."""
    document, around = open_one(options.file)
    agents = involved_agents(document, around.other_agents)
    if options.output_format == "json":
        from msgls.cli.output.json_list import dumps

        content = [as_json(agent, options.file, around.agents_file) for agent in agents]
        print(dumps(content, sys.stdout, indent=2))
    elif agents:
        for line in table(_rows(agents, options.file, around.agents_file), columns(sys.stdout)):
            print(line)
    else:
        print(said(Phrase("no agents")))
    return OK


def _rows(agents: list[Agent], file: str, agents_file: str) -> Iterator[tuple[str, ...]]:
    yield tuple(map(said, _HEADINGS))
    for agent in agents:
        filename, line = _place(agent, file, agents_file)
        where = Path(filename).name if filename else ""
        yield (
            agent.name,
            said(_DEFAULT) if agent.is_default else "",
            said(_WORDS[agent.origin]),
            said(Phrase("line {line}", line=str(line))) if line is not None else where,
            str(agent.answers),
            ", ".join(agent.models),
        )


def _place(agent: Agent, file: str, agents_file: str) -> tuple[str | None, int | None]:
    """The file and the line that define an agent."""
    if agent.origin is Origin.AGENTS_FILE:
        return agents_file or None, None
    if agent.origin in (Origin.ANSWERS, Origin.MODEL) or agent.line is None:
        return None, None
    return file, agent.line + 1


def as_json(agent: Agent, file: str, agents_file: str) -> dict[str, Any]:
    """An agent as programs read it."""
    filename, line = _place(agent, file, agents_file)
    return {
        "name": agent.name,
        "default": agent.is_default,
        "origin": agent.origin.value,
        "models": list(agent.models),
        "defined": None if filename is None else {"filename": filename, "line": line},
        "answers": agent.answers,
    }
