"""``msgls provider check``: what is wrong with a provider is said, whatever it does."""

import sys
from pathlib import Path

import pytest

from msgls.cli import provider
from tests.cli.support import Runner

DELTAS = """
import json, os, signal, sys, time
sys.stdin.read()
seq = 0
def delta(kind, **payload):
    global seq
    seq += 1
    print(json.dumps({"runId": "r", "seq": seq, "kind": kind, "payload": payload,
                      "timestamp": "2025-01-01T00:00:00Z"}), flush=True)
def start(): delta("start", modelId="m", requestId="q")
def text(): delta("text", textDelta="Hello.")
def done(): delta("done", finishReason="stop")
def error(): delta("error", errorCode="e", message="m")
"""


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("start(); text(); done()", ""),
        ("start(); text(); done(); sys.exit(3)", "exit code must be 0, not 3"),
        ("start(); text(); error()", "its exit code must not be 0 then"),
        ("start(); error(); sys.exit(1)", "nothing else could be checked"),
        ("", "it must write one stream of deltas, and wrote 0"),
        ("start(); text()", "not a stream of deltas that makes a message"),
        ("print('Hello.')", "not a stream of deltas that makes a message"),
        ("start(); text(); done(); time.sleep(100)", "not end within 5 seconds of its last delta"),
        ("print(50_000_000 * 'x')", "not a stream of deltas that makes a message"),
        ("start(); done(); text(); time.sleep(100)", "not a stream of deltas that makes a"),
        ("time.sleep(100)", "it wrote nothing within 2 seconds"),
        ("os.kill(os.getpid(), 9)", "it must write one stream of deltas, and wrote 0"),
    ],
)
def test_what_is_wrong_is_said(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, said: str
) -> None:
    # Only what hangs is waited for; to start takes longer than that on a busy machine.
    patience = 60.0 if "sleep" not in source else 5.0 if "start" in source else 2.0
    monkeypatch.setattr(provider, "_PATIENCE_SECONDS", patience)
    program = tmp_path / "provider.py"
    program.write_text(DELTAS + source, "utf-8")
    found = msgls("provider", "check", "--", sys.executable, str(program))
    assert said in found.err
    if said:
        assert (found.code, found.out) == (1, "")
    else:
        assert (found.code, found.out, found.err) == (0, "It follows the protocol.\n", "")


def test_one_that_does_not_stop(msgls: Runner, tmp_path: Path) -> None:
    program = tmp_path / "provider.py"
    # Asked to stop in the middle, it goes on; asked to the end, it comes to one.
    going_on = (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nstart(); text()\ntime.sleep(4)\ndone()"
    )
    program.write_text(DELTAS + going_on, "utf-8")
    found = msgls("provider", "check", "--", sys.executable, str(program))
    assert (found.code, found.out) == (1, "")
    assert "it does not end when it is asked to (SIGTERM)" in found.err


def test_who_is_meant_has_to_be_said(msgls: Runner) -> None:
    assert "say which provider to check" in msgls("provider", "check").err
    assert msgls("provider", "check", "no-such-program").code == 2
    listed = msgls("provider", "list")
    assert [line.split()[0] for line in listed.out.splitlines()[:3]] == ["replay", "openai", "llm"]
