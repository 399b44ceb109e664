"""Nothing takes more than its share of time on a text that was made to take long.

``FOUND`` are inputs on which something once took the square of their length. Every day the
calls are counted, of these and of a fixed set that has every action with every format;
``make fuzz`` measures the time, and looks for more such inputs, for ``SECONDS`` with ``SEED``
(``search.py``); what it finds belongs here.
"""

import os
import random
from pathlib import Path

import pytest

from msgls.cli.main import COMMANDS as SUBCOMMANDS
from msgls.lsp.server import TABLE
from tests.growth.drawing import KINDS, drawn
from tests.growth.growth import (
    ACTIONS,
    COMMANDS,
    MOST_GROWTH,
    REQUESTS,
    Input,
    growth_of_calls,
    growth_of_seconds,
)
from tests.growth.search import Finding, read_finding, search

_CHECK = "check --min-severity hint"
_FIX = "check --min-severity hint --diff --unsafe-fixes"
_FORMAT = "format --diff"
_LENGTH = 4_000
_CHAT = "chat.msg.md"
_BLOCK = "messages/x/1.md"
_TALK = "talk.messages.json"
_SUMMARIES = ("textDocument/inlayHint", "textDocument/codeAction")
_CLAUDE = (
    '[{"uuid": "1", "name": "A talk", "account": {"uuid": "2"}, "chat_messages": [{"uuid": "m1", '
    '"sender": "human", "text": "Read.", "content": [], "attachments": [{"file_name": "a"}'
)
_ATTACHMENT = ', {"file_name": "a.txt", "file_size": 2, "extracted_content": "hi"}'
_SESSION = (
    '{"type": "assistant", "sessionId": "s", "uuid": "000000ca-1111-4222-8333-4444", "message": '
    '{"role": "assistant", "model": "m", "id": "1", "content": [{"type": "text", "text": "3."}'
)
_TEXT = ', {"type": "text", "text": "3."}'
_MESSAGE = '{"runId": "r1", "role": "user", "parts": [], "timestamp": "2026-01-02T03:04:05Z"}\n'

FOUND = [
    (Input(_CHAT, "", "# %% q\n\ntext {i}\n\n"), (_CHECK, _FIX, "textDocument/codeAction")),
    (Input(_CHAT, "---\n", "# %%\n"), (_CHECK,)),
    (Input(_CHAT, "# %% q[^m1]\n\n[^m1]: [markdown] ", "a=b "), (_CHECK, _FIX)),
    (Input(_CHAT, "", "# h\n\n# %% q\n"), (_FORMAT,)),
    (
        Input(_CHAT, "", '# %%% r[^a{i}.ab.1]\n\n[^a{i}.ab.1]: [tool] status="success"\n\n'),
        (_CHECK,),
    ),
    (Input(_CHAT, "", '# %%% r[^c{i}.1]\n\n[^c{i}.1]: [python] status="success"\n\n'), (_CHECK,)),
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
    (Input(_TALK, "[\n", '  {"role":\n'), ("textDocument/didChange a unit",)),
    (Input(_CHAT, "# %% q[^q]\n\n", "[^q]: [markdown] history=summary\n"), _SUMMARIES),
    (Input(_CHAT, "", "# %% q[^q]\n\n[^q]: [markdown] history=summary\n\n"), _SUMMARIES),
    (Input("chat.stf", "", "@assistant\n@call id=c1 f\n@end\n@tool call_id=c1\nx\n"), (_FIX,)),
    (Input("a.stf", "", "\n@tool call_id=c1\n\n@ sys\n"), ("textDocument/codeAction",)),
    (Input(_CHAT, "", '# %%% [^a{i}]\n\n[^a{i}]: [Al] time="x"\n\n'), ("textDocument/inlayHint",)),
    (Input("conversations.json", _CLAUDE, _ATTACHMENT, "]}]}]"), ("convert --to stf",)),
]


