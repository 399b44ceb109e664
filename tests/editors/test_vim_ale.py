"""Vim with ALE, and with ``editors/vim``, shows a problem, applies a fix and renames an id."""

from __future__ import annotations

import sys

import pytest

from tests.editors.story import (
    EDITORS,
    EXCLUDED,
    FIX,
    MENDED,
    PROBLEM,
    RENAMED,
    SCRIPTS,
    Editor,
    Story,
    play,
)

VIM = Editor(
    "Vim with ALE",
    "vim",
    [
        *("-u", "NONE", "-i", "NONE", "-n", "-es"),
        *("--cmd", f"set nocompatible runtimepath^={EDITORS / 'vim'}"),
        *("--cmd", "silent! packadd ale | filetype plugin on | syntax on"),
        *("-S", str(SCRIPTS / "ale.vim")),
    ],
)

SHOWN = {
    "code": "MSG302",
    "type": "E",
    "message": PROBLEM,
    "line": 25,
    "text": "reply.0c0ffee1.1",
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return play(VIM, tmp_path_factory.mktemp("ale"))


@pytest.fixture
def story(played: Story) -> Story:
    # Shown where a test fails.
    sys.stdout.write(str(played))
    return played


def test_the_file_is_known(story: Story) -> None:
    assert story.step("filetype") == "msgmd"


def test_a_problem_is_shown_where_it_is(story: Story) -> None:
    assert story.step("diagnostics") == [SHOWN]


def test_a_fix_is_offered_once_and_applied(story: Story) -> None:
    assert story.step("offered").count(FIX) == 1
    assert story.step("fixed") == MENDED


def test_the_problem_goes_with_the_fix(story: Story) -> None:
    assert story.step("diagnostics_fixed") == []


def test_an_id_is_renamed_with_its_definition_and_children(story: Story) -> None:
    assert story.step("renamed") == RENAMED


def test_what_other_editors_do_by_a_command_is_an_edit(story: Story) -> None:
    assert story.step("excluded") == EXCLUDED


def test_what_was_saved_is_what_the_server_has(story: Story) -> None:
    assert story.step("messages") == []
    assert story.file.read_bytes() == RENAMED.encode()
    assert " ERROR " not in story.log
    assert " WARNING " not in story.log


def test_nothing_is_left_running(story: Story) -> None:
    assert story.left == []
    assert story.exit_code == 0
