"""Nothing takes more than its share of time on a text that was made to take long.

``FOUND`` are inputs on which something once took the square of their length. Every day the
calls are counted; ``make fuzz`` measures the time, and looks for more such inputs, for
``SECONDS`` with ``SEED``; what it finds belongs there.
"""

from __future__ import annotations

import os
import random
import time

import pytest

from msgls.cli.main import COMMANDS as SUBCOMMANDS
from msgls.lsp.server import TABLE
from tests.growth.drawing import drawn
from tests.growth.growth import (
    ACTIONS,
    COMMANDS,
    MOST_GROWTH,
    REQUESTS,
    Input,
    growth_of_calls,
    growth_of_seconds,
)

_CHECK = "check --min-severity hint"
_FIX = "check --min-severity hint --diff --unsafe-fixes"
_FORMAT = "format --diff"
_LENGTH = 4_000
_CHAT = "chat.msg.md"
_BLOCK = "messages/x/1.md"

FOUND = [
    (Input(_CHAT, "", "# %% q\n\ntext {i}\n\n"), (_CHECK, _FIX, "textDocument/codeAction")),
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
    (Input(_BLOCK, "; role: user\n", "; Version: {i}\n"), (_FORMAT, _FIX)),
    (Input(_BLOCK, "", "; role: usr\n````\nBlock-UUID: 8e1fdb4c{i}\n"), (_CHECK, _FIX)),
    (
        Input("chat.messages.json", '{"messages":[', "}"),
        (_CHECK, "textDocument/didChange", "textDocument/didChange a fence"),
    ),
    (Input("chat.stf", "", "\n;flu{i}sh\n\n@flush\n\n;msg\n"), ("textDocument/codeAction",)),
    (Input("chat.stf", "", "@assistant\n@call id=c1\n@assistant\n"), (_CHECK,)),
    (
        Input(_BLOCK, "", "# Pa{i}rt\n```py\nBlock-UUID: 8e1fdb4c\n"),
        (f"{_CHECK} --output-format json", "textDocument/codeAction"),
    ),
    (
        Input(_CHAT, "# %% Code[^c1]\n", "## %%% [^a1.0a1b2c3d.2]\n\n", "# %%% Hi[^b1]\n"),
        ("workspace/executeCommand msgls.ask.compare",),
    ),
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


# About no file, or for ever.
_NO_FILE = {"rule", "init", "provider", "schema", "serve", "completions", "version"}
_NO_REQUEST = ("initialized", "workspace/did", "window/")


def test_every_command_and_every_request_is_among_the_actions() -> None:
    assert {name.partition(" ")[0] for name in COMMANDS} | _NO_FILE == set(SUBCOMMANDS)
    methods = {row.method for row in TABLE if not row.method.startswith(_NO_REQUEST)}
    assert {name.partition(" ")[0] for name in REQUESTS} == methods


@pytest.mark.fuzz
def test_nothing_grows_faster_than_its_text() -> None:
    seed = int(os.environ.get("SEED") or random.randrange(10**6))
    draw = random.Random(seed)
    end = time.monotonic() + float(os.environ.get("SECONDS") or 120)
    found = []
    while time.monotonic() < end:
        given, name = drawn(draw), draw.choice(sorted(ACTIONS))
        # What grows late is seen in long texts only, of which there is time for fewer.
        length = _LENGTH * draw.choice((1, 1, 1, 4))
        factor = growth_of_seconds(ACTIONS[name], given, length)
        if factor > MOST_GROWTH:
            found.append((round(factor, 1), name, given))
    assert not found, f"seed {seed}: {found}"
