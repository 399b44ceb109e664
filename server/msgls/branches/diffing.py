"""The difference of two documents, by cell.

Owns what counts as added, removed, moved, edited, or changed in metadata only. Message files
are compared cell by cell; other formats, and files of different formats, by their messages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from msgls.branches.matching import Matchable, in_order, match
from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.formats.base import CellRole, Placed
from msgls.syntax.cells import CellKind
from msgls.text.lines import count_breaks
from msgls.text.phrases import Phrase

if TYPE_CHECKING:
    # These load pydantic, which comparing message files does not need.
    from msgls.conversation.messages import Message, MessagePart

AROUND_CELLS = (Phrase("frontmatter"), Phrase("preamble"))
"""The units of a file that are not cells; there is at most one of each."""

_SPACE = " \t\r\n"


class Kind(Enum):
    """What happened to a cell."""

    ADDED = "added"
    REMOVED = "removed"
    EDITED = "edited"
    METADATA = "metadata"
    """Only its id, title, type or attributes changed, not its content."""
    MOVED = "moved"


class Unit(NamedTuple):
    """A unit of comparison: a cell or a message, or the text before the first one."""

    id: str | None
    what: str
    """``user``, ``answer of guide``, ``tool call``, …; a phrase, except for roles and names."""
    content: str
    metadata: Mapping[str, str]
    line: int
    """From 0."""

    @property
    def title(self) -> str:
        """The title; empty if there is none."""
        return self.metadata.get("title", "")


class Changed(NamedTuple):
    """A difference; ``before`` is ``None`` for an added unit, ``after`` for a removed one."""

    kind: Kind
    before: Unit | None
    after: Unit | None
    moved: bool = False
    """Whether it was moved, whether or not something else changed."""

    @property
    def unit(self) -> Unit:
        """The unit after the change; for a removed one, before it."""
        unit = self.after or self.before
        assert unit is not None
        return unit

    @property
    def metadata(self) -> list[tuple[str, str | None, str | None]]:
        """Each metadata key that differs, with its value before and after."""
        if self.before is None or self.after is None:
            return []
        old, new = self.before.metadata, self.after.metadata
        keys = dict.fromkeys([*old, *new])
        return [(key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)]


def difference(before: Document, after: Document) -> list[Changed]:
    """The changes in the order of the second text, with removed units at their old place."""
    by_cell = is_message_file(before) and is_message_file(after)
    units_of = _cell_units if by_cell else message_units
    return compared(list(units_of(before)), list(units_of(after)))


def compared(one: Sequence[Unit], other: Sequence[Unit]) -> list[Changed]:
    """The changes from ``one`` to ``other``, in the order of ``other``."""
    pairs = match([_matchable(unit) for unit in one], [_matchable(unit) for unit in other])
    settled = in_order(pairs)
    origin = {new: old for old, new in pairs.items()}
    removed = iter([number for number in range(len(one)) if number not in pairs])
    waiting = next(removed, None)
    found: list[Changed] = []
    for number, unit in enumerate(other):
        old = origin.get(number)
        if old is None:
            found.append(Changed(Kind.ADDED, None, unit))
            continue
        while old in settled and waiting is not None and waiting < old:
            found.append(Changed(Kind.REMOVED, one[waiting], None))
            waiting = next(removed, None)
        found += _changed(one[old], unit, old not in settled)
    while waiting is not None:
        found.append(Changed(Kind.REMOVED, one[waiting], None))
        waiting = next(removed, None)
    return found


def _changed(before: Unit, after: Unit, moved: bool) -> Iterator[Changed]:
    if before.content != after.content:
        yield Changed(Kind.EDITED, before, after, moved)
    elif before.metadata != after.metadata:
        yield Changed(Kind.METADATA, before, after, moved)
    elif moved:
        yield Changed(Kind.MOVED, before, after, moved)


def _matchable(unit: Unit) -> Matchable:
    kind = unit.metadata.get("cell") or unit.metadata.get("role", "")
    return Matchable(unit.id, kind, unit.content)


def is_message_file(document: Document) -> bool:
    """Whether its cells are those of a message file."""
    return document.format.has_agents


# -- cells ----------------------------------------------------------------------------------


def _cell_units(document: Document) -> Iterator[Unit]:
    for placed in document.cells():
        if placed.cell.kind is CellKind.PREAMBLE:
            yield from _file_units(placed)
        else:
            yield _cell_unit(document, placed)


def _file_units(placed: Placed) -> Iterator[Unit]:
    """The frontmatter and the preamble, unless they are empty."""
    text = placed.cell.text
    at = placed.cell.body.start
    parts = ((text[:at], 0), (text[at:], count_breaks(text[:at])))
    for what, (part, line) in zip(AROUND_CELLS, parts, strict=True):
        content = part.strip(_SPACE + "\ufeff")
        if content:
            yield Unit(f"({what})", what, content, {"cell": what}, line)


def _cell_unit(document: Document, placed: Placed) -> Unit:
    cell = placed.cell
    meaning = document.format.meaning(document, placed)
    metadata = {"cell": cell.kind.value}
    if cell.id is not None:
        metadata["id"] = cell.id
    if cell.title:
        metadata["title"] = cell.title
    if cell.header is not None and cell.header.depth > 1:
        metadata["depth"] = str(cell.header.depth)
    if meaning.definition is not None:
        metadata["type"] = meaning.definition.type or ""
        for attribute in meaning.definition.attributes:
            metadata[attribute.key] = attribute.value
    what = Phrase(meaning.role.value)
    if meaning.role is CellRole.ANSWER and meaning.type:
        what = Phrase("answer of {agent}", agent=meaning.type)
    return Unit(cell.id, what, content_of(document, placed), metadata, placed.start_line)


def content_of(document: Document, placed: Placed) -> str:
    """The content of a cell: the body without definitions of this or other cells."""
    cell = placed.cell
    pieces, start = [], cell.body.start
    for definition in cell.definitions:
        is_own = definition.is_typed and bool(document.entries("header", definition.id.text))
        if is_own and definition.span.start >= start:
            pieces.append(cell.text[start : definition.span.start])
            start = definition.span.end
    pieces.append(cell.text[start:])
    return "".join(pieces).strip(_SPACE)


# -- messages -------------------------------------------------------------------------------


def message_units(document: Document) -> Iterator[Unit]:
    """The messages of a document of any format."""
    # Imported here, because it loads pydantic, which message files do not need.
    from msgls.conversation.conversation import EPOCH

    conversation = read_document(document)
    for message, sources in zip(conversation.messages, conversation.sources, strict=True):
        line = document.position_of(sources[0].start).line if sources else 0
        meta = message.meta or {}
        own = meta.get("id")
        metadata = {"role": message.role} | {
            str(key): value if isinstance(value, str) else json.dumps(value, sort_keys=True)
            for key, value in meta.items()
        }
        if message.timestamp != EPOCH:
            metadata["time"] = message.timestamp
        content = "\n\n".join(map(_part_text, message.parts))
        unit_id = own if isinstance(own, str) else None
        yield Unit(unit_id, _what(message), content, metadata, line)


def _what(message: Message) -> str:
    agent = (message.meta or {}).get("agent")
    return f"{message.role} {agent}" if isinstance(agent, str) else message.role


def _part_text(part: MessagePart) -> str:
    if part.kind == "text" or part.kind == "thinking":
        return part.payload.text
    return json.dumps(part.payload.to_wire(), ensure_ascii=False, indent=2)
