"""The commands that change the messages of a Simple Text Format file.

Owns the edits of the commands ``msgls.cell.*``: insert, split, merge, move, duplicate, delete, and
change the role. Blank lines are content here, so none are inserted. Other messages keep their
meaning: one that inherits its role from the message before gets that role as an argument, if it
would inherit another one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.appending import CannotAppend
from msgls.features.commands import CellChange, RefusedError, moved, start_of
from msgls.features.snippets import choice, literal
from msgls.features.stf.formatting import with_doubled_prefixes
from msgls.features.stf.meaning import (
    after,
    answers,
    before,
    call_answered,
    cell_of,
    is_message,
    is_result,
    name_of,
    prefix_in,
    role_of,
)
from msgls.features.stf.places import Cursor, LineKind
from msgls.features.stf.rename import rewritten
from msgls.formats.base import Placed
from msgls.formats.stf.arguments import quote, write_arguments
from msgls.formats.stf.calls import inherits, result_id
from msgls.formats.stf.cells import CallPlace, IdKind, StfCell
from msgls.formats.stf.commands import AT, MESSAGE_ARGUMENTS, ROLES
from msgls.formats.stf.lexer import Command, decode_state
from msgls.syntax.ids import numbered
from msgls.text.lines import after_break, line_bounds
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Edit, Span, apply_edits

_BOM = "\ufeff"
DEFAULT_ROLE = "user"
"""The role of a message without one."""


# -- places -----------------------------------------------------------------------------


def message_at(document: Document, offset: int) -> tuple[Placed, StfCell, Command]:
    """The message that a command is about, and the line that starts it."""
    placed = document.cell_at_offset(offset)
    cell = None if placed is None else cell_of(placed)
    if placed is None or cell is None or cell.opening is None:
        raise RefusedError("there is no message here")
    return placed, cell, cell.opening


def _check_closed(document: Document, placed: Placed) -> None:
    """Refuse if a comment is not closed: nothing after it would be parsed."""
    cell = cell_of(placed)
    if cell.walk.open_comments:
        at = placed.start_offset + cell.walk.open_comments[0].start
        line = document.position_of(at).line + 1
        raise CannotAppend("the comment that opens on line {line} is not closed", line=line)


def gap_before(document: Document, at: int, newline: str) -> str:
    """The line break that is needed before a line inserted at ``at``, if any."""
    before = document.store.slice(Span(max(at - 1, 0), at))
    is_start = not before or before in "\r\n" or (at == 1 and before == _BOM)
    return "" if is_start else newline


# -- roles ------------------------------------------------------------------------------


def _keep_role(document: Document, placed: Placed | None, role_before: str | None) -> list[Edit]:
    """Write the role into a message that inherits it, if it would inherit another one."""
    if placed is None:
        return []
    cell = cell_of(placed)
    if cell.opening is None or not inherits(cell):
        return []
    role = role_of(document, placed)
    if role == role_before:
        return []
    return [_role_edit(placed, cell, cell.opening, role or DEFAULT_ROLE)]


def _role_edit(placed: Placed, cell: StfCell, opening: Command, role: str) -> Edit:
    rest = opening.rest.of(cell.text)
    blanks = len(rest) - len(rest.lstrip(" \t"))
    if rest[blanks:].startswith("{"):
        at = opening.rest.start + blanks + 1
        comma = "" if rest[blanks + 1 :].lstrip(" \t").startswith("}") else ", "
        text = f"role: {rewritten(chr(39), role, in_json=True)}{comma}"
    else:
        at, text = opening.word_span.end, f" role={quote(role)}"
    return Edit(Span(at, at).shift(placed.start_offset), text)


def _number(document: Document, number: int) -> Placed | None:
    return document.cell_number(number) if 0 <= number < document.cell_count else None


def _role_of_number(document: Document, number: int) -> str | None:
    placed = _number(document, number)
    return None if placed is None else role_of(document, placed)


# -- inserting --------------------------------------------------------------------------


def insert_message(document: Document, offset: int, role: str, above: bool = False) -> CellChange:
    """A new, empty message beside the one here."""
    placed = document.cell_at_offset(offset)
    inside = is_message(placed)
    number = document.number_at_offset(offset)
    if placed is None or number is None:
        at, following = 0, None
    elif above and inside:
        at, following = start_of(placed), placed
    else:
        _check_closed(document, placed)
        at, following = placed.span.end, _number(document, number + 1)
    newline = document.newline
    head = f"{gap_before(document, at, newline)}{prefix_in(document, placed)}{role}{newline}"
    tail = newline if following is not None else ""
    edits = (Edit(Span(at, at), head + tail), *_keep_role(document, following, role))
    return CellChange(edits, at + len(head))


def insert_call(document: Document, offset: int) -> CellChange:
    """A new call at the end of the message here."""
    placed, cell, _ = message_at(document, offset)
    if cell.dialect != AT:
        raise RefusedError(
            "the dialect `{dialect}` has no `call`: write a raw message", dialect=cell.dialect
        )
    if role_of(document, placed) != "assistant":
        raise RefusedError("only a message of the assistant calls tools")
    _check_whole(document, placed, cell)
    newline = document.newline
    number = document.number_of(placed.label) + 1
    new_id = quote(next_id(document, IdKind.CALL, number))
    at = placed.span.end
    head = f"{gap_before(document, at, newline)}{AT}call id={new_id}{newline}"
    return CellChange((Edit(Span(at, at), f"{head}tool {{}}{newline}"),), at + len(head))


def insert_result(document: Document, offset: int) -> CellChange:
    """A result of the first call of this message that has none, after the other results."""
    placed, cell, _ = message_at(document, offset)
    at = offset - placed.start_offset
    calls = [call for call in cell.calls if call.span.contains(at)] or list(cell.calls)
    if not calls:
        answered = call_answered(document, placed)
        if answered is None:
            raise RefusedError("only a message that calls a tool has results")
        placed, calls = answered.placed, list(cell_of(answered.placed).calls)
    open_calls = [call for call in calls if not answers(document, placed, call)]
    call = (open_calls or calls)[0]
    arguments = {"name": call.tool} if call.tool else {}
    if call.id is not None:
        arguments["call_id"] = call.id
    last = placed
    for other in after(document, document.number_of(placed.label)):
        if not is_result(document, other):
            break
        last = other
    _check_closed(document, last)
    newline = document.newline
    end = last.span.end
    following = _number(document, document.number_of(last.label) + 1)
    prefix = prefix_in(document, placed)
    head = f"{gap_before(document, end, newline)}{prefix}tool{write_arguments(arguments)}{newline}"
    tail = newline if following is not None else ""
    edits = (Edit(Span(end, end), head + tail), *_keep_role(document, following, "tool"))
    return CellChange(edits, end + len(head))


def _check_whole(document: Document, placed: Placed, cell: StfCell) -> None:
    """Refuse if text after a message would not be part of it."""
    _check_closed(document, placed)
    state = decode_state(cell.walk.exit)
    if state.inner in ("r", "m", "x"):
        raise RefusedError("a block in the message is not closed")
    if state.inner != ".":
        raise RefusedError("a command in the message is missing its data line")
    if state.where != "M":
        raise RefusedError("`flush` has ended the message")


# -- splitting and merging --------------------------------------------------------------


def split_message(document: Document, offset: int) -> CellChange:
    """Start a new message of the same kind at the cursor's line."""
    placed, cell, opening = message_at(document, offset)
    if cell.is_raw:
        raise RefusedError("this is a raw message, which cannot be split")
    at = line_bounds(cell.text, offset - placed.start_offset)[0]
    if at < cell.body.start or (at == cell.body.start == opening.span.end):
        raise RefusedError("put the cursor below the line that starts the message")
    _check_cut(document, offset, cell, at)
    newline = document.newline
    arguments = {
        argument.key: argument.json
        for argument in cell.arguments(opening).items
        if argument.key != "id"
    }
    if cell.arguments(opening).faults:
        raise RefusedError("the arguments of the message cannot be read")
    if inherits(cell):
        role = role_of(document, placed)
        arguments = arguments if role is None else {"role": role, **arguments}
    if cell.id is not None:
        number = document.number_of(placed.label) + 1
        arguments["id"] = next_id(document, IdKind.MESSAGE, number)
    head = f"{cell.dialect}{opening.word}{write_arguments(arguments)}{newline}"
    edit = Edit(Span(at, at).shift(placed.start_offset), head)
    return CellChange((edit,), edit.span.start + len(head))


