"""Writes message files.

Owns the order of the steps: cells are written, the head of the file is added, and
the text is read back, so that no difference is silent. Cells are restored from the
``meta`` of their messages; what the format cannot express is approximated and
reported as a loss. If a document is given, all unchanged text is kept byte by byte.
"""

import re
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

from msgls.conversation.comparison import (
    Piece,
    Wanted,
    derived_runs_of,
    find_losses,
    merged_losses,
    with_messages,
)
from msgls.conversation.conversation import Conversation, Loss, Written
from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import Message, ToolCallPart, ToolResultPart
from msgls.conversation.parts import text_part
from msgls.conversation.readers.msgmd import read
from msgls.conversation.writers.msgmd_cells import (
    Writer,
    carried_file,
    file_head,
    is_of_cell,
    with_agents,
)
from msgls.conversation.writers.msgmd_splice import splice
from msgls.document.document import Document
from msgls.formats.base import Format
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD
from msgls.formats.msgmd.content import open_fence
from msgls.formats.msgmd.meaning import TOOL
from msgls.text.garbage import without_collection
from msgls.text.phrases import Phrase

_ID = re.compile(r"[^\s.\[\]^]+")
_RUN_META = frozenset({"id", "type", "attributes", "executionOf", "n", "m", "status"})


def write(
    conversation: Conversation, like: Document | None = None, format: Format = MSGMD
) -> Written:
    """The message file; if ``like`` is given, that document with the changes."""
    with without_collection():
        text, losses = _write(conversation.messages, like)
    return Written(text, tuple(losses))


def _write(messages: Sequence[Message], like: Document | None) -> tuple[str, list[Loss]]:
    file = carried_file(messages)
    spliced = None
    if like is not None:
        old = read(like)
        spliced = splice(messages, like, old)
        file = file or carried_file(old.messages)
    return spliced or _write_whole(messages, dict(file))


def _write_whole(messages: Sequence[Message], file: dict[str, Any]) -> tuple[str, list[Loss]]:
    derived_runs = derived_runs_of(messages)
    writer = Writer(messages, derived_runs)
    for index in range(len(messages)):
        writer.add(index)
    given, preamble = [
        text if isinstance(text := file.get(key), str) else ""
        for key in ("frontmatter", "preamble")
    ]
    frontmatter = with_agents(given, writer.agents)
    if given:
        file["frontmatter"] = frontmatter
    head = file_head(frontmatter, preamble)
    pieces = [Piece(head), *writer.take_pieces(ends_file=True)]
    wanted = Wanted(writer.wanted(messages), file, derived_runs, named=frozenset(writer.named))
    format = SECTIONED_MSGMD if file.get("section") else MSGMD
    found = find_losses(wanted, pieces, "written" + format.endings[0], format)
    losses = [*writer.renames, *merged_losses(writer.losses, found)]
    return "".join([piece.text for piece in pieces]), losses


# -- conversations from other formats -------------------------------------------------------


def fitted(conversation: Conversation) -> Conversation:
    """A conversation from another format, changed so that its message file has no errors."""
    messages = list(conversation.messages)
    losses: list[Loss] = []
    _fit_ids(messages, losses)
    with_unique_call_ids(messages, losses)
    without_stray_results(messages, losses)
    _fit_runs(messages, losses)
    _fit_end(messages, losses)
    _fit_calls(messages)
    _register(messages)
    return with_messages(conversation, messages, losses)


def _fit_ids(messages: list[Message], losses: list[Loss]) -> None:
    taken: set[str] = set()
    for index, message in enumerate(messages):
        given = (message.meta or {}).get("id")
        if given is None or is_of_cell(message):
            continue
        if isinstance(given, str) and _ID.fullmatch(given) and given not in taken:
            taken.add(given)
            continue
        meta = {key: value for key, value in (message.meta or {}).items() if key != "id"}
        messages[index] = message.model_copy(update={"meta": meta or None})
        losses.append(Loss(Phrase("the id `{id}` becomes another", id=str(given)), None, index))


