"""Hover in a Simple Text Format file: commands, arguments, roles, ids, tools and files.

Owns what is shown where, in which words. Reads one cell and a few entries of the index, however
large the document is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.counting import tokens
from msgls.features.describe import rule_parts
from msgls.features.hover import Hover
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
    named_call,
    role_of,
    tokens_of,
)
from msgls.features.stf.places import Place, PlaceKind, place_at
from msgls.formats.base import Placed
from msgls.formats.stf.calls import inherits
from msgls.formats.stf.cells import CallPlace, IdKind, IdPlace, StfCell
from msgls.formats.stf.commands import ALIASES, COMMANDS, DIALECTS, END, ROLES, Spec, relative_path
from msgls.text.phrases import Phrase
from msgls.text.phrases import joined as phrases_joined


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """The hover at ``offset``."""
    document = snapshot.document
    place = place_at(document, offset)
    if place is None:
        return None
    parts = tuple(_of(snapshot, place, offset))
    return Hover(place.span, parts) if parts else None


def _of(snapshot: Snapshot, place: Place, offset: int) -> Iterable[Part]:
    document = snapshot.document
    match place.kind:
        case PlaceKind.COMMAND:
            return _of_command(snapshot, place, offset)
        case PlaceKind.END:
            return _of_end(document, place)
        case PlaceKind.KEY:
            return argument_parts(place.text, None if place.command is None else place.command.spec)
        case PlaceKind.VALUE:
            return _of_value(place)
        case PlaceKind.ID:
            return () if place.id is None else _of_id(snapshot, place, place.id)
        case PlaceKind.TOOL:
            return _of_call(document, place, offset)
        case PlaceKind.PATH:
            return _of_path(place)
        case PlaceKind.RULE:
            return rule_parts(place.text)
        case PlaceKind.ESCAPE:
            return _of_escape(place)


def _of_command(snapshot: Snapshot, place: Place, offset: int) -> Iterator[Part]:
    command = place.command
    if command is not None and command is place.cell.opening:
        yield from message_parts(snapshot, place.placed)
    elif command is not None and command.name == "call":
        yield from _of_call(snapshot.document, place, offset)
    yield from command_parts(place.text, place.cell.dialect)


def _of_end(document: Document, place: Place) -> Iterator[Part]:
    yield from command_parts(END, place.cell.dialect)
    if place.command is not None:
        start = place.placed.start_offset + place.command.span.start
        line = document.position_of(start).line + 1
        opening = place.cell.dialect + place.command.word
        yield item(
            Phrase("Of the block that `{command}` opens on line {line}", command=opening, line=line)
        )


def _of_value(place: Place) -> Iterator[Part]:
    argument, spec = place.argument, None if place.command is None else place.command.spec
    if argument is None:
        return
    if argument.key == "role" and argument.value is not None:
        yield from role_parts(argument.value)
    else:
        yield from argument_parts(argument.key, spec)


def _of_id(snapshot: Snapshot, place: Place, identifier: IdPlace) -> Iterator[Part]:
    document = snapshot.document
    if identifier.kind is IdKind.MESSAGE:
        yield from message_parts(snapshot, place.placed)
        return
    if identifier.kind is IdKind.RESULT:
        found = named_call(document, identifier.text, place.placed.label)
    else:
        own = [call for call in place.cell.calls if call.span.covers(identifier.written)]
        found = Answered(place.placed, own[0]) if own else None
    if found is not None:
        yield from call_parts(document, found)
    else:
        yield paragraph(Strong(Phrase("Id of a call")), " ", Code(identifier.text))
        yield paragraph(Phrase("No call in this file has it."))


def _of_call(document: Document, place: Place, offset: int) -> Iterator[Part]:
    at = offset - place.placed.start_offset
    for call in place.cell.calls:
        if call.span.contains(at):
            yield from call_parts(document, Answered(place.placed, call))
            return


def _of_path(place: Place) -> Iterator[Part]:
    yield paragraph(Strong(Phrase("Embedded file")), " ", Code(place.text))
    if relative_path(place.text) is None:
        yield paragraph(Phrase("A URL or an absolute path: it is not checked."))
    else:
        yield paragraph(Phrase("Relative to the folder of this file."))


def _of_escape(place: Place) -> Iterator[Part]:
    prefix = place.cell.dialect
    yield paragraph(Strong(Phrase("Literal")), " ", Code(prefix))
    yield paragraph(
        Phrase("A data line that starts with one `{prefix}` and is not a command.", prefix=prefix)
    )


# -- Descriptions of the parts of a Simple Text Format file.

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
# Summaries in one line; by role for a command that starts a message of a role.
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
    "name": Phrase("The name of the speaker; in a tool's message, of the tool."),
    "id": Phrase("The name of this message, for references to it."),
    "call_id": Phrase(
        "The call that this message answers; without it, the earliest one still open."
    ),
}
_CALL_ID = Phrase("The id of this call. The message that answers it has it as `call_id`.")
_RAW_KEYS = {
    "role": Phrase("Who speaks."),
    "content": Phrase("What is said: a string, or a list of parts."),
    "name": Phrase("The name of the speaker."),
    "tool_calls": Phrase("The calls that the message makes."),
    "tool_call_id": Phrase("The call that the message answers."),
}
RAW_KEYS = tuple(_RAW_KEYS)


def command_parts(word: str, prefix: str) -> Iterator[Part]:
    """The description of a command; empty if it is unknown."""
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
    yield Written(_description(spec))
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


def _description(spec: Spec) -> Phrase:
    if spec.role is not None:
        return Phrase("Starts a message. {role}", role=_ROLES[spec.role])
    return _COMMANDS[spec.name]


def summary_of(word: str, prefix: str) -> Phrase:
    """The description of a command, in one line."""
    if word == END:
        return _SUMMARIES[END]
    spec = COMMANDS[prefix][word]
    return _SUMMARIES[spec.role or spec.name]


def argument_parts(key: str, spec: Spec | None) -> Iterator[Part]:
    """The description of an argument; empty if it is unknown."""
    if spec is None or key not in spec.arguments:
        return
    yield paragraph(Strong(Phrase("Argument")), " ", Code(key))
    yield Written(_CALL_ID if spec.name == "call" else _ARGUMENTS[key])
    if key == "role":
        yield item(Phrase("Values: "), *joined([Code(role) for role in ROLES]))


def raw_key_parts(key: str) -> Iterator[Part]:
    """The description of a key of a raw message."""
    if key in _RAW_KEYS:
        yield paragraph(Strong(Phrase("Key of a raw message")), " ", Code(key))
        yield paragraph(_RAW_KEYS[key])
        if key == "role":
            yield item(Phrase("Values: "), *joined([Code(role) for role in ROLES]))


def role_parts(role: str) -> Iterator[Part]:
    """The description of a role."""
    yield paragraph(Strong(Phrase("Role")), " ", Code(role))
    if role in _ROLES:
        yield paragraph(_ROLES[role])
    else:
        yield paragraph(
            Phrase("Not one of the usual roles; such a message is treated as the user's.")
        )
        yield item(Phrase("Usual: "), *joined([Code(usual) for usual in ROLES]))


def message_parts(snapshot: Snapshot, placed: Placed) -> Iterator[Part]:
    """A message: its role, its length and its calls."""
    document, counter, cell = snapshot.document, snapshot.tokens, cell_of(placed)
    yield paragraph(*_title(document, placed, cell))
    if inherits(cell):
        yield item(Phrase("Its role is that of the message before it."))
    yield item(Phrase("Length: {tokens}", tokens=tokens(tokens_of(cell, counter), counter)))
    for call in cell.calls:
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
    """The tool and the id of a call."""
    tool = call.tool or "?"
    if call.id is None:
        return Phrase("`{tool}`", tool=tool)
    return Phrase("`{tool}` as `{id}`", tool=tool, id=call.id)


def _answers(document: Document, answered: Answered) -> Phrase:
    call = answered.call
    line = document.position_of(answered.placed.start_offset + call.span.start).line + 1
    return Phrase("Answers the call of {call} on line {line}", call=_called(call), line=line)


def call_parts(document: Document, answered: Answered) -> Iterator[Part]:
    """A call: its tool, its arguments and its results."""
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
    """The beginning of a message's content."""
    said = content_of(cell_of(placed)).strip(" \t\r\n")
    if said:
        yield Block(said[:_MOST_PREVIEW] + ("…" if len(said) > _MOST_PREVIEW else ""))
