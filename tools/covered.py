"""Say how much of each part of the core the tests reach, by lines and by branches.

    python tools/covered.py REPORT.json [LEAST]

Reads what ``pytest --cov-branch --cov-report=json:REPORT.json`` wrote. Exits with 1 where a
part has fewer lines or fewer branches, in percent, than ``LEAST`` (95).
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

LEAST = 95.0


class Reached(NamedTuple):
    """How many lines and branches there are, and how many of them are reached."""

    lines: int = 0
    all_lines: int = 0
    branches: int = 0
    all_branches: int = 0

    def plus(self, summary: Mapping[str, int]) -> Reached:
        """With those of one more file."""
        return Reached(
            self.lines + summary["covered_lines"],
            self.all_lines + summary["num_statements"],
            self.branches + summary["covered_branches"],
            self.all_branches + summary["num_branches"],
        )

    @property
    def percents(self) -> tuple[float, float]:
        """Of the lines, and of the branches; of nothing, all is reached."""
        return (
            100 * self.lines / self.all_lines if self.all_lines else 100.0,
            100 * self.branches / self.all_branches if self.all_branches else 100.0,
        )


def by_part(report: Mapping[str, Any]) -> dict[str, Reached]:
    """What is reached of each package below ``msgls``, by its name."""
    parts: defaultdict[str, Reached] = defaultdict(Reached)
    for path, file in report["files"].items():
        steps = Path(path).parts
        name = steps[steps.index("server") + 2]
        parts[name] = parts[name].plus(file["summary"])
    return dict(sorted(parts.items()))


def main(arguments: list[str]) -> int:
    """Print a row for each part; 1 where one of them has too little."""
    report = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    least = float(arguments[1]) if len(arguments) > 1 else LEAST
    too_little = 0
    for name, reached in by_part(report).items():
        lines, branches = reached.percents
        is_enough = min(lines, branches) >= least
        too_little += not is_enough
        print(
            f"{name:10} lines {lines:6.2f} % of {reached.all_lines:,},"
            f" branches {branches:6.2f} % of {reached.all_branches:,}"
            + ("" if is_enough else f": less than {least:g} %")
        )
    return 1 if too_little else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
