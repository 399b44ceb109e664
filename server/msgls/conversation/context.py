"""What the model sees of a conversation, and what it does not see.

Owns the selection from which everything that is sent or shared is made: the system prompt of
the agent, then the messages after the last reset, without excluded and virtual ones, and with
summaries for those that ask for one, in order. Pure: a conversation in, a conversation out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from msgls.conversation.agents import SeeingAgent
from msgls.conversation.cell_visibility import first_paragraph
from msgls.conversation.comparison import with_derived_run
from msgls.conversation.conversation import CARRIED_META, EPOCH, Conversation, derive_run_id
from msgls.conversation.messages import Message, ToolCallPart, ToolResultPart
from msgls.conversation.parts import Wire, text_part
from msgls.conversation.visibility import EXCLUDED, HISTORY, VISIBILITY_META, Sight, Visibility
from msgls.syntax.ids import CellId
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

RESULTS, ORPHAN = "results", "orphan"
# Metadata and attributes that describe the content, and do not apply to a summary.
_OF_CONTENT_META = ("reasoning", "metadata", "ename", "evalue")
_OF_CONTENT = ("mime_type", "output", "alt", "newline", "output_file")


class Hidden(NamedTuple):
    """A message that is not sent, or not in full."""

    message_index: int
    sight: Sight


class Context(NamedTuple):
    """What the model sees of a conversation, or all of it if that was requested."""

    conversation: Conversation
    """The messages that are sent, without metadata about visibility."""
    indices: tuple[int | None, ...]
    """The index of each message in the whole conversation; ``None`` for the system prompt."""
    hidden: tuple[Hidden, ...]
    """The messages that the model does not see, or not in full, in order."""
    agent: SeeingAgent
    """The agent that it is sent to."""


def sights_of(conversation: Conversation) -> list[Sight]:
    """Whether the model sees each message."""
    visibilities = [message.visibility for message in conversation.messages]
    reset = max((n for n, visibility in enumerate(visibilities) if visibility.is_reset), default=-1)
    return [
        Sight.BEFORE_RESET if n <= reset and v.sight is not Sight.VIRTUAL else v.sight
        for n, v in enumerate(visibilities)
    ]


def why_hidden(message: Message, sight: Sight) -> Phrase:
    """Why the model does not see a message, or not in full."""
    if sight is Sight.EXCLUDED:
        value = (message.meta or {}).get(HISTORY)
        return Phrase("history={value}", value=value if isinstance(value, str) else EXCLUDED)
    if sight is Sight.SUMMARY:
        return Phrase("replaced by its summary")
    if sight is Sight.BEFORE_RESET:
        if message.visibility.is_reset:
            return Phrase("it resets the context")
        return Phrase("it is before the last reset")
    if message.visibility.is_boot:
        return Phrase("it is a boot message")
    attributes = (message.meta or {}).get("attributes")
    if isinstance(attributes, Mapping) and attributes.get("definition") == "agent":
        return Phrase("it defines an agent")
    return Phrase("it is virtual")


def context_of(conversation: Conversation, agent: SeeingAgent, everything: bool = False) -> Context:
    """What ``agent`` sees of a conversation; with ``everything``, as if nothing were hidden."""
    messages: list[Message] = []
    indices: list[int | None] = []
    sources: list[tuple[Span, ...]] = []
    hidden: list[Hidden] = []
    index_of: dict[tuple[str, str], int] = {}
    for index, sight in enumerate(sights_of(conversation)):
        message = conversation.messages[index]
        if sight is not Sight.SEEN:
            hidden.append(Hidden(index, sight))
        if not sight.is_sent and not everything:
            continue
        shown = sent(message, Sight.SEEN if everything else sight)
        key = _family(message)
        # Two answers may have the same id by mistake: they are not joined.
        place = None if key is None or _is_answer(message) else index_of.get(key)
        if place is None:
            if key is not None and not _is_orphan(message):
                index_of[key] = len(messages)
            messages.append(shown)
            indices.append(index)
            sources.append(conversation.sources[index])
        else:
            # Cells of one message that differ in visibility: those that are sent are joined again.
            messages[place] = _joined(messages[place], shown)
            sources[place] = tuple(sorted([*sources[place], *conversation.sources[index]]))
    if agent.system_prompt:
        messages.insert(0, _prompt(agent, messages))
        indices.insert(0, None)
        sources.insert(0, () if agent.prompt_span is None else (agent.prompt_span,))
    found = tuple(_with_carried(messages, conversation.messages))
    if found == conversation.messages:
        return Context(conversation, tuple(indices), tuple(hidden), agent)
    found = with_derived_run(found, conversation.messages)
    kept = replace(conversation, messages=found, sources=tuple(sources))
    return Context(kept, tuple(indices), tuple(hidden), agent)


def _family(message: Message) -> tuple[str, str] | None:
    """A key shared by messages that belong together: the results of a call, an answer's calls."""
    meta, part = message.meta or {}, message.parts[0] if message.parts else None
    if isinstance(part, ToolResultPart) and len(message.parts) == 1 and RESULTS in meta:
        return "call", part.payload.tool_call_id
    if isinstance(part, ToolCallPart) and ORPHAN in meta:
        parent = CellId(part.payload.tool_call_id).parent
        return ("answer", parent) if parent else None
    name = meta.get("id")
    return ("answer", name) if message.role == "assistant" and isinstance(name, str) else None


