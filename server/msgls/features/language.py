"""What a format offers beside its syntax: one object for each, with empty answers for the rest.

``language_of`` is the one place that chooses by format, and imports what a format offers when
a document of it first asks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.syntax.names import Name, NameKind, Use

if TYPE_CHECKING:
    from msgls.features.definition import Target
    from msgls.features.elsewhere import Elsewhere
    from msgls.features.folding import Fold
    from msgls.features.linked import Linked
    from msgls.features.names import PlacedName
    from msgls.features.outline import OutlineNode, Symbol
    from msgls.formats.base import Placed
    from msgls.syntax.nodes import NodeKind
    from msgls.text.phrases import Phrase
    from msgls.text.spans import Edit, Span


class Language:
    """The language of a format that offers nothing."""

    # -- names ------------------------------------------------------------------------------

    relations: ClassVar[Mapping[NameKind, tuple[str, ...]]] = {}
    """The relations of the index that name the cells which say a name."""
    shared_kind: ClassVar[NameKind | None] = None
    """The kind of names that other files say too."""

    def counts(self, document: Document, found: PlacedName) -> bool:
        """Whether the document agrees that this is a name: some follow from other cells."""
        return True

    def unindexed_name(self, document: Document, placed: Placed, at: int) -> PlacedName | None:
        """A name at an offset of a cell that the cell does not list."""
        return None

    def cells_saying(
        self, document: Document, name: Name, near_offset: int | None
    ) -> Collection[int]:
        """The labels of the cells that may say a name."""
        relations = self.relations.get(name.kind, ())
        entries = [entry for rel in relations for entry in document.entries(rel, name.text)]
        return {entry.order for entry in entries}

    def elsewhere(
        self,
        snapshot: Snapshot,
        found: PlacedName,
        uses: Collection[Use],
    ) -> Iterable[Elsewhere]:
        """The other files that may say a name in one of these ways, found on the way."""
        return ()

    def counterparts(self, document: Document, found: PlacedName) -> list[Span] | None:
        """What a name leads to, where its declarations and definitions do not tell."""
        return None

    def jump(self, document: Document, offset: int) -> tuple[Span, list[Target]] | None:
        """A jump from a place that is not a name: what is jumped from, and where to."""
        return None

    def linked(self, document: Document, found: PlacedName) -> Linked | None:
        """The places that change together with a name while it is typed."""
        return None

    # -- nodes --------------------------------------------------------------------------------

    def groups(self, document: Document, number: int, offset: int) -> Iterable[Span]:
        """What is larger than a cell and smaller than the document, around an offset."""
        return ()

    def folds(self, document: Document, cells: Sequence[Placed]) -> Iterable[Fold]:
        """Folds that no node and no part of the document stands for."""
        return ()

    def uncoloured(self, document: Document, placed: Placed) -> Collection[NodeKind]:
        """The kinds of nodes that mean nothing in that cell, and get no token."""
        return ()

    def symbols(self, snapshot: Snapshot, placed: Placed) -> Iterable[Symbol]:
        """The lines of the outline that a cell has, in order."""
        return ()

    def outline(self, snapshot: Snapshot) -> list[OutlineNode] | None:
        """The whole outline, where the lines of one cell do not follow each other in it."""
        return None

    # -- rename -----------------------------------------------------------------------------

    nothing_to_rename: ClassVar[Phrase | None] = None
    """What to say where nothing can be renamed; nothing where nothing ever can."""

    def renamable(self, document: Document, found: PlacedName) -> tuple[Span, str]:
        """What of a name would be renamed. Raises ``RenameRefused``."""
        return found.span, found.name.text

    def rename(self, document: Document, found: PlacedName, new: str) -> list[Edit]:
        """The edits that rename all that has to change along. Raises ``RenameRefused``."""
        return []

    def rename_shared(self, document: Document, name: str, new: str) -> list[Edit]:
        """The edits that rename a name of another file here. Raises ``RenameRefused``."""
        return []


def language_of(document: Document) -> Language:
    """The language of a document."""
    return _language(document.format.name)


@cache
def _language(format_name: str) -> Language:
    if format_name == "msgmd":
        from msgls.features.msgmd.language import MessageFile

        return MessageFile()
    if format_name == "stf":
        from msgls.features.stf.language import SimpleText

        return SimpleText()
    if format_name == "msgjson":
        from msgls.features.msgjson.language import MessagesJson

        return MessagesJson()
    if format_name == "chatbuilder":
        from msgls.features.chatbuilder.language import ChatBuilder

        return ChatBuilder()
    if format_name == "agentsjson":
        from msgls.features.agentsjson.language import AgentsJson

        return AgentsJson()
    return Language()
