"""What stands in a file cannot play tricks on the terminal that shows it, by any command."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from msgls.cli.main import COMMANDS
from tests.cli.support import Runner

# Colours, a title, a cleared screen, a key of the clipboard, a bell, the eight-bit CSI, a
# line that is written over, a turned direction.
TRICK = "\x1b[31m\x1b]0;x\x07\x1b[2J\x1b]52;c;eA==\x07\x9b31m\b\b\u202egpj\u2066\u200b"
FORBIDDEN = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066", "\u200b"} - {
    "\n"
}

CELLS = (
    f"---\nagents:\n  Al: {{models: [m]}}\ndefault_agent: 'x\u202e'\n---\n\n"
    f"# %% Hi {TRICK}[^q1]\n\n[^q1]: [markdown] history=no{TRICK} a=b=c{TRICK}\n\nText {TRICK}\n\n"
    f"# %%% [^q1]\n\n[^q1]: [Bo{TRICK}]\n\nAnswer {TRICK} [^none{TRICK}]\n\n"
    f"# %%% [^zz.n{TRICK}]\n\n[^zz.n{TRICK}]: [tool] name=x\n\n<a{TRICK}>\n"
)
FILES = {
    "a.msg.md": CELLS,
    "b.msg.md": CELLS.replace("Text", "Other text"),
    "code.msg.md": "# %% Code[^c1]\n\n[^c1]: [python]\n\n1\n",
    "a.stf": f"@user {TRICK}=1\nHi {TRICK}\n@bad{TRICK}\n@embed\nno{TRICK}.png\n@raw\n{{a{TRICK}\n",
    "messages/user/1.md": f"; Block-UUID: {TRICK}\n; Autors: {TRICK}\n; role: u{TRICK}\n\n\nHi\n",
    "a.messages.jsonl": f'{{"runId": "{TRICK}"}}\n{{bad {TRICK}\n',
    "a.deltas.jsonl": f'{{"runId": "x{TRICK}", "seq": 1, "kind": "text{TRICK}"}}\n',
}

RUNS: list[Sequence[str]] = [
    ("check", "."),
    ("check", ".", "--output-format", "full", "--severity", "hint"),
    ("check", ".", "--output-format", "concise"),
    *(
        ("check", ".", "--output-format", name)
        for name in ("json", "json-lines", "github", "gitlab", "junit", "sarif")
    ),
    ("outline", ".", "--output-format", "json"),
    ("check", ".", "--statistics"),
    ("check", "--diff", "."),
    ("format", "--check", "."),
    ("format", "--diff", "."),
    ("outline", "."),
    ("agents", "a.msg.md"),
    ("set-default", "a.msg.md", f"no{TRICK}"),
    ("set-default", f"no{TRICK}.msg.md", "Al"),
    ("chat", f"no{TRICK}.txt", "--message", "x"),
    ("chat", "a.msg.md", "--force", "--message", "x", "--as", f"x{TRICK}"),
    ("view", "a.msg.md"),
    ("view", "a.msg.md", "--explain"),
    ("ask", "a.msg.md", "--dry-run"),
    ("ask", "a.msg.md", "--agent", f"no{TRICK}"),
    ("ask", "a.msg.md", "--cell", f"no{TRICK}"),
    ("ask", "a.msg.md", "--provider", f"no{TRICK}"),
    ("run", f"no{TRICK}.msg.md"),
    ("run", "a.msg.md", "--cell", f"no{TRICK}"),
    ("run", "code.msg.md", "--kernel", f"no{TRICK}"),
    ("provider", "check", f"no{TRICK}"),
    ("import", f"no{TRICK}.jsonl", "-o", "new.msg.md"),
    ("fork", "a.msg.md", f"no{TRICK}"),
    ("diff", "a.msg.md", "b.msg.md"),
    ("rule", f"no{TRICK}"),
    ("schema", f"no{TRICK}"),
    ("assemble", "a.deltas.jsonl"),
    ("convert", "a.messages.jsonl", "--to", "stf", "-o", "new.stf"),
    (f"no{TRICK}",),
    ("serve", "--tcp", f"{TRICK}:x"),
    ("completions", f"no{TRICK}"),
]
NO_TRANSCRIPT_SHOWN = {"init", "version", "merge", "render"}


def test_every_command_is_tried() -> None:
    tried = {run[0] for run in RUNS} | NO_TRANSCRIPT_SHOWN
    assert set(COMMANDS) <= tried


@pytest.mark.parametrize("arguments", RUNS, ids=lambda run: " ".join(run)[:40].replace(TRICK, "?"))
def test_no_trick_reaches_the_terminal(
    arguments: Sequence[str], msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    for name, text in FILES.items():
        msgls.write(name, text)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    run = msgls(*arguments)
    for shown in (run.out, run.err):
        assert sorted(set(shown) & FORBIDDEN) == []
    assert run.out + run.err


@pytest.mark.skipif(os.name == "nt", reason="no such name may be given there")
def test_a_name_of_a_file_is_shown_harmlessly(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    name = f"x{TRICK}.msg.md".replace("/", "")
    msgls.write(name, CELLS)
    msgls.write(name.replace("x", "y", 1), b"\xff")
    for arguments in (["check", "."], ["format", "--check", "."], ["outline", "."]):
        run = msgls(*arguments)
        assert sorted(set(run.out + run.err) & FORBIDDEN) == []
        assert ".msg.md" in run.out + run.err


def test_a_diff_for_a_program_is_exact(msgls: Runner) -> None:
    msgls.write("a.msg.md", f"# %%   Hi {TRICK}[^q1]\n\n[^q1]: [markdown]\n\n\n\n\nText\n")
    run = msgls("format", "--diff", "a.msg.md")
    assert TRICK in run.out
    assert Path("a.msg.md").is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="such a name cannot be given there")
def test_a_name_in_a_diff_for_a_program_stays_on_its_line(msgls: Runner) -> None:
    name = '"a\\\n::error::b\x1b[31m.msg.md'
    text = "#  %% Hi[^a]\n\n[^a]: [markdown]\n"
    msgls.write(name, text)
    shown = msgls("format", "--diff", name).out
    assert shown.split("\n")[:2] == [
        f'{sign} "\\042a\\134\\012::error::b\\033[31m.msg.md"' for sign in ("---", "+++")
    ]
    subprocess.run(["git", "apply", "-p0"], input=shown.encode(), cwd=msgls.folder, check=True)
    assert msgls.read(name) == text.replace("#  ", "# ")


def test_what_json_escapes_means_the_same(msgls: Runner) -> None:
    msgls.write("a.msg.md", CELLS)
    found = json.loads(msgls("check", "a.msg.md", "--output-format", "json").out)
    assert any(TRICK in one["message"] for one in found)


def test_no_link_of_a_file_is_one_in_sarif(msgls: Runner) -> None:
    msgls.write("a.msg.md", "# %% [^q]\n\n[^q]: [markdown] history='[x](command:y)'\n\nText\n")
    log = json.loads(msgls("check", "a.msg.md", "--output-format", "sarif").out)
    texts = [result["message"]["text"] for result in log["runs"][0]["results"]]
    assert len(texts) == 1
    assert "`[x\\](command:y)`" in texts[0]


# -- logs of CI ---------------------------------------------------------------------------------

# GitHub takes the first for a command where a line starts with it, and the second anywhere;
# Azure the third anywhere, TeamCity the last at the start of a line.
COMMANDS_OF_CI = re.compile(
    r"^\s*::(?!(?:error|warning|notice) title=[A-Z]+\d+ )|##\[|##vso\[|^\s*##teamcity\[",
    re.MULTILINE,
)
SPOOF = "::stop-commands::x ##[error]x ##vso[task.complete]x ##teamcity[x]"
SPOOFED = f"{SPOOF}\n::error::x\n \u00a0::error::y\n"
SPOOFS = {
    name: text.replace(TRICK, SPOOFED if where else SPOOF)
    for name, text in FILES.items()
    for where in [name.endswith(".md")]
}


@pytest.mark.parametrize("arguments", RUNS, ids=lambda run: " ".join(run)[:40].replace(TRICK, "?"))
def test_nothing_becomes_a_command_in_the_log_of_a_ci(
    arguments: Sequence[str], msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, text in SPOOFS.items():
        msgls.write(name, text)
    for start in (" ::error::", "::warning file=x::", "##[error]", "x##vso[a]"):
        msgls.write(f"{start}.msg.md", SPOOFS["a.msg.md"])
    run = msgls(*[word.replace(TRICK, "x") for word in arguments])
    assert COMMANDS_OF_CI.findall(run.out + "\n" + run.err) == []


def test_what_is_raw_for_a_program_stays_as_it_is(msgls: Runner) -> None:
    """Decided in docs/ci.md: a pipe gets the text; who shows it in a log stops commands."""
    msgls.write("a.msg.md", "# %% [^q]\n\n[^q]: [markdown]\n\n::error::x\n\n##[error]y\n")
    run = msgls("convert", "a.msg.md", "--to", "stf", "-o", "-")
    assert "\n::error::x\n" in run.out
    assert "##[error]y" in run.out
    found = json.loads(msgls("view", "a.msg.md", "--to", "messages").out)
    assert "::error::x" in json.dumps(found)
