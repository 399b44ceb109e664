"""The language of the command line: what is set, what the environment says, and for whom."""

import io
import json

import pytest

from msgls.cli.checking import Task, check_text
from msgls.cli.output import FOR_PEOPLE, FORMATS
from msgls.cli.output.full import block
from msgls.cli.speaking import spoken
from msgls.cli.terminal import width, wrapped
from msgls.document.snapshot import Settings, Surroundings
from tests.cli.support import GOOD, NEAR_MISS, UNDEFINED, Runner

ENGLISH = "`q1` has no definition"
CHINESE = "`q1` 没有定义"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
    ],
)
def test_the_environment(environment: dict[str, str], language: str) -> None:
    assert spoken("auto", environment=environment) == language
    assert spoken("auto", for_people=False, environment=environment) == "en"
    assert spoken("en", environment=environment) == "en"
    assert spoken("zh", for_people=False, environment=environment) == "zh"


@pytest.mark.parametrize(
    ("encoding", "language"), [("utf-8", "zh"), ("gbk", "zh"), ("ascii", "en"), ("cp1252", "en")]
)
def test_a_terminal_that_cannot_show_it_is_spared(encoding: str, language: str) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding)
    assert spoken("auto", environment={"LANG": "zh_CN"}, out=out) == language
    assert spoken("zh", environment={}, out=out) == "zh"


def test_people_are_spoken_to_in_their_language(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    msgls.write("a.msg.md", UNDEFINED)
    run = msgls("check")
    assert run.code == 1
    assert run.out == (
        "error[MSG101] `q1` 没有定义：请在标题行下方添加 `[^q1]: [markdown]`\n"
        " --> a.msg.md:1:13\n"
        "  |\n"
        "1 | # %% Hello[^q1]\n"
        "  |             ^^\n"
        "  = 修复 插入 `[^q1]: [markdown]`\n"
        "\n"
        "发现 1 个问题。其中 1 个可用 --fix 修复。\n"
    )


def test_summaries(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    msgls.write("a.msg.md", UNDEFINED)
    msgls.write("b.msg.md", NEAR_MISS)
    assert "（不安全）" in msgls("check").out
    assert msgls("check", "--diff", "a.msg.md").err == "将修复 1 个问题。\n"
    assert msgls("check", "--fix").out.endswith(
        "已修复 1 个问题，还剩 1 个。不安全的修复需要 --fix --unsafe-fixes。\n"
    )
    msgls.write("a.msg.md", UNDEFINED)
    assert msgls("check", "--fix", "a.msg.md").out == "已修复 1 个问题，没有剩余。\n"
    assert msgls("check", "a.msg.md").out == "没有发现问题。\n"
    assert msgls("check", "--diff", "a.msg.md").err == "没有可修复的问题。\n"


@pytest.mark.parametrize("format", FORMATS)
def test_programs_are_spoken_to_in_english_unless_it_is_set(
    format: str, msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    msgls.write("a.msg.md", UNDEFINED)
    command = ("check", "a.msg.md", "--output-format", format)
    said = msgls(*command).out
    assert (ENGLISH in said) == (format not in FOR_PEOPLE)
    assert (CHINESE in said) == (format in FOR_PEOPLE)
    msgls.write("msgls.toml", "locale = 'en'\n")
    assert ENGLISH in msgls(*command).out
    msgls.write("msgls.toml", "locale = 'zh'\n")
    said = msgls(*command).out
    # JUnit's output is ASCII, whatever it says.
    assert CHINESE in said or CHINESE.encode("ascii", "xmlcharrefreplace").decode() in said


@pytest.mark.parametrize("format", ["gitlab", "sarif"])
def test_a_problem_is_the_same_in_every_language(format: str, msgls: Runner) -> None:
    def fingerprints() -> object:
        run = msgls("check", "a.msg.md", "--output-format", format)
        if format == "gitlab":
            return [issue["fingerprint"] for issue in run.json]
        return [result["partialFingerprints"] for result in run.json["runs"][0]["results"]]

    msgls.write("a.msg.md", UNDEFINED)
    english = fingerprints()
    msgls.write("msgls.toml", "locale = 'zh'\n")
    assert english
    assert fingerprints() == english


def test_the_keys_for_programs_stay(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    command = ("check", "a.msg.md", "--output-format", "json")
    (english,) = msgls(*command).json
    msgls.write("msgls.toml", "locale = 'zh'\n")
    (chinese,) = msgls(*command).json
    different = {key for key in english if english[key] != chinese[key]}
    assert (english.keys(), different) == (chinese.keys(), {"message", "fix"})
    assert chinese["fix"]["title"] == "插入 `[^q1]: [markdown]`"


def test_several_processes_speak_alike(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    for number in range(8):
        msgls.write(f"{number}.msg.md", UNDEFINED)
    run = msgls("check", "-j", "2", "--output-format", "concise")
    assert run.out.count(CHINESE) == 8


def test_a_locale_that_is_none_is_refused(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    msgls.write("msgls.toml", "locale = 'fr'\n")
    run = msgls("check")
    assert run.code == 2
    assert "locale" in run.err
    assert '"fr"' in run.err


def test_assembling_speaks_it_too(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    msgls.write("a.deltas.jsonl", json.dumps({"kind": 3}) + "\n")
    assert "error[DLT002]" in msgls("assemble", "a.deltas.jsonl").err
    msgls.write("a.deltas.jsonl", "{\n")
    assert "这不是有效的 JSON：" in msgls("assemble", "a.deltas.jsonl").err


# -- lines without blanks --------------------------------------------------------------------


def test_chinese_is_broken_between_its_characters() -> None:
    text = "工具调用 `a1.9f3c` 没有结果，而对话已经继续（见下文）"
    lines = wrapped(text, 16).split("\n")
    assert max(map(width, lines)) <= 18
    assert len(lines) > 2
    assert "".join(line.strip() for line in lines).replace(" ", "") == text.replace(" ", "")
    assert not [line for line in lines if line.strip()[0] in "，）"]
    assert not [line for line in lines if line.endswith("（")]


def test_notes_are_broken_and_whole_in_a_narrow_terminal() -> None:
    text = "# %% One[^1]\n\n[^1]: [markdown]\n\n# %% Two[^1]\n"
    report = check_text(Task("a.msg.md", Settings(locale="zh"), Surroundings()), text)
    finding = next(finding for finding in report.findings if finding.fix and finding.related)
    assert finding.fix is not None
    lines = list(block(finding, lambda text, style: text, 30, True, report.language))
    shown = "".join("\n".join(lines).split())
    for said in (finding.message, finding.fix.title, finding.related[0].message):
        assert said.replace(" ", "") in shown
    assert max(width(line) for line in "\n".join(lines).split("\n")) <= 34


def test_other_words_stay_whole() -> None:
    assert wrapped("one two three", 8) == "one two\n  three"
    assert wrapped("naïve café", 6) == "naïve\n  café"
