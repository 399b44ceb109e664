"""Checking many files: in this process, or in several if that is faster.

Owns the number of processes. Reports come in the order of the tasks.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgls.cli.checking import Report, Task, check_file
from msgls.cli.progress import Bar
from msgls.host.files import size_of
from msgls.text.garbage import collect_rarely
from msgls.text.phrases import Phrase

# Starting a process costs about as much as checking this many bytes.
_PAYS_FROM_BYTES = 3_000_000
_PAYS_FROM_FILES = 200


def run_tasks(tasks: Sequence[Task], jobs: int | None = None) -> Iterator[Report]:
    """Run all tasks in ``jobs`` processes, by default in as many as are useful."""
    collect_rarely()
    jobs = min(jobs or _best_jobs(tasks), len(tasks))
    reports = map(check_file, tasks) if jobs <= 1 else _in_processes(tasks, jobs)
    with Bar(Phrase("checking"), len(tasks)) as bar:
        for report in reports:
            bar.add(1)
            yield report


def _best_jobs(tasks: Sequence[Task]) -> int:
    cores = _cores()
    if cores < 2 or len(tasks) < 2:
        return 1
    if len(tasks) >= _PAYS_FROM_FILES:
        return cores
    sizes = [size_of(Path(task.path)) for task in tasks]
    # Without the largest file, which is checked by one process anyway.
    return cores if sum(sizes) - max(sizes) >= _PAYS_FROM_BYTES else 1


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_processes(tasks: Sequence[Task], jobs: int) -> Iterator[Report]:
    from concurrent.futures import ProcessPoolExecutor

    # Neighbouring files are often of similar size; small portions spread them evenly.
    portion = max(1, min(32, len(tasks) // (jobs * 4)))
    with ProcessPoolExecutor(jobs, initializer=collect_rarely) as pool:
        yield from pool.map(check_file, tasks, chunksize=portion)
