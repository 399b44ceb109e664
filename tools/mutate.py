"""Break the core in small ways, one at a time, and see which of them no test notices.

    python tools/mutate.py [HOW_MANY] [--seed N] [--only PATH[:LINE]] [--jobs N]

A sample, spread evenly over all places of ``text`` and ``formats`` that can be changed, is tried.
What survives is printed: each is a test that is missing, code that is not needed, or a change that
nobody can see. Those of the last kind that are known stand in ``tests/equal_mutants.txt``, with
reasons, and are left out.

How it is fast: the tests are loaded once, and each change is made in a fork. Each file of tests is
run once with coverage, which says which tests reach a line, and how long each takes; for a change
those run that reach its line, the nearest and the fastest first, up to the first that fails.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

# Run as a program, this file finds the folder `tools` only if it is told where to look.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools.mutation.laboratory import Laboratory, in_forks, run_pytest
from tools.mutation.places import PARTS, PROGRAM, ROOT, Place, all_places
from tools.mutation.reach import Reach

EQUAL = ROOT / "tests" / "equal_mutants.txt"
# What is known of each file of tests; `make clean` removes it with the rest.
CACHE = ROOT / ".pytest_cache" / "mutate"
_TESTS = ("text", "formats", "document", "rules", "branches", "exchange")


class _Output:
    """Prints what is for people; pytest's own words go into a file, in case it cannot go on."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w")
        self._error = os.fdopen(os.dup(2), "w")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        for stream in (1, 2):
            os.dup2(self._log.fileno(), stream)

    def say(self, text: str) -> None:
        self._out.write(f"{text}\n")
        self._out.flush()

    def progress(self, text: str) -> None:
        if self._error.isatty():
            self._error.write(f"\x1b[2K{text}\r")
            self._error.flush()

    def complain(self) -> None:
        self._log.seek(0)
        self._error.write(self._log.read().decode("utf-8", "replace"))
        self._error.flush()


def known_equal() -> set[str]:
    """What stands in the list of changes that nobody can see."""
    lines = EQUAL.read_text("utf-8").splitlines()
    return {line for line in lines if line and not line.startswith(("#", " "))}


def reach_of_tests(laboratory: Laboratory, jobs: int, output: _Output) -> Reach:
    """What the tests reach: as it is remembered, where neither they nor the program changed."""
    CACHE.mkdir(parents=True, exist_ok=True)
    folders = [PROGRAM / part for part in PARTS] + [ROOT / "tests" / name for name in _TESTS]
    everything = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    tests = [file for file in everything if file.name.startswith("test_")]
    others = hashlib.sha256()
    for file in sorted({*everything, *(ROOT / "tests").glob("*.py")} - {*tests}):
        others.update(file.read_bytes())
    known = {}
    for file in tests:
        digest = others.copy()
        digest.update(str(file).encode() + file.read_bytes())
        known[file.relative_to(ROOT).as_posix()] = CACHE / f"{digest.hexdigest()[:20]}.json"
    new = [(file, result) for file, result in known.items() if not result.exists()]
    results = in_forks(new, lambda task: laboratory.watch(*task), jobs)
    for number, ((name, _), failed) in enumerate(results, start=1):
        output.progress(f"{number} of {len(new)} files of tests watched")
        if failed:
            output.say(f"{name}: some tests do not pass anyway; they are left out")
    reach = Reach()
    for result in known.values():
        reach.add(*json.loads(result.read_text("utf-8")))
    return reach


def try_all(sample: Sequence[Place], laboratory: Laboratory, jobs: int, output: _Output) -> None:
    """Try each change of a sample; say what survived, also if it is stopped by Ctrl+C."""
    reach = reach_of_tests(laboratory, jobs, output)
    tried = survived = endless = 0
    try:
        for place, status in in_forks(
            sample, lambda place: laboratory.try_change(place, *reach.chosen(place)), jobs
        ):
            tried += 1
            endless += status < 0
            if status == 0:
                survived += 1
                path, _, what = place.describe().partition(": ")
                unseen = "" if not place.lines or reach.of_place(place) else " (no test comes by)"
                output.say(f"{path}:{place.line}: {what}{unseen}")
            output.progress(f"{tried} of {len(sample)}, {survived} survived")
    except KeyboardInterrupt:
        output.say(f"stopped after {tried} of {len(sample)}")
    noticed = tried - survived
    share = noticed / max(tried, 1)
    output.say(f"{noticed} of {tried} noticed ({share:.1%}), {endless} because they did not end")


def sample_of(places: Sequence[Place], count: int, seed: int) -> list[Place]:
    """One at random of each of so many stretches of the program, in any order."""
    count = min(count, len(places))
    chance = random.Random(seed)
    sample = [places[int((i + chance.random()) * len(places) / count)] for i in range(count)]
    chance.shuffle(sample)
    return sample


def _is_wanted(place: Place, only: str) -> bool:
    path, _, line = only.partition(":")
    return place.path.startswith(path) and (not line or int(line) in (place.line, *place.lines))


def _jobs(text: str) -> int:
    return os.cpu_count() or 1 if text == "auto" else int(text)


def main() -> int:
    """Try a sample; print what survived."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=_jobs, default=2, help="processes; `auto`: one a core")
    parser.add_argument("--only", action="append", help="a path below msgls, or PATH:LINE")
    options = parser.parse_args()
    everything = [(place.describe(), place) for place in all_places()]
    equal = known_equal()
    for line in sorted(equal.difference(text for text, _ in everything)):
        print(f"in {EQUAL.name}, but not in the program any more: {line}")
    places = [place for text, place in everything if text not in equal]
    print(
        f"{len(everything):,} places, {len(everything) - len(places)} of them "
        "known to make no difference",
        flush=True,
    )
    if options.only:
        places = [p for p in places if any(_is_wanted(p, only) for only in options.only)]
    sample = sample_of(places, options.count, options.seed)
    os.chdir(ROOT)
    sys.path.insert(0, str(PROGRAM.parent))
    os.environ["HYPOTHESIS_PROFILE"] = "quick"
    output = _Output()
    laboratory = Laboratory(lambda it: try_all(sample, it, options.jobs, output))
    status = run_pytest(laboratory, *(f"tests/{name}" for name in _TESTS))
    if status:
        output.complain()
    return status


if __name__ == "__main__":
    raise SystemExit(main())
