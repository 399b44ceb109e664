"""The program that owns a kernel: what happens in an order that no real kernel can be held to."""

import asyncio
import io
import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.session import Session

from msgls.runners import jupyter
from msgls.runners.jupyter import _Messages, _Runner, _Writer

Wire = dict[str, Any]


def written(writer: _Writer, out: io.BytesIO) -> list[Wire]:
    """All that a runner wrote."""
    writer.close()
    return [json.loads(line) for line in out.getvalue().splitlines()]


class DyingKernel:
    """A kernel that is found dead when it is looked at for the second time."""

    exit_code = -9

    def __init__(self) -> None:
        self.messages = _Messages()
        self.client = self
        self.looks = 0
        self.is_looked_at = asyncio.Event()
        self.is_ended = asyncio.Event()

    def execute(self, code: str, **options: Any) -> str:
        return "run"

    async def is_alive(self) -> bool:
        self.looks += 1
        if self.looks > 1:
            self.is_looked_at.set()
            await self.is_ended.wait()
        return self.looks == 1

    async def restart(self) -> None:
        self.is_ended.set()
        await asyncio.sleep(0)


def test_a_kernel_that_is_ended_to_start_it_again_did_not_die(tmp_path: Path) -> None:
    out = io.BytesIO()
    writer = _Writer(out)

    async def play() -> None:
        runner: Any = _Runner(writer)
        kernel = runner._kernel = DyingKernel()
        runner._folder, runner._about = tmp_path, {}
        await runner._take({"do": "run", "code": "", "stem": "a", "timeout": None})
        await kernel.is_looked_at.wait()
        await runner._take({"do": "restart"})

    asyncio.run(play())
    events = written(writer, out)
    assert [each["status"] for each in events if each["event"] == "done"] == ["restarted"]


class FastKernel:
    """A kernel that is done, and whose word of that was dropped because nobody took it."""

    exit_code = None

    def __init__(self) -> None:
        self.messages = _Messages()
        self.client = self

    def say(self, channel: str, kind: str, **content: Any) -> None:
        message = {"parent_header": {"msg_id": "run"}, "msg_type": kind, "content": content}
        self.messages.put(channel, message)

    def execute(self, code: str, **options: Any) -> str:
        self.say("iopub", "stream", name="stdout", text="first\n")
        self.say("shell", "execute_reply", status="ok")
        return "run"

    async def is_alive(self) -> bool:
        return True


def test_a_run_ends_though_the_kernel_s_word_of_that_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jupyter, "_PATIENCE_SECONDS", 0.3)
    out = io.BytesIO()
    writer = _Writer(out)

    async def play() -> None:
        runner: Any = _Runner(writer)
        runner._kernel, runner._folder = FastKernel(), tmp_path
        await runner._execute({"code": "", "stem": "a"})

    asyncio.run(play())
    events = written(writer, out)
    assert [each["lines"] for each in events if each["event"] == "text"] == [["first"]]
    assert events[-1].items() >= {"event": "done", "status": "ok", "lost": True}.items()


class SlowKernel(FastKernel):
    """A kernel that begins when it has been interrupted, which it does not notice before."""

    def __init__(self) -> None:
        super().__init__()
        self.interrupts = 0

    def execute(self, code: str, **options: Any) -> str:
        return "run"

    async def interrupt(self) -> None:
        self.interrupts += 1
        if self.interrupts == 1:
            self.say("iopub", "execute_input", execution_count=1)
        else:
            self.say("shell", "execute_reply", status="error")
            self.say("iopub", "status", execution_state="idle")


def test_code_that_is_interrupted_before_it_begins_is_interrupted(tmp_path: Path) -> None:
    out = io.BytesIO()
    writer = _Writer(out)

    async def play() -> None:
        runner: Any = _Runner(writer)
        kernel = runner._kernel = SlowKernel()
        runner._folder = tmp_path
        await runner._take({"do": "run", "code": "", "stem": "a"})
        run = runner._run
        await runner._take({"do": "interrupt"})
        await asyncio.wait_for(run, 60)
        assert kernel.interrupts == 2

    asyncio.run(play())
    assert written(writer, out)[-1]["status"] == "error"