def with_unique_call_ids(messages: list[Message], losses: list[Loss]) -> None:
    """Make the ids of calls unique; a result answers the earliest open call with its id."""
    counts: Counter[str] = Counter()
    given: set[str] = set()
    waiting: dict[str, deque[str]] = {}
    answered: dict[str, str] = {}
    for index, message in enumerate(messages):
        names: list[str | None] = []
        for part in message.parts:
            name = None
            if isinstance(part, ToolCallPart):
                old = part.payload.tool_call_id
                name = first = old or "call"
                while name in given:
                    counts[first] += 1
                    name = f"{first}-{counts[first] + 1}"
                given.add(name)
                waiting.setdefault(old, deque()).append(name)
                if name != old:
                    what = Phrase("the id `{id}` becomes another", id=old)
                    what = what if old else Phrase("a call without an id gets one")
                    losses.append(Loss(what, None, index))
            elif isinstance(part, ToolResultPart):
                old = part.payload.tool_call_id
                name = waiting[old].popleft() if waiting.get(old) else answered.get(old, old)
                answered[old] = name
            names.append(name)
        messages[index] = _with_call_ids(message, names)


def _with_call_ids(message: Message, names: Sequence[str | None]) -> Message:
    """A message with the given ids of calls, one for each part; ``None`` keeps the id."""
    wire = message.to_wire() if any(names) else {"parts": []}
    is_changed = False
    for part, name in zip(wire["parts"], names, strict=False):
        if name is not None and part["payload"]["toolCallId"] != name:
            part["payload"]["toolCallId"] = name
            is_changed = True
    return Message.from_wire(wire) if is_changed else message


def without_stray_results(messages: list[Message], losses: list[Loss]) -> None:
    """Turn results without a call into user messages."""
    calls: set[str] = set()
    for index, message in enumerate(messages):
        calls |= {p.payload.tool_call_id for p in message.parts if isinstance(p, ToolCallPart)}
        if message.role != "tool":
            continue
        results = [part for part in message.parts if isinstance(part, ToolResultPart)]
        strays = [part for part in results if part.payload.tool_call_id not in calls]
        if not strays or len(strays) < len(message.parts):
            continue
        wire = message.to_wire()
        text = "\n\n".join(map(as_markdown, strays))
        wire |= {"role": "user", "parts": [text_part(text)]}
        messages[index] = Message.from_wire(wire)
        call = strays[0].payload.tool_call_id
        what = Phrase("there is no call `{call}`: its result becomes a message", call=call)
        what = what if call else Phrase("there is no call for this result: it becomes a message")
        losses.append(Loss(what, None, index))


def _fit_runs(messages: list[Message], losses: list[Loss]) -> None:
    """Turn outputs of missing code cells into messages."""
    code_cells: set[object] = set()
    for index, message in enumerate(messages):
        meta = message.meta or {}
        if meta.get("type") == "code":
            code_cells.add(meta.get("id"))
        cell_id = meta.get("executionOf")
        if cell_id is None or cell_id in code_cells:
            continue
        rest = {key: value for key, value in meta.items() if key not in _RUN_META}
        messages[index] = message.model_copy(update={"meta": rest or None})
        what = Phrase("there is no code cell `{id}`: its output becomes a message", id=str(cell_id))
        losses.append(Loss(what, None, index))


def _fit_calls(messages: list[Message]) -> None:
    """Let arguments that are not an object be written in an XML element."""
    for index, message in enumerate(messages):
        meta = message.meta or {}
        calls = [part.payload for part in message.parts if isinstance(part, ToolCallPart)]
        if "calls" in meta or all(call.arguments is not None for call in calls):
            continue
        abouts = [
            {"id": call.tool_call_id} | ({} if call.arguments is not None else {"element": True})
            for call in calls
        ]
        messages[index] = message.model_copy(update={"meta": {**meta, "calls": abouts}})


def _register(messages: list[Message]) -> None:
    """Register the agents of answers in a frontmatter, unless there is one."""
    names = [(m.meta or {}).get("agent") for m in messages if m.role == "assistant"]
    agents = dict.fromkeys([n for n in names if isinstance(n, str) and n not in ("", TOOL)])
    frontmatter = "" if carried_file(messages) else with_agents("", agents)
    if frontmatter:
        meta = {**(messages[0].meta or {}), "file": {"frontmatter": frontmatter}}
        messages[0] = messages[0].model_copy(update={"meta": meta})


def _fit_end(messages: list[Message], losses: list[Loss]) -> None:
    """Close an open fence in the last text, so that it does not swallow appended cells."""
    if not messages or not messages[-1].parts:
        return
    wire = messages[-1].to_wire()
    payload = wire["parts"][-1]["payload"]
    text = payload.get("text") or payload.get("content")
    fence = open_fence(text) if isinstance(text, str) else ""
    if fence:
        payload["text" if "text" in payload else "content"] = f"{text}\n{fence}"
        messages[-1] = Message.from_wire(wire)
        what = Phrase("an open fence is closed, so that it ends with its message")
        losses.append(Loss(what, None, len(messages) - 1))
