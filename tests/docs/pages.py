"""Reads Markdown pages for the tests of the documentation: code blocks, links and headings.

Owns the little notation of the pages: ``<!-- file: NAME -->`` before a block puts the block into a
file, a block of ``console`` holds commands after ``$ `` with what they print, and ``…`` on a line
of its own stands for any lines.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
ANY = "…"
_FOLDERS = ("docs", "editors", "examples", "server", "syntaxes")

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([\w-]*)")
_FILE = re.compile(r"^<!-- file: (\S+) -->$")
_LINK = re.compile(r"(?<!!)\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
_IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"")


class Block(NamedTuple):
    """A fenced block."""

    language: str
    text: str
    line: int
    """Where it starts, from 1."""
    file: str
    """The file that it goes into, if it says so."""


class Command(NamedTuple):
    """A command line, and what is said to come of it."""

    line: int
    text: str
    output: tuple[str, ...]


def markdown_files() -> list[Path]:
    """Every page of the repository but fixtures, examples of formats, and what tools install."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    names = [name for name in listing.stdout.decode("utf-8").split("\0") if name]
    # A tree without git, as an sdist is, has what is kept in these places.
    places = [ROOT.glob("*.md"), *((ROOT / name).rglob("*.md") for name in _FOLDERS)]
    paths = [ROOT / name for name in names] or sorted(path for found in places for path in found)
    skipped = ("tests/", "examples/")
    return [
        path
        for path in paths
        if path.is_file()
        and (path.name == "README.md" or not path.relative_to(ROOT).as_posix().startswith(skipped))
    ]


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    fence, language, start, file = "", "", 0, ""
    body: list[str] = []
    before = ""
    for number, line in enumerate(text.splitlines(), start=1):
        found = _FENCE.match(line)
        if not fence and found:
            fence, language, start, body = found[1], found[2], number, []
            named = _FILE.match(before)
            file = named[1] if named else ""
        elif fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            yield Block(language, "\n".join(body) + "\n", start, file)
            fence = ""
        elif fence:
            body.append(line)
        before = line if line.strip() else before


def prose(text: str) -> str:
    """A page without its fenced blocks, its comments and its code spans, line by line."""
    lines = text.splitlines()
    for block in blocks(text):
        count = block.text.count("\n") + 2
        lines[block.line - 1 : block.line - 1 + count] = [""] * count
    joined = re.sub(r"<!--.*?-->", "", "\n".join(lines), flags=re.DOTALL)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "``", joined)


def links(text: str) -> list[str]:
    """What a page links to and shows."""
    page = prose(text)
    images = [one or other for one, other in _IMAGE.findall(page)]
    return [*_LINK.findall(page), *images]


def anchors(text: str) -> set[str]:
    """The anchors that a page's headings get where it is shown."""
    found: set[str] = set()
    lines = text.splitlines()
    for block in blocks(text):
        count = block.text.count("\n") + 2
        lines[block.line - 1 : block.line - 1 + count] = [""] * count
    for line in lines:
        heading = re.match(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", line)
        if heading:
            found.add(_slug(heading[1]))
    return found


def _slug(heading: str) -> str:
    shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")


def commands(block: Block) -> Iterator[Command]:
    """The command lines of a block of ``console``."""
    found: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(block.text.splitlines(), start=block.line + 1):
        if line.startswith("$ "):
            found.append((number, line[2:], []))
        elif found:
            found[-1][2].append(line)
    for number, text, output in found:
        yield Command(number, text, tuple(output))


def agrees(said: tuple[str, ...], printed: str) -> bool:
    """Whether a command prints what a page says; nothing said is agreed with."""
    if not any(line.strip() for line in said):
        return True
    wanted = "\n".join(said).strip("\n")
    parts = [re.escape(part.strip("\n")) for part in re.split(rf"(?m)^{ANY}$", wanted)]
    return re.fullmatch(r"\s*" + r"(?:.*)".join(parts) + r"\s*", printed, re.DOTALL) is not None