def _is_answer(message: Message) -> bool:
    return message.role == "assistant" and not _is_orphan(message)


def _is_orphan(message: Message) -> bool:
    """Whether it holds calls of an answer that is another message, or missing."""
    return ORPHAN in (message.meta or {})


def _joined(first: Message, second: Message) -> Message:
    """Two messages that belong together as one; results are ordered by their numbers."""
    wire, other = first.to_wire(), second.to_wire()
    if first.role != "tool":
        wire["parts"] += other["parts"]
        return Message.from_wire(wire)
    numbered = [*_numbered(wire), *_numbered(other)]
    numbered.sort(key=lambda pair: pair[0])
    wire["parts"][0]["payload"]["content"] = [part for _, part in numbered]
    failed = [w["parts"][0]["payload"]["isError"] for w in (wire, other)]
    wire["parts"][0]["payload"]["isError"] = failed[-1]
    wire["meta"][RESULTS] = [*wire["meta"][RESULTS], *other["meta"][RESULTS]]
    return Message.from_wire(wire)


def _numbered(wire: Wire) -> Iterator[tuple[float, Wire]]:
    """The contents of a result, each with the number of its cell."""
    content = wire["parts"][0]["payload"]["content"]
    parts = content if isinstance(content, list) else [text_part(str(content))]
    abouts = wire["meta"][RESULTS]
    for place, part in enumerate(parts):
        about = abouts[place] if place < len(abouts) else {}
        number = about.get("n") if isinstance(about, dict) else None
        yield (number if isinstance(number, int) else float("inf")), part


def _prompt(agent: SeeingAgent, others: Sequence[Message]) -> Message:
    wire: Wire = {"role": "system", "parts": [text_part(agent.system_prompt)]}
    run = others[0].run_id if others else derive_run_id([wire])
    time = others[0].timestamp if others else EPOCH
    return Message.from_wire({"runId": run, "timestamp": time, **wire})


def _with_carried(messages: Sequence[Message], whole: Sequence[Message]) -> Sequence[Message]:
    """The messages, the first with the metadata of the whole conversation."""
    first = (whole[0].meta or {}) if whole else {}
    carried = {key: first[key] for key in CARRIED_META if key in first}
    if not messages or not carried or (messages[0].meta or {}).items() >= carried.items():
        return messages
    meta = {**(messages[0].meta or {}), **carried}
    return [messages[0].model_copy(update={"meta": meta}), *map(_without_carried, messages[1:])]


def _without_carried(message: Message) -> Message:
    meta = {k: v for k, v in (message.meta or {}).items() if k not in CARRIED_META}
    if meta == (message.meta or {}):
        return message
    return message.model_copy(update={"meta": meta or None})


def sent(message: Message, sight: Sight) -> Message:
    """A message as it is sent: its summary if that replaces it, without visibility metadata."""
    meta = message.meta
    if meta is None or VISIBILITY_META.isdisjoint(meta):
        return message
    wire = message.to_wire()
    if sight is Sight.SUMMARY:
        wire["parts"] = summarised(wire["parts"], message.visibility)
    rest = {key: value for key, value in meta.items() if key not in VISIBILITY_META}
    # Metadata that describes the hidden content is hidden with it.
    if sight is Sight.SUMMARY:
        rest = {key: value for key, value in rest.items() if key not in _OF_CONTENT_META}
        if message.visibility.summary and rest.get("type") == "code":
            # A summary is not code.
            rest = {key: value for key, value in rest.items() if key not in ("type", "language")}
        attributes = rest.get("attributes")
        if isinstance(attributes, Mapping):
            rest["attributes"] = {k: v for k, v in attributes.items() if k not in _OF_CONTENT}
    wire["meta"] = rest
    if not rest:
        del wire["meta"]
    return Message.from_wire(wire)


def summarised(parts: list[Wire], visibility: Visibility) -> list[Wire]:
    """The parts that replace ``parts``: the summary, or else the first paragraph."""
    summary = visibility.summary
    first = parts[0] if parts else None
    if first is not None and first["kind"] == "tool_result":
        return [_summarised_result(part, summary) for part in parts]
    if summary:
        kind = first["kind"] if first is not None else "text"
        return [text_part(summary, kind if kind in ("text", "thinking") else "text")]
    kept: list[Wire] = []
    for number, part in enumerate(parts):
        if part["kind"] == "tool_call":
            # A call has no paragraphs: it is kept as a whole.
            kept.append(part)
        elif number == 0:
            is_text = part["kind"] in ("text", "thinking")
            paragraph = first_paragraph(part["payload"]["text"]) if is_text else ""
            kept.append(text_part(paragraph, part["kind"]) if is_text else part)
    return kept


def _summarised_result(part: Wire, summary: str) -> Wire:
    if part["kind"] != "tool_result":
        return part
    payload: Mapping[str, Any] = part["payload"]
    content = payload["content"]
    if summary:
        content = summary
    elif isinstance(content, str):
        content = first_paragraph(content)
    elif isinstance(content, list):
        content = summarised(content, Visibility())
    return {**part, "payload": {**payload, "content": content}}
