"""What an edit of a message file makes stale, beyond the cells that it touched.

Owns the knowledge of which facts of the index decide about which cells and families: a
definition about its header and its references, a registered agent about every cell of that
type, a time about the next one, a nonce about all families that share it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice

from msgls.document.document import Change, Document
from msgls.formats.msgmd.meaning import DEFAULT_AGENT, TOOL
from msgls.formats.msgmd.times import holders_after
from msgls.rules.msgmd.unregistered import unregistered_answers
from msgls.syntax.ids import CellId

DEFINING_RELATIONS = ("header", "definition", "footnote", "malformed", "escaped", "marks")
ID_RELATIONS = ("header", "definition", "footnote", "malformed", "reference")
_AGENT_RELATIONS = frozenset({"agent", "model"})


class Stale:
    """One edit: two versions, the difference, and what the checker knows of the second."""

    def __init__(
        self,
        before: Document,
        document: Document,
        change: Change,
        ids: dict[str, set[str]],
        labels_by_type: Mapping[str, Collection[int]],
    ) -> None:
        self._before = before
        self._document = document
        self._change = change
        self._ids = ids
        """The dotted ids of each family, by its root; those that are new are added."""
        self._labels_by_type = labels_by_type
        self._agents = self._agents_in_doubt()

    def _agents_in_doubt(self) -> set[str]:
        """Names that may have become, or ceased to be, the name of an agent.

        A definition makes an agent only while its id is that of a message cell, and while no
        other definition counts for that cell.
        """
        facts = self._change.facts
        names = {name for relation, name in facts if relation in _AGENT_RELATIONS}
        if names:
            # It needs no registration while no agent is registered.
            names.add(DEFAULT_AGENT)
        for relation, cell_id in facts:
            if relation in ("header", "definition"):
                for document in (self._before, self._document):
                    names.update(_agents_defined_by(document, cell_id))
        return names

    def cells(self) -> set[int]:
        """The labels of the cells to be checked again."""
        stale: set[int] = set()
        document = self._document
        for relation, name in self._change.facts:
            if relation in DEFINING_RELATIONS:
                stale.update([entry.label for entry in document.entries("header", name)])
                # Whether a definition counts decides whether its line is content where it is.
                stale.update([entry.label for entry in document.entries("definition", name)])
                # A fence that quotes a cell which is there has swallowed none.
                stale.update([entry.label for entry in document.entries("quoted", name)])
                # Whether it is a code cell decides what those are that name it.
                for children in ("child", "below"):
                    stale.update([entry.label for entry in document.entries(children, name)])
                if _is_defined(self._before, name) != _is_defined(document, name) or any(
                    bool(self._before.entries(by, name)) != bool(document.entries(by, name))
                    for by in ("header", "footnote")
                ):
                    stale.update([entry.label for entry in document.entries("reference", name)])
            elif relation == "reference":
                # What the text refers to may be a footnote, and not the remnant of a cell.
                stale.update([entry.label for entry in document.entries("definition", name)])
        stale.update(self._times())
        stale.update(self._first_answers())
        for name in self._agents:
            stale.update(self._labels_by_type.get(name, ()))
            stale.update(self._defining(name))
            first = document.first_cell()
            if first is not None:
                stale.add(first.label)
        return stale

    def _first_answers(self) -> Iterator[int]:
        """The labels of the first answers of unregistered agents: MSG202 reports them.

        Of those agents of whom an answer comes or goes, before the edit and after it.
        """
        versions = self._before, self._document
        names = {name for relation, name in self._change.facts if relation == "typed"}
        for relation, name in self._change.facts:
            if relation in ("header", "definition"):
                for version in versions:
                    for entry in version.entries("definition", name):
                        names.update([str(payload[0]) for payload in _tuples(entry.payloads)])
        for name in names:
            for version in versions:
                for first in islice(unregistered_answers(version, name), 1):
                    yield first.placed.label

    def _times(self) -> Iterator[int]:
        """The labels of cells that say a time which is compared with one that changed."""
        if not self._document.entries("time", ""):
            return
        changed: set[int] = set()
        for relation, name in self._change.facts:
            if relation == "time":
                changed.update(self._change.added, self._change.removed)
            elif relation in DEFINING_RELATIONS:
                changed.update([e.label for e in self._document.entries("definition", name)])
        for label in changed:
            yield from holders_after(self._document, label)

    def _defining(self, name: str) -> Iterator[int]:
        """The labels of the cells that define a temporary agent of that name."""
        for entry in self._document.entries("agent", name):
            for cell_id in entry.payloads:
                for header in self._document.entries("header", str(cell_id)):
                    yield header.label

    def roots(self) -> set[str]:
        """The roots of the families to be checked again."""
        roots: set[str] = set()
        for relation, name in self._change.facts:
            if relation in ID_RELATIONS:
                root, dot, rest = name.partition(".")
                roots.add(root)
                if dot:
                    self._ids.setdefault(root, set()).add(name)
                if rest:
                    roots |= self._with_nonce(CellId(rest).root)
                elif relation == "header":
                    # Whether a call has its answer matters to those that share its nonce.
                    for entry in self._document.entries("child", root):
                        for nonce in entry.payloads:
                            roots |= self._with_nonce(str(nonce))
            elif relation == "nonce":
                roots |= self._with_nonce(name)
            elif relation == "conflict":
                roots |= self._with_repeated_ids()
        for name in self._agents:
            for label in self._labels_by_type.get(name, ()):
                cell_id = _id_at(self._document, label)
                if cell_id:
                    roots.add(_root(cell_id))
        return roots

    def _with_repeated_ids(self) -> set[str]:
        """The families with an id that two cells have: of a merge, they may be the two sides."""
        return {
            _root(name)
            for relation, name in self._document.index
            if relation == "header" and len(self._document.entries(relation, name)) > 1
        }

    def _with_nonce(self, nonce: str) -> set[str]:
        """The families with calls and results of that nonce."""
        ids = [str(i) for e in self._document.entries("nonce", nonce) for i in e.payloads]
        return {_root(cell_id) for cell_id in ids if self._may_be_of_tool(cell_id)}

    def _may_be_of_tool(self, cell_id: str) -> bool:
        """Not a run whose definition stands elsewhere: very many runs have the number 1."""
        entries = self._document.entries("definition", cell_id)
        types = [payload[0] for entry in entries for payload in _tuples(entry.payloads)]
        return not types or TOOL in types


def _tuples(payloads: Iterable[object]) -> Iterator[tuple[object, ...]]:
    return (payload for payload in payloads if isinstance(payload, tuple))


def _root(cell_id: str) -> str:
    return CellId(cell_id).root


def _id_at(document: Document, label: int) -> str | None:
    """The id of the cell with that label, if it is there and has one."""
    try:
        return document.cell(label).cell.id if document.cell_count else None
    except KeyError:
        return None


def _is_defined(document: Document, name: str) -> bool:
    return any(document.entries(relation, name) for relation in DEFINING_RELATIONS)


def _agents_defined_by(document: Document, cell_id: str) -> Iterator[str]:
    """The names of the agents that definitions with that id make."""
    for entry in document.entries("definition", cell_id):
        if any("agent" in str(payload) for payload in entry.payloads):
            for definition in document.cell(entry.label).cell.definitions_of(cell_id):
                if definition.value("definition") == "agent":
                    yield definition.value("name") or ""
