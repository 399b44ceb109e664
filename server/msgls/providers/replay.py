"""A provider without a model: streams a recorded answer, or repeats the last message.

For trying things out and for tests. It opens no connection, and only the file that the
user's own configuration names: ``replay [--speed DELTAS_PER_SECOND] [FILE.deltas.jsonl]``.
"""

import argparse
import re
import sys
import time
from pathlib import Path

from msgls.providers import Answer, Request, provide

_WORDS = re.compile(r"\s*\S+|\s+")
_SPEED = 40.0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("replay")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--speed", type=float, default=_SPEED)
    return parser.parse_args()


def _pause(speed: float) -> None:
    if speed > 0:
        time.sleep(1 / speed)


def _replay(path: Path, speed: float) -> int:
    """Write the lines of a recording unchanged; returns the exit code."""
    sys.stdin.buffer.read()
    last = b""
    for line in path.read_bytes().splitlines(keepends=True):
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        last = line.strip() or last
        _pause(speed)
    return 1 if b'"error"' in last else 0


def _repeat(request: Request, answer: Answer, speed: float) -> None:
    """Answer with the last message of the user."""
    answer.model = request.model or "replay"
    last = [message for message in request.messages if message["role"] == "user"][-1:]
    parts = [part["payload"] for message in last for part in message["parts"]]
    text = "\n\n".join([payload["text"] for payload in parts if "text" in payload])
    words = _WORDS.findall(f"You said:\n\n{text}" if text else "You said nothing.")
    for word in words:
        answer.text(word)
        _pause(speed)
    answer.usage(sum(len(_WORDS.findall(str(m["parts"]))) for m in request.messages), len(words))
    answer.done()


def main() -> None:
    """Stream the recording, or an echo."""
    options = _arguments()
    if options.file is not None:
        sys.exit(_replay(options.file, options.speed))
    provide(lambda request, answer: _repeat(request, answer, options.speed))


if __name__ == "__main__":
    main()
