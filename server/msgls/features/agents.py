"""The agents that a file involves, and which of them is the default."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.text.spans import Edit


class Origin(Enum):
    """Where an agent comes from."""

    FRONTMATTER = "frontmatter"
    CELL = "cell"
    AGENTS_FILE = "agents.json"
    MODEL = "model"
    """A model of another agent that answers by its own name."""
    ANSWERS = "answers"
    """An agent that answers without being registered."""


class Agent(NamedTuple):
    """An agent that a file involves."""

    name: str
    origin: Origin
    models: tuple[str, ...] = ()
    line: int | None = None
    """Where it is defined, or else answers first, from 0; ``None`` if that is in another file."""
    answers: int = 0
    """How many cells are answers of it."""
    is_default: bool = False


def involved_agents(snapshot: Snapshot) -> list[Agent]:
    """Every agent, each once: those of the file first."""
    return language_of(snapshot.document).involved_agents(snapshot)


def add_agent(
    snapshot: Snapshot, name: str, models: Sequence[str], temporary: bool, offset: int | None = None
) -> list[Edit]:
    """The edits that add an agent: to the frontmatter, or in a cell for this conversation.

    The cell is below the one at ``offset``, else at the end; before the agent's first answer,
    if there is one. Raises ``RefusedError``.
    """
    return language_of(snapshot.document).add_agent(snapshot, name, models, temporary, offset)


def set_default(snapshot: Snapshot, name: str) -> list[Edit] | None:
    """The edits that make ``name`` the default; ``None`` if the file cannot be edited."""
    return language_of(snapshot.document).set_default(snapshot, name)
