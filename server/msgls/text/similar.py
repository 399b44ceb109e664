"""Names that are nearly alike: what "did you mean" is made of.

Owns the distance between two words (one step is a letter added, left out, changed
or swapped with its neighbour) and the choice among candidates. Knows no format.
"""

from collections.abc import Iterable

_SHORT = 6
"""Words with fewer letters than this allow one typo, longer ones two."""


def distance(one: str, other: str, most: int) -> int:
    """The edit distance of two words; ``most + 1`` if it is more than ``most``."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    if one == other:
        return 0
    width = len(other)
    before: list[int] = []
    row = list(range(width + 1))
    for at, letter in enumerate(one, start=1):
        two_before, before = before, row
        row = [at]
        for over, opposite in enumerate(other, start=1):
            cost = min(before[over] + 1, row[over - 1] + 1, before[over - 1] + (letter != opposite))
            swapped = over > 1 and at > 1 and letter == other[over - 2]
            if swapped and one[at - 2] == opposite:
                cost = min(cost, two_before[over - 2] + 1)
            row.append(cost)
        if min(row) > most and min(before) > most:
            return most + 1
    return min(row[width], most + 1)


def allowed_typos(word: str) -> int:
    """The largest edit distance of a candidate: 2, or 1 if the word is short."""
    return 1 if len(word) < _SHORT else 2


def closest(word: str, candidates: Iterable[str], limit: int = 3, most: int = -1) -> list[str]:
    """The candidates that may be meant by ``word``, the nearest first; never ``word`` itself.

    Case counts as no difference. Of equally near ones, the first given comes first. ``most`` is the
    largest edit distance; by default it follows from the word's length.
    """
    if most < 0:
        most = allowed_typos(word)
    folded = word.casefold()
    letters = set(folded)
    near: list[tuple[int, int, str]] = []
    for number, candidate in enumerate(dict.fromkeys(candidates)):
        if candidate == word or abs(len(candidate) - len(word)) > most:
            continue
        other = candidate.casefold()
        # Each letter that the other one lacks is a slip of its own.
        if len(letters.difference(other)) > most:
            continue
        slips = distance(folded, other, most)
        if slips <= most:
            near.append((slips, number, candidate))
    return [candidate for _, _, candidate in sorted(near)[:limit]]
