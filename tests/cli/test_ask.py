"""``msgls ask``: what is sent, what is written, and what never is."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from msgls.host.alive import is_alive
from tests.cli.support import Runner
from tests.providers.service import END, Service, chunk, serving

HEAD = "---\nagents:\n  Ada:\n    models: [replay]\n    system_prompt: Be kind.\n---\n\n"
QUESTION = "# %% [^m1]\n\n[^m1]: [markdown]\n\nHello.\n"
FILE = HEAD + QUESTION


@pytest.fixture(autouse=True)
def config(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder."""
    home = tmp_path_factory.mktemp("config")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    (home / "msgls").mkdir()
    return configured(home / "msgls", '[providers.replay]\ncommand = ["replay", "--speed", "0"]\n')


def configured(folder: Path, text: str) -> Path:
    (folder / "providers.toml").write_text(text, "utf-8")
    return folder


def deltas(*payloads: dict[str, Any]) -> str:
    """A recorded stream."""
    lines = []
    for seq, payload in enumerate(payloads):
        kind = payload.pop("kind")
        delta = {"runId": "r", "seq": seq, "kind": kind, "payload": payload, "timestamp": "t"}
        lines.append(json.dumps(delta) + "\n")
    return "".join(lines)


def start() -> dict[str, Any]:
    return {"kind": "start", "modelId": "m", "requestId": "q"}


def recorded(config: Path, text: str) -> None:
    """Let ``replay`` stream this."""
    file = config / "answer.jsonl"
    file.write_text(text, "utf-8")
    command = json.dumps(["replay", "--speed", "0", str(file)])
    configured(config, f"[providers.replay]\ncommand = {command}\n")


