"""Bytes in, messages out, and back: framing, waiting and writing, in one thread.

Owns the pipe or socket to the client. There is no event loop library and no thread
between a byte and its handler: the loop waits for input, reads what is there, hands
over one message at a time, and does background work only when nothing is waiting.

Hostile input is the normal case: header names in any case, wrong lengths, garbage
between messages. Whatever can be read is read; what cannot is logged, never waited
for in silence. Knows JSON-RPC frames, not what is in them.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import re
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

log = logging.getLogger(__name__)

# A message larger than this is a mistake or an attack; no document needs it.
MOST_BODY_BYTES = 1 << 29
_MOST_HEADER_BYTES = 1 << 16
_READ_BYTES = 1 << 20
_FEW_BYTES = 1 << 14
# With this much unread output nothing is read or handled: the client must catch up first.
MOST_BACKLOG_BYTES = 1 << 26
# With this much read and not handled, reading pauses until all of it is.
MOST_UNHANDLED_BYTES = 1 << 28
# What a blocking reader may be ahead of the loop, in reads.
_MOST_READS_AHEAD = 64
_STALLED_SECONDS = 2.0
# Fast typing must not wait for what is only prepared.
_QUIET_SECONDS = 0.1
# More digits than this are not a length; `int` would refuse thousands of them.
_MOST_DIGITS = 18

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(-?[0-9]+)[ \t]*\r?\n", re.IGNORECASE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")


class FramingError(Exception):
    """The stream cannot be followed any further."""


class ParseError:
    """A message that could not be parsed; it is answered, because the client may wait for that."""


def framed(body: bytes) -> bytes:
    """A message as it is sent."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Framer:
    """Cuts a stream of bytes into JSON values."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether a message has begun and not ended."""
        return self._length is not None or bool(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take bytes in."""
        self._buffer += data

    def next(self) -> Any:
        """The next JSON value, ``ParseError`` for one that is broken, or ``None`` for now."""
        while True:
            if self._length is None and not self._read_header():
                return None
            length = self._length
            if length is None:
                continue
            if len(self._buffer) < length:
                return None
            with memoryview(self._buffer) as whole:
                body = bytes(whole[:length])
            del self._buffer[:length]
            self._length = None
            try:
                value = json.loads(body)
            except (ValueError, RecursionError):
                return self._resynchronise(body)
            # `null` is valid JSON but not a message, and `None` means that there is none yet.
            return ParseError if value is None else value

    def salvage(self) -> Any:
        """Called when input stalls: a whole message may be there despite a wrong length."""
        value = _first_value(bytes(self._buffer))
        if value is None:
            return None
        length = "no Content-Length" if self._length is None else f"a length of {self._length}"
        log.error("a message of %d bytes came with %s: taken as it is", value[1], length)
        self._length = None
        del self._buffer[: value[1]]
        return value[0]

    def _read_header(self) -> bool:
        """Find the next length; false when more bytes are needed."""
        end = _HEADER_END.search(self._buffer)
        if end is None:
            if len(self._buffer) > _MOST_HEADER_BYTES:
                log.error("no header within %d bytes: they are dropped", len(self._buffer))
                del self._buffer[:-64]
            return False
        block = bytes(self._buffer[: end.end()])
        del self._buffer[: end.end()]
        lengths = _LENGTH.findall(block)
        if not lengths:
            log.error("no Content-Length in a header of %d bytes: dropped", len(block))
            return True
        digits = lengths[-1].decode()
        if digits.startswith("-"):
            log.error("a Content-Length of %.20s: dropped", digits)
            return True
        if len(digits) > _MOST_DIGITS or int(digits) > MOST_BODY_BYTES:
            raise FramingError(f"a Content-Length of {digits:.20} is too large")
        self._length = int(digits)
        return True

    def _resynchronise(self, body: bytes) -> Any:
        """The length was wrong, or the JSON is: find where the next message begins."""
        data = body + bytes(self._buffer)
        value = _first_value(data)
        if value is not None and value[1] != len(body):
            log.error("a wrong Content-Length of %d: the message has %d bytes", len(body), value[1])
            self._buffer = bytearray(data[value[1] :])
            return value[0]
        inside = _LENGTH.search(body)
        if inside is not None:
            self._buffer = bytearray(data[inside.start() :])
        log.error("a message of %d bytes is not JSON: dropped", len(body))
        return ParseError


def _first_value(data: bytes) -> tuple[Any, int] | None:
    """The JSON object at the start of ``data``, and how many bytes it takes."""
    text = data.decode("utf-8", "surrogateescape")
    start = len(text) - len(text.lstrip(" \t\r\n"))
    if not text.startswith("{", start):
        return None
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return value, len(text[:end].encode("utf-8", "surrogateescape"))


class Channel(Protocol):
    """The connection to the client."""

    def wait(self, seconds: float, reading: bool) -> bool:
        """Return when something can be read or written, or when the time is over.

        True if something can be read.
        """

    def read(self) -> bytes | None:
        """The bytes that have arrived: ``None`` if there are none yet, empty at the end."""

    def write(self, data: bytes) -> None:
        """Send, or keep for later what the client does not take now."""

    def wake(self) -> None:
        """Let ``wait`` return; called from other threads."""

    @property
    def backlog(self) -> int:
        """How many bytes the client has not taken yet."""

    def close(self) -> None:
        """Close it, after sending what is left if that does not take long."""


class PipeChannel:
    """Two file descriptors that can be waited for: standard input and output, or a socket."""

    def __init__(self, input_fd: int, output_fd: int) -> None:
        self._in = input_fd
        self._out = output_fd
        self._pending: deque[memoryview] = deque()
        self._backlog = 0
        self._room = _FEW_BYTES
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._waker, False)
        os.set_blocking(input_fd, False)
        os.set_blocking(output_fd, False)
        _widen(input_fd)

    @property
    def backlog(self) -> int:
        """How many bytes the client has not taken yet."""
        return self._backlog

    def wait(self, seconds: float, reading: bool) -> bool:
        """Wait for input, and for room in the output where some is left to send."""
        readers = [self._in, self._woken] if reading else [self._woken]
        writers = [self._out] if self._pending else []
        readable, writable, _ = select.select(readers, writers, [], seconds)
        if self._woken in readable:
            os.read(self._woken, _FEW_BYTES)
        if writable:
            self._send()
        return self._in in readable

    def wake(self) -> None:
        """Let ``wait`` return. Nothing to do for a pipe that is full, or closed already."""
        with suppress(OSError):
            os.write(self._waker, b"!")

    def read(self) -> bytes | None:
        """The bytes that have arrived."""
        try:
            data = os.read(self._in, self._room)
        except BlockingIOError:
            return None
        # A small buffer for a key, a large one for a document: allocating it takes time, too.
        self._room = _READ_BYTES if len(data) == self._room else _FEW_BYTES
        return data

    def write(self, data: bytes) -> None:
        """Send at once what the pipe takes; the rest waits."""
        sent = 0
        if not self._pending:
            with suppress(BlockingIOError):
                sent = os.write(self._out, data)
        if sent < len(data):
            self._pending.append(memoryview(data)[sent:])
            self._backlog += len(data) - sent

    def _send(self) -> None:
        while self._pending:
            chunk = self._pending[0]
            try:
                sent = os.write(self._out, chunk)
            except BlockingIOError:
                return
            self._backlog -= sent
            if sent < len(chunk):
                self._pending[0] = chunk[sent:]
                return
            self._pending.popleft()

    def close(self) -> None:
        """Give the client a second to take what is left."""
        deadline = time.monotonic() + 1.0
        with suppress(OSError):
            while self._pending and time.monotonic() < deadline:
                self.wait(0.1, reading=False)
        for fd in {self._in, self._out}:
            os.set_blocking(fd, True)
        for fd in (self._woken, self._waker):
            os.close(fd)


def _widen(fd: int) -> None:
    """Enlarge a pipe's buffer, if the system can: a large document comes in fewer pieces."""
    try:
        import fcntl

        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, _READ_BYTES)
    except (ImportError, AttributeError, OSError):
        # Another system, a socket, or a limit for users: it works without, only slower.
        log.debug("the buffer of the input cannot be enlarged")


