"""The command line in Chinese: help, errors and what commands tell, as a person reads them."""

import argparse
import re
import subprocess
import sys

import pytest

from msgls.cli.chinese import ChineseParser
from msgls.cli.main import COMMANDS, make_parser
from msgls.cli.terminal import width
from msgls.rules.base import Rule
from msgls.rules.documentation import page_of
from msgls.rules.registry import RULES
from msgls.rules.settings import OPTIONS
from tests.cli.support import GOOD, UNDEFINED, Runner
from tools.commandline import commands

_ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
_USAGE = re.compile(r"^用法：.*?\n\n", re.DOTALL)
# What is the same in every language: options, their values, code, names of tools.
_NAMES = re.compile(
    r"`[^`]*`|'[^']*'|\"[^\"]*\"|\{[^}]*\}|-{1,2}[a-z][\w-]*|\b[A-Z]+(?::[A-Z]+)?\b"
)
_PROGRAM = re.compile(r"^msgls [\w-]+: ")


def english(text: str) -> list[str]:
    """The lines that say something in English."""
    lines = [_NAMES.sub("", _PROGRAM.sub("", line)) for line in text.split("\n")]
    return [line for line in lines if _ENGLISH.search(line)]


@pytest.fixture
def chinese(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line for somebody who reads Chinese."""
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    return msgls


# -- help -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_chinese_and_fits_the_terminal(command: str, chinese: Runner) -> None:
    run = chinese(*([command] if command else []), "--help")
    assert run.code == 0
    assert run.out.startswith("用法： msgls")
    assert english(_USAGE.sub("", run.out)) == []
    assert [line for line in run.out.split("\n") if width(line) > 80] == []


def test_help_as_a_whole(chinese: Runner) -> None:
    assert chinese("chat", "--help").out == (
        "用法： msgls chat [-h] --message TEXT [--as AGENT] [--force] FILE\n"
        "\n"
        "用一条消息新建文件，或向文件添加消息。\n"
        "\n"
        "位置参数：\n"
        "  FILE            消息文件；不存在时会新建\n"
        "\n"
        "选项：\n"
        "  -h, --help      显示此帮助并退出\n"
        "  --message TEXT  文本；- 表示标准输入\n"
        "  --as AGENT      作为该代理的回答\n"
        "  --force         文件已存在时向其添加\n"
    )


def test_the_lines_of_a_usage_and_of_a_help_stand_below_each_other(chinese: Runner) -> None:
    lines = chinese("check", "--help").out.split("\n")
    usage = lines[: lines.index("")]
    first = width(usage[0][: usage[0].index("[-h]")])
    assert len(usage) > 2
    assert {width(line) - width(line.lstrip()) for line in usage[1:]} == {first}
    helps = [line for line in lines if line.startswith(" " * 24)]
    assert len(helps) > 4
    assert {len(line) - len(line.lstrip()) for line in helps} == {24}


def test_nothing_is_said_in_chinese_where_it_cannot_be_shown(
    chinese: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("msgls.cli.speaking._has_chinese", lambda out: False)
    assert "usage: msgls" in chinese("--help").out
    assert chinese("check", "nope").err == "msgls: nope: no such file or directory\n"


def test_what_is_made_from_the_commands_is_english(chinese: Runner) -> None:
    helps = [argument.help for command in commands() for argument in command.arguments]
    assert "".join([*helps, *[command.help for command in commands()]]).isascii()
    parser = make_parser(list(COMMANDS))
    assert type(parser) is argparse.ArgumentParser
    assert chinese("completions", "bash").out.isascii()


# -- errors ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chek"], "msgls: 没有命令 `chek`（是否指 `check`？）"),
        (["check", "--bogus"], "msgls: 错误：无法识别的参数：--bogus"),
        (["check", "-j", "0"], "msgls check: 错误：参数 -j/--jobs：需要不小于 1 的整数"),
        (["check", "--s"], "选项 --s 不明确，可能是 --stdin-filename、--select、--statistics"),
        (["check", "--fix=1"], "msgls check: 错误：参数 --fix：不接受值 '1'"),
        (["schema"], "msgls schema: 错误：缺少必需的参数：what"),
        (["chat", "--message"], "msgls chat: 错误：参数 --message：需要一个值"),
        (["serve", "--stdio", "--tcp", ":1"], "参数 --tcp：不能与参数 --stdio 同时使用"),
        (["convert", "--to", "stf"], "msgls convert: 错误：缺少必需的参数：IN"),
        (["check", "nope"], "msgls: nope: 没有这个文件或文件夹"),
        (["check", "-", "a"], "msgls: 标准输入（-）不能与其他路径混用"),
        (["check", "--select", "MSG999"], "msgls: --select: 没有规则 `MSG999`（"),
        (["rule", "MSG999"], "msgls: `msgls rule --all` 会列出全部规则"),
        (["rule"], "msgls: 请指定一条规则，如 MSG302，或使用 --all"),
        (["outline", "."], "msgls: 没有找到消息文件"),
        (["init", "nowhere"], "msgls: nowhere: 这不是文件夹"),
        (["serve", "--tcp", "x"], "msgls: `x` 不是 HOST:PORT，例如 127.0.0.1:2087"),
        (
            ["view", "x", "--explain", "--to", "text"],
            "msgls: --explain 输出的是表格，不能与 --to 同用",
        ),
        (["convert", "nope", "--to", "stf"], "msgls: nope: 没有这个文件或文件夹"),
        (["assemble", "nope"], "msgls: nope: 没有这个文件或文件夹"),
        (["merge", "a", "b", "c"], "msgls: a: 没有这个文件或文件夹"),
    ],
)
def test_errors(arguments: list[str], said: str, chinese: Runner) -> None:
    run = chinese(*arguments)
    assert said in run.err
    assert english(re.sub(r"(?s)^用法：.*?\n(?=msgls)", "", run.err)) == []


def test_choices(chinese: Runner) -> None:
    # Some versions of Python put quotation marks around each.
    said = chinese("schema", "x").err.replace("'", "")
    assert "参数 what：不能是 x（可选：config、agents、message、delta）" in said


def test_what_argparse_says_otherwise_is_said_in_english(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        ChineseParser("p").error("something new")
    assert capsys.readouterr().err.endswith("p: 错误：something new\n")


def test_files_that_cannot_be_read(chinese: Runner) -> None:
    chinese.write("a.msg.md", b"\xff\xfea")
    assert chinese("check", "a.msg.md").err == (
        "msgls: a.msg.md: 不是 UTF-8：偏移 0 处的字节是 0xff；看起来是 UTF-16\n"
    )
    assert chinese("outline", "a.msg.md").code == 2
    chinese.write("b.md", "x\n")
    assert "b.md: 这不是消息文件：" in chinese("view", "b.md").err


@pytest.mark.parametrize("format", ["sarif", "junit"])
def test_programs_are_told_in_english_why_a_file_cannot_be_read(
    format: str, chinese: Runner
) -> None:
    chinese.write("a.msg.md", b"\xff")
    run = chinese("check", "a.msg.md", "--output-format", format)
    assert "not UTF-8: byte 0xff at offset 0" in run.out
    assert run.err == "msgls: a.msg.md: 不是 UTF-8：偏移 0 处的字节是 0xff\n"
    chinese.write("msgls.toml", "locale = 'zh'\n")
    said = chinese("check", "a.msg.md", "--output-format", format).out
    assert "不是 UTF-8" in said or "&#19981;&#26159; UTF-8" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", "x: 未知的键；已知的键：lint.select、"),
        ("selct = []", "selct: 未知的键（是否指 `select`？）"),
        ("select = 3", "select: 应为规则列表，实际是：3"),
        ("select = ['MSG9']", "select: 没有规则 `MSG9`（"),
        ("diagnostics = []", "diagnostics: 应为表，实际是：列表"),
        ("a b", "不是有效的 TOML：键之后应为 '='（第 1 行第 3 列）"),
        ("a = [1", "不是有效的 TOML：数组没有闭合（文件末尾）"),
    ],
)
def test_configurations(text: str, said: str, chinese: Runner) -> None:
    chinese.write("a.msg.md", GOOD)
    chinese.write("msgls.toml", f"{text}\n")
    run = chinese("check")
    assert run.code == 2
    assert f"msgls.toml: {said}" in run.err
    assert english(run.err) == []


def test_an_agents_file_that_cannot_be_read(chinese: Runner) -> None:
    chinese.write("a.msg.md", GOOD)
    chinese.write("agents.json", "[\n")
    said = "不是有效的 JSON：文本过早结束（第 2 行第 1 列）；它没有注册代理\n"
    assert chinese("check", "a.msg.md").err.endswith(f"agents.json: {said}")


# -- what is set ----------------------------------------------------------------------------


def test_what_is_set_where_a_command_works_goes_before_the_environment(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    msgls.write("a.msg.md", GOOD)
    msgls.write("msgls.toml", "locale = 'zh'\n")
    assert "没有代理 `x`" in msgls("set-default", "a.msg.md", "x").err
    # Nothing is remembered from one run to the next.
    assert msgls("chek").err == "msgls: unknown command `chek` (did you mean `check`?)\n"
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    msgls.write("msgls.toml", "locale = 'en'\nx = 1\n")
    assert ": x: unknown key; known keys: lint.select, " in msgls("outline", ".").err


# -- what commands tell ---------------------------------------------------------------------

AGENTS = """\
---
default_agent: guide
agents:
  guide:
    models: [m]
---

# %% One[^q1]

[^q1]: [markdown]

Text.

# %%% Two[^a1]

[^a1]: [guide]

Text.
"""


def test_chat_and_set_default(chinese: Runner) -> None:
    assert chinese("chat", "a.msg.md", "--message", "Hi").out == "a.msg.md:1: 已添加 `m1`。\n"
    run = chinese("chat", "a.msg.md", "--message", "Hi")
    assert run.err == "msgls: a.msg.md: 文件已存在；可用 --force 向其添加\n"
    chinese.write("b.msg.md", AGENTS)
    run = chinese("set-default", "b.msg.md", "guide")
    assert run.out == "b.msg.md: 默认代理是 `guide`。\n"
    run = chinese("set-default", "b.msg.md", "nobody")
    assert run.err == "msgls: b.msg.md: 没有代理 `nobody`（文件已知的有：guide）\n"


def test_format(chinese: Runner) -> None:
    chinese.write("a.msg.md", "# %%   Hello\n\n\n\nHi.\n")
    chinese.write("b.msg.md", GOOD)
    run = chinese("format", "--check", ".")
    assert run.out == "会改动：a.msg.md\n"
    assert run.err == "会改动 1 个文件，1 个文件保持原样。\n"
    assert chinese("format", ".").err == "改动了 1 个文件，1 个文件保持原样。\n"


def test_tables(chinese: Runner) -> None:
    chinese.write("a.msg.md", AGENTS)
    assert chinese("agents", "a.msg.md").out == (
        "名称   默认  来源        定义处   回答数  模型\n"
        "guide  默认  前置元数据  第 4 行  1       m\n"
    )
    assert chinese("view", "--explain", "a.msg.md").out == (
        "行  ID  角色   词元  可见\n"
        " 8  q1  user      1  是\n"
        "14  a1  guide     1  是\n"
        "\n"
        "共约 2 个词元，为估算值；guide 没有说明能接受多少。\n"
    )


def test_differences(chinese: Runner) -> None:
    chinese.write("a.msg.md", AGENTS)
    chinese.write("b.msg.md", AGENTS.replace("Text.\n\n#", "Words.\n\n#").replace("Two", "Deux"))
    run = chinese("diff", "a.msg.md", "b.msg.md")
    assert "~ 编辑：消息 q1 “One”（第 8 行）\n" in run.out
    assert "= 仅元数据：guide 的回答 a1 “Deux”（第 14 行）\n" in run.out
    assert run.err == "2 个单元不同：编辑 1 个、仅元数据 1 个。\n"
    as_json = chinese("diff", "a.msg.md", "b.msg.md", "--output-format", "json").json
    assert [changed["what"] for changed in as_json] == ["message", "answer of guide"]


def test_merges(chinese: Runner) -> None:
    for name in ("base", "ours", "theirs"):
        chinese.write(name, GOOD.replace("Hi.", f"Hi from {name}."))
    run = chinese("merge", "base", "ours", "theirs", "--path", "a.msg.md")
    assert (run.code, run.err) == (1, "msgls: a.msg.md: 有 1 处冲突，已在文件中标出\n")


def test_init(chinese: Runner) -> None:
    assert chinese("init").out == "msgls.toml: 已写入\n"
    assert chinese("init").out == "msgls.toml: 已存在\n"
    assert chinese("init", "--protect").out.startswith(".prettierignore: 现在会忽略 *.msg.md\n")
    # What belongs to a project does not depend on who wrote it.
    assert OPTIONS[0].description in chinese.read("msgls.toml")


def test_convert(chinese: Runner) -> None:
    chinese.write("a.msg.md", AGENTS)
    run = chinese("convert", "a.msg.md", "--to", "chatbuilder")
    assert run.err == "msgls: 有 2 条消息，需要文件夹：请用 -o 指定\n"
    run = chinese("convert", "a.msg.md", "--to", "openai", "--strict")
    assert "a.msg.md:1: 丢失：此格式无法保存 前置元数据\n" in run.err
    assert "a.msg.md:8: 丢失：此格式无法保存 ID、标题\n" in run.err
    assert english(run.err) == []
    assert "msgls: 没有写入任何内容：会有内容丢失（--strict）\n" in run.err
    chinese.write("b.json", '{"a": 1}')
    assert chinese("convert", "b.json", "--to", "stf").err.startswith(
        "msgls: b.json: 这段 JSON 不是对话；可用 --from 指定格式：msgmd、stf、"
    )


def test_rules(chinese: Runner) -> None:
    listed = chinese("rule", "--all").out
    assert "工具结果指向不存在的调用。" in listed
    assert english(listed) == []
    page = chinese("rule", "MSG302").out
    assert page.startswith("# MSG302: nonce-mismatch\n\n**错误** · 可修复\n\n工具结果指向")
    assert "\n\n## 作用\n\n" in page
    assert "\n```\n应改为：\n```markdown\n" in page
    as_json = chinese("rule", "MSG302", "--output-format", "json").json
    assert as_json["summary"] == "A tool result names a call that does not exist."


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_pages_of_rules(rule: Rule, chinese: Runner) -> None:
    page = chinese("rule", rule.code).out
    code = re.compile(r"(?ms)^(`{3,})(.*?)^\1$")
    assert code.findall(page) == code.findall(page_of(rule).markdown())
    words = code.sub("", page).partition("\n")[2]
    assert english(re.sub(r"\*\*\w+\*\*", "", words)) == []


# -- what it costs --------------------------------------------------------------------------


def test_english_loads_no_other_language(msgls: Runner) -> None:
    msgls.write("a.msg.md", UNDEFINED)
    program = (
        "import sys\n"
        "from msgls.cli.main import main\n"
        "main(['check', 'a.msg.md']), main(['chek']), main(['check', 'nope'])\n"
        "assert not [name for name in sys.modules if '.zh' in name or 'chinese' in name]\n"
    )
    run = [sys.executable, "-c", program]
    subprocess.run(run, cwd=msgls.folder, check=True, capture_output=True)
