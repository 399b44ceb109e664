"""Writes changed messages into the message file that the others were read from.

Owns the decision which messages are unchanged, and joins their text, byte by byte, with that of
the new ones. Gives up if the result is not read back as wanted; the whole file is then rewritten.
"""

from collections.abc import Iterator, Sequence

from msgls.conversation.comparison import (
    Piece,
    Wanted,
    derived_runs_of,
    find_losses,
    keys_of,
    matches,
    merged_losses,
    with_byte_order_mark,
)
from msgls.conversation.conversation import Conversation, Loss
from msgls.conversation.messages import Message
from msgls.conversation.writers.msgmd_cells import Writer, carried_file, file_head, with_agents
from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.msgmd.content import open_fence
from msgls.formats.msgmd.edits import insert_definition, remove_line
from msgls.formats.msgmd.meaning import definition_of, is_registered
from msgls.formats.msgmd.section import section_of
from msgls.syntax.ids import CellId
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span, apply_edits

_END = -1


def splice(
    messages: Sequence[Message], like: Document, old: Conversation
) -> tuple[str, list[Loss]] | None:
    """The text of ``like``, changed from ``old`` to ``messages``; ``None`` if that fails."""
    if tuple(messages) == old.messages:
        return like.text, []
    file = carried_file(messages)
    if file and file != carried_file(old.messages):
        return None
    return _Splice(messages, like, old).run()


