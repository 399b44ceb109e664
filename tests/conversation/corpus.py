"""One text of every kind of source, which together use every construct there is."""

import json
from collections.abc import Mapping
from typing import Any

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA"
    "WjR9awAAAABJRU5ErkJggg=="
)

MESSAGE_FILE = """\
---
default_agent: writer
agents:
  writer:
    models: [model-one]
    context_window: 8000
    max_output_tokens: 1000
    temperature: 0.5
    system_prompt: Be brief.
---

A preamble.

# %% Rules[^s1]

[^s1]: [markdown] role=system

Answer in English.

# %% A question[^q1]

[^q1]: [markdown]

What is *this*?[^n]

[^n]: A note.

\\# %% no cell

# %%% Thoughts[^t1]

[^t1]: [writer] reasoning=1 time="2025-01-02T03:04:05+00:00"

Let me see.

# %%% An answer[^a1]

[^a1]: [writer] time="2025-01-02T03:04:06+00:00"

I look it up.

## %%% [^a1.0a1b2c3d]

[^a1.0a1b2c3d]: [tool] name="look up"

```xml
<look_up><word>this</word></look_up>
```

## %%% [^a1.ffff0000]

[^a1.ffff0000]: [tool] name="count"

no XML

## %%% [^a1.0a1b2c3d.1]

[^a1.0a1b2c3d.1]: [tool] status=failure duration=2s

Not yet.

## %%% [^a1.0a1b2c3d.2]

[^a1.0a1b2c3d.2]: [tool] status=success

A pronoun.

## %%% [^a1.ffff0000.1]

[^a1.ffff0000.1]: [tool] status=failure

No such tool.

# %% Code[^c1]

[^c1]: [code]

Why not run it?

```python
print("hi")
```

# %%% [^c1.1]

[^c1.1]: [python] status=success

stdout> hi
stderr> careful

# %%% [^c1.2]

[^c1.2]: [python] status=success mime_type=image/png

PIXEL

# %% Left out[^x1]

[^x1]: [markdown] history=exclude

Never mind.

# %% Long[^y1]

[^y1]: [raw] history=summary summary="In short."

At length.

# %%% Hello[^b1]

[^b1]: [writer] boot=1 virtual=1

Welcome 😀.
""".replace("PIXEL", PIXEL)

STF_AT = """\
@system
Be brief.
@developer name=boss
Be kind.
@user id=u1 name=ann colour="red"
Look at this:
@embed
notes.txt
@@home is text.
@assistant
I will.
@call id=c1
search {"q": "x", "n": 3, "deep": {"a": [1, null]}}
@tool call_id=c1
Found.
@assistant
Done.

"""

STF_SEMICOLON = """\
;meta
{ "title": "Talk" }
;end
;user
Hello.
;extra
{ "mood": "good" }
;end
;raw
{
  "role": "assistant",
  "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
  "tool_calls": [{"id": "k", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
  "logprobs": 1
}
;end
;tool call_id=k
ok
"""

CHATBUILDER = """\
; Block-UUID: 3e8f1c52-6f0e-4a57-9c83-0e1a0f4b7d11
; Component: Talk
; Version: 1.0.0
; Created-at: 2025-01-02T03:04:05Z
; A comment.
;
; role: assistant


Look:

\\```py
x = 1
\\```
"""


