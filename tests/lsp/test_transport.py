"""Bytes to messages, and the loop that reads, handles and writes, in one process."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.host.alive import is_alive
from msgls.lsp import transport
from msgls.lsp.transport import Framer, FramingError, ParseError, PipeChannel, ThreadedChannel, run
from tests.lsp.wire import framed
from tests.notation import table

A = b'{"id":1,"method":"a"}'
B = b'{"id":2,"method":"b"}'
GOOD = b"Content-Length: %d\r\n\r\n" % len(B) + B


def header(length: int | bytes, body: bytes = A) -> bytes:
    text = b"%d" % length if isinstance(length, int) else length
    return b"Content-Length: " + text + b"\r\n\r\n" + body


# What is sent before a good message, and what is read of it.
HEADERS = {
    "as it should be": (header(len(A)), ["a", "b"]),
    "lower case": (b"content-length: %d\r\n\r\n" % len(A) + A, ["a", "b"]),
    "upper case": (b"CONTENT-LENGTH: %d\r\n\r\n" % len(A) + A, ["a", "b"]),
    "no blank after the colon": (b"Content-Length:%d\r\n\r\n" % len(A) + A, ["a", "b"]),
    "blanks and tabs": (b"Content-Length \t:\t  %d \r\n\r\n" % len(A) + A, ["a", "b"]),
    "line feeds only": (b"Content-Length: %d\n\n" % len(A) + A, ["a", "b"]),
    "another header before": (b"Content-Type: x\r\n" + header(len(A)), ["a", "b"]),
    "another header after": (
        b"Content-Length: %d\r\nContent-Type: x\r\n\r\n" % len(A) + A,
        ["a", "b"],
    ),
    "two lengths": (b"Content-Length: 3\r\n" + header(len(A)), ["a", "b"]),
    "garbage on the line": (b"garbage" + header(len(A)), ["a", "b"]),
    "garbage on lines before": (b"one\ntwo\r\n" + header(len(A)), ["a", "b"]),
    "a garbage header": (b"garbage\r\n\r\n" + header(len(A)), ["a", "b"]),
    "binary garbage": (bytes(range(256)) + header(len(A)), ["a", "b"]),
    "blank lines": (b"\r\n\r\n\n\n" + header(len(A)), ["a", "b"]),
    "a body without a header": (A, ["b"]),
    "too long a length": (header(len(A) + 5), ["a", "b"]),
    "a length over the next message": (header(len(A) + len(GOOD)), ["a", "b"]),
    "too short a length": (header(len(A) - 5), ["a", "b"]),
    "a length of nothing": (header(0), ["a", "b"]),
    "a negative length": (header(-5), ["b"]),
    "a length that is not a number": (header(b"many"), ["b"]),
    "an empty length": (header(b""), ["b"]),
    "no JSON": (header(5, b"hello"), ["?", "b"]),
    "half of the JSON": (header(9, b'{"id":1,"'), ["?", "b"]),
    "null": (header(4, b"null"), ["?", "b"]),
    "not UTF-8": (header(9, b'{"x":"\xff"}'), ["?", "b"]),
    "very deep JSON": (header(200_000, b"[" * 200_000), ["?", "b"]),
    "a long number": (header(9_999, b"7" * 9_999), ["?", "b"]),
    "no header for long": (b"x" * 200_000 + b"\r\n", ["b"]),
}


def names(framer: Framer) -> list[str]:
    found = []
    while (message := framer.next()) is not None:
        found.append("?" if message is ParseError else message["method"])
    return found


@table("sent, wanted", HEADERS)
def test_the_next_message_is_always_read(sent: bytes, wanted: list[str]) -> None:
    framer = Framer()
    framer.feed(sent + GOOD)
    assert names(framer) == wanted
    assert not framer.is_waiting


@table("sent, wanted", HEADERS)
def test_the_next_message_is_read_if_bytes_trickle_in(sent: bytes, wanted: list[str]) -> None:
    framer, found, step = Framer(), [], max(len(sent) // 500, 1)
    for start in range(0, len(sent), step):
        framer.feed(sent[start : start + step])
        found += names(framer)
    framer.feed(GOOD)
    found += names(framer)
    # What is cut too short is lost if the rest is not there yet; what follows is not.
    assert found[-1] == "b"
    assert "?" in found or found == wanted


def test_a_message_after_the_damage_is_whole_again() -> None:
    framer = Framer()
    for sent, _ in HEADERS.values():
        framer.feed(sent + GOOD + GOOD)
        assert names(framer)[-2:] == ["b", "b"]


@pytest.mark.parametrize("length", [b"1000000000000", b"9" * 18, b"9" * 19, b"9" * 5_000])
def test_a_length_that_cannot_be_meant_is_refused(length: bytes) -> None:
    framer = Framer()
    framer.feed(header(length))
    with pytest.raises(FramingError, match="too large"):
        framer.next()


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_no_bytes_raise_anything_else(data: bytes, more: bytes) -> None:
    framer = Framer()
    for chunk in (data, b"Content-Length: " + more, GOOD):
        framer.feed(chunk)
        try:
            names_or_values = [framer.next(), framer.next(), framer.salvage()]
        except FramingError:
            return
        assert len(names_or_values) == 3


SALVAGE = {
    "too long a length": (header(len(A) + 5), 1),
    "a negative length": (header(-5), 1),
    "a length that is not a number": (header(b"many"), 1),
    "blanks around": (header(99, b"\n " + A + b"\n"), 1),
    "half a message": (header(len(A), A[:-3]), None),
    "half a header": (b"Content-Le", None),
    "nothing": (b"", None),
    "an array": (header(99, b"[1]"), None),
}


@table("sent, request_id", SALVAGE)
def test_when_input_stalls_what_is_whole_is_taken(sent: bytes, request_id: int | None) -> None:
    framer = Framer()
    framer.feed(sent)
    assert framer.next() is None
    salvaged = framer.salvage()
    assert (salvaged and salvaged["id"]) == request_id
    assert framer.salvage() is None
    if request_id is not None:
        framer.feed(GOOD)
        assert names(framer) == ["b"]


# -- the loop -----------------------------------------------------------------------------


class Recorder:
    """Takes messages; answers each by writing as many bytes as it says."""

    def __init__(self, channel: transport.Channel) -> None:
        self.exit_code: int | None = None
        self.queue: list[Any] = []
        self.handled: list[Any] = []
        self.ticks = 0
        self.unprepared = 0
        self.most_queued = 0
        self._channel = channel
        self.due = float("inf")

    @property
    def is_idle(self) -> bool:
        return not self.queue

    def receive(self, message: Any) -> None:
        self.queue.append(message)
        self.most_queued = max(self.most_queued, len(self.queue))

    def step(self) -> bool:
        if not self.queue:
            return False
        message = self.queue.pop(0)
        self.handled.append(message)
        if isinstance(message, dict):
            self._channel.write(b"x" * message.get("bytes", 0))
            self.exit_code = message.get("exit")
        return True

    def prepare(self, is_quiet: bool) -> bool:
        self.unprepared -= self.unprepared > 0
        return self.unprepared > 0

    def tick(self) -> None:
        self.ticks += 1


class Served:
    """A loop in a thread, with the client's ends of two pipes."""

    def __init__(self) -> None:
        server_in, self.write_fd = os.pipe()
        self.read_fd, server_out = os.pipe()
        self.fds = [server_in, server_out, self.read_fd, self.write_fd]
        self.channel = PipeChannel(server_in, server_out)
        self.recorder = Recorder(self.channel)
        self.code: int | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self.code = run(self.channel, self.recorder)

    def send(self, data: bytes) -> None:
        os.write(self.write_fd, data)

    def ended(self) -> int | None:
        self._thread.join(30)
        assert not self._thread.is_alive(), "the loop goes on"
        return self.code

    def until(self, condition: Any) -> None:
        deadline = time.monotonic() + 30
        while not condition():
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.005)


