"""The language of the server: the client's, or the one that is set; changed while it runs."""

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import BARE, NEOVIM, VSCODE, Client, Refused
from tests.lsp.test_settings import opened, published, push, started, unasked

# MSG203 with a fix, and a cell whose child says something in a lens.
TEXT = "# %% One[^1]\n\n[^1]: [markdown] history=full\n\nText.\n"
ENGLISH = "invalid value `full` for `history`: use `include`, `exclude` or `summary`"
CHINESE = "`history` 的值 `full` 无效：应为 `include`、`exclude` 或 `summary`"


def messages(client: Client, uri: str) -> list[str]:
    return [found["message"] for found in published(client, uri)]


def titles(client: Client, uri: str, only: str | None = None) -> list[str]:
    context: dict[str, Any] = {"diagnostics": [], "triggerKind": 1}
    place = client.position(TEXT.index("full"), uri)
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": context | ({"only": [only]} if only else {}),
    }
    return [action["title"] for action in client.request("textDocument/codeAction", params)]


@pytest.mark.parametrize(
    ("locale", "expected"),
    [("zh-cn", CHINESE), ("zh", CHINESE), ("zh-tw", ENGLISH), ("de", ENGLISH), (None, ENGLISH)],
)
def test_the_client_says_its_language(locale: str | None, expected: str, tmp_path: Path) -> None:
    client = started(tmp_path, locale=locale)
    assert messages(client, opened(client, tmp_path, TEXT)) == [expected]


@pytest.mark.parametrize(("locale", "expected"), [(None, CHINESE), ("en", ENGLISH)])
def test_where_a_client_says_nothing_its_environment_does(
    locale: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_MESSAGES", "zh_CN.UTF-8")
    client = started(tmp_path, locale=locale)
    assert messages(client, opened(client, tmp_path, TEXT)) == [expected]


def test_fixes_and_actions_are_spoken(tmp_path: Path) -> None:
    client = started(tmp_path, locale="zh-cn")
    uri = opened(client, tmp_path, TEXT)
    first, *_, last = titles(client, uri, "quickfix")
    assert (first, last) == ("改为 `include`", "在此单元中忽略 MSG203")
    assert titles(client, uri, "source.fixAll.msgls") == ["修复所有可安全修复的问题"]
    found = titles(client, uri, "refactor")
    assert "拆分单元" in found or "创建单元副本" in found
    assert [title for title in found if title.isascii()] == []


def test_related_places_are_spoken(tmp_path: Path) -> None:
    client = started(tmp_path, locale="zh-cn")
    text = "# %% One[^1]\n\n[^1]: [markdown]\n\n# %% Two[^1]\n"
    found = published(client, opened(client, tmp_path, text))
    related = [place["message"] for one in found for place in one.get("relatedInformation", ())]
    assert "前面的单元 `1`" in related


def test_lenses_and_hints_are_spoken(tmp_path: Path) -> None:
    client = started(tmp_path, VSCODE, locale="zh-cn")
    uri = opened(client, tmp_path, "# %% One[^1]\n\n[^1]: [markdown]\n\nText.\n")
    lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    said = [client.request("codeLens/resolve", lens)["command"]["title"] for lens in lenses]
    assert said == ["≈ 1 个词元", "向 assistant 提问"]
    client = started(tmp_path, BARE, locale="zh-cn")
    uri = opened(client, tmp_path, "# %% One[^1]\n\n[^1]: [markdown]\n\nText.\n")
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 5, "character": 0}}
    params = {"textDocument": {"uri": uri}, "range": everything}
    (hint,) = client.request("textDocument/inlayHint", params)
    assert hint["label"].endswith(" 个词元")
    assert hint["tooltip"].startswith("单元有约 ")


def test_refusals_and_labels_are_spoken(tmp_path: Path) -> None:
    client = started(tmp_path, locale="zh-cn")
    uri = opened(client, tmp_path, TEXT)
    place = {"uri": uri, "position": {"line": 0, "character": 0}}
    with pytest.raises(Refused, match="这是第一个单元"):
        client.request(
            "workspace/executeCommand", {"command": "msgls.cell.moveUp", "arguments": [place]}
        )
    client.request(
        "workspace/executeCommand", {"command": "msgls.cell.duplicate", "arguments": [place]}
    )
    (applied,) = client.requests("workspace/applyEdit")
    assert applied["label"] == "创建单元副本"
    with pytest.raises(Refused, match="这里没有可重命名的内容"):
        client.at("textDocument/prepareRename", len(TEXT) - 2, uri)


def test_a_setting_goes_before_the_language_of_the_client(tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_text("locale = 'en'\n", "utf-8")
    client = started(tmp_path, locale="zh-cn")
    assert messages(client, opened(client, tmp_path, TEXT)) == [ENGLISH]


def test_a_change_of_the_setting_is_seen_at_once(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM))
    uri = opened(client, tmp_path, TEXT)
    assert messages(client, uri) == [ENGLISH]
    push(client, locale="zh")
    assert messages(client, uri) == [CHINESE]
    assert titles(client, uri, "quickfix")[0] == "改为 `include`"
    push(client, locale="auto")
    assert messages(client, uri) == [ENGLISH]


def test_a_client_that_pulls_is_told_to_ask_again(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(VSCODE))
    uri = opened(client, tmp_path, TEXT)
    params = {"textDocument": {"uri": uri}}
    before = client.request("textDocument/diagnostic", params)
    push(client, locale="zh")
    asked = [
        kind
        for kind in ("diagnostic", "codeLens", "inlayHint", "semanticTokens", "foldingRange")
        if client.requests(f"workspace/{kind}/refresh")
    ]
    assert asked == ["diagnostic", "codeLens", "inlayHint", "foldingRange"]
    again = {**params, "previousResultId": before["resultId"]}
    (found,) = client.request("textDocument/diagnostic", again)["items"]
    assert found["message"] == CHINESE


def test_clients_of_one_process_do_not_disturb_each_other(tmp_path: Path) -> None:
    chinese, english = started(tmp_path, locale="zh-cn"), started(tmp_path, locale="en")
    uris = [opened(client, tmp_path, TEXT) for client in (chinese, english)]
    assert messages(chinese, uris[0]) == [CHINESE]
    assert messages(english, uris[1]) == [ENGLISH]


def test_what_is_left_out_is_said_too(tmp_path: Path) -> None:
    client = started(tmp_path, unasked(NEOVIM), locale="zh-cn")
    push(client, diagnostics={"limit": 1})
    uri = opened(client, tmp_path, TEXT + TEXT.replace("1", "2"))
    assert messages(client, uri)[-1] == "还有 1 个问题没有显示：`msgls check` 会列出全部"
