"""A provider for every service that speaks OpenAI's chat completions.

The SDK reads the address and the key from ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``.
"""

import json
from collections.abc import Iterable
from typing import Any

from msgls.conversation.conversation import Conversation
from msgls.conversation.messages import Message
from msgls.conversation.requests import RequestOptions
from msgls.conversation.writers.openai import write
from msgls.providers import CONTINUE, Answer, ProviderError, Request, not_installed, provide


def _body(request: Request) -> dict[str, Any]:
    """The request as the service expects it, written as ``msgls convert --to openai`` does."""
    messages = tuple([Message.from_wire(wire) for wire in request.messages])
    options = RequestOptions(
        request.model or None,
        request.settings.get("max_output_tokens"),
        request.settings.get("temperature"),
    )
    conversation = Conversation(messages, ((),) * len(messages))
    body: dict[str, Any] = json.loads(write(conversation, options).text)
    if request.continues:
        body["messages"].append({"role": "user", "content": CONTINUE})
    return body


def _ask(request: Request, answer: Answer) -> None:
    try:
        from openai import APIConnectionError, APIError, APIStatusError, OpenAI, OpenAIError
    except ImportError:
        raise not_installed("msgls[openai]") from None
    if not request.model:
        raise ProviderError(
            "no_model", "no model is named: set `models:` of the agent, or use --model"
        )
    try:
        stream = OpenAI().chat.completions.create(
            **_body(request), stream=True, stream_options={"include_usage": True}
        )
        reason = _stream(stream, answer)
    except APIStatusError as error:
        retryable = error.status_code in (408, 409, 429) or error.status_code >= 500
        raise ProviderError(f"http_{error.status_code}", error.message, retryable) from error
    except APIConnectionError as error:
        raise ProviderError("connection", error.message, retryable=True) from error
    except APIError as error:
        raise ProviderError("service", error.message, retryable=True) from error
    except OpenAIError as error:
        # Mostly a missing key: the message of the SDK names the variable.
        raise ProviderError("setup", str(error)) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ProviderError("garbled", "the service sent invalid JSON", True) from error
    if reason is None:
        raise ProviderError(
            "cut_off", "the service closed the connection in the middle of the answer", True
        )
    answer.done(reason)


def _stream(chunks: Iterable[Any], answer: Answer) -> str | None:
    """Write the chunks as deltas; returns the finish reason, ``None`` if there was none."""
    reason: str | None = None
    calls: dict[int, str] = {}
    for chunk in chunks:
        answer.model = chunk.model or answer.model
        for choice in chunk.choices[:1]:
            delta = choice.delta
            # Not in OpenAI's own types, but compatible services have it.
            thought = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
            answer.thinking(thought if isinstance(thought, str) else "")
            answer.text(delta.content or delta.refusal or "")
            for call in delta.tool_calls or ():
                _call(call, calls, answer)
            reason = choice.finish_reason or reason
        if chunk.usage is not None:
            answer.usage(chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
    for call_id in calls.values():
        answer.call_end(call_id)
    return reason


def _call(call: Any, calls: dict[int, str], answer: Answer) -> None:
    if call.index not in calls:
        calls[call.index] = call.id or f"call-{call.index}"
        name = call.function.name if call.function is not None else None
        answer.call_start(calls[call.index], name or "")
    if call.function is not None:
        answer.call_arguments(calls[call.index], call.function.arguments or "")


if __name__ == "__main__":
    provide(_ask)
