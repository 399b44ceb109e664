"""The runner for Jupyter: any kernel that is installed, through ``jupyter_client``.

Owns the kernel of one document, and limits its output: events are written at most ten times a
second, output that is too large for a cell goes to a file, and of updates that replace each other
only the last is written. So a kernel that prints without end affects only this process.

The kernel's messages are always received immediately, even if nobody reads the events: a kernel
drops messages that are not received, including the one that it is idle.
"""

from __future__ import annotations

import asyncio
import base64
import json
import mimetypes
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from io import BytesIO, RawIOBase
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from msgls.conversation.notebook_outputs import content_of, error_of, sorted_types
from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE, MimeType
from msgls.text.streams import Lines, plain

if TYPE_CHECKING:
    from jupyter_client.asynchronous.client import AsyncKernelClient
    from jupyter_client.manager import AsyncKernelManager
    from jupyter_client.session import Session

Wire = dict[str, Any]

MOST_IN_CELL = 100_000
"""How many characters of text, or of data in one representation, are written into a cell."""
MOST_IN_FILE = 64_000_000
"""How many characters of text a run writes into a file, and of data into all files together."""
MOST_IN_RUN = 5_000_000
"""How many characters of data are written into all cells of a run together."""
MOST_SHOWN = 2_000
"""How many outputs a run has."""
MOST_WAITING = 128_000_000
"""How many bytes of a kernel's messages are buffered, here and after an interrupt."""
MOST_AFTER_INTERRUPT = 2_000_000
_AT_ONCE = 100
# The frame before the signature and the header of a message.
_BEFORE_HEADER = b"<IDS|MSG>"
_LONGEST_VALUE = 1_000
_PAUSE_SECONDS = 0.1
_LOOK_SECONDS = 0.5
_IDLE_LOOK_SECONDS = 1.0
# It is tried several times: if another program takes a port first, the kernel never answers.
_START_SECONDS = (10.0, 20.0, 60.0)
_PATIENCE_SECONDS = 5.0
_END_OF_INPUT = "\x04"


# Buffered events that a `clear` event makes obsolete.
_SHOWN = ("text", "data", "error", "file", "clear")


class _Writer:
    """Writes events in a thread, because the reader may pause (for example at a terminal).

    The buffer is bounded: an event replaces buffered ones that it makes obsolete.
    """

    def __init__(self, out: RawIOBase | BytesIO) -> None:
        self._out = out
        self._waiting: list[Wire] = []
        self._is_due = self._is_closed = False
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def __call__(self, event: str, **said: Any) -> None:
        """Write an event immediately, after all buffered ones."""
        self.hold(event, **said)
        self.release()

    def hold(self, event: str, **said: Any) -> None:
        """Buffer an event until the next call of ``release``."""
        with self._change:
            if event == "clear":
                self._waiting = [e for e in self._waiting if not _is_cleared(e)]
            elif event == "data" and said["kind"] == "update":
                other = ("update", said["id"])
                self._waiting = [e for e in self._waiting if (e.get("kind"), e.get("id")) != other]
            elif event == "text" and self._waiting and _can_join(self._waiting[-1], said):
                said["lines"] = self._waiting.pop()["lines"] + said["lines"]
            self._waiting.append({"event": event, **said})

    def release(self) -> None:
        """Write the buffered events."""
        with self._change:
            self._is_due |= bool(self._waiting)
            self._change.notify()

    def close(self) -> None:
        """Write the buffered events, and stop; waits only some seconds if nobody reads."""
        with self._change:
            self._is_closed = self._is_due = True
            self._change.notify()
        self._thread.join(_PATIENCE_SECONDS)

    def _write(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._is_due)
                events, self._waiting = self._waiting, []
                self._is_due = is_last = self._is_closed
            data = b"".join([json.dumps(event).encode() + b"\n" for event in events])
            # A reader that closes the output also closes the input, which ends the runner.
            with suppress(OSError):
                while data:
                    data = data[self._out.write(data) :]
            if is_last:
                return