# What was seen in longer texts only.
FOUND_LATE = [
    (Input(_TALK, "", '"toolName": "f",\n\n'), (_CHECK, "diff OTHER", "textDocument/didChange")),
    (Input(_TALK, "", '}\n}\n"parts": [\n"parts": [\n'), (_FORMAT, "outline")),
    (Input(_BLOCK, "", "; Autors: A\n"), ("textDocument/codeAction",)),
    (Input(_CHAT, "", "[^a{i}.0a1b2c3d.2]: [tool] status=success\n\n"), (_CHECK,)),
    (Input("old.jsonl", _SESSION, _TEXT, "]}}\n"), ("convert --to msgmd",)),
    (
        Input(
            _CHAT,
            "",
            "---\n---\n## %%% [^a1.0a1b2c3d]\n#{i} %% A question[^q1]\n# %% A question[^q1]\n",
        ),
        (f"{_CHECK} --output-format json-lines",),
    ),
    (Input(_TALK, _MESSAGE, "{}"), ("textDocument/didChange a unit",)),
    (Input(_CHAT, "", "#%% T[^a]\n\n[^a]: [markdown]\n\n"), (_FIX,)),
    (Input(_CHAT, "# %% q[^q1]\n\n[^q1]: [markdown]\n\n", "#%% x[^n{i}]\n\n"), (_CHECK,)),
]

ONCE_SLOW = pytest.mark.parametrize(
    ("given", "action", "length"),
    [
        pytest.param(given, action, length, id=f"{length}-{number}-{action}")
        for found, length in ((FOUND, _LENGTH), (FOUND_LATE, 4 * _LENGTH))
        for number, (given, actions) in enumerate(found, 1)
        for action in actions
    ],
)


@ONCE_SLOW
def test_what_once_took_the_square_calls_as_much_as_there_is_text(
    given: Input, action: str, length: int
) -> None:
    assert growth_of_calls(ACTIONS[action], given, length // 8) <= MOST_GROWTH


@pytest.mark.fuzz
@ONCE_SLOW
def test_what_once_took_the_square_grows_with_the_text(
    given: Input, action: str, length: int
) -> None:
    assert growth_of_seconds(ACTIONS[action], given, length) <= MOST_GROWTH


# About no file, or for ever.
_NO_FILE = {"rule", "init", "provider", "schema", "serve", "completions", "version"}
_NO_REQUEST = ("initialized", "workspace/did", "window/")


def test_every_command_and_every_request_is_among_the_actions() -> None:
    assert {name.partition(" ")[0] for name in COMMANDS} | _NO_FILE == set(SUBCOMMANDS)
    # Where this fails: give `ASKED` in tests/growth/growth.py the params of the new request.
    methods = {row.method for row in TABLE if not row.method.startswith(_NO_REQUEST)}
    assert {name.partition(" ")[0] for name in REQUESTS} == methods


@pytest.mark.parametrize("kind", KINDS)
def test_every_action_calls_as_much_as_there_is_text(kind: str) -> None:
    found = []
    for number, name in enumerate(sorted(ACTIONS)):
        given = drawn(random.Random(f"{kind} {number}"), kind)
        factor = growth_of_calls(ACTIONS[name], given, _LENGTH // 8)
        if factor > MOST_GROWTH:
            found.append(Finding(factor, name, _LENGTH // 8, given))
    assert not [(finding, finding.keep()) for finding in found]


@pytest.mark.fuzz
def test_nothing_grows_faster_than_its_text() -> None:
    seed = int(os.environ.get("SEED") or random.randrange(10**6))
    found = list(search(seed, float(os.environ.get("SECONDS") or 240)))
    assert not found, f"seed {seed}"


def test_what_is_found_is_kept_and_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.growth.search._KEPT", tmp_path / "growth")
    found = Finding(16.0, _CHECK, 4_000, FOUND[0][0])
    assert read_finding(found.keep()) == found
