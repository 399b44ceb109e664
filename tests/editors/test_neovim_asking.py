"""Neovim asks a model: the answer comes into the buffer while somebody types, and can be undone."""

from __future__ import annotations

import re
import sys

import pytest

from tests.editors.story import Story, neovim, play

WORDS = " ".join(f"word{number}" for number in range(40))
HEAD = "---\nagents:\n  Echo: {models: [replay]}\n---\n\n# %% 🦊[^m1]\n\n[^m1]: [markdown]\n\n"
TEXT = f"{HEAD}{WORDS}\n"
# Fifty words a second: long enough to be typed into.
SLOWLY = '[providers.replay]\ncommand = ["replay", "--speed", "50"]\n'
DEFINITION = r"\[\^m2\]: \[Echo\] time=\"[^\"]+\" model=\"replay\""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Story:
    directory = tmp_path_factory.mktemp("neovim")
    configuration = {"msgls/providers.toml": SLOWLY}
    return play(neovim("neovim_asking.lua"), directory, TEXT, configuration)


@pytest.fixture
def story(played: Story) -> Story:
    # Shown where a test fails.
    sys.stdout.write(str(played))
    return played


def test_the_answer_comes_into_the_buffer_and_leaves_the_cursor_alone(story: Story) -> None:
    assert story.step("begun").startswith(f"{TEXT}\n# %%% [^m2]\n")
    assert re.search(DEFINITION + r" incomplete=1\n\nYou said:", story.step("begun"))
    assert story.step("cursor") == [HEAD.count("\n") + 1, 1]
    answer = story.step("answered").removeprefix(TEXT)
    tokens = " input_tokens=[0-9]+ output_tokens=[0-9]+"
    said = f"\n\nYou said:\n\n{WORDS}\n"
    assert re.fullmatch(r"\n# %%% \[\^m2\]\n\n" + DEFINITION + tokens + said, answer)


def test_one_undo_takes_the_answer_back(story: Story) -> None:
    assert story.step("undone") == TEXT
    assert story.step("redone") == story.step("answered")


def test_what_is_typed_meanwhile_is_where_it_was_typed(story: Story) -> None:
    before, _, answer = story.step("typed").partition("\n# %%% [^m2]\n")
    assert before == f"{HEAD}typed while it came {WORDS}\n"
    assert answer.endswith(f"\n\nYou said:\n\n{WORDS}\n")


def test_asking_again_and_stopping_keep_both_answers(story: Story) -> None:
    before, _, after = story.step("stopped").partition("\n# %%% [^m3]\n")
    assert "[^m2]: [Echo] history=exclude time=" in before
    assert re.search(r' incomplete=1 reason="stopped"\n\nYou said:', after)
    assert "word39" not in after


def test_nobody_complains_and_nothing_is_left(story: Story) -> None:
    assert story.step("server_exit_code") == 0
    assert story.file.read_bytes() == story.step("stopped").encode()
    assert " ERROR " not in story.log
    assert " WARNING " not in story.log
    assert not story.step("notices")
    assert (story.left, story.exit_code) == ([], 0)
