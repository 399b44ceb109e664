"""What an editor shows of a file, in Chinese: nothing that this program says is left in English.

Every format has a file whose own texts are Chinese, so that what is English in an answer can
only be the program's. Hover and completion are asked everywhere in it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from msgls.formats.msgmd.attributes import ATTRIBUTES
from msgls.rules.registry import RULES
from tests.lsp.client import VSCODE, Client
from tests.lsp.test_settings import opened, started
from tests.notation import table

_SNIPPET = 15
_FENCED = re.compile(r"(?ms)^(`{3,})[^\n]*\n.*?^\1$")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_ADDRESS = re.compile(r"\]\([^)\s]*\)")
_RULE_CODE = re.compile(r"\b[A-Z]{3,4}[0-9]{3}\b")
_WORD = re.compile(r"(?<!\w)[A-Za-z]{2}[\w'-]*", re.ASCII)

# Names that Chinese leaves as they are: of things, of formats, and of rules.
NAMES = frozenset(
    {"HTML", "ID", "ISO", "JSON", "JSON5", "MIME", "Markdown", "Nonce", "UUID", "XML", "YAML"}
    # An attack that has no other name.
    | {"Trojan", "Source"}
    | {
        "base64",
        "nonce",
        "raw",
        "system",
        "true",
        "false",
        "Discussion",
        "MessageDelta",
        "Objective-C",
    }
    | {rule.name for rule in RULES}
)
# What an attribute may be is shown as it is written.
_VALUES = {" | ".join(spec.values) for spec in ATTRIBUTES.values()}


class Sample(NamedTuple):
    """A file, and the words of it that stand in answers as they are."""

    name: str
    text: str
    own: str = ""


MESSAGE_FILE = """\
---
agents:
  Zork:
    models: [Qux]
    context_window: 1000
    temperature: 1
  Plugh:
    models: [Xyzzy]
    system_prompt: 好
default_agent: Zork
---

# 前言

# %% 一[^m1]

[^m1]: [markdown] history=summary summary="好" role="user" time="x"

