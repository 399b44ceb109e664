"""A provider that says in every word when it said it: ``clock_provider.py RATE COUNT``.

The time is spelt in letters, so that an answer looks like prose, and not like a list of keys.
It imports nothing of ours: providers do not run in the folder of this file.
"""

from __future__ import annotations

import json
import sys
import time

_SPELT = str.maketrans("0123456789", "abcdefghij")


def provide(rate: float, count: int) -> None:
    """Write so many deltas, so many a second; where one is late, the next ones are in time."""
    sys.stdin.buffer.read()
    out = sys.stdout.buffer
    out.write(_line(0, "start", {"modelId": "clock", "requestId": "q"}))
    out.flush()
    began = time.monotonic()
    for number in range(count):
        time.sleep(max(began + number / rate - time.monotonic(), 0))
        # A line has twelve words, a paragraph six lines.
        space = " " if number % 12 else "\n" if number % 72 else "\n\n"
        out.write(_line(number + 1, "text", {"textDelta": space + word()}))
        out.flush()
    out.write(_line(count + 1, "done", {"finishReason": "stop"}))


def word() -> str:
    """The microseconds of now: `q`, and a letter from `a` to `j` for each digit."""
    return "q" + str(int(time.monotonic() * 1e6)).translate(_SPELT)


def _line(seq: int, kind: str, payload: dict[str, str]) -> bytes:
    delta = {"runId": "r", "seq": seq, "kind": kind, "payload": payload, "timestamp": "t"}
    return json.dumps(delta).encode() + b"\n"


if __name__ == "__main__":
    provide(float(sys.argv[1]), int(sys.argv[2]))
