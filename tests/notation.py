"""Marks in source text, for tests that are tables.

``«…»`` is a range, ``«name|…»`` a range with a name, ``¦`` a cursor. ``unmark``
takes them out and says where they were; ``mark`` writes ranges into a text, so that
what was found can be compared with the source as it is written in the table, and a
difference shows where it is.
"""

import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import pytest

from msgls.text.spans import Span

_MARK = re.compile(r"«(?:([a-z][a-z0-9_-]*)\|)?|»|¦")


class Marked(NamedTuple):
    """A text, and what was marked in it."""

    text: str
    ranges: tuple[tuple[str, Span], ...]
    """Names and ranges, in the order in which they open."""
    cursors: tuple[int, ...]

    def spans(self, name: str = "") -> list[Span]:
        """The ranges called ``name``, in order."""
        return [span for found, span in self.ranges if found == name]

    def span(self, name: str = "") -> Span:
        """The one range called ``name``."""
        (span,) = self.spans(name)
        return span

    @property
    def cursor(self) -> int:
        """Where the one cursor stands."""
        (offset,) = self.cursors
        return offset


def unmark(source: str) -> Marked:
    """The text without its marks, and where they were."""
    pieces: list[str] = []
    ranges: list[tuple[str, int, int]] = []
    opened: list[int] = []
    cursors: list[int] = []
    offset = done = 0
    for found in _MARK.finditer(source):
        pieces.append(source[done : found.start()])
        offset += found.start() - done
        done = found.end()
        if found.group() == "¦":
            cursors.append(offset)
        elif found.group() == "»":
            number = opened.pop()
            ranges[number] = (*ranges[number][:2], offset)
        else:
            opened.append(len(ranges))
            ranges.append((found.group(1) or "", offset, -1))
    assert not opened, f"a range is not closed in {source!r}"
    text = "".join([*pieces, source[done:]])
    return Marked(text, tuple((name, Span(a, b)) for name, a, b in ranges), tuple(cursors))


def mark(text: str, ranges: Iterable[tuple[str, Span]]) -> str:
    """``text`` with marks around ``ranges``, which may nest but not cross.

    Where several start at one place, the empty ones come first, then the longer ones.
    """
    pieces: list[str] = []
    ends: list[int] = []
    done = 0

    def write_up_to(offset: int) -> None:
        nonlocal done
        assert done <= offset <= len(text), f"{offset} is out of place in {text!r}"
        pieces.append(text[done:offset])
        done = offset

    def close_before(offset: int) -> None:
        while ends and ends[-1] <= offset:
            write_up_to(ends.pop())
            pieces.append("»")

    for name, (start, end) in sorted(ranges, key=_place):
        close_before(start)
        assert not ends or end <= ends[-1], f"{name} crosses another range in {text!r}"
        write_up_to(start)
        pieces.append(f"«{name}|" if name else "«")
        ends.append(end)
        if start == end:
            close_before(start)
    close_before(len(text))
    assert not ends, f"a range goes beyond {text!r}"
    return "".join([*pieces, text[done:]])


def normal(source: str) -> str:
    """``source`` as ``mark`` writes it: an empty range at a mark has two places to stand."""
    marked = unmark(source)
    return mark(marked.text, marked.ranges)


def _place(named: tuple[str, Span]) -> tuple[int, bool, int]:
    start, end = named[1]
    return start, start != end, -end


def table(names: str, rows: Mapping[str, object]) -> pytest.MarkDecorator:
    """A test for each row; its key says what the row shows."""
    return pytest.mark.parametrize(names, list(rows.values()), ids=list(rows))


Test = Callable[..., None]


def each(name: str, values: Iterable[object]) -> Callable[[Test], Test]:
    """The test with each value of a parameter: variations that are not worth a test each."""
    tried = list(values)

    def looped(test: Test) -> Test:
        @functools.wraps(test)
        def loop(*arguments: object, **named: object) -> None:
            for value in tried:
                # Shown where the test fails.
                sys.stdout.write(f"{name}={value!r}\n")
                test(*arguments, **named, **{name: value})

        signature = inspect.signature(test)
        kept = [it for it in signature.parameters.values() if it.name != name]
        loop.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return loop

    return looped
