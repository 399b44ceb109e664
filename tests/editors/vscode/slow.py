"""A program whose output comes two seconds late: ``slow.py PROGRAM ARGUMENTS``."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time

LATE_SECONDS = 2.0


def main() -> int:
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
    said: queue.Queue[tuple[float, bytes]] = queue.Queue()

    def listen() -> None:
        assert process.stdout is not None
        while True:
            data = os.read(process.stdout.fileno(), 65_536)
            said.put((time.monotonic() + LATE_SECONDS, data))
            if not data:
                return

    threading.Thread(target=listen, daemon=True).start()
    while True:
        due, data = said.get()
        time.sleep(max(due - time.monotonic(), 0))
        if not data:
            return process.wait()
        os.write(sys.stdout.fileno(), data)


if __name__ == "__main__":
    sys.exit(main())