def _check_cut(document: Document, offset: int, cell: StfCell, at: int) -> None:
    cursor = Cursor(document, offset)
    if cursor.kind is LineKind.COMMENT:
        raise RefusedError("the cursor is in a comment")
    for command in cell.commands:
        last = command.end or (command.block[-1] if command.block else None)
        if last is not None and command.span.start < at <= last.start:
            raise RefusedError("the cursor is in the block of `{word}`", word=command.word)
        if command.data is not None and command.span.start < at <= command.data.start:
            raise RefusedError(
                "the cursor is on the line that belongs to `{word}`", word=command.word
            )
    if cursor.kind is LineKind.AWAITED:
        raise RefusedError("the command above is missing its data line")
    over = [c for c in cell.commands if c.spec is not None and c.spec.name == "flush"]
    if over and at > over[0].span.start:
        raise RefusedError("`flush` has ended the message")


def merge_with_next(document: Document, offset: int) -> CellChange:
    """Append the content of the next message to this one; the line that starts it is removed."""
    placed, cell, opening = message_at(document, offset)
    following = _number(document, document.number_of(placed.label) + 1)
    if following is None:
        raise RefusedError("there is no message after this one")
    other = cell_of(following)
    if other.opening is None or cell.is_raw or other.is_raw:
        raise RefusedError("a raw message cannot be merged with another one")
    if role_of(document, placed) != role_of(document, following):
        raise RefusedError("the two messages have different roles")
    if name_of(cell) != name_of(other):
        raise RefusedError("the two messages have different names")
    if result_id(other) not in (None, result_id(cell)):
        raise RefusedError("the two messages answer different calls")
    own = {(item.key, item.value) for item in cell.arguments(opening).items}
    for item in other.arguments(other.opening).items:
        if item.key not in MESSAGE_ARGUMENTS and (item.key, item.value) not in own:
            raise RefusedError("the next message has `{key}`, but this one does not", key=item.key)
    _check_whole(document, placed, cell)
    end = after_break(other.text, other.opening.span.end)
    edit = Edit(Span(0, end).shift(following.start_offset), "")
    return CellChange((edit,), edit.span.start)


