"""The language of ``agents.json``."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import agentsjson
from msgls.features.agents import Agent, Origin
from msgls.features.agentsjson import outline
from msgls.features.language import Language
from msgls.features.msgmd.rename import check_agent_name
from msgls.features.names import Elsewhere, PlacedName, declarations, shared_places
from msgls.features.outline import Symbol
from msgls.features.rename import RenameRefused
from msgls.formats.agentsjson.cells import AgentsCell
from msgls.formats.base import Placed
from msgls.syntax.names import NameKind, Use
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

if TYPE_CHECKING:
    from msgls.features.completion import Completions
    from msgls.features.hover import Hover
    from msgls.features.markup import Part


_NOTHING = Phrase("nothing to rename here: put the cursor on the name of an agent")


class AgentsJson(Language):
    """Agents, their boot messages and tasks. The file is one cell."""

    shared_kind = NameKind.AGENT
    nothing_to_rename = _NOTHING

    def counterparts(self, document: Document, found: PlacedName) -> list[Span] | None:
        """From a declaration to itself: editors then show the references instead."""
        return declarations(document, found)

    def symbols(self, snapshot: Snapshot, placed: Placed) -> Iterable[Symbol]:
        return outline.symbols(snapshot, placed)

    def elsewhere(
        self,
        snapshot: Snapshot,
        found: PlacedName,
        uses: Collection[Use],
    ) -> Iterable[Elsewhere]:
        """The message files that this file registers agents for."""
        if found.name.kind is not NameKind.AGENT or Use.USES not in uses:
            return ()
        paths = snapshot.surroundings.registered_by(snapshot.document.path)
        return (Elsewhere(path, found.name.text) for path in paths)

    def renamable(self, document: Document, found: PlacedName) -> tuple[Span, str]:
        if found.name.kind is not NameKind.AGENT:
            raise RenameRefused(_NOTHING)
        return found.span, found.name.text

    def rename(self, document: Document, found: PlacedName, new: str) -> list[Edit]:
        return self.rename_shared(document, found.name.text, new)

    def rename_shared(self, document: Document, name: str, new: str) -> list[Edit]:
        """The edits that rename an agent. The new name must be valid as the type of an answer."""
        new = check_agent_name(new)
        if shared_places(document, new):
            raise RenameRefused("`{new}` is taken: an agent already has that name", new=new)
        written = json.dumps(new, ensure_ascii=False)[1:-1]
        return [Edit(place.span, written) for place in shared_places(document, name)]

    def involved_agents(self, snapshot: Snapshot) -> list[Agent]:
        return involved_agents(snapshot)

    def registered_agents(self, snapshot: Snapshot) -> list[str]:
        return registered_agents(snapshot)

    def complete(self, snapshot: Snapshot, offset: int) -> Completions:
        return agentsjson.completion.complete(snapshot, offset)

    def opens(self, snapshot: Snapshot, offset: int, character: str) -> bool:
        return agentsjson.completion.opens(snapshot, offset, character)

    def documentation(self, snapshot: Snapshot, topic: tuple[str, str]) -> tuple[Part, ...]:
        return agentsjson.completion.documentation(snapshot, topic)

    def hover(self, snapshot: Snapshot, offset: int) -> Hover | None:
        return agentsjson.hover.hover(snapshot, offset)


# -- The agents that an ``agents.json`` registers.


def involved_agents(snapshot: Snapshot) -> list[Agent]:
    """Every agent that has a name, each once, in the order of the file."""
    document = snapshot.document
    first = document.first_cell()
    if first is None or not isinstance(first.cell, AgentsCell):
        return []
    found: dict[str, Agent] = {}
    for placed in first.cell.agents:
        name = placed.agent.name
        if name and name not in found:
            line = document.position_of(placed.start).line
            found[name] = Agent(name, Origin.AGENTS_FILE, line=line)
    return list(found.values())


def registered_agents(snapshot: Snapshot) -> list[str]:
    """Their names."""
    return [agent.name for agent in involved_agents(snapshot)]
