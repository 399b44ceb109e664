"""``msgls check`` over one large file and over many, beside rumdl and markdownlint-cli2.

Same files, same run, turn by turn; read the ratios. The others check Markdown in
general and know nothing of cells; they are here because people run them on the same
files. Where one is not installed (``pip install rumdl``, ``npm install
markdownlint-cli2`` in the folder that ``MSGLS_BENCH_NODE`` names), its row is left out.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.corpus import message_file

ROUNDS = 3
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


def seconds(command: list[str], folder: Path, pattern: str) -> float:
    """Wall-clock seconds of one run in ``folder``."""
    start = time.perf_counter()
    subprocess.run(
        [*command, pattern],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return time.perf_counter() - start


def compare(title: str, folder: Path) -> None:
    """Every checker on one folder, in turns; the median of each, and how far ahead we are."""
    times: dict[str, list[float]] = {}
    for number in range(ROUNDS):
        for name, command in commands().items():
            if number and times[name][0] > PATIENCE_SECONDS:
                continue
            pattern = "**/*.md" if name == "markdownlint-cli2" else "."
            times.setdefault(name, []).append(seconds(command, folder, pattern))
    own = statistics.median(times["msgls"])
    print(title)
    for name, of_name in times.items():
        median = statistics.median(of_name)
        print(f"  {name:<20}{median:>9.2f} s{median / own:>9.2f} x msgls")


def main() -> int:
    """Run both."""
    with tempfile.TemporaryDirectory() as name:
        large, many = Path(name, "large"), Path(name, "many")
        large.mkdir()
        many.mkdir()
        (large / "chat.msg.md").write_text(message_file(10_000_000), encoding="utf-8")
        small = message_file(5_000)
        for number in range(FILES):
            (many / f"chat{number}.msg.md").write_text(small, encoding="utf-8")
        compare("One file of 10 MB, median wall-clock seconds", large)
        compare(f"{FILES:,} files of 5 kB, median wall-clock seconds", many)
    return 0


if __name__ == "__main__":
    sys.exit(main())
