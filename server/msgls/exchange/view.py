"""What the model sees of a document: messages, each with the way back to its source.

Owns the picture that is sent for an agent: its system prompt, then every message behind
the last reset, less excluded and virtual ones, summaries where asked, in order. Pure: a
document and an agent in, values out. The text that follows the typing is ``live``'s.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.exchange.agents import SeeingAgent, seeing_agent
from msgls.exchange.sights import (
    CellSight,
    Horizon,
    cell_sights,
    horizon_of,
    meaning_in,
    sight_in,
)
from msgls.formats.msgmd import MessageFile
from msgls.formats.msgmd.history import Sight, first_paragraph
from msgls.formats.msgmd.meaning import CellRole, Meaning
from msgls.model.conversation import EPOCH, Conversation, derive_run_id
from msgls.model.messages import Message
from msgls.model.tokens import estimate_tokens
from msgls.text.spans import Span

Wire = dict[str, Any]

# What services have a place for.
_SENT_META = ("name", "role")
_PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


class Entry(NamedTuple):
    """A message that is sent, and where it comes from."""

    message: Message
    spans: tuple[Span, ...]
    """Absolute, in order."""
    orders: tuple[int, ...]
    """The labels of the cells that say it; none for the system prompt of an agent."""
    first_line: int
    """From 0."""
    last_line: int


class View(NamedTuple):
    """What one agent sees of one version of a document."""

    agent: SeeingAgent
    entries: tuple[Entry, ...]
    cells: tuple[CellSight, ...]
    """Every cell, seen or not."""

    @property
    def tokens(self) -> int:
        """About how many tokens it takes."""
        return estimate_tokens(self.agent.system_prompt) + sum(cell.tokens for cell in self.cells)

    @property
    def conversation(self) -> Conversation:
        """The messages alone, as they are written elsewhere."""
        entries = self.entries
        return Conversation(tuple([e.message for e in entries]), tuple([e.spans for e in entries]))

    @property
    def sent(self) -> Conversation:
        """The messages less what they say of themselves, which is for nobody but us."""
        wires = []
        for entry in self.entries:
            wire: Wire = {"role": entry.message.role, "parts": entry.message.to_wire()["parts"]}
            meta = {k: v for k, v in (entry.message.meta or {}).items() if k in _SENT_META}
            wires.append(wire | ({"meta": meta} if meta else {}))
        run_id = derive_run_id(wires)
        messages = [Message.from_wire({"runId": run_id, "timestamp": EPOCH, **w}) for w in wires]
        return Conversation(tuple(messages), tuple([entry.spans for entry in self.entries]))


def see(document: Document, agent: str | None = None, other_agents: Collection[str] = ()) -> View:
    """What ``agent``, else the default one, sees of a document."""
    seeing = seeing_agent(document, agent)
    conversation = document.format.lower(document)
    if isinstance(document.format, MessageFile):
        found = _Filter(document, other_agents).run(conversation)
    else:
        found = [
            (message, spans)
            for message, spans in zip(conversation.messages, conversation.sources, strict=True)
            if (message.meta or {}).get("isVirtual") is not True
        ]
    prompt = [] if not seeing.system_prompt else [_prompt(seeing, [m for m, _ in found])]
    entries = [_entry(document, message, spans) for message, spans in [*prompt, *found]]
    return View(seeing, tuple(entries), tuple(cell_sights(document, other_agents)))


def _prompt(agent: SeeingAgent, others: Sequence[Message]) -> tuple[Message, tuple[Span, ...]]:
    parts = [{"kind": "text", "payload": {"text": agent.system_prompt}}]
    wire: Wire = {"role": "system", "parts": parts}
    run = others[0].run_id if others else derive_run_id([wire])
    time = others[0].timestamp if others else EPOCH
    message = Message.from_wire({"runId": run, "timestamp": time, **wire})
    return message, () if agent.prompt_span is None else (agent.prompt_span,)


def _entry(document: Document, message: Message, spans: tuple[Span, ...]) -> Entry:
    orders = []
    for span in spans:
        placed = document.cell_at_offset(span.start)
        if placed is not None and placed.start_offset <= span.start:
            orders.append(placed.order)
    lines = [document.position_of(span.start).line for span in spans] or [0]
    ends = [document.position_of(max(span.end - 1, span.start)).line for span in spans] or [0]
    return Entry(message, spans, tuple(orders), min(lines), max(ends))


class _Filter:
    """Takes out of lowered messages what their cells do not show."""

    def __init__(self, document: Document, other_agents: Collection[str]) -> None:
        self.document = document
        self.other_agents = other_agents
        self.horizon: Horizon = horizon_of(document)

    def run(self, conversation: Conversation) -> list[tuple[Message, tuple[Span, ...]]]:
        found = []
        for message, spans in zip(conversation.messages, conversation.sources, strict=True):
            cells = [self._cell(span) for span in spans]
            seen = [(span, c) for span, c in zip(spans, cells, strict=True) if c[1].is_sent]
            if not seen:
                continue
            wire = _without_file(message)
            if all(sight is Sight.SEEN for _, sight in cells):
                kept = message if wire is None else Message.from_wire(wire)
            else:
                kept = _shown(wire or message.to_wire(), cells)
            found.append((kept, tuple([span for span, _ in seen])))
        return found

    def _cell(self, span: Span) -> tuple[Meaning, Sight]:
        placed = self.document.cell_at_offset(span.start)
        assert placed is not None
        meaning = meaning_in(self.document, placed, self.other_agents)
        return meaning, sight_in(meaning, self.horizon)


def _without_file(message: Message) -> Wire | None:
    """The message less what its file says around it; nothing where it carries none."""
    if not message.meta or "file" not in message.meta:
        return None
    wire = message.to_wire()
    del wire["meta"]["file"]
    return wire


def _shown(wire: Wire, cells: Sequence[tuple[Meaning, Sight]]) -> Message:
    """The message with the parts of those cells alone that are seen."""
    first = cells[0][0]
    if first.role is CellRole.RESULT:
        wire["parts"] = [_shown_result(wire["parts"][0], cells)]
        return Message.from_wire(wire)
    calls = cells if first.role is CellRole.CALL else cells[1:]
    own_count = len(wire["parts"]) - len(calls)
    parts: list[Wire] = []
    if first.role is not CellRole.CALL:
        parts += _shown_parts(wire["parts"][:own_count], *cells[0])
    for part, (meaning, sight) in zip(wire["parts"][own_count:], calls, strict=True):
        parts += _shown_parts([part], meaning, sight)
    wire["parts"] = parts
    return Message.from_wire(wire)


def _shown_parts(parts: list[Wire], meaning: Meaning, sight: Sight) -> list[Wire]:
    """What of a cell's parts is sent."""
    if sight is Sight.SEEN:
        return parts
    if sight is not Sight.SUMMARY:
        return []
    summary = meaning.value("summary")
    if not parts:
        return [_text(summary)] if summary else []
    kind = parts[0]["kind"]
    if kind in ("text", "thinking"):
        text = summary or first_paragraph(parts[0]["payload"]["text"])
        return [_text(text) | {"kind": kind}]
    # The first paragraph of a call or an image is the whole of it.
    return [_text(summary)] if summary else parts


def _shown_result(part: Wire, cells: Sequence[tuple[Meaning, Sight]]) -> Wire:
    """A result less what its cells hide; they stand in the order of the text, it in theirs."""
    content = part["payload"]["content"]
    texts = [content] if isinstance(content, str) else [p["payload"]["text"] for p in content]
    ordered = sorted(cells, key=lambda cell: _number(cell[0]))
    kept: list[Wire] = []
    for text, (meaning, sight) in zip(texts, ordered, strict=True):
        kept += _shown_parts([_text(text)], meaning, sight)
    payload: Mapping[str, Any] = part["payload"]
    said = kept[0]["payload"]["text"] if len(kept) == 1 else kept
    return {**part, "payload": {**payload, "content": said}}


def _number(meaning: Meaning) -> float:
    """The number of a result, as lowering counts it: what is written oddly comes last."""
    last = (meaning.cell.id or "").rpartition(".")[2]
    return int(last) if _PLAIN_NUMBER.fullmatch(last) else float("inf")


def _text(text: str) -> Wire:
    return {"kind": "text", "payload": {"text": text}}