def _is_cleared(event: Wire) -> bool:
    """Whether an event is output of the current run, and not an update of an earlier one."""
    return event["event"] in _SHOWN and event.get("kind") != "update"


def _can_join(before: Wire, said: Wire) -> bool:
    """Whether a text event can be joined with the text event before it."""
    is_same = before["event"] == "text" and before["stream"] == said["stream"]
    return is_same and not before.get("open")


# -- output of a run -----------------------------------------------------------------------


class _Files:
    """The output files of a run; never a file that existed before."""

    def __init__(self, folder: Path, stem: str) -> None:
        self._folder = folder
        self._stem = stem
        self._made: list[Path] = []
        self._unused: list[Path] = []
        """The files among them that no output refers to any more."""

    def make(self, ending: str) -> BinaryIO | None:
        """A new file, or an unused one; ``None`` if none can be created."""
        with suppress(OSError):
            for path in self._unused:
                if path.suffix == ending:
                    self._unused.remove(path)
                    return path.open("wb")
        first = sum(path.suffix == ending for path in self._made) + 1
        for number in range(first, first + 1_000):
            suffix = "" if number == 1 else f"-{number}"
            path = self._folder / f"{self._stem}{suffix}{ending}"
            try:
                file = path.open("xb")
            except FileExistsError:
                continue
            except OSError:
                return None
            self._made.append(path)
            return file
        return None

    def release(self, names: Collection[str] | None = None, *, but: Collection[str] = ()) -> None:
        """Mark the files with these names as unused; without names, all files but ``but``."""
        for path in self._made:
            is_released = path.name not in but if names is None else path.name in names
            if is_released and path not in self._unused:
                self._unused.append(path)

    def close(self) -> None:
        """Delete the unused files."""
        for path in self._unused:
            with suppress(OSError):
                path.unlink()