class ThreadedChannel:
    """Blocking streams and two threads: for platforms whose pipes cannot be waited for."""

    def __init__(self, read: Callable[[], bytes], write: Callable[[bytes], Any]) -> None:
        self._read = read
        self._write = write
        # Bounded: while the loop does not read, the client must not be able to write on.
        self._incoming: queue.Queue[bytes | None] = queue.Queue(_MOST_READS_AHEAD)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._arrived: deque[bytes | None] = deque()
        self._backlog = 0
        self._lock = threading.Lock()
        self._writer = threading.Thread(target=self._write_all, name="msgls-out", daemon=True)
        threading.Thread(target=self._read_all, name="msgls-in", daemon=True).start()
        self._writer.start()

    @property
    def backlog(self) -> int:
        """How many bytes the client has not taken yet."""
        return self._backlog

    def _read_all(self) -> None:
        data = b"?"
        while data:
            try:
                data = self._read()
            except (OSError, ValueError):
                data = b""
            self._incoming.put(data)

    def _write_all(self) -> None:
        gone = False
        while (data := self._outgoing.get()) is not None:
            try:
                if not gone:
                    self._write(data)
            except (OSError, ValueError):
                gone = True
                log.warning("the client is gone: output is dropped")
            with self._lock:
                self._backlog -= len(data)

    def wait(self, seconds: float, reading: bool) -> bool:
        """Wait for the reading thread."""
        if not reading:
            time.sleep(min(seconds, 0.05))
            return False
        if not self._arrived:
            with suppress(queue.Empty):
                self._arrived.append(self._incoming.get(timeout=seconds))
        return bool(self._arrived)

    def wake(self) -> None:
        """Let ``wait`` return, with ``None`` to read."""
        with suppress(queue.Full):
            self._incoming.put_nowait(None)

    def read(self) -> bytes | None:
        """What has arrived."""
        if self._arrived:
            return self._arrived.popleft()
        try:
            return self._incoming.get_nowait()
        except queue.Empty:
            return None

    def write(self, data: bytes) -> None:
        """Hand over to the writing thread."""
        with self._lock:
            self._backlog += len(data)
        self._outgoing.put(data)

    def close(self) -> None:
        """Give the client a second to take what is left."""
        self._outgoing.put(None)
        self._writer.join(1.0)


