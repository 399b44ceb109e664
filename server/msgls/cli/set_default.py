"""``msgls set-default``: name the default agent of a file."""

import argparse
from pathlib import Path

from msgls.cli.exits import OK, UsageProblem, problems_of
from msgls.cli.opening import open_one
from msgls.cli.speaking import said
from msgls.features.agents import Origin, involved_agents, set_default
from msgls.host.files import write_text
from msgls.rules.settings import did_you_mean
from msgls.text.phrases import Phrase, about, joined

_KNOWS_NONE = Phrase("it has none")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help=Phrase("a message file"))
    agent = Phrase("an agent that is registered for the file")
    parser.add_argument("agent", metavar="AGENT", help=agent)


def run(options: argparse.Namespace) -> int:
    """Edit ``default_agent`` in the frontmatter; the rest of the file is not changed."""
    snapshot = open_one(options.file)
    agents, document = involved_agents(snapshot), snapshot.document
    named = [agent for agent in agents if agent.name == options.agent]
    known = [agent.name for agent in agents if agent.origin is not Origin.ANSWERS]
    if not named:
        listed = Phrase("it has: {names}", names=joined(known)) if known else _KNOWS_NONE
        guess = did_you_mean(options.agent, known, listed)
        what = Phrase("there is no agent `{agent}`{guess}", agent=options.agent, guess=guess)
        raise UsageProblem(about(options.file, what))
    if named[0].origin is Origin.ANSWERS:
        what = Phrase(
            "`{agent}` is not registered: add it below `agents:` in the frontmatter first",
            agent=options.agent,
        )
        raise UsageProblem(about(options.file, what))
    edits = set_default(snapshot, options.agent)
    if edits is None:
        what = Phrase("its frontmatter cannot be edited; do it by hand")
        raise UsageProblem(about(options.file, what))
    if edits:
        with problems_of(options.file):
            after = document.apply(edits).text
            write_text(Path(options.file), after, instead_of=document.text)
    what = Phrase("`{agent}` is the default agent.", agent=options.agent)
    print(said(about(options.file, what)))
    return OK
