"""Rename in ``agents.json``: an agent, with all that message files say of it.

Owns what an agent may be called here: what a message file can write as the type of an answer.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from msgls.document.document import Document
from msgls.features.agentsjson.places import Named, agent_name_at, cell_of, named
from msgls.features.elsewhere import Elsewhere
from msgls.features.msgmd.rename import check_agent_name
from msgls.features.rename import Renamable, RenameRefused
from msgls.rules.base import ALONE, Surroundings
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit

_NOTHING = Phrase("nothing to rename here: put the cursor on the name of an agent")


def prepare_rename(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> Renamable:
    """What a rename at ``offset`` would change. Raises ``RenameRefused``."""
    name = _renamable(document, offset)
    return Renamable(name.span, name.text)


def rename(
    document: Document, offset: int, new: str, other_agents: Collection[str] = ()
) -> list[Edit]:
    """The edits that give the name at ``offset`` as ``new``. Raises ``RenameRefused``."""
    name = _renamable(document, offset)
    return [] if new == name.text else renamed(document, name.text, new)


def renamed_with(
    document: Document, offset: int, surroundings: Surroundings = ALONE
) -> Iterable[Elsewhere]:
    """The message files that this file registers agents for."""
    name = _renamable(document, offset)
    return (Elsewhere(path, name.text) for path in surroundings.registered_by(document.path))


def renamed(document: Document, name: str, new: str) -> list[Edit]:
    """The edits that give an agent another name. Raises ``RenameRefused``."""
    new = check_agent_name(new)
    cell = cell_of(document)
    if cell is not None and any(placed.agent.name == new for placed in cell.agents):
        raise RenameRefused("`{new}` is taken: an agent has that name already", new=new)
    written = json.dumps(new, ensure_ascii=False)[1:-1]
    return [Edit(span, written) for _, span in named(document, name)]


def _renamable(document: Document, offset: int) -> Named:
    name = agent_name_at(document, offset)
    if name is None:
        raise RenameRefused(_NOTHING)
    return name