# -- moving -----------------------------------------------------------------------------


def move_message(document: Document, offset: int, up: bool) -> CellChange:
    """Swap a message with its neighbour."""
    placed, _, _ = message_at(document, offset)
    number = document.number_of(placed.label) - (1 if up else 0)
    upper, lower = _number(document, number), _number(document, number + 1)
    if upper is None or not is_message(upper):
        raise RefusedError("this is the first message")
    if lower is None:
        raise RefusedError("this is the last message")
    for one in (upper, lower):
        _check_closed(document, one)
    roles = [role_of(document, one) for one in (upper, lower)]
    newline = document.newline
    start, middle, end = start_of(upper), lower.start_offset, lower.span.end
    pins = [
        *_keep_role(document, lower, _role_of_number(document, number - 1)),
        *_keep_role(document, upper, roles[1]),
    ]
    first = _edited(document, Span(start, middle), pins)
    second = _edited(document, Span(middle, end), pins)
    if not second.endswith(("\n", "\r")):
        second += newline
    following = _number(document, number + 2)
    own = [pin for pin in pins if placed.span.covers(pin.span)]
    inside = max(0, moved(offset, own) - start_of(placed))
    cursor = start + inside if up else start + len(second) + inside
    edits = (
        Edit(Span(start, end), second + first),
        *_keep_role(document, following, roles[0]),
    )
    return CellChange(edits, cursor)


def _edited(document: Document, span: Span, edits: list[Edit]) -> str:
    inside = [Edit(e.span.shift(-span.start), e.text) for e in edits if span.covers(e.span)]
    return apply_edits(document.store.slice(span), inside)


# -- copying and deleting ---------------------------------------------------------------


