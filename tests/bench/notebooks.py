"""Real notebooks, to a message file and back: what is not the same must be named as lost.

Each notebook is compared with what nbformat reads in it, which also brings older formats to
nbformat 4. A difference is *named* where a loss is told at the same cell, and *silent* where not;
there must be none of these. The message file must have no errors, and nbformat must accept the
notebook that comes back.

Run: ``make compare-notebooks FOLDER=...``, with a folder of notebooks; none are kept here.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from msgls.api import check_text
from msgls.conversation.conversation import Loss
from msgls.conversation.readers.drafts import Places
from msgls.conversation.sources import Incoming, Unreadable, read
from msgls.conversation.targets import write
from msgls.rules.base import Severity
from tests.conversation.notebooks import Difference, differences

Wire = dict[str, Any]

# What is told of a difference begins with one of these.
NAMED = {
    "colours": ("not kept: colours", "the colours of", "the carriage returns of"),
    "empty": ("an empty output was left out",),
}
SHOWN = 300


class Result(NamedTuple):
    """What became of one notebook."""

    path: str
    format: str = ""
    unreadable: str = ""
    named: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()


def compare(path: str) -> Result:
    """Convert a notebook there and back, and look what differs."""
    warnings.simplefilter("ignore")
    logging.disable()
    try:
        text = Path(path).read_text("utf-8")
        source = json.loads(text)
        # As Jupyter reads it, older formats too.
        wanted = json.loads(json.dumps(nbformat.reads(text, 4)))  # type: ignore[no-untyped-call]
    except (OSError, ValueError, AttributeError, KeyError, nbformat.ValidationError) as error:
        return Result(path, unreadable=f"nbformat: {type(error).__name__}")
    format = str(source.get("nbformat"))
    # Each cell on lines of its own, by which it is found what is told of it.
    text = json.dumps(source, indent=1)
    try:
        incoming = read("a.ipynb", text)[0]
    except Unreadable as problem:
        return Result(path, format, unreadable=str(problem))
    there = write(incoming, "msgmd")
    back = read("a.msg.md", there.text)[0]
    written = write(back, "notebook", everything=True)
    found = json.loads(written.text)
    if not _is_valid(wanted):
        return Result(path, format, unreadable="nbformat: it is not valid")
    silent = [f"{e.code}: {e.message}" for e in check_text(there.text, path="a.msg.md")
              if e.severity is Severity.ERROR]  # fmt: skip
    if not _is_valid(found):
        silent.append("nbformat does not accept what was written")
    cells = [cell for cell, _ in _cells(source)]
    ids = set()
    for cell, one, other in zip(cells, wanted["cells"], found["cells"], strict=False):
        given = cell.get("id")
        if given is None or given in ids:
            # Each reader makes one up.
            one.pop("id", None)
            other.pop("id", None)
        ids.add(given)
    told = [*_told_of_source(text, source, there.losses), *_told_of_file(back, written.losses)]
    named = set()
    for difference in differences(wanted, found):
        what = _named(difference, told)
        if what is None:
            silent.append(_shown(difference))
        else:
            named.add(what)
    return Result(path, format, "", tuple(sorted(named)), tuple(silent))


def _is_valid(notebook: Wire) -> bool:
    try:
        nbformat.validate(json.loads(json.dumps(notebook)))
    except nbformat.ValidationError:
        return False
    return True


def _cells(source: Wire) -> list[tuple[Wire, tuple[str | int, ...]]]:
    """The cells of a notebook of any format, and where they stand."""
    if "cells" in source:
        return [(cell, ("cells", number)) for number, cell in enumerate(source["cells"])]
    return [
        (cell, ("worksheets", number, "cells", place))
        for number, sheet in enumerate(source["worksheets"])
        for place, cell in enumerate(sheet["cells"])
    ]


def _told_of_source(
    text: str, source: Wire, losses: Sequence[Loss]
) -> Iterator[tuple[int | None, str]]:
    """What is told of the cells of a notebook; nothing for the number of no cell."""
    places = Places(text)
    lines = [places.line(path) or 0 for _, path in _cells(source)]
    incoming = read("a.ipynb", text)[0]
    for loss in losses:
        line = incoming.place_of(loss).line
        yield None if line is None else max(bisect_right(lines, line) - 1, 0), str(loss.what)


def _told_of_file(back: Incoming, losses: Sequence[Loss]) -> Iterator[tuple[int | None, str]]:
    """What is told of the cells of a message file, each with its runs."""
    number = -1
    numbers = []
    for message in back.conversation.messages:
        number += "executionOf" not in (message.meta or {})
        numbers.append(number)
    for loss in losses:
        at = loss.message_index
        yield None if at is None else numbers[at], str(loss.what)


def _named(difference: Difference, told: Sequence[tuple[int | None, str]]) -> str | None:
    """What is told of a difference."""
    begins = NAMED.get(difference.kind)
    for cell, what in told:
        if begins is not None:
            if cell == difference.cell and what.startswith(begins):
                return what
        elif difference.cell is None:
            if difference.where.removeprefix("metadata.") in what or "metadata" in what:
                return what
        elif cell == difference.cell and not what.startswith((*NAMED["colours"], *NAMED["empty"])):
            return what
    return None


def _shown(difference: Difference) -> str:
    before, after = repr(difference.before), repr(difference.after)
    at = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    start = max(at - SHOWN // 3, 0)
    where = "notebook" if difference.cell is None else f"cell {difference.cell}"
    pieces = [text[start : start + SHOWN] for text in (before, after)]
    return f"{where}, {difference.where} ({difference.kind}): {pieces[0]} -> {pieces[1]}"


def main(folders: Sequence[str]) -> int:
    """Compare all notebooks below folders; the exit code."""
    paths = sorted(str(path) for folder in folders for path in Path(folder).rglob("*.ipynb"))
    if not paths:
        print("there are no notebooks: name a folder that has some (FOLDER=...)")
        return 2
    counts: Counter[str] = Counter()
    formats: Counter[str] = Counter()
    losses: Counter[str] = Counter()
    with ProcessPoolExecutor() as pool:
        for result in pool.map(compare, paths, chunksize=4):
            formats[result.format] += 1
            losses.update({what.partition("`")[0] for what in result.named})
            if result.unreadable:
                counts["not readable"] += 1
                print(f"{result.path}: not readable: {result.unreadable}")
            elif result.silent:
                counts["different in silence"] += 1
                for what in result.silent:
                    print(f"{result.path}: {what}")
            else:
                counts["different, and named" if result.named else "equal"] += 1
    print(f"\n{len(paths)} notebooks; nbformat", dict(sorted(formats.items())))
    for what, count in counts.most_common():
        print(f"{count:6} {what}")
    print("named, by the number of notebooks:")
    for what, count in losses.most_common():
        print(f"{count:6} {what}")
    return 1 if counts["different in silence"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
