"""Reads ``agents.json``: each boot message becomes a message of its agent.

The ``meta`` of a message has ``agent`` and ``path``, ``isBootMessage`` and ``isVirtual``, which
are always true, and in ``bootMessage`` the other keys of the boot message.
"""

from msgls.conversation.conversation import Conversation, Loss, from_wires
from msgls.conversation.parts import Wire, text_parts
from msgls.document.document import Document
from msgls.formats.agentsjson.cells import Agent, AgentsCell
from msgls.formats.agentsjson.greetings import TEXT_KEYS
from msgls.text.lines import count_breaks
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span

_KEPT_KEYS = ("name", "path", "metadata")


def read(document: Document) -> Conversation:
    """The boot messages, in the order of their agents."""
    first = document.first_cell()
    wires: list[Wire] = []
    sources: list[tuple[Span, ...]] = []
    losses: list[Loss] = []
    if first is not None and isinstance(first.cell, AgentsCell):
        lines = _Lines(first.cell.text)
        for agent, start, _ in first.cell.agents:
            losses += _losses(agent, lines.line(start))
            message = _message(agent)
            if message is not None and agent.boot is not None:
                wires.append(message)
                sources.append((agent.boot.span.shift(start),))
    return from_wires(wires, sources, losses)


class _Lines:
    """Converts offsets to lines; offsets must be increasing."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = self._offset = 0

    def line(self, offset: int) -> int:
        self._line += count_breaks(self._text[self._offset : offset])
        self._offset = max(offset, self._offset)
        return self._line


def _losses(agent: Agent, line: int) -> list[Loss]:
    who = Phrase("an agent")
    if agent.name is not None:
        who = Phrase("the agent `{name}`", name=agent.name)
    if agent.boot is None:
        return [Loss(Phrase("{who} has no boot message", who=who), line)]
    others = [m.key for m in agent.value.members if m.key not in _KEPT_KEYS]
    metadata = agent.value.member("metadata")
    if metadata is not None:
        others += [m.key for m in metadata.value.members if m is not agent.boot]
    if not others:
        return []
    keys = joined([f"`{name}`" for name in dict.fromkeys(others)])
    what = Phrase("other settings of {who} are not kept: {keys}", who=who, keys=keys)
    return [Loss(what, line)]


def _message(agent: Agent) -> Wire | None:
    if agent.boot_message is None:
        return None
    boot = agent.data(agent.boot_message)
    key = next((key for key in TEXT_KEYS if isinstance(boot.get(key), str)), None)
    meta: Wire = {"isBootMessage": True, "isVirtual": True}
    if agent.name is not None:
        meta["agent"] = agent.name
    path = agent.value.member("path")
    where = None if path is None else agent.string(path.value)
    if where is not None:
        meta["path"] = where
    rest = _without_own(boot, key)
    if rest:
        meta["bootMessage"] = rest
    text = "" if key is None else boot[key]
    return {"role": "assistant", "parts": text_parts(text), "meta": meta}


def _without_own(boot: Wire, key: str | None) -> Wire:
    """A boot message without its text and without the two marks that all have."""
    rest = {name: value for name, value in boot.items() if name != key}
    meta = rest.get("meta")
    if isinstance(meta, dict):
        marks = ("isBootMessage", "isVirtual")
        rest["meta"] = {name: value for name, value in meta.items() if name not in marks}
        if not rest["meta"]:
            del rest["meta"]
    return rest