def test_an_answer_is_shown_and_written(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", FILE)
    found = msgls("ask", "a.msg.md")
    assert found.code == 0
    assert found.out == "You said:\n\nHello.\n"
    assert "asking Ada through replay: 2 messages, about 4 tokens\n" in found.err
    assert re.search(r"Ada answered in m2: [0-9.]+ s, 3 tokens", found.err)
    text = path.read_text("utf-8")
    assert text.startswith(FILE + "\n# %%% [^m2]\n\n[^m2]: [Ada] time=")
    assert text.endswith("\n\nYou said:\n\nHello.\n")
    assert "incomplete" not in text
    assert msgls("check", "a.msg.md").code == 0


def test_what_is_said_about_it_stands_on_a_line_of_its_own_in_a_pipe(msgls: Runner) -> None:
    msgls.write("a.msg.md", FILE)
    command = [sys.executable, "-m", "msgls", "ask", "a.msg.md"]
    env = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    both = subprocess.run(
        command,
        cwd=msgls.folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=True,
    )
    lines = both.stdout.decode().splitlines()
    assert lines[1:4] == ["You said:", "", "Hello."]
    assert lines[4].startswith("msgls: Ada answered in m2: ")


def test_dry_run_sends_nothing_and_shows_what_would_be(msgls: Runner) -> None:
    hidden = "# %% [^h]\n\n[^h]: [markdown] history=exclude\n\nHIDDEN\n\n"
    boot = "# %%% [^b]\n\n[^b]: [Ada] boot=1 virtual=1\n\nBOOT\n\n"
    code = "# %% [^c]\n\n[^c]: [code]\n\nASIDE\n\n```py\n1\n```\n\n"
    path = msgls.write("a.msg.md", HEAD + hidden + boot + code + QUESTION)
    before = path.read_bytes()
    found = msgls("ask", "a.msg.md", "--dry-run", "--model", "other")
    assert found.code == 0
    assert path.read_bytes() == before
    request = found.json
    assert (request["agent"], request["model"]) == ("Ada", "other")
    said = [part["payload"]["text"] for m in request["messages"] for part in m["parts"]]
    assert said == ["Be kind.", "```py\n1\n```", "Hello."]
    assert all(set(m) == {"runId", "role", "parts", "timestamp"} for m in request["messages"])
    for word in ("HIDDEN", "BOOT", "ASIDE", "agents:"):
        assert word not in found.out


def test_what_it_takes_and_what_is_hidden_is_told_before_it_is_sent(
    msgls: Runner, config: Path
) -> None:
    hidden = "".join(
        f"# %% [^h{number}]\n\n[^h{number}]: [markdown] history=exclude\n\nHIDDEN\n\n"
        for number in range(7)
    )
    short = "# %% [^s]\n\n[^s]: [markdown] history=summary summary=Short\n\nLONG\n\n"
    later = "\n# %% [^z]\n\n[^z]: [markdown] history=exclude\n\nLater.\n"
    msgls.write("a.msg.md", HEAD + hidden + short + QUESTION + later)
    configured(config, '[models]\n"*" = "replay"\n[prices]\n"replay" = [1000, 2]\n')
    told = (
        "3 messages, about 5 tokens, 0.0050 without the answer\n"
        "msgls: not sent, or not in full: `h3` (history=exclude), `h4` (history=exclude), "
        "`h5` (history=exclude), `h6` (history=exclude), `s` (replaced by its summary), "
        "and 3 more: msgls view a.msg.md --explain\n"
    )
    assert msgls("ask", "a.msg.md", "--cell", "m1", "--dry-run").err == f"msgls: {told}"
    found = msgls("ask", "a.msg.md", "--cell", "m1")
    assert found.err.startswith(f"msgls: asking Ada through replay: {told}msgls: Ada answered")
    # What is not part of it is not counted: as many tokens as `view` says.
    msgls.write("b.msg.md", HEAD + hidden + short + QUESTION)
    assert "About 5 tokens in all" in msgls("view", "b.msg.md", "--explain").out


def test_definitions_at_the_end_of_the_file_hide_as_well(msgls: Runner) -> None:
    text = "# %% [^h]\n\nHIDDEN\n\n# %% [^m1]\n\nHello.\n\n# %% [^z]\n\nLater.\n\n"
    text += "[^h]: [markdown] history=exclude\n[^m1]: [markdown]\n[^z]: [markdown]\n"
    msgls.write("a.msg.md", text)
    found = msgls("ask", "a.msg.md", "--dry-run", "--cell", "m1")
    assert [m["parts"][0]["payload"]["text"] for m in found.json["messages"]] == ["Hello."]


def test_secrets_are_not_sent_unless_told(msgls: Runner) -> None:
    key = "sk-ant-api03-" + "Ab3dE5fG7hI9jK1lM2nO4pQ6" * 3
    msgls.write("a.msg.md", HEAD + QUESTION.replace("Hello.", f"My key is {key}"))
    found = msgls("ask", "a.msg.md", "--dry-run")
    assert key not in found.out
    assert "hidden:" in found.err
    assert key in msgls("ask", "a.msg.md", "--dry-run", "--no-redact").out


HOSTILE = """---
agents:
  Ada:
    models: [gpt-5]
    command: [touch, owned]
    provider: /bin/sh
    base_url: http://evil.example/
    env: {OPENAI_BASE_URL: "http://evil.example/"}
    api_key: k
providers:
  x:
    command: [touch, owned]
---

"""


def test_a_file_chooses_no_program_no_address_and_no_key(msgls: Runner) -> None:
    msgls.write("a.msg.md", HOSTILE + QUESTION)
    msgls.write(
        "providers.toml", '[providers.x]\ncommand = ["touch", "owned"]\n[models]\n"*" = "x"\n'
    )
    msgls.write(".config/msgls/providers.toml", '[models]\n"*" = "replay"\n')
    msgls.write(
        "agents.json", '{"agents": [{"name": "Ada", "path": "x", "command": "touch owned"}]}'
    )
    # A project's configuration has no such keys at all.
    project = msgls.write("msgls.toml", '[providers.x]\ncommand = ["touch", "owned"]\n')
    assert "providers: unknown key" in msgls("ask", "a.msg.md").err
    project.unlink()
    found = msgls("ask", "a.msg.md")
    assert found.code == 2
    assert "no provider is configured for `Ada` (model `gpt-5`)" in found.err
    request = msgls("ask", "a.msg.md", "--dry-run").json
    assert set(request) == {"agent", "model", "settings", "messages"}
    assert request["settings"] == {}
    for name in ("../x", "x", "/bin/sh", "sh"):
        assert msgls("ask", "a.msg.md", "--provider", name).code == 2
    assert not list(msgls.folder.rglob("owned*"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FILE + "\n# %%% [^m2]\n\n[^m2]: [Ada]\n\nYes.\n", "the last message is an answer already"),
        (HEAD, "there is no message that the model sees"),
        (HEAD + "# %% [^m1]\n\n[^m1]: [markdown]\n", "this message is empty"),
        (FILE.replace("Hello.", "```"), "the fence that opens on line"),
        (FILE.replace("Ada", "tool"), "`tool` is not a valid agent name"),
        (FILE.replace("Ada", "'a] history=none b=[c'"), "is not a valid agent name"),
        (FILE.replace("Ada", '"a\\nb"'), "is not a valid agent name"),
        (
            FILE + "\n# %%% [^m2]\n\n[^m2]: [Ada]\n\nI.\n\n# %%% [^m2.ab]\n\n[^m2.ab]: [tool] "
            'name="ls"\n\n<ls/>\n',
            "the tool call `m2.ab` has no result yet",
        ),
    ],
)
def test_when_nobody_can_be_asked(msgls: Runner, text: str, said: str) -> None:
    path = msgls.write("a.msg.md", text)
    found = msgls("ask", "a.msg.md")
    assert found.code == 2
    assert said in found.err
    assert path.read_text("utf-8") == text


