"""Neovim runs code cells: what they show comes into the buffer, and the kernel goes with it."""

from __future__ import annotations

import re
import sys

import pytest

from tests.editors.story import Story, neovim, play


def cell(cell_id: str, code: str) -> str:
    return f"# %% 🦊[^{cell_id}]\n\n[^{cell_id}]: [code]\n\n```python\n{code}\n```\n"


FIRST = cell("c1", "x = 41")
SECOND = cell("c2", "x + 1")
THIRD = cell("c3", "import time\nprint('up', flush=True)\ntime.sleep(600)")
TEXT = f"{FIRST}\n{SECOND}\n{THIRD}"
ABOUT = r'time="[^"]+" status="success" duration=\S+'
RUN_1 = rf"\n# %%% \[\^c1\.1\]\n\n\[\^c1\.1\]: \[python\] {ABOUT}\n"
RUN_2 = (
    rf"\n# %%% \[\^c2\.2\]\n\n\[\^c2\.2\]: \[python\] {ABOUT} "
    r'output="result"\n\nstdout> 42\n'
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return play(neovim("neovim_running.lua"), tmp_path_factory.mktemp("neovim"), TEXT)


@pytest.fixture
def story(played: Story) -> Story:
    # Shown where a test fails.
    sys.stdout.write(str(played))
    return played


def test_cells_share_a_kernel_and_show_what_they_return(story: Story) -> None:
    pieces = (re.escape(FIRST), RUN_1, re.escape(f"\n{SECOND}"), RUN_2, re.escape(f"\n{THIRD}"))
    assert re.fullmatch("".join(pieces), story.step("run"))


def test_one_undo_takes_a_run_back(story: Story) -> None:
    pieces = (re.escape(FIRST), RUN_1, re.escape(f"\n{SECOND}\n{THIRD}"))
    assert re.fullmatch("".join(pieces), story.step("begun"))
    assert story.step("undone") == TEXT


def test_an_interrupt_keeps_what_came_and_what_was_typed(story: Story) -> None:
    before, _, run = story.step("interrupted").partition("\n# %%% [^c3.3]\n")
    assert "```python\ntyped = 1\nx = 41\n```" in before
    assert 'status="failure"' in run
    assert "stdout> up\n" in run
    assert "stderr> KeyboardInterrupt" in run


def test_nobody_complains_and_nothing_is_left(story: Story) -> None:
    assert story.step("server_exit_code") == 0
    assert story.file.read_bytes() == story.step("interrupted").encode()
    assert " ERROR " not in story.log
    assert " WARNING " not in story.log
    assert not story.step("notices")
    assert (story.left, story.exit_code) == ([], 0)
