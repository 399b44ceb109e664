"""The server over stdio, beside a stock pygls server that parses nothing and beside rumdl.

Same files, same run, turn by turn; read the ratios. Without rumdl (``pip install rumdl``)
its columns are left out. Run: ``make bench``, or this file.
"""

from __future__ import annotations

import random
import re
import shutil
import statistics
import sys
from pathlib import Path

from tests.bench.client import Client
from tests.bench.corpora import (
    DELTAS,
    MESSAGE_FILES,
    SEED,
    SIMPLE_TEXT,
    lines_of,
    worst_and_median,
)
from tests.bench.installed import compile_package

SIZES = {"10 kB": 10_000, "100 kB": 100_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
HERE = Path(__file__).parent
KEYS = {
    "content": re.compile(r"^(?!#|\[\^|[ ]*$).*$", re.MULTILINE),
    "id": re.compile(r"^#+ %%.*\[\^[^\]\n]+(?=\]$)", re.MULTILINE),
    "definition": re.compile(r"^\[\^[^\]\n]+\]: \[.*$", re.MULTILINE),
}
"""Where the keys go: to the end of a line of content, of a definition, or of an id in a header,
where the cell loses its definition."""


def commands() -> dict[str, list[str]]:
    """The servers that are there, by name."""
    found = {
        "msgls": [sys.executable, "-m", "msgls", "serve"],
        "stock": [sys.executable, str(HERE / "stock_server.py")],
    }
    rumdl = shutil.which("rumdl", path=str(Path(sys.executable).parent)) or shutil.which("rumdl")
    if rumdl is not None:
        found["rumdl"] = [rumdl, "server"]
    return found


def message_file(size: int) -> str:
    """The first shape, where one is enough."""
    return MESSAGE_FILES[0].text(size)


def place_to_type(text: str) -> tuple[int, int]:
    """In the middle of the file, in the content of a message; elsewhere, in any line of text."""
    for anchor in ("]: [markdown]\n\n", "\n\n"):
        at = text.find(anchor, len(text) // 2)
        at = at if at >= 0 else text.find(anchor)
        if at >= 0:
            return text.count("\n", 0, at + len(anchor)), 1
    return 0, 0


def places_to_type(text: str, where: str, count: int) -> list[tuple[int, int]]:
    """Lines and columns all over a text, by chance.

    One place in each file would compare two cells and not two files.
    """
    ends = [match.end() for match in KEYS[where].finditer(text)]
    places = []
    for at in random.Random(SEED).choices(ends, k=count):
        line_start = text.rfind("\n", 0, at) + 1
        column = len(text[line_start:at].encode("utf-16-le")) // 2
        places.append((text.count("\n", 0, at), column))
    return places


def percentile(times: list[float], percent: int) -> float:
    """In milliseconds."""
    ordered = sorted(times)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)] * 1e3


class Figures:
    """Everything that was measured."""

    def __init__(self) -> None:
        self.keys: dict[tuple[str, str, str, str], list[float]] = {}
        """By server, shape, size and where they go."""
        self.opens: dict[tuple[str, str, str], float] = {}
        """By server, shape and size."""
        self.memory: dict[tuple[str, str, str], int] = {}
        self.starts: dict[str, list[float]] = {}
        self.promises: list[tuple[str, float, float]] = []
        """What was promised: the words, the ratio, the limit."""


def start(figures: Figures) -> None:
    """How long until a server answers, in turns."""
    for _ in range(5):
        for name, command in commands().items():
            client = Client(command, "markdown")
            figures.starts.setdefault(name, []).append(client.start_seconds)
            client.close()
    print("Start, median milliseconds until initialize is answered")
    for name, times in figures.starts.items():
        print(f"  {name:<8}{statistics.median(times) * 1e3:>8.0f}")