def test_asking_again_keeps_the_old_answer_as_an_alternative(msgls: Runner) -> None:
    old = '\n# %%% [^m2]\n\n[^m2]: [Ada] time="2025-01-01T00:00:00Z"\n\nOld.\n'
    path = msgls.write("a.msg.md", FILE + old)
    assert msgls("ask", "a.msg.md", "--cell", "m2").code == 0
    text = path.read_text("utf-8")
    assert '[^m2]: [Ada] history=exclude time="2025-01-01T00:00:00Z"\n\nOld.\n' in text
    assert text.endswith("You said:\n\nHello.\n")
    assert "Old." not in msgls("view", "a.msg.md").out
    path = msgls.write("b.msg.md", FILE + old)
    assert msgls("ask", "b.msg.md", "--cell", "m1", "--keep").code == 0
    assert "Old." in msgls("view", "b.msg.md").out


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (deltas(start(), {"kind": "text", "textDelta": "Hel"}), "cut off"),
        (
            deltas(start(), {"kind": "text", "textDelta": "Hel"}) + "garbled\n",
            "the provider wrote a line that is not JSON",
        ),
        (
            deltas(
                start(),
                {"kind": "text", "textDelta": "Hel"},
                {"kind": "error", "errorCode": "http_429", "message": "slow down"},
            ),
            "http_429: slow down",
        ),
    ],
)
def test_what_came_is_kept_and_continued(
    msgls: Runner, config: Path, stream: str, reason: str
) -> None:
    recorded(config, stream)
    path = msgls.write("a.msg.md", FILE)
    found = msgls("ask", "a.msg.md")
    assert found.code == 1
    told = f"the answer is not complete: {reason}; to continue: msgls ask a.msg.md"
    assert f"{told} --cell m2 --continue\n" in found.err
    text = path.read_text("utf-8")
    assert f'incomplete=1 reason="{reason}"\n\nHel\n' in text
    rest = {"kind": "text", "textDelta": "lo."}
    recorded(config, deltas(start(), rest, {"kind": "done", "finishReason": "stop"}))
    assert msgls("ask", "a.msg.md", "--continue").code == 0
    text = path.read_text("utf-8")
    assert text.endswith('model="m"\n\nHello.\n')
    assert msgls("ask", "a.msg.md", "--continue").code == 2


