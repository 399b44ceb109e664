"""Writes ``agents.json``: each boot message with an agent becomes an agent.

Other messages are a loss. If a document is given, only the texts that differ are changed in it,
and all else is kept byte by byte.
"""

import json
from collections.abc import Mapping
from typing import Any

from msgls.conversation.conversation import EPOCH, Conversation, Loss, Written, derived_run_of
from msgls.conversation.messages import Message
from msgls.conversation.readers.agentsjson import read
from msgls.document.document import Document
from msgls.formats.agentsjson import AGENTS
from msgls.formats.agentsjson.cells import AgentsCell
from msgls.formats.agentsjson.greetings import TEXT_KEYS
from msgls.formats.base import Format
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Edit, apply_edits

_KEPT_META = frozenset({"agent", "path", "isBootMessage", "isVirtual", "bootMessage"})


def write(
    conversation: Conversation, like: Document | None = None, format: Format = AGENTS
) -> Written:
    """The file with the boot messages of ``conversation``."""
    if like is not None:
        old = read(like)
        if old.messages == conversation.messages:
            return Written(like.text)
        edited = _edited(like, old.messages, conversation.messages)
        if edited is not None:
            return Written(edited)
    agents, losses = [], []
    derived_run = derived_run_of(conversation.messages)
    for index, message in enumerate(conversation.messages):
        agent, lost = _agent(message, derived_run)
        losses += [Loss(what, None, index) for what in lost]
        if agent is not None:
            agents.append(agent)
    text = json.dumps({"agents": agents}, ensure_ascii=False, indent=2) + "\n"
    return Written(text, tuple(losses))


def _edited(like: Document, old: tuple[Message, ...], new: tuple[Message, ...]) -> str | None:
    """``like`` with the new texts of its messages; ``None`` if more than texts differs."""
    first = like.first_cell()
    if first is None or not isinstance(first.cell, AgentsCell) or len(old) != len(new):
        return None
    boots = [(a.boot_message, start) for a, start, _ in first.cell.agents if a.boot_message]
    edits = []
    for before, after, (boot, start) in zip(old, new, boots, strict=True):
        if before.parts == after.parts:
            continue
        texts = [m for key in TEXT_KEYS if (m := boot.member(key)) and m.value.kind == "string"]
        if (before.role, before.meta) != (after.role, after.meta) or not texts:
            return None
        text = _text(after)
        if text is None:
            return None
        edits.append(Edit(texts[0].value.span.shift(start), json.dumps(text, ensure_ascii=False)))
    same = all(b.role == a.role and b.meta == a.meta for b, a in zip(old, new, strict=True))
    return apply_edits(like.text, edits) if same else None


def _text(message: Message) -> str | None:
    """The text of a message; ``None`` if it has other parts or several."""
    if not message.parts:
        return ""
    part = message.parts[0]
    return part.payload.text if len(message.parts) == 1 and part.kind == "text" else None


def _agent(message: Message, derived_run: str) -> tuple[dict[str, Any] | None, list[Phrase]]:
    meta = message.meta or {}
    name, path, rest = meta.get("agent"), meta.get("path"), meta.get("bootMessage")
    if message.role != "assistant" or not meta.get("isBootMessage") or not isinstance(name, str):
        return None, [Phrase("it is not a boot message of an agent")]
    lost: list[Phrase] = []
    if not isinstance(path, str):
        lost.append(Phrase("the path of its agent is not known"))
    others = [key for key in meta if key not in _KEPT_META]
    if others:
        lost.append(
            Phrase("a boot message cannot hold {keys}", keys=joined([f"`{key}`" for key in others]))
        )
    if not meta.get("isVirtual"):
        lost.append(Phrase("every boot message is virtual"))
    if message.timestamp != EPOCH:
        lost.append(Phrase("the time {time} is not written", time=message.timestamp))
    if message.run_id != derived_run:
        lost.append(Phrase("the run `{run}` is not written", run=message.run_id))
    text = _text(message)
    if text is None:
        lost.append(Phrase("only text is written"))
        text = "\n\n".join([p.payload.text for p in message.parts if p.kind == "text"])
    elif message.parts and not text:
        lost.append(Phrase("an empty text is left out"))
    boot = _boot(text, rest if isinstance(rest, Mapping) else {})
    agent = {"name": name, "path": path if isinstance(path, str) else ""}
    return {**agent, "metadata": {"bootMessage": boot}}, lost


def _boot(text: str, rest: Mapping[str, Any]) -> dict[str, Any]:
    meta = rest.get("meta")
    marks = {"isBootMessage": True, "isVirtual": True}
    own = dict(meta) if isinstance(meta, Mapping) else {}
    return {"message": text, **{k: v for k, v in rest.items() if k != "meta"}, "meta": marks | own}
