"""Deltas, messages and entries as JSON text, for tests."""

import json
from typing import Any

TIME = "2026-01-02T03:04:05Z"

Wire = dict[str, Any]


def dump(*wires: object, newline: str = "\n") -> str:
    """JSONL."""
    return "".join([json.dumps(wire, ensure_ascii=False) + newline for wire in wires])


def delta(seq: int, kind: str, run: str = "r", **payload: Any) -> Wire:
    return {"runId": run, "seq": seq, "kind": kind, "payload": payload, "timestamp": TIME}


def start(seq: int = 0, request: str = "q", run: str = "r") -> Wire:
    return delta(seq, "start", run, modelId="m", requestId=request)


def text(seq: int, said: str = "x", run: str = "r") -> Wire:
    return delta(seq, "text", run, textDelta=said)


def call_start(seq: int, call: str = "c1", run: str = "r") -> Wire:
    return delta(seq, "tool_call_start", run, toolCallId=call, toolName="find")


def call_args(seq: int, said: str = "{}", call: str = "c1", run: str = "r") -> Wire:
    return delta(seq, "tool_call_args", run, toolCallId=call, argsTextDelta=said)


def call_end(seq: int, call: str = "c1", run: str = "r") -> Wire:
    return delta(seq, "tool_call_end", run, toolCallId=call)


def done(seq: int, run: str = "r") -> Wire:
    return delta(seq, "done", run, finishReason="stop")


def error(seq: int, run: str = "r") -> Wire:
    return delta(seq, "error", run, errorCode="overloaded")


def part(kind: str, **payload: Any) -> Wire:
    return {"kind": kind, "payload": payload}


def said(words: str) -> Wire:
    return part("text", text=words)


def call(call_id: str = "c1") -> Wire:
    return part("tool_call", toolCallId=call_id, toolName="find", arguments={})


def result(call_id: str = "c1", content: Any = "ok") -> Wire:
    return part("tool_result", toolCallId=call_id, isError=False, content=content)


def message(role: str, *parts: Wire, run: str = "r", **more: Any) -> Wire:
    return {"runId": run, "role": role, "parts": list(parts), "timestamp": TIME, **more}


def entry(kind: str, payload: Any, **more: Any) -> Wire:
    return {"id": "e1", "type": kind, "timestamp": TIME, "payload": payload, **more}
