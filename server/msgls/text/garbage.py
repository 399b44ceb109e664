"""The garbage collector, kept out of the way where it can only cost time."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 50_000


@contextmanager
def without_collection() -> Iterator[None]:
    """Keep the collector out while many objects are made and none is garbage.

    It would walk all of them again and again, and find nothing. Very many are put where it
    does not look at all: they go when nobody refers to them, for they refer to each other in
    one direction only.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if gc.get_count()[0] > _MANY:
                gc.freeze()
            gc.enable()
