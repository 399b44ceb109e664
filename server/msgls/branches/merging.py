"""Merges two branches of a conversation, cell by cell.

Owns the three-way merge. Cells that either side added are kept, ours before theirs at the
same place. Ids stay unique: a cell of theirs whose id is taken gets another id, and so do its
children, its definition and references to it. A cell that both sides changed is merged line by
line, and so are the frontmatter and the preamble. If the merged cells would not be read back
unchanged, the whole text is merged line by line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from msgls.branches.diffing import content_of, is_message_file
from msgls.branches.matching import Matchable, Pairs, in_order, match
from msgls.document.document import Document
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId, next_free, numbered
from msgls.text.linediff import Conflict, merge_lines, split_lines, written
from msgls.text.lines import count_breaks

T = TypeVar("T")
Open = Callable[[str], Document]
Key = tuple[str, int]

_PREAMBLE: Key = ("preamble", 0)
_SPACE = " \t\r\n"
_BLANK_LINE = 2
"""The number of line breaks that make a blank line."""
_MARK = "\ufeff"
_BREAK = re.compile(r"\r\n|\n|\r")
_TAKEN_BY = ("header", "definition", "footnote", "child")


class Merged(NamedTuple):
    """A merged text, and the number of conflicts between markers in it."""

    text: str
    conflicts: int


def merge(base: str, ours: str, theirs: str, opened: Open, marker_size: int = 7) -> Merged:
    """Merge two texts derived from ``base``; ``opened`` opens a text as a document."""
    if ours == theirs or theirs == base:
        return Merged(ours, 0)
    if ours == base:
        return Merged(theirs, 0)
    newline = _chosen(*map(_newline, (base, ours, theirs)))
    mark = _chosen(*[text[:1] == _MARK for text in (base, ours, theirs)])
    texts = [text.removeprefix(_MARK) for text in (base, ours, theirs)]
    # Line breaks are normalised only if they are uniform: a mixed file keeps them.
    if newline:
        texts = [_BREAK.sub("\n", text) for text in texts]
    merged = _merge(texts, opened, marker_size)
    text = merged.text.replace("\n", newline) if newline else merged.text
    return Merged((_MARK if mark else "") + text, merged.conflicts)


def _merge(texts: Sequence[str], opened: Open, marker_size: int) -> Merged:
    documents = [opened(text) for text in texts]
    if all(is_message_file(document) for document in documents):
        base, ours, theirs = map(_gathered, documents)
        found = _Merge(base, ours, theirs, marker_size).run()
        if found is not None:
            return found
    lines = merge_lines(*[split_lines(text) for text in texts])
    return Merged(*written(lines, marker_size))


def _chosen(base: T, ours: T, theirs: T) -> T:
    return theirs if ours == base else ours


def _newline(text: str) -> str:
    """The line break of a text; empty if it uses several kinds."""
    kinds = set(_BREAK.findall(text))
    return kinds.pop() if len(kinds) == 1 else "" if kinds else "\n"


def _gathered(document: Document) -> Document:
    """The document with every definition moved to its cell, so that both are merged together."""
    edits = document.format.gathering(document)
    return document.apply(edits) if edits else document


class _Piece(NamedTuple):
    """A cell of the merge: its text, and the blank lines after it."""

    key: Key
    body: str
    tail: str
    follower: Key | None
    """The key of the cell that follows on the side from which ``tail`` is."""
    conflicts: int = 0


class _Side:
    """One of the three texts: its preamble, and its other cells by number."""

    def __init__(self, document: Document) -> None:
        self.document = document
        placed = list(document.cells())
        has_preamble = bool(placed) and placed[0].cell.kind is CellKind.PREAMBLE
        self.first = int(has_preamble)
        self.preamble = placed[0].cell.text if has_preamble else ""
        self.cells = placed[self.first :]

    @property
    def ids(self) -> dict[str, int]:
        return {p.cell.id: n for n, p in enumerate(self.cells) if p.cell.id is not None}

    def matchable(self) -> list[Matchable]:
        return [
            Matchable(p.cell.id, p.cell.kind.value, content_of(self.document, p))
            for p in self.cells
        ]

    def renamed(self, number: int, new_id: str) -> _Side:
        placed = self.cells[number]
        edits = self.document.format.identifying(self.document, placed, new_id)
        return _Side(self.document.apply(edits))

    def text(self, number: int) -> str:
        return self.cells[number].cell.text


class _Merge:
    def __init__(self, base: Document, ours: Document, theirs: Document, marker_size: int) -> None:
        self.base, self.ours, self.theirs = _Side(base), _Side(ours), _Side(theirs)
        self.marker_size = marker_size
        self.in_ours = match(self.base.matchable(), self.ours.matchable())
        self.in_theirs = match(self.base.matchable(), self.theirs.matchable())

    def run(self) -> Merged | None:
        """The merge; ``None`` if its cells would not be read back unchanged."""
        counts = len(self.ours.cells), len(self.theirs.cells)
        self._follow_renames()
        twins = self._twins()
        self._make_ids_unique(twins)
        if (len(self.ours.cells), len(self.theirs.cells)) != counts:
            return None
        self.our_keys = _keys(self.in_ours, len(self.ours.cells), "ours", {})
        self.their_keys = _keys(self.in_theirs, len(self.theirs.cells), "theirs", twins)
        self.our_numbers = {key: number for number, key in enumerate(self.our_keys)}
        self.their_numbers = {key: number for number, key in enumerate(self.their_keys)}
        pieces = [piece for key in self._order() if (piece := self._piece(key)) is not None]
        text = self._joined(pieces)
        conflicts = sum(piece.conflicts for piece in pieces)
        if not conflicts and not self._reads_as(pieces, text):
            return None
        return Merged(text, conflicts)

    # -- ids

    def _follow_renames(self) -> None:
        """If one side renamed a cell, rename it and its family on the other side and in the base.

        Without the base, references to it would look as if the other side had changed them.
        """
        for number in sorted(self.in_ours.keys() & self.in_theirs.keys()):
            our, their = self.in_ours[number], self.in_theirs[number]
            old = self.base.cells[number].cell.id
            our_id = self.ours.cells[our].cell.id
            their_id = self.theirs.cells[their].cell.id
            if their_id == old != our_id and our_id and our_id not in self.theirs.ids:
                self.theirs = self.theirs.renamed(their, our_id)
                self.base = self.base.renamed(number, our_id)
            elif our_id == old != their_id and their_id and their_id not in self.ours.ids:
                self.ours = self.ours.renamed(our, their_id)
                self.base = self.base.renamed(number, their_id)

    def _twins(self) -> dict[int, int]:
        """Cells that both sides added with the same text: our numbers by theirs."""
        known = set(self.in_ours.values())
        waiting: dict[str, list[int]] = {}
        for number in reversed(range(len(self.ours.cells))):
            if number not in known:
                waiting.setdefault(self.ours.text(number).rstrip(_SPACE), []).append(number)
        known = set(self.in_theirs.values())
        ids = self.theirs.ids
        twins: dict[int, int] = {}
        for number in range(len(self.theirs.cells)):
            found = waiting.get(self.theirs.text(number).rstrip(_SPACE))
            if number in known or not found:
                continue
            # A child of a cell that only they have is not shared either.
            root = ids.get(_root(self.theirs.cells[number].cell.id) or "", number)
            if root == number or root in known or root in twins:
                twins[number] = found.pop()
        return twins

    def _make_ids_unique(self, twins: Mapping[int, int]) -> None:
        """Rename cells of theirs whose id is that of a different cell of ours."""
        partners = {their: self.in_ours.get(base) for base, their in self.in_theirs.items()}
        partners |= twins
        our_ids = self.ours.ids
        for number in range(len(self.theirs.cells)):
            cell_id = self.theirs.cells[number].cell.id
            if cell_id is None or cell_id not in our_ids:
                continue
            if our_ids[cell_id] == partners.get(number):
                continue
            if self._is_repeated(cell_id):
                continue
            self.theirs = self.theirs.renamed(number, self._free_id(cell_id))

    def _is_repeated(self, cell_id: str) -> bool:
        """Whether a side has an id twice: then references to it are ambiguous."""
        sides = (self.ours, self.theirs)
        return any(len(side.document.entries("header", cell_id)) > 1 for side in sides)

    def _free_id(self, cell_id: str) -> str:
        """The next similar id that is free on every side; deterministic."""
        parent, dot, last = cell_id.rpartition(".")
        stem, digits = numbered(last)
        # A nonce is not numbered, even if it ends in a digit.
        if not digits or (dot and stem):
            stem, digits = last + "-", "1"
        return next_free(f"{parent}{dot}{stem}", int(digits) + 1, self._is_taken)

    def _is_taken(self, cell_id: str) -> bool:
        sides = (self.base, self.ours, self.theirs)
        relations = [(side, relation) for side in sides for relation in _TAKEN_BY]
        return any(side.document.entries(relation, cell_id) for side, relation in relations)

    # -- order

    def _order(self) -> Iterator[Key]:
        """The keys in our order; what they added or moved comes after its predecessor there."""
        moved = {("base", n) for n in self.in_theirs.keys() - in_order(self.in_theirs)}
        moved -= {("base", n) for n in self.in_ours.keys() - in_order(self.in_ours)}
        settled = [key for key in self.our_keys if key not in moved]
        shared = set(settled) & set(self.their_keys)
        after: dict[Key, list[Key]] = {}
        anchor = _PREAMBLE
        for key in self.their_keys:
            if key in shared:
                anchor = key
            else:
                after.setdefault(anchor, []).append(key)
        yield _PREAMBLE
        waiting = after.get(_PREAMBLE, [])
        anchor = _PREAMBLE
        for key in settled:
            if key in shared:
                yield from waiting
                anchor, waiting = key, after.get(key, [])
            else:
                # Our cells come first, but calls and results stay with their answer.
                while waiting and self._comes_first(waiting[0], key, anchor):
                    yield waiting.pop(0)
            yield key
        yield from waiting

    def _comes_first(self, their: Key, our: Key, anchor: Key) -> bool:
        family = _root(self._id(anchor))
        return family is not None and _root(self._id(their)) == family != _root(self._id(our))

    def _id(self, key: Key) -> str | None:
        if key in self.their_numbers:
            return self.theirs.cells[self.their_numbers[key]].cell.id
        if key in self.our_numbers:
            return self.ours.cells[self.our_numbers[key]].cell.id
        return None

    # -- text

    def _piece(self, key: Key) -> _Piece | None:
        """The merged text of a cell; ``None`` if it is deleted."""
        if key == _PREAMBLE:
            sides = (self.base.preamble, self.ours.preamble, self.theirs.preamble)
            return self._three_way(key, *sides)
        our, their = self.our_numbers.get(key), self.their_numbers.get(key)
        ours = None if our is None else self.ours.text(our)
        theirs = None if their is None else self.theirs.text(their)
        base = self.base.text(key[1]) if key[0] == "base" else None
        if ours is not None and theirs is not None:
            return self._three_way(key, ours if base is None else base, ours, theirs)
        kept = ours if ours is not None else theirs
        assert kept is not None
        body = kept.rstrip(_SPACE)
        if base is None:
            return _Piece(key, body, kept[len(body) :], self._follower(key, ours is not None))
        if body == base.rstrip(_SPACE):
            return None
        # One side deleted what the other changed.
        lines = split_lines(body)
        conflict = Conflict(lines, []) if ours is not None else Conflict([], lines)
        text, conflicts = written([conflict], self.marker_size)
        return _Piece(key, text.rstrip(_SPACE), "\n\n", None, conflicts)

    def _three_way(self, key: Key, base: str, ours: str, theirs: str) -> _Piece:
        bodies = [text.rstrip(_SPACE) for text in (base, ours, theirs)]
        tails = [text[len(body) :] for text, body in zip((base, ours, theirs), bodies, strict=True)]
        body, conflicts = written(
            merge_lines(*[split_lines(body + "\n") for body in bodies]), self.marker_size
        )
        is_ours = tails[1] != tails[0]
        tail = tails[1] if is_ours else tails[2]
        return _Piece(key, body.rstrip(_SPACE), tail, self._follower(key, is_ours), conflicts)

    def _follower(self, key: Key, is_ours: bool) -> Key | None:
        keys = self.our_keys if is_ours else self.their_keys
        numbers = self.our_numbers if is_ours else self.their_numbers
        at = -1 if key == _PREAMBLE else numbers[key]
        return keys[at + 1] if at + 1 < len(keys) else None

    def _joined(self, pieces: Sequence[_Piece]) -> str:
        """The pieces joined, with a blank line between those that were not adjacent before."""
        shown = [piece for piece in pieces if piece.body]
        texts: list[str] = []
        for number, piece in enumerate(shown):
            following = shown[number + 1].key if number + 1 < len(shown) else None
            tail = piece.tail
            if following is None and piece.follower is not None:
                ours = self.ours.document.text
                tail = ours[len(ours.rstrip(_SPACE)) :] or "\n"
            elif following != piece.follower and count_breaks(tail) < _BLANK_LINE:
                tail = "\n\n"
            texts += [piece.body, tail]
        return "".join(texts)

    def _reads_as(self, pieces: Sequence[_Piece], text: str) -> bool:
        """Whether the merge is read back as the same cells: an open fence may swallow some."""
        document = self.ours.document.with_text(text)
        read = [p.cell.text.rstrip(_SPACE) for p in document.cells()]
        return [body for body in read if body] == [piece.body for piece in pieces if piece.body]


def _keys(pairs: Pairs, count: int, side: str, twins: Mapping[int, int]) -> list[Key]:
    """The key of each cell of a side: from the base, from ours if both added it, or its own."""
    origin = {number: base for base, number in pairs.items()}
    return [
        ("base", origin[number])
        if number in origin
        else ("ours", twins[number])
        if number in twins
        else (side, number)
        for number in range(count)
    ]


def _root(cell_id: str | None) -> str | None:
    return None if cell_id is None else CellId(cell_id).root
