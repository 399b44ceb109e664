"""``msgls check``: what is checked, what is fixed, and how it ends."""

import stat
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.cli import checking, running, watching
from msgls.cli.checking import Place, Report, Task, check_text
from msgls.document.snapshot import Settings, Surroundings
from msgls.rules.base import Rule, Severity, Subject
from msgls.rules.msgmd.msg106_malformed_header import MalformedHeader
from msgls.text.lines import line_starts, without_break
from tests.cli.support import GOOD, NEAR_MISS, UNDEFINED, Runner
from tests.document.tracked import FRAGMENTS
from tests.formats.msgmd.made_up import message_files

ROOT = Path(__file__).resolve().parent.parent.parent

# Exit codes.


def test_a_clean_file(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    assert msgls("check", "a.msg.md") == (0, "No problems found.\n", "")


def test_problems_are_shown_and_give_1(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    run = msgls("check", "a.msg.md")
    assert run.code == 1
    assert "a.msg.md:1:13" in run.out
    assert "MSG101" in run.out
    assert run.out.endswith("Found 1 problem. 1 of them can be fixed with --fix.\n")
    assert run.err == ""


def test_exit_zero(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    run = msgls("check", "a.msg.md", "--exit-zero")
    assert run.code == 0
    assert "MSG101" in run.out


def test_the_folder_is_the_default(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    assert "a.msg.md:1:13" in msgls("check").out


def test_a_missing_file_is_2_and_the_others_are_checked(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    run = msgls("check", "nowhere.msg.md", "a.msg.md")
    assert run.code == 2
    assert run.err == "msgls: nowhere.msg.md: no such file or directory\n"
    assert "MSG101" in run.out


def test_a_folder_without_files(msgls: Runner) -> None:
    msgls.write("README.md", "# %% no message file\n")
    assert msgls("check", ".") == (0, "", "msgls: no message file was found\n")


def test_a_file_that_is_not_a_message_file(msgls: Runner) -> None:
    msgls.write("notes.txt", UNDEFINED)
    assert msgls("check", "notes.txt") == (0, "", "msgls: no message file was found\n")


def test_bytes_that_are_not_utf8(msgls: Runner) -> None:
    msgls.write("a.msg.md", b"# %% a\n\xff\n")
    msgls.write("b.msg.md", UNDEFINED)
    msgls.write("c.msg.md", "# %%\n".encode("utf-16"))
    run = msgls("check", ".")
    assert run.code == 2
    first, second = run.err.splitlines()
    assert first == "msgls: a.msg.md: not UTF-8: byte 0xff at offset 7"
    assert second == "msgls: c.msg.md: not UTF-8: byte 0xff at offset 0; it looks like UTF-16"
    assert "b.msg.md" in run.out


def test_a_file_that_may_not_be_read(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, mode: str = "r") -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    msgls.write("a.msg.md", GOOD)
    monkeypatch.setattr(Path, "open", refuse)
    assert msgls("check", "a.msg.md") == (2, "", "msgls: a.msg.md: permission denied\n")


def test_a_rule_that_raises_is_reported_and_the_others_go_on(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Rule, subject: Subject) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(MalformedHeader, "check", fail)
    msgls.write("a.msg.md", NEAR_MISS + UNDEFINED)
    run = msgls("check", "a.msg.md")
    assert run.code == 2
    assert (
        run.err.count("a rule failed, and the others continued: MSG106 (ZeroDivisionError: oh)")
        == 1
    )
    assert "MSG101" in run.out


def test_a_fix_that_raises_does_not_hide_the_problem(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Rule, *_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(MalformedHeader, "fixes", fail)
    msgls.write("a.msg.md", NEAR_MISS)
    run = msgls("check", "a.msg.md")
    assert (run.code, "MSG106" in run.out) == (2, True)


def test_a_file_that_we_cannot_deal_with_does_not_stop_the_others(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = checking.check_text

    def fail(task: Task, text: str) -> Report:
        if "a.msg" in task.path:
            raise ZeroDivisionError("oh")
        return real(task, text)

    monkeypatch.setattr(checking, "check_text", fail)
    msgls.write("a.msg.md", GOOD)
    msgls.write("b.msg.md", UNDEFINED)
    run = msgls("check")
    assert run.code == 2
    assert run.err == "msgls: a.msg.md: internal error: ZeroDivisionError: oh\n"
    assert "b.msg.md:1:13" in run.out


# Which problems.


@pytest.mark.parametrize(
    ("flags", "codes"),
    [
        ((), {"MSG101", "MSG106"}),
        (("--min-severity", "error"), {"MSG101"}),
        (("--min-severity", "hint"), {"MSG101", "MSG106", "MSG107"}),
        (("--select", "MSG101"), {"MSG101"}),
        (("--select", "MSG101,malformed-header"), {"MSG101", "MSG106"}),
        (("--select", "MSG101", "--select", "MSG106"), {"MSG101", "MSG106"}),
        (("--ignore", "MSG1"), set[str]()),
        (("--ignore", "MSG1", "--select", "MSG106"), {"MSG106"}),
        (("--ignore", "msg106"), {"MSG101"}),
    ],
)
def test_selection(msgls: Runner, flags: tuple[str, ...], codes: set[str]) -> None:
    msgls.write("a.msg.md", NEAR_MISS + UNDEFINED + "\n# %% no id\n\nText\n")
    run = msgls("check", "--output-format", "json", *flags)
    assert {finding["code"] for finding in run.json} == codes
    assert run.code == bool(codes)


def test_an_unknown_rule_is_2_with_a_guess(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    run = msgls("check", "--select", "nonce-mismach")
    assert run.code == 2
    assert "--select: there is no rule `nonce-mismach` (did you mean `nonce-mismatch`?)" in run.err


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--min-severity", "fatal"), "invalid choice: 'fatal'"),
        (("--output-format", "yaml"), "invalid choice: 'yaml'"),
        (("-j", "0"), "a number of at least 1 is needed"),
        (("-j", "x"), "a number of at least 1 is needed"),
        (("--no-such",), "unrecognized arguments: --no-such"),
        (("-", "a.msg.md"), "cannot be mixed"),
        (("--watch", "-"), "--watch needs files"),
        (("--watch", "--diff"), "--watch needs files"),
    ],
)
def test_wrong_usage_is_2(msgls: Runner, flags: tuple[str, ...], words: str) -> None:
    run = msgls("check", *flags)
    assert (run.code, run.out) == (2, "")
    assert words in run.err


# Configuration.


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("msgls.toml", "[lint]\nignore = ['MSG101']\n"),
        ("pyproject.toml", "[tool.msgls.lint]\nignore = ['MSG101']\n"),
        ("pyproject.toml", "[tool.msgls]\nignore = ['header-without-definition']\n"),
        ("msgls.toml", "[lint.severity]\nMSG101 = 'off'\n"),
        ("msgls.toml", "[lint.severity]\nMSG101 = 'info'\n"),
        ("msgls.toml", "[lint.per-file-ignores]\n'deep/**' = ['MSG1']\n"),
    ],
)
def test_the_configuration_above_counts(msgls: Runner, name: str, text: str) -> None:
    msgls.write(name, text)
    msgls.write("deep/down/a.msg.md", UNDEFINED)
    assert msgls("check").code == 0


def test_the_nearest_configuration_counts(msgls: Runner) -> None:
    msgls.write("msgls.toml", "lint.ignore = ['MSG101']\n")
    msgls.write("deep/pyproject.toml", "[tool.msgls]\n")
    msgls.write("deep/deeper/pyproject.toml", "[project]\nname = 'about msgls'\n")
    msgls.write("a.msg.md", UNDEFINED)
    msgls.write("deep/deeper/b.msg.md", UNDEFINED)
    found = msgls("check", "--output-format", "json").json
    assert [finding["filename"] for finding in found] == [str(Path("deep/deeper/b.msg.md"))]


def test_our_own_file_goes_before_the_projects(msgls: Runner) -> None:
    msgls.write("msgls.toml", "")
    msgls.write("pyproject.toml", "[tool.msgls]\nignore = ['ALL']\n")
    msgls.write("a.msg.md", UNDEFINED)
    assert msgls("check").code == 1


def test_a_severity_is_shown_as_configured(msgls: Runner) -> None:
    msgls.write("msgls.toml", "lint.severity = {MSG101 = 'warning'}\n")
    msgls.write("a.msg.md", UNDEFINED)
    (finding,) = msgls("check", "--output-format", "json").json
    assert finding["severity"] == "warning"
    assert msgls("check", "--min-severity", "error").code == 0


def test_a_bad_configuration_is_2_and_names_file_and_key(msgls: Runner) -> None:
    path = msgls.write("pyproject.toml", "[tool.msgls.lint]\nselct = []\n")
    msgls.write("a.msg.md", GOOD)
    run = msgls("check")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"msgls: {path}: tool.msgls.lint.selct: unknown key")
    assert "did you mean `lint.select`?" in run.err


def test_the_section_that_is_configured(msgls: Runner) -> None:
    text = "---\nmessage_section: true\n---\n\n# Gespräch\n\n#  %% A[^a]\n\n[^a]: [raw]\n\nText\n"
    msgls.write("notes.md", text)
    assert "there is no heading `Discussion`" in msgls("check").out
    msgls.write("msgls.toml", "section = 'Gespräch'\n")
    assert msgls("check").code == 0
    assert msgls("check", "--stdin-filename", "notes.md", stdin=text).code == 0
    assert "# %% A" in msgls("format", "--stdin-filename", "notes.md", stdin=text).out
    assert msgls("chat", "notes.md", "--force", "--message", "Hi").code == 0
    assert msgls("format").code == 0
    assert "# %% A" in msgls.read("notes.md")
    msgls.write("msgls.toml", "section = 'Talk'\n")
    run = msgls("check")
    assert run.code == 1
    assert "there is no heading `Talk`" in run.out


def test_a_configuration_that_is_not_toml(msgls: Runner) -> None:
    msgls.write("msgls.toml", b"\xff")
    msgls.write("a.msg.md", GOOD)
    run = msgls("check")
    assert run.code == 2
    assert "msgls.toml: not UTF-8: byte 0xff at offset 0" in run.err


def test_the_nearest_agents_file_registers_agents(msgls: Runner) -> None:
    text = "# %%% A[^a1]\n\n[^a1]: [helper]\n\nHi.\n"
    msgls.write("deep/a.msg.md", text)
    assert "MSG202" in msgls("check").out
    msgls.write("agents.json", '{"agents": [{"name": "helper", "path": "x"}, 3, {"name": 1}]}')
    assert msgls("check").code == 0
    for nobody in ("{", '{"agents": {}}', "[]", '{"agents": "helper"}'):
        msgls.write("agents.json", nobody)
        msgls.write("deep/er/b.msg.md", text)
        run = msgls("check")
        assert run.code == 1
        # Other tools use the name too; but what cannot be read is told of, once.
        assert run.err.count("agents.json: it is not valid JSON") == (nobody == "{")
    msgls.write("deep/agents.json", '{"agents": []}')
    msgls.write("agents.json", '{"agents": [{"name": "helper"}]}')
    assert msgls("check").code == 1


# Fixing.


def test_fix_applies_what_is_safe(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED + "\n" + NEAR_MISS)
    run = msgls("check", "--fix", "a.msg.md")
    assert run.code == 1
    assert run.out.endswith("1 left. Fixes that are not safe need --fix --unsafe-fixes.\n")
    fixed = "# %% Hello[^q1]\n\n[^q1]: [markdown]\n\nHi.\n\n" + NEAR_MISS
    assert msgls.read("a.msg.md") == fixed
    assert msgls("check", "--fix").code == 1
    assert msgls.read("a.msg.md") == fixed


def test_unsafe_fixes_are_asked_for(msgls: Runner) -> None:
    msgls.write("a.msg.md", "#%% Hello\n\nHi.\n")
    assert msgls("check", "--fix", "a.msg.md").code == 1
    run = msgls("check", "--fix", "--unsafe-fixes", "a.msg.md")
    assert (run.code, run.out) == (0, "Fixed 1 problem, none left.\n")
    assert msgls.read("a.msg.md") == "# %% Hello[^m1]\n\n[^m1]: [markdown]\n\nHi.\n"


def test_only_what_is_reported_is_fixed(msgls: Runner) -> None:
    # MSG104, a hint with a safe fix.
    away = "# %% A[^1]\n\nHi.\n\n[^1]: [markdown]\n"
    msgls.write("a.msg.md", away)
    assert msgls("check", "--fix").code == 0
    assert msgls.read("a.msg.md") == away
    assert msgls("check", "--fix", "--min-severity", "hint").code == 0
    assert msgls.read("a.msg.md") != away
    msgls.write("a.msg.md", UNDEFINED)
    assert msgls("check", "--fix", "--select", "MSG106").code == 0
    assert msgls.read("a.msg.md") == UNDEFINED


def test_diff_shows_and_changes_nothing(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    run = msgls("check", "--diff", "a.msg.md")
    assert run.code == 1
    assert run.out == (
        "--- a.msg.md\n+++ a.msg.md\n@@ -1,3 +1,5 @@\n # %% Hello[^q1]\n \n+[^q1]: [markdown]\n+\n"
        " Hi.\n"
    )
    assert run.err == "Would fix 1 problem.\n"
    assert msgls.read("a.msg.md") == UNDEFINED
    msgls.write("a.msg.md", NEAR_MISS)
    assert msgls("check", "--diff", "a.msg.md") == (0, "", "Nothing to fix.\n")


def test_line_ends_mark_and_permissions_are_kept(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", "\ufeff# %% Hello[^q1]\r\n\r\nHi.\u2028\x85\f\r\n")
    path.chmod(0o640)
    assert msgls("check", "--fix").code == 0
    assert msgls.read("a.msg.md") == (
        "\ufeff# %% Hello[^q1]\r\n\r\n[^q1]: [markdown]\r\n\r\nHi.\u2028\x85\f\r\n"
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_clean_file_is_not_written(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    msgls.write("a.msg.md", GOOD)
    monkeypatch.setattr(checking, "write_text", lambda *_: pytest.fail("written"))
    assert msgls("check", "--fix").code == 0


# Standard input.


def test_standard_input(msgls: Runner) -> None:
    run = msgls("check", "-", "--output-format", "concise", stdin=UNDEFINED)
    assert run.code == 1
    assert run.out.startswith("-:1:13: error[MSG101]")


def test_standard_input_with_a_name(msgls: Runner) -> None:
    msgls.write("deep/msgls.toml", "lint.ignore = ['MSG101']\n")
    assert msgls("check", "-", "--stdin-filename", "deep/a.msg.md", stdin=UNDEFINED).code == 0
    run = msgls("check", "--stdin-filename", "b.msg.md", stdin=UNDEFINED)
    assert "--> b.msg.md:1:13" in run.out
    run = msgls("check", "-", "--stdin-filename", "notes.md", stdin=UNDEFINED)
    assert run == (
        0,
        "",
        ("msgls: notes.md: this is not a message file, judging by its name and start\n"),
    )
    run = msgls("check", "-", "--fix", "--stdin-filename", "x.txt", stdin=UNDEFINED)
    assert (run.code, run.out) == (0, UNDEFINED)
    assert "x.txt: this is not a message file" in run.err


def test_what_is_fixed_of_standard_input_is_written_out(msgls: Runner) -> None:
    run = msgls("check", "-", "--fix", stdin="\ufeff" + UNDEFINED.replace("\n", "\r\n"))
    assert run.code == 0
    # The capture reads the bytes with universal line ends switched off.
    assert run.out.replace("\r\n", "\n") == "\ufeff" + GOOD
    assert run.err == "Fixed 1 problem, none left.\n"


def test_standard_input_that_is_not_utf8(msgls: Runner) -> None:
    run = msgls("check", "-", stdin=b"a\xff")
    assert (run.code, run.err) == (2, "msgls: -: not UTF-8: byte 0xff at offset 1\n")


# Many files, statistics, watching.


def test_several_processes_give_the_same_in_the_same_order(msgls: Runner) -> None:
    for number in range(12):
        msgls.write(f"{number:02}.msg.md", UNDEFINED if number % 3 else GOOD)
    msgls.write("05.msg.md", b"\xff")
    one = msgls("check", "-j", "1", "--output-format", "concise")
    assert msgls("check", "-j", "3", "--output-format", "concise") == one
    assert one.code == 2


def test_processes_are_used_when_they_pay(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_cores", lambda: 4)
    small = Task(str(msgls.write("a.msg.md", GOOD)), Settings(), Surroundings())
    large = small._replace(path=str(msgls.write("b.msg.md", GOOD + "x" * 4_000_000)))
    assert running._best_jobs([small]) == 1
    assert running._best_jobs([small] * 20) == 1
    assert running._best_jobs([small] * 500) == 4
    # One process has the large one either way.
    assert running._best_jobs([small, large]) == 1
    assert running._best_jobs([large, large]) == 4


def test_statistics(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED + UNDEFINED.replace("q1", "q2") + NEAR_MISS)
    run = msgls("check", "--statistics")
    assert run.code == 1
    assert run.out == "2  MSG101  header-without-definition\n1  MSG106  malformed-header\n"
    counted = msgls("check", "--statistics", "--output-format", "json").json
    assert [row["count"] for row in counted] == [2, 1]


def test_watching_checks_again_after_a_change(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", UNDEFINED)
    checks: list[str] = []

    def pause() -> None:
        if len(checks) == 2:
            raise KeyboardInterrupt
        path.write_text(GOOD + "\nmore\n", "utf-8")

    def check() -> int:
        checks.append(path.read_text("utf-8"))
        return 0

    assert watching.watch(check, ["."], pause) == 0
    assert checks == [UNDEFINED, GOOD + "\nmore\n"]


def test_watching_sees_configuration_and_new_files(msgls: Runner) -> None:
    msgls.write("deep/a.msg.md", GOOD)
    seen = [watching.look(["deep"])]
    for name in ("msgls.toml", "deep/b.msg.md", "agents.json"):
        msgls.write(name, "")
        seen.append(watching.look(["deep"]))
    assert len({str(sorted(look)) for look in seen}) == 4


# The examples.


def test_the_good_example_draws_nothing(msgls: Runner) -> None:
    assert msgls("check", str(ROOT / "examples/good.msg.md")).code == 0


def test_the_broken_example_shows_much(msgls: Runner) -> None:
    run = msgls("check", str(ROOT / "examples/broken.msg.md"), "--output-format", "json")
    codes = {finding["code"] for finding in run.json}
    assert "MSG302" in codes
    assert len(codes) >= 8


# Properties.

_texts = message_files() | st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)


def checked(text: str, path: str = "a.msg.md", fix: bool = False, unsafe: bool = False) -> Report:
    task = Task(path, Settings(), Surroundings(), Severity.HINT, fix, unsafe, write=False)
    return check_text(task, text)


@given(_texts, st.sampled_from(["a.msg.md", "notes.md"]))
def test_a_random_file_never_raises_and_positions_lie_inside(text: str, path: str) -> None:
    report = checked(text, path)
    assert report.failures == ()
    starts = [*line_starts(text), len(text)]
    lines = [without_break(text[a:b]) for a, b in pairwise(starts)]

    def inside(place: Place) -> bool:
        return 1 <= place.line <= len(lines) and 1 <= place.column <= len(lines[place.line - 1]) + 1

    for finding in report.findings:
        places = [finding.start, finding.end]
        places += [place for related in finding.related for place in (related.start, related.end)]
        if finding.fix is not None:
            places += [place for edit in finding.fix.edits for place in (edit.start, edit.end)]
        assert all(map(inside, places)), finding
        assert finding.start <= finding.end
        line = lines[finding.start.line - 1]
        assert finding.line == (line.removeprefix("\ufeff") if finding.start.line == 1 else line)


def severities(report: Report) -> list[int]:
    """How many findings there are of each severity, the worst first."""
    return [sum(f.severity is severity for f in report.findings) for severity in Severity]


@given(_texts, st.booleans())
def test_fixing_twice_equals_fixing_once(text: str, unsafe: bool) -> None:
    before = checked(text)
    once = checked(text, fix=True, unsafe=unsafe)
    assert severities(once) <= severities(before)
    if not unsafe:
        assert len(once.findings) <= len(before.findings)
    twice = checked(once.after, fix=True, unsafe=unsafe)
    assert twice.after == once.after
    assert not twice.fixed


@pytest.mark.parametrize("least", ["warning", "hint"])
def test_less_severe_problems_that_come_to_light_keep_no_fix_away(
    msgls: Runner, least: str
) -> None:
    msgls.write("a.msg.md", "#%% y\n\nho\n")
    msgls("check", "--fix", "--unsafe-fixes", "--min-severity", least, "a.msg.md")
    assert msgls.read("a.msg.md").startswith("# %% y")


def test_a_link_stays_a_link(msgls: Runner) -> None:
    target = msgls.write("store/a.msg.md", UNDEFINED)
    link = msgls.folder / "link.msg.md"
    link.symlink_to(target)
    assert msgls("check", "--fix", "link.msg.md").code == 0
    assert link.is_symlink()
    assert target.read_text("utf-8") == GOOD
