"""Providers: programs that ask a model, each run as a process of its own.

The protocol (``docs/providers.md``): one JSON request on standard input; the answer as
MessageDelta JSONL on standard output, from ``start`` to ``done`` or ``error``; exit code 0
after ``done`` and any other after ``error``. Only these processes use keys, addresses and
connections: the server and the command line have none.

This module owns reading the request and writing the answer, for providers written in Python.
"""

import json
import os
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, BinaryIO, NoReturn

from msgls.host.processes import pip_install

Wire = dict[str, Any]

CONTINUE = "Go on exactly where your last message stops. Do not repeat any of it."
"""The prompt for continuing an answer: few services have another way to do that."""


class ProviderError(Exception):
    """Raised if there is no answer, with the content of the ``error`` delta."""

    def __init__(self, code: str, message: str, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable


def not_installed(name: str) -> ProviderError:
    """The error for a missing library."""
    return ProviderError("not_installed", f"install it with: {pip_install(name)}")


class Answer:
    """Writes the deltas of one answer, each immediately."""

    def __init__(self, out: BinaryIO, model: str) -> None:
        self.model = model
        """The model that answers; it can be set more precisely before the first delta."""
        self._out = out
        self._run_id = f"run-{uuid.uuid4()}"
        self._seq = 0

    def text(self, text: str) -> None:
        """Write more text of the answer."""
        if text:
            self._write("text", textDelta=text)

    def thinking(self, text: str) -> None:
        """Write more reasoning."""
        if text:
            self._write("thinking", textDelta=text)

    def call_start(self, call_id: str, tool: str) -> None:
        """Start a tool call."""
        self._write("tool_call_start", toolCallId=call_id, toolName=tool)

    def call_arguments(self, call_id: str, json_text: str) -> None:
        """Write more of the JSON text of a call's arguments."""
        if json_text:
            self._write("tool_call_args", toolCallId=call_id, argsTextDelta=json_text)

    def call_end(self, call_id: str) -> None:
        """End a tool call: its arguments are complete."""
        self._write("tool_call_end", toolCallId=call_id)

    def usage(self, input_tokens: int, output_tokens: int, cost: float | None = None) -> None:
        """Write the number of tokens so far, and their cost if known."""
        cost_entry = {} if cost is None else {"cost": cost}
        total = input_tokens + output_tokens
        self._write(
            "usage",
            inputTokens=input_tokens,
            outputTokens=output_tokens,
            totalTokens=total,
            **cost_entry,
        )

    def done(self, reason: str = "stop") -> None:
        """End a complete answer."""
        self._write("done", finishReason=reason)

    def error(self, error: ProviderError) -> None:
        """End the answer with an error."""
        payload = {"errorCode": error.code, "message": str(error), "retryable": error.retryable}
        self._write("error", **payload)

    def _write(self, kind: str, **payload: Any) -> None:
        if not self._seq:
            self._put("start", {"modelId": self.model, "requestId": self._run_id})
        self._put(kind, payload)

    def _put(self, kind: str, payload: Wire) -> None:
        self._seq += 1
        delta = {
            "runId": self._run_id,
            "seq": self._seq,
            "kind": kind,
            "payload": payload,
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        self._out.write(json.dumps(delta).encode() + b"\n")
        self._out.flush()


class Request:
    """A request: the agent, its settings, and the messages that the model sees."""

    def __init__(self, wire: Mapping[str, Any]) -> None:
        self.agent = str(wire.get("agent") or "")
        self.model = str(wire.get("model") or "")
        """Empty if none is named: then the provider chooses."""
        settings = wire.get("settings")
        self.settings: Mapping[str, Any] = settings if isinstance(settings, Mapping) else {}
        """``temperature``, ``max_output_tokens``, ``reasoning``: only those that are set."""
        self.messages: Sequence[Wire] = wire["messages"]
        self.continues = wire.get("continue") is True
        """Whether the model should continue the last message, an answer."""


def _end_with(parent: int) -> None:
    """Exit when the parent process is gone, which a broken pipe shows only at the next output."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def provide(answer: Callable[[Request, Answer], None]) -> NoReturn:
    """Run a provider: read the request, let ``answer`` write the deltas, and exit."""
    # Text that a library prints by mistake must not get between the deltas.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    written = Answer(out, "unknown")
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        request = Request(json.load(sys.stdin.buffer))
        written.model = request.model or written.model
        answer(request, written)
    except BrokenPipeError:
        # The reader is gone: a normal exit would fail again when it flushes the buffer.
        os._exit(1)
    except KeyboardInterrupt:
        written.error(ProviderError("stopped", "the provider was interrupted"))
    except ProviderError as error:
        written.error(error)
    except Exception as error:
        name = type(error).__name__
        written.error(ProviderError("provider_failed", f"{name}: {error}"))
    else:
        sys.exit(0)
    sys.exit(1)
