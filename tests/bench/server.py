"""The server over stdio, beside a stock pygls server that parses nothing and beside rumdl.

Same files, same run, turn by turn; read the ratios. Without rumdl (``pip install rumdl``)
its columns are left out. Run: ``make bench``, or this file.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from pathlib import Path

from tests.bench.client import Client
from tests.bench.corpus import message_file, simple_text_file

SIZES = {"10 kB": 10_000, "100 kB": 100_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
HERE = Path(__file__).parent


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


def place_to_type(text: str) -> tuple[int, int]:
    """In the middle of the file, in the content of a question."""
    at = text.find("]: [markdown]\n\n", len(text) // 2)
    at = at if at >= 0 else text.index("]: [markdown]\n\n")
    return text.count("\n", 0, at) + 2, 3


def percentile(times: list[float], percent: int) -> float:
    """In milliseconds."""
    ordered = sorted(times)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)] * 1e3


class Figures:
    """Everything that was measured, by server and size."""

    def __init__(self) -> None:
        self.keys: dict[tuple[str, str], list[float]] = {}
        self.opens: dict[tuple[str, str], float] = {}
        self.memory: dict[tuple[str, str], int] = {}
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
    """A keystroke to its diagnostics, and opening, at every size."""
    print("\nKeystroke to diagnostics, milliseconds (p50 / p95); open, seconds; peak memory, MB")
    for size_name, size in SIZES.items():
        text = message_file(size)
        line, column = place_to_type(text)
        for name, command in commands().items():
            client, figures.opens[name, size_name] = _opened(command, text)
            rounds = 5 if name == "rumdl" and size > 1_000_000 else 20 if size > 1_000_000 else 60
            times = [client.type(line, column) for _ in range(rounds)]
            figures.keys[name, size_name] = times
            figures.memory[name, size_name] = client.peak_bytes
            client.close()
            print(
                f"  {size_name:>7} {name:<8}{percentile(times, 50):>10.2f} /"
                f"{percentile(times, 95):>9.2f}"
                f"   open {figures.opens[name, size_name]:>7.3f}"
                f"   memory {figures.memory[name, size_name] / 1e6:>6.0f}"
            )


def _opened(command: list[str], text: str) -> tuple[Client, float]:
    """A client that has the document open, and how long that took: the median of three."""
    times = []
    for number in range(3):
        client = Client(command, "markdown")
        times.append(client.open("a.msg.md", text))
        if number < 2:
            client.close()
    return client, statistics.median(times)


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
        text = simple_text_file(SIZES[size_name])
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
    """The promises, one by one."""

    def key(name: str, size: str) -> float:
        return percentile(figures.keys[name, size], 50)

    print("\nPromises")
    start_ratio = statistics.median(figures.starts["msgls"]) / statistics.median(
        figures.starts["stock"]
    )
    rows = [
        ("keystroke at 10 MB / at 10 kB", key("msgls", "10 MB") / key("msgls", "10 kB"), 1.3),
        ("keystroke at 10 MB / stock at 10 kB", key("msgls", "10 MB") / key("stock", "10 kB"), 1.0),
        ("start / stock", start_ratio, 1.15),
    ]
    if ("rumdl", "10 MB") in figures.opens:
        opens, memory = figures.opens, figures.memory
        rows += [
            ("open of 10 MB / rumdl", opens["msgls", "10 MB"] / opens["rumdl", "10 MB"], 0.3),
            ("memory at 10 MB / rumdl", memory["msgls", "10 MB"] / memory["rumdl", "10 MB"], 0.6),
        ]
    for what, ratio, limit in rows + figures.promises:
        word = "within" if ratio <= limit else "OVER"
        print(f"  {what:<40}{ratio:>7.2f} x  {word} {limit:g}")


def main() -> int:
    """Run all of it."""
    figures = Figures()
    start(figures)
    typing(figures)
    requests()
    enter_and_problems(figures)
    simple_text(figures)
    verdicts(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
