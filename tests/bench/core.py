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
from msgls.text.spans import Span
from tests.bench.corpus import message_file, one_cell, simple_text_file

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
    """Where ``anchor`` ends, as near behind the middle of the text as it is found."""
    text = document.text
    offset = text.find(anchor, len(text) // 2)
    return (offset if offset >= 0 else text.index(anchor)) + len(anchor)


def typing(document: Document, anchor: str) -> Iterator[Step]:
    """One letter after another, behind ``anchor`` in the middle of the text."""
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
    at = middle(document, "\n\n# %% Question") - len("# %% Question")
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
    """A full parse, beside a bare regular-expression scan of the same text."""
    print("Full parse, CPU seconds")
    for name in ("1 MB", "10 MB"):
        text = message_file(SIZES[name])
        scan = min(cpu(partial(SCAN.findall, text)) for _ in range(3))
        parse = min(cpu(partial(Document.open, "a.msg.md", text)) for _ in range(3))
        cells = Document.open("a.msg.md", text).cell_count
        print(f"  {name}: {parse:.3f} s ({cells:,} cells); bare scan {scan:.3f} s")
        if name == "10 MB":
            verdict("full parse of 10 MB", parse, 0.8, "s")


def keystrokes() -> None:
    """A keystroke at four sizes."""
    documents = [Document.open("a.msg.md", message_file(size)) for size in SIZES.values()]
    print(f"\nReparse, median CPU microseconds   {'largest / smallest':>56}")
    print(" " * 34 + "".join(f"{name:>12}" for name in SIZES))
    plain = compare("plain typing", documents, lambda d: typing(d, "]: [markdown]\n\n"))
    compare("typing in a header's id", documents, lambda d: typing(d, "# %% Question"))
    compare("opening and closing ``` at the top", documents, lambda d: fencing(d, "```\n"), 6)
    compare("opening and closing ~~~~ (no end)", documents, lambda d: fencing(d, "~~~~\n"), 4)
    compare("inserting and deleting a cell", documents, inserting)
    verdict("plain typing, 50 MB / 10 kB", plain[-1] / plain[0], 1.5, "x")


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
    """The other format whose files grow: a keystroke with and without its diagnostics."""
    texts = [simple_text_file(size) for size in (10_000, 10_000_000)]
    parse = min(cpu(partial(Document.open, "a.stf", texts[1])) for _ in range(3))
    print(f"\nSimple Text Format: full parse of 10 MB {parse:.3f} s; median CPU microseconds")
    documents = [Document.open("a.stf", text) for text in texts]
    print(" " * 34 + f"{'10 kB':>12}{'10 MB':>12}")
    plain = compare("plain typing", documents, lambda d: typing(d, ".\n\n"))
    compare("typing in a message's id", documents, lambda d: typing(d, "\n@ai id="))
    compare("opening and closing a comment", documents, commenting, 6)
    followed = [compare_checked(Checker(document, RULES), ".\n\n") for document in documents]
    print(f"{'typing, with its diagnostics':<34}" + "".join(f"{f:>12,.0f}" for f in followed))
    verdict("plain typing, 10 MB / 10 kB", plain[-1] / plain[0], 1.3, "x")
    verdict("with diagnostics, 10 MB / 10 kB", followed[-1] / followed[0], 1.3, "x")


def compare_checked(checker: Checker, anchor: str) -> float:
    """The median CPU microseconds of a keystroke and of checking what it changed."""
    document = checker.document
    walk = typing(document, anchor)
    times = []
    for _ in range(ROUNDS):
        step = next(walk)
        start = time.process_time()
        document = step(document)
        checker.update(document)
        times.append((time.process_time() - start) * 1e6)
    return statistics.median(times)


def main() -> int:
    """Run all of it."""
    parsing()
    keystrokes()
    large_cell()
    simple_text()
    return 0


if __name__ == "__main__":
    sys.exit(main())
