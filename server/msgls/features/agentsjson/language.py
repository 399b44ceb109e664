"""The language of ``agents.json``."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import agentsjson
from msgls.features.agents import Agent, Origin
from msgls.features.agentsjson import outline
from msgls.features.language import Language, delegate
from msgls.features.msgmd.rename import check_agent_name
from msgls.features.names import Elsewhere, PlacedName, declarations, shared_places
from msgls.features.rename import RenameRefused
from msgls.formats.agentsjson.cells import AgentsCell
from msgls.syntax.names import NameKind, Use
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

_NOTHING = Phrase("nothing to rename here: put the cursor on the name of an agent")


class AgentsJson(Language):
    """Agents, their boot messages and tasks. The file is one cell."""

    shared_kind = NameKind.AGENT
    nothing_to_rename = _NOTHING

    # From a declaration to itself: editors then show the references instead.
    counterparts = delegate(lambda: declarations)
    symbols = delegate(lambda: outline.symbols)
    complete = delegate(lambda: agentsjson.completion.complete)
    opens = delegate(lambda: agentsjson.completion.opens)
    documentation = delegate(lambda: agentsjson.completion.documentation)
    hover = delegate(lambda: agentsjson.hover.hover)

    def elsewhere(
        self, snapshot: Snapshot, found: PlacedName, uses: Collection[Use]
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
        """Every agent that has a name, each once, in the order of the file."""
        document = snapshot.document
        first = document.first_cell()
        cell = None if first is None else first.cell
        found: dict[str, Agent] = {}
        for placed in cell.agents if isinstance(cell, AgentsCell) else ():
            name = placed.agent.name
            if name and name not in found:
                line = document.position_of(placed.start).line
                found[name] = Agent(name, Origin.AGENTS_FILE, line=line)
        return list(found.values())
