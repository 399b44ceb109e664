"""A server in a process of its own, and a client that may send it any bytes.

Every wait ends after ``PATIENCE`` seconds: a server that says nothing fails its test and
does not hang it. What the server logs goes to a file, so that a full pipe never stops it.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from msgls.lsp.transport import Framer

PATIENCE = 180.0
ROOT = Path(__file__).parents[2]
SERVE = (sys.executable, "-m", "msgls", "serve")
PROBE = (sys.executable, str(Path(__file__).with_name("probe.py")))


def framed(message: Any) -> bytes:
    """A message as it should be sent."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Wire:
    """One server process and what it says."""

    def __init__(
        self, command: Sequence[str] = SERVE, *options: str, env: Mapping[str, str] | None = None
    ) -> None:
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [*command, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            cwd=ROOT,
            env={**os.environ, "COLUMNS": "100", **(env or {})},
        )
        self.messages: list[dict[str, Any]] = []
        self._arrived = threading.Condition()
        self.reading = threading.Event()
        """Cleared, nothing is read: the pipe fills up."""
        self.reading.set()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._last_id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.reading.set()
        self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            try:
                stream.close()
            except OSError:
                continue
        self._log.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        fd, framer = self.process.stdout.fileno(), Framer()
        while True:
            self.reading.wait()
            data = os.read(fd, 1 << 16)
            if not data:
                return
            framer.feed(data)
            with self._arrived:
                while (message := framer.next()) is not None:
                    self.messages.append(message)
                self._arrived.notify_all()

    # -- sending --------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.write(framed({"jsonrpc": "2.0", "method": method, "params": params}))

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request; its id."""
        self._last_id += 1
        self.write(framed(request(self._last_id, method, params)))
        return self._last_id

    def initialize(self, **params: Any) -> dict[str, Any]:
        """Say hello; the server's capabilities."""
        hello = {"processId": None, "rootUri": None, "capabilities": {}, **params}
        result: dict[str, Any] = self.request("initialize", hello)["result"]
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, language_id: str = "msgmd") -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": language_id, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    # -- receiving ------------------------------------------------------------------------

    def wait_for(
        self, wanted: Callable[[dict[str, Any]], bool], seconds: float = PATIENCE
    ) -> dict[str, Any]:
        """The first message that is wanted, now or later."""
        deadline, seen = time.monotonic() + seconds, 0
        with self._arrived:
            while True:
                for message in self.messages[seen:]:
                    if wanted(message):
                        return message
                seen = len(self.messages)
                left = deadline - time.monotonic()
                assert left > 0, f"nothing came; the log: {self.log}"
                self._arrived.wait(min(left, 0.5))
                if self.process.poll() is not None and seen == len(self.messages):
                    raise AssertionError(f"the server ended; the log: {self.log}")

    def message(self, number: int) -> dict[str, Any]:
        """The message that came as that one, counted from 0."""
        self.wait_for(lambda _: len(self.messages) > number)
        return self.messages[number]

    def answer(self, request_id: Any, seconds: float = PATIENCE) -> dict[str, Any]:
        """The answer to a request, with its result or its error."""
        return self.wait_for(
            lambda message: "method" not in message and message.get("id") == request_id, seconds
        )

    def request(self, method: str, params: Any = None) -> dict[str, Any]:
        """Ask, and wait for the answer."""
        return self.answer(self.ask(method, params))

    def error(self, method: str, params: Any = None) -> int:
        """Ask, and wait for an error; its code."""
        code: int = self.request(method, params)["error"]["code"]
        return code

    def published(self, uri: str, version: int) -> list[Any]:
        """The diagnostics of a version, once they came."""

        def is_it(message: dict[str, Any]) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            params = message["params"]
            return bool(params["uri"] == uri and params.get("version") == version)

        diagnostics: list[Any] = self.wait_for(is_it)["params"]["diagnostics"]
        return diagnostics

    def exit_code(self, seconds: float = PATIENCE) -> int:
        """Wait for the end."""
        return self.process.wait(seconds)

    @property
    def log(self) -> str:
        """What was logged so far."""
        return os.pread(self._log.fileno(), 1 << 24, 0).decode()

    def wait_for_log(self, text: str) -> str:
        """The log, once it holds ``text``."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.log:
            assert time.monotonic() < deadline, f"not logged: {text!r}; but: {self.log}"
            time.sleep(0.02)
        return self.log


def request(request_id: Any, method: str, params: Any = None) -> dict[str, Any]:
    """A request as JSON."""
    message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else {**message, "params": params}