class _Splice:
    def __init__(self, messages: Sequence[Message], like: Document, old: Conversation) -> None:
        self.messages = messages
        self.like = like
        self.old = old
        self.section = section_of(like)
        self.record_end = len(like.text) if self.section is None else self.section.record.end
        self.newline = like.newline
        self.runs = derived_runs_of(messages) | derived_runs_of(old.messages)
        keys = [keys_of(some, self.runs) for some in (old.messages, messages)]
        self.new_index_of = dict(matches(*keys))
        """The new index of each kept message, by its old index."""
        self.owners = {
            span.start: index for index, spans in enumerate(old.sources) for span in spans
        }
        self.writer = Writer(messages, self.runs, _taken(like), self.newline)
        self.losses: list[Loss] = []
        self.pieces: list[Piece] = []

    def run(self) -> tuple[str, list[Loss]] | None:
        self._join()
        self._register_agents()
        self.pieces = with_byte_order_mark(self.pieces, self.like)
        kept = frozenset(self.new_index_of.values())
        wanted = Wanted(self.writer.wanted(self.messages), {}, self.runs, kept)
        found = find_losses(wanted, self.pieces, self.like.path, self.like.format)
        named = [*self.losses, *self.writer.losses]
        excused = {loss.message_index for loss in named}
        if any(loss.message_index in kept - excused for loss in found):
            return None
        losses = [*self.writer.renames, *merged_losses(named, found)]
        return "".join([piece.text for piece in self.pieces]), losses

    # -- pieces

    def _join(self) -> None:
        added = self._added()
        edits = self._definition_edits()
        rest = ""
        for placed in self.like.cells():
            self._add(added.pop(placed.start_offset, ()))
            text, rest = self._texts(placed, edits.get(placed.label, []))
            if not self._is_removed(placed):
                old_index = self.owners.get(placed.start_offset)
                self._put(text, None if old_index is None else self.new_index_of[old_index])
        self._add(added.pop(_END, ()), is_end=True, rest=rest)
        self._put(rest)

    def _put(self, text: str, message_index: int | None = None) -> None:
        if text:
            self.pieces.append(Piece(text, message_index))

    def _added(self) -> dict[int, list[int]]:
        """The new messages before each kept one, by the offset of that one."""
        old_index_of = {new: old for old, new in self.new_index_of.items()}
        added: dict[int, list[int]] = {}
        place = _END
        for index in range(len(self.messages) - 1, -1, -1):
            if index in old_index_of:
                place = self.old.sources[old_index_of[index]][0].start
            else:
                added.setdefault(place, []).insert(0, index)
        return added

    def _add(self, indices: Sequence[int], is_end: bool = False, rest: str = "") -> None:
        if not indices:
            return
        if is_end:
            self._close_fence()
        if self.section is not None and not self.section.headings:
            self._put_blank_line()
            self._put(f"# {self.section.name}{self.newline}{self.newline}")
        for index in indices:
            self.writer.add(index)
        self._put_blank_line()
        self.pieces += self.writer.take_pieces(ends_file=is_end and not rest)

    def _put_blank_line(self) -> None:
        """End the line, and add a blank line before a cell."""
        before = self.pieces[-1].text if self.pieces else ""
        if before and not before.endswith(("\n\n", "\r\r", "\n\r\n")):
            self._put(self.newline if before.endswith(("\n", "\r")) else self.newline * 2)

    def _close_fence(self) -> None:
        """Close an open fence in the last cell, so that it does not swallow what is added."""
        if not self.pieces:
            return
        before, index = self.pieces[-1]
        fence = open_fence(before)
        if fence:
            self._put("" if before.endswith(("\n", "\r")) else self.newline)
            self._put(fence + self.newline)
            what = Phrase("an open fence is closed, so that it ends with its message")
            self.losses.append(Loss(what, message_index=index))

    def _texts(self, placed: Placed, edits: Sequence[Edit]) -> tuple[str, str]:
        """The text of a cell that is recorded, and the rest of it."""
        text = placed.cell.text
        end = max(0, min(len(text), self.record_end - placed.start_offset))
        inner = [edit for edit in edits if edit.span.start < end]
        outer = [Edit(edit.span.shift(-end), edit.text) for edit in edits if edit.span.start >= end]
        return apply_edits(text[:end], inner), apply_edits(text[end:], outer)

    def _is_removed(self, placed: Placed) -> bool:
        old_index = self.owners.get(placed.start_offset)
        return old_index is not None and old_index not in self.new_index_of

    # -- definitions in other cells than their own

    def _definition_edits(self) -> dict[int, list[Edit]]:
        """Remove the definitions of removed cells; move those of kept cells out of removed ones."""
        edits: dict[int, list[Edit]] = {}
        needed: set[tuple[int, int]] = set()
        unneeded: list[tuple[Placed, Span]] = []
        for placed in self.like.cells():
            found = definition_of(self.like, placed)
            if found is None:
                continue
            definition, holder = found
            if self._is_removed(placed):
                if not self._is_removed(holder):
                    unneeded.append((holder, definition.span))
                continue
            needed.add((holder.label, definition.span.start))
            if self._is_removed(holder):
                line = definition.span.of(holder.cell.text)
                edit = insert_definition(self.like, placed, line)
                local = edit.span.shift(-placed.start_offset)
                edits.setdefault(placed.label, []).append(Edit(local, edit.text))
        for holder, span in unneeded:
            if (holder.label, span.start) not in needed:
                needed.add((holder.label, span.start))
                line_span = remove_line(holder.cell.text, *span)
                edits.setdefault(holder.label, []).append(Edit(line_span, ""))
        return edits

    # -- the head

    def _register_agents(self) -> None:
        names = [name for name in self.writer.agents if not is_registered(self.like, name)]
        first = self.like.first_cell()
        if not names:
            return
        frontmatter = None if first is None else first.cell.frontmatter
        if first is None or frontmatter is None:
            head = file_head(with_agents("", names, self.newline), "", self.newline)
            self.pieces.insert(0, Piece(head))
        elif first.cell.frontmatter_closed:
            text = self.pieces[0].text
            changed = with_agents(frontmatter.of(text), names, self.newline)
            self.pieces[0] = Piece(changed + text[frontmatter.end :])


def _taken(like: Document) -> Iterator[str]:
    """The ids of headers and definitions, and their segments, which may be nonces."""
    for placed in like.cells():
        ids = [definition.id.text for definition in placed.cell.definitions if definition.is_typed]
        ids += [] if placed.cell.id is None else [placed.cell.id]
        for cell_id in ids:
            yield cell_id
            yield from CellId(cell_id).segments