def test_of_what_nobody_looked_at_only_what_shows_something_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jupyter, "MOST_WAITING", 20_000)
    session = Session(key=b"key")

    def say(kind: str, **content: Any) -> None:
        messages.put("iopub", [b"topic", *session.serialize(session.msg(kind, content))])

    async def seen() -> list[str]:
        found = []
        while not messages.is_empty:
            _, message = await messages.get(0)
            found.append(message.get("msg_type", ""))
        return found

    async def play() -> None:
        messages.begin()
        say("execute_input", execution_count=1)
        for _ in range(5):
            say("stream", name="stdout", text="x" * 9_000)
            say("clear_output", wait=True)
        say("status", execution_state="idle")
        assert 27_000 < messages.dropped < 30_000
        said = ["execute_input", *["stream", "clear_output"] * 2, *["clear_output"] * 3, "status"]
        assert await seen() == said
        messages.begin()
        assert messages.dropped == 0
        for text in ("first", "y" * 9_000):
            say("stream", name="stdout", text=text)
        say("error", ename="KeyboardInterrupt", evalue="", traceback=[])
        messages.shorten(5_000)
        say("display_data", data={"text/plain": "z" * 9_000})
        messages.put("iopub", [b"no message"])
        messages.put("iopub", [b"<IDS|MSG>", b"no signature", b"{}", b"{}", b"{}", b"{}"])
        assert 18_000 < messages.dropped < 20_000
        assert await seen() == ["stream", "error", "", ""]
        assert await messages.get(0.01) == ("", {})
        say("stream", name="stdout", text="in time")
        messages.shorten()
        say("stream", name="stdout", text="of a thread, while nothing runs")
        assert await seen() == []

    messages = _Messages(session)
    asyncio.run(play())


class Held(io.BytesIO):
    """An output that takes nothing until it is let go, as a terminal after Ctrl+S."""

    def __init__(self) -> None:
        super().__init__()
        self.is_busy, self.is_free = threading.Event(), threading.Event()

    def write(self, data: Any, /) -> int:
        self.is_busy.set()
        self.is_free.wait()
        return super().write(data)


def test_of_what_waits_for_its_reader_the_last_counts() -> None:
    out = Held()
    writer = _Writer(out)
    writer("started", count=1)
    out.is_busy.wait()
    for number in range(5):
        writer.hold("text", stream="stdout", lines=["gone"], rest="")
        writer.hold("data", kind="display", id="d", data=[], meta={})
        writer.hold("data", kind="update", id="e", data=[number], meta={})
        writer.hold("clear")
        writer.release()
    for number in range(5):
        writer.hold("text", stream="stdout", lines=[str(number)], rest=f"{number}%")
        writer.release()
    writer.hold("text", stream="stderr", lines=["oops"], rest="", open=True)
    writer.hold("text", stream="stderr", lines=["again"], rest="")
    out.is_free.set()
    _, *events = written(writer, out)
    assert [(each["event"], *each.values())[2:] for each in events] == [
        ("update", "e", [4], {}),
        (),
        ("stdout", list("01234"), "4%"),
        ("stderr", ["oops"], "", True),
        ("stderr", ["again"], ""),
    ]


# What it prints is more than a pipe holds, in more messages than wait on the way to a reader; but
# not in more than a kernel itself gets rid of at a time.
FAST = """\
import sys, time
for n in range(6_000):
    print(n, "x" * 50)
    sys.stdout.flush()
    if n % 100 == 0: time.sleep(0.02)
from pathlib import Path
Path("done").touch()
"""


def test_nothing_is_lost_while_nobody_reads(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "msgls.runners.jupyter"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for request in (
            {"do": "start", "language": "python", "kernel": None, "folder": str(tmp_path)},
            {"do": "run", "code": FAST, "stem": "a"},
        ):
            process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        while not (tmp_path / "done").exists():
            time.sleep(0.05)
        events: list[Wire] = []
        while not events or events[-1]["event"] != "done":
            events.append(json.loads(process.stdout.readline()))
        process.stdin.close()
    assert events[-1]["lost"] is False
    lines = (tmp_path / "a.1.txt").read_text("utf-8").splitlines()
    assert lines == [f"{n} {'x' * 50}" for n in range(6_000)]
