"""The output formats: each as its readers expect it, whatever a transcript holds."""

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.cli.checking import Elsewhere, Finding, Place, Remedy
from msgls.cli.output.full import block
from msgls.cli.terminal import (
    TAB_WIDTH,
    HarmlessStream,
    columns,
    table,
    underlined,
    width,
    wrapped,
)
from msgls.rules.base import Severity
from msgls.rules.documentation import page_url
from tests.cli.support import GOOD, NEAR_MISS, UNDEFINED, Runner

FRONTMATTER = "---\nagents: {gpt: {}}\n---\n\n"
ANSWER = FRONTMATTER + "# %%% A[^a1]\n\n[^a1]: [gpt]\n\nHm.\n\n"
CALL = '# %%% C[^a1.9f3d]\n\n[^a1.9f3d]: [tool] name="x"\n\n<x/>\n\n'
RESULT = '# %%% 天气 😀 R[^a1.9f3c.1]\n\n[^a1.9f3c.1]: [tool] status="success"\n\nDone.\n'
MISMATCH = ANSWER + CALL + RESULT

ESCAPES = "# %% \x1b[31mred\x07 \x9b \u202e <&\"'> \x00 %0A::[^q1]\n\nHi.\n"
"""One error on a line that tries to play tricks."""


def test_full(msgls: Runner) -> None:
    msgls.write("a.msg.md", MISMATCH)
    assert msgls("check").out == (
        "error[MSG302] tool result `a1.9f3c.1` does not match a call: `a1` has "
        "the nonce `9f3d`\n  --> a.msg.md:17:15\n   |\n17 | # %%% 天气 😀 "
        "R[^a1.9f3c.1]\n   |                  ^^^^^^^^^\n   = see 11:10: the "
        "call with the nonce `9f3d`\n   = fix: Change the nonce to `9f3d` (not "
        "safe)\n\nFound 1 problem. Fixes that are not safe need --fix --unsafe-fixes.\n"
    )


