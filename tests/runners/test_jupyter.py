"""The program that owns a kernel: what happens in an order that no real kernel can be held to."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

from msgls.runners.jupyter import _Runner, _Writer


class DyingKernel:
    """A kernel that is found dead when it is looked at for the second time."""

    exit_code = -9

    def __init__(self) -> None:
        self.messages: asyncio.Queue[Any] = asyncio.Queue()
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

    async def play() -> None:
        runner: Any = _Runner(_Writer(out))
        kernel = runner._kernel = DyingKernel()
        runner._folder, runner._about = tmp_path, {}
        await runner._take({"do": "run", "code": "", "stem": "a", "timeout": None})
        await kernel.is_looked_at.wait()
        await runner._take({"do": "restart"})

    asyncio.run(play())
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [each["status"] for each in events if each["event"] == "done"] == ["restarted"]