def duplicate_message(document: Document, offset: int) -> CellChange:
    """Insert a copy of a message after it, with new ids for it and its calls."""
    placed, cell, _ = message_at(document, offset)
    _check_closed(document, placed)
    number = document.number_of(placed.label) + 1
    taken: list[str] = []
    edits = []
    for place in cell.ids:
        if place.kind is IdKind.RESULT:
            continue
        taken.append(next_id(document, place.kind, number, taken))
        new = rewritten(place.written.of(cell.text), taken[-1], place.in_json)
        edits.append(Edit(place.written, new))
    text = apply_edits(cell.text, edits).removeprefix(_BOM)
    newline = document.newline
    at = placed.span.end
    gap = gap_before(document, at, newline)
    if number < document.cell_count and not text.endswith(("\n", "\r")):
        text += newline
    return CellChange((Edit(Span(at, at), gap + text),), at + len(gap))


def delete_message(document: Document, offset: int) -> CellChange:
    """Remove a message with all that is in it."""
    placed, _, _ = message_at(document, offset)
    number = document.number_of(placed.label)
    start = start_of(placed)
    before = _role_of_number(document, number - 1)
    edits = (
        Edit(Span(start, placed.span.end), ""),
        *_keep_role(document, _number(document, number + 1), before),
    )
    return CellChange(edits, moved(start, edits))


# -- changing the role ------------------------------------------------------------------


def change_role(document: Document, offset: int, role: str) -> CellChange:
    """Change the role of a message."""
    placed, cell, opening = message_at(document, offset)
    if role not in ROLES:
        raise RefusedError("`{role}` is not a role: {roles}", role=role, roles=joined(ROLES))
    if cell.is_raw:
        raise RefusedError("this is a raw message: its role is in its block")
    if role_of(document, placed) == role:
        raise RefusedError("the message has the role `{role}` already", role=role)
    argument = cell.arguments(opening).get("role")
    says = opening.spec is not None and opening.spec.role is None and argument is not None
    if says and argument is not None:
        span = argument.value_span.shift(opening.rest.start)
        is_object = cell.arguments(opening).is_object
        edit = Edit(span, rewritten(span.of(cell.text), role, is_object))
    else:
        edit = Edit(opening.word_span, role)
    following = _number(document, document.number_of(placed.label) + 1)
    edits = (
        Edit(edit.span.shift(placed.start_offset), edit.text),
        *_keep_role(document, following, role),
    )
    return CellChange(edits, moved(offset, edits))


# -- Templates of whole messages for completion, and the ids of new messages and calls.

_FIRST = {IdKind.MESSAGE: "m", IdKind.CALL: "call_"}


class Template(NamedTuple):
    """Something that can be inserted as a whole."""

    label: Phrase
    detail: str
    text: str
    """A snippet, with LF as line break."""


# -- the messages before ------------------------------------------------------------------


def next_id(
    document: Document,
    kind: IdKind,
    number: int,
    taken: Collection[str] = (),
    typed: str | None = None,
) -> str:
    """A free id with the prefix of the nearest one before the cell ``number``.

    ``taken`` are further ids that are not free; ``typed`` is the id that is being typed, which is
    in the index already, but does not make itself taken.
    """
    prefix, count = _FIRST[kind], 0
    for placed in before(document, number):
        ids = cell_of(placed).ids
        found = [place.text for place in ids if place.kind is kind and place.text != typed]
        stem, digits = numbered(found[-1] if found else "")
        if digits:
            prefix, count = stem, int(digits)
            break
    count += 1
    while f"{prefix}{count}" in taken or _is_taken(document, kind, f"{prefix}{count}", typed):
        # Doubled from 1,000 on: trying all numbers would take long in a file with many ids.
        count = count * 2 if count > 1_000 else count + 1
    return f"{prefix}{count}"


def _is_taken(document: Document, kind: IdKind, name: str, typed: str | None) -> bool:
    relations = ("message-id",) if kind is IdKind.MESSAGE else ("call", "result")
    said = [len(entry.payloads) for r in relations for entry in document.entries(r, name)]
    return sum(said) > (name == typed)


def calls_before(document: Document, number: int) -> Iterator[tuple[CallPlace, bool]]:
    """The calls with an id before the cell ``number``, nearest first, and whether each is answered.

    Unanswered ones come first: a result is most likely theirs.
    """
    answered = []
    for placed in before(document, number):
        for call in reversed(cell_of(placed).calls):
            if call.id is None:
                continue
            # The message that is being typed answers nothing yet.
            if any(document.number_of(a.label) != number for a in answers(document, placed, call)):
                answered.append(call)
            else:
                yield call, False
    for call in answered:
        yield call, True


