"""Emacs with eglot, Neovim, and Vim with ALE show a problem, apply a fix and rename an id."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

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
    neovim,
    play,
)

_PLACE = {"line": 25, "text": "reply.0c0ffee1.1"}


class Case(NamedTuple):
    """An editor, and what it reports in words of its own."""

    editor: Editor
    language: tuple[str, str]
    """The step in which it names the language of the file, and the name."""
    shown: Mapping[str, object]
    """The problem, as it shows it."""
    end: tuple[str, Any]
    """The step in which it reports its end, and what it says."""


# Those that show the model view come first, and of these the one that prints nothing else.
CASES = [
    Case(
        neovim("neovim.lua"),
        ("filetype", "msgmd"),
        {
            "code": "MSG302",
            "severity": "ERROR",
            "source": "msgls",
            "message": PROBLEM,
            **_PLACE,
        },
        ("server_exit_code", 0),
    ),
    Case(
        Editor(
            "Emacs",
            "emacs",
            ["-q", "--batch", "-L", str(EDITORS / "emacs"), "--load", str(SCRIPTS / "emacs.el")],
        ),
        ("mode", "msgmd-mode"),
        {"severity": "eglot-error", "message": f"msgls [MSG302]: {PROBLEM}", **_PLACE},
        ("left", True),
    ),
    Case(
        Editor(
            "Vim with ALE",
            "vim",
            [
                *("-u", "NONE", "-i", "NONE", "-n", "-es"),
                *("--cmd", f"set nocompatible runtimepath^={EDITORS / 'vim'}"),
                *("--cmd", "silent! packadd ale | filetype plugin on | syntax on"),
                *("-S", str(SCRIPTS / "ale.vim")),
            ],
        ),
        ("filetype", "msgmd"),
        {"code": "MSG302", "type": "E", "message": PROBLEM, **_PLACE},
        ("messages", []),
    ),
]


def _name(case: Case) -> str:
    return case.editor.program


@pytest.fixture(scope="module", params=CASES, ids=_name)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture(scope="module")
def played(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Story:
    return play(case.editor, tmp_path_factory.mktemp(case.editor.program))


@pytest.fixture
def story(played: Story) -> Story:
    # Shown where a test fails.
    sys.stdout.write(str(played))
    return played


def test_the_file_is_known(case: Case, story: Story) -> None:
    step, language = case.language
    assert story.step(step) == language


def test_a_problem_is_shown_where_it_is(case: Case, story: Story) -> None:
    assert story.step("diagnostics") == [case.shown]


def test_a_fix_is_offered_once_and_applied(story: Story) -> None:
    assert story.step("offered").count(FIX) == 1
    assert story.step("fixed") == MENDED


def test_the_problem_goes_with_the_fix(story: Story) -> None:
    assert not story.step("diagnostics_fixed")


def test_an_id_is_renamed_with_its_definition_and_children(story: Story) -> None:
    assert RENAMED.count("[^größer") == 7
    assert story.step("renamed") == RENAMED


def test_a_command_of_the_server_is_run(story: Story) -> None:
    """In Vim with ALE, which cannot run one, the same is an edit."""
    assert story.step("excluded") == EXCLUDED


@pytest.mark.parametrize("case", CASES[:2], indirect=True, ids=_name)
def test_what_the_model_sees_is_beside_it_and_follows_the_typing(story: Story) -> None:
    assert story.step("view").startswith("## user · ask\n\nReally: Will it rain?\n")


def test_what_was_saved_is_what_the_server_has(case: Case, story: Story) -> None:
    step, end = case.end
    assert story.step(step) == end
    assert story.file.read_bytes() == RENAMED.encode()
    assert " ERROR " not in story.log
    assert " WARNING " not in story.log


@pytest.mark.parametrize("case", CASES[:1], indirect=True, ids=_name)
def test_nothing_is_printed_but_the_name_of_an_edit(story: Story) -> None:
    assert not story.step("notices")
    # Neovim itself prints what an edit is called.
    assert story.output.strip() in ("", "Workspace edit Exclude cell from history")


def test_nothing_is_left_running(story: Story) -> None:
    assert story.left == []
    assert story.exit_code == 0
