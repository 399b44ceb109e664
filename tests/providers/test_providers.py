"""The providers that come along: as processes, with services that behave and that do not."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from msgls.cli.provider import sample_request
from msgls.conversation.assembler import Assembler
from msgls.providers import Answer, ProviderError, Request
from msgls.providers import openai as provider
from tests.notation import table
from tests.providers.service import END, USAGE, Service, chunk, serving

REPLY = [chunk({"content": "Hel"}), chunk({"content": "lo"}), chunk({}, "stop")]


def ask(
    name: str, *arguments: str, model: str = "m", parts: Sequence[Any] = (), **environment: str
) -> tuple[int, list[Any]]:
    """Run a provider on the sample, with more parts at its end; its exit code and its deltas."""
    command = [sys.executable, "-P", "-m", f"msgls.providers.{name}", *arguments]
    request = sample_request(model)
    request["messages"][-1]["parts"] += parts
    data = json.dumps(request).encode()
    env = {**os.environ, **environment}
    done = subprocess.run(command, input=data, capture_output=True, env=env, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def openai(service: Service) -> tuple[int, list[Any]]:
    return ask("openai", OPENAI_BASE_URL=service.address, OPENAI_API_KEY="k-1")


def answered(service: Service, patch: pytest.MonkeyPatch) -> list[Any]:
    """The deltas of the provider for OpenAI, without a process, which takes long to start."""
    patch.setenv("OPENAI_BASE_URL", service.address)
    patch.setenv("OPENAI_API_KEY", "k-1")
    out = io.BytesIO()
    answer = Answer(out, "m")
    try:
        provider._ask(Request(sample_request("m")), answer)
    except ProviderError as failed:
        answer.error(failed)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def said(deltas: list[Any]) -> dict[str, Any]:
    """The message that deltas make; they must be a sound stream."""
    assembler = Assembler()
    done = [assembler.add(delta, line) for line, delta in enumerate(deltas)]
    assert not assembler.problems
    assert done[-1] is not None
    return done[-1].message


def error(deltas: list[Any]) -> dict[str, Any]:
    assembler = Assembler()
    for line, delta in enumerate(deltas):
        assembler.add(delta, line)
    assert not assembler.problems
    assert deltas[-1]["kind"] == "error"
    payload: dict[str, Any] = deltas[-1]["payload"]
    return payload


def test_a_service_of_openai() -> None:
    with serving([*REPLY, chunk({}, None, usage=USAGE), END]) as service:
        code, deltas = openai(service)
    message = said(deltas)
    assert code == 0
    assert message["parts"] == [{"kind": "text", "payload": {"text": "Hello"}}]
    assert message["meta"]["modelId"] == "m-1"
    assert message["meta"]["usage"]["outputTokens"] == 5
    assert service.keys == ["Bearer k-1"]
    request = service.requests[0]
    assert request["model"] == "m"
    assert [m["role"] for m in request["messages"]] == [
        "system", "user", "assistant", "tool", "user",
    ]  # fmt: skip


def test_thoughts_and_parallel_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    def call(index: int, **function: str) -> dict[str, Any]:
        return {"index": index, "id": f"c{index}", "type": "function", "function": function}

    blocks = [
        chunk({"reasoning_content": "Hm."}),
        chunk({"tool_calls": [call(0, name="ls", arguments='{"a"')]}),
        chunk({"tool_calls": [call(1, name="cat", arguments="")]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}),
        chunk({}, "tool_calls"),
        END,
    ]
    with serving(blocks) as service:
        parts = said(answered(service, monkeypatch))["parts"]
    assert [part["kind"] for part in parts] == ["thinking", "tool_call", "tool_call"]
    assert parts[1]["payload"]["arguments"] == {"a": 1}
    assert parts[2]["payload"]["arguments"] == {}


GREETING = chunk({"content": "你好 👋"}) + chunk({}, "stop") + END


@table(
    "blocks, text",
    {
        "a refusal": (
            [chunk({"refusal": "I will "}), chunk({"refusal": "not."}, "stop"), END],
            "I will not.",
        ),
        "a character in pieces": ([bytes([byte]) for byte in GREETING], "你好 👋"),
        "ten thousand chunks": (
            [*[chunk({"content": "ab"}) * 500] * 20, chunk({}, "stop"), END],
            "ab" * 10_000,
        ),
    },
)
def test_what_the_model_says(
    blocks: list[bytes], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(blocks) as service:
        (part,) = said(answered(service, monkeypatch))["parts"]
    assert part["payload"]["text"] == text


@pytest.mark.parametrize(
    ("blocks", "status", "code", "retryable"),
    [
        ([chunk({"content": "Hel"})], 200, "cut_off", True),
        ([chunk({"content": "Hel"}), b"data: {garbled\n\n"], 200, "garbled", True),
        ([chunk({"content": "Hel"}), b"data: \xff\n\n"], 200, "garbled", True),
        ([b'{"error": {"message": "slow down"}}'], 429, "http_429", True),
        ([b'{"error": {"message": "no"}}'], 401, "http_401", False),
        ([b"oops"], 500, "http_500", True),
        ([b'data: {"error": {"message": "overloaded"}}\n\n'], 200, "service", True),
    ],
)
def test_a_service_that_fails(
    blocks: list[bytes], status: int, code: str, retryable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(blocks, status) as service:
        deltas = answered(service, monkeypatch)
    found = error(deltas)
    assert (found["errorCode"], found["retryable"]) == (code, retryable)
    assert "k-1" not in json.dumps(deltas)


def test_nobody_is_there_and_no_key() -> None:
    code, deltas = ask("openai", OPENAI_BASE_URL="http://127.0.0.1:1/v1", OPENAI_API_KEY="k-1")
    assert (code, error(deltas)["errorCode"]) == (1, "connection")
    _, deltas = ask("openai", OPENAI_API_KEY="")
    assert "OPENAI_API_KEY" in error(deltas)["message"]


def test_llm_and_its_plugins(tmp_path: Path) -> None:
    code, deltas = ask("llm", model="echo", LLM_USER_PATH=str(tmp_path))
    message = said(deltas)
    assert code == 0
    heard = json.loads(message["parts"][0]["payload"]["text"])
    assert heard["prompt"] == "Say hello."
    assert heard["system"] == "You are terse."
    # It is a plugin that knows no list of messages, but earlier turns.
    assert heard["previous"] == [{"prompt": "Which files are here? 有哪些文件？ 📄"}]
    result = {"name": "ls", "output": "README.md", "tool_call_id": "m2.1f0c9a3e"}
    assert heard["tool_results"] == [result]
    assert message["meta"]["usage"]["outputTokens"] > 0
    code, deltas = ask("llm", model="no-such-model", LLM_USER_PATH=str(tmp_path))
    assert code == 1
    assert error(deltas)["errorCode"] == "unknown_model"


def test_a_plugin_of_llm_that_takes_messages_is_sent_each_once(tmp_path: Path) -> None:
    with serving([*REPLY, END]) as service:
        (tmp_path / "extra-openai-models.yaml").write_text(
            f"- model_id: own\n  model_name: own\n  api_base: {service.address}\n", "utf-8"
        )
        code, deltas = ask("llm", model="own", LLM_USER_PATH=str(tmp_path), OPENAI_API_KEY="k-1")
        (request,) = service.requests
    assert (code, said(deltas)["parts"][0]["payload"]["text"]) == (0, "Hello")
    assert [(message["role"], message.get("content")) for message in request["messages"]] == [
        ("system", "You are terse."),
        ("user", "Which files are here? 有哪些文件？ 📄"),
        ("assistant", None),
        ("tool", "README.md"),
        ("user", "Say hello."),
    ]


@pytest.mark.parametrize("name", ["openai", "llm"])
def test_a_library_that_is_missing_is_named_with_the_python_that_needs_it(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / f"{name}.py").write_text("raise ImportError\n", "utf-8")
    code, deltas = ask(name, PYTHONPATH=str(tmp_path))
    said = f"install it with: {sys.executable} -m pip install 'msgls[{name}]'"
    assert (code, error(deltas)["message"]) == (1, said)


def test_an_image_for_a_model_that_takes_none_is_not_left_out(tmp_path: Path) -> None:
    payload = {"mimeType": "image/bmp", "data": "AAAA"}
    image = {"kind": "image", "payload": payload}
    code, deltas = ask("llm", model="echo", parts=[image], LLM_USER_PATH=str(tmp_path))
    assert (code, error(deltas)["message"]) == (1, "echo does not accept image/bmp")
    payload["mimeType"] = "image/png"
    _, deltas = ask("llm", model="echo", parts=[image], LLM_USER_PATH=str(tmp_path))
    heard = json.loads(said(deltas)["parts"][0]["payload"]["text"])
    assert [attached["type"] for attached in heard["attachments"]] == ["image/png"]


def test_replay_repeats_or_streams_a_recording(tmp_path: Path) -> None:
    code, deltas = ask("replay", "--speed", "0")
    assert code == 0
    assert said(deltas)["parts"][0]["payload"]["text"] == "You said:\n\nSay hello."
    recording = tmp_path / "a.deltas.jsonl"
    recording.write_text("".join(json.dumps(delta) + "\n" for delta in deltas), "utf-8")
    assert ask("replay", "--speed", "0", str(recording)) == (0, deltas)


def test_a_module_of_the_folder_is_not_taken_for_ours(tmp_path: Path) -> None:
    for name in ("openai", "msgls", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(99)", "utf-8")
    command = [sys.executable, "-P", "-m", "msgls.providers.replay", "--speed", "0"]
    data = json.dumps(sample_request(None)).encode()
    done = subprocess.run(command, input=data, capture_output=True, cwd=tmp_path, check=False)
    assert done.returncode == 0


TEN_LINES = Path(__file__).parents[2] / "docs" / "providers.md"


def test_the_provider_in_the_documentation_works(tmp_path: Path) -> None:
    program = TEN_LINES.read_text("utf-8").partition("```zsh\n#!/bin/sh\n")[2].partition("```")[0]
    script = tmp_path / "provider.sh"
    script.write_text("#!/bin/sh\n" + program, "utf-8")
    script.chmod(0o755)
    command = [sys.executable, "-m", "msgls", "provider", "check", str(script)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"It follows the protocol.\n"), done.stderr
