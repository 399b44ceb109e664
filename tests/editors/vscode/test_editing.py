"""Editing at random in VS Code: a key does in our files what it does in plain text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.pages import TEXTS
from tests.editors.vscode.needs import ROOT
from tests.editors.vscode.playing import check, story

EVERY_MS = 25
ACTIONS = 300
FILES = {
    "page.msg.md": "good.msg.md",
    "page.stf": "stf/good.stf",
    "notes.md": "notes.md",
    "messages/trip/1.md": "chatbuilder/messages/trip/1.md",
}
WORDS = (TEXTS / "words.txt").read_text("utf-8").split()
# What suggestions may open after, and what VS Code may close or ask about. No bracket is closed at
# the start of a line: in plain text, VS Code indents it as the line with the opening one.
SYNTAX = (
    *("# %%", "# %%%", " [^", "[^a1]: [", "x] ", 'name="', " history=", "```", "- ", "> ", "x]("),
    *("@", "@us", "; ", "---", "*", "<", "|", "$", "x}", "\\", "你好", "\u2028", "🙂"),
)
MOVES = ("ArrowLeft", "ArrowRight", "Home", "End", "Control+ArrowLeft", "Control+End")
# These choose in a list that is open, or opens just then. Selecting something ends a list for good;
# Escape does not end one that the server has not answered for yet.
MOVES_BY_LINE = ("ArrowUp", "ArrowDown")
ENDS_A_LIST = "Shift+ArrowLeft"
CHANGES = (
    *("Backspace", "Delete", "Control+Backspace", "Shift+ArrowLeft", "Shift+End"),
    *("Alt+ArrowUp", "Control+Shift+K", "Shift+Alt+ArrowDown", "Control+]"),
)
UNDOING = ("Control+Z", "Control+Z", "Control+Y")


def _actions(seed: int) -> Iterator[dict[str, str]]:
    """What a person does: types a text, or presses a key."""
    chance = random.Random(seed)
    for _ in range(ACTIONS):
        kind = chance.random()
        if kind < 0.5:
            yield {"text": chance.choice((f"{chance.choice(WORDS)} ", chance.choice(SYNTAX)))}
        elif kind < 0.65:
            yield {"key": "Enter"}
        elif kind < 0.7:
            yield {"key": ENDS_A_LIST}
            yield {"key": chance.choice(MOVES_BY_LINE)}
        else:
            [keys] = chance.choices((MOVES, CHANGES, UNDOING), (3, 5, 1))
            yield {"key": chance.choice(keys)}


@pytest.mark.typing
@pytest.mark.parametrize("seed", range(6))
def test_a_key_does_what_it_does_in_plain_text(
    seed: int, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    editing = [
        {
            "file": file,
            "start": (ROOT / "examples" / example).read_text("utf-8"),
            "actions": list(_actions(seed)),
            "everyMs": EVERY_MS,
        }
        for file, example in FILES.items()
    ]
    check(subtests, {**story(tmp_path, "editing"), "editing": editing}, tmp_path)
