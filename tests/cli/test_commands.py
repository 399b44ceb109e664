"""The smaller commands, and what is common to all of them."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from msgls import __version__
from msgls.cli import rule as rule_command
from msgls.cli.main import COMMANDS, make_parser
from msgls.rules.registry import RULES
from tests.cli.support import GOOD, UNDEFINED, Runner
from tests.features.msgmd.sample import CONVERSATION

# All commands.


def test_without_a_command_help_is_shown(msgls: Runner) -> None:
    run = msgls()
    assert run.code == 0
    assert all(name in run.out for name in COMMANDS)


def test_an_unknown_command_gets_a_guess(msgls: Runner) -> None:
    assert msgls("chek") == (2, "", "msgls: unknown command `chek` (did you mean `check`?)\n")
    assert "there are: check, format" in msgls("zzzzzz").err


@pytest.mark.parametrize("name", ["", *COMMANDS])
@pytest.mark.parametrize("columns", ["", "80"])
def test_help_fits_80_columns(
    msgls: Runner, name: str, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    run = msgls(*filter(None, [name]), "--help")
    assert run.code == 0
    assert run.out.startswith("usage: msgls")
    assert max(map(len, run.out.splitlines())) <= 80


def test_every_option_is_explained() -> None:
    for action in make_parser(list(COMMANDS))._actions:
        for below in (getattr(action, "choices", None) or {}).values():
            assert all(option.help for option in below._actions), below.prog


def test_the_version(msgls: Runner) -> None:
    assert msgls("version") == (0, f"msgls {__version__}\n", "")
    assert msgls("--version").out == f"msgls {__version__}\n"


def test_a_mistake_of_ours_is_2_and_can_be_told(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(rule_command, "page_of", fail)
    run = msgls("rule", "MSG101")
    assert run.code == 2
    assert run.err.endswith("msgls: internal error: oh\n")
    assert "Traceback" in run.err


def test_as_a_program(tmp_path: Path) -> None:
    (tmp_path / "a.msg.md").write_text(UNDEFINED, "utf-8")
    command = [sys.executable, "-m", "msgls.cli.main", "check", "--output-format", "json"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert run.returncode == 1
    assert [finding["code"] for finding in json.loads(run.stdout)] == ["MSG101"]


def test_whoever_reads_along_may_leave(tmp_path: Path) -> None:
    cells = [UNDEFINED.replace("q1", f"q{number}") for number in range(3_000)]
    (tmp_path / "a.msg.md").write_text("".join(cells), "utf-8")
    command = [sys.executable, "-m", "msgls.cli.main", "check", "--output-format", "concise"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_an_output_that_is_full(tmp_path: Path) -> None:
    (tmp_path / "a.msg.md").write_text(UNDEFINED, "utf-8")
    command = [sys.executable, "-m", "msgls.cli.main", "check"]
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False, text=True
        )
    assert run.returncode == 2
    assert run.stderr.startswith("msgls: the output cannot be written: ")
    assert run.stderr.count("\n") == 1


def test_an_output_that_cannot_say_everything(tmp_path: Path) -> None:
    (tmp_path / "é.msg.md").write_text("# %% 天气[^é]\n\nHi.\n", "utf-8")
    command = [sys.executable, "-X", "utf8=0", "-m", "msgls.cli.main", "check"]
    environment = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    for name in ("full", "json"):
        run = subprocess.run(
            [*command, "--output-format", name, "é.msg.md"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert run.returncode == 1, run.stderr
        if name == "json":
            assert json.loads(run.stdout)[0]["filename"] == "é.msg.md"


# rule


def test_a_rule_is_explained(msgls: Runner) -> None:
    page = msgls("rule", "MSG302")
    assert page.code == 0
    assert page.out.startswith("# MSG302: nonce-mismatch\n\n**error** · fix: available\n")
    for heading in ("What it does", "Why it matters", "Example", "Fix safety"):
        assert f"## {heading}\n" in page.out
    assert msgls("rule", "msg302") == msgls("rule", "nonce-mismatch") == page


def test_a_name_that_two_formats_share(msgls: Runner) -> None:
    out = msgls("rule", "invalid-json").out
    assert "BOOT001" in out
    assert "DLT001" in out


def test_all_rules(msgls: Runner) -> None:
    lines = msgls("rule", "--all").out.splitlines()
    assert len(lines) == len(RULES)
    # Nothing is cut where a program reads along.
    assert not any("…" in line for line in lines)
    listed = msgls("rule", "--all", "--output-format", "json").json
    assert [rule["code"] for rule in listed] == sorted(rule.code for rule in RULES)
    keys = {"code", "name", "severity", "fix", "summary", "documentation", "url"}
    assert all(set(rule) == keys for rule in listed)


def test_all_rules_fit_a_terminal(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert max(map(len, msgls("rule", "--all").out.splitlines())) <= 80


def test_no_rule_and_an_unknown_one(msgls: Runner) -> None:
    assert msgls("rule").code == 2
    assert msgls("rule", "--all", "MSG302").code == 2
    run = msgls("rule", "MSG3O2")
    assert run.code == 2
    assert "did you mean `MSG302`?" in run.err


# outline


def test_the_outline_of_a_folder(msgls: Runner) -> None:
    msgls.write("a.msg.md", CONVERSATION)
    msgls.write("sub/b.msg.md", "")
    run = msgls("outline", ".")
    assert run.code == 0
    lines = run.out.splitlines()
    assert lines[0] == "a.msg.md"
    assert any(line.split()[:2] == ["14", "Question"] for line in lines)
    assert lines[-2:] == [str(Path("sub/b.msg.md")), "  no cells"]
    assert max(map(len, lines)) <= 80


def test_the_outline_as_json(msgls: Runner) -> None:
    msgls.write("a.msg.md", "# %% A[^1]\n\n[^1]: [markdown]\n\n## Plan\n\n## %% B[^2]\n\nHi.\n")
    (file,) = msgls("outline", "a.msg.md", "--output-format", "json").json
    assert file["filename"] == "a.msg.md"
    shown = [(e["line"], e["level"], e["kind"], e["name"]) for e in file["entries"]]
    assert shown == [(1, 0, "message", "A"), (5, 1, "heading", "Plan"), (7, 1, "message", "B")]


def test_an_outline_of_nothing(msgls: Runner) -> None:
    assert msgls("outline", ".") == (0, "", "msgls: no message file was found\n")
    assert msgls("outline", "nowhere").code == 2


# agents and set-default

AGENTS = """---
agents:
  helper:
    models: [gpt-x, gpt-y]
  other: {}
