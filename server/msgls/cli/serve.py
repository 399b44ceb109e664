"""``msgls serve``: the language server, for editors to start."""

import argparse
import gc
import ipaddress
import logging
import os
import select
import sys
from typing import TextIO

from msgls.cli.exits import UsageProblem
from msgls.text.phrases import Phrase, as_phrase

# The least room, by POSIX, in a pipe that is reported as writable.
_PIECE_BYTES = 512
_LEVELS = ("debug", "info", "warning", "error")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the connection and for the log."""
    where = parser.add_mutually_exclusive_group()
    stdio = Phrase("use standard input and output")
    where.add_argument("--stdio", action="store_true", help=stdio)
    tcp = Phrase("wait for one client on a TCP port")
    where.add_argument("--tcp", metavar="HOST:PORT", help=tcp)
    ws = Phrase("wait for one client on a WebSocket")
    where.add_argument("--ws", metavar="HOST:PORT", help=ws)
    add = parser.add_argument
    remote = Phrase(
        "allow a HOST that other machines can reach; by default, only this machine can connect"
    )
    add("--allow-remote", action="store_true", help=remote)
    add("--log-file", metavar="FILE", help=Phrase("write the log there"))
    add("--log-level", choices=_LEVELS, default="warning", help=Phrase("how much to log"))


def run(options: argparse.Namespace) -> int:
    """Serve one client."""
    address = options.tcp or options.ws
    where = _address(address, options.allow_remote) if address else None
    _log(options.log_file, options.log_level)
    # Importing makes a hundred thousand objects that stay. The server runs the collector itself.
    gc.disable()
    # Imported late: no other command must load the protocol's libraries.
    from msgls.lsp import start

    if where is None:
        return start.serve_stdio()
    try:
        listener = start.listen(*where)
    except OSError as error:
        reason = as_phrase(str(error.strerror))
        raise UsageProblem(
            Phrase("cannot listen on {address}: {reason}", address=address, reason=reason)
        ) from error
    serve = start.serve_tcp if options.tcp else start.serve_websocket
    return serve(listener, same_machine=_is_loopback(where[0]))


def _address(text: str, allow_remote: bool) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not _is_port(port):
        raise UsageProblem(
            Phrase("`{address}` is not a HOST:PORT, such as 127.0.0.1:2087", address=text)
        )
    host = host or "127.0.0.1"
    if not _is_loopback(host) and not allow_remote:
        raise UsageProblem(
            Phrase(
                "`{host}` is reachable from other machines, which could then read the files that a "
                "client opens. Use --allow-remote to allow that",
                host=host,
            )
        )
    return host, int(port)


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= 65535


def _is_loopback(host: str) -> bool:
    """Whether a host can be reached only from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _PatientHandler(logging.StreamHandler[TextIO]):
    """Logs to a stream unless that would block: a full pipe must not stop the server.

    A pipe that is writable takes at least ``_PIECE_BYTES`` at once.
    """

    def emit(self, record: logging.LogRecord) -> None:
        try:
            fd = self.stream.fileno()
            data = (self.format(record) + self.terminator).encode("utf-8", "backslashreplace")
            while data and select.select([], [fd], [], 0)[1]:
                data = data[os.write(fd, data[:_PIECE_BYTES]) :]
        except Exception:
            self.handleError(record)


def _log(file: str | None, level: str) -> None:
    # Windows can wait for sockets only, not for pipes.
    kind = logging.StreamHandler[TextIO] if os.name == "nt" else _PatientHandler
    handler: logging.Handler = kind(sys.stderr)
    if file is not None:
        try:
            handler = logging.FileHandler(file, encoding="utf-8")
        except OSError as error:
            reason = as_phrase(str(error.strerror))
            raise UsageProblem(
                Phrase("cannot write the log to {file}: {reason}", file=file, reason=reason)
            ) from error
    logging.basicConfig(
        level=level.upper(),
        handlers=[handler],
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
