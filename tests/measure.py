"""How the work of something grows with its input.

``calls`` counts the functions that are called, built-in ones included. The count is the same
at every run, so a test may compare counts on a machine that is shared and noisy. It does not
see how long one call takes inside a regular expression or another loop in C; ``seconds``
does, and is only for tests that are marked ``fuzz``, which ``make test`` leaves out.
"""

import cProfile
import gc
import time
from collections.abc import Callable

import pytest

Work = Callable[[], object]
Prepare = Callable[[int], Work]
"""Makes the input of a size, and returns the work on it."""
Measure = Callable[[Work], float]

_TIMES = 4
# How many times the work four times the input may take. Sixteen is what a square gives.
_MOST = 8.0
# What takes less is not compared: what comes with the first piece of input would be.
_FEWEST_CALLS = 200
_LEAST_SECONDS = 0.003


def calls(work: Work) -> int:
    """How many functions the work calls."""
    profile = cProfile.Profile(subcalls=False)
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def seconds(work: Work) -> float:
    """The processor time of the work, without the passes of the garbage collector."""
    gc.disable()
    try:
        before = time.process_time()
        work()
        return time.process_time() - before
    finally:
        gc.enable()


def assert_linear_calls(prepare: Prepare, size: int) -> None:
    """Four times the input takes about four times as many calls."""
    # What is loaded and cached at the first use.
    prepare(1)()
    small, large = calls(prepare(size // _TIMES)), calls(prepare(size))
    assert large <= _MOST * max(small, _FEWEST_CALLS)


def assert_linear_seconds(prepare: Prepare, size: int) -> None:
    """Four times the input takes about four times as long: only for tests marked ``fuzz``.

    The best of up to five tries counts: another process may be in the way.
    """
    small = large = float("inf")
    for _ in range(5):
        small = min(small, seconds(prepare(size // _TIMES)))
        large = min(large, seconds(prepare(size)))
        if large <= _MOST * max(small, _LEAST_SECONDS):
            return
    pytest.fail(f"{small:.3f} s, and for four times as much {large:.3f} s")
