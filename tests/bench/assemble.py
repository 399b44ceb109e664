"""``msgls assemble`` over a hundred thousand and a million deltas: time and memory.

Both sizes run turn by turn, as processes of their own; read the ratios. Ten times the
deltas should take about ten times as long, and no more memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SIZES = {"100k": 100_000, "1M": 1_000_000}
ROUNDS = 3
STREAM = 500
LEAST_A_SECOND = 100_000
MOST_TIMES_TIME = 12.0
MOST_TIMES_MEMORY = 1.2
TIMESTAMP = "2026-01-02T03:04:05.678Z"
WORDS = ("The ", "answer ", "is ", "forty", "-two, ", "é", "as ", "ever", ".\n", "and ")


class Cost(NamedTuple):
    seconds: float
    peak_bytes: int


def delta(run: str, seq: int, kind: str, **payload: object) -> str:
    wire = {"runId": run, "seq": seq, "kind": kind, "payload": payload, "timestamp": TIMESTAMP}
    return json.dumps(wire, ensure_ascii=False) + "\n"


def stream(number: int) -> Iterator[str]:
    """The deltas of one answer: thinking, text, a tool call, usage."""
    run, call = f"run-{number // 4}", f"call_{number}"
    yield delta(run, 0, "start", modelId="model-1", requestId=f"request-{number}")
    for seq in range(1, STREAM - 14):
        kind = "thinking" if seq < 100 else "text"
        yield delta(run, seq, kind, textDelta=WORDS[seq % len(WORDS)])
    seq = STREAM
    yield delta(run, seq, "tool_call_start", toolCallId=call, toolName="read_file")
    for piece in ('{"path": ', '"a/b', "/c.py", '", "line', 's": [', "1, ", "2, ", "3", "]}"):
        seq += 1
        yield delta(run, seq, "tool_call_args", toolCallId=call, argsTextDelta=piece)
    yield delta(run, seq + 1, "tool_call_end", toolCallId=call)
    yield delta(run, seq + 2, "usage", inputTokens=10, outputTokens=seq, totalTokens=10 + seq)
    yield delta(run, seq + 3, "done", finishReason="tool_calls")


def write(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number in range(count // STREAM):
            file.writelines(stream(number))


def cost(path: Path) -> Cost:
    """CPU seconds and peak memory of one run."""
    command = [sys.executable, "-m", "msgls", "assemble", str(path)]
    before = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"msgls assemble ended with {process.returncode}")
    seconds = usage.ru_utime + usage.ru_stime
    print(f"  {path.stem}: {seconds:.2f} s of CPU, {time.perf_counter() - before:.2f} s in all")
    return Cost(seconds, usage.ru_maxrss * 1024)


def verdict(what: str, value: float, limit: float, is_good: bool) -> None:
    word = "within" if is_good else "MISSES"
    print(f"{what}: {value:,.2f}, {word} the limit of {limit:g}")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder, f"{name}.deltas.jsonl") for name in SIZES}
        for name, path in paths.items():
            write(path, SIZES[name])
        costs: dict[str, list[Cost]] = {name: [] for name in SIZES}
        for _ in range(ROUNDS):
            for name, path in paths.items():
                costs[name].append(cost(path))
    small, large = [min(costs[name]) for name in SIZES]
    small_peak, large_peak = [min(c.peak_bytes for c in costs[name]) for name in SIZES]
    rate = SIZES["1M"] / large.seconds
    print(f"Peak memory: {small_peak / 1e6:.1f} MB and {large_peak / 1e6:.1f} MB")
    verdict("Deltas a second", rate, LEAST_A_SECOND, rate >= LEAST_A_SECOND)
    times = large.seconds / small.seconds
    verdict("Time, 1M / 100k", times, MOST_TIMES_TIME, times <= MOST_TIMES_TIME)
    memory = large_peak / small_peak
    verdict("Memory, 1M / 100k", memory, MOST_TIMES_MEMORY, memory <= MOST_TIMES_MEMORY)
    return 0


if __name__ == "__main__":
    sys.exit(main())
