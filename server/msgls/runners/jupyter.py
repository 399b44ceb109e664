"""The runner for Jupyter: any kernel that is installed, through ``jupyter_client``.

Owns the kernel of one document, and bounds what it may show: that comes out at most ten times a
second, what is too much for a cell goes to a file, and of what is replaced at once only the last
comes out. So a kernel that prints without end is the business of this process alone.

What a kernel shows is taken at once, whether or not somebody reads what comes out: a kernel drops
what nobody takes, also the word that it is done.
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

from msgls.conversation.notebook_outputs import content_of, error_of, in_order
from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE, MimeType
from msgls.text.streams import Lines, plain

if TYPE_CHECKING:
    from jupyter_client.asynchronous.client import AsyncKernelClient
    from jupyter_client.manager import AsyncKernelManager
    from jupyter_client.session import Session

Wire = dict[str, Any]

MOST_IN_CELL = 100_000
"""How many characters of text, or of data in one way, are written into a cell."""
MOST_IN_FILE = 64_000_000
"""How many characters of text a run writes into a file, and how many of data into all of them."""
MOST_IN_RUN = 5_000_000
"""How many characters of data the cells of a run have together."""
MOST_SHOWN = 2_000
"""How many things a run shows."""
MOST_WAITING = 128_000_000
"""How many bytes of a kernel's messages wait to be looked at; and after an interrupt."""
MOST_AFTER_INTERRUPT = 2_000_000
_AT_ONCE = 100
# Of the frames of a message: then come the signature, and the header.
_BEFORE_HEADER = b"<IDS|MSG>"
_LONGEST_VALUE = 1_000
_PAUSE_SECONDS = 0.1
_LOOK_SECONDS = 0.5
_IDLE_LOOK_SECONDS = 1.0
# Another program may take a port before the kernel does: then it never answers.
_START_SECONDS = (10.0, 20.0, 60.0)
_PATIENCE_SECONDS = 5.0
_END_OF_INPUT = "\x04"


# What one event may make superfluous that waits with it.
_SHOWN = ("text", "data", "error", "file", "clear")


class _Writer:
    """Writes events, by a thread: whoever reads them may pause, at a terminal for one.

    What waits meanwhile is bounded: of what replaces something that waits, too, the last stays.
    """

    def __init__(self, out: RawIOBase | BytesIO) -> None:
        self._out = out
        self._waiting: list[Wire] = []
        self._is_due = self._is_closed = False
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def __call__(self, event: str, **said: Any) -> None:
        """Write an event as soon as it is known, after all that waits."""
        self.hold(event, **said)
        self.release()

    def hold(self, event: str, **said: Any) -> None:
        """Write an event with the next one, or when that is due."""
        with self._change:
            if event == "clear":
                self._waiting = [e for e in self._waiting if not _is_cleared(e)]
            elif event == "data" and said["kind"] == "update":
                other = ("update", said["id"])
                self._waiting = [e for e in self._waiting if (e.get("kind"), e.get("id")) != other]
            elif event == "text" and self._waiting and _goes_on(self._waiting[-1], said):
                said["lines"] = self._waiting.pop()["lines"] + said["lines"]
            self._waiting.append({"event": event, **said})

    def release(self) -> None:
        """What waits is due."""
        with self._change:
            self._is_due |= bool(self._waiting)
            self._change.notify()

    def close(self) -> None:
        """Write what waits, and nothing after that; not for long where nobody reads."""
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
            # It ends with its input: whoever does not read any more closes that, too.
            with suppress(OSError):
                while data:
                    data = data[self._out.write(data) :]
            if is_last:
                return


def _is_cleared(event: Wire) -> bool:
    """Whether it only says what a run shows, and not what earlier ones show now."""
    return event["event"] in _SHOWN and event.get("kind") != "update"


def _goes_on(before: Wire, said: Wire) -> bool:
    """Whether text continues an event with text, so that both can be one."""
    is_same = before["event"] == "text" and before["stream"] == said["stream"]
    return is_same and not before.get("open")


# -- what a run shows -----------------------------------------------------------------------


