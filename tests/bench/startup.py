"""How much a start costs: the CPU of ``msgls check`` on a small file, beside Python's own.

Both are run in turns, so that what else the machine does touches them alike; read the
ratio. Run: ``make bench``, or this file.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench.installed import compile_package

RUNS = 20
LIMIT = 6.0
SMALL = "# %% Hello[^q1]\n\n[^q1]: [markdown]\n\nHow are you?\n"


def cpu(command: Sequence[str]) -> float:
    """CPU seconds of one run, user and system."""
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def main() -> int:
    """Print the ratio; 1 where it is over the limit."""
    compile_package()
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.msg.md")
        small.write_text(SMALL, "utf-8")
        program = Path(sys.executable).with_name("msgls")
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "msgls version": [str(program), "version"],
            "msgls check small.msg.md": [str(program), "check", str(small)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(RUNS):
            for name, command in commands.items():
                times[name].append(cpu(command))
    means = {name: statistics.mean(found) for name, found in times.items()}
    base = means["python -c pass"]
    for name, mean in means.items():
        print(f"{name:26} {mean * 1000:7.1f} ms CPU {mean / base:6.1f} x")
    ratio = means["msgls check small.msg.md"] / base
    print(f"limit {LIMIT:g} x: {'kept' if ratio <= LIMIT else 'NOT kept'} ({RUNS} runs each)")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
