"""Neovim shows a problem, applies a fix and renames an id."""

from __future__ import annotations

import sys

import pytest

from tests.editors.story import (
    EXCLUDED,
    FIX,
    MENDED,
    PROBLEM,
    RENAMED,
    Story,
    neovim,
    play,
)

NEOVIM = neovim("neovim.lua")

SHOWN = {
    "code": "MSG302",
    "severity": "ERROR",
    "source": "msgls",
    "message": PROBLEM,
    "line": 25,
    "text": "reply.0c0ffee1.1",
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return play(NEOVIM, tmp_path_factory.mktemp("neovim"))


@pytest.fixture
def story(played: Story) -> Story:
    # Shown where a test fails.
    sys.stdout.write(str(played))
    return played


def test_the_file_is_known(story: Story) -> None:
    assert story.step("filetype") == "msgmd"


def test_a_problem_is_shown(story: Story) -> None:
    assert story.step("diagnostics") == [SHOWN]


def test_a_fix_is_offered_once_and_applied(story: Story) -> None:
    assert story.step("offered").count(FIX) == 1
    assert story.step("fixed") == MENDED


def test_the_problem_goes_with_the_fix(story: Story) -> None:
    assert not story.step("diagnostics_fixed")


def test_an_id_is_renamed_with_its_definition_and_children(story: Story) -> None:
    assert RENAMED.count("[^größer") == 7
    assert story.step("renamed") == RENAMED


def test_a_command_of_the_server_is_run(story: Story) -> None:
    assert story.step("commanded") == EXCLUDED


def test_what_the_model_sees_is_beside_it_and_follows_the_typing(story: Story) -> None:
    assert story.step("view").startswith("## user · ask\n\nReally: Will it rain?\n")


def test_what_was_saved_is_what_the_server_has(story: Story) -> None:
    assert story.step("server_exit_code") == 0
    assert story.file.read_bytes() == RENAMED.encode()
    assert " ERROR " not in story.log
    assert " WARNING " not in story.log


def test_nobody_complains(story: Story) -> None:
    assert not story.step("notices")
    # Neovim itself prints what an edit is called.
    assert story.output.strip() in ("", "Workspace edit Exclude cell from history")


def test_nothing_is_left_running(story: Story) -> None:
    assert story.left == []
    assert story.exit_code == 0
