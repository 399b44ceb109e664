"""A provider for every model that the library ``llm`` and its plugins know.

Keys are those that its user stored with ``llm keys set``. See https://llm.datasette.io/.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import part_from_wire
from msgls.providers import CONTINUE, Answer, ProviderError, Request, Wire, provide

_OPTIONS = {
    "temperature": ("temperature",),
    "max_output_tokens": ("max_tokens", "max_output_tokens"),
}
"""What plugins call our settings."""


def _messages(request: Request, llm: Any) -> list[Any]:
    names: dict[str, str] = {}
    messages = []
    for message in request.messages:
        parts = [part for wire in message["parts"] for part in _parts(wire, names, llm)]
        messages.append(llm.Message(role=message["role"], parts=parts))
    if request.continues:
        messages.append(llm.user(CONTINUE))
    return messages


def _parts(wire: Wire, names: dict[str, str], llm: Any) -> Sequence[Any]:
    kind, payload = wire["kind"], wire["payload"]
    parts = llm.parts
    if kind == "thinking":
        # Services take back only what they signed.
        return []
    if kind == "tool_call":
        call_id, name = payload["toolCallId"], payload["toolName"]
        names[call_id] = name
        arguments = payload.get("arguments") or {}
        return [parts.ToolCallPart(name=name, arguments=arguments, tool_call_id=call_id)]
    if kind == "tool_result":
        call_id = payload["toolCallId"]
        said = _result_text(payload["content"])
        return [
            parts.ToolResultPart(name=names.get(call_id, ""), output=said, tool_call_id=call_id)
        ]
    if kind == "image" and payload.get("data"):
        content = base64.b64decode(payload["data"])
        attachment = llm.Attachment(type=payload["mimeType"], content=content)
        return [parts.AttachmentPart(attachment=attachment)]
    # An image with an address, too: what a transcript names is not fetched from here.
    return [parts.TextPart(text=as_markdown(part_from_wire(wire)))]


def _result_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n\n".join([as_markdown(part_from_wire(part)) for part in content])
    return json.dumps(content, ensure_ascii=False)


def _options(request: Request, model: Any) -> dict[str, Any]:
    known = set(model.Options.model_fields)
    return {
        name: request.settings[ours]
        for ours, theirs in _OPTIONS.items()
        if ours in request.settings
        for name in [one for one in theirs if one in known][:1]
    }


def _ask(request: Request, answer: Answer) -> None:
    try:
        import llm
    except ImportError:
        raise ProviderError("not_installed", "install it with: pip install 'msgls[llm]'") from None
    try:
        model = llm.get_model(request.model) if request.model else llm.get_model()
        answer.model = model.model_id
        response = _prompt(model, _messages(request, llm), _options(request, model))
        _stream(response, answer)
        usage = response.usage()
    except llm.UnknownModelError as error:
        raise ProviderError("unknown_model", f"llm knows no such model: {error.args[0]}") from error
    except llm.ModelError as error:
        raise ProviderError("model", str(error), retryable=True) from error
    if usage.input is not None or usage.output is not None:
        answer.usage(usage.input or 0, usage.output or 0)
    answer.done("tool_calls" if response.tool_calls() else "stop")


def _prompt(model: Any, messages: list[Any], options: dict[str, Any]) -> Any:
    """Send messages; plugins that know no lists of them find the last one and the system prompt."""
    system = "\n\n".join([_text(message) for message in messages if message.role == "system"])
    last = messages[-1] if messages and messages[-1].role == "user" else None
    if last is None:
        return model.prompt(messages=messages, system=system, options=options)
    attached = [part.attachment for part in last.parts if hasattr(part, "attachment")]
    return model.prompt(
        _text(last), messages=messages[:-1], system=system, attachments=attached, options=options
    )


def _text(message: Any) -> str:
    return "\n\n".join([part.text for part in message.parts if hasattr(part, "text")])


def _stream(response: Any, answer: Answer) -> None:
    for event in response.stream_events():
        if event.type == "text":
            answer.text(event.chunk)
        elif event.type == "reasoning":
            answer.thinking(event.chunk)
    for number, call in enumerate(response.tool_calls()):
        call_id = call.tool_call_id or f"call-{number}"
        answer.call_start(call_id, call.name)
        answer.call_arguments(call_id, json.dumps(call.arguments, ensure_ascii=False))
        answer.call_end(call_id)


if __name__ == "__main__":
    provide(_ask)
