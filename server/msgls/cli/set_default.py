"""``msgls set-default``: name the default agent of a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from msgls.cli.exits import OK, UsageProblem
from msgls.cli.opening import open_one
from msgls.features.agents import Origin, involved_agents, set_default
from msgls.host.files import FileProblem, write_text
from msgls.rules.settings import did_you_mean


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="a message file")
    parser.add_argument("agent", metavar="AGENT", help="an agent that the file knows")


def run(options: argparse.Namespace) -> int:
    """Edit ``default_agent`` in the frontmatter; the rest of the file stays."""
    document, around = open_one(options.file)
    agents = involved_agents(document, around.other_agents)
    named = [agent for agent in agents if agent.name == options.agent]
    known = [agent.name for agent in agents if agent.origin is not Origin.ANSWERS]
    if not named:
        listed = f"it knows: {', '.join(known)}" if known else "it knows none"
        guess = did_you_mean(options.agent, known, listed)
        raise UsageProblem(f"{options.file}: there is no agent `{options.agent}`{guess}")
    if named[0].origin is Origin.ANSWERS:
        raise UsageProblem(
            f"{options.file}: `{options.agent}` answers, but nobody registers it: "
            "put it below `agents:` in the frontmatter first"
        )
    edits = set_default(document, options.agent)
    if edits is None:
        raise UsageProblem(f"{options.file}: its frontmatter cannot be edited; do it by hand")
    if edits:
        try:
            after = document.apply(edits).text
            write_text(Path(options.file), after, instead_of=document.text)
        except FileProblem as problem:
            raise UsageProblem(f"{options.file}: {problem}") from None
    print(f"{options.file}: `{options.agent}` is the default agent.")
    return OK
