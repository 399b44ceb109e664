"""A channel over a WebSocket, for clients that run in a browser.

Owns the difference to a stream: a WebSocket message is a JSON-RPC message without a
header. Pages from elsewhere are rejected by their ``Origin``: only pages of this machine
may talk to a server that reads its files.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from msgls.lsp.transport import ThreadedChannel, framed

# The status of a connection that is closed because another one is in use.
TRY_LATER = 1013
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class WebSocketChannel(ThreadedChannel):
    """Adds the header to messages that arrive, and removes it from those that are sent."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        super().__init__(self._receive, self._transmit)

    def _receive(self) -> bytes:
        from websockets.exceptions import ConnectionClosed

        try:
            message = self._connection.recv()
        except ConnectionClosed:
            return b""
        body = message.encode() if isinstance(message, str) else message
        return framed(body)

    def _transmit(self, data: bytes) -> None:
        from websockets.exceptions import ConnectionClosed

        _, _, body = data.partition(b"\r\n\r\n")
        try:
            self._connection.send(body.decode())
        except ConnectionClosed as error:
            raise OSError("the client is gone") from error


def _is_of_this_machine(origin: str) -> bool:
    try:
        return urlsplit(origin).hostname in _LOOPBACK
    except ValueError:
        return False


def refusal_of(connection: Any, request: Any) -> Any:
    """``None`` for a client that may connect, else the response that rejects it."""
    origins = request.headers.get_all("Origin")
    if all(_is_of_this_machine(origin) for origin in origins):
        return None
    return connection.respond(HTTPStatus.FORBIDDEN, "only pages of this machine may connect\n")