def message(role: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A message as it stands on the wire."""
    wire: dict[str, Any] = {"runId": "run-7", "role": role, "parts": list(parts)}
    return wire | {"timestamp": "2025-01-02T03:04:05Z"} | more


def part(kind: str, **payload: Any) -> dict[str, Any]:
    """A part as it stands on the wire."""
    return {"kind": kind, "payload": payload}


WIRES = [
    message("system", part("text", text="Be brief.")),
    message(
        "user",
        part("text", text="See"),
        part("image", mimeType="image/png", data=PIXEL),
        part("image", mimeType="image/svg+xml", data="PHN2Zy8+"),
        part("image", mimeType="image/*", url="https://example.com/a.png"),
        part("file_ref", path="a.txt", mimeType="text/plain", size=3),
        meta={"mood": ["good"]},
    ),
    message(
        "assistant",
        part("thinking", text="Hm."),
        part("text", text="I ask."),
        part("tool_call", toolCallId="c1", toolName="f", arguments={"a": {"b": [1, None]}}),
        part("tool_call", toolCallId="c2", toolName="g.h", rawArgsText="{broken"),
        part("text", text="Wait."),
    ),
    message("tool", part("tool_result", toolCallId="c2", isError=True, content="no")),
    message(
        "tool",
        part(
            "tool_result",
            toolCallId="c1",
            isError=False,
            content=[part("text", text="see"), part("image", mimeType="image/png", data=PIXEL)],
        ),
    ),
    message("user", part("text", text="And?")),
    message("user", part("text", text="  ")),
    message("assistant", part("tool_call", toolCallId="c3", toolName="f", arguments={})),
    message("user", part("text", text="Later.")),
    message("tool", part("tool_result", toolCallId="c3", isError=False, content={"a": 1})),
    message("tool", part("tool_result", toolCallId="c9", isError=False, content="stray")),
    message("user"),
    message("system", part("text", text="Now in French.")),
    message("assistant", part("text", text="Bon. ")),
]

OPENAI_REQUEST = {
    "model": "model-two",
    "temperature": 0.2,
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
    "messages": [
        {"role": "developer", "content": "Be brief."},
        {
            "role": "user",
            "name": "ann",
            "content": [
                {"type": "text", "text": "See"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
                {
                    "type": "image_url",
                    "image_url": {"url": "https://example.com/a.png", "detail": "low"},
                },
            ],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "f", "arguments": '{"a": 1}'},
                },
                {"id": "c2", "type": "function", "function": {"name": "f", "arguments": "{"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "one"},
        {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "two"}]},
        {"role": "assistant", "content": "Done."},
    ],
}

ANTHROPIC_REQUEST = {
    "model": "model-three",
    "max_tokens": 100,
    "system": [{"type": "text", "text": "Be brief."}],
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "See"},
                {
                    "type": "image",
                    "source": {"type": "base64", "media_type": "image/png", "data": PIXEL},
                },
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
                {"type": "text", "text": "I ask."},
                {"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "is_error": True,
                    "content": [{"type": "text", "text": "no"}],
                },
                {"type": "text", "text": "Try again."},
            ],
        },
        {"role": "assistant", "content": "Done."},
    ],
}


def _node(name: str, parent: str | None, message: Any, *children: str) -> dict[str, Any]:
    return {"id": name, "parent": parent, "children": list(children), "message": message}


def _said(node: str, role: str, content: dict[str, Any], **more: Any) -> dict[str, Any]:
    author = {"role": role, "name": more.pop("name", None), "metadata": {}}
    metadata = more.pop("metadata", {})
    return {
        "id": node,
        "author": author,
        "create_time": 1735787045.5,
        "content": content,
        "metadata": metadata,
        "recipient": "all",
    } | more


def _text(*texts: str) -> dict[str, Any]:
    return {"content_type": "text", "parts": list(texts)}


CHATGPT_EXPORT = [
    {
        "title": "A talk",
        "create_time": 1735787045.0,
        "current_node": "n6",
        "mapping": {
            "root": _node("root", None, None, "n1"),
            "n1": _node("n1", "root", _said("n1", "system", _text("")), "n2"),
            "n2": _node("n2", "n1", _said("n2", "user", _text("What is 2+2?")), "n3", "old"),
            "old": _node("old", "n2", _said("old", "assistant", _text("Five."))),
            "n3": _node(
                "n3",
                "n2",
                _said(
                    "n3",
                    "assistant",
                    {"content_type": "code", "language": "python", "text": "2+2"},
                    recipient="python",
                    metadata={"model_slug": "model-two", "finish_details": {"type": "stop"}},
                ),
                "n4",
            ),
            "n4": _node(
                "n4",
                "n3",
                _said(
                    "n4", "tool", {"content_type": "execution_output", "text": "4"}, name="python"
                ),
                "n5",
            ),
            "n5": _node(
                "n5",
                "n4",
                _said(
                    "n5",
                    "assistant",
                    {
                        "content_type": "thoughts",
                        "thoughts": [{"summary": "Sum", "content": "It is four."}],
                    },
                ),
                "n6",
            ),
            "n6": _node(
                "n6",
                "n5",
                _said(
                    "n6",
                    "assistant",
                    {
                        "content_type": "multimodal_text",
                        "parts": [
                            "Four:",
                            {
                                "content_type": "image_asset_pointer",
                                "asset_pointer": "file-service://file-1",
                                "size_bytes": 12,
                            },
                        ],
                    },
                ),
            ),
        },
    }
]

CLAUDE_EXPORT = [
    {
        "uuid": "1",
        "name": "Another talk",
        "account": {"uuid": "2"},
        "chat_messages": [
            {
                "uuid": "m1",
                "sender": "human",
                "created_at": "2025-01-02T03:04:05Z",
                "text": "Read this.",
                "content": [{"type": "text", "text": "Read this."}],
                "attachments": [{"file_name": "a.txt", "file_size": 2, "extracted_content": "hi"}],
                "files": [{"file_name": "b.png"}],
            },
            {
                "uuid": "m2",
                "sender": "assistant",
                "created_at": "2025-01-02T03:04:06Z",
                "text": "",
                "content": [
                    {"type": "thinking", "thinking": "Hm."},
                    {"type": "text", "text": "I look.", "citations": [1]},
                    {"type": "tool_use", "name": "search", "input": {"q": "hi"}},
                    {
                        "type": "tool_result",
                        "name": "search",
                        "content": [{"type": "text", "text": "found"}],
                        "is_error": False,
                    },
                    {"type": "text", "text": "It says hi."},
                    {"type": "token_budget", "left": 3},
                ],
            },
        ],
    }
]

NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"language_info": {"name": "python"}, "authors": ["x"]},
    "cells": [
        {
            "cell_type": "markdown",
            "id": "intro",
            "metadata": {},
            "source": ["# Sums\n", "and more"],
        },
        {
            "cell_type": "code",
            "id": "sum",
            "metadata": {"tags": ["a"]},
            "execution_count": 3,
            "source": "print('hi')\n2+2",
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["hi\n"]},
                {"output_type": "stream", "name": "stderr", "text": "careful\n"},
                {
                    "output_type": "execute_result",
                    "execution_count": 3,
                    "metadata": {},
                    "data": {"text/plain": "4", "text/html": "<b>4</b>"},
                },
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {"image/png": PIXEL + "\n", "text/plain": ["<Figure>"]},
                },
                {
                    "output_type": "error",
                    "ename": "ValueError",
                    "evalue": "no",
                    "traceback": ["\x1b[31mValueError\x1b[0m: no"],
                },
            ],
        },
        {"cell_type": "raw", "metadata": {}, "source": "as is"},
    ],
}

AGENTS = {
    "agents": [
        {
            "name": "guide",
            "path": "./guide",
            "metadata": {
                "bootMessage": {
                    "message": "Welcome.",
                    "meta": {"isBootMessage": True, "isVirtual": True},
                    "availableTasks": [{"name": "Plan", "task": {"name": "plan"}}],
                }
            },
        }
    ]
}


CHAT_COMPLETION: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1741569952,
    "model": "gpt-4.1",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": None,
                "reasoning_content": "Better not.",
                "refusal": "I cannot do that.",
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "ls", "arguments": '{"path": "."}'},
                    }
                ],
            },
            "logprobs": None,
            "finish_reason": "tool_calls",
        },
        {
            "index": 1,
            "message": {"role": "assistant", "content": "Another choice."},
            "finish_reason": "length",
        },
    ],
    "usage": {"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29},
    "system_fingerprint": "fp_1",
}

RESPONSE: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1741476542,
    "status": "incomplete",
    "incomplete_details": {"reason": "max_output_tokens"},
    "instructions": "Be brief.",
    "model": "gpt-4.1",
    "output": [
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": "Let us see."}],
        },
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "content": [
                {"type": "output_text", "text": "Hello.", "annotations": [{"url": "u"}]},
                {"type": "refusal", "refusal": "No more."},
            ],
        },
        {"type": "function_call", "call_id": "c1", "name": "ls", "arguments": '{"path": "."}'},
    ],
    "temperature": 1.0,
    "usage": {"input_tokens": 36, "output_tokens": 87, "total_tokens": 123},
}

RESPONSES_REQUEST: dict[str, Any] = {
    "model": "gpt-4.1",
    "instructions": "Be brief.",
    "input": [
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "What is this?"},
                {"type": "input_image", "image_url": "https://example.com/a.png", "detail": "low"},
            ],
        },
        {"type": "function_call", "call_id": "c1", "name": "ls", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "a.txt"},
    ],
    "tools": [{"type": "function", "name": "ls"}],
}

ANTHROPIC_RESPONSE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude",
    "content": [
        {"type": "text", "text": "Hello."},
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}},
        {"type": "tool_use", "id": "toolu_1", "name": "ls", "input": {"path": "."}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 12, "output_tokens": 6},
}


def dumped(value: Any) -> str:
    """JSON over several lines, so that places have lines."""
    return json.dumps(value, indent=1)


CORPUS: Mapping[str, tuple[str, str]] = {
    "message file": ("talk.msg.md", MESSAGE_FILE),
    "stf @": ("talk.stf", STF_AT),
    "stf ;": ("other.stf", STF_SEMICOLON),
    "chatbuilder": ("messages/talk/1.md", CHATBUILDER),
    "messages": ("talk.messages.json", dumped(WIRES)),
    "agents": ("agents.json", dumped(AGENTS)),
    "openai": ("openai.json", dumped(OPENAI_REQUEST)),
    "chat completion": ("completion.json", dumped(CHAT_COMPLETION)),
    "response": ("response.json", dumped(RESPONSE)),
    "request for a response": ("request.json", dumped(RESPONSES_REQUEST)),
    "anthropic": ("anthropic.json", dumped(ANTHROPIC_REQUEST)),
    "anthropic response": ("answer.json", dumped(ANTHROPIC_RESPONSE)),
    "chatgpt": ("conversations.json", dumped(CHATGPT_EXPORT)),
    "claude": ("conversations.json", dumped(CLAUDE_EXPORT)),
    "notebook": ("sums.ipynb", dumped(NOTEBOOK)),
}
"""Name of the file and text, by what it is."""
