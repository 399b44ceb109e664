"""Inlay hints in a message file: tokens of a cell, elapsed time, the cell that a cell belongs to.

Owns which hints are shown where. Only the cells in the requested span are read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from msgls.conversation.cell_visibility import horizon_of, plain_content, seen_text, sight_of
from msgls.conversation.visibility import Horizon, Sight
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.actions import cells_in
from msgls.features.command_table import ASK, RUN_CELL
from msgls.features.commands import RefusedError
from msgls.features.counting import counted, short_tokens, tokens
from msgls.features.hints import Hint
from msgls.features.lenses import Lens, LensText
from msgls.features.msgmd.asking import question_at
from msgls.features.msgmd.running import code_at
from msgls.formats.base import CellRole, Entry, Meaning, Placed
from msgls.formats.msgmd.meaning import meaning_of
from msgls.formats.msgmd.times import RELATION, Timed, last_time_before, times_of
from msgls.syntax.cells import CellKind, parts_of
from msgls.text.lines import shorten
from msgls.text.phrases import EMPTY, Phrase, joined
from msgls.text.spans import Span
from msgls.text.tokens import TokenCounter
from msgls.text.work import MANY, Work

MOST_TITLE = 40
_SECOND = 1_000_000_000
_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def hints(snapshot: Snapshot, span: Span) -> Work[list[Hint]]:
    """The hints inside of a span, in order."""
    document = snapshot.document
    horizon = horizon_of(document)
    found: list[Hint] = []
    for placed in cells_in(document, span):
        if placed.cell.kind is not CellKind.PREAMBLE:
            found += _header_hints(snapshot, placed, span, horizon)
        found += yield from _time_hints(document, placed, span)
        yield
    return found


def _header_hints(
    snapshot: Snapshot, placed: Placed, span: Span, horizon: Horizon
) -> Iterator[Hint]:
    document, header = snapshot.document, placed.cell.header
    if header is None or not span.contains(placed.start_offset + header.span.end):
        return
    meaning = snapshot.meaning(placed)
    parent = _parent_name(document, meaning)
    if parent and header.id_brackets is not None:
        shown = shorten(parent, MOST_TITLE)
        at = placed.start_offset + header.id_brackets.end
        said = Phrase("Belongs to `{id}`: {title}", id=meaning.parent_id or "", title=parent)
        yield Hint(at, Phrase("← {title}", title=shown), said)
    sight = sight_of(document, meaning, horizon)
    end = placed.start_offset + header.span.end
    yield _token_hint(meaning, end, sight, snapshot.tokens)


def _token_hint(meaning: Meaning, offset: int, sight: Sight, counter: TokenCounter) -> Hint:
    whole = counter.count(plain_content(meaning))
    seen = counter.count(seen_text(meaning, sight))
    label = counted(whole, "token")
    if sight is not Sight.SEEN:
        label = Phrase("{seen:,} of {tokens}", seen=seen, tokens=label)
    if not counter.is_exact:
        label = Phrase("~{tokens}", tokens=label)
    said = Phrase(
        "The cell has {whole}; the model sees {seen} of it.",
        whole=tokens(whole, counter),
        seen=tokens(seen, counter),
    )
    return Hint(offset, label, said, is_in_lens=True)


def _parent_name(document: Document, meaning: Meaning) -> str:
    """The title of the cell that this one belongs to; for a call without a title, its tool."""
    if meaning.parent_id is None:
        return ""
    for entry in document.entries("header", meaning.parent_id)[:1]:
        parent = meaning_of(document, document.cell(entry.label))
        name = parent.value("name") if parent.role is CellRole.CALL else None
        return parent.cell.title or name or ""
    return ""


def _time_hints(document: Document, placed: Placed, span: Span) -> Work[list[Hint]]:
    """The time from the previous output to this one."""
    entries = document.entries(RELATION, "")
    number = bisect_left(entries, placed.label, key=lambda entry: entry.label)
    if number == len(entries) or entries[number].label != placed.label:
        return []
    yield from placed.cell.reading("definitions")
    times: list[Timed] = []
    for part in parts_of(placed.cell.facts):
        # Piece by piece: what the times are is kept for those of each.
        payloads = part.get((RELATION, ""))
        times += times_of(document, Entry(placed.label, payloads)) if payloads else ()
        yield
    # Not for invalid times: each of them would search all cells before it.
    before = last_time_before(document, placed.label) if times else None
    ends: dict[str, int] = {}
    for number, definition in enumerate(placed.cell.definitions if times else ()):
        if not number % MANY:
            yield
        attribute = definition.get("time")
        if attribute is not None:
            ends.setdefault(definition.id.text, placed.start_offset + attribute.span.end)
    found: list[Hint] = []
    for number, timed in enumerate(times):
        if not number % MANY:
            yield
        passed = None if before is None else timed.time - before.time
        before = timed
        at = ends.get(timed.id)
        if passed is not None and at is not None and span.contains(at):
            said = Phrase("Time since the previous output: {time}", time=duration(passed))
            found.append(Hint(at, Phrase(duration(passed, "+")), said))
    return found


def duration(nanoseconds: int, sign: str = "") -> str:
    """A duration in its two largest units."""
    if nanoseconds < 0:
        return duration(-nanoseconds, "−")
    seconds = round(nanoseconds / _SECOND)
    if nanoseconds and not seconds:
        return f"{sign}{max(1, nanoseconds // 1_000_000)} ms"
    parts: list[str] = []
    for size, unit in _UNITS:
        count, seconds = divmod(seconds, size)
        if count or parts:
            parts.append(f"{count} {unit}" if count else "")
    return sign + (" ".join(part for part in parts[:2] if part) or "0 s")


# -- Code lenses in a message file: the tokens of a cell, and whether it is hidden or unanswered.
# Owns their places and texts: one for each cell, and one more that runs code, or asks about the
# last message. Finding the places is fast, even for a whole document; texts are resolved only for
# those on the screen.

STATE, RUN, ASKED = "state", "run", "ask"

_SIGHTS = {
    Sight.SUMMARY: Phrase("summary"),
    Sight.EXCLUDED: Phrase("excluded"),
    Sight.VIRTUAL: Phrase("for people only"),
    Sight.BEFORE_RESET: Phrase("before a reset"),
    Sight.OUTSIDE: Phrase("outside of the section"),
    Sight.OWNER_HIDDEN: Phrase("belongs to a hidden cell"),
}


def lenses(snapshot: Snapshot) -> Work[list[Lens]]:
    """Where lenses are, in order."""
    asked = _answerable_label(snapshot)
    found: list[Lens] = []
    for placed in snapshot.document.cells():
        if placed.cell.kind is not CellKind.PREAMBLE:
            found.append(Lens(placed.label, placed.start_line, STATE))
            if _is_code(snapshot, placed):
                found.append(Lens(placed.label, placed.start_line, RUN))
            if placed.label == asked:
                found.append(Lens(placed.label, placed.start_line, ASKED))
        yield
    return found


def _answerable_label(snapshot: Snapshot) -> int | None:
    """The label of the cell that an agent would answer now, if there is one."""
    try:
        number = question_at(snapshot, None).last_number
    except RefusedError:
        return None
    return snapshot.document.cell_number(number).label


def _is_code(snapshot: Snapshot, placed: Placed) -> bool:
    # A search in the text is faster than finding out what a cell means.
    if placed.cell.kind is not CellKind.MESSAGE or "[code]" not in placed.cell.text:
        return False
    try:
        code_at(snapshot, placed.start_offset)
    except RefusedError:
        return False
    return True


def lens_text(snapshot: Snapshot, placed: Placed, what: str) -> LensText:
    """The text of a lens above a cell."""
    if what == RUN:
        return LensText(Phrase("Run"), RUN_CELL.id)
    if what == ASKED:
        return _asking(snapshot, placed)
    document = snapshot.document
    meaning = snapshot.meaning(placed)
    sight = sight_of(document, meaning, horizon_of(document))
    pieces = [_tokens(meaning, sight, snapshot.tokens)]
    if sight in _SIGHTS:
        pieces.append(_SIGHTS[sight])
    return LensText(joined([*pieces, *_unanswered(document, meaning)], " · "))


def _asking(snapshot: Snapshot, placed: Placed) -> LensText:
    try:
        return LensText(question_at(snapshot, placed.start_offset).title, ASK.id)
    except RefusedError:
        # It has been answered meanwhile.
        return LensText(EMPTY)


def _tokens(meaning: Meaning, sight: Sight, counter: TokenCounter) -> Phrase:
    whole = short_tokens(counter.count(plain_content(meaning)), counter)
    if sight is not Sight.SUMMARY:
        return whole
    seen = counter.count(seen_text(meaning, sight))
    return Phrase("{seen:,} of {tokens}", seen=seen, tokens=whole)


def _unanswered(document: Document, meaning: Meaning) -> Iterator[Phrase]:
    """That a call, or calls of an answer, have no result yet."""
    cell_id = meaning.cell.id or ""
    if meaning.role is CellRole.CALL and not document.entries("child", cell_id):
        yield Phrase("unanswered")
    if meaning.role is not CellRole.ANSWER or not cell_id:
        return
    calls = document.entries("child", cell_id)
    ids = [document.cell(entry.label).cell.id or "" for entry in calls]
    waiting = sum(not document.entries("child", call_id) for call_id in ids)
    if waiting:
        number = counted(len(calls), "call")
        yield Phrase("{calls}, {count:,} unanswered", calls=number, count=waiting)
