"""How the server starts, and how it answers ``initialize``.

Loading the protocol's libraries takes three quarters of the startup time. So ``initialize`` is
answered without them, and they are loaded while the client reads the answer.
"""

from __future__ import annotations

import gc
import json
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

from msgls.lsp.greeting import greeting_of
from msgls.lsp.transport import (
    MOST_BODY_BYTES,
    Channel,
    framed,
    run,
    socket_channel,
    stdio_channel,
)
from msgls.text.garbage import collect_young

if TYPE_CHECKING:
    from msgls.lsp.protocol import Protocol


class Server:
    """The receiver of messages: loads the protocol when the first one has arrived."""

    def __init__(self, channel: Channel, same_machine: bool) -> None:
        self._channel = channel
        self._same_machine = same_machine
        self._protocol: Protocol | None = None

    def receive(self, message: Any) -> None:
        """Receive a message; answer ``initialize`` before anything is loaded."""
        if self._protocol is not None:
            self._protocol.receive(message)
            return
        greeting = _greeting(message)
        if greeting is None:
            self._protocol = self._load()
            self._protocol.receive(message)
            return
        response = {"jsonrpc": "2.0", "id": message["id"], "result": greeting}
        self._channel.write(framed(json.dumps(response).encode()))
        self._protocol = self._load()
        self._protocol.initialize(message["params"], greeting)

    def _load(self) -> Protocol:
        from msgls.lsp import server
        from msgls.lsp.protocol import Protocol

        protocol = Protocol(server.TABLE)
        protocol.attach(self._channel)
        protocol.watches_client = self._same_machine
        # What is loaded now stays loaded: the garbage collector need not scan it.
        gc.freeze()
        return protocol

    @property
    def exit_code(self) -> int | None:
        """The exit code of the process, once there is one."""
        return None if self._protocol is None else self._protocol.exit_code

    @property
    def is_idle(self) -> bool:
        """Whether every message that was received is handled."""
        return self._protocol is None or self._protocol.is_idle

    @property
    def due(self) -> float:
        """When an answer that is being written continues."""
        return float("inf") if self._protocol is None else self._protocol.due

    def step(self) -> bool:
        """One message, or a slice of background work."""
        is_busy = self._protocol is not None and self._protocol.step()
        collect_young()
        return is_busy

    def prepare(self, is_quiet: bool) -> bool:
        """Load one more thing."""
        return self._protocol is not None and self._protocol.prepare(is_quiet)

    def tick(self) -> None:
        """Do what is done every few seconds."""
        if self._protocol is not None:
            self._protocol.tick()

    def stop(self) -> None:
        """End what is still running."""
        if self._protocol is not None:
            self._protocol.session.stop_live()
            if self._protocol.exit_code == 0:
                self._protocol.session.exited_normally()


def _greeting(message: Any) -> dict[str, Any] | None:
    """The result for a message that initializes the server; ``None`` for any other."""
    if not isinstance(message, dict) or message.get("method") != "initialize":
        return None
    try:
        return greeting_of(message.get("params")) if "id" in message else None
    except TypeError:
        return None


def serve(channel: Channel, *, same_machine: bool = True) -> int:
    """Serve one client; the exit code of the process."""
    server = Server(channel, same_machine)
    try:
        return run(channel, server)
    finally:
        server.stop()
        channel.close()


def serve_stdio() -> int:
    """Serve the client that started us."""
    channel = stdio_channel()
    sys.stdout = sys.stderr
    return serve(channel)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on a port. Raises ``OSError`` if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def serve_tcp(listener: socket.socket, *, same_machine: bool = True) -> int:
    """Wait for one client on a TCP port, and serve it."""
    with listener:
        _print_address(listener, "")
        connection, _ = listener.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return serve(socket_channel(connection), same_machine=same_machine)


def serve_websocket(listener: socket.socket, *, same_machine: bool = True) -> int:
    """Wait for one client on a WebSocket, and serve it."""
    from websockets.sync.server import serve as listen_to

    from msgls.lsp.websocket import TRY_LATER, WebSocketChannel, refusal_of

    taken, done = threading.Lock(), threading.Event()
    codes: list[int] = []

    def serve_one(connection: Any) -> None:
        if not taken.acquire(blocking=False):
            connection.close(TRY_LATER, "there is a client already")
            return
        try:
            codes.append(serve(WebSocketChannel(connection), same_machine=same_machine))
        finally:
            done.set()

    with listen_to(
        serve_one, sock=listener, process_request=refusal_of, max_size=MOST_BODY_BYTES
    ) as server:
        _print_address(listener, "ws://")
        # In a thread: `serve_one` cannot stop the server, because stopping waits for it.
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done.wait()
    return codes[0] if codes else 1


def _print_address(listener: socket.socket, scheme: str) -> None:
    """Print where the server listens: with port 0, the system chooses the port."""
    host, port = listener.getsockname()[:2]
    host = f"[{host}]" if ":" in host else host
    sys.stderr.write(f"msgls listens on {scheme}{host}:{port}\n")
    sys.stderr.flush()