def typing(figures: Figures) -> None:
    """A keystroke to its diagnostics, and opening, for each shape at two sizes."""
    print("\nKeystroke to diagnostics, milliseconds (p50 / p95); opening, seconds; peak memory, MB")
    for shape in MESSAGE_FILES:
        for size_name in ("10 kB", "10 MB"):
            text = shape.text(SIZES[size_name])
            for name, command in commands().items():
                client, opened = _opened(command, shape.file, text)
                figures.opens[name, shape.name, size_name] = opened
                row = f"  {shape.name:<24}{size_name:>6} {name:<6}"
                for where in KEYS:
                    times = _typed(client, text, where, 3 if name == "rumdl" else 40)
                    figures.keys[name, shape.name, size_name, where] = times
                    row += (
                        f"{where:>10}{percentile(times, 50):>8.2f} /{percentile(times, 95):>8.2f}"
                    )
                figures.memory[name, shape.name, size_name] = client.peak_bytes
                client.close()
                print(
                    f"{row}   open {opened:>7.3f} ({client.opening_cpu:.2f} CPU)"
                    f"   memory {figures.memory[name, shape.name, size_name] / 1e6:>6.0f}",
                    flush=True,
                )


def _typed(client: Client, text: str, where: str, count: int) -> list[float]:
    """Seconds of a key in each of so many places; each is deleted again before the next."""
    times = []
    for line, column in places_to_type(text, where, count):
        times.append(client.type(line, column))
        client.rub_out(line, column)
    return times


def deltas() -> None:
    """Opening a hundred thousand deltas of each shape."""
    print("\nOpening 100,000 deltas: seconds to diagnostics, peak memory, MB")
    for shape in DELTAS:
        client, opened = _opened(commands()["msgls"], shape.file, lines_of(shape, 100_000))
        print(f"  {shape.name:<24}{opened:>7.2f}{client.peak_bytes / 1e6:>8.0f}", flush=True)
        client.close()


def _opened(command: list[str], file: str, text: str) -> tuple[Client, float]:
    """A client that has the document open, and how long that took: the least of two."""
    first = Client(command, "markdown")
    once = first.open(file, text)
    first.close()
    client = Client(command, "markdown")
    return client, min(once, client.open(file, text))


def requests() -> None:
    """What people ask for, on the largest file."""
    print("\nRequests, milliseconds (median of 5)")
    for size_name in ("10 kB", "10 MB"):
        text = message_file(SIZES[size_name])
        line, _ = place_to_type(text)
        client = Client(commands()["msgls"], "msgmd")
        client.open("a.msg.md", text)
        position = {"line": line - 2, "character": 4}
        asked = {
            "outline": ("textDocument/documentSymbol", {}),
            "folding": ("textDocument/foldingRange", {}),
            "hover": ("textDocument/hover", {"position": position}),
            "completion": ("textDocument/completion", {"position": position}),
        }
        for what, (method, params) in asked.items():
            times = [client.ask(method, **params) for _ in range(5)]
            print(f"  {size_name:>7} {what:<12}{statistics.median(times) * 1e3:>10.2f}")
        client.close()


def enter_and_problems(figures: Figures) -> None:
    """An Enter, which moves every later line; and a document with ten thousand problems."""
    text = message_file(SIZES["10 MB"])
    line, column = place_to_type(text)
    client = Client(commands()["msgls"], "msgmd")
    client.open("a.msg.md", text)
    letters = [client.type(line, column) for _ in range(30)]
    enters = [client.type(line, column, "\n") for _ in range(30)]
    client.close()
    ratio = percentile(enters, 50) / percentile(letters, 50)
    figures.promises.append(("Enter / letter at 10 MB", ratio, 3))
    small = message_file(SIZES["1 MB"])
    broken = small + "".join(f"# %% Broken[^b{n}]\n\nText.\n\n" for n in range(10_000))
    clean = small + "".join(
        f"# %% Whole[^b{n}]\n\n[^b{n}]: [markdown]\n\nText.\n\n" for n in range(10_000)
    )
    line, column = place_to_type(small)
    for what, pulls, limit in (("pushed", False, 5), ("pulled, unchanged", True, 2)):
        medians = []
        for text in (clean, broken):
            client = Client(commands()["msgls"], "msgmd", pulls)
            client.open("a.msg.md", text)
            medians.append(percentile([client.type(line, column) for _ in range(30)], 50))
            client.close()
        ratio = medians[1] / medians[0]
        figures.promises.append((f"10,000 problems / none, {what}", ratio, limit))


