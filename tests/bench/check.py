"""``msgls check`` over a large file of each shape and over many small files, beside others.

Same files, same run, turn by turn; CPU seconds, because the machine may be shared: read the
ratios, and of those the worst. The others check Markdown in general and know nothing of
cells; they are here because people run them on the same files. Where one is not installed
(``pip install rumdl``, ``npm install markdownlint-cli2`` in the folder that
``MSGLS_BENCH_NODE`` names), its column is left out. Deltas have nothing to be compared
with: their seconds and megabytes are printed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.corpora import (
    DELTAS,
    MESSAGE_FILES,
    SHAPES,
    lines_of,
    small_files,
    worst_and_median,
)
from tests.bench.installed import compile_package

ROUNDS = 3
DELTAS_COUNT = 1_000_000
# One run is enough of whoever takes longer than this.
PATIENCE_SECONDS = 20.0
FILES = 2_000


def commands() -> dict[str, list[str]]:
    """The checkers that are there, by name."""
    found = {"msgls": [sys.executable, "-m", "msgls", "check", "--exit-zero"]}
    binaries = str(Path(sys.executable).parent)
    rumdl = shutil.which("rumdl", path=binaries) or shutil.which("rumdl")
    if rumdl is not None:
        found["rumdl"] = [rumdl, "check", "--no-cache", "--silent"]
    node = Path(os.environ.get("MSGLS_BENCH_NODE", ".bench-node"))
    script = node / "node_modules" / "markdownlint-cli2" / "markdownlint-cli2-bin.mjs"
    if script.is_file():
        found["markdownlint-cli2"] = ["node", str(script.resolve())]
    return found


class Cost(NamedTuple):
    """What one run took."""

    seconds: float
    """CPU, user and system."""
    peak_bytes: int


# In a process of its own: a child of this one would inherit the peak of the texts made here.
_MEASURING = """
import resource, subprocess, sys
quiet = subprocess.DEVNULL
subprocess.call(sys.argv[1:], stdout=quiet, stderr=quiet)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
"""


def cost(command: Sequence[str], folder: Path, pattern: str) -> Cost:
    """One run in ``folder``."""
    measuring = [sys.executable, "-c", _MEASURING, *command, pattern]
    told = subprocess.run(measuring, cwd=folder, capture_output=True, text=True, check=True).stdout
    seconds, peak_bytes = told.split()
    return Cost(float(seconds), int(peak_bytes))


def compare(folder: Path) -> dict[str, Cost]:
    """Every checker on one folder, in turns; the least of each."""
    costs: dict[str, list[Cost]] = {}
    for number in range(ROUNDS):
        for name, command in commands().items():
            if number and costs[name][0].seconds > PATIENCE_SECONDS:
                continue
            pattern = "**/*.md" if name == "markdownlint-cli2" else "."
            costs.setdefault(name, []).append(cost(command, folder, pattern))
    return {name: min(of_name) for name, of_name in costs.items()}


def show(what: str, costs: Mapping[str, Cost], ratios: dict[str, dict[str, float]]) -> None:
    """One row: the seconds of each, and our time over that of the others."""
    row = "".join(f"{name:>10} {found.seconds:>7.2f} s" for name, found in costs.items())
    for name, found in costs.items():
        if name != "msgls":
            ratios.setdefault(name, {})[what] = costs["msgls"].seconds / found.seconds
            row += f"   / {name} {ratios[name][what]:.2f}"
    print(f"  {what:<24}{row}", flush=True)


def large_files(folder: Path) -> None:
    """A file of 10 MB of each shape."""
    print("One file of 10 MB, CPU seconds")
    ratios: dict[str, dict[str, float]] = {}
    for number, shape in enumerate(MESSAGE_FILES):
        large = folder / f"large{number}"
        large.mkdir()
        (large / shape.file).write_text(shape.text(10_000_000), encoding="utf-8")
        show(shape.name, compare(large), ratios)
    for name, by_shape in ratios.items():
        print(f"  msgls / {name}: {worst_and_median(by_shape)}")


def many_files(folder: Path) -> None:
    """Many small files: message files alone, which all others read, and of every format."""
    print(f"{FILES:,} files of 5 kB, CPU seconds")
    ratios: dict[str, dict[str, float]] = {}
    for what, shapes in (("message files", MESSAGE_FILES), ("every format", SHAPES)):
        many = folder / what.replace(" ", "-")
        for name, text in small_files(FILES, 5_000, shapes).items():
            path = many / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        show(what, compare(many), ratios)


def deltas(folder: Path) -> None:
    """A million deltas of each shape."""
    print(f"{DELTAS_COUNT:,} deltas, CPU seconds and peak memory")
    for number, shape in enumerate(DELTAS):
        path = folder / f"{number}{shape.file}"
        path.write_text(lines_of(shape, DELTAS_COUNT), encoding="utf-8")
        found = cost(commands()["msgls"], folder, path.name)
        path.unlink()
        print(
            f"  {shape.name:<24}{found.seconds:>7.1f} s{found.peak_bytes / 1e6:>8.0f} MB",
            flush=True,
        )


def main() -> int:
    """Run all of it, or what the arguments name."""
    compile_package()
    parts = {"large": large_files, "many": many_files, "deltas": deltas}
    with tempfile.TemporaryDirectory() as name:
        for part in sys.argv[1:] or parts:
            parts[part](Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