@contextmanager
def served() -> Iterator[Served]:
    it = Served()
    try:
        yield it
    finally:
        it.recorder.exit_code = 9
        if it.write_fd in it.fds:
            os.write(it.write_fd, b"\n")
        it._thread.join(10)
        for fd in it.fds:
            os.close(fd)


pipes = pytest.mark.skipif(os.name == "nt", reason="its pipes cannot be waited for")


@pipes
def test_messages_are_handled_in_order_and_the_exit_code_is_given() -> None:
    with served() as it:
        it.send(b"".join(framed({"number": number}) for number in range(100)))
        it.send(framed({"exit": 7}))
        assert it.ended() == 7
        assert [message.get("number") for message in it.recorder.handled[:-1]] == [*range(100)]


@pipes
def test_what_may_be_asked_for_is_prepared_while_nothing_arrives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport, "TICK_SECONDS", 0.02)
    message = framed({"number": 1})
    with served() as it:
        it.send(message[:-1])
        ticks = it.recorder.ticks
        it.until(lambda: it.recorder.ticks > ticks + 1)
        it.recorder.unprepared = 5
        it.until(lambda: it.recorder.ticks > ticks + 4)
        # The message is not whole yet, and what it asks for is wanted first.
        assert it.recorder.unprepared == 5
        it.send(message[-1:])
        it.until(lambda: it.recorder.handled and not it.recorder.unprepared)


@pipes
def test_nothing_is_prepared_for_a_client_that_is_gone() -> None:
    with served() as it:
        it.send(framed({"number": 1}))
        it.until(lambda: it.recorder.handled)
        it.recorder.unprepared = 1_000_000
        os.close(it.write_fd)
        it.fds.remove(it.write_fd)
        assert it.ended() == 1
        assert it.recorder.unprepared > 0