def test_what_goes_on_in_the_middle_is_what_was_said(msgls: Runner, config: Path) -> None:
    recorded(config, deltas(start(), {"kind": "text", "textDelta": "Hel"}))
    later = "\n# %% [^m9]\n\n[^m9]: [markdown]\n\nLater.\n"
    path = msgls.write("my talk.msg.md", FILE + later)
    found = msgls("ask", path.name, "--cell", "m1")
    command = shlex.split(found.err.partition("to continue: msgls ")[2])
    rest = {"kind": "text", "textDelta": "lo."}
    recorded(config, deltas(start(), rest, {"kind": "done", "finishReason": "stop"}))
    assert msgls(*command).code == 0
    assert path.read_text("utf-8").endswith(f'model="m"\n\nHello.\n{later}')


def test_nobody_is_asked_after_a_fence_that_is_open(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", FILE + "\n```py\n")
    found = msgls("ask", "a.msg.md")
    assert (found.code, found.out) == (2, "")
    assert found.err == "msgls: a.msg.md: the fence that opens on line 14 is not closed\n"
    assert path.read_text("utf-8") == FILE + "\n```py\n"


def test_no_answer_changes_nothing(msgls: Runner, config: Path) -> None:
    recorded(config, deltas(start(), {"kind": "error", "errorCode": "setup", "message": "no key"}))
    path = msgls.write("a.msg.md", FILE)
    found = msgls("ask", "a.msg.md")
    assert (found.code, path.read_text("utf-8")) == (1, FILE)
    assert "there is no answer: setup: no key" in found.err
    assert found.out == ""


def call(name: str, arguments: str) -> list[dict[str, Any]]:
    """The deltas of a call, whose id is its name."""
    return [
        {"kind": "tool_call_start", "toolCallId": name, "toolName": name},
        {"kind": "tool_call_args", "toolCallId": name, "argsTextDelta": arguments},
        {"kind": "tool_call_end", "toolCallId": name},
    ]


def test_parallel_calls_are_answered_one_by_one(msgls: Runner, config: Path) -> None:
    thought = {"kind": "thinking", "textDelta": "Hm."}
    text = {"kind": "text", "textDelta": "I look."}
    done = {"kind": "done", "finishReason": "tool_calls"}
    calls = [*call("ls", '{"path": "."}'), *call("cat", '{"path": "a"}')]
    recorded(config, deltas(start(), thought, text, *calls, done))
    path = msgls.write("a.msg.md", FILE)
    found = msgls("ask", "a.msg.md")
    assert (found.code, found.out) == (0, "Hm.\n\nI look.\n")
    ls, cat = re.findall(r"# %%% \[\^(m3\.[0-9a-f]{8})\]", path.read_text("utf-8"))
    assert f"but not executed: write a result after each of {ls}, {cat}, and" in found.err
    for answered, missing in [((), ls), ((cat,), ls), ((ls,), cat)]:
        text_now = path.read_text("utf-8")
        path.write_text(text_now + "".join(map(result, answered)), "utf-8")
        refused = msgls("ask", "a.msg.md")
        assert refused.code == 2
        assert f"the tool call `{missing}` has no result yet" in refused.err
        path.write_text(text_now, "utf-8")
    path.write_text(path.read_text("utf-8") + result(ls) + result(cat), "utf-8")
    assert msgls("check", "a.msg.md").code == 0
    said = {"kind": "text", "textDelta": "Two files."}
    recorded(config, deltas(start(), said, {"kind": "done", "finishReason": "stop"}))
    request = msgls("ask", "a.msg.md", "--dry-run").json
    assert [message["role"] for message in request["messages"]][-3:] == [
        "assistant", "tool", "tool",
    ]  # fmt: skip
    assert msgls("ask", "a.msg.md").code == 0
    assert re.search(r"\[\^m4\]: \[Ada\] .*\n\nTwo files\.\n\Z", path.read_text("utf-8"))


def result(call_id: str) -> str:
    return f'\n# %%% [^{call_id}.1]\n\n[^{call_id}.1]: [tool] status="success"\n\nDone.\n'


def test_what_a_model_writes_plays_no_tricks_on_the_terminal(msgls: Runner, config: Path) -> None:
    text = {"kind": "text", "textDelta": "a\x1b]0;x\x07\u202eb"}
    recorded(config, deltas(start(), text, {"kind": "done", "finishReason": "stop"}))
    msgls.write("a.msg.md", FILE)
    assert not {"\x1b", "\x07", "\u202e"} & set(msgls("ask", "a.msg.md").out)


@pytest.mark.parametrize("command", ["::error::x", "##[error]x", "##vso[a]x", "##teamcity[x]"])
@pytest.mark.parametrize("before", ["", "Words.\n", "Words.\r\n \t"])
def test_no_command_for_a_ci_log_is_put_together_of_what_a_model_sends_in_parts(
    msgls: Runner, config: Path, before: str, command: str
) -> None:
    for parts in ([before, command], list(before + command)):
        sent = [{"kind": "text", "textDelta": part} for part in parts if part]
        recorded(config, deltas(start(), *sent, {"kind": "done", "finishReason": "stop"}))
        msgls.write("a.msg.md", FILE)
        shown = msgls("ask", "a.msg.md").out
        assert command not in shown
        assert shown.endswith(f"{command[2:]}\n")


def test_what_a_model_sends_in_parts_is_shown_as_it_is(msgls: Runner, config: Path) -> None:
    text = "a::b #: ## c\r\nstd::d #\n"
    sent = [{"kind": "text", "textDelta": part} for part in text]
    recorded(config, deltas(start(), *sent, {"kind": "done", "finishReason": "stop"}))
    msgls.write("a.msg.md", FILE)
    assert msgls("ask", "a.msg.md").out == text.replace("\r\n", "\n") + "\n"


def process(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "msgls", "ask", "a.msg.md", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True)


def slow(config: Path) -> None:
    configured(config, '[providers.replay]\ncommand = ["replay", "--speed", "20"]\n')


@pytest.mark.parametrize("count", [1, 40, 300])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_what_was_shown_is_in_the_file_however_it_ends(
    msgls: Runner, config: Path, sent: signal.Signals, count: int
) -> None:
    slow(config)
    words = " ".join(f"w{number}" for number in range(400))
    path = msgls.write("a.msg.md", FILE.replace("Hello.", words))
    asking = process(msgls.folder)
    assert asking.stdout is not None
    shown = asking.stdout.read(count)
    os.kill(asking.pid, sent)
    # Not `communicate`: it passes over what is read ahead already.
    shown += asking.stdout.read()
    asking.communicate()
    assert asking.returncode == (130 if sent is signal.SIGINT else -9)
    text = path.read_text("utf-8")
    assert shown.strip() in text
    assert "incomplete=1" in text
    if sent is signal.SIGINT:
        assert 'reason="stopped"' in text or "reason=stopped" in text
    assert msgls("check", "a.msg.md", "--ignore", "MSG209").code == 0


HANGS = """
import json, os, sys, time
parent = os.getppid()
sys.stdin.read()
payload = {{"textDelta": {text!r}}}
delta = {{"runId": "r", "seq": 1, "kind": "text", "payload": payload, "timestamp": "t"}}
print(json.dumps(delta), flush=True)
while os.getppid() == parent:
    time.sleep(0.1)
"""


@pytest.mark.parametrize("begun", ["#", "[^m1]: [mark", "```p", "<!-- a comment that", "\\"])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_the_start_of_a_line_that_is_not_in_the_file_is_not_shown(
    msgls: Runner, config: Path, begun: str, sent: signal.Signals
) -> None:
    """It may have to be escaped, which the rest of it decides."""
    program = config / "hangs.py"
    program.write_text(HANGS.format(text=f"Hi.\n{begun}"), "utf-8")
    command = json.dumps([sys.executable, str(program)])
    configured(config, f'[models]\n"*" = "own"\n[providers.own]\ncommand = {command}\n')
    path = msgls.write("a.msg.md", FILE)
    asking = process(msgls.folder)
    assert asking.stdout is not None
    shown = asking.stdout.read(3)
    os.kill(asking.pid, sent)
    shown += asking.stdout.read()
    asking.communicate()
    if sent is signal.SIGINT:
        assert shown == f"Hi.\n{begun}\n"
    else:
        assert shown.strip() == "Hi."
    assert path.read_text("utf-8").partition("incomplete=1")[2].count("Hi.") == 1


def test_another_program_may_write_meanwhile(msgls: Runner, config: Path) -> None:
    slow(config)
    words = " ".join(f"w{number}" for number in range(60))
    path = msgls.write("a.msg.md", FILE.replace("Hello.", words))
    asking = process(msgls.folder)
    assert asking.stdout is not None
    asking.stdout.read(20)
    note = "\n# %% [^n]\n\n[^n]: [markdown]\n\nA note.\n"
    with path.open("a", encoding="utf-8") as file:
        file.write(note)
    assert asking.wait() == 0, asking.stderr
    text = path.read_text("utf-8")
    assert text.endswith(f"You said:\n\n{words}\n{note}")


def test_another_program_may_change_what_is_there_and_add_to_it_at_once(
    msgls: Runner, config: Path
) -> None:
    slow(config)
    words = " ".join(f"w{number}" for number in range(60))
    path = msgls.write("a.msg.md", FILE.replace("Hello.", words))
    asking = process(msgls.folder)
    assert asking.stdout is not None
    asking.stdout.read(20)
    note = "\n# %% [^n]\n\n[^n]: [markdown]\n\nA note.\n"
    changed = path.read_text("utf-8").replace("Be kind.", "Be brief.").replace("You", "YOU")
    msgls.write("other", changed + note).replace(path)
    assert asking.wait() == 0, asking.stderr
    text = path.read_text("utf-8")
    assert "system_prompt: Be brief." in text
    assert text.endswith(f"YOU said:\n\n{words}\n{note}")


DIES = """
import json, os, sys
sys.stdin.read()
for line in {lines!r}:
    sys.stdout.write(line)
    sys.stdout.flush()
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("count", range(9))
def test_a_provider_that_is_killed_leaves_what_came(
    msgls: Runner, config: Path, count: int
) -> None:
    """After each delta, and in the middle of each line."""
    words = [{"kind": "text", "textDelta": word} for word in ("Hel", "lo", ".")]
    whole = deltas(start(), *words).splitlines(keepends=True)
    lines = whole[: count // 2] + [whole[count // 2][:30]] * (count % 2) if count < 8 else whole
    program = config / "dies.py"
    program.write_text(DIES.format(lines=lines), "utf-8")
    command = json.dumps([sys.executable, str(program)])
    configured(config, f'[models]\n"*" = "dies"\n[providers.dies]\ncommand = {command}\n')
    path = msgls.write("a.msg.md", FILE)
    found = msgls("ask", "a.msg.md")
    assert found.code == 1
    came = "".join([word["textDelta"] for word in words[: max(count // 2 - 1, 0)]])
    text = path.read_text("utf-8")
    if not came:
        assert text == FILE
        assert "there is no answer: the provider " in found.err
    else:
        reason = "wrote a line that is not JSON" if count % 2 else "failed with exit code -9"
        assert f'incomplete=1 reason="the provider {reason}"\n\n{came}\n' in text
        assert msgls("check", "a.msg.md", "--ignore", "MSG209").code == 0


STUBBORN = """
import json, os, signal, subprocess, sys, time
from pathlib import Path
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.stdin.read()
Path(__file__).with_name("pids").write_text(f"{os.getppid()} {os.getpid()}")
for number, (kind, payload) in enumerate(
    [("text", {"textDelta": "Hi."}), ("done", {"finishReason": "stop"})]
):
    delta = {"runId": "r", "seq": number, "kind": kind, "payload": payload, "timestamp": "t"}
    print(json.dumps(delta), flush=True)
time.sleep(600)
"""


def test_a_provider_that_does_not_want_to_end_is_ended_with_all_that_it_started(
    msgls: Runner, config: Path
) -> None:
    program = config / "stubborn.py"
    program.write_text(STUBBORN, "utf-8")
    # A shell that waits for the program which does its work.
    command = json.dumps(["sh", "-c", f"{shlex.join([sys.executable, str(program)])}; exit"])
    configured(config, f'[models]\n"*" = "own"\n[providers.own]\ncommand = {command}\n')
    msgls.write("a.msg.md", FILE)
    asking = process(msgls.folder)
    assert asking.communicate()[0] == "Hi.\n"
    assert asking.returncode == 0
    pids = list(map(int, (config / "pids").read_text().split()))
    deadline = time.monotonic() + 20
    # The system may take a moment.
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_alive, pids))


def through(config: Path, service: Service) -> None:
    """Let ``openai`` ask a service on this machine."""
    env = f'{{ OPENAI_BASE_URL = "{service.address}", OPENAI_API_KEY = "k-1" }}'
    configured(config, f'[models]\n"*" = "openai"\n[providers.openai]\nenv = {env}\n')


@pytest.mark.parametrize(
    ("blocks", "status", "reason"),
    [
        ([chunk({"content": "你好"})], 200, "cut_off: the service closed the connection"),
        (
            [chunk({"content": "你好"}), b"data: {garbled\n\n"],
            200,
            "garbled: the service sent invalid JSON",
        ),
        ([b'{"error": {"message": "slow down"}}'], 429, "http_429: "),
    ],
)
def test_a_service_that_fails(
    msgls: Runner, config: Path, blocks: list[bytes], status: int, reason: str
) -> None:
    path = msgls.write("a.msg.md", FILE)
    with serving(blocks, status) as service:
        through(config, service)
        found = msgls("ask", "a.msg.md")
    assert found.code == 1
    assert reason in found.err
    assert "k-1" not in found.err + path.read_text("utf-8")
    if status == 200:
        assert f'incomplete=1 reason="{reason}' in path.read_text("utf-8")
        assert path.read_text("utf-8").endswith("\n\n你好\n")
    else:
        assert path.read_text("utf-8") == FILE


def test_a_slow_service_is_shown_as_it_speaks(msgls: Runner, config: Path) -> None:
    path = msgls.write("a.msg.md", FILE)
    character = "好".encode()
    rest = chunk({"content": "好"})
    at = rest.index(character) + 1
    # It stops inside a character.
    blocks = [chunk({"content": "你"}), rest[:at], b"", rest[at:], chunk({}, "stop"), END]
    with serving(blocks) as service:
        through(config, service)
        asking = process(msgls.folder)
        assert asking.stdout is not None
        assert asking.stdout.read(1) == "你"
        assert path.read_text("utf-8").endswith("incomplete=1\n\n你\n")
        service.goes_on.set()
        assert asking.stdout.read() == "好\n"
        asking.communicate()
    assert asking.returncode == 0
    assert path.read_text("utf-8").endswith('model="m-1"\n\n你好\n')


def test_whoever_asks_and_is_killed_while_a_service_is_silent_leaves_no_provider(
    msgls: Runner, config: Path
) -> None:
    msgls.write("a.msg.md", FILE)
    with serving([chunk({"content": "你"}), b"", END]) as service:
        through(config, service)
        asking = process(msgls.folder)
        assert asking.stdout is not None
        assert asking.stdout.read(1) == "你"
        children = Path(f"/proc/{asking.pid}/task/{asking.pid}/children").read_text().split()
        assert children
        asking.kill()
        asking.communicate()
        deadline = time.monotonic() + 20
        while any(is_alive(int(pid)) for pid in children) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(is_alive(int(pid)) for pid in children)


def test_llm_answers_through_its_plugins(msgls: Runner, config: Path) -> None:
    """The real ``llm``, with the plugin ``llm-echo``, which says what it was asked."""
    env = f"{{ LLM_USER_PATH = {json.dumps(str(config / 'llm'))} }}"
    configured(config, f'[models]\n"echo" = "llm"\n[providers.llm]\nenv = {env}\n')
    before = "# %% [^h]\n\n[^h]: [markdown] history=exclude\n\nHIDDEN\n\n"
    path = msgls.write(
        "a.msg.md", FILE.replace("[replay]", "[echo]").replace(QUESTION, "") + before + QUESTION
    )
    found = msgls("ask", "a.msg.md")
    assert (found.code, found.err.count("asking Ada through llm: 2 messages")) == (0, 1)
    heard = json.loads(found.out)
    assert (heard["system"], heard["prompt"]) == ("Be kind.", "Hello.")
    assert "HIDDEN" not in found.out
    text = path.read_text("utf-8")
    answer = r'\[\^m2\]: \[Ada\] time="[^"]+" model="echo" input_tokens=\d+ output_tokens=\d+\n\n\{'
    assert re.search(answer, text)
    assert "incomplete" not in text
    assert msgls("check", "a.msg.md").code == 0
    missing = msgls("ask", "a.msg.md", "--cell", "m1", "--model", "none", "--provider", "llm")
    assert missing.code == 1
    assert "unknown_model: llm does not have this model" in missing.err
    assert path.read_text("utf-8") == text


def test_nobody_is_asked_where_the_answer_cannot_be_written(
    msgls: Runner, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = msgls.write("a.msg.md", FILE)
    command = json.dumps(["sh", "-c", f"touch {config / 'asked'}"])
    configured(config, f'[models]\n"*" = "own"\n[providers.own]\ncommand = {command}\n')
    for place, said in [(path, "it is read-only"), (path.parent, "its folder is read-only")]:

        def access(asked: object, mode: int, place: Path = place) -> bool:
            return str(asked) != str(place.resolve())

        # Whoever runs the tests may be allowed to do everything.
        monkeypatch.setattr(os, "access", access)
        found = msgls("ask", "a.msg.md")
        assert (found.code, found.out, found.err) == (2, "", f"msgls: a.msg.md: {said}\n")
    assert not (config / "asked").exists()


def test_another_agent_model_and_provider(msgls: Runner, config: Path) -> None:
    agents = FILE.replace("  Ada:\n", "  Bob:\n    models: [first, second]\n  Ada:\n")
    path = msgls.write("a.msg.md", agents)
    found = msgls("ask", "a.msg.md", "--agent", "Bob", "--model", "second", "--provider", "replay")
    assert found.code == 0
    assert "asking Bob through replay: 1 message, about 2 tokens\n" in found.err
    assert re.search(r'\[\^m2\]: \[Bob\] time="[^"]+" model="second" ', path.read_text("utf-8"))
    first = msgls("ask", "a.msg.md", "--cell", "m1", "--agent", "Bob", "--dry-run").json
    assert (first["agent"], first["model"]) == ("Bob", "first")
    assert msgls("ask", "a.msg.md", "--cell", "m1", "--agent", "Eve").code == 2
    assert msgls("ask", "a.msg.md", "--cell", "m7").code == 2


# Repeats the last message when two are asked, so that both have read the file without an answer.
TOGETHER = """
import os, runpy, time
from pathlib import Path
asked = Path(__file__).parent / "asked"
asked.mkdir(exist_ok=True)
(asked / str(os.getpid())).touch()
while len(os.listdir(asked)) < 2:
    time.sleep(0.01)
runpy.run_module("msgls.providers.replay", run_name="__main__")
"""


def test_two_answers_at_once_are_both_there(msgls: Runner, config: Path) -> None:
    program = config / "together.py"
    program.write_text(TOGETHER, "utf-8")
    command = json.dumps([sys.executable, str(program)])
    configured(config, f"[providers.replay]\ncommand = {command}\n")
    words = " ".join(f"w{number}" for number in range(20))
    path = msgls.write("a.msg.md", FILE.replace("Hello.", words))
    both = [process(msgls.folder), process(msgls.folder)]
    for asking in both:
        out, _ = asking.communicate()
        assert (asking.returncode, out) == (0, f"You said:\n\n{words}\n")
    text = path.read_text("utf-8")
    assert sorted(re.findall(r"# %%% \[\^(m\d)\]", text)) == ["m2", "m3"]
    assert text.count(f"\n\nYou said:\n\n{words}\n") == 2
    assert "incomplete" not in text
