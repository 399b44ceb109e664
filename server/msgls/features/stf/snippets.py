"""Whole messages of a Simple Text Format file to be typed, and the ids that they get."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.snippets import choice, literal
from msgls.features.stf.meaning import answers, before, cell_of, name_of, role_of
from msgls.formats.stf.arguments import quote
from msgls.formats.stf.calls import CallPlace, IdKind, calls_in, id_places
from msgls.formats.stf.commands import AT, ROLES
from msgls.text.phrases import Phrase

_NUMBERED = re.compile(r"(.*?)([0-9]{1,9})")
_FIRST = {IdKind.MESSAGE: "m", IdKind.CALL: "call_"}


class Template(NamedTuple):
    """Something that can be inserted as a whole."""

    label: Phrase
    detail: str
    text: str
    """In the snippet notation, lines joined by a bare newline."""


# -- what stands before -----------------------------------------------------------------------


def next_id(
    document: Document,
    kind: IdKind,
    number: int,
    taken: Collection[str] = (),
    typed: str | None = None,
) -> str:
    """A free id in the manner of the nearest one before the cell ``number``.

    ``taken`` are others that are about to be given; ``typed`` is the one that is being typed,
    which the index knows already and which is nobody else's for that.
    """
    prefix, count = _FIRST[kind], 0
    for placed in before(document, number):
        cell = cell_of(placed)
        places = () if cell is None else id_places(cell)
        found = [place.text for place in places if place.kind is kind and place.text != typed]
        match = _NUMBERED.fullmatch(found[-1]) if found else None
        if match is not None:
            prefix, count = match[1], int(match[2])
            break
    count += 1
    while f"{prefix}{count}" in taken or _is_taken(document, kind, f"{prefix}{count}", typed):
        # Doubled and not counted on: in the middle of many not all of them must be tried.
        count = count * 2 if count > 1_000 else count + 1
    return f"{prefix}{count}"


def _is_taken(document: Document, kind: IdKind, name: str, typed: str | None) -> bool:
    relations = ("message-id",) if kind is IdKind.MESSAGE else ("call", "result")
    said = [len(entry.payloads) for r in relations for entry in document.entries(r, name)]
    return sum(said) > (name == typed)


def calls_before(document: Document, number: int) -> Iterator[tuple[CallPlace, bool]]:
    """The calls with an id before the cell ``number``, nearest first, and whether each is answered.

    Open ones come first: an answer is most likely theirs.
    """
    answered = []
    for placed in before(document, number):
        cell = cell_of(placed)
        for call in reversed(() if cell is None else calls_in(cell)):
            if call.id is None:
                continue
            # The message that is being typed answers nothing yet.
            if any(document.number_of(a.order) != number for a in answers(document, placed, call)):
                answered.append(call)
            else:
                yield call, False
    for call in answered:
        yield call, True


def names_before(
    document: Document, number: int, role: str | None, typed_at: int | None = None
) -> list[str]:
    """The names of who spoke in that role before; of a tool, those that were called too.

    Not the one that is being typed at ``typed_at``.
    """
    names: dict[str, None] = {}
    for placed in before(document, number):
        cell = cell_of(placed)
        if cell is None:
            continue
        name = name_of(cell)
        if name and (role is None or role_of(document, placed) == role):
            names[name] = None
        for call in reversed(calls_in(cell) if role == "tool" else ()):
            is_typed = typed_at is not None and call.span.shift(placed.start_offset).contains(
                typed_at
            )
            if call.tool and not is_typed:
                names[call.tool] = None
    return list(names)


# -- templates ------------------------------------------------------------------------------


def templates(document: Document, number: int, prefix: str) -> Iterator[Template]:
    """What can stand at the start of a line behind the cell ``number - 1``."""
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
