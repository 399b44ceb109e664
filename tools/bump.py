"""Set the version, wherever it is written: ``tools/bump.py 0.2.0``, or ``major|minor|patch``.

Owns the list of those places. The one that counts is ``server/msgls/__init__.py``, which the
package is built from; the others follow it. The changelog's *Unreleased* becomes the version.
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
HOME = Path("server/msgls/__init__.py")
CHANGELOG = Path("CHANGELOG.md")
UNRELEASED = "## [Unreleased]"

# As PEP 440 and Semantic Versioning both read it, which leaves no room for more.
VERSION = re.compile(r"\d+\.\d+\.\d+")
_JSON = r'(?m)^(  "version": ")[^"]+(",?)$'


class Spot(NamedTuple):
    """A file that says the version, and where: group 1 goes before it, group 2 after."""

    path: str
    pattern: str


SPOTS = (
    Spot(HOME.as_posix(), r'(?m)^(__version__ = ")[^"]+(")$'),
    Spot("client-vscode/package.json", _JSON),
    # npm repeats it for the package at the root.
    Spot("client-vscode/package-lock.json", _JSON),
    Spot("client-vscode/package-lock.json", r'(?m)^(      "version": ")[^"]+(",)$'),
    Spot("editors/claude-code/.claude-plugin/plugin.json", _JSON),
    Spot("editors/emacs/msgls.el", r"(?m)^(;; Version: )\S+()$"),
    Spot("editors/zed/extension.toml", r'(?m)^(version = ")[^"]+(")$'),
    Spot("editors/zed/Cargo.toml", r'(?m)^(version = ")[^"]+(")$'),
)


def current(root: Path = ROOT) -> str:
    """The version that counts."""
    found = re.search(SPOTS[0].pattern, (root / HOME).read_text("utf-8"))
    assert found is not None
    return found[0].removeprefix(found[1]).removesuffix(found[2])


def following(version: str, wish: str) -> str:
    """The version that is wished for: itself, or the next ``major``, ``minor`` or ``patch``."""
    if VERSION.fullmatch(wish):
        return wish
    major, minor, patch = map(int, version.split("."))
    steps: dict[str, Callable[[], tuple[int, int, int]]] = {
        "major": lambda: (major + 1, 0, 0),
        "minor": lambda: (major, minor + 1, 0),
        "patch": lambda: (major, minor, patch + 1),
    }
    if wish not in steps:
        raise ValueError(f"{wish!r} is neither a version such as 1.2.3 nor major, minor or patch")
    return ".".join(map(str, steps[wish]()))


def said(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Every place that says a version, and what it says there."""
    for spot in SPOTS:
        found = re.search(spot.pattern, (root / spot.path).read_text("utf-8"))
        version = found[0][len(found[1]) :].removesuffix(found[2]) if found else "nothing"
        yield spot.path, version


def bump(version: str, day: str, root: Path = ROOT) -> None:
    """Write ``version`` everywhere, or raise and write nothing."""
    texts: dict[Path, str] = {}
    for spot in SPOTS:
        path = root / spot.path
        text = texts.get(path) or path.read_text("utf-8")
        texts[path], count = re.subn(spot.pattern, rf"\g<1>{version}\g<2>", text, count=1)
        if count != 1:
            raise ValueError(f"{spot.path}: says no version where one is expected")
    changelog = root / CHANGELOG
    text = changelog.read_text("utf-8")
    if UNRELEASED not in text:
        raise ValueError(f"{CHANGELOG}: has no `{UNRELEASED}`")
    texts[changelog] = text.replace(UNRELEASED, f"{UNRELEASED}\n\n## [{version}] - {day}", 1)
    for path, after in texts.items():
        path.write_text(after, "utf-8", newline="\n")


def main() -> int:
    """Read the command line, and do it."""
    parser = argparse.ArgumentParser(description="Set the version, wherever it is written.")
    parser.add_argument("version", help="such as 1.2.3, or major, minor, patch")
    options = parser.parse_args()
    try:
        version = following(current(), options.version)
        bump(version, datetime.datetime.now(datetime.UTC).date().isoformat())
    except ValueError as problem:
        print(f"bump: {problem}", file=sys.stderr)
        return 2
    print(f"the version is {version} now; make docs writes it into what is made")
    return 0


if __name__ == "__main__":
    sys.exit(main())
