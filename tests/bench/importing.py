"""``msgls import`` of a session of 10 and of 100 MB: CPU time and peak memory.

First into a new file, then again: unchanged, after an edit in the middle, with more at its
end, and in place of another file. Each is a process of its own; read the ratios. Ten times
the session may take ten times as long, and only the memory that its ids and places need.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

from tests.bench.corpora import SEED, Source

SIZES = (10, 100)
MEGABYTE = 1_000_000
# A whole 100 MB session would show: the text alone, once, is more than that.
MOST_MEGABYTES = 200
MOST_TIMES_TIME = 14.0
EDITED = b"A sentence that somebody wrote.\n"


class Cost(NamedTuple):
    seconds: float
    megabytes: float


def records(source: Source, megabytes: float) -> Iterator[str]:
    """Prompts, answers, calls and results of all lengths, as Claude Code notes them."""
    written, parent, number = 0, None, 0
    while written < megabytes * MEGABYTE:
        call = f"toolu_{source.hex(16)}"
        path = f"/srv/shop/{source.hex()}.py"
        thought = {"type": "thinking", "thinking": source.some(5, 200)}
        asked = {"file_path": path, "content": source.some(10, 3000)}
        tool = {"type": "tool_use", "id": call, "name": "Write", "input": asked}
        told = source.some(5, 4000) + source.chinese(0, 200)
        result = {"type": "tool_result", "tool_use_id": call, "content": told}
        for role, content in (
            ("user", source.some(3, 60)),
            ("assistant", [thought, {"type": "text", "text": source.some(5, 100)}, tool]),
            ("user", [result]),
        ):
            uuid = f"{number:08x}-0000-4000-8000-{source.hex(12)}"
            record = {
                "parentUuid": parent, "isSidechain": False, "cwd": "/srv/shop", "uuid": uuid,
                "sessionId": "aaaaaaaa-0000-4000-8000-000000000001", "version": "2.1.40",
                "type": role, "timestamp": "2026-02-03T10:00:19.000Z",
                "message": {"id": f"msg_{number}", "role": role, "content": content},
            }  # fmt: skip
            line = json.dumps(record, ensure_ascii=False) + "\n"
            written += len(line.encode("utf-8"))
            parent, number = uuid, number + 1
            yield line


def imported(session: Path, target: Path, *options: str) -> Cost:
    program = Path(sys.executable).with_name("msgls")
    command = [str(program), "import", str(session), "-o", str(target), *options]
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"msgls import ended with {process.returncode}")
    # Linux counts in kilobytes, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / MEGABYTE)


# A process begins with the peak of the one that starts it: this one must stay small itself.


def edit(target: Path) -> None:
    """Change one cell in the middle, as a person would."""
    with target.open("r+b") as file, mmap(file.fileno(), 0) as text:
        definition = text.find(b"\n\n[^", len(text) // 2)
        middle = text.find(b"\n\n", definition + 2) + 2
        length = len(text)
        text.resize(length + len(EDITED))
        text.move(middle + len(EDITED), middle, length - middle)
        text[middle : middle + len(EDITED)] = EDITED


def has_edit(target: Path) -> bool:
    with target.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as text:
        return text.find(EDITED) >= 0


def measured(folder: Path, megabytes: int) -> dict[str, Cost]:
    session, target = folder / "session.jsonl", folder / f"{megabytes}.msg.md"
    source = Source(SEED)
    with session.open("w", encoding="utf-8") as file:
        file.writelines(records(source, megabytes))

    def grow() -> None:
        with session.open("a", encoding="utf-8") as file:
            file.writelines(records(source, 1))

    def replace() -> None:
        target.write_text("something else\n", "utf-8")

    steps: dict[str, tuple[Callable[[], None], list[str]]] = {
        "into a new file": (lambda: None, []),
        "again, unchanged": (lambda: None, []),
        "after an edit": (lambda: edit(target), []),
        "with 1 MB more": (grow, []),
        "over another file": (replace, ["--force"]),
    }
    costs = {}
    for name, (prepare, options) in steps.items():
        prepare()
        costs[name] = imported(session, target, *options)
        if name == "with 1 MB more" and not has_edit(target):
            raise SystemExit("what somebody changed was lost")
    return costs


def main() -> int:
    """Print times and memory; 1 where a limit is not kept."""
    folder = Path(tempfile.mkdtemp())
    try:
        small, large = (measured(folder, size) for size in SIZES)
    finally:
        shutil.rmtree(folder)
    is_kept = True
    for name, cost in large.items():
        times = cost.seconds / small[name].seconds
        is_kept = is_kept and cost.megabytes <= MOST_MEGABYTES and times <= MOST_TIMES_TIME
        print(
            f"{name:20} {SIZES[0]} MB: {small[name].seconds:5.1f} s {small[name].megabytes:4.0f} MB"
            f"   {SIZES[1]} MB: {cost.seconds:5.1f} s {cost.megabytes:4.0f} MB   {times:4.1f} x"
        )
    limits = f"limits {MOST_MEGABYTES} MB of memory and {MOST_TIMES_TIME:g} x the time"
    print(f"{limits}: {'kept' if is_kept else 'NOT kept'}")
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
