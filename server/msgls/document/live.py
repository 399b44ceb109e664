"""Live text: text that a program writes into a document while people edit it.

Owns the places that such a program writes at. Others may edit anywhere meanwhile, so a place
is a piece of text that the program wrote itself and may replace: edits move it, and it is found
again by its text. What is written next goes before the piece at the end, the *tail*, which is
what the document needs there to be valid at any moment: a line break, or a closing fence.

Every edit goes three steps: ``edits`` says what to write into a version; the owner of the document
applies that, or cannot, because there is a newer version; ``settle`` finds out whether it was
applied. ``follow`` is told of every edit of the document, also its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgls.text.spans import Edit, Span, apply_edits

Slice = Callable[[Span], str]
"""Reads a span of the document's current version."""


class Place:
    """A piece of text in a document that a program wrote, and may replace."""

    __slots__ = ("end", "start", "text")

    def __init__(self, start: int, text: str) -> None:
        self.start = start
        self.end = start + len(text)
        self.text = text

    def follow(self, edit: Edit) -> None:
        """Keep to the text; what is inserted before or after it is not part of it."""
        (start, end), text = edit
        grown = len(text) - (end - start)
        if end <= self.start:
            self.start += grown
            self.end += grown
        elif start < self.end:
            self.start, self.end = min(self.start, start), max(self.end, end) + grown

    def find(self, slice: Slice) -> Span | None:
        """Where the piece is now; ``None`` if it was changed."""
        return _find(slice, self.start, self.end, self.text)

    def find_new(self, slice: Slice, text: str, near: int) -> Span | None:
        """Where the text is that was to replace the piece.

        A client may report an edit without what is the same before and after it, so it can
        seem to stand a little earlier or later. Where the same text stands there several times,
        it is the one that is nearest to where the edit was.
        """
        reach = len(text)
        start = max(min(self.start, near) - reach, 0)
        window = slice(Span(start, max(self.end, near) + reach))
        before = window.rfind(text, 0, max(near - start, 0) + reach)
        after = window.find(text, max(near - start, 0))
        found = [start + at for at in (before, after) if at >= 0]
        if not found:
            return None
        at = min(found, key=lambda at: abs(at - near))
        return Span(at, at + reach)


def _find(slice: Slice, start: int, end: int, text: str) -> Span | None:
    at = slice(Span(start, end)).find(text)
    return None if at < 0 else Span(start + at, start + at + len(text))


