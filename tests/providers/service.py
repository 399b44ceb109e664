"""A service on this machine that speaks OpenAI's chat completions, well or badly."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def chunk(delta: dict[str, Any], reason: str | None = None, **more: Any) -> bytes:
    """One event of a stream."""
    choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
    body = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m-1"}
    text = json.dumps({**body, "choices": choices, **more}, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
END = b"data: [DONE]\n\n"


class Service:
    """What it answers, and what it was asked."""

    def __init__(self, blocks: Sequence[bytes], status: int = 200) -> None:
        self.blocks = blocks
        self.status = status
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.address = ""
        self.goes_on = threading.Event()
        """Where a block is empty, this is waited for."""


@contextmanager
def serving(blocks: Sequence[bytes], status: int = 200) -> Iterator[Service]:
    """A service that answers every request with these blocks of bytes, each sent by itself."""
    service = Service(blocks, status)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            service.requests.append(json.loads(self.rfile.read(length)))
            service.keys.append(self.headers["Authorization"])
            self.send_response(service.status)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            # Who tries again need not wait.
            self.send_header("Retry-After-Ms", "1")
            self.end_headers()
            for block in service.blocks:
                if not block:
                    service.goes_on.wait(30)
                self.wfile.write(block)
                self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    service.address = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield service
    finally:
        service.goes_on.set()
        server.shutdown()
        server.server_close()
