"""Nothing takes more than its share of time on a text that was made to take long.

``FOUND`` are inputs on which something once took the square of their length. Every day the
calls are counted; ``make fuzz`` measures the time, and looks for more such inputs, for
``SECONDS`` with ``SEED``; what it finds belongs there.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import PurePosixPath

import pytest

from tests.fuzz.vocabularies import ALL
from tests.growth.growth import (
    ACTIONS,
    MOST_GROWTH,
    Input,
    growth_of_calls,
    growth_of_seconds,
)

_CHECK = "check --min-severity hint"
_FIX = "check --min-severity hint --diff --unsafe-fixes"
_FORMAT = "format --diff"
_LENGTH = 4_000
_CHAT = "chat.msg.md"

FOUND = [
    (Input(_CHAT, "", "# %% q\n\ntext {i}\n\n"), (_CHECK, _FIX, "codeAction")),
    (Input(_CHAT, "---\n", "# %%\n"), (_CHECK,)),
    (Input(_CHAT, "# %% q[^m1]\n\n[^m1]: [markdown] ", "a=b "), (_CHECK, _FIX)),
    (Input(_CHAT, "", "# h\n\n# %% q\n"), (_FORMAT,)),
    (
        Input(_CHAT, "", '# %%% r[^a{i}.ab.1]\n\n[^a{i}.ab.1]: [tool] status="success"\n\n'),
        (_CHECK,),
    ),
    (
        Input(_CHAT, "", '# %%% r[^c{i}.1]\n\n[^c{i}.1]: [python] status="success"\n\n'),
        (_CHECK,),
    ),
    (Input(_CHAT, "", "#%% q[^m1]\n\ntext\n\n"), (_FIX,)),
    (Input("chat.stf", "", "@end\n@bad{i}\n"), (_CHECK, _FIX)),
    (Input("chat.stf", "", "@/* a\n@raw\n"), (_CHECK,)),
    (Input("chat.stf", "", "@user;raw\n"), (_FIX,)),
    (Input("chat.stf", "", "@extra x\n@embed\n"), (_FIX,)),
    (Input("messages/x/1.md", "; role: user\n", "; Version: {i}\n"), (_FORMAT, _FIX)),
    (Input("messages/x/1.md", "", "; role: usr\n````\nBlock-UUID: 8e1fdb4c{i}\n"), (_CHECK, _FIX)),
    (Input("chat.messages.json", '{"messages":[', "}"), (_CHECK,)),
]


ONCE_SLOW = pytest.mark.parametrize(
    ("given", "action"),
    [
        pytest.param(given, action, id=f"{number}-{action}")
        for number, (given, actions) in enumerate(FOUND)
        for action in actions
    ],
)


@ONCE_SLOW
def test_what_once_took_the_square_calls_as_much_as_there_is_text(
    given: Input, action: str
) -> None:
    assert growth_of_calls(ACTIONS[action], given, _LENGTH // 8) <= MOST_GROWTH


@pytest.mark.fuzz
@ONCE_SLOW
def test_what_once_took_the_square_grows_with_the_text(given: Input, action: str) -> None:
    assert growth_of_seconds(ACTIONS[action], given, _LENGTH) <= MOST_GROWTH


def drawn(draw: random.Random) -> Input:
    """A head, a unit and a tail of what files of some format are made of."""
    vocabulary = ALL[draw.choice(sorted(ALL))]
    # A file cannot hold half a character.
    pieces = [p for p in (*vocabulary.fragments, *vocabulary.starts) if _is_text(p)]

    def some(most: int) -> str:
        return "".join(draw.choices(pieces, k=draw.randint(0, most)))

    unit = some(3) or "\n"
    if draw.random() < 0.5:
        at = draw.randint(0, len(unit))
        unit = unit[:at] + "{i}" + unit[at:]
    path = PurePosixPath(draw.choice(vocabulary.paths))
    return Input(str(path), some(1), unit, some(1))


def _is_text(piece: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in piece)


@pytest.mark.fuzz
def test_nothing_grows_faster_than_its_text() -> None:
    seed = int(os.environ.get("SEED") or random.randrange(10**6))
    draw = random.Random(seed)
    end = time.monotonic() + float(os.environ.get("SECONDS") or 120)
    found = []
    while time.monotonic() < end:
        given, name = drawn(draw), draw.choice(sorted(ACTIONS))
        factor = growth_of_seconds(ACTIONS[name], given, _LENGTH)
        if factor > MOST_GROWTH:
            found.append((round(factor, 1), name, given))
    assert not found, f"seed {seed}: {found}"