def simple_text(figures: Figures) -> None:
    """The other format whose files grow: a keystroke to its diagnostics, and requests."""
    print("\nSimple Text Format, milliseconds: keystroke (p50), requests (median of 5)")
    medians = []
    for size_name in ("10 kB", "10 MB"):
        text = SIMPLE_TEXT[0].text(SIZES[size_name])
        line = text.count("\n", 0, text.index("\n@ai id=", len(text) // 2)) + 1
        client = Client(commands()["msgls"], "stf")
        client.open("a.stf", text)
        medians.append(percentile([client.type(line + 1, 3) for _ in range(60)], 50))
        print(f"  {size_name:>7} {'keystroke':<12}{medians[-1]:>10.2f}")
        place = {"position": {"line": line, "character": 2}}
        asked = {
            "hover": ("textDocument/hover", place),
            "completion": ("textDocument/completion", place),
            "highlight": ("textDocument/documentHighlight", place),
            "outline": ("textDocument/documentSymbol", {}),
            "folding": ("textDocument/foldingRange", {}),
        }
        for what, (method, params) in asked.items():
            times = [client.ask(method, **params) for _ in range(5)]
            print(f"  {size_name:>7} {what:<12}{statistics.median(times) * 1e3:>10.2f}")
        client.close()
    ratio = medians[-1] / medians[0]
    figures.promises.append(("STF keystroke at 10 MB / at 10 kB", ratio, 1.3))


def verdicts(figures: Figures) -> None:
    """The promises, one by one: the worst shape counts."""
    shapes = [shape.name for shape in MESSAGE_FILES]

    def keys(name: str, size: str, other: str, other_size: str) -> dict[str, float]:
        def key(name: str, shape: str, size: str, where: str) -> float:
            return percentile(figures.keys[name, shape, size, where], 50)

        return {
            f"{shape}, {where}": key(name, shape, size, where)
            / key(other, shape, other_size, where)
            for shape in shapes
            for where in KEYS
        }

    medians = {name: statistics.median(times) for name, times in figures.starts.items()}
    print("\nPromises")
    rows = {
        "keystroke at 10 MB / at 10 kB": (keys("msgls", "10 MB", "msgls", "10 kB"), 1.3),
        "keystroke / stock pygls, 10 kB": (keys("msgls", "10 kB", "stock", "10 kB"), 0.8),
        "keystroke / stock pygls, 10 MB": (keys("msgls", "10 MB", "stock", "10 MB"), 0.01),
        "start / stock pygls": ({"": medians["msgls"] / medians["stock"]}, 0.6),
    }
    if "rumdl" in commands():
        for what, found, limit in (("open", figures.opens, 0.5), ("memory", figures.memory, 0.5)):
            ratios = {s: found["msgls", s, "10 MB"] / found["rumdl", s, "10 MB"] for s in shapes}
            rows[f"{what} of 10 MB / rumdl"] = ratios, limit
    rows |= {what: ({"": ratio}, limit) for what, ratio, limit in figures.promises}
    for what, (ratios, limit) in rows.items():
        word = "within" if max(ratios.values()) <= limit else "OVER"
        print(f"  {what:<34}{worst_and_median(ratios)}   {word} {limit:g}")


def main() -> int:
    """Run all of it."""
    compile_package()
    figures = Figures()
    start(figures)
    typing(figures)
    deltas()
    requests()
    enter_and_problems(figures)
    simple_text(figures)
    verdicts(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
