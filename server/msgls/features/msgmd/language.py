"""The language of message files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.definition import Target, line_around
from msgls.features.elsewhere import Elsewhere
from msgls.features.folding import Fold
from msgls.features.language import Language
from msgls.features.linked import Linked
from msgls.features.msgmd import folding, names, outline, rename, selection
from msgls.features.msgmd.places import PlaceKind, owner_of, place_at
from msgls.features.names import PlacedName, bare_name, places_of
from msgls.features.outline import Symbol
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.meaning import meaning_of
from msgls.syntax.names import Name, NameKind, Use
from msgls.syntax.nodes import NodeKind
from msgls.text.spans import Edit, Span


class MessageFile(Language):
    """Cells in Markdown, with their metadata in footnotes."""

    shared_kind = NameKind.AGENT
    nothing_to_rename = rename.NOTHING

    def counts(self, document: Document, found: PlacedName) -> bool:
        return names.counts(document, found)

    def unindexed_name(self, document: Document, placed: Placed, at: int) -> PlacedName | None:
        return names.unindexed_name(placed, at)

    def cells_saying(
        self, document: Document, name: Name, near_offset: int | None
    ) -> Collection[int]:
        return names.cells_saying(document, name, near_offset)

    def counterparts(self, document: Document, found: PlacedName) -> list[Span] | None:
        return names.counterparts(document, found)

    def jump(self, document: Document, offset: int) -> tuple[Span, list[Target]] | None:
        """From the type of a tool or a run to the cell that asked for it."""
        place = place_at(document, offset)
        owner = None if place is None else owner_of(document, place)
        if place is None or owner is None or place.kind is not PlaceKind.TYPE:
            return None
        parent = bare_name(NameKind.CELL, meaning_of(document, owner).parent_id or "")
        said = [
            place.span for place in places_of(document, parent) if place.name.use is Use.DECLARES
        ]
        return place.span, [Target(span, line_around(document, span)) for span in said]

    def groups(self, document: Document, number: int, offset: int) -> Iterable[Span]:
        return selection.groups(document, number)

    def folds(self, document: Document, cells: Sequence[Placed]) -> Iterable[Fold]:
        return folding.folds(document, cells)

    def uncoloured(self, document: Document, placed: Placed) -> Collection[NodeKind]:
        """Only a run has streams."""
        is_run = meaning_of(document, placed).role is CellRole.RUN
        return () if is_run else (NodeKind.STREAM,)

    def symbols(self, snapshot: Snapshot, placed: Placed) -> Iterable[Symbol]:
        return outline.symbols(snapshot, placed)

    def elsewhere(
        self,
        snapshot: Snapshot,
        found: PlacedName,
        uses: Collection[Use],
    ) -> Iterable[Elsewhere]:
        return names.elsewhere(snapshot, found, uses)

    def linked(self, document: Document, found: PlacedName) -> Linked | None:
        return names.linked(document, found)

    def renamable(self, document: Document, found: PlacedName) -> tuple[Span, str]:
        return rename.renamable(document, found)

    def rename(self, document: Document, found: PlacedName, new: str) -> list[Edit]:
        return rename.rename(document, found, new)

    def rename_shared(self, document: Document, name: str, new: str) -> list[Edit]:
        return rename.rename_shared(document, name, new)
