"""What services and their exports say besides texts: calls of their own, failures, branches.

The samples have the shape that the services document and that people's exports have.
"""

import json
from typing import Any

import pytest

from msgls.conversation.conversation import Conversation
from msgls.conversation.sources import Incoming, read
from msgls.conversation.targets import write
from tests.conversation.test_whole import errors

Wire = dict[str, Any]


def incoming(value: object) -> Incoming:
    return read("export.json", json.dumps(value, indent=1))[0]


def brief(conversation: Conversation) -> list[str]:
    """A line for each part: the role, then what the part says."""
    lines = []
    for message in conversation.messages:
        for part in message.to_wire()["parts"]:
            said = part["payload"]
            said.pop("toolCallId", None)
            lines.append(f"{message.role} {part['kind']} {json.dumps(said)}")
    return lines


def lost(one: Incoming) -> list[str]:
    return [str(loss.what) for loss in one.conversation.losses]


ANTHROPIC = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-4-5",
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 10, "output_tokens": 20},
    "content": [
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "Ulm"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "srv_1",
            "content": [
                {
                    "type": "web_search_result",
                    "url": "https://example.com/ulm",
                    "title": "Ulm",
                    "encrypted_content": "Eq",
                }
            ],
        },
        {"type": "server_tool_use", "id": "srv_2", "name": "web_search", "input": {"query": "x"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "srv_2",
            "content": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"},
        },
        {
            "type": "server_tool_use",
            "id": "srv_3",
            "name": "code_execution",
            "input": {"code": "print('''\n```js\n''')"},
        },
        {
            "type": "code_execution_tool_result",
            "tool_use_id": "srv_3",
            "content": {"type": "code_execution_result", "stdout": "1", "return_code": 0},
        },
        {"type": "mcp_tool_use", "id": "mcp_1", "name": "echo", "input": {}, "server_name": "s"},
        {
            "type": "mcp_tool_result",
            "tool_use_id": "mcp_1",
            "is_error": True,
            "content": [{"type": "text", "text": "no"}],
        },
        {"type": "text", "text": "It is on the Danube."},
    ],
}


def test_tools_that_anthropic_runs_itself_are_calls_with_results() -> None:
    one = incoming(ANTHROPIC)
    assert brief(one.conversation) == [
        'assistant tool_call {"toolName": "web_search", "arguments": {"query": "Ulm"}}',
        (
            'tool tool_result {"isError": false, "content": "{\\"type\\": \\"web_search_result\\", '
            '\\"url\\": \\"https://example.com/ulm\\", \\"title\\": \\"Ulm\\"}"}'
        ),
        'assistant tool_call {"toolName": "web_search", "arguments": {"query": "x"}}',
        (
            'tool tool_result {"isError": true, "content": '
            '{"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}}'
        ),
        (
            'assistant tool_call {"toolName": "code_execution", "arguments": '
            "{\"code\": \"print('''\\n```js\\n''')\"}}"
        ),
        (
            'tool tool_result {"isError": false, "content": {"type": "code_execution_result", '
            '"stdout": "1", "return_code": 0}}'
        ),
        'assistant tool_call {"toolName": "echo", "arguments": {}}',
        (
            'tool tool_result {"isError": true, "content": [{"kind": "text", "payload": '
            '{"text": "no"}}]}'
        ),
        'assistant text {"text": "It is on the Danube."}',
    ]
    assert lost(one) == [
        "the tool call `web_search` of the service becomes an ordinary one",
        "not kept: `encrypted_content` of a block",
        "the tool call `web_search` of the service becomes an ordinary one",
        "the tool call `code_execution` of the service becomes an ordinary one",
        "the tool call `echo` of the service becomes an ordinary one",
        "not kept: `server_name` of a block",
    ]


def test_a_response_says_once_what_it_used_and_how_it_ended() -> None:
    messages = incoming(ANTHROPIC).conversation.messages
    told = [message.meta for message in messages]
    assert told[:-1] == [None] * (len(told) - 1)
    assert (told[-1] or {})["finishReason"] == "end_turn"
    assert (told[-1] or {})["usage"]["totalTokens"] == 30


RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "model": "gpt-4.1",
    "status": "incomplete",
    "incomplete_details": {"reason": "max_output_tokens"},
    "output": [
        {
            "type": "code_interpreter_call",
            "id": "ci_1",
            "status": "completed",
            "code": "print(1)",
            "outputs": [
                {"type": "logs", "logs": "1"},
                {"type": "image", "url": "https://example.com/p.png"},
            ],
        },
        {"type": "mcp_call", "id": "m_1", "name": "roll", "arguments": '{"d": 4}', "error": "lost"},
        {"type": "file_search_call", "id": "fs_1", "queries": ["q"], "results": None},
        {"type": "image_generation_call", "id": "ig_1", "result": "iVBORw0KGgo="},
        {"type": "mcp_list_tools", "id": "l_1", "tools": []},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "refusal", "refusal": "No."}],
        },
    ],
}


def test_tools_that_openai_runs_itself_are_calls_with_results() -> None:
    one = incoming(RESPONSE)
    assert brief(one.conversation) == [
        'assistant tool_call {"toolName": "code_interpreter", "rawArgsText": "print(1)"}',
        (
            'tool tool_result {"isError": false, "content": [{"kind": "text", "payload": '
            '{"text": "1"}}, {"kind": "image", "payload": {"mimeType": "image/png", '
            '"url": "https://example.com/p.png"}}]}'
        ),
        'assistant tool_call {"toolName": "roll", "arguments": {"d": 4}}',
        'tool tool_result {"isError": true, "content": "lost"}',
        'assistant tool_call {"toolName": "file_search", "arguments": {"queries": ["q"]}}',
        'assistant tool_call {"toolName": "image_generation", "arguments": {}}',
        (
            'tool tool_result {"isError": false, "content": [{"kind": "image", "payload": '
            '{"mimeType": "image/png", "data": "iVBORw0KGgo="}}]}'
        ),
        'assistant text {"text": "No.", "refusal": true}',
    ]
    assert lost(one) == [
        *[
            f"the tool call `{name}` of the service becomes an ordinary one"
            for name in ("code_interpreter", "roll", "file_search", "image_generation")
        ],
        "an item of the type `mcp_list_tools` was left out",
    ]
    last = one.conversation.messages[-1].meta or {}
    assert last["finishReason"] == "max_output_tokens"


OPENAI = {
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {"a": 1}}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "custom", "custom": {"name": "run", "input": "x = 1"}},
                {
                    "id": "functions.get_weather:0",
                    "type": "function",
                    "function": {"name": "get_weather", "arguments": "{}"},
                    "extra_content": {"google": {"thought_signature": "abc"}},
                },
            ],
        },
    ]
}


def test_calls_of_custom_tools_are_calls_and_what_is_not_kept_is_named() -> None:
    one = incoming(OPENAI)
    assert brief(one.conversation) == [
        'user text {"text": "Hi"}',
        'assistant tool_call {"toolName": "run", "arguments": {"input": "x = 1"}}',
        'assistant tool_call {"toolName": "get_weather", "arguments": {}}',
    ]
    assert lost(one) == [
        "not kept: `cache_control` of a block",
        "not kept: `extra_content` of a block",
    ]


def node(key: str, parent: str | None, role: str, content: Wire, **more: Any) -> Wire:
    author = {"role": role, "name": more.pop("name", None), "metadata": {}}
    message = {"id": key, "author": author, "content": content, "recipient": "all", **more}
    return {"id": key, "parent": parent, "message": message}


