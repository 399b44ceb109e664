"""The law of facts: what a cell adds to the index about names is what its names say."""

from msgls.document.document import Document
from msgls.syntax.cells import Cell
from msgls.syntax.names import NameKind, Use

# The names that a relation of the index is about, by their kind and use.
_NAMED = {relation: (kind.family, use) for kind in NameKind for use, relation in kind.relations}


def assert_facts_follow(document: Document) -> None:
    """Every name is a fact of its cell, and every fact about a name is one of its names."""
    for placed in document.cells():
        expected, written = _of_names(placed.cell), _of_index(placed.cell)
        # A file that is one cell needs no index.
        if document.format.name != "agentsjson":
            assert expected == written, placed.cell


def _of_names(cell: Cell) -> set[tuple[NameKind, Use, str]]:
    # An id begins with the names of its ancestors, which the index knows of the whole id.
    longest = {name.span.start: name for name in cell.names}
    return {(name.kind.family, name.use, name.text) for name in longest.values()}


def _of_index(cell: Cell) -> set[tuple[NameKind, Use, str]]:
    return {(*_NAMED[relation], name) for relation, name in cell.facts if relation in _NAMED}