@pipes
def test_what_came_before_the_end_is_handled() -> None:
    with served() as it:
        # Too long a length: with the end of the input, it is clear that no more will come.
        it.send(framed({"number": 1}) + header(1_000, b'{"number": 2}'))
        os.close(it.write_fd)
        it.fds.remove(it.write_fd)
        assert it.ended() == 1
        assert it.recorder.handled == [{"number": 1}, {"number": 2}]


@pipes
def test_a_stalled_message_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_STALLED_SECONDS", 0.05)
    with served() as it:
        it.send(header(1_000, b'{"number": 1}'))
        it.until(lambda: it.recorder.handled)
        it.send(framed({"number": 2}))
        it.until(lambda: len(it.recorder.handled) == 2)
        assert it.recorder.handled == [{"number": 1}, {"number": 2}]


@pipes
def test_a_stream_that_cannot_be_followed_ends_with_1(caplog: pytest.LogCaptureFixture) -> None:
    with served() as it:
        it.send(framed({"number": 1}) + header(b"1000000000000"))
        assert it.ended() == 1
    assert "1000000000000 is too large: giving up" in caplog.text


@pipes
def test_a_client_that_closes_its_ears_ends_it_with_1() -> None:
    with served() as it:
        os.close(it.read_fd)
        it.fds.remove(it.read_fd)
        it.send(framed({"bytes": 10}))
        # In the step itself: the real receiver notes it; this one lets it through.
        assert it.ended() == 1


@pipes
def test_a_client_that_does_not_read_stops_the_server_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport, "MOST_BACKLOG_BYTES", 1 << 17)
    monkeypatch.setattr(transport, "TICK_SECONDS", 0.05)
    size, count = 50_000, 40
    with served() as it:
        it.send(b"".join(framed({"bytes": size}) for _ in range(count)))
        it.until(lambda: it.channel.backlog >= 1 << 17)
        ticks = it.recorder.ticks
        it.until(lambda: it.recorder.ticks > ticks + 2)
        # It is watched still, but it says no more than one answer over the bound.
        assert it.channel.backlog < (1 << 17) + size
        assert len(it.recorder.handled) < count
        read = 0
        while read < size * count:
            read += len(os.read(it.read_fd, 1 << 16))
        assert read == size * count
        assert len(it.recorder.handled) == count
        it.send(framed({"exit": 0}))
        assert it.ended() == 0


@pipes
def test_what_is_read_and_not_handled_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MOST_UNHANDLED_BYTES", 1 << 16)
    monkeypatch.setattr(transport, "_READ_BYTES", 1 << 12)
    message = framed({"padding": "x" * 100})
    count = (1 << 20) // len(message)
    with served() as it:
        data = message * count + framed({"exit": 0})
        while data:
            data = data[os.write(it.write_fd, data[: 1 << 15]) :]
        assert it.ended() == 0
        assert len(it.recorder.handled) == count + 1
        assert it.recorder.most_queued <= ((1 << 16) + (1 << 13)) // len(message)


def test_blocking_streams_are_read_and_written_by_threads() -> None:
    server_in, client_out = os.pipe()
    client_in, server_out = os.pipe()
    channel = ThreadedChannel(
        lambda: os.read(server_in, 1 << 16), lambda data: os.write(server_out, data)
    )
    recorder = Recorder(channel)
    os.write(client_out, framed({"bytes": 5}) + framed({"exit": 3}))
    assert run(channel, recorder) == 3
    channel.close()
    assert os.read(client_in, 99) == b"xxxxx"
    assert channel.backlog == 0
    os.close(client_out)
    for fd in (server_in, client_in, server_out):
        os.close(fd)


def test_a_reading_thread_does_not_run_ahead_without_bound() -> None:
    reads = iter(range(10_000))
    channel = ThreadedChannel(lambda: b"%d" % next(reads), lambda data: None)
    time.sleep(0.1)
    assert next(reads) < 200
    channel.close()


# -- processes ----------------------------------------------------------------------------


def test_whether_a_process_lives() -> None:
    assert is_alive(os.getpid())
    assert is_alive(os.getppid())
    assert not is_alive(0)
    assert not is_alive(-1)
    if os.name != "nt":
        assert not is_alive(10**30)


def test_a_process_that_has_ended_does_not_live() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert is_alive(child.pid)
    child.kill()
    if sys.platform == "linux":
        # Ended, but nobody asked how: it still has its number.
        deadline = time.monotonic() + 30
        while is_alive(child.pid):
            assert time.monotonic() < deadline
            time.sleep(0.01)
    child.communicate()
    assert not is_alive(child.pid)


def test_json_is_what_is_framed() -> None:
    framer = Framer()
    framer.feed(framed({"text": "ü\u2028🦊"}))
    assert framer.next() == json.loads('{"text": "ü\\u2028🦊"}')
