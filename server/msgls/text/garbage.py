"""When the garbage collector runs: not where it can only cost time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 50_000
# Few of the objects that a command makes are garbage before it ends: look for it rarely.
_COLLECT_EVERY = 200_000
# Walked over in a few milliseconds.
_YOUNG = 20_000


def collect_rarely() -> None:
    """For a short-lived process of msgls: what is loaded by now is never scanned again."""
    gc.set_threshold(_COLLECT_EVERY)
    gc.freeze()


def collect_young() -> None:
    """For the server, which runs without the collector: called after each step.

    Once many objects are new, the garbage among them goes, and what is left is never looked at
    again: to walk over all open documents takes seconds. They go when nothing refers to them.
    """
    if gc.get_count()[0] > _YOUNG:
        gc.collect(0)
        gc.freeze()


@contextmanager
def without_collection() -> Iterator[None]:
    """Keep the collector out while many objects are made and none is garbage.

    It would walk all of them again and again, and find nothing. In msgls' own process, which has
    frozen what it loaded, very many are frozen too: they go when nothing refers to them, for they
    refer to each other in one direction only. A program that uses msgls as a library may have
    garbage at this moment, which would be frozen along and never go.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if gc.get_count()[0] > _MANY and gc.get_freeze_count():
                gc.freeze()
            gc.enable()