def names_before(
    document: Document, number: int, role: str | None, typed_at: int | None = None
) -> list[str]:
    """The names in earlier messages of that role; for a tool, also those in calls.

    Without the one that is being typed at ``typed_at``.
    """
    names: dict[str, None] = {}
    for placed in before(document, number):
        cell = cell_of(placed)
        name = name_of(cell)
        if name and (role is None or role_of(document, placed) == role):
            names[name] = None
        for call in reversed(cell.calls if role == "tool" else ()):
            is_typed = typed_at is not None and call.span.shift(placed.start_offset).contains(
                typed_at
            )
            if call.tool and not is_typed:
                names[call.tool] = None
    return list(names)


# -- templates ------------------------------------------------------------------------------


def templates(document: Document, number: int, prefix: str) -> Iterator[Template]:
    """The templates for the start of a line after the cell ``number - 1``."""
    for role in ("user", "assistant", "system"):
        yield Template(Phrase("{role} message", role=role), "", f"{prefix}{role}\n$0")
    open_calls = [call for call, is_answered in calls_before(document, number) if not is_answered]
    yield _tool(prefix, open_calls)
    if prefix == AT:
        new = literal(quote(next_id(document, IdKind.CALL, number)))
        text = f"{AT}call id={new}\n${{1:tool}} {{$2}}\n$0"
        yield Template(Phrase("tool call"), Phrase("a call in this message"), text)
        text = f"{AT}embed\n${{1:path}}\n$0"
        yield Template(Phrase("embedded file"), Phrase("a file in this message"), text)
    roles = choice(1, ROLES)
    raw = f"{prefix}raw\n{{\n  role: '{roles}',\n  content: '$2',\n}}\n{prefix}end\n$0"
    yield Template(Phrase("raw message"), Phrase("a message as JSON5"), raw)
    if prefix != AT:
        for word in ("meta", "extra"):
            what = Phrase("about the file") if word == "meta" else Phrase("about this message")
            text = f"{prefix}{word}\n{{\n  $1\n}}\n{prefix}end\n$0"
            yield Template(Phrase("{word} block", word=word), what, text)
    yield Template(Phrase("block comment"), "", f"{prefix}/*\n$1\n{prefix}*/\n$0")


def _tool(prefix: str, calls: list[CallPlace]) -> Template:
    if not calls:
        text = f"{prefix}tool call_id=$1\n$0"
        return Template(Phrase("tool message"), Phrase("the result of a call"), text)
    call = calls[0]
    given = literal(quote(call.id or ""))
    name = f" name={literal(quote(call.tool))}" if call.tool else ""
    detail = Phrase("the result of {call}", call=call.tool or call.id or "")
    return Template(Phrase("tool message"), detail, f"{prefix}tool{name} call_id={given}\n$0")


# -- A new message at the end of a Simple Text Format file: the user's, or an agent's answer.

_BREAK = re.compile(r"\r\n|\n|\r")
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def check_agent(snapshot: Snapshot, name: str) -> None:
    """Raise ``CannotAppend`` if that is not a valid name for an agent."""
    if not name.strip(" ") or _UNFIT.search(name):
        raise CannotAppend("`{name}` is not a valid agent name", name=name)


def append_cell(snapshot: Snapshot, content: str, agent: str | None = None) -> Edit:
    """The edit that appends a message."""
    document = snapshot.document
    if agent is not None:
        check_agent(snapshot, agent)
    prefix, newline = prefix_in(document), document.newline
    at = len(document.store)
    last = document.cell_number(document.cell_count - 1) if document.cell_count else None
    if last is not None:
        _check_closed(document, last)
    head = f"{prefix}user" if agent is None else f"{prefix}ai{write_arguments({'name': agent})}"
    body = _BREAK.sub("\n", content).strip("\n")
    lines = [head, *with_doubled_prefixes(body, (prefix,)).split("\n")] if body else [head]
    gap = gap_before(document, at, newline)
    return Edit(Span(at, at), gap + newline.join(lines) + newline)
