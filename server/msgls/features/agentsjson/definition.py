"""Go to definition in ``agents.json``: an agent's name is given where it stands."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.agentsjson.places import agent_name_at, named
from msgls.features.definition import Jump, Target
from msgls.rules.base import ALONE, Surroundings


def definition(document: Document, offset: int, surroundings: Surroundings = ALONE) -> Jump | None:
    """Every agent of that name; an editor that is there already shows the references instead."""
    name = agent_name_at(document, offset)
    return None if name is None else Jump(name.span, tuple(introduced(document, name.text)))


def introduced(document: Document, name: str) -> list[Target]:
    """The agents of that name."""
    return [Target(span, placed.span) for placed, span in named(document, name)]