class Note:
    """A piece of live text that may change after it is written, such as an attribute."""

    __slots__ = ("place", "sent", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        """What it is to be. Once it is written as nothing, it cannot change again."""
        self.place: Place | None = None
        self.sent = text

    @property
    def is_stale(self) -> bool:
        """Whether the document says something else."""
        return self.place is not None and self.place.text != self.text

    def settle(self, slice: Slice, is_applied: bool) -> None:
        """Find out whether what was handed out is in the document, unless that is known."""
        if self.place is None or self.place.text == self.sent:
            return
        if is_applied and not self.sent:
            # Another note with the same text may stand in what its client replaced.
            self.place = None
            return
        if self.place.text not in self.sent and self.place.find(slice) is not None:
            return
        found = self.place.find_new(slice, self.sent, self.place.start)
        if found is None and self.place.find(slice) is not None:
            return
        self.place = Place(found.start, self.sent) if self.sent and found is not None else None


class _Outcome:
    """What several edits make of a document.

    A client may tell of all of them as one, without what is the same before and after: where text
    repeats itself, that change can be anywhere among it, but what it makes is the same.
    """

    def __init__(self, span: Span, text: str, new_at: int) -> None:
        self._span = span
        """What the edits are in."""
        self._text = text
        """What is there then."""
        self.changes = 0
        """How often the document has changed since."""
        self._new_at = new_at

    @classmethod
    def of(cls, slice: Slice, edits: Sequence[Edit]) -> _Outcome:
        """Of edits of which the last one writes something new."""
        *notes, new = edits
        start = min(edit.span.start for edit in edits)
        old = slice(Span(start, max(edit.span.end for edit in edits)))
        text = apply_edits(old, [Edit(edit.span.shift(-start), edit.text) for edit in edits])
        before = [note for note in notes if note.span.end <= new.span.start]
        moved = sum(len(note.text) - note.span.length for note in before)
        return cls(Span(start, start + len(old)), text, new.span.start + moved)

    def may_come_of(self, edit: Edit) -> bool:
        """Whether this edit can be all of the edits as one."""
        (start, end), new = edit
        is_inside = self._span.start <= start and end <= self._span.end
        grown = len(self._text) - self._span.length
        return not self.changes and is_inside and len(new) - (end - start) == grown

    def find_text(self, slice: Slice) -> int | None:
        """Where the new text is, if one change has made just that of the document."""
        start = self._span.start
        is_there = slice(Span(start, start + len(self._text))) == self._text
        return self._new_at if self.changes == 1 and is_there else None


class LiveText:
    """A text that grows in a document."""

    def __init__(self, start: int, tail: str) -> None:
        self.tail = tail
        """What is to follow what is written; once it is written, it is found by its text."""
        self._place = Place(start, tail)
        """The tail that is in the document."""
        self._unwritten: list[str | Note] = []
        self._notes: list[Note] = []
        """Those that are in the document and may still change."""
        self._in_flight: tuple[int, str, str] | None = None
        """What was handed out: how many of the unwritten pieces, their text, the tail."""
        self._seen: list[Place] = []
        """Where edits came that can be the one which was handed out."""
        self._outcome: _Outcome | None = None
        """What the document says if all of that is applied, and nothing else."""
        self._mark: int | None = None
        """From which of the unwritten pieces on all can be taken back, if any can."""
        self._back: list[str | Note] = []
        """What is in the document and can be taken back."""

    # -- writing ------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """More text."""
        if text:
            self._unwritten.append(text)

    def write_note(self, text: str) -> Note:
        """Text that may change later."""
        note = Note(text)
        self._unwritten.append(note)
        return note

    def drop_unwritten(self) -> None:
        """Forget what is not in the document: the caller writes it again."""
        self._unwritten = []

    def take_note(self, start: int, text: str) -> Note:
        """A piece that stands in the document already, and may change now."""
        note = Note(text)
        note.place = Place(start, text)
        self._notes.append(note)
        return note

    def mark(self) -> None:
        """What is written from here on can be taken back."""
        self._mark, self._back = len(self._unwritten), []

    def take_back(self, slice: Slice) -> None:
        """Let what comes next replace all after the mark, unless it was edited meanwhile."""
        assert self._mark is not None
        del self._unwritten[self._mark :]
        notes = [piece for piece in self._back if isinstance(piece, Note)]
        pieces = [(p.place.text if p.place else "") if isinstance(p, Note) else p
                  for p in self._back]  # fmt: skip
        text, self._back = "".join(pieces), []
        at = self._place.find(slice)
        if at is None or slice(Span(max(at.start - len(text), 0), at.start)) != text:
            return
        self._place = Place(at.start - len(text), text + self._place.text)
        self._notes = [note for note in self._notes if note not in notes]

    @property
    def offset(self) -> int:
        """Where what is written next goes."""
        return self._place.start

    @property
    def is_written(self) -> bool:
        """Whether the document says all of it."""
        is_stale = self.tail != self._place.text or any(note.is_stale for note in self._notes)
        return not (self._unwritten or is_stale)

    def edits(self, slice: Slice) -> tuple[Edit, ...] | None:
        """The edits for this version; none if the place was removed."""
        at = self._place.find(slice)
        if at is None:
            return None
        edits: list[Edit] = []
        for note in self._notes:
            note.sent = note.text
            written = note.place.find(slice) if note.place is not None else None
            if note.is_stale and written is not None:
                edits.append(Edit(written, note.text))
        for piece in self._unwritten:
            if isinstance(piece, Note):
                piece.sent = piece.text
        text = "".join([p.sent if isinstance(p, Note) else p for p in self._unwritten])
        if self.tail != self._place.text:
            edits.append(Edit(at, text + self.tail))
        elif text:
            # Only what is new: a cursor in the tail stays where it is.
            edits.append(Edit(Span(at.start, at.start), text))
        self._in_flight, self._seen = (len(self._unwritten), text, self.tail), []
        is_longer = bool(text) or self.tail != self._place.text
        self._outcome = _Outcome.of(slice, edits) if is_longer and len(edits) > 1 else None
        return tuple(edits)

    # -- following ----------------------------------------------------------------------------

    @property
    def is_awaited(self) -> bool:
        """Whether text was handed out, and no edit came that can be the one with it."""
        if self._in_flight is None or self._seen:
            return False
        _, text, tail = self._in_flight
        return bool(text) or tail != self._place.text

    def follow(self, edit: Edit) -> None:
        """Follow an edit of the document."""
        for seen in self._seen:
            seen.follow(edit)
        if self._in_flight is not None and self._may_be_own(edit, *self._in_flight[1:]):
            # However a client reports it, it begins where the tail began.
            self._seen.append(Place(self._place.start, ""))
        if self._outcome is not None:
            self._outcome.changes += 1
        self._place.follow(edit)
        for note in self._notes:
            if note.place is not None:
                note.place.follow(edit)

    def _may_be_own(self, edit: Edit, text: str, tail: str) -> bool:
        (start, end), new = edit
        if self._outcome is not None and self._outcome.may_come_of(edit):
            return True
        if end < self._place.start - len(text) or start > self._place.end + len(text):
            return False
        # As it was handed out; without what was the same; or together with edits of others.
        grown = len(text) + len(tail) - len(self._place.text)
        if len(new) - (end - start) == grown or (bool(text) and text in new):
            return True
        # Together with notes before it, in one edit, and without what is the same at its end.
        same = self._place.end - end
        left = (text + tail)[: -same or None]
        return 0 <= same < len(text + tail) and start < self._place.start and new.endswith(left)

    def settle(self, slice: Slice) -> bool:
        """Whether what was handed out is in the document; what is not stays unwritten."""
        if self._in_flight is None:
            return True
        count, text, tail = self._in_flight
        self._in_flight = None
        has_text = bool(text) or tail != self._place.text
        found = self._find_own(slice, text + tail) if has_text else None
        if self._outcome is not None and has_text:
            at = self._outcome.find_text(slice)
            found = found if at is None else Span(at, at + len(text + tail))
        for note in self._notes:
            # All of an edit is applied, or nothing.
            note.settle(slice, is_applied=found is not None)
        if has_text:
            if found is None:
                return False
            self._place = Place(found.start + len(text), tail)
            self._take_notes(self._unwritten[:count], found.start)
            if self._mark is not None:
                self._back += self._unwritten[self._mark : count]
                self._mark = max(self._mark - count, 0)
            del self._unwritten[:count]
        self._notes = [note for note in self._notes if note.place is not None]
        return True

    def _find_own(self, slice: Slice, text: str) -> Span | None:
        """Where the text is that was handed out: as near as can be to an edit that can be it."""
        found = [(self._place.find_new(slice, text, seen.start), seen) for seen in self._seen]
        away = [(abs(span.start - seen.start), -number, span)
                for number, (span, seen) in enumerate(found) if span is not None]  # fmt: skip
        return min(away)[2] if away else None

    def _take_notes(self, written: list[str | Note], start: int) -> None:
        for piece in written:
            if isinstance(piece, Note) and piece.sent:
                piece.place = Place(start, piece.sent)
                self._notes.append(piece)
            start += len(piece.sent if isinstance(piece, Note) else piece)
