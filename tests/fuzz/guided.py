"""Fuzzing that is led by coverage, with atheris: what reaches new code is tried further.

    python -m tests.fuzz.guided [--seconds N] [TARGET …]

Each target runs in a process of its own, one after the other: a fault ends its process.
An input that breaks something is written below ``.fuzz/found`` and can be run again by
``--replay FILE TARGET``; mended, it is kept in ``tests/data/fuzz`` with its reason. What
reached new code is kept below ``.fuzz/corpus``, and the next run goes on from there.

Owns the handling of atheris, which is optional. What is fuzzed is in ``targets.py``.
"""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FUZZ = ROOT / ".fuzz"
_MOST_MEGABYTES = 4_096
# An input of a kilobyte that takes so long is a fault too.
_MOST_SECONDS_AN_INPUT = 20
_DONE = re.compile(r"^Done (\d+) runs in (\d+) second", re.MULTILINE)
_PROGRESS = re.compile(r"^#(\d+)\t.*? cov: (\d+) ", re.MULTILINE)
MISSING = """\
******** NOT FUZZED UNDER THE LEAD OF COVERAGE: atheris is missing. ********
It is installed by: .venv/bin/pip install --editable '.[fuzz]'"""


class Outcome(NamedTuple):
    """What came of one target."""

    target: str
    runs: int
    reached: int
    """Edges of msgls that were reached, as atheris counts them."""
    code: int
    said: str


def main(arguments: list[str] | None = None) -> int:
    """Run the targets; 1 if one of them found something."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.guided", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all of them by default")
    parser.add_argument("--seconds", type=int, default=30, help="for each target (default: 30)")
    parser.add_argument(
        "--replay", type=Path, metavar="FILE", help="run one input, without atheris"
    )
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.replay is not None:
        return _replay(given.targets, given.replay)
    if importlib.util.find_spec("atheris") is None:
        print(MISSING, file=sys.stderr)
        return 0
    if given.one:
        _fuzz(given.targets[0], given.seconds)
    return _run_all(given.targets, given.seconds)


def _replay(names: list[str], file: Path) -> int:
    from tests.fuzz.targets import SEEDS, TARGETS, read_seed

    kept = SEEDS in file.resolve().parents
    data = read_seed(file).data if kept else file.read_bytes()
    for name in names or [file.resolve().parent.name]:
        TARGETS[name](data)
        print(f"{name}: nothing is wrong with {file}")
    return 0


def _run_all(names: list[str], seconds: int) -> int:
    from tests.fuzz.targets import TARGETS

    unknown = set(names) - set(TARGETS)
    if unknown:
        print(f"no such target: {', '.join(sorted(unknown))}; there are: {', '.join(TARGETS)}")
        return 2
    outcomes = [_run(name, seconds) for name in names or TARGETS]
    broken = [outcome for outcome in outcomes if outcome.code]
    for outcome in broken:
        print(f"\n== {outcome.target}\n{outcome.said[-6_000:]}")
    runs = sum(outcome.runs for outcome in outcomes)
    print(f"{len(outcomes)} targets, {runs:,} inputs, {len(broken)} of them found something")
    return 1 if broken else 0


def _run(name: str, seconds: int) -> Outcome:
    command = [sys.executable, "-m", "tests.fuzz.guided", "--one", f"--seconds={seconds}", name]
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    said = done.stdout.decode("utf-8", "replace")
    steps = _PROGRESS.findall(said)
    end = _DONE.search(said)
    runs = int(end[1]) if end else int(steps[-1][0]) if steps else 0
    outcome = Outcome(name, runs, int(steps[-1][1]) if steps else 0, done.returncode, said)
    how = f"FAULT, exit code {outcome.code}" if outcome.code else "no fault"
    print(f"{name:20} {runs:>9,} inputs, {outcome.reached:>6,} edges: {how}", flush=True)
    return outcome


def _fuzz(name: str, seconds: int) -> None:
    """Never returns: libFuzzer ends the process."""
    import atheris

    with atheris.instrument_imports(include=["msgls"]):
        from tests.fuzz import targets
    corpus, found = FUZZ / "corpus" / name, FUZZ / "found" / name
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    given = Path(tempfile.mkdtemp(prefix="msgls-fuzz-"))
    for number, data in enumerate(targets.first_inputs(name)):
        (given / f"{number:03}").write_bytes(data)
    dictionary = given / "words"
    dictionary.write_text("".join(map(_entry, targets.words_of(name))), encoding="ascii")
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={targets.MOST_BYTES}",
        f"-rss_limit_mb={_MOST_MEGABYTES}",
        f"-timeout={_MOST_SECONDS_AN_INPUT}",
        f"-dict={dictionary}",
        f"-artifact_prefix={found}{os.sep}",
        # Python's functions are called from one place; that says nothing.
        "-use_value_profile=0",
    ]
    atheris.Setup([name, *options, str(corpus), str(given)], targets.TARGETS[name])
    atheris.Fuzz()


def _entry(word: bytes) -> str:
    """A line of libFuzzer's dictionary."""
    shown = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'\\"' else f"\\x{byte:02x}" for byte in word
    )
    return f'"{shown}"\n'


if __name__ == "__main__":
    sys.exit(main())
