"""What can be said of the parts of a Simple Text Format file, in words."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.counting import tokens
from msgls.features.markup import (
    Block,
    Code,
    Part,
    Run,
    Strong,
    Written,
    item,
    joined,
    paragraph,
)
from msgls.features.stf.meaning import (
    Answered,
    CallPlace,
    answers,
    call_answered,
    calls_in,
    cell_of,
    content_of,
    inherits,
    name_of,
    role_of,
    tokens_of,
)
from msgls.formats.base import Placed
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import ALIASES, COMMANDS, DIALECTS, END, ROLES, Spec

_MOST_PREVIEW = 600
_ROLES = {
    "user": "What a person says.",
    "assistant": "What the model says.",
    "system": "What the model is told before everything else.",
    "developer": "What the model is told by who builds with it; lowered to a system message.",
    "tool": "What a tool answered to a call.",
}
_COMMANDS = {
    "message": "Starts a message. Without `role` it has the role of the message before it.",
    "raw": "Starts a message that is a JSON5 object, as chat services write them, up to `end`.",
    "call": "Calls a tool. The next data line is its name, a blank and a JSON5 object.",
    "embed": "Takes a file into the message. The next data line is its path, or an address.",
    "meta": "Says something of the whole file: a JSON5 object, up to `end`.",
    "extra": "Says something more of this message: a JSON5 object, up to `end`.",
    "flush": "Ends the message: what follows needs a new one.",
    END: "Ends a block.",
}
_ARGUMENTS = {
    "role": "Who speaks.",
    "name": "The name of who speaks; of a tool's message, the tool.",
    "id": "The name of this message, for whoever wants to speak of it.",
    "call_id": "The call that this message answers. Without it, the nearest call before is meant.",
}
_CALL_ID = "The name of this call. The message that answers it says it as `call_id`."
_RAW_KEYS = {
    "role": "Who speaks.",
    "content": "What is said: a text, or a list of parts.",
    "name": "The name of who speaks.",
    "tool_calls": "The calls that the message makes.",
    "tool_call_id": "The call that the message answers.",
}
RAW_KEYS = tuple(_RAW_KEYS)


def command_parts(word: str, prefix: str) -> Iterator[Part]:
    """What a command does; nothing for a word that is none."""
    if word == END:
        yield paragraph(Strong("Command"), " ", Code(prefix + END))
        yield Written(_COMMANDS[END])
        return
    spec = COMMANDS[prefix].get(word) if prefix in COMMANDS else None
    if spec is None:
        return
    yield paragraph(Strong("Command"), " ", Code(prefix + word), *_alias(word, spec, prefix))
    yield Written(_said_of(spec))
    if spec.arguments:
        yield item("Arguments: ", *joined([Code(key) for key in spec.arguments]))
    others = [other for other in DIALECTS if other != prefix and spec.name not in COMMANDS[other]]
    if others:
        yield item("Only in the dialect ", Code(prefix))


def _alias(word: str, spec: Spec, prefix: str) -> list[Run]:
    if word != spec.name:
        return [", short for ", Code(prefix + spec.name)]
    short = next((alias for alias, name in ALIASES.items() if name == word), None)
    return [] if short is None else [", for short ", Code(prefix + short)]


def _said_of(spec: Spec) -> str:
    if spec.role is not None:
        return f"Starts a message. {_ROLES[spec.role]}"
    return _COMMANDS[spec.name]


def summary_of(word: str, prefix: str) -> str:
    """What a command does, in a line."""
    if word == END:
        return "ends a block"
    spec = COMMANDS[prefix][word]
    said = _ROLES[spec.role] if spec.role is not None else _COMMANDS[spec.name]
    return (said[0].lower() + said[1:]).partition(".")[0]


def argument_parts(key: str, spec: Spec | None) -> Iterator[Part]:
    """What an argument means; nothing for one that nobody knows."""
    if spec is None or key not in spec.arguments:
        return
    yield paragraph(Strong("Argument"), " ", Code(key))
    yield Written(_CALL_ID if spec.name == "call" else _ARGUMENTS[key])
    if key == "role":
        yield item("Values: ", *joined([Code(role) for role in ROLES]))


def raw_key_parts(key: str) -> Iterator[Part]:
    """What a key of a raw message means."""
    if key in _RAW_KEYS:
        yield paragraph(Strong("Key of a raw message"), " ", Code(key))
        yield paragraph(_RAW_KEYS[key])
        if key == "role":
            yield item("Values: ", *joined([Code(role) for role in ROLES]))


def role_parts(role: str) -> Iterator[Part]:
    """What a role means."""
    yield paragraph(Strong("Role"), " ", Code(role))
    if role in _ROLES:
        yield paragraph(_ROLES[role])
    else:
        yield paragraph("Not one of the usual roles; such a message is taken for the user's.")
        yield item("Usual: ", *joined([Code(usual) for usual in ROLES]))


def message_parts(document: Document, placed: Placed) -> Iterator[Part]:
    """A message: who speaks, how long it is, and what belongs to it."""
    cell = cell_of(placed)
    if cell is None:
        return
    yield paragraph(*_title(document, placed, cell))
    if inherits(cell):
        yield item("Its role is that of the message before it.")
    yield item(f"Length: {tokens(tokens_of(cell))}")
    for call in calls_in(cell):
        found = answers(document, placed, call)
        said: Run = "not answered"
        if found:
            said = "answered on line " + ", ".join([str(p.start_line + 1) for p in found[:5]])
        yield item("Calls ", Code(call.tool or "?"), *_with_id(call), f": {said}")
    answered = call_answered(document, placed)
    if answered is not None:
        yield item(*_answers(document, answered))


def _title(document: Document, placed: Placed, cell: StfCell) -> Iterator[Run]:
    role = role_of(document, placed)
    yield Strong("Message")
    if role is None:
        yield " without a role"
    else:
        yield " of "
        yield Code(role)
    name = name_of(cell)
    if name:
        yield f" “{name}”"
    if cell.id:
        yield ", id "
        yield Code(cell.id)


def _with_id(call: CallPlace) -> list[Run]:
    return [] if call.id is None else [" as ", Code(call.id)]


def _answers(document: Document, answered: Answered) -> Iterator[Run]:
    call = answered.call
    line = document.position_of(answered.placed.start_offset + call.span.start).line + 1
    yield "Answers the call of "
    yield Code(call.tool or "?")
    yield from _with_id(call)
    yield f" on line {line}"


def call_parts(document: Document, answered: Answered) -> Iterator[Part]:
    """A call: the tool, what it is given, and who answers."""
    placed, call = answered
    yield paragraph(Strong("Call"), " of ", Code(call.tool or "?"), *_with_id(call))
    if call.arguments:
        yield Block(call.arguments[:_MOST_PREVIEW], "json5")
    found = answers(document, placed, call)
    if not found:
        yield item("No message answers it.")
    for answer in found[:5]:
        yield item(f"Answered on line {answer.start_line + 1}")
    if len(found) == 1:
        yield from preview_parts(found[0])


def preview_parts(placed: Placed) -> Iterator[Part]:
    """The beginning of what a message says."""
    cell = cell_of(placed)
    said = "" if cell is None else content_of(cell).strip(" \t\r\n")
    if said:
        yield Block(said[:_MOST_PREVIEW] + ("…" if len(said) > _MOST_PREVIEW else ""))
