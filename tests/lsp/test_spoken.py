"""The server's own words in Chinese: what it shows, refuses and reports by itself."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import BARE, NEOVIM, VSCODE, Client, Refused
from tests.lsp.test_settings import opened, push, started, unasked

TEXT = "# %% One[^1]\n\n[^1]: [markdown]\n\nText.\n"
_ENGLISH = re.compile(r"[a-z]{2,} [a-z]{2,}")


def told(client: Client) -> list[str]:
    return [shown["message"] for shown in client.notifications("window/showMessage")]


def refusal(client: Client, method: str, params: Any) -> str:
    with pytest.raises(Refused) as refused:
        client.request(method, params)
    return str(refused.value)


# -- what is shown --------------------------------------------------------------------------


def test_settings_of_the_editor(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM), locale="zh-cn")
    push(client, lint={"ignore": 3, "severity": {"MSG1": "loud"}})
    (message,) = told(client)
    assert message == (
        "msgls: 编辑器设置: msgls.lint.ignore: 应为规则列表，实际是：3\n"
        "编辑器设置: msgls.lint.severity.MSG1: "
        '不能是 "loud"；可以是：off、error、warning、info、hint'
    )


def test_settings_that_are_not_an_object(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM), locale="zh-cn")
    client.notify("workspace/didChangeConfiguration", {"settings": {"msgls": 3}})
    assert told(client) == ["msgls: 编辑器设置: msgls: 应为对象"]


def test_a_configuration_file(tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text("lint = [\n", "utf-8")
    client = started(tmp_path, locale="zh-cn")
    opened(client, tmp_path, TEXT)
    (message,) = told(client)
    assert message.startswith(f"msgls: {tmp_path / 'msgls.toml'}: 不是有效的 TOML：")


@pytest.mark.parametrize(
    ("locale", "said"), [("zh", "未知的键"), ("en", "unknown key"), ("auto", "unknown key")]
)
def test_what_is_wrong_is_said_in_the_language_that_is_set_beside_it(
    locale: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "msgls.toml").write_text(f"locale = '{locale}'\nx = 1\n", "utf-8")
    client = started(tmp_path)
    opened(client, tmp_path, TEXT)
    (message,) = told(client)
    assert said in message


@pytest.mark.parametrize("source", ["start", "push"])
def test_the_editor_may_set_it_too(source: str, tmp_path: Path) -> None:
    said = {"locale": "zh", "lint": {"ignore": 3}}
    options = {"initializationOptions": {"settings": said}} if source == "start" else {}
    client = started(tmp_path, unasked(NEOVIM), **options)
    if source == "push":
        push(client, **said)
    opened(client, tmp_path, TEXT)
    (message,) = told(client)
    assert message.endswith("应为规则列表，实际是：3")


def test_what_a_conversion_leaves_out(tmp_path: Path) -> None:
    client = started(tmp_path, VSCODE, locale="zh-cn")
    uri = opened(client, tmp_path, TEXT)
    arguments = [{"uri": uri, "target": "openai"}]
    params = {"command": "msgls.convert.to", "arguments": arguments}
    answer = client.request("workspace/executeCommand", params)
    (message,) = told(client)
    assert message.startswith("msgls: chat.openai.json: 转换中丢失或改变了表述：\n- ")
    assert "没有指定模型：" in answer["losses"][-1]["what"]


# -- what is refused ------------------------------------------------------------------------


def test_refusals(tmp_path: Path) -> None:
    client = started(tmp_path, BARE, locale="zh-cn")
    uri = opened(client, tmp_path, TEXT)
    place = {"line": 0, "character": 0}
    elsewhere = {"textDocument": {"uri": "file:///none.msg.md"}, "position": place}
    run = "workspace/executeCommand"
    command = "msgls.cell.duplicate"
    asked: list[tuple[str, Any, str]] = [
        ("textDocument/hover", elsewhere, "file:///none.msg.md 没有在这里打开"),
        (run, {"command": "x"}, "没有命令 `x`"),
        (run, {"command": command}, "命令需要一个对象作为参数"),
        (run, {"command": command, "arguments": [{}]}, "`uri` 必须是文档的地址"),
        (
            run,
            {"command": command, "arguments": [{"uri": uri}]},
            "`position` 必须有从 0 开始的 `line` 和 `character`",
        ),
        (
            run,
            {"command": command, "arguments": [{"uri": uri, "position": place, "version": 9}]},
            "文档已经改变：请求针对版本 9，而这里是版本 1",
        ),
        (
            run,
            {"command": command, "arguments": [{"uri": uri, "position": place}]},
            "此编辑器不允许服务器应用编辑",
        ),
        (
            run,
            {"command": command, "arguments": [{"uri": uri, "position": place, "asText": 1}]},
            "`asText` 必须是 true 或 false",
        ),
        (
            run,
            {"command": "msgls.convert.to", "arguments": [{"uri": uri, "target": "x"}]},
            "`target` 必须是以下之一：msgmd、",
        ),
        ("msgls/tokens", {"uri": uri, "agent": 3}, "`agent` 必须是名称"),
        ("msgls/languageOf", {"uri": 3}, "`uri` 必须是文档的地址"),
        ("msgls/asContent", {"uri": uri, "position": place}, "`text` 必须是文本"),
        ("codeLens/resolve", {"data": 3}, "此标记不是由我们提供的"),
        ("no/such/thing", {}, "未知方法 no/such/thing"),
        ("initialize", {"capabilities": {}}, "`initialize` 只能发送一次"),
    ]
    for method, params, said in asked:
        assert said in refusal(client, method, params)


def test_refusals_in_the_language_that_is_set(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM))
    assert "没有命令" not in refusal(client, "workspace/executeCommand", {"command": "x"})
    push(client, locale="zh")
    assert "没有命令 `x`" in refusal(client, "workspace/executeCommand", {"command": "x"})


def test_before_it_is_known_who_asks() -> None:
    client = Client(initialize=False)
    said = refusal(client, "textDocument/hover", {})
    assert "textDocument/hover before initialize" in said


# -- how far it is --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "params", "title"),
    [
        ("workspace/diagnostic", {"previousResultIds": []}, "正在检查消息文件"),
        ("workspace/symbol", {"query": "x"}, "正在搜索消息文件"),
    ],
)
def test_progress(method: str, params: dict[str, Any], title: str, tmp_path: Path) -> None:
    (tmp_path / "a.msg.md").write_text(TEXT, "utf-8")
    whole = {"settings": {"diagnostics": {"scope": "workspace"}}}
    client = started(tmp_path, locale="zh-cn", initializationOptions=whole)
    client.request(method, {**params, "workDoneToken": 7})
    begun = client.notifications("$/progress")[0]["value"]
    assert (begun["kind"], begun["title"]) == ("begin", title)
    assert not _ENGLISH.search(begun["message"])
