"""``msgls agents``: every agent that a file involves, and adding one."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgls.cli.exits import OK, UsageProblem, problems_of
from msgls.cli.opening import open_one
from msgls.cli.speaking import said
from msgls.cli.streams import add_output_format, print_json
from msgls.cli.terminal import print_table
from msgls.document.snapshot import Snapshot
from msgls.features.agents import Agent, Origin, add_agent, involved_agents
from msgls.host.files import write_text
from msgls.text.phrases import Phrase, about

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
    """Add the arguments of the command."""
    add = parser.add_argument
    add("file", metavar="FILE", help=Phrase("a message file, or agents.json"))
    what = Phrase("`add` to add an agent; without it, all agents are listed")
    add("action", metavar="add", nargs="?", choices=("add",), help=what)
    add("name", metavar="NAME", nargs="?", help=Phrase("the name of the new agent"))
    add("--model", metavar="MODEL", help=Phrase("its model; by default, its name"))
    add("--temporary", action="store_true", help=Phrase("add it in a cell, for this conversation"))
    add_output_format(parser)


def run(options: argparse.Namespace) -> int:
    """List them, or add one."""
    snapshot = open_one(options.file)
    if options.action is not None:
        return _add(options, snapshot)
    if options.model is not None or options.temporary:
        raise UsageProblem(Phrase("--model and --temporary can only be used with `add`"))
    agents, agents_file = involved_agents(snapshot), snapshot.surroundings.agents_file
    if options.output_format == "json":
        print_json([as_json(agent, options.file, agents_file) for agent in agents])
    elif agents:
        print_table(_rows(agents, options.file, agents_file))
    else:
        print(said(Phrase("no agents")))
    return OK


def _add(options: argparse.Namespace, snapshot: Snapshot) -> int:
    if options.name is None:
        raise UsageProblem(Phrase("the name of the new agent is missing"))
    models = [] if options.model is None else [options.model]
    with problems_of(options.file):
        edits = add_agent(snapshot, options.name, models, options.temporary)
        after = snapshot.of(snapshot.document.apply(edits))
        before, text = snapshot.document.text, after.document.text
        write_text(Path(options.file), text, instead_of=before)
    (agent,) = [found for found in involved_agents(after) if found.name == options.name]
    place = options.file if agent.line is None else f"{options.file}:{agent.line + 1}"
    print(said(about(place, Phrase("added the agent `{name}`.", name=options.name))))
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
    if agent.origin is Origin.AGENTS_FILE and agent.line is None:
        return agents_file or None, None
    if agent.origin in (Origin.ANSWERS, Origin.MODEL) or agent.line is None:
        return None, None
    return file, agent.line + 1


def as_json(agent: Agent, file: str, agents_file: str) -> dict[str, Any]:
    """An agent as JSON."""
    filename, line = _place(agent, file, agents_file)
    return {
        "name": agent.name,
        "default": agent.is_default,
        "origin": agent.origin.value,
        "models": list(agent.models),
        "defined": None if filename is None else {"filename": filename, "line": line},
        "answers": agent.answers,
    }