class _Files:
    """The files that hold what is too much for a cell; never one that was there before."""

    def __init__(self, folder: Path, stem: str) -> None:
        self._folder = folder
        self._stem = stem
        self._made: list[Path] = []
        self._unused: list[Path] = []
        """Those of its own that nothing names any more."""

    def make(self, ending: str) -> BinaryIO | None:
        """A new file, or an unused one; nothing where none can be made."""
        with suppress(OSError):
            for path in self._unused:
                if path.suffix == ending:
                    self._unused.remove(path)
                    return path.open("wb")
        first = sum(path.suffix == ending for path in self._made) + 1
        for number in range(first, first + 1_000):
            apart = "" if number == 1 else f"-{number}"
            path = self._folder / f"{self._stem}{apart}{ending}"
            with suppress(FileExistsError):
                try:
                    file = path.open("xb")
                except FileExistsError:
                    raise
                except OSError:
                    return None
                self._made.append(path)
                return file
        return None

    def give_back(self, names: Collection[str] | None = None, *, but: Collection[str] = ()) -> None:
        """What they held is not shown any more; without names, all of them."""
        for path in self._made:
            is_meant = path.name not in but if names is None else path.name in names
            if is_meant and path not in self._unused:
                self._unused.append(path)

    def close(self) -> None:
        """Nothing follows."""
        for path in self._unused:
            with suppress(OSError):
                path.unlink()


class _Texts:
    """What a run prints: lines for a cell as far as there is room, and all of it in a file."""

    def __init__(self, write: _Writer, files: _Files) -> None:
        self._write = write
        self._files = files
        self._stream = ""
        self._lines = Lines()
        self._waiting: list[str] = []
        self._told_rest = ""
        self._head: list[str] = []
        """What the cell has, for the file that is to have all of it."""
        self._room = MOST_IN_CELL
        self._is_full = False
        self._file: BinaryIO | None = None
        self._in_file = 0
        self.dropped = 0

    def take(self, stream: str, text: str) -> None:
        """More text."""
        if stream != self._stream:
            self.finish()
            self._stream = stream
        lines = self._lines.take(text)
        self._add(lines, is_cut=self._lines.is_cut)

    def finish(self) -> None:
        """Something else follows: the line is complete, whatever it looks like."""
        rest = self._lines.finish()
        if rest:
            self._add([rest])
        self.flush(is_open=bool(rest))

    def flush(self, *, is_open: bool = False) -> None:
        """Say what came, and whether the last line of it has no end."""
        rest = "" if self._is_full else self._lines.rest[: max(self._room, 0)]
        if self._waiting or rest != self._told_rest:
            said = {"lines": self._waiting, "rest": rest, "open": is_open and not self._is_full}
            self._write.hold("text", stream=self._stream, **said)
        self._waiting, self._told_rest = [], rest
        if self._file is not None:
            with suppress(OSError):
                self._file.flush()

    def clear(self) -> None:
        """Remove what came so far."""
        self._lines, self._waiting, self._told_rest = Lines(), [], ""
        self._head, self._room, self._is_full = [], MOST_IN_CELL, False
        self._close_file()
        self.dropped = 0

    def close(self) -> None:
        """Nothing follows."""
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
        """There is no more room in the cell: this line does not fit."""
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


_Way = tuple[str, str | None, str | None, Mapping[str, Any]]


