"""Check, and if asked convert, a corpus of transcripts with Dask: on two cores or on a cluster.

    python check_corpus.py CORPUS RESULTS                    both cores of this machine
    python check_corpus.py CORPUS RESULTS --to openai        … and convert every transcript
    python check_corpus.py CORPUS RESULTS --scheduler ADDR   a cluster that is there already

CORPUS is a folder of ``*.jsonl`` shards, a line ``{"path": …, "text": …}`` each. For each shard
RESULTS gets a shard of the same name with a line for each transcript: what was found, what was
lost, and the converted text.

A shard is the unit of work and of recovery. Its result is written beside its name and renamed when
it is whole, so a result that is there is complete. Where a worker dies, Dask gives its shard to
another one and starts the worker anew; where all of it dies, the same command goes on with the
shards that have no result.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from distributed import Client, LocalCluster, as_completed

import msgls

Row = dict[str, Any]


class Tally(NamedTuple):
    """What came of one shard."""

    transcripts: int
    characters: int
    found: Counter[str]
    lost: int


def check_row(row: Row, to: str | None) -> Row:
    """One transcript: pure, so it does not matter which worker does it, or how often."""
    path, text = row["path"], row["text"]
    findings = [
        {"code": f.code, "line": f.start.line, "column": f.start.column, "message": f.message}
        for f in msgls.check_text(text, path=path)
    ]
    result: Row = {"path": path, "findings": findings}
    if to is not None:
        try:
            converted = msgls.convert_text(text, path=path, to=to)
            result |= {"text": converted.text, "lost": [loss.what for loss in converted.lost]}
        except msgls.ConversionError as error:
            result["error"] = str(error)
    return result


def check_shard(shard: str, results: str, to: str | None) -> Tally:
    """One shard, from its file to the file of its results."""
    target = Path(results) / Path(shard).name
    # Two workers may have the same shard, where one was only thought to be dead.
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    transcripts = characters = lost = 0
    found: Counter[str] = Counter()
    with Path(shard).open(encoding="utf-8") as source, partial.open("w", encoding="utf-8") as sink:
        for line in source:
            row = json.loads(line)
            result = check_row(row, to)
            sink.write(json.dumps(result, ensure_ascii=False) + "\n")
            transcripts += 1
            characters += len(row["text"])
            found.update(finding["code"] for finding in result["findings"])
            lost += len(result.get("lost", ()))
    partial.replace(target)
    return Tally(transcripts, characters, found, lost)


def waiting(corpus: Path, results: Path) -> list[str]:
    """The shards that have no result yet."""
    return [
        str(path) for path in sorted(corpus.glob("*.jsonl")) if not (results / path.name).exists()
    ]


def run(client: Client, shards: Sequence[str], results: Path, to: str | None) -> Iterator[Tally]:
    """The tallies of shards, as they are done."""
    futures = client.map(check_shard, shards, results=str(results), to=to, pure=False, retries=2)
    for future, tally in as_completed(futures, with_results=True):
        # What is counted need not be kept: a worker that dies with it would do it again.
        future.release()
        yield tally


def kill_a_worker(client: Client) -> None:
    """What happens on a large cluster sooner or later, done on purpose."""
    pid = next(iter(client.run(os.getpid).values()))
    os.kill(pid, signal.SIGKILL)
    print(f"killed a worker: process {pid}", file=sys.stderr)


def show(tallies: Iterator[Tally], total: int, kill_after: int, client: Client) -> Tally:
    """A progress bar, and the sum."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    sums = Tally(0, 0, Counter(), 0)
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("shards", total=total)
        for number, tally in enumerate(tallies, start=1):
            sums = Tally(*(mine + its for mine, its in zip(sums, tally, strict=True)))
            bar.update(task, completed=number, description=f"{sums.transcripts:,} transcripts")
            if number == kill_after:
                kill_a_worker(client)
    return sums


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, and run."""
    parser = argparse.ArgumentParser(description="Check a corpus of transcripts with Dask.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--to", metavar="FORMAT", help="convert, too: see msgls convert --help")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="default: all cores")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a cluster that is there already")
    parser.add_argument(
        "--kill-after",
        type=int,
        default=0,
        metavar="N",
        help="kill a worker after N shards, to see it recover",
    )
    options = parser.parse_args(arguments)
    options.results.mkdir(parents=True, exist_ok=True)
    shards = waiting(options.corpus, options.results)
    print(f"{len(shards)} shards to do", file=sys.stderr)
    if not shards:
        return 0
    # Processes and not threads: checking is Python, and one thread has it at a time.
    cluster = options.scheduler or LocalCluster(
        n_workers=options.workers, threads_per_worker=1, dashboard_address=None
    )
    started = time.perf_counter()
    with Client(cluster) as client:
        sums = show(
            run(client, shards, options.results, options.to),
            len(shards),
            options.kill_after,
            client,
        )
    seconds = time.perf_counter() - started
    if not options.scheduler:
        cluster.close()
    size = f"{sums.transcripts:,} transcripts, {sums.characters / 1e6:.1f} M characters"
    print(f"{size} in {seconds:.1f} s")
    for code, count in sums.found.most_common():
        print(f"{count:8,} {code}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
