"""The index of a document: which cells say what about which name.

Owns one persistent map from ``(relation, name)`` to the cells that say so. A
cell contributes the facts that its format found in it; when a cell is replaced,
only the facts that differ are touched, so plain typing leaves the index as it
is. What a relation means is the format's business.

Two dictionaries: a large one that versions share and that never changes, and a small one of what
changed since, which each change copies. When the small one has grown, both become a new large one.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Set

from msgls.formats.base import Entry
from msgls.syntax.cells import FactKey, Facts, parts_of
from msgls.text.work import Work

_new_tuple = tuple.__new__
_Entries = tuple[Entry, ...]
_Map = dict[FactKey, _Entries]

_MOST_RECENT = 512
_NO_FACTS: Facts = {}


class Index:
    """An immutable map of facts; ``updated`` gives the next one."""

    __slots__ = ("base", "recent")

    def __init__(self, base: _Map | None = None, recent: _Map | None = None) -> None:
        self.base: _Map = {} if base is None else base
        self.recent: _Map = {} if recent is None else recent
        """What differs from ``base``."""

    @classmethod
    def building(cls, facts: Iterable[tuple[int, Facts]]) -> Work[Index]:
        """The index of cells that are given in document order."""
        base: _Map = {}
        # Keys with entries from many cells: adding to a tuple would copy it each time.
        many: dict[FactKey, list[Entry]] = {}
        for label, of_cell in facts:
            for key, payloads in of_cell.items():
                # Not by the constructor, which costs three times as much.
                entry = _new_tuple(Entry, (label, payloads))
                if key not in base:
                    base[key] = (entry,)
                elif key in many:
                    many[key].append(entry)
                else:
                    many[key] = [*base[key], entry]
            yield
        for key, entries in many.items():
            base[key] = tuple(entries)
            yield
        return cls(base)

    def get(self, key: FactKey) -> _Entries:
        """The entries of ``key``, in document order."""
        recent = self.recent.get(key)
        return self.base.get(key, ()) if recent is None else recent

    def __iter__(self) -> Iterator[FactKey]:
        """Every key with an entry."""
        recent = self.recent
        yield from (key for key, entries in recent.items() if entries)
        yield from (key for key in self.base if key not in recent)

    def names(self, *relations: str) -> list[str]:
        """Every name that a cell says something about in one of those relations."""
        recent = self.recent
        found = [key[1] for key, entries in recent.items() if entries and key[0] in relations]
        return found + [key[1] for key in self.base if key[0] in relations and key not in recent]

    def updated(
        self, removed: Iterable[tuple[int, Facts]], added: Iterable[tuple[int, Facts]]
    ) -> tuple[Index, frozenset[FactKey]]:
        """The index after cells went and came, and the keys whose entries are not as before."""
        leaving: dict[FactKey, dict[int, tuple[object, ...]]] = {}
        coming: dict[FactKey, dict[int, tuple[object, ...]]] = {}
        before, after = dict(removed), dict(added)
        for label in before.keys() | after.keys():
            old, new = before.get(label, _NO_FACTS), after.get(label, _NO_FACTS)
            for key in _doubtful(old, new):
                was, now = old.get(key), new.get(key)
                if was != now:
                    if was is not None:
                        leaving.setdefault(key, {})[label] = was
                    if now is not None:
                        coming.setdefault(key, {})[label] = now
        changed = frozenset([*leaving, *coming])
        if not changed:
            return self, changed
        recent = dict(self.recent)
        for key in changed:
            recent[key] = _changed(self.get(key), leaving.get(key, {}), coming.get(key, {}))
        if len(recent) <= _MOST_RECENT:
            return Index(self.base, recent), changed
        base = {**self.base, **recent}
        for key in [key for key in recent if not base[key]]:
            del base[key]
        return Index(base), changed


def _doubtful(old: Facts, new: Facts) -> Set[FactKey]:
    """The keys that two versions of a cell may not say alike; of long cells, very few."""
    # By identity: an edit shares the facts of the pieces that it does not touch.
    olds, news = [{id(part): part for part in parts_of(facts)} for facts in (old, new)]
    return {
        key
        for parts, others in ((olds, news), (news, olds))
        for number, part in parts.items()
        if number not in others
        for key in part
    }


def _changed(
    before: _Entries,
    leaving: dict[int, tuple[object, ...]],
    coming: dict[int, tuple[object, ...]],
) -> _Entries:
    entries = list(before)
    if len(leaving) + len(coming) > 8:
        entries = [entry for entry in entries if entry.label not in leaving]
        entries += [Entry(label, payloads) for label, payloads in coming.items()]
        entries.sort(key=_label)
        return tuple(entries)
    for label in leaving:
        del entries[bisect_left(entries, label, key=_label)]
    for label, payloads in coming.items():
        insort(entries, Entry(label, payloads), key=_label)
    return tuple(entries)


def _label(entry: Entry) -> int:
    return entry.label
