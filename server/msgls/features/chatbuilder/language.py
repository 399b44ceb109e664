"""The language of ChatBuilder messages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import chatbuilder
from msgls.features.chatbuilder.places import header_of, uuid_at
from msgls.features.language import Language, delegate
from msgls.features.names import Elsewhere, PlacedName, declarations
from msgls.features.outline import Symbol, SymbolKind, heading_symbols
from msgls.formats.base import Placed
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.formats.chatbuilder.fields import PARENT, UUID
from msgls.formats.chatbuilder.header import Field, MessageHeader
from msgls.rules.chatbuilder.cbm005_missing_fields import first_words
from msgls.syntax.names import Name, NameKind, Use
from msgls.text.lines import shorten
from msgls.text.phrases import Phrase
from msgls.text.spans import Span
from msgls.text.work import Work, at_once

if TYPE_CHECKING:
    from msgls.features.command_table import Command
    from msgls.features.commands import Run
    from msgls.features.lenses import Lens
    from msgls.text.spans import Edit


# Deeper than any heading: none nests in the header.
_DEPTH = 10


class ChatBuilder(Language):
    """A message with a header of fields, in a folder of messages."""

    shared_kind = NameKind.UUID

    # From a declaration to itself: editors then show the references instead.
    counterparts = delegate(lambda: declarations)
    ignoring = delegate(lambda: chatbuilder.commands.ignoring)
    cell_actions = delegate(lambda: chatbuilder.commands.cell_actions)
    complete = delegate(lambda: chatbuilder.completion.complete)
    opens = delegate(lambda: chatbuilder.completion.opens)
    documentation = delegate(lambda: chatbuilder.completion.documentation)
    format_range = delegate(lambda: chatbuilder.formatting.format_range)
    hover = delegate(lambda: chatbuilder.hover.hover)
    lens_text = delegate(lambda: chatbuilder.folder.lens_text)
    escaped = delegate(lambda: chatbuilder.formatting.escaped)
    conversation = delegate(lambda: chatbuilder.folder.conversation)

    def unindexed_name(self, document: Document, placed: Placed, at: int) -> PlacedName | None:
        """A UUID in the body, or in a comment of the header."""
        found = uuid_at(document, placed.start_offset + at)
        if found is None or not placed.span.covers(found.span):
            return None
        span = found.span.shift(-placed.start_offset)
        return PlacedName(placed, Name(NameKind.UUID, found.name, span, Use.USES, span))

    def groups(self, document: Document, number: int, offset: int) -> Iterable[Span]:
        """The section around, with the deeper ones in it, and the whole body."""
        header = header_of(document)
        if header is None or offset < header.body_start:
            return ()
        return _section(document, number), Span(header.body_start, len(document.store))

    def symbols(self, snapshot: Snapshot, placed: Placed) -> Iterator[Symbol]:
        """The message with its fields, then the headings of its body."""
        header = placed.cell.message_header if isinstance(placed.cell, ChatBuilderCell) else None
        if header is not None and header.lines:
            yield _message(snapshot.document, header)
            yield from map(_field, header.fields)
        yield from heading_symbols(placed.cell, 0)

    def elsewhere(
        self, snapshot: Snapshot, found: PlacedName, uses: Collection[Use]
    ) -> Iterable[Elsewhere]:
        """The other messages whose headers mention the UUID."""
        keys = [key for key, use in ((UUID, Use.DECLARES), (PARENT, Use.USES)) if use in uses]
        text = found.name.text
        paths = [path for key in keys for path in snapshot.surroundings.others_with(key, text)]
        return [Elsewhere(path, text) for path in dict.fromkeys(paths)]

    def commands(self) -> Mapping[Command, Run]:
        return chatbuilder.commands.RUNS

    def format_document(self, snapshot: Snapshot) -> Work[list[Edit]]:
        return at_once(chatbuilder.formatting.format_document(snapshot))

    def lenses(self, snapshot: Snapshot) -> Work[list[Lens]]:
        return at_once(list(chatbuilder.folder.lenses(snapshot)))


def _section(document: Document, number: int) -> Span:
    """The section that a cell starts, with the deeper ones in it."""
    first = document.cell_number(number)
    end = first.span.end
    if not first.cell.headings or first.cell.headings[0].span.start:
        return Span(first.start_offset + first.cell.body.start, end)
    level = first.cell.headings[0].level
    for following in range(number + 1, document.cell_count):
        placed = document.cell_number(following)
        if placed.cell.headings and placed.cell.headings[0].level <= level:
            break
        end = placed.span.end
    return Span(first.start_offset, end)


def _message(document: Document, header: MessageHeader) -> Symbol:
    role: str = header.known_role or Phrase("message")
    given = header.get("Description")
    words = (given.value if given is not None else "") or first_words(document, header)
    shown = shorten(words, 80 - len(f"{role}: "))
    name = Phrase("{role}: {words}", role=role, words=shown) if shown else role
    kind = SymbolKind.ANSWER if role == "assistant" else SymbolKind.MESSAGE
    return Symbol(name, "", kind, header.lines[0].span, header.end, _DEPTH)


def _field(field: Field) -> Symbol:
    selection = field.key_span if field.key_span.end > field.key_span.start else field.value_span
    end, said = max(field.value_span.end, selection.end), shorten(field.value)
    return Symbol(field.key, said, SymbolKind.FIELD, selection, end, _DEPTH + 1)
