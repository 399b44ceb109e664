"""Checking many files: in this process, or in several if that is faster.

Owns the number of processes and the progress bar. Reports come in the order of the tasks.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgls.cli.checking import Report, Task, check_file
from msgls.cli.speaking import said
from msgls.text.garbage import collect_rarely
from msgls.text.phrases import Phrase

if TYPE_CHECKING:
    # Imported late, and only if a bar is shown.
    from rich.progress import Progress

# Starting a process costs about as much as checking this many bytes.
_PAYS_FROM_BYTES = 3_000_000
_PAYS_FROM_FILES = 200
_PATIENCE_SECONDS = 1.0


def run_tasks(tasks: Sequence[Task], jobs: int | None = None) -> Iterator[Report]:
    """Run all tasks in ``jobs`` processes, by default in as many as are useful."""
    collect_rarely()
    jobs = min(jobs or _best_jobs(tasks), len(tasks))
    reports = map(check_file, tasks) if jobs <= 1 else _in_processes(tasks, jobs)
    yield from _with_progress(reports, len(tasks))


def _best_jobs(tasks: Sequence[Task]) -> int:
    cores = _cores()
    if cores < 2 or len(tasks) < 2:
        return 1
    if len(tasks) >= _PAYS_FROM_FILES:
        return cores
    sizes = [_size(task.path) for task in tasks]
    # Without the largest file, which is checked by one process anyway.
    return cores if sum(sizes) - max(sizes) >= _PAYS_FROM_BYTES else 1


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _in_processes(tasks: Sequence[Task], jobs: int) -> Iterator[Report]:
    from concurrent.futures import ProcessPoolExecutor

    # Neighbouring files are often of similar size; small portions spread them evenly.
    portion = max(1, min(32, len(tasks) // (jobs * 4)))
    with ProcessPoolExecutor(jobs, initializer=collect_rarely) as pool:
        yield from pool.map(check_file, tasks, chunksize=portion)


def _with_progress(reports: Iterable[Report], total: int) -> Iterator[Report]:
    """The reports; with a progress bar if standard error is a terminal and it takes long."""
    if total < 2 or not sys.stderr.isatty():
        yield from reports
        return
    started = time.monotonic()
    bar = None
    for number, report in enumerate(reports, start=1):
        if bar is None and time.monotonic() - started > _PATIENCE_SECONDS:
            bar = _bar(total)
            bar.start()
        if bar is not None:
            bar.update(bar.task_ids[0], completed=number)
        yield report
    if bar is not None:
        bar.stop()


def _bar(total: int) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    bar = Progress(
        TextColumn(said(Phrase("checking"), sys.stderr)),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("checking", total=total)
    return bar
