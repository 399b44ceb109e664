"""A provider for every model that the library ``llm`` and its plugins know.

It uses the keys that were stored with ``llm keys set``. See https://llm.datasette.io/.
"""

import base64
import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import part_from_wire
from msgls.providers import CONTINUE, Answer, ProviderError, Request, Wire, not_installed, provide

_OPTIONS = {
    "temperature": ("temperature",),
    "max_output_tokens": ("max_tokens", "max_output_tokens"),
}
"""The names of our settings in plugins."""


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
        # Services accept only signed reasoning.
        return []
    if kind == "tool_call":
        call_id, name = payload["toolCallId"], payload["toolName"]
        names[call_id] = name
        arguments = payload.get("arguments") or {}
        return [parts.ToolCallPart(name=name, arguments=arguments, tool_call_id=call_id)]
    if kind == "tool_result":
        call_id = payload["toolCallId"]
        output = _result_text(payload["content"])
        return [
            parts.ToolResultPart(name=names.get(call_id, ""), output=output, tool_call_id=call_id)
        ]
    if kind == "image" and payload.get("data"):
        content = base64.b64decode(payload["data"])
        attachment = llm.Attachment(type=payload["mimeType"], content=content)
        return [parts.AttachmentPart(attachment=attachment)]
    # This includes images with an address: addresses in a transcript are not fetched.
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
        raise not_installed("msgls[llm]") from None
    try:
        model = llm.get_model(request.model) if request.model else llm.get_model()
        answer.model = model.model_id
        response = _response(model, _messages(request, llm), _options(request, model), llm)
        _stream(response, answer)
        usage = response.usage()
    except llm.UnknownModelError as error:
        raise ProviderError(
            "unknown_model", f"llm does not have this model: {error.args[0]}"
        ) from error
    except llm.ModelError as error:
        raise ProviderError("model", str(error), retryable=True) from error
    if usage.input is not None or usage.output is not None:
        answer.usage(usage.input or 0, usage.output or 0)
    answer.done("tool_calls" if response.tool_calls() else "stop")


def _response(model: Any, messages: list[Any], options: dict[str, Any], llm: Any) -> Any:
    """The response of the model; the request is sent when the response is read.

    Plugins use either the list of messages, or the earlier turns, the last turn and the system
    prompt: like `llm` itself, this gives them both.
    """
    system = "\n\n".join([_text(message) for message in messages if message.role == "system"])
    conversation = llm.Conversation(model=model)
    turn: list[Any] = []
    rest = [message for message in messages if message.role != "system"]
    for is_answer, group in groupby(rest, lambda message: message.role == "assistant"):
        if not is_answer:
            turn = list(group)
            continue
        parts = [part for message in group for part in message.parts]
        calls = [part for part in parts if not hasattr(part, "text")]
        text = _text(llm.Message(role="assistant", parts=parts))
        answer = llm.Message(role="assistant", parts=[llm.parts.TextPart(text=text), *calls])
        wire = {"model": model.model_id, "messages": [answer.to_dict()]}
        earlier = llm.Response.from_dict(wire, model=model)
        earlier.prompt = _prompt(model, turn, system, llm)
        earlier.attachments = earlier.prompt.attachments
        conversation.responses.append(earlier)
        turn = []
    prompt = _prompt(model, turn, system, llm, messages=messages, options=model.Options(**options))
    return llm.Response(prompt, model, stream=True, conversation=conversation)


def _prompt(model: Any, turn: list[Any], system: str, llm: Any, **more: Any) -> Any:
    """The prompt of a turn."""
    parts = [part for message in turn for part in message.parts]
    results = [
        llm.ToolResult(name=part.name, output=part.output, tool_call_id=part.tool_call_id)
        for part in parts
        if isinstance(part, llm.parts.ToolResultPart)
    ]
    attached = [part.attachment for part in parts if hasattr(part, "attachment")]
    for attachment in attached:
        if attachment.type not in model.attachment_types:
            raise ProviderError("attachment", f"{model.model_id} does not accept {attachment.type}")
    text = "\n\n".join(filter(None, map(_text, turn)))
    return llm.Prompt(
        text, model, attachments=attached, system=system, tool_results=results, **more
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
