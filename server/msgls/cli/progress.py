"""A progress bar on standard error, for work that may take long."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from msgls.cli.speaking import said
from msgls.text.phrases import Phrase

if TYPE_CHECKING:
    # Imported late, and only if a bar is shown.
    from rich.progress import Progress

_PATIENCE_SECONDS = 1.0


class Bar:
    """Shows how much is done, if standard error is a terminal and it takes more than a second."""

    def __init__(self, what: Phrase, total: int, *, is_bytes: bool = False) -> None:
        self._what = what
        self._total = total
        self._is_bytes = is_bytes
        self._done = 0
        self._started = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def add(self, count: int) -> None:
        """Count what was done since the last call."""
        self._done += count
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done)
        elif self._done < self._total and time.monotonic() - self._started > _PATIENCE_SECONDS:
            self._bar = self._start() if sys.stderr.isatty() else None

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
        )

        counted = DownloadColumn() if self._is_bytes else MofNCompleteColumn()
        text = TextColumn(said(self._what, sys.stderr))
        console = Console(stderr=True)
        bar = Progress(text, BarColumn(), counted, console=console, transient=True)
        bar.add_task("", total=self._total)
        bar.start()
        return bar