def test_concise(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    assert msgls("check", "--output-format", "concise").out == (
        "a.msg.md:1:13: error[MSG101] [*] `q1` has no definition: add `[^q1]: [markdown]` "
        "below the header\nFound 1 problem. 1 of them can be fixed with --fix.\n"
    )


def test_json_is_exactly_as_promised(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED + "\n" + MISMATCH.removeprefix(FRONTMATTER))
    found = msgls("check", "--output-format", "json", "--select", "MSG101,MSG302").json
    assert found[0] == {
        "filename": "a.msg.md",
        "code": "MSG101",
        "name": "header-without-definition",
        "severity": "error",
        "message": "`q1` has no definition: add `[^q1]: [markdown]` below the header",
        "start": {"line": 1, "column": 13},
        "end": {"line": 1, "column": 15},
        "fix": {
            "title": "Insert `[^q1]: [markdown]`",
            "safe": True,
            "edits": [
                {
                    "start": {"line": 1, "column": 16},
                    "end": {"line": 1, "column": 16},
                    "text": "\n\n[^q1]: [markdown]",
                }
            ],
        },
        "url": page_url("MSG101"),
    }
    # Columns are characters: two ideographs and an emoji are three of them.
    assert found[1]["start"] == {"line": 17, "column": 15}
    assert found[1]["fix"]["safe"] is False
    assert len(found[1]["fix"]["edits"]) == 2


def test_json_without_findings_and_without_a_fix(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    assert msgls("check", "--output-format", "json").out == "[]\n"
    msgls.write("a.msg.md", ANSWER + CALL.replace("<x/>", "<x>"))
    (finding,) = msgls("check", "--output-format", "json").json
    assert (finding["code"], finding["fix"]) == ("MSG306", None)


def test_json_lines(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED + NEAR_MISS)
    whole = msgls("check", "--output-format", "json").json
    lines = msgls("check", "--output-format", "json-lines").out.splitlines()
    assert list(map(json.loads, lines)) == whole
    assert len(lines) == 2


def test_github(msgls: Runner) -> None:
    msgls.write("a,b:c.msg.md", UNDEFINED)
    assert msgls("check", "--output-format", "github").out == (
        "::error title=MSG101 "
        "(header-without-definition),file=a%2Cb%3Ac.msg.md,line=1,endLine=1,"
        "col=13,endColumn=15::`q1` has no definition: add `[^q1]: [markdown]` below the header\n"
    )


@pytest.mark.parametrize(
    ("severity", "command", "gitlab", "sarif"),
    [
        ("error", "::error ", "major", "error"),
        ("warning", "::warning ", "minor", "warning"),
        ("info", "::notice ", "info", "note"),
        ("hint", "::notice ", "info", "note"),
    ],
)
def test_severities_as_others_call_them(
    msgls: Runner, severity: str, command: str, gitlab: str, sarif: str
) -> None:
    msgls.write("msgls.toml", f"lint.severity = {{MSG101 = '{severity}'}}\n")
    msgls.write("a.msg.md", UNDEFINED)

    def run(name: str) -> Any:
        return msgls("check", "--min-severity", "hint", "--output-format", name)

    assert run("github").out.startswith(command)
    assert run("gitlab").json[0]["severity"] == gitlab
    assert run("sarif").json["runs"][0]["results"][0]["level"] == sarif


def test_gitlab(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED.replace("q1", "é") + UNDEFINED + NEAR_MISS + NEAR_MISS)
    found = msgls("check", "--output-format", "gitlab").json
    assert found[1]["check_name"] == "MSG101"
    assert found[1]["description"].startswith("MSG101: `q1` has no definition")
    assert found[1]["location"] == {
        "path": "a.msg.md",
        "positions": {"begin": {"line": 4, "column": 13}, "end": {"line": 4, "column": 15}},
    }
    prints = [issue["fingerprint"] for issue in found]
    assert len(set(prints)) == len(prints) == 4
    # They stay when lines move.
    msgls.write("a.msg.md", "Words.\n\n" + msgls.read("a.msg.md"))
    moved = msgls("check", "--output-format", "gitlab").json
    assert [issue["fingerprint"] for issue in moved] == prints


def test_junit(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    msgls.write("b.msg.md", GOOD)
    msgls.write("c.msg.md", b"\xff")
    run = msgls("check", "--output-format", "junit")
    assert run.code == 2
    root = ElementTree.fromstring(run.out)
    assert root.tag == "testsuites"
    assert root.attrib == {"name": "msgls", "tests": "3", "failures": "1", "errors": "1"}
    bad, good, unread = root.findall("testsuite")
    failure = bad.find("testcase/failure")
    assert failure is not None
    assert failure.attrib["type"] == "error MSG101"
    assert (failure.text or "").startswith("a.msg.md:1:13: `q1` has no definition")
    assert good.attrib == {"name": "b.msg.md", "tests": "1", "failures": "0", "errors": "0"}
    error = unread.find("testcase/error")
    assert error is not None
    assert "offset 0" in error.attrib["message"]


def test_sarif(msgls: Runner) -> None:
    msgls.write("a b.msg.md", MISMATCH)
    msgls.write("c.msg.md", b"\xff")
    log = msgls("check", "--output-format", "sarif").json
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    (rule,) = driver["rules"]
    assert (driver["name"], rule["id"], rule["name"]) == ("msgls", "MSG302", "nonce-mismatch")
    assert rule["helpUri"] == page_url("MSG302")
    assert rule["help"]["markdown"].startswith("# MSG302")
    (result,) = run["results"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    place = result["locations"][0]["physicalLocation"]
    assert unquote(place["artifactLocation"]["uri"]) == "a b.msg.md"
    assert " " not in place["artifactLocation"]["uri"]
    assert place["region"] == {"startLine": 17, "startColumn": 15, "endLine": 17, "endColumn": 24}
    (related,) = result["relatedLocations"]
    assert related["message"]["text"] == "the call with the nonce `9f3d`"
    (fix,) = result["fixes"]
    (change,) = fix["artifactChanges"]
    first = change["replacements"][0]
    assert first["deletedRegion"] == place["region"]
    assert first["insertedContent"] == {"text": "a1.9f3d.1"}
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "offset 0" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_machine_formats_hold_nothing_else(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    for name in ("json", "gitlab", "sarif"):
        json.loads(msgls("check", "--output-format", name).out)
    ElementTree.fromstring(msgls("check", "--output-format", "junit").out)
    for name in ("json-lines", "github"):
        assert msgls("check", "--output-format", name).out == ""


@pytest.mark.parametrize("name", ["full", "concise"])
def test_a_transcript_cannot_play_tricks_on_the_terminal(msgls: Runner, name: str) -> None:
    msgls.write("a.msg.md", ESCAPES.replace("q1", "q\x1b[0m1") + ESCAPES)
    out = msgls("check", "--output-format", name).out
    assert "MSG101" in out
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out)


@pytest.mark.parametrize("name", ["json", "json-lines", "github", "gitlab", "sarif", "junit"])
def test_a_transcript_cannot_break_a_machine_format(msgls: Runner, name: str) -> None:
    # A message that quotes the file: the type of the definition.
    kind = "x\x1b\x00 <&\"'> ]]>\ufffe %"
    msgls.write("a.msg.md", f"# %% A[^1]\n\n[^1]: [{kind.replace(chr(34), '')}]\n\nHi.\n")
    out = msgls("check", "--output-format", name).out
    if name == "junit":
        assert ElementTree.fromstring(out).attrib["failures"] == "1"
    elif name == "github":
        assert out.count("\n") == 1
    else:
        assert json.loads(out)


# Colours.


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, False),
    ],
)
def test_colours(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], coloured: bool
) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for name in ("full", "concise"):
        out = msgls("check", "--output-format", name).out
        assert ("\x1b[" in out) is coloured
    assert "\x1b[" not in msgls("check", "--output-format", "json").out


