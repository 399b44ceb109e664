"""Inlay hints in a Simple Text Format file.

The role that a message inherits, the call that a result answers, the length of a message.
Only the cells in the requested span are read.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.features.actions import cells_in
from msgls.features.counting import counted, short_tokens, tokens
from msgls.features.hints import Hint
from msgls.features.lenses import Lens, LensText
from msgls.features.stf.meaning import answers, call_answered, cell_of, role_of, tokens_of
from msgls.formats.base import Placed
from msgls.formats.stf.calls import inherits, result_id
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.lexer import Command
from msgls.syntax.cells import CellKind
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span
from msgls.text.work import Work


def hints(snapshot: Snapshot, span: Span) -> Work[list[Hint]]:
    """The hints inside of a span, in order."""
    found: list[Hint] = []
    for placed in cells_in(snapshot.document, span):
        cell = cell_of(placed)
        if cell.opening is not None:
            said = _of_message(snapshot, placed, cell, cell.opening)
            found += [hint for hint in said if span.contains(hint.offset)]
        yield
    return found


def _of_message(
    snapshot: Snapshot, placed: Placed, cell: StfCell, opening: Command
) -> Iterator[Hint]:
    document, base = snapshot.document, placed.start_offset
    role = role_of(document, placed)
    if role is not None and inherits(cell):
        said = Phrase("The role of the message before it")
        yield Hint(base + opening.word_span.end, Phrase("role={role}", role=role), said)
    answered = call_answered(document, placed)
    if answered is not None:
        call = answered.call
        line = document.position_of(answered.placed.start_offset + call.span.start).line + 1
        shown = call.tool or call.id or Phrase("a call")
        if result_id(cell) is None and call.id is not None:
            shown = f"{shown} {call.id}"
        said = Phrase("Answers the call on line {line}", line=line)
        yield Hint(base + opening.span.end, Phrase("← {title}", title=shown), said)
    count = tokens_of(cell, snapshot.tokens)
    said = Phrase("The message has {tokens}.", tokens=tokens(count, snapshot.tokens))
    label = Phrase("~{tokens}", tokens=counted(count, "token"))
    yield Hint(base + opening.span.end, label, said, is_in_lens=True)


# -- Code lenses in a Simple Text Format file: the length of a message, and its unanswered calls.
# Finding the places is fast, even for a whole document; texts are resolved only for those on the
# screen.

STATE = "state"


def lenses(snapshot: Snapshot) -> Work[list[Lens]]:
    """Where lenses are, in order."""
    found: list[Lens] = []
    for placed in snapshot.document.cells():
        if placed.cell.kind is CellKind.MESSAGE:
            found.append(Lens(placed.label, placed.start_line, STATE))
        yield
    return found


def lens_text(snapshot: Snapshot, placed: Placed, what: str) -> LensText:
    """The text of the lens above a message."""
    cell = cell_of(placed)
    pieces = [short_tokens(tokens_of(cell, snapshot.tokens), snapshot.tokens)]
    calls = cell.calls
    waiting = sum(not answers(snapshot.document, placed, call) for call in calls)
    if waiting:
        number = counted(len(calls), "call")
        pieces.append(Phrase("{calls}, {count:,} unanswered", calls=number, count=waiting))
    return LensText(joined(pieces, " · "))