class _Shown:
    """What one run shows, as events."""

    def __init__(self, write: _Writer, folder: Path, stem: str) -> None:
        self._write = write
        self._folder = folder
        self._stem = stem
        self.count: int | None = None
        self._is_clearing = False
        self._open()

    def started(self, count: object) -> None:
        """The kernel has begun, and counts."""
        if self.count is None:
            self.count = count if isinstance(count, int) else 0
            self._open()
            self._write("started", count=self.count)

    def _open(self) -> None:
        self._files = _Files(self._folder, f"{self._stem}.{self.count or 0}")
        self.texts = _Texts(self._write, self._files)
        self._updated: dict[str, list[str]] = {}
        """The files with what displays show now, by their ids: also those of earlier runs."""
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._room, self._file_room, self._dropped = MOST_IN_RUN, MOST_IN_FILE, 0
        self._left, self.left_out = MOST_SHOWN, 0
        self._displayed: dict[str, list[str]] = {}
        """The files with what displays of this run showed first."""

    @property
    def dropped(self) -> int:
        """How many characters are kept nowhere."""
        return self._dropped + self.texts.dropped

    def close(self) -> None:
        """Nothing follows."""
        self.texts.close()
        self._files.close()

    def take(self, kind: str, content: Wire) -> None:
        """A message of the kernel."""
        if kind == "execute_input":
            self.started(content.get("execution_count"))
        elif kind == "clear_output":
            self._is_clearing = True
            if not content.get("wait"):
                self._clear()
        elif kind in ("stream", "display_data", "execute_result", "error", "update_display_data"):
            # A kernel need not say that it begins.
            self.started(content.get("execution_count"))
            self._clear()
            self._show(kind, content)

    def _clear(self) -> None:
        if self._is_clearing:
            self._is_clearing = False
            self.texts.clear()
            self._files.give_back(but=[name for names in self._updated.values() for name in names])
            self._begin_anew()
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
        shown_as = {"execute_result": "result", "update_display_data": "update"}
        display = (content.get("transient") or {}).get("display_id")
        files = self._displayed
        if kind == "update_display_data":
            for files in (self._displayed, self._updated):
                self._files.give_back(files.pop(str(display), ()))
        ways = list(self._ways(content.get("data") or {}))
        named = files.setdefault(str(display), [])
        named += [file for _, _, file, _ in ways if file is not None and display is not None]
        about = content.get("metadata")
        if about and len(json.dumps(about)) > MOST_IN_CELL:
            about = None
        self._write.hold(
            "data",
            kind=shown_as.get(kind, "display"),
            id=display,
            data=ways,
            meta={"metadata": about} if about else {},
        )

    def _show_error(self, content: Wire) -> None:
        trace = "\n".join(map(str, content.get("traceback") or ()))
        short = f"{content.get('ename')}: {content.get('evalue')}"
        said = (plain(trace) or plain(short)).replace("\r", "")
        file = None
        if len(said) > MOST_IN_CELL:
            file = self._file_of(DEFAULT_MIME_TYPE, said)
            # The end says most.
            said = "…" + said[1 - MOST_IN_CELL :]
        lines = said.split("\n")
        named = str(content.get("ename", "")), str(content.get("evalue", ""))
        meta = {}
        if error_of(lines) != named:
            meta = {"ename": named[0][:_LONGEST_VALUE], "evalue": named[1][:_LONGEST_VALUE]}
        self._write.hold("error", lines=lines, file=file, meta=meta)

    def _ways(self, bundle: Mapping[str, Any]) -> Iterator[_Way]:
        for mime in in_order(bundle):
            content, about = content_of(mime, bundle[mime])
            # What is short is worth no file.
            room = max(min(MOST_IN_CELL, self._room), _LONGEST_VALUE)
            name = self._file_of(mime, content) if len(content) > room else None
            head = content[:room] if mime == DEFAULT_MIME_TYPE or len(content) <= room else ""
            if name is None:
                self._room -= len(head)
                self._dropped += len(content) - len(head)
            yield mime, None if name else head, name, about

    def _file_of(self, mime: str, content: str) -> str | None:
        """Put data that is too much for a cell into a file, as other programs read it."""
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
    """There is no kernel to run code with."""

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
    # `python3` is what Jupyter calls its own.
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
    """What a kernel says, until somebody looks at it.

    Everything is taken as it comes, unread. Of more than is kept until then, what shows something
    is dropped and counted; what says how the code goes on never is.
    """

    def __init__(self, session: Session | None = None) -> None:
        self._session = session
        self._waiting: deque[_Waiting] = deque()
        self._size = 0
        self._came = asyncio.Event()
        # What is shown while nothing runs belongs to no run.
        self._most = 0
        self.dropped = 0
        """How many characters, more or less, a run was too fast with."""

    def begin(self) -> None:
        """A run begins."""
        self._most = MOST_WAITING
        self.dropped = 0

    def put(self, channel: str, item: Wire | list[bytes]) -> None:
        """A message, or its frames."""
        self._keep(_Waiting(channel, item))
        self._came.set()

    async def get(self, seconds: float) -> tuple[str, Wire]:
        """The next one with its channel; both empty if none comes in so many seconds."""
        if self._waiting:
            # Others have their turn.
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
            # A message whose signature is wrong is ignored.
            return channel, {}

    @property
    def is_empty(self) -> bool:
        """Whether none waits."""
        return not self._waiting

    def shorten(self, most: int = 0) -> None:
        """No more than that is of interest of what shows something; without a run, nothing."""
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
    """A message that nobody has looked at."""

    channel: str
    item: Wire | list[bytes]

    @property
    def size(self) -> int:
        """How much it is, about."""
        return sum(map(len, self.item)) if isinstance(self.item, list) else 0

    @property
    def is_shown(self) -> bool:
        """Whether it only shows something."""
        if not isinstance(self.item, list):
            return False
        try:
            header = json.loads(self.item[self.item.index(_BEFORE_HEADER) + 2])
            return header["msg_type"] in ("stream", "display_data", "update_display_data")
        except (ValueError, LookupError, TypeError):
            return False


class _Kernel:
    """A kernel, and the messages that come from it."""

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
            # However much has come by the time that we look.
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
                # What waits is received without waiting.
                await asyncio.sleep(0)

    async def restart(self) -> None:
        """Start it again; all that it knew is gone."""
        self._close()
        await self.start()

    async def is_alive(self) -> bool:
        """Whether its process runs."""
        return bool(await self._manager.is_alive())

    @property
    def exit_code(self) -> int | None:
        """How its process ended."""
        process = getattr(self._manager.provisioner, "process", None)
        return None if process is None else process.poll()

    async def interrupt(self) -> None:
        """Interrupt it."""
        with suppress(RuntimeError, OSError):
            await self._manager.interrupt_kernel()

    async def end(self) -> None:
        """End it at once."""
        self._close()
        with suppress(RuntimeError, OSError):
            await self._manager.shutdown_kernel(now=True)

    def _close(self) -> None:
        for pump in self._pumps:
            pump.cancel()
        self._pumps = []
        self.client.stop_channels()