def test_colours_change_nothing_else(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    msgls.write("a.msg.md", MISMATCH)
    plain = msgls("check").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert re.sub(r"\x1b\[[0-9;]*m", "", msgls("check").out) == plain


# Widths.


def marked(line: str, start: int, end: int, room: int) -> str:
    """What is shown, with the range in brackets below it."""
    shown, before, length = underlined(line, start, end, room)
    assert width(shown) <= room
    return f"{shown}\n{' ' * before}{'^' * length}"


@pytest.mark.parametrize(
    ("line", "word", "room", "shown"),
    [
        ("one two three", "two", 80, "one two three\n    ^^^"),
        ("天气 two", "two", 80, "天气 two\n     ^^^"),
        ("a 天气 b", "天气", 80, "a 天气 b\n  ^^^^"),
        ("👩\u200d👩\u200d👧 x", "x", 80, "👩\u200d👩\u200d👧 x\n   ^"),
        ("e\u0301 x", "x", 80, "e\u0301 x\n  ^"),
        ("\tx", "x", 80, "    x\n    ^"),
        ("\ufeffx", "x", 80, "x\n^"),
        ("a" * 50 + "XY" + "b" * 50, "XY", 20, "…aaaaaaaXYbbbbbbbbb…\n        ^^"),
        ("XY" + "b" * 50, "XY", 20, "XYbbbbbbbbbbbbbbbbb…\n^^"),
        ("a" * 50 + "XY", "XY", 20, "…aaaaaaaaaaaaaaaXY\n                ^^"),
    ],
)
def test_a_range_is_underlined(line: str, word: str, room: int, shown: str) -> None:
    start = line.index(word)
    assert marked(line, start, start + len(word), room) == shown


@pytest.mark.parametrize("command", ["##[error]", "##vso[task.complete]", "::error::"])
def test_no_range_cuts_a_command_of_a_ci_log_in_two(command: str) -> None:
    for start in range(len(command)):
        for end in range(start, len(command) + 1):
            shown, _, _ = underlined(command + " x", start, end, 80)
            assert command not in shown
            assert len(shown) == len(command) + 2


PARTS = st.lists(
    st.sampled_from(["#", "##", ":", "::", " ", "\t", "\n", "\r\n", "[", "vso[", "teamcity[", "a"])
)


@given(PARTS)
def test_no_command_of_a_ci_log_is_put_together_of_parts(parts: list[str]) -> None:
    stream = HarmlessStream()
    shown = "".join([*map(stream.take, parts), stream.take("", is_last=True)])
    assert not re.search(r"^\s*::|##\[|##vso\[|##teamcity\[", shown, re.MULTILINE)
    whole = "".join(parts).replace("\r\n", "\n").replace("\t", " " * TAB_WIDTH)
    assert shown.translate({0xFF1A: ":", 0xFF03: "#"}) == whole


def test_an_empty_range_is_shown_too() -> None:
    assert marked("abc", 1, 1, 80) == "abc\n ^"
    assert marked("", 0, 0, 80) == "\n^"


def test_long_lines_are_cut_to_the_terminal(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    msgls.write("a.msg.md", f"# %% {'天气' * 200}[^q1]\n\nHi.\n")
    for room in ("80", "40"):
        monkeypatch.setenv("COLUMNS", room)
        lines = msgls("check").out.splitlines()
        assert all(width(line) <= int(room) for line in lines[1:6])
        assert "[^q1]" in lines[3]
        before = lines[3][: lines[3].index("q1")]
        assert lines[4].index("^") == width(before)


def test_a_range_over_several_lines() -> None:
    finding = Finding(
        "a.md", "MSG1", "x", Severity.ERROR, "no", Place(2, 3), Place(4, 1), "one", None, ()
    )
    lines = list(block(finding, lambda text, _: text, 80))
    assert lines[3:] == ["2 | one", "  |   ^ … to line 4"]


def test_tables_fit() -> None:
    rows = [("name", "what"), ("天气", "x" * 100), ("n" * 60, "y")]
    lines = table(rows, 40)
    assert all(width(line) <= 40 for line in lines)
    assert lines[0].index("what") == width(lines[1][: lines[1].index("x")])
    assert lines[0].index("what") == len("n" * 30 + "  ")
    even = table(rows, 40, first_cut=(0, 1))
    assert even[0].index("what") == len("n" * 19 + "  ")


@pytest.mark.parametrize(("told", "expected"), [(0, 80), (5, 20), (132, 132)])
def test_the_width_of_a_terminal(told: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((told, 0)))
    with Path(os.devnull).open("w") as stream:
        assert columns(stream) == expected


def test_on_a_terminal_every_line_is_wrapped() -> None:
    place, long = Place(1, 1), "word " * 20 + "end"
    finding = Finding(
        "a.md",
        "MSG1",
        "x",
        Severity.ERROR,
        long,
        place,
        place,
        "one",
        Remedy(long, True, ()),
        (Elsewhere(place, place, long),),
    )
    plain = list(block(finding, lambda text, _: text, 40))
    assert plain[-2:] == [f"  = see 1:1: {long}", f"  = fix: {long}"]
    lines = "\n".join(block(finding, lambda text, _: text, 40, is_terminal=True)).split("\n")
    assert all(len(line) <= 40 for line in lines)
    assert [word for line in lines for word in line.split()].count("word") == 60


def test_a_byte_order_mark_is_not_a_column(msgls: Runner) -> None:
    msgls.write("a.msg.md", "\ufeff" + UNDEFINED)
    lines = msgls("check").out.splitlines()
    assert lines[1].endswith("a.msg.md:1:13")
    assert lines[4].index("^") - lines[3].index("#") == 12
    msgls.write("b.msg.md", UNDEFINED)
    marked, plain = [
        msgls("check", name, "--output-format", "json").out for name in ("a.msg.md", "b.msg.md")
    ]
    assert marked.replace("a.msg.md", "b.msg.md") == plain


def test_wrapping() -> None:
    assert wrapped("one two three", 80) == "one two three"
    assert wrapped("one two three", 8) == "one two\n  three"
    assert wrapped("天气 天气 天气", 9) == "天气 天气\n  天气"
