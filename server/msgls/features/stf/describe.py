"""What can be said of the parts of a Simple Text Format file, in words."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
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
    answers,
    call_answered,
    cell_of,
    content_of,
    name_of,
    role_of,
    tokens_of,
)
from msgls.formats.base import Placed
from msgls.formats.stf.calls import CallPlace, calls_in, inherits
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import ALIASES, COMMANDS, DIALECTS, END, ROLES, Spec
from msgls.text.phrases import Phrase
from msgls.text.phrases import joined as phrases_joined

_MOST_PREVIEW = 600
_ROLES = {
    "user": Phrase("What a person says."),
    "assistant": Phrase("What the model says."),
    "system": Phrase("The instructions that the model gets before everything else."),
    "developer": Phrase("Instructions from the developer; sent as a system message."),
    "tool": Phrase("What a tool answered to a call."),
}
_COMMANDS = {
    "message": Phrase("Starts a message. Without `role` it has the role of the message before it."),
    "raw": Phrase(
        "Starts a message that is a JSON5 object, as chat services write them, up to `end`."
    ),
    "call": Phrase("Calls a tool. The next data line is its name, a blank and a JSON5 object."),
    "embed": Phrase("Embeds a file in the message. The next data line is its path or URL."),
    "meta": Phrase("Metadata of the file: a JSON5 object, up to `end`."),
    "extra": Phrase("Additional data of this message: a JSON5 object, up to `end`."),
    "flush": Phrase("Ends the message: what follows needs a new one."),
    END: Phrase("Ends a block."),
}
# In a line: of a command that starts a message of a role, that role.
_SUMMARIES = {
    "user": Phrase("what a person says"),
    "assistant": Phrase("what the model says"),
    "system": Phrase("the instructions that the model gets before everything else"),
    "developer": Phrase("instructions from the developer; sent as a system message"),
    "tool": Phrase("what a tool answered to a call"),
    "message": Phrase("starts a message"),
    "raw": Phrase(
        "starts a message that is a JSON5 object, as chat services write them, up to `end`"
    ),
    "call": Phrase("calls a tool"),
    "embed": Phrase("embeds a file in the message"),
    "meta": Phrase("metadata of the file: a JSON5 object, up to `end`"),
    "extra": Phrase("additional data of this message: a JSON5 object, up to `end`"),
    "flush": Phrase("ends the message: what follows needs a new one"),
    END: Phrase("ends a block"),
}
_ARGUMENTS = {
    "role": Phrase("Who speaks."),
    "name": Phrase("The name of who speaks; of a tool's message, the tool."),
    "id": Phrase("The name of this message, for references to it."),
    "call_id": Phrase(
        "The call that this message answers; without it, the earliest one still open."
    ),
}
_CALL_ID = Phrase("The name of this call. The message that answers it says it as `call_id`.")
_RAW_KEYS = {
    "role": Phrase("Who speaks."),
    "content": Phrase("What is said: a text, or a list of parts."),
    "name": Phrase("The name of who speaks."),
    "tool_calls": Phrase("The calls that the message makes."),
    "tool_call_id": Phrase("The call that the message answers."),
}
RAW_KEYS = tuple(_RAW_KEYS)


def command_parts(word: str, prefix: str) -> Iterator[Part]:
    """What a command does; nothing for a word that is none."""
    if word == END:
        yield paragraph(Strong(Phrase("Command")), " ", Code(prefix + END))
        yield Written(_COMMANDS[END])
        return
    spec = COMMANDS[prefix].get(word) if prefix in COMMANDS else None
    if spec is None:
        return
    yield paragraph(
        Strong(Phrase("Command")), " ", Code(prefix + word), *_alias(word, spec, prefix)
    )
    yield Written(_said_of(spec))
    if spec.arguments:
        yield item(Phrase("Arguments: "), *joined([Code(key) for key in spec.arguments]))
    others = [other for other in DIALECTS if other != prefix and spec.name not in COMMANDS[other]]
    if others:
        yield item(Phrase("Only available in the dialect `{dialect}`", dialect=prefix))


def _alias(word: str, spec: Spec, prefix: str) -> list[Run]:
    if word != spec.name:
        return [Phrase(", short for `{command}`", command=prefix + spec.name)]
    short = next((alias for alias, name in ALIASES.items() if name == word), None)
    return [] if short is None else [Phrase(", for short `{command}`", command=prefix + short)]


def _said_of(spec: Spec) -> Phrase:
    if spec.role is not None:
        return Phrase("Starts a message. {role}", role=_ROLES[spec.role])
    return _COMMANDS[spec.name]


def summary_of(word: str, prefix: str) -> Phrase:
    """What a command does, in a line."""
    if word == END:
        return _SUMMARIES[END]
    spec = COMMANDS[prefix][word]
    return _SUMMARIES[spec.role or spec.name]


def argument_parts(key: str, spec: Spec | None) -> Iterator[Part]:
    """What an argument means; nothing for one that nobody knows."""
    if spec is None or key not in spec.arguments:
        return
    yield paragraph(Strong(Phrase("Argument")), " ", Code(key))
    yield Written(_CALL_ID if spec.name == "call" else _ARGUMENTS[key])
    if key == "role":
        yield item(Phrase("Values: "), *joined([Code(role) for role in ROLES]))


def raw_key_parts(key: str) -> Iterator[Part]:
    """What a key of a raw message means."""
    if key in _RAW_KEYS:
        yield paragraph(Strong(Phrase("Key of a raw message")), " ", Code(key))
        yield paragraph(_RAW_KEYS[key])
        if key == "role":
            yield item(Phrase("Values: "), *joined([Code(role) for role in ROLES]))


def role_parts(role: str) -> Iterator[Part]:
    """What a role means."""
    yield paragraph(Strong(Phrase("Role")), " ", Code(role))
    if role in _ROLES:
        yield paragraph(_ROLES[role])
    else:
        yield paragraph(
            Phrase("Not one of the usual roles; such a message is treated as the user's.")
        )
        yield item(Phrase("Usual: "), *joined([Code(usual) for usual in ROLES]))


def message_parts(snapshot: Snapshot, placed: Placed) -> Iterator[Part]:
    """A message: who speaks, how long it is, and what belongs to it."""
    document, counter, cell = snapshot.document, snapshot.tokens, cell_of(placed)
    if cell is None:
        return
    yield paragraph(*_title(document, placed, cell))
    if inherits(cell):
        yield item(Phrase("Its role is that of the message before it."))
    yield item(Phrase("Length: {tokens}", tokens=tokens(tokens_of(cell, counter), counter)))
    for call in calls_in(cell):
        state = Phrase("not answered")
        found = answers(document, placed, call)
        if found:
            lines = phrases_joined([str(answer.start_line + 1) for answer in found[:5]])
            state = Phrase("answered on line {lines}", lines=lines)
        yield item(Phrase("Calls {call}: {state}", call=_called(call), state=state))
    answered = call_answered(document, placed)
    if answered is not None:
        yield item(_answers(document, answered))


def _title(document: Document, placed: Placed, cell: StfCell) -> Iterator[Run]:
    role = role_of(document, placed)
    yield Strong(Phrase("Message"))
    yield Phrase(" without a role") if role is None else Phrase(" of `{role}`", role=role)
    name = name_of(cell)
    if name:
        yield f" “{name}”"
    if cell.id:
        yield Phrase(", id `{id}`", id=cell.id)


def _called(call: CallPlace) -> Phrase:
    """The tool, and under which id it is called."""
    tool = call.tool or "?"
    if call.id is None:
        return Phrase("`{tool}`", tool=tool)
    return Phrase("`{tool}` as `{id}`", tool=tool, id=call.id)


def _answers(document: Document, answered: Answered) -> Phrase:
    call = answered.call
    line = document.position_of(answered.placed.start_offset + call.span.start).line + 1
    return Phrase("Answers the call of {call} on line {line}", call=_called(call), line=line)


def call_parts(document: Document, answered: Answered) -> Iterator[Part]:
    """A call: the tool, what it is given, and who answers."""
    placed, call = answered
    yield paragraph(Strong(Phrase("Call")), Phrase(" of {call}", call=_called(call)))
    if call.arguments:
        yield Block(call.arguments[:_MOST_PREVIEW], "json5")
    found = answers(document, placed, call)
    if not found:
        yield item(Phrase("No message answers it."))
    for answer in found[:5]:
        yield item(Phrase("Answered on line {line}", line=answer.start_line + 1))
    if len(found) == 1:
        yield from preview_parts(found[0])


def preview_parts(placed: Placed) -> Iterator[Part]:
    """The beginning of what a message says."""
    cell = cell_of(placed)
    said = "" if cell is None else content_of(cell).strip(" \t\r\n")
    if said:
        yield Block(said[:_MOST_PREVIEW] + ("…" if len(said) > _MOST_PREVIEW else ""))