CHATGPT = [
    {
        "title": "A chart",
        "current_node": "e",
        "mapping": {
            "a": node(
                "a",
                None,
                "user",
                {
                    "content_type": "multimodal_text",
                    "parts": [
                        {
                            "content_type": "image_asset_pointer",
                            "asset_pointer": "file-service://file-abc",
                            "size_bytes": 5,
                        },
                        "Draw it",
                    ],
                },
                metadata={
                    "attachments": [
                        {"id": "file-abc", "name": "photo.png", "size": 5},
                        {"id": "file-d", "name": "sales.csv", "size": 9, "mime_type": "text/csv"},
                    ]
                },
            ),
            "b": node(
                "b",
                "a",
                "assistant",
                {"content_type": "code", "language": "unknown", "text": "s = '''\n```js\n'''"},
                recipient="python",
            ),
            "c": node(
                "c",
                "b",
                "tool",
                {"content_type": "execution_output", "text": "NameError"},
                name="python",
                metadata={"aggregate_result": {"status": "failed_with_in_kernel_exception"}},
            ),
            "d": node(
                "d",
                "c",
                "tool",
                {"content_type": "tether_quote", "url": "https://example.com", "text": "quoted"},
                name="browser",
            ),
            "e": node(
                "e", "d", "assistant", {"content_type": "text", "parts": ["```python\nx = 1"]}
            ),
        },
    }
]


def test_chatgpt_says_which_code_failed_and_what_was_attached() -> None:
    one = incoming(CHATGPT)
    assert brief(one.conversation) == [
        'user file_ref {"path": "sales.csv", "mimeType": "text/csv", "size": 9}',
        'user file_ref {"path": "file-service://file-abc", "mimeType": "image/*", "size": 5}',
        'user text {"text": "Draw it"}',
        'assistant tool_call {"toolName": "python", "rawArgsText": "s = \'\'\'\\n```js\\n\'\'\'"}',
        'tool tool_result {"isError": true, "content": "NameError"}',
        'user text {"text": "https://example.com"}',
        'user text {"text": "quoted"}',
        'assistant text {"text": "```python\\nx = 1"}',
    ]
    assert lost(one) == [
        "there is no call before this result: it becomes a user message",
        "not kept: metadata of messages (`metadata.aggregate_result`)",
    ]


def said_in_claude(key: str, parent: str | None, sender: str, text: str) -> Wire:
    return {
        "uuid": key,
        "sender": sender,
        "text": text,
        "content": [{"type": "text", "text": text}],
        "created_at": "2026-01-01T00:00:00Z",
        "parent_message_uuid": parent,
    }


ROOT = "00000000-0000-4000-8000-000000000000"
BRANCHES = [
    said_in_claude("1", ROOT, "human", "first wording"),
    said_in_claude("2", "1", "assistant", "first answer"),
    said_in_claude("3", ROOT, "human", "second wording"),
    said_in_claude("4", "3", "assistant", "second answer"),
]


@pytest.mark.parametrize(
    ("about", "expected"), [({}, "second"), ({"current_leaf_message_uuid": "2"}, "first")]
)
def test_a_branch_that_was_left_in_claude_is_not_sent(about: Wire, expected: str) -> None:
    one = incoming([{"uuid": "c", "name": "Chat", "chat_messages": BRANCHES, **about}])
    assert brief(one.conversation) == [
        f'user text {{"text": "{expected} wording"}}',
        f'assistant text {{"text": "{expected} answer"}}',
    ]
    assert lost(one) == ["2 messages on other branches were left out"]


@pytest.mark.parametrize("parents", [[None, None], [ROOT, "1"], ["gone", "also-gone"]])
def test_messages_of_claude_without_branches_are_all_there(parents: list[str | None]) -> None:
    messages = [
        said_in_claude("1", parents[0], "human", "question"),
        said_in_claude("2", parents[1], "assistant", "answer"),
    ]
    one = incoming([{"uuid": "c", "name": "Chat", "chat_messages": messages}])
    assert len(one.conversation.messages) == 2
    assert lost(one) == []


@pytest.mark.parametrize("value", [ANTHROPIC, RESPONSE, OPENAI, CHATGPT])
def test_all_of_it_becomes_a_message_file_without_an_error(value: object) -> None:
    assert errors(write(incoming(value), "msgmd").text) == []


@pytest.mark.parametrize("role", [["user"], {"name": "user"}, 7, None])
def test_a_role_that_is_not_a_string_is_the_users(role: object) -> None:
    one = read("a.json", json.dumps({"messages": [{"role": role, "content": "Hi"}]}), "openai")[0]
    assert [message.role for message in one.conversation.messages] == ["user"]
    assert lost(one) == [f"unknown role `{json.dumps(role)}`: it is treated as the user's"]