---

# %% Critic[^t1]

[^t1]: [markdown] definition="agent" name="critic"

---
models: [gpt-z]
---

# %%% One[^a1]

[^a1]: [helper]

# %%% Two[^a2]

[^a2]: [gpt-y]

# %%% Three[^a3]

[^a3]: [stranger]
"""


def test_every_agent_involved_is_listed(msgls: Runner) -> None:
    msgls.write("a.msg.md", AGENTS)
    path = msgls.write("agents.json", '{"agents": [{"name": "remote"}]}')
    listed = msgls("agents", "a.msg.md", "--output-format", "json").json
    here = {"filename": "a.msg.md"}
    assert [(a["name"], a["origin"], a["models"], a["answers"]) for a in listed] == [
        ("helper", "frontmatter", ["gpt-x", "gpt-y"], 1),
        ("other", "frontmatter", [], 0),
        ("critic", "cell", ["gpt-z"], 0),
        ("remote", "agents.json", [], 0),
        ("gpt-y", "model", [], 1),
        ("stranger", "answers", [], 1),
    ]
    assert [a["default"] for a in listed] == [True, False, False, False, False, False]
    assert [a["defined"] for a in listed] == [
        {**here, "line": 3},
        {**here, "line": 5},
        {**here, "line": 8},
        {"filename": str(path), "line": None},
        None,
        None,
    ]
    lines = msgls("agents", "a.msg.md").out.splitlines()
    assert len(lines) == 7
    assert max(map(len, lines)) <= 80
    assert re.split(r"  +", lines[1]) == [
        "helper",
        "default",
        "frontmatter",
        "line 3",
        "1",
        "gpt-x, gpt-y",
    ]


def test_a_file_without_agents(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    assert msgls("agents", "a.msg.md").out == "no agents\n"
    assert msgls("agents", "a.msg.md", "--output-format", "json").json == []


@pytest.mark.parametrize("command", [("agents",), ("set-default", "x")])
def test_files_that_are_none(msgls: Runner, command: tuple[str, ...]) -> None:
    msgls.write("notes.md", "Hi.\n")
    name, *rest = command
    assert "no such file" in msgls(name, "nowhere.msg.md", *rest).err
    run = msgls(name, "notes.md", *rest)
    assert run.code == 2
    assert "this is not a message file" in run.err


@pytest.mark.parametrize(
    ("agent", "after"),
    [
        ("other", AGENTS.replace("---\nagents", "---\ndefault_agent: other\nagents", 1)),
        ("critic", AGENTS.replace("---\nagents", "---\ndefault_agent: critic\nagents", 1)),
        ("gpt-y", AGENTS.replace("---\nagents", "---\ndefault_agent: gpt-y\nagents", 1)),
    ],
)
def test_the_default_is_set(msgls: Runner, agent: str, after: str) -> None:
    msgls.write("a.msg.md", AGENTS)
    assert msgls("set-default", "a.msg.md", agent).code == 0
    assert msgls.read("a.msg.md") == after
    assert msgls("set-default", "a.msg.md", agent).code == 0
    assert msgls.read("a.msg.md") == after
    assert msgls("set-default", "a.msg.md", "helper").code == 0
    back = after.replace(f"default_agent: {agent}", "default_agent: helper")
    assert msgls.read("a.msg.md") == back


def test_a_default_where_there_is_no_frontmatter(msgls: Runner) -> None:
    msgls.write("agents.json", '{"agents": [{"name": "no: yes"}]}')
    msgls.write("a.msg.md", "\ufeff" + GOOD.replace("\n", "\r\n"))
    assert msgls("set-default", "a.msg.md", "no: yes").code == 0
    head = '\ufeff---\r\ndefault_agent: "no: yes"\r\n---\r\n\r\n'
    assert msgls.read("a.msg.md") == head + GOOD.replace("\n", "\r\n")
    assert msgls("check").code == 0


@pytest.mark.parametrize(
    ("before", "agent", "words"),
    [
        (AGENTS, "helpr", "did you mean `helper`?"),
        (AGENTS, "zzzzzzzzz", "it has: helper, other, critic, gpt-y"),
        (GOOD, "x", "it has none"),
        (AGENTS, "stranger", "is not registered"),
        ("---\nagents: {a: {}, b: {}\n", "a", "cannot be edited"),
        ("---\n{agents: {a: {}, b: {}}}\n---\n", "b", "cannot be edited"),
    ],
)
def test_a_default_that_cannot_be_set(msgls: Runner, before: str, agent: str, words: str) -> None:
    msgls.write("a.msg.md", before)
    run = msgls("set-default", "a.msg.md", agent)
    assert run.code == 2
    assert words in run.err
    assert msgls.read("a.msg.md") == before


# chat


def test_a_chat_starts_a_file(msgls: Runner) -> None:
    run = msgls("chat", "a.msg.md", "--message", "Hello\n# %% there")
    assert run == (0, "a.msg.md:1: added `m1`.\n", "")
    assert msgls.read("a.msg.md") == ("# %% [^m1]\n\n[^m1]: [markdown]\n\nHello\n\\# %% there\n")
    assert msgls("check", "--min-severity", "hint").code == 0


def test_a_chat_as_an_agent_registers_it(msgls: Runner) -> None:
    assert msgls("chat", "a.msg.md", "--message", "Hi", "--as", "helper").code == 0
    assert msgls.read("a.msg.md") == (
        "---\nagents:\n  helper: {}\n---\n\n# %%% [^m1]\n\n[^m1]: [helper]\n\nHi\n"
    )
    assert msgls("check").code == 0


REGISTERED = "---\nagents:\n  helper: {models: [m-1]}\n---\n\n" + GOOD


@pytest.mark.parametrize(
    ("name", "is_known"), [("helper", True), ("m-1", True), ("guide", True), ("helpr", False)]
)
def test_a_chat_as_a_stranger_registers_it_and_says_so(
    msgls: Runner, name: str, is_known: bool
) -> None:
    msgls.write("a.msg.md", REGISTERED)
    msgls.write("agents.json", '{"agents": [{"name": "guide", "path": "guide"}]}\n')
    run = msgls("chat", "a.msg.md", "--message", "Hi", "--as", name, "--force")
    assert run.code == 0
    assert msgls.read("a.msg.md").endswith(f"[{name}]\n\nHi\n")
    new = "msgls: a.msg.md: `helpr` is new here, and is registered in the frontmatter\n"
    assert run.err == ("" if is_known else new)
    assert ("helpr: {}" in msgls.read("a.msg.md")) is not is_known
    assert msgls("check", "a.msg.md").code == 0


def test_a_chat_that_is_refused_says_nothing_of_whom_it_would_register(msgls: Runner) -> None:
    text = "---\nmessage_section: Talk\nagents:\n  guide: {}\n---\n\n# Notes\n"
    msgls.write("a.md", text)
    run = msgls("chat", "a.md", "--message", "Hi", "--as", "helper", "--force")
    assert (run.code, run.err) == (2, "msgls: a.md: the section `Talk` is missing\n")
    assert msgls.read("a.md") == text


def test_without_force_a_file_is_not_touched(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    run = msgls("chat", "a.msg.md", "--message", "Hi")
    assert (run.code, run.out) == (2, "")
    assert "--force" in run.err
    assert msgls.read("a.msg.md") == GOOD


def test_with_force_a_cell_is_added(msgls: Runner) -> None:
    msgls.write("a.msg.md", "# %% A[^m1]\r\n\r\n[^m1]: [markdown]\r\n\r\nHi.")
    assert msgls("chat", "a.msg.md", "--message", "[^m1]: a\n```\nopen", "--force").code == 0
    assert msgls.read("a.msg.md") == (
        "# %% A[^m1]\r\n\r\n[^m1]: [markdown]\r\n\r\nHi.\r\n\r\n# %% [^m2]\r\n\r\n"
        "[^m2]: [markdown]\r\n\r\n\\[^m1]: a\r\n```\r\nopen\r\n```\r\n"
    )
    assert msgls("check").code == 0


def test_a_message_from_standard_input(msgls: Runner) -> None:
    assert msgls("chat", "a.msg.md", "--message", "-", stdin="从标准输入\n").code == 0
    assert msgls.read("a.msg.md").endswith("从标准输入\n")


def test_a_chat_in_a_section(msgls: Runner) -> None:
    head = "---\nmessage_section: Talk\n---\n\n# Notes\n\n# Talk\n"
    msgls.write("notes.md", head)
    assert msgls("chat", "notes.md", "--message", "Hi", "--force").code == 0
    assert msgls.read("notes.md") == head + "\n# %% [^m1]\n\n[^m1]: [markdown]\n\nHi\n"
    assert msgls("check").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("add",), "the name of the new agent is missing"),
        (("add", "x", "--temporary", "--model", ""), "a.msg.md"),
        (("--temporary",), "can only be used with `add`"),
        (("add", "tool"), "`tool` is not a valid agent name"),
    ],
)
def test_agents_that_cannot_be_added(msgls: Runner, arguments: tuple[str, ...], words: str) -> None:
    msgls.write("a.msg.md", "---\nagents: {x: {}}\n---\n")
    run = msgls("agents", "a.msg.md", *arguments)
    assert run.code == 2
    assert words in run.err


def test_headings_of_an_answer_in_a_section_look_like_no_section(msgls: Runner) -> None:
    msgls.write("notes.md", "---\nmessage_section: Talk\nagents: {gpt: {}}\n---\n\n## Talk\n")
    answer = "# Plan\n\n```sh\n# go\n```\n\nTalk\n====\n\n## Step 1"
    run = msgls("chat", "notes.md", "--message", answer, "--as", "gpt", "--force")
    assert "its headings are written deeper" in run.err
    assert msgls.read("notes.md").endswith(
        "\n\n## Plan\n\n```sh\n# go\n```\n\n## Talk\n\n### Step 1\n"
    )
    assert msgls("check", "--min-severity", "hint").code == 0
    assert "deeper" not in msgls("chat", "notes.md", "--message", "## Thanks", "--force").err
    msgls("chat", "a.msg.md", "--message", answer)
    assert answer in msgls.read("a.msg.md")


@pytest.mark.parametrize(
    ("name", "before", "flags", "words"),
    [
        ("a.md", None, (), "ends in .msg.md"),
        ("a.md", "Hi.\n", ("--force",), "this is not a message file"),
        ("a.msg.md", "# %%\n\n```\nopen\n", ("--force",), "line 3 is not closed"),
        ("a.msg.md", "---\na: 1\n", ("--force",), "frontmatter is not closed"),
        ("a.msg.md", GOOD, ("--force", "--as", "tool"), "`tool` is not a valid agent name"),
        ("a.msg.md", None, ("--as", "a]b"), "is not a valid agent name"),
        ("a.msg.md", None, ("--as", ""), "is not a valid agent name"),
        ("a.msg.md", None, ("--message", " \n"), "--message is blank"),
        ("no/a.msg.md", None, (), "no such file or directory"),
        ("a.md", "---\nmessage_section: T\n---\n", ("--force",), "`T` is missing"),
        ("a.md", "---\nmessage_section: T\n---\n# T\n# U\n", ("--force",), "not the last one"),
    ],
)
def test_a_chat_that_cannot_be(
    msgls: Runner, name: str, before: str | None, flags: tuple[str, ...], words: str
) -> None:
    if before is not None:
        msgls.write(name, before)
    run = msgls("chat", name, "--message", "Hi", *flags)
    assert run.code == 2
    assert words in run.err
    assert (msgls.folder / name).exists() is (before is not None)
    if before is not None:
        assert msgls.read(name) == before


def test_a_chat_needs_a_message(msgls: Runner) -> None:
    assert "--message" in msgls("chat", "a.msg.md").err


# format


def test_format_writes(msgls: Runner) -> None:
    msgls.write("a.msg.md", "#  %%  A\nHi.\n")
    msgls.write("b.msg.md", GOOD)
    assert msgls("format") == (0, "", "1 file changed, 1 file left unchanged.\n")
    assert msgls.read("a.msg.md") == "# %% A\n\nHi.\n"
    assert msgls.read("b.msg.md") == GOOD


def test_format_check_and_diff_write_nothing(msgls: Runner) -> None:
    before = "#  %%  A\nHi."
    msgls.write("a.msg.md", before)
    assert msgls("format", "--check") == (
        1,
        "Would change: a.msg.md\n",
        "1 file would change, 0 files left unchanged.\n",
    )
    run = msgls("format", "--diff")
    assert run.code == 1
    assert run.out == (
        "--- a.msg.md\n+++ a.msg.md\n@@ -1,2 +1,3 @@\n-#  %%  A\n-Hi.\n"
        "\\ No newline at end of file\n+# %% A\n+\n+Hi.\n"
    )
    assert msgls.read("a.msg.md") == before
    assert msgls("format").code == 0
    assert msgls("format", "--check").code == 0
    assert msgls("format", "--diff") == (0, "", "0 files would change, 1 file left unchanged.\n")


def test_format_of_standard_input(msgls: Runner) -> None:
    assert msgls("format", "-", stdin="#  %%  A\nHi.\n") == (0, "# %% A\n\nHi.\n", "")
    assert msgls("format", "-", "--check", stdin="#  %%  A\n").code == 1
    assert msgls("format", "--stdin-filename", "n.md", stdin="#  %%  A\n").out == "#  %%  A\n"
    assert msgls("format", "-", "a.msg.md").code == 2
    assert msgls("format", "-", stdin=b"\xff").code == 2


def test_format_unhappy(msgls: Runner) -> None:
    assert msgls("format").err == "msgls: no message file was found\n"
    msgls.write("a.msg.md", b"\xff")
    msgls.write("b.msg.md", "#  %%  A\n")
    run = msgls("format", "a.msg.md", "b.msg.md", "c.msg.md")
    assert run.code == 2
    assert "a.msg.md: not UTF-8" in run.err
    assert "c.msg.md: no such file" in run.err
    assert msgls.read("b.msg.md") == "# %% A\n"


# init


def test_init_writes_a_configuration_that_is_the_default(msgls: Runner) -> None:
    assert msgls("init").code == 0
    text = msgls.read("msgls.toml")
    assert '# select = ["ALL"]' in text
    msgls.write("a.msg.md", UNDEFINED)
    assert msgls("check").code == 1
    # What is commented out is right, too.
    lines = [line.removeprefix("# ") if " = " in line else line for line in text.split("\n")]
    msgls.write("msgls.toml", "\n".join(lines))
    assert msgls("check").code == 1
    assert "already exists" in msgls("init").out
    assert msgls.read("msgls.toml") == "\n".join(lines)


def test_init_protect_writes_what_is_missing(msgls: Runner) -> None:
    assert msgls("init", "--protect").code == 0
    assert msgls.read(".prettierignore") == "*.msg.md\n"
    assert msgls.read(".markdownlintignore") == "*.msg.md\n"
    assert json.loads(msgls.read(".markdownlint-cli2.jsonc")) == {"ignores": ["**/*.msg.md"]}
    assert msgls.read(".mdformat.toml") == 'exclude = ["**/*.msg.md"]\n'
    assert msgls.read(".rumdl.toml") == '[global]\nexclude = ["**/*.msg.md"]\n'
    written = {path: path.read_bytes() for path in msgls.folder.iterdir()}
    run = msgls("init", "--protect")
    assert run.out.count("is already ignored") == 5
    assert {path: path.read_bytes() for path in msgls.folder.iterdir()} == written


def test_init_protect_keeps_what_is_there(msgls: Runner) -> None:
    msgls.write(".prettierignore", "dist")
    msgls.write(".mdformat.toml", "# wide\r\nwrap = 80\r\n")
    msgls.write(".rumdl.toml", "[MD013]\nenabled = false\n\n[global]\nexclude = ['out']\n")
    assert msgls("init", "--protect").code == 0
    assert msgls.read(".prettierignore") == "dist\n*.msg.md\n"
    assert msgls.read(".mdformat.toml") == 'exclude = ["**/*.msg.md"]\r\n# wide\r\nwrap = 80\r\n'
    assert msgls.read(".rumdl.toml") == (
        "[MD013]\nenabled = false\n\n[global]\nexclude = [\"**/*.msg.md\", 'out']\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}\n", '{"ignores": ["**/*.msg.md"]}\n'),
        ("// none yet\n{ }", '// none yet\n{"ignores": ["**/*.msg.md"] }'),
        ('{"config": {}}\n', '{"config": {}, "ignores": ["**/*.msg.md"]}\n'),
        ('{"ignores": []}\n', '{"ignores": ["**/*.msg.md"]}\n'),
        ('{"ignores": ["a"]}\n', '{"ignores": ["a", "**/*.msg.md"]}\n'),
        ('{"ignores": ["a" /* b, */]}\n', '{"ignores": ["a", /* b, */ "**/*.msg.md"]}\n'),
        ('{"ignores": ["a", ], "b": 1}\n', '{"ignores": ["a", "**/*.msg.md" ], "b": 1}\n'),
        (
            '{\n  // Long lines.\n  "config": {"MD013": false} // "ignores": ["**/*.msg.md"]\n}\n',
            (
                '{\n  // Long lines.\n  "config": {"MD013": false}, // "ignores": ["**/*.msg.md"]\n'
                '  "ignores": ["**/*.msg.md"]\n}\n'
            ),
        ),
        (
            (
                '{\r\n\t"ignores": [\r\n\t\t// Made.\r\n\t\t"dist", // } ]\r\n'
                '\t],\r\n\t"fix": true\r\n}\r\n'
            ),
            (
                '{\r\n\t"ignores": [\r\n\t\t// Made.\r\n\t\t"dist", // } ]\r\n'
                '\t\t"**/*.msg.md",\r\n\t],\r\n\t"fix": true\r\n}\r\n'
            ),
        ),
    ],
)
def test_init_protect_keeps_comments_in_json(msgls: Runner, before: str, after: str) -> None:
    name = ".markdownlint-cli2.jsonc"
    msgls.write(name, before)
    assert msgls("init", "--protect").code == 0
    assert msgls.read(name) == after
    assert f"{name}: *.msg.md is already ignored" in msgls("init", "--protect").out
    assert msgls.read(name) == after


def test_init_protect_finds_rumdl_in_pyproject(msgls: Runner) -> None:
    msgls.write("pyproject.toml", "[project]\nname = 'x'\n\n[tool.rumdl]\nline-length = 80\n")
    assert msgls("init", "--protect").code == 0
    assert msgls.read("pyproject.toml") == (
        "[project]\nname = 'x'\n\n[tool.rumdl]\nexclude = [\"**/*.msg.md\"]\nline-length = 80\n"
    )
    assert not (msgls.folder / ".rumdl.toml").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".rumdl.toml", "global = {exclude = []}\n"),
        (".rumdl.toml", "global = [\n"),
        (".mdformat.toml", 'exclude = "x"\n'),
        (".markdownlint-cli2.jsonc", '{"ignores": "dist"}\n'),
        (".markdownlint-cli2.jsonc", '{"config": {}\n'),
        (".markdownlint-cli2.jsonc", '["**/*.msg.md"]\n'),
        (".markdownlint-cli2.yaml", "config: {}\n"),
    ],
)
def test_init_protect_says_what_must_be_done_by_hand(msgls: Runner, name: str, text: str) -> None:
    msgls.write(name, text)
    run = msgls("init", "--protect")
    assert run.code == 1
    assert name in run.err
    assert msgls.read(name) == text


def test_init_somewhere_else(msgls: Runner) -> None:
    (msgls.folder / "sub").mkdir()
    assert msgls("init", "sub").code == 0
    assert (msgls.folder / "sub/msgls.toml").exists()
    assert msgls("init", "nowhere").code == 2


# schema and completions


def test_the_schema_of_the_configuration(msgls: Runner) -> None:
    schema = msgls("schema", "config").json
    assert set(schema["properties"]["lint"]["properties"]) == {
        "select",
        "ignore",
        "severity",
        "per-file-ignores",
    }
    assert msgls("schema", "nothing").code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions(msgls: Runner, shell: str, tmp_path: Path) -> None:
    script = msgls("completions", shell)
    assert script.code == 0
    for word in ("set-default", "--output-format", "sarif", "--unsafe-fixes"):
        assert word.lstrip("-") in script.out
    program = shutil.which(shell)
    if program is not None:
        path = tmp_path / "script"
        path.write_text(script.out, "utf-8")
        subprocess.run([program, "-n", str(path)], check=True)


def test_an_unknown_shell(msgls: Runner) -> None:
    assert msgls("completions", "tcl").code == 2