class _Texts:
    """The text that a run prints: lines for a cell, and if that is full, all of it in a file."""

    def __init__(self, write: _Writer, files: _Files) -> None:
        self._write = write
        self._files = files
        self._stream = ""
        self._lines = Lines()
        self._waiting: list[str] = []
        self._written_rest = ""
        self._head: list[str] = []
        """The lines in the cell, which are repeated in the file."""
        self._room = MOST_IN_CELL
        self._is_full = False
        self._file: BinaryIO | None = None
        self._in_file = 0
        self.dropped = 0

    def take(self, stream: str, text: str) -> None:
        """Take more text."""
        if stream != self._stream:
            self.finish()
            self._stream = stream
        lines = self._lines.take(text)
        self._add(lines, is_cut=self._lines.is_cut)

    def finish(self) -> None:
        """End the current line, because something else follows."""
        rest = self._lines.finish()
        if rest:
            self._add([rest])
        self.flush(is_open=bool(rest))

    def flush(self, *, is_open: bool = False) -> None:
        """Write the lines so far as an event; ``is_open`` if the last one has no line break."""
        rest = "" if self._is_full else self._lines.rest[: max(self._room, 0)]
        if self._waiting or rest != self._written_rest:
            text = {"lines": self._waiting, "rest": rest, "open": is_open and not self._is_full}
            self._write.hold("text", stream=self._stream, **text)
        self._waiting, self._written_rest = [], rest
        if self._file is not None:
            with suppress(OSError):
                self._file.flush()

    def clear(self) -> None:
        """Discard the text so far."""
        self._lines, self._waiting, self._written_rest = Lines(), [], ""
        self._head, self._room, self._is_full = [], MOST_IN_CELL, False
        self._close_file()
        self.dropped = 0

    def close(self) -> None:
        """Finish the last line, and close the file."""
        self.finish()
        self._close_file()

    def _close_file(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
        self._file, self._in_file = None, 0

    def _add(self, lines: list[str], *, is_cut: bool = False) -> None:
        for number, line in enumerate(lines, 1):
            if not self._is_full and len(line) < self._room:
                self._room -= len(line) + 1
                self._waiting.append(line)
                self._head.append(line)
            else:
                self._fill(line)
                self._keep(line, "" if is_cut and number == len(lines) else "\n")

    def _fill(self, line: str) -> None:
        """Fill the cell with the start of a line that does not fit, and begin a file."""
        if self._is_full:
            return
        self._is_full = True
        if self._room > 0:
            self._waiting.append(line[: self._room])
        self.flush()
        self._file = self._files.make(".txt")
        name = None if self._file is None else Path(self._file.name).name
        self._write.hold("file", name=name)
        for line in self._head if self._file is not None else ():
            self._keep(line)
        self._head = []

    def _keep(self, line: str, end: str = "\n") -> None:
        line += end
        if self._file is not None and self._in_file + len(line) <= MOST_IN_FILE:
            self._in_file += len(line)
            with suppress(OSError):
                self._file.write(line.encode("utf-8", "replace"))
                return
        self.dropped += len(line)


_Representation = tuple[str, str | None, str | None, Mapping[str, Any]]
"""MIME type, content or file, and metadata."""


class _RunOutput:
    """Writes the output of one run as events."""

    def __init__(self, write: _Writer, folder: Path, stem: str) -> None:
        self._write = write
        self._folder = folder
        self._stem = stem
        self.count: int | None = None
        self._is_clearing = False
        self._open()

    def started(self, count: object) -> None:
        """Handle the start of execution, with the execution count."""
        if self.count is None:
            self.count = count if isinstance(count, int) else 0
            self._open()
            self._write("started", count=self.count)

    def _open(self) -> None:
        self._files = _Files(self._folder, f"{self._stem}.{self.count or 0}")
        self.texts = _Texts(self._write, self._files)
        self._updated: dict[str, list[str]] = {}
        """The files with the current content of updated displays, by id; also of earlier runs."""
        self._reset()

    def _reset(self) -> None:
        self._room, self._file_room, self._dropped = MOST_IN_RUN, MOST_IN_FILE, 0
        self._left, self.left_out = MOST_SHOWN, 0
        self._displayed: dict[str, list[str]] = {}
        """The files with the first content of displays of this run, by id."""

    @property
    def dropped(self) -> int:
        """How many characters were not kept."""
        return self._dropped + self.texts.dropped

    def close(self) -> None:
        """Finish all output."""
        self.texts.close()
        self._files.close()

    def take(self, kind: str, content: Wire) -> None:
        """Handle a message of the kernel."""
        if kind == "execute_input":
            self.started(content.get("execution_count"))
        elif kind == "clear_output":
            self._is_clearing = True
            if not content.get("wait"):
                self._clear()
        elif kind in ("stream", "display_data", "execute_result", "error", "update_display_data"):
            # Not every kernel sends `execute_input`.
            self.started(content.get("execution_count"))
            self._clear()
            self._show(kind, content)

    def _clear(self) -> None:
        if self._is_clearing:
            self._is_clearing = False
            self.texts.clear()
            self._files.release(but=[name for names in self._updated.values() for name in names])
            self._reset()
            self._write.hold("clear")

    def _show(self, kind: str, content: Wire) -> None:
        if kind == "stream":
            name = "stderr" if content.get("name") == "stderr" else "stdout"
            self.texts.take(name, str(content.get("text", "")))
            return
        if kind != "update_display_data":
            if not self._left:
                self.left_out += 1
                return
            self._left -= 1
        self.texts.finish()
        if kind == "error":
            self._show_error(content)
        else:
            self._show_data(kind, content)

    def _show_data(self, kind: str, content: Wire) -> None:
        kinds = {"execute_result": "result", "update_display_data": "update"}
        display = (content.get("transient") or {}).get("display_id")
        files = self._displayed
        if kind == "update_display_data":
            for files in (self._displayed, self._updated):
                self._files.release(files.pop(str(display), ()))
        data = list(self._representations(content.get("data") or {}))
        named = files.setdefault(str(display), [])
        named += [file for _, _, file, _ in data if file is not None and display is not None]
        about = content.get("metadata")
        if about and len(json.dumps(about)) > MOST_IN_CELL:
            about = None
        self._write.hold(
            "data",
            kind=kinds.get(kind, "display"),
            id=display,
            data=data,
            meta={"metadata": about} if about else {},
        )

    def _show_error(self, content: Wire) -> None:
        trace = "\n".join(map(str, content.get("traceback") or ()))
        short = f"{content.get('ename')}: {content.get('evalue')}"
        said = (plain(trace) or plain(short)).replace("\r", "")
        file = None
        if len(said) > MOST_IN_CELL:
            file = self._file_of(DEFAULT_MIME_TYPE, said)
            # The end is the most informative part.
            said = "…" + said[1 - MOST_IN_CELL :]
        lines = said.split("\n")
        named = str(content.get("ename", "")), str(content.get("evalue", ""))
        meta = {}
        if error_of(lines) != named:
            meta = {"ename": named[0][:_LONGEST_VALUE], "evalue": named[1][:_LONGEST_VALUE]}
        self._write.hold("error", lines=lines, file=file, meta=meta)

    def _representations(self, bundle: Mapping[str, Any]) -> Iterator[_Representation]:
        for mime in sorted_types(bundle):
            content, about = content_of(mime, bundle[mime])
            # Short data is not put into a file.
            room = max(min(MOST_IN_CELL, self._room), _LONGEST_VALUE)
            name = self._file_of(mime, content) if len(content) > room else None
            head = content[:room] if mime == DEFAULT_MIME_TYPE or len(content) <= room else ""
            if name is None:
                self._room -= len(head)
                self._dropped += len(content) - len(head)
            yield mime, None if name else head, name, about

    def _file_of(self, mime: str, content: str) -> str | None:
        """Write data that is too large for a cell into a file, decoded if it is binary."""
        if len(content) > self._file_room:
            return None
        file = self._files.make(mimetypes.guess_extension(mime) or ".txt")
        if file is None:
            return None
        is_binary = MimeType(mime).is_binary
        with suppress(OSError, ValueError), file:
            file.write(base64.b64decode(content) if is_binary else content.encode())
            self._file_room -= len(content)
            return Path(file.name).name
        return None


# -- kernels --------------------------------------------------------------------------------


class NoKernelError(Exception):
    """Raised if there is no kernel to run code with."""

    def __init__(self, why: str, said: str = "", kernels: list[str] | None = None) -> None:
        super().__init__(why)
        self.event = {"why": why, "said": said, "kernels": kernels or []}


def choose(language: str, specs: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The kernel for a language: one of that name, or one for it or for an alias of it."""
    names = _aliases(language.casefold())
    fitting = [
        name
        for name, spec in specs.items()
        if name.casefold() in names or str(spec.get("language", "")).casefold() in names
    ]
    # `python3` is the default kernel of Jupyter.
    first = [name for name in ("python3", language) if name in fitting]
    return (first + sorted(fitting))[0] if fitting else None


def _aliases(language: str) -> set[str]:
    from pygments.lexers import get_all_lexers

    names = {language}
    for name, aliases, _, _ in get_all_lexers(plugins=False):
        called = {name.casefold(), *[alias.casefold() for alias in aliases]}
        if language in called:
            names |= called
    return names


class _Messages:
    """A bounded queue of messages from a kernel.

    Messages are stored unparsed. If it is full, output messages are dropped and counted; messages
    about the state of the execution never are.
    """

    def __init__(self, session: Session | None = None) -> None:
        self._session = session
        self._waiting: deque[_Waiting] = deque()
        self._size = 0
        self._came = asyncio.Event()
        # Output while nothing runs belongs to no run, and is dropped.
        self._most = 0
        self.dropped = 0
        """About how many characters of output of a run were dropped."""

    def begin(self) -> None:
        """Start accepting output, because a run begins."""
        self._most = MOST_WAITING
        self.dropped = 0

    def put(self, channel: str, item: Wire | list[bytes]) -> None:
        """Add a message, or its frames."""
        self._keep(_Waiting(channel, item))
        self._came.set()

    async def get(self, seconds: float) -> tuple[str, Wire]:
        """The next message with its channel; both empty if none comes in that many seconds."""
        if self._waiting:
            # Let other tasks run.
            await asyncio.sleep(0)
        else:
            self._came.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._came.wait(), seconds)
        if not self._waiting:
            return "", {}
        channel, item = waiting = self._waiting.popleft()
        self._size -= waiting.size
        if isinstance(item, dict):
            return channel, item
        assert self._session is not None
        try:
            return channel, self._session.deserialize(self._session.feed_identities(item)[1])
        except ValueError:
            # A message with a wrong signature is ignored.
            return channel, {}

    @property
    def is_empty(self) -> bool:
        """Whether the queue is empty."""
        return not self._waiting

    def shorten(self, most: int = 0) -> None:
        """Limit the output in the queue to that many bytes, now and later; to none after a run."""
        self._most = most
        waiting, self._waiting, self._size = self._waiting, deque(), 0
        for each in waiting:
            self._keep(each)

    def _keep(self, waiting: _Waiting) -> None:
        if self._size + waiting.size > self._most and waiting.is_shown:
            self.dropped += waiting.size
        else:
            self._waiting.append(waiting)
            self._size += waiting.size


class _Waiting(NamedTuple):
    """A message in the queue."""

    channel: str
    item: Wire | list[bytes]

    @property
    def size(self) -> int:
        """Its size in bytes; 0 if it is not in frames."""
        return sum(map(len, self.item)) if isinstance(self.item, list) else 0

    @property
    def is_shown(self) -> bool:
        """Whether it is output, which may be dropped."""
        if not isinstance(self.item, list):
            return False
        try:
            header = json.loads(self.item[self.item.index(_BEFORE_HEADER) + 2])
            return header["msg_type"] in ("stream", "display_data", "update_display_data")
        except (ValueError, LookupError, TypeError):
            return False


class _Kernel:
    """A kernel, and the queue of its messages."""

    def __init__(self, manager: AsyncKernelManager, folder: Path) -> None:
        self._manager = manager
        self._folder = folder
        self._pumps: list[asyncio.Task[None]] = []
        self.client: AsyncKernelClient
        self.messages = _Messages()

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        for seconds in _START_SECONDS:
            if self._manager.has_kernel:
                await self._manager.restart_kernel(now=True, newports=True)
            else:
                await self._manager.start_kernel(cwd=str(self._folder))
            client = self.client = self._manager.client()
            # No limit, so that no message is dropped before it is received.
            client.context.rcvhwm = 0
            client.start_channels()
            try:
                await client.wait_for_ready(timeout=seconds)
            except RuntimeError as error:
                client.stop_channels()
                said = str(error)
            else:
                break
        else:
            await self.end()
            raise NoKernelError("start", said)
        self.messages = _Messages(client.session)
        channels = {
            "iopub": client.iopub_channel,
            "shell": client.shell_channel,
            "stdin": client.stdin_channel,
        }
        self._pumps = [asyncio.create_task(self._pump(*each)) for each in channels.items()]

    async def _pump(self, name: str, channel: Any) -> None:
        for number in count(1):
            self.messages.put(name, await channel.socket.recv_multipart())
            if number % _AT_ONCE == 0:
                # Receiving does not yield while messages are available.
                await asyncio.sleep(0)

    async def restart(self) -> None:
        """Restart it; its state is lost."""
        self._close()
        await self.start()

    async def is_alive(self) -> bool:
        """Whether its process runs."""
        return bool(await self._manager.is_alive())

    @property
    def exit_code(self) -> int | None:
        """The exit code of its process."""
        process = getattr(self._manager.provisioner, "process", None)
        return None if process is None else process.poll()

    async def interrupt(self) -> None:
        """Interrupt its code."""
        with suppress(RuntimeError, OSError):
            await self._manager.interrupt_kernel()

    async def end(self) -> None:
        """Kill it."""
        self._close()
        with suppress(RuntimeError, OSError):
            await self._manager.shutdown_kernel(now=True)

    def _close(self) -> None:
        for pump in self._pumps:
            pump.cancel()
        self._pumps = []
        self.client.stop_channels()


def _manager(language: str, kernel: str | None) -> tuple[AsyncKernelManager, str, str]:
    """The manager of the chosen kernel, its name and its title."""
    try:
        from jupyter_client.kernelspec import KernelSpecManager
        from jupyter_client.manager import AsyncKernelManager
    except ImportError as error:
        raise NoKernelError("extra", str(error)) from None
    specs = {name: found["spec"] for name, found in KernelSpecManager().get_all_specs().items()}
    name = choose(language, specs) if kernel is None else kernel
    if name not in specs:
        kernels = [f"{known} ({spec.get('language', '')})" for known, spec in sorted(specs.items())]
        raise NoKernelError("kernel", kernel or "", kernels)
    title = str(specs[name].get("display_name", name))
    return AsyncKernelManager(kernel_name=name), name, title


class _Run:
    """The state of one run of code, from the messages of the kernel."""

    def __init__(self, run_id: str, output: _RunOutput, write: _Writer) -> None:
        self.output = output
        self.status = "ok"
        self.is_lost = False
        """Whether the message that the kernel is idle was lost."""
        self._id = run_id
        self._write = write
        self._left = {"iopub", "shell"}
        self._flushed = self._heard = self._asked_at = time.monotonic()
        self._asked: Wire | None = None

    @property
    def is_over(self) -> bool:
        """Whether no more messages about the run are expected."""
        return self.is_lost or not self._left

    def take(self, channel: str, message: Wire, now: float) -> None:
        """Handle a message of the kernel; an empty one if none came for a while."""
        self._heard = now if channel else self._heard
        if message.get("parent_header", {}).get("msg_id") == self._id:
            self._follow(channel, message, now)
        # Text printed before the prompt comes on another channel, and may come later.
        if self._asked is not None and (not channel or now >= self._asked_at + _LOOK_SECONDS):
            self.output.texts.flush()
            prompt = plain(str(self._asked.get("prompt", "")))
            self._write("input", prompt=prompt, password=self._asked.get("password") is True)
            self._asked = None
        if now >= self._flushed + _PAUSE_SECONDS:
            self.output.texts.flush()
            self._write.release()
            self._flushed = now
        self.is_lost = self._left == {"iopub"} and now >= self._heard + _PATIENCE_SECONDS

    def _follow(self, channel: str, message: Wire, now: float) -> None:
        if channel == "shell":
            self._left.discard("shell")
            if message["content"].get("status") != "ok":
                self.status = "error"
        elif channel == "stdin":
            self._asked, self._asked_at = message["content"], now
        elif message["msg_type"] != "status":
            self.output.take(message["msg_type"], message["content"])
        elif message["content"].get("execution_state") == "idle":
            self._left.discard("iopub")


class _Runner:
    """Handles the requests for one document, one at a time."""

    def __init__(self, write: _Writer) -> None:
        self._write = write
        self._requests: asyncio.Queue[Wire | None] = asyncio.Queue()
        self._run: asyncio.Task[None] | None = None
        self._is_lost = False
        """Whether the kernel died while nothing ran, which was reported."""
        self._ended_by = ""
        """Why the current run ends, if its code does not end by itself."""
        self._has_begun = False
        """Whether the code of the current run has started."""
        self._is_interrupted = False
        """Whether an interrupt was requested before that."""

    async def serve(self) -> None:
        """Handle requests until there are no more."""
        loop = asyncio.get_running_loop()
        with suppress(NotImplementedError):
            loop.add_signal_handler(signal.SIGTERM, self._requests.put_nowait, None)
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        request = await self._requests.get()
        if request is None:
            return
        folder = self._folder = Path(request["folder"])
        manager, name, title = _manager(request["language"], request["kernel"])
        self._kernel = _Kernel(manager, folder)
        self._about = {"name": name, "title": title}
        try:
            await self._kernel.start()
        except OSError as error:
            raise NoKernelError("start", str(error)) from None
        try:
            self._write("kernel", **self._about)
            while (request := await self._next()) is not None:
                await self._take(request)
        finally:
            await self._kernel.end()

    async def _next(self) -> Wire | None:
        """The next request; if the kernel dies meanwhile, that is reported."""
        while True:
            try:
                return await asyncio.wait_for(self._requests.get(), _IDLE_LOOK_SECONDS)
            except TimeoutError:
                is_idle = self._run is None and not self._is_lost
                if is_idle and not await self._kernel.is_alive():
                    self._is_lost = True
                    self._write("lost")

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        # Not through sys.stdin: Python cannot exit while a thread reads from it.
        with open(sys.stdin.fileno(), "rb", closefd=False) as pipe:
            for line in pipe:
                with suppress(ValueError, RuntimeError):
                    loop.call_soon_threadsafe(self._requests.put_nowait, json.loads(line))
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self._requests.put_nowait, None)

    async def _take(self, request: Wire) -> None:
        what = request["do"]
        if what == "run":
            if self._run is not None:
                await self._run
            self._has_begun = self._is_interrupted = False
            self._run = asyncio.create_task(self._execute(request))
        elif what == "interrupt":
            # An idle kernel ignores an interrupt: it is repeated when the code starts.
            self._is_interrupted = self._run is not None and not self._has_begun
            await self._kernel.interrupt()
            if self._run is not None:
                self._kernel.messages.shorten(MOST_AFTER_INTERRUPT)
        elif what == "input":
            text = request.get("text")
            self._kernel.client.input(_END_OF_INPUT if text is None else text)
        elif what == "restart":
            self._ended_by = "restarted"
            await self._restart()
            if self._run is not None:
                await self._run

    async def _restart(self) -> None:
        await self._kernel.restart()
        self._is_lost = False
        self._write("kernel", **self._about)

    # -- one run --------------------------------------------------------------------------------

    async def _execute(self, request: Wire) -> None:
        if not await self._kernel.is_alive():
            await self._restart()
        self._ended_by = ""
        kernel, started = self._kernel, time.monotonic()
        messages = kernel.messages
        messages.begin()
        run_id = kernel.client.execute(request["code"], store_history=True, allow_stdin=True)
        run = _Run(run_id, _RunOutput(self._write, self._folder, request["stem"]), self._write)
        timeout = request.get("timeout")
        deadline = float("inf") if timeout is None else started + timeout
        is_late, looked = False, started
        while not (run.is_over or self._ended_by):
            channel, message = await messages.get(_PAUSE_SECONDS)
            now = time.monotonic()
            run.take(channel, message, now)
            if run.output.count is not None:
                self._has_begun = True
                if self._is_interrupted:
                    self._is_interrupted = False
                    await kernel.interrupt()
            if now >= deadline:
                deadline = now + _PATIENCE_SECONDS
                if is_late:
                    self._ended_by = "timeout"
                    await self._restart()
                is_late = True
                await kernel.interrupt()
                messages.shorten(MOST_AFTER_INTERRUPT)
            if now >= looked + _LOOK_SECONDS and messages.is_empty:
                looked = now
                # Meanwhile it may have been stopped for a restart.
                if not (await kernel.is_alive() or self._ended_by):
                    self._ended_by = "died"
        run.output.close()
        self._write(
            "done",
            status="timeout" if is_late else self._ended_by or run.status,
            seconds=time.monotonic() - started,
            dropped=run.output.dropped + messages.dropped,
            left_out=run.output.left_out,
            lost=run.is_lost,
            code=kernel.exit_code if self._ended_by == "died" else None,
        )
        messages.shorten()
        self._run = None


def main() -> int:
    """Run until the input ends."""
    # Text that a library prints by mistake must not get between the events.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    write = _Writer(out)
    try:
        asyncio.run(_Runner(write).serve())
    except NoKernelError as problem:
        write("failed", **problem.event)
        return 1
    finally:
        write.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
