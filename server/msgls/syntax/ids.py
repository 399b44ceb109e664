"""The id of a cell: segments between dots, where each prefix is the id of an ancestor.

``a1`` is an answer, ``a1.9f3c`` a call of it, ``a1.9f3c.2`` a result of that call. Half-written
ids are ids too: an empty segment stays, so that a rule can name it.
"""

from collections.abc import Callable, Iterator

from msgls.text.spans import Span

# No one counts with more digits.
_MOST_DIGITS = 9


class CellId(str):
    """An id, as written between ``[^`` and ``]``."""

    __slots__ = ()

    @property
    def segments(self) -> list[str]:
        """The pieces between the dots."""
        return self.split(".")

    @property
    def root(self) -> str:
        """The first segment: the family that the id belongs to."""
        return self.partition(".")[0]

    @property
    def parent(self) -> str:
        """All segments but the last; empty where there is one only."""
        return self.rpartition(".")[0]

    @property
    def rest(self) -> str:
        """All segments but the first; empty where there is one only."""
        return self.partition(".")[2]

    @property
    def last(self) -> str:
        """The last segment."""
        return self.rpartition(".")[2]

    def prefixes(self) -> Iterator[tuple[str, Span]]:
        """The id of each ancestor and its own, with the span of its last segment in the id."""
        start = 0
        for segment in self.segments:
            end = start + len(segment)
            yield self[:end], Span(start, end)
            start = end + 1


def numbered(text: str) -> tuple[str, str]:
    """What is before the number that an id ends in, and its digits, if it has any."""
    digits = len(text) - len(text.rstrip("0123456789"))
    at = len(text) - min(digits, _MOST_DIGITS)
    return text[:at], text[at:]


def next_free(prefix: str, number: int, is_taken: Callable[[str], bool], width: int = 0) -> str:
    """The first id from ``number`` on, with at least ``width`` digits, that is not taken."""
    while is_taken(f"{prefix}{number:0{width}}"):
        number += 1
    return f"{prefix}{number:0{width}}"
