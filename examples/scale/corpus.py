"""Make a corpus of transcripts to try ``check_corpus.py`` on: shards of JSON lines.

A line is ``{"path": …, "text": …}``: what a file is called, and what it holds. One transcript in
ten has a tool result that answers no call. The same arguments make the same corpus.

    python corpus.py FOLDER --shards 40 --transcripts 500
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

TURN = """\
# %% Question {n}[^q{n}]

[^q{n}]: [markdown]

What is the weather on day {n}? Take your time, and look it up where you can.

# %%% Answer {n}[^a{n}]

[^a{n}]: [guide]

I will look it up.

## %%% Call[^a{n}.{nonce}]

[^a{n}.{nonce}]: [tool] name="get_weather"

<get_weather><day>{n}</day></get_weather>

## %%% Result[^a{n}.{answered}.1]

[^a{n}.{answered}.1]: [tool] status="success"

Sunny, {n} °C.

"""
HEAD = "---\nagents:\n  guide:\n    models: [any]\n---\n\n"
TURNS = 8


def transcript(number: int) -> str:
    """One conversation; every tenth has a slip in its last turn."""
    turns = []
    for n in range(1, TURNS + 1):
        nonce = f"{number * TURNS + n:08x}"
        slipped = n == TURNS and number % 10 == 9
        turns.append(TURN.format(n=n, nonce=nonce, answered="deadbeef" if slipped else nonce))
    return HEAD + "".join(turns)


def lines(first: int, count: int) -> Iterator[str]:
    """The lines of one shard."""
    for number in range(first, first + count):
        row = {"path": f"talks/{number:07}.msg.md", "text": transcript(number)}
        yield json.dumps(row, ensure_ascii=False) + "\n"


def make(folder: Path, shards: int, transcripts: int) -> None:
    """Write ``shards`` files with ``transcripts`` lines each."""
    folder.mkdir(parents=True, exist_ok=True)
    for shard in range(shards):
        with (folder / f"shard-{shard:05}.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(lines(shard * transcripts, transcripts))


def main() -> None:
    """Read the command line, and make it."""
    parser = argparse.ArgumentParser(description="Make a corpus of transcripts.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=int, default=40)
    parser.add_argument("--transcripts", type=int, default=500, help="in each shard")
    options = parser.parse_args()
    make(options.folder, options.shards, options.transcripts)


if __name__ == "__main__":
    main()