def _manager(language: str, kernel: str | None) -> tuple[AsyncKernelManager, str, str]:
    """The manager of the kernel that is wanted, its name and its title."""
    try:
        from jupyter_client.kernelspec import KernelSpecManager
        from jupyter_client.manager import AsyncKernelManager
    except ImportError as error:
        raise NoKernelError("extra", str(error)) from None
    specs = {name: found["spec"] for name, found in KernelSpecManager().get_all_specs().items()}
    name = choose(language, specs) if kernel is None else kernel
    if name not in specs:
        said = [f"{known} ({spec.get('language', '')})" for known, spec in sorted(specs.items())]
        raise NoKernelError("kernel", kernel or "", said)
    title = str(specs[name].get("display_name", name))
    return AsyncKernelManager(kernel_name=name), name, title


class _Run:
    """What a kernel has told of one run of code."""

    def __init__(self, run_id: str, shown: _Shown, write: _Writer) -> None:
        self.shown = shown
        self.status = "ok"
        self.is_lost = False
        """Whether the kernel's word that it is done was dropped on its way."""
        self._id = run_id
        self._write = write
        self._left = {"iopub", "shell"}
        self._flushed = self._heard = self._asked_at = time.monotonic()
        self._asked: Wire | None = None

    @property
    def is_over(self) -> bool:
        """Whether the kernel has nothing more to tell of it."""
        return self.is_lost or not self._left

    def take(self, channel: str, message: Wire, now: float) -> None:
        """Take a message of the kernel, or that none came for a while: then it is empty."""
        self._heard = now if channel else self._heard
        if message.get("parent_header", {}).get("msg_id") == self._id:
            self._follow(channel, message, now)
        # What was printed before comes by another way, and may come later.
        if self._asked is not None and (not channel or now >= self._asked_at + _LOOK_SECONDS):
            self.shown.texts.flush()
            prompt = plain(str(self._asked.get("prompt", "")))
            self._write("input", prompt=prompt, password=self._asked.get("password") is True)
            self._asked = None
        if now >= self._flushed + _PAUSE_SECONDS:
            self.shown.texts.flush()
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
            self.shown.take(message["msg_type"], message["content"])
        elif message["content"].get("execution_state") == "idle":
            self._left.discard("iopub")


class _Runner:
    """The requests of one document, one after the other."""

    def __init__(self, write: _Writer) -> None:
        self._write = write
        self._requests: asyncio.Queue[Wire | None] = asyncio.Queue()
        self._run: asyncio.Task[None] | None = None
        self._is_lost = False
        """Whether the kernel died while nothing ran, and that was said."""
        self._ended_by = ""
        """Why the run that is under way ends, where its code does not end by itself."""
        self._has_begun = False
        """Whether the code of the run that is under way has begun."""
        self._is_interrupted = False
        """Whether it was to be interrupted before that."""

    async def serve(self) -> None:
        """Take requests until there are no more."""
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
        """The next request. A kernel that dies meanwhile is reported; the next run starts it."""
        while True:
            try:
                return await asyncio.wait_for(self._requests.get(), _IDLE_LOOK_SECONDS)
            except TimeoutError:
                is_idle = self._run is None and not self._is_lost
                if is_idle and not await self._kernel.is_alive():
                    self._is_lost = True
                    self._write("lost")

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        # Not by sys.stdin: Python cannot end while a thread reads that.
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
            # A kernel ignores it while it does nothing.
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
        run = _Run(run_id, _Shown(self._write, self._folder, request["stem"]), self._write)
        timeout = request.get("timeout")
        deadline = float("inf") if timeout is None else started + timeout
        is_late, looked = False, started
        while not (run.is_over or self._ended_by):
            channel, message = await messages.get(_PAUSE_SECONDS)
            now = time.monotonic()
            run.take(channel, message, now)
            if run.shown.count is not None:
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
                # Meanwhile it may have been ended to start it again.
                if not (await kernel.is_alive() or self._ended_by):
                    self._ended_by = "died"
        run.shown.close()
        self._write(
            "done",
            status="timeout" if is_late else self._ended_by or run.status,
            seconds=time.monotonic() - started,
            dropped=run.shown.dropped + messages.dropped,
            left_out=run.shown.left_out,
            lost=run.is_lost,
            code=kernel.exit_code if self._ended_by == "died" else None,
        )
        messages.shorten()
        self._run = None


def main() -> int:
    """Run until the input ends."""
    # Whatever a library prints by mistake must not stand between the events.
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