好[^n1] [^m2] [^

[^n1]: 注

# %% 二[^m2]

[^m2]: [code]

想
想

```python
1
```

# %%% 跑[^m2.1]

[^m2.1]: [python] status="success" duration=1s mime_type="text/plain" output_file="a.txt"

stdout> 1

# %%% 答[^a1]

[^a1]: [Zork] time="2025-05-30T09:30:00+08:00" reasoning=0

<!-- msgls: ignore MSG302, MSG701 -->

# %%% 问[^a1.9f3c]

[^a1.9f3c]: [tool] name="look"

<look/>

# %%% 果[^a1.9f3c.1]

[^a1.9f3c.1]: [tool] status="success"

# %%% 错[^a1.dead.1]

[^a1.dead.1]: [tool] name="" role="user"

# %% 临[^m3]

[^m3]: [markdown] definition="agent" name="Foo"

---
models: [Bar]
---

##

# %%% 置[^a4]

[^a4]: [Foo] reset=1

# %%% 隐[^a2]

[^a2]: [Nemo] history=exclude

# %% 短[^m4]

[^m4]: [raw] history=summary summary="好"

# %%% 虚[^a3]

[^a3]: [Xyzzy] virtual=1

# %%% [^a5]

# %% [^m9]

# %%% 后[^a5.

#
"""

SECTION = """\
---
message_section: true
---

# %% 前[^m1]

[^m1]: [raw]

# Discussion

# %% 后[^m2]

[^m2]: [raw]
"""

AT = """\
@# msgls: ignore STF001, STF002
@user name=小 id=m1
好
@@好
@message
好
@assistant {id: 'm2'}
@call id=c1
look {a: 1}
@call
@tool name=look call_id=c1
好
@tool call_id=
@tool call_id=无
@embed
a.txt
@embed
/a.txt
@raw
{ role: 'user', content: '好', }
@end
@message role=怪
@/*
好
@*/

"""

SEMICOLON = """\
;meta
{ a: 1 }
;end
;u
好
;ai
;extra
{ a: 1 }
;end
;flush
;raw
{
  tool_calls: [],
  tool_call_id: '无',
}
;end
;message
"""

CHATBUILDER = """\
; Block-UUID: 32d9afc7-aeac-4a67-ba94-0c92678604a1
; Component: UserMessage
; Version: 1.0.0
; Description: 好
; Language: markdown
; Created-at: 2025-04-21T18:15:00.000Z
; Authors: 小 (v1.0.0)
; Parent-UUID: N/A
; visibility: 好
; msgls: ignore CBM005
;
; role: user


#

好
"""

TIME = "2025-10-20T09:30:01+08:00"


def lines(*values: object) -> str:
    return "".join([json.dumps(value, ensure_ascii=False) + "\n" for value in values])


def delta(seq: int, kind: str, **payload: Any) -> dict[str, Any]:
    return {"runId": "r", "seq": seq, "kind": kind, "payload": payload, "timestamp": TIME}


def message(role: str, *parts: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    said = [{"kind": kind, "payload": payload} for kind, payload in parts]
    return {"runId": "r", "role": role, "parts": said, "timestamp": TIME, "meta": {}}


DELTAS = [
    delta(1, "start", modelId="Zork", requestId="q"),
    delta(2, "thinking", textDelta="想"),
    delta(3, "text", textDelta="好"),
    delta(4, "tool_call_start", toolCallId="c1", toolName="look"),
    delta(5, "tool_call_args", toolCallId="c1", argsTextDelta="{}"),
    delta(6, "tool_call_end", toolCallId="c1"),
    delta(7, "usage", inputTokens=1, outputTokens=1, totalTokens=2, cost=0),
    delta(8, "done", finishReason="stop"),
    delta(9, "text", textDelta="后"),
    {**delta(1, "text", textDelta="无"), "runId": "s"},
    {**delta(1, "start", modelId="Zork", requestId="q"), "runId": "t"},
    {**delta(2, "error", errorCode="E", message="坏", retryable=True), "runId": "t"},
]
MESSAGES = [
    message("user", ("text", {"text": "好"}), ("image", {"mimeType": "image/png", "url": "图"})),
    message("assistant", ("thinking", {"text": "想"}), ("tool_call", {"toolCallId": "c1"})),
    message("tool", ("tool_result", {"toolCallId": "c1", "isError": True, "content": "坏"})),
    message("tool", ("tool_result", {"toolCallId": "无", "isError": False, "content": {}})),
    message("user", ("file_ref", {"path": "a.txt", "size": 1}), ("file_ref", {"path": "/a"})),
    message("system"),
    {"parts": [{"kind": "tool_call", "payload": {}}, {"kind": "tool_result", "payload": {}}]},
]
ENTRIES = [
    {"id": "e1", "type": "其他", "timestamp": "", "payload": {}},
    {"id": "e2", "parentId": "e1", "type": "message", "timestamp": "", "payload": MESSAGES[0]},
    {"id": "e3", "type": "message_delta_batch", "timestamp": "", "payload": {"deltas": DELTAS[:4]}},
]
BOOT_MESSAGE = {
    "message": "好",
    "isHtml": False,
    "meta": {"isBootMessage": True, "isVirtual": True},
    "availableTasks": [
        {"name": "看", "task": {"name": "Look", "type": "ACTION", "message": "好"}},
        {"task": {}},
    ],
    "nextTasks": [{"name": "Next", "meta": {}, "host_utils": {}}],
}
AGENTS = {
    "agents": [
        {
            "name": "小",
            "path": "a.js",
            "metadata": {"bootMessage": BOOT_MESSAGE},
            "settings": {},
            "operations": [],
        },
        {"path": "b.js"},
        {},
    ]
}

ROLES = "user assistant tool"
FORMATS = {
    "message file": Sample("a.msg.md", MESSAGE_FILE, "Qux Xyzzy python success dead"),
    "section": Sample("a.md", SECTION),
    "simple text, @": Sample("a.stf", AT, f"{ROLES} look"),
    "simple text, ;": Sample("b.stf", SEMICOLON, f"{ROLES} meta extra"),
    "chatbuilder": Sample("messages/1.md", CHATBUILDER, "user"),
    "deltas": Sample("a.deltas.jsonl", lines(*DELTAS) + "\n"),
    "messages": Sample("a.messages.jsonl", lines(*MESSAGES) + "\n", ROLES),
    "a list of messages": Sample("a.messages.json", json.dumps(MESSAGES, indent=1), ROLES),
    "session": Sample("a.session.jsonl", lines(*ENTRIES) + "\n", f"{ROLES} deltas"),
    "agents": Sample("agents.json", json.dumps(AGENTS, ensure_ascii=False, indent=1), "action"),
}


def english(said: str, sample: Sample) -> list[str]:
    """The words of a text that are neither code nor names."""
    for pattern in (_FENCED, _CODE, _ADDRESS, _RULE_CODE):
        said = pattern.sub(" ", said)
    own = {*sample.own.split(), *NAMES}
    return [word for word in _WORD.findall(said) if word not in own]


def places(text: str) -> list[int]:
    """Where a word or a mark begins or ends: inside of one, answers are those of its end."""
    return sorted({at for word in re.finditer(r"\w+|[^\w\s]|\n", text) for at in word.span()})


def hovers(client: Client, uri: str, text: str) -> Iterator[str]:
    for offset in places(text):
        found = client.at("textDocument/hover", offset, uri)
        if found is not None:
            yield found["contents"]["value"]


def completions(client: Client, uri: str, text: str) -> Iterator[Mapping[str, Any]]:
    """Every item once, with its documentation."""
    seen = set()
    for offset in places(text):
        for item in client.at("textDocument/completion", offset, uri)["items"]:
            key = item["label"], item.get("detail"), json.dumps(item.get("data"))
            if key not in seen:
                seen.add(key)
                has_more = "topic" in item.get("data", {})
                yield client.request("completionItem/resolve", item) if has_more else item


def of_items(items: Iterator[Mapping[str, Any]]) -> Iterator[str]:
    for item in items:
        # What is not a whole cell or message is a word of the format.
        yield item["label"] if item["kind"] == _SNIPPET else ""
        detail = item.get("detail", "")
        yield "" if detail in _VALUES else detail
        yield item.get("documentation", {}).get("value", "")


def of_outline(symbols: list[Mapping[str, Any]]) -> Iterator[str]:
    for symbol in symbols:
        yield symbol["name"]
        yield symbol.get("detail", "")
        yield from of_outline(symbol.get("children", []))


def shown(client: Client, uri: str, text: str) -> Iterator[str]:
    """All that is shown of a file when a person asks for it."""
    yield from hovers(client, uri, text)
    yield from of_items(completions(client, uri, text))
    document = {"textDocument": {"uri": uri}}
    for fold in client.request("textDocument/foldingRange", document):
        yield fold.get("collapsedText", "")


@table("sample", FORMATS)
def test_nothing_is_left_in_english(sample: Sample, tmp_path: Path) -> None:
    client = started(tmp_path, VSCODE, locale="zh-cn")
    uri = opened(client, tmp_path, sample.text, sample.name)
    said = dict.fromkeys(shown(client, uri, sample.text))
    assert len(said) > 5
    assert [(text, found) for text in said if (found := english(text, sample))] == []


NODES = {
    "untitled cells": ("a.msg.md", "# %%% [^a1]\n\n# %% [^m]\n\n## \n", ["（回答）", "（消息）"]),
    "agents": (
        "a.msg.md",
        "---\nagents:\n  Zork:\n    models: [Qux]\n  Foo:\n---\n",
        ["前置元数据", "Zork", "Qux · 默认", "Foo"],
    ),
    "no role": ("a.stf", "@message name=小\n@call\n", ["没有角色 · 小", "（调用）"]),
    "a message": ("messages/1.md", "; Version: 1.0.0\n\n\n好\n\n# \n", ["消息：好", "（空标题）"]),
    "deltas": (
        "a.deltas.jsonl",
        lines(DELTAS[0], delta(2, "error", errorCode="E")),
        ["流 · r", "Zork · 错误：E"],
    ),
    "parts": (
        "a.messages.jsonl",
        lines(*MESSAGES[2:]),
        ["c1 的结果", "失败", "文件", "（调用）", "（结果）", "没有角色", "0 个部分"],
    ),
    "boot messages": (
        "agents.json",
        json.dumps(AGENTS),
        ["小", "引导消息", "任务 2", "代理 2", "代理 3"],
    ),
}


@table("name, text, expected", NODES)
def test_outlines_are_spoken(name: str, text: str, expected: list[str], tmp_path: Path) -> None:
    client = started(tmp_path, VSCODE, locale="zh-cn")
    uri = opened(client, tmp_path, text, name)
    found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    said = list(of_outline(found))
    assert [text for text in expected if text not in said] == [], said


def test_names_in_the_workspace_are_spoken(tmp_path: Path) -> None:
    folder = tmp_path / "messages"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"{number}.md").write_text("; role: user\n\n\n好\n", "utf-8")
    (tmp_path / "a.msg.md").write_text("---\nagents:\n  Zork:\n---\n", "utf-8")
    client = started(tmp_path, VSCODE, locale="zh-cn")
    named = {"前置": "前置元数据", "2 条消息": f"{tmp_path.name}/messages（2 条消息）"}
    for query, name in named.items():
        found = client.request("workspace/symbol", {"query": query})
        assert [symbol["name"] for symbol in found] == [name]
    (agent,) = client.request("workspace/symbol", {"query": "Zork"})
    assert agent["containerName"] == "前置元数据"


def test_who_asked_for_what_is_spoken(tmp_path: Path) -> None:
    client = started(tmp_path, VSCODE, locale="zh-cn")
    text = "@message name=小\n@call\n"
    uri = opened(client, tmp_path, text, "a.stf")
    (item,) = client.at("textDocument/prepareCallHierarchy", 0, uri)
    assert item["name"] == "没有角色 · 小"
    (call,) = client.request("callHierarchy/outgoingCalls", {"item": item})
    assert call["to"]["name"] == "（调用）"


def test_items_are_still_found_by_their_english_words(tmp_path: Path) -> None:
    client = started(tmp_path, VSCODE, locale="zh-cn")
    uri = opened(client, tmp_path, '{"agents": []}', "agents.json")
    (item,) = client.at("textDocument/completion", 12, uri)["items"]
    assert (item["label"], item["filterText"]) == ("新建：代理", "new agent")


def test_what_a_file_says_is_never_markdown(tmp_path: Path) -> None:
    """What is put into a phrase is escaped as anything else from a file."""
    client = started(tmp_path, VSCODE, locale="zh-cn")
    text = "# %%% **答**[^a1]\n\n[^a1]: [`x` <b>]\n\n# %%% 问[^a1.9f3c]\n"
    uri = opened(client, tmp_path, text)
    said = client.at("textDocument/hover", text.index("9f3c") - 3, uri)["contents"]["value"]
    assert said.startswith("**回答** `a1` “\\*\\*答\\*\\*”，来自 `` `x` <b> ``")
