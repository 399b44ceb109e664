"""One large file in two processes: what both find is what one would."""

from __future__ import annotations

from pathlib import Path

import pytest

from msgls.cli import running
from msgls.cli.checking import Task, check_file, joined
from msgls.rules.base import Severity, Surroundings
from msgls.rules.settings import Settings

EXAMPLE = Path(__file__).parents[2] / "examples" / "broken.msg.md"


@pytest.fixture
def task(tmp_path: Path) -> Task:
    path = tmp_path / "chat.msg.md"
    path.write_bytes(EXAMPLE.read_bytes())
    return Task(str(path), Settings(), Surroundings(), Severity.HINT)


def test_two_halves_find_what_the_whole_finds(task: Task) -> None:
    halves = [check_file(task._replace(half=half)) for half in (0, 1)]
    whole = check_file(task)
    both = joined(*halves)
    assert all(half.findings for half in halves)
    assert sorted(both.findings) == sorted(whole.findings)
    assert [f.start for f in both.findings] == sorted(f.start for f in whole.findings)


def test_a_large_file_is_checked_in_two_processes(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_PAYS_FROM_BYTES", 1)
    monkeypatch.setattr(running, "_cores", lambda: 2)
    monkeypatch.setattr(running, "check_file", check_file)
    (report,) = running.run_tasks([task])
    assert sorted(report.findings) == sorted(check_file(task).findings)


def test_one_process_was_asked_for(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_PAYS_FROM_BYTES", 1)
    monkeypatch.setattr(running, "_in_halves", None)
    (report,) = running.run_tasks([task], jobs=1)
    assert report.findings == check_file(task).findings
