"""The core by itself: how long a full parse takes, and a keystroke's reparse.

Every size is measured in the same run, turn by turn, so that what else the machine
does touches all of them alike; read the ratios. Run: ``make bench``, or this file.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgls.document.document import Document
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from msgls.syntax.names import name_facts
from msgls.text.spans import Span
from tests.bench.corpora import (
    MESSAGE_FILES,
    SHAPES,
    SIMPLE_TEXT,
    Shape,
    one_cell,
    worst_and_median,
)
from tests.snapshots import snapshot_of

SIZES = {"10 kB": 10_000, "1 MB": 1_000_000, "10 MB": 10_000_000, "50 MB": 50_000_000}
ROUNDS = 60
SCAN = re.compile(r"^(?:#{1,5}[ \t]+%%%?|[ ]{0,3}(?:`{3,}|~{3,})|\[\^[^\]]*\]:)", re.MULTILINE)

Step = Callable[[Document], Document]


def cpu(action: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    action()
    return time.process_time() - start


def middle(document: Document, anchor: str) -> int:
    """Where ``anchor`` ends, as near after the middle of the text as it is found."""
    text = document.text
    offset = text.find(anchor, len(text) // 2)
    return (offset if offset >= 0 else text.index(anchor)) + len(anchor)


def typing(document: Document, anchor: str) -> Iterator[Step]:
    """One letter after another, after ``anchor`` in the middle of the text."""
    offset = middle(document, anchor)
    while True:
        at = offset
        yield lambda current, at=at: current.edit(Span(at, at), "x")  # type: ignore[misc]
        offset += 1


def fencing(document: Document, fence: str) -> Iterator[Step]:
    """Open a fence in the first cell, and take it away again."""
    at = document.text.index("[markdown]\n") + len("[markdown]\n")
    while True:
        yield lambda current: current.edit(Span(at, at), fence)
        yield lambda current: current.edit(Span(at, at + len(fence)), "")


def inserting(document: Document) -> Iterator[Step]:
    """Put a whole cell into the middle, and take it away again."""
    cell = "# %% New[^new]\n\n[^new]: [markdown]\n\nText.\n\n"
    at = middle(document, "\n\n# %% ") - len("# %% ")
    while True:
        yield lambda current: current.edit(Span(at, at), cell)
        yield lambda current: current.edit(Span(at, at + len(cell)), "")


def compare(
    name: str,
    documents: Sequence[Document],
    steps: Callable[[Document], Iterator[Step]],
    rounds: int = ROUNDS,
) -> list[float]:
    """The median CPU microseconds of a step for each document, taken in turns."""
    current = list(documents)
    walks = [steps(document) for document in documents]
    times: list[list[float]] = [[] for _ in documents]
    for _ in range(rounds):
        for number, walk in enumerate(walks):
            step = next(walk)
            start = time.process_time()
            current[number] = step(current[number])
            times[number].append((time.process_time() - start) * 1e6)
    medians = [statistics.median(of_document) for of_document in times]
    row = "".join(f"{median:>12,.0f}" for median in medians)
    print(f"{name:<34}{row}{medians[-1] / medians[0]:>9.2f} x")
    return medians


def verdict(what: str, value: float, limit: float, unit: str) -> None:
    """Say whether a figure is within what was promised."""
    word = "within" if value <= limit else "OVER"
    print(f"  {what}: {value:.2f} {unit}, {word} the limit of {limit:g} {unit}")


def parsing() -> None:
    """A full parse and check of each shape, by cell and beside a bare scan of the same text."""
    print("Parse and check of 10 MB, CPU seconds (microseconds a cell)")
    scans: dict[str, float] = {}
    for shape in SHAPES:
        text = shape.text(SIZES["10 MB"])
        scan = min(cpu(partial(SCAN.findall, text)) for _ in range(2))
        parse = min(cpu(partial(Document.open, shape.file, text)) for _ in range(2))
        document = Document.open(shape.file, text)
        check = min(cpu(partial(Checker, snapshot_of(document), RULES)) for _ in range(2))
        naming = cpu(partial(make_names, document))
        scans[shape.name] = (parse + check) / scan
        cells = document.cell_count
        print(
            f"  {shape.name:<24}{cells:>8,} cells"
            f"   parse {parse:>6.2f} ({parse / cells * 1e6:>4.0f})"
            f"   check {check:>6.2f} ({check / cells * 1e6:>4.0f})"
            f"   names {naming:>6.2f} ({naming / parse:.2f} x parse)",
            flush=True,
        )
    print(f"  parse and check / bare scan: {worst_and_median(scans)}")


def make_names(document: Document) -> None:
    """Make what the index says of names from the names themselves (decision 33)."""
    for placed in document.cells():
        name_facts(placed.cell.names)


def keystrokes() -> None:
    """A keystroke at four sizes, with what it makes of the diagnostics, for each shape."""
    print(f"\nReparse and check, median CPU microseconds   {'largest / smallest':>46}")
    print(" " * 34 + "".join(f"{name:>12}" for name in SIZES))
    ratios = {}
    for shape in MESSAGE_FILES:
        texts = [shape.text(size) for size in SIZES.values()]
        checkers = [Checker(snapshot_of(Document.open(shape.file, text)), RULES) for text in texts]
        medians = compare_checked(shape.name, checkers, anchor_of(shape))
        ratios[shape.name] = medians[-1] / medians[0]
    print(f"  typing, 50 MB / 10 kB: {worst_and_median(ratios)}")
    shape = MESSAGE_FILES[0]
    documents = [Document.open(shape.file, shape.text(size)) for size in SIZES.values()]
    print(f"Reparse of {shape.name!r} alone")
    compare("typing in a header's id", documents, lambda d: typing(d, "\n# %%% Answer[^a"))
    compare("opening and closing ``` at the top", documents, lambda d: fencing(d, "```\n"), 6)
    compare("opening and closing ~~~~ (no end)", documents, lambda d: fencing(d, "~~~~\n"), 4)
    compare("inserting and deleting a cell", documents, inserting)


def anchor_of(shape: Shape) -> str:
    """After which one types in the content of a message."""
    return ".1]: " if shape.name == "code and outputs" else "\n\n"


def large_cell() -> None:
    """One cell of a megabyte."""
    print("\nOne single cell, median CPU microseconds")
    documents = [Document.open("a.msg.md", one_cell(size)) for size in (10_000, 1_000_000)]
    print(" " * 34 + f"{'10 kB':>12}{'1 MB':>12}")
    medians = compare("plain typing", documents, lambda d: typing(d, ".\n\n"))
    verdict("keystroke in a cell of 1 MB", medians[-1] / 1000, 30, "ms")


def commenting(document: Document) -> Iterator[Step]:
    """Open a comment in the first message, and take it away again."""
    at = document.text.index("\n") + 1
    while True:
        yield lambda current: current.edit(Span(at, at), "@/*\n")
        yield lambda current: current.edit(Span(at, at + 4), "")


def simple_text() -> None:
    """The other format whose files grow: a keystroke with its diagnostics, for each shape."""
    print("\nSimple Text Format, reparse and check, median CPU microseconds")
    print(" " * 34 + f"{'10 kB':>12}{'10 MB':>12}")
    ratios = {}
    for shape in SIMPLE_TEXT:
        texts = [shape.text(size) for size in (10_000, 10_000_000)]
        checkers = [Checker(snapshot_of(Document.open(shape.file, text)), RULES) for text in texts]
        medians = compare_checked(shape.name, checkers, "\n")
        ratios[shape.name] = medians[-1] / medians[0]
    print(f"  typing, 10 MB / 10 kB: {worst_and_median(ratios)}")
    shape = SIMPLE_TEXT[0]
    documents = [Document.open(shape.file, shape.text(size)) for size in (10_000, 10_000_000)]
    compare("opening and closing a comment", documents, commenting, 6)


def compare_checked(name: str, checkers: Sequence[Checker], anchor: str) -> list[float]:
    """The median CPU microseconds of a keystroke and of checking what it changed, in turns."""
    walks = [typing(checker.document, anchor) for checker in checkers]
    times: list[list[float]] = [[] for _ in checkers]
    for _ in range(ROUNDS):
        for checker, walk, found in zip(checkers, walks, times, strict=True):
            step = next(walk)
            start = time.process_time()
            checker.update(step(checker.document))
            found.append((time.process_time() - start) * 1e6)
    medians = [statistics.median(found) for found in times]
    row = "".join(f"{median:>12,.0f}" for median in medians)
    print(f"{name:<34}{row}{medians[-1] / medians[0]:>9.2f} x", flush=True)
    return medians


def main() -> int:
    """Run all of it."""
    parsing()
    keystrokes()
    large_cell()
    simple_text()
    return 0


if __name__ == "__main__":
    sys.exit(main())
