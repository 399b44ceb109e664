"""Work that pauses: what takes long is a generator, and its result is what it returns.

It pauses after each small part: a cell, a fold, a few pieces of JSON. Whoever runs it decides how
many parts make a slice, and what is done in a pause. ``done`` runs it without any.
"""

from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import Generic, ParamSpec, TypeAlias, TypeVar

MANY = 200
"""A portion of what takes some microseconds each: less than a millisecond in all."""

P = ParamSpec("P")
T = TypeVar("T")
Work: TypeAlias = Generator[None, None, T]


def done(work: Work[T]) -> T:
    """The result, without a pause."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


def at_once(result: T) -> Work[T]:
    """What is known without any work."""
    yield from ()
    return result


def gathered(items: Iterable[T], portion: int = 1) -> Work[list[T]]:
    """All of some items, with a pause after each, or after each portion of so many."""
    found: list[T] = []
    left = iter(items)
    while some := list(islice(left, portion)):
        found += some
        yield
    return found


def chosen(
    items: Iterable[T], is_wanted: Callable[[T], object], portion: int = MANY
) -> Work[list[T]]:
    """Those of some items that are wanted, with a pause after each portion of so many."""
    found: list[T] = []
    for number, item in enumerate(items, 1):
        if is_wanted(item):
            found.append(item)
        if not number % portion:
            yield
    return found


class Pausing(Generic[P, T]):
    """A function that works with pauses: ``work`` gives the work, a call the result at once."""

    def __init__(self, work: Callable[P, Work[T]]) -> None:
        self.work = work
        self.__doc__ = work.__doc__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """The result, without a pause."""
        return done(self.work(*args, **kwargs))