class Receiver(Protocol):
    """The handler of messages."""

    @property
    def exit_code(self) -> int | None:
        """The exit code of the process, once the client has said goodbye or is gone."""

    @property
    def is_idle(self) -> bool:
        """Whether every message that was received is handled."""

    def receive(self, message: Any) -> None:
        """Receive a message as it arrives: a JSON value, or ``ParseError``."""

    def step(self) -> bool:
        """Handle one message, or do a little background work; false if there is nothing to do."""

    def prepare(self, is_quiet: bool) -> bool:
        """Load one more thing that may be needed; false if there is none for now."""

    def tick(self) -> None:
        """Called every few seconds."""

    @property
    def due(self) -> float:
        """When ``step`` must be called even if nothing arrives, by the monotonic clock."""


TICK_SECONDS = 3.0


def run(channel: Channel, receiver: Receiver) -> int:
    """Serve one client until it says goodbye or is gone; the exit code of the process."""
    try:
        return _Loop(channel, receiver).run()
    except FramingError as error:
        log.error("%s: giving up", error)
    except OSError:
        log.info("the connection is lost")
    return 1


class _Loop:
    """Waits, reads, and lets one message at a time be handled."""

    def __init__(self, channel: Channel, receiver: Receiver) -> None:
        self._channel = channel
        self._receiver = receiver
        self._framer = Framer()
        self._next_tick = time.monotonic() + TICK_SECONDS
        self._stalls_at: float | None = None
        """When a message that has begun is taken as it is; never twice without new input."""
        self._unhandled_bytes = 0
        self._ended = False
        self._quiet_at = 0.0
        """From when on nothing has arrived for a while, so that there is time for ``prepare``."""

    def run(self) -> int:
        """Go on until there is an exit code."""
        receiver, busy = self._receiver, False
        while receiver.exit_code is None:
            full = self._channel.backlog >= MOST_BACKLOG_BYTES
            reading = not (self._ended or full or self._unhandled_bytes >= MOST_UNHANDLED_BYTES)
            readable = self._channel.wait(0.0 if busy else self._pause(), reading)
            if reading:
                self._take(self._channel.read() if readable else None)
            busy = not full and (receiver.step() or self._prepare())
            if receiver.is_idle:
                self._unhandled_bytes = 0
            if self._ended and not busy and receiver.exit_code is None:
                log.info("the client closed the connection without saying goodbye")
                return 1
            if time.monotonic() >= self._next_tick:
                self._next_tick = time.monotonic() + TICK_SECONDS
                receiver.tick()
        return receiver.exit_code

    def _prepare(self) -> bool:
        """Prepare, but not while a message is arriving, nor without a client."""
        return not (self._ended or self._framer.is_waiting) and self._receiver.prepare(
            time.monotonic() >= self._quiet_at
        )

    def _pause(self) -> float:
        now, until = time.monotonic(), min(self._next_tick, self._receiver.due)
        if self._stalls_at is not None:
            until = min(until, self._stalls_at)
        if self._quiet_at > now:
            until = min(until, self._quiet_at)
        return max(until - now, 0.0)

    def _take(self, data: bytes | None) -> None:
        """Hand over the messages that are whole now."""
        now = time.monotonic()
        if data:
            self._framer.feed(data)
            self._unhandled_bytes += len(data)
            self._quiet_at = now + _QUIET_SECONDS
            self._hand_over()
            self._stalls_at = now + _STALLED_SECONDS if self._framer.is_waiting else None
        elif data is not None:
            self._ended = True
            self._salvage()
        elif self._stalls_at is not None and now >= self._stalls_at:
            self._salvage()

    def _hand_over(self) -> None:
        while (message := self._framer.next()) is not None:
            self._receiver.receive(message)

    def _salvage(self) -> None:
        self._stalls_at = None
        while (message := self._framer.salvage()) is not None:
            self._receiver.receive(message)
            self._hand_over()


def socket_channel(connection: socket.socket) -> Channel:
    """A channel over a socket; with threads on Windows, where it is not a file descriptor."""
    if os.name == "nt":
        return ThreadedChannel(lambda: connection.recv(_READ_BYTES), connection.sendall)
    return PipeChannel(connection.fileno(), connection.fileno())


def stdio_channel() -> Channel:
    """Standard input and output; whatever else prints goes to standard error from here on."""
    input_fd, output_fd = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    if os.name == "nt":
        import msvcrt

        for fd in (input_fd, output_fd):
            msvcrt.setmode(fd, os.O_BINARY)  # type: ignore[attr-defined]  # Windows
        return ThreadedChannel(
            lambda: os.read(input_fd, _READ_BYTES), lambda data: _write_all(output_fd, data)
        )
    return PipeChannel(input_fd, output_fd)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
