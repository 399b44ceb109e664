"""A search for inputs on which something takes more than its share of time.

    python -m tests.growth.search [--seconds N] [--seed N]
    python -m tests.growth.search --replay FILE

Every action is tried in turn, each time with another input and another kind of file. An input
that grows too fast is written below ``.fuzz/found/growth`` and can be measured again by
``--replay``; mended, it belongs to ``FOUND`` in ``test_growth.py``.
"""

import argparse
import gc
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.guided import FUZZ
from tests.growth.drawing import drawn
from tests.growth.growth import ACTIONS, MOST_GROWTH, Input, growth_of_seconds

_KEPT = FUZZ / "found" / "growth"
_LENGTH = 4_000


class Finding(NamedTuple):
    """An action that took too long on an input."""

    factor: float
    action: str
    length: int
    given: Input

    def keep(self) -> Path:
        """Write the input to a file of its own."""
        _KEPT.mkdir(parents=True, exist_ok=True)
        named = f"{self.action}-{abs(hash(self.given)) % 10**8:08}".replace("/", "-")
        file = _KEPT / f"{named.replace(' ', '_')}.json"
        content = {**self._asdict(), "given": self.given._asdict()}
        file.write_text(json.dumps(content, indent=2) + "\n", "utf-8")
        return file


def read_finding(file: Path) -> Finding:
    """What was kept in a file."""
    content = json.loads(file.read_text("utf-8"))
    return Finding(**{**content, "given": Input(**content["given"])})


def search(seed: int, seconds: float) -> Iterator[Finding]:
    """Try inputs for some time; each that grows too fast is kept."""
    draw, end = random.Random(seed), time.monotonic() + seconds
    while time.monotonic() < end:
        for name in draw.sample(sorted(ACTIONS), len(ACTIONS)):
            if time.monotonic() >= end:
                return
            # What grows late is seen in long texts only, of which there is time for fewer.
            given, length = drawn(draw), _LENGTH * draw.choice((1, 1, 1, 4))
            factor = growth_of_seconds(ACTIONS[name], given, length)
            _collect()
            if factor > MOST_GROWTH:
                found = Finding(round(factor, 1), name, length, given)
                found.keep()
                yield found


def _collect() -> None:
    """Free what is left of an action: a command freezes it, because its process ends soon."""
    gc.unfreeze()
    gc.collect()


def main() -> int:
    """1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.growth.search", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--replay", type=Path, metavar="FILE")
    given = parser.parse_args()
    if given.replay is not None:
        found = read_finding(given.replay)
        factor = growth_of_seconds(ACTIONS[found.action], found.given, found.length)
        print(f"{found.action}: {factor:.1f} times as long for four times the text")
        return int(factor > MOST_GROWTH)
    seed = random.randrange(10**6) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    count = 0
    for found in search(seed, given.seconds):
        count += 1
        print(f"{found.factor} {found.action}: {found.given}", flush=True)
    print(f"{count} found, kept below {_KEPT}")
    return int(bool(count))


if __name__ == "__main__":
    sys.exit(main())
