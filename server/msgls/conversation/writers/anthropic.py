"""Writes requests to Anthropic's Messages API.

Owns the mapping of each message, and its losses.
"""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from msgls.conversation.conversation import Conversation, Loss, Written
from msgls.conversation.losses import named, written_as_name
from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import (
    FileRefPart,
    ImagePart,
    Message,
    MessagePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResult,
)
from msgls.conversation.parts import Wire
from msgls.conversation.readers.anthropic import DOCUMENT, SERVICE
from msgls.conversation.requests import (
    NO_MODEL,
    NO_OPTIONS,
    RequestOptions,
    carried_request,
    holds_request_only,
    json_text,
)
from msgls.conversation.writers.turns import (
    CallNames,
    Losses,
    Names,
    Turn,
    arranged,
    can_send_image,
    sent_content,
)
from msgls.formats.values import DATA
from msgls.text.phrases import Phrase

DEFAULT_MAX_TOKENS = 4096
"""The limit of an answer if none is set: a request must have one."""
OPENING = "(The conversation begins.)"
"""A user message that is inserted before an assistant message at the start."""

_BLANKS = " \t\r\n"


def write(conversation: Conversation, options: RequestOptions = NO_OPTIONS) -> Written:
    """The request."""
    losses = Losses()
    writer = _Writer(losses)
    for turn in arranged(conversation.messages, losses):
        writer.turn(turn)
    writer.finish()
    rest = dict(carried_request(conversation, SERVICE))
    carried_model, carried_length = rest.pop("model", None), rest.pop("max_tokens", None)
    request: Wire = {
        "model": options.model or carried_model or NO_MODEL,
        "max_tokens": options.max_output_tokens or carried_length or DEFAULT_MAX_TOKENS,
    }
    if writer.system:
        request["system"] = _content(writer.system)
    request["messages"] = writer.messages
    if options.temperature is not None:
        # The service does not take one any more.
        losses.found.append(
            Loss(
                Phrase(
                    "the target format cannot hold the temperature {temperature}",
                    temperature=str(options.temperature),
                )
            )
        )
    return Written(json_text(request | rest), tuple(losses.found))


def keeps_metadata(message: Message, key: str) -> bool:
    """Whether a request keeps a key of a message's ``meta``."""
    return holds_request_only(key, (message.meta or {}).get(key), SERVICE)


def keeps_extra(kind: str, key: str) -> bool:
    """Whether an additional key of a part is kept."""
    is_file = kind == "file_ref" and key in (DATA, "anthropicFileId")
    return (kind == "thinking" and key == "signature") or is_file


class _Writer:
    """Joins turns into messages with alternating roles."""

    def __init__(self, losses: Losses) -> None:
        self.losses = losses
        self.system: list[Wire] = []
        self.messages: list[Wire] = []
        self._has_results = False
        """Whether the last message has only results: joining it with another is not reported."""
        self._last_index = self._system_index = -1
        self._joined: set[int] = set()
        """The messages that were joined with others of the same role."""
        forbidden = r"[^A-Za-z0-9_-]"
        self.names = CallNames(Names(forbidden, 64, "call"), Names(forbidden, 128, "tool"), losses)

    def turn(self, turn: Turn) -> None:
        if turn.role == "system":
            self._add_system(turn)
            return
        blocks: list[Wire] = []
        results: list[Wire] = []
        for place, part in enumerate(turn.parts):
            if not isinstance(part, ToolCallPart):
                if results or any(block["type"] == "tool_use" for block in blocks):
                    self.losses.add(turn.index, Phrase("text after a call is moved before it"))
                    calls = [n for n, b in enumerate(blocks) if b["type"] == "tool_use"]
                    blocks[calls[0] : calls[0]] = self.block(part, turn.index)
                else:
                    blocks += self.block(part, turn.index)
                continue
            call_id = self.names.call(turn.index, part.payload.tool_call_id)
            blocks.append(self.call(turn.index, part, call_id))
            if place in turn.results:
                result = turn.results[place]
                results.append(self.result(result.index, result.result.payload, call_id))
        if not blocks:
            if not turn.parts:
                self.losses.add(turn.index, Phrase("an empty message is left out"))
            return
        self._add(turn.role, blocks, turn.index)
        if results:
            self._add("user", results, turn.index)
            self._has_results = True

    def _add_system(self, turn: Turn) -> None:
        if self.messages:
            self.losses.add(turn.index, Phrase("a system message is moved before the conversation"))
        elif self.system:
            self.losses.add(self._system_index, Phrase("the system messages are sent as one"))
        blocks = [block for part in turn.parts for block in self.block(part, turn.index)]
        if not blocks:
            self.losses.add(turn.index, Phrase("an empty message is left out"))
        elif self._system_index < 0:
            self._system_index = turn.index
        self.system += blocks

    def _join(self, before: int, index: int) -> None:
        """Report messages that are joined: once, at the first of them."""
        if before not in self._joined:
            what = Phrase("this message and the next ones of the same role are sent as one")
            self.losses.add(before, what)
        self._joined |= {before, index}

    def _add(self, role: str, blocks: list[Wire], index: int) -> None:
        if not self.messages and role == "assistant":
            what = Phrase(
                "the assistant cannot come first: a user message, `{message}`, is put before it",
                message=OPENING,
            )
            self.losses.add(index, what)
            self.messages.append({"role": "user", "content": OPENING})
        last = self.messages[-1] if self.messages else None
        if last is None or last["role"] != role:
            self.messages.append({"role": role, "content": blocks})
        else:
            if not self._has_results and self._last_index != index:
                self._join(self._last_index, index)
            last["content"] = [*_blocks(last["content"]), *blocks]
        self._has_results = False
        self._last_index = index

    def finish(self) -> None:
        """Simplify single texts, and strip the end of the last answer: the API refuses blanks."""
        last = self.messages[-1] if self.messages else None
        if last is not None and last["role"] == "assistant":
            block = last["content"][-1]
            if block["type"] == "text" and block["text"] != block["text"].rstrip(_BLANKS):
                self.losses.add(self._last_index, Phrase("trailing whitespace is removed"))
                block["text"] = block["text"].rstrip(_BLANKS)
        for message in self.messages:
            message["content"] = _content(_blocks(message["content"]))

    # -- blocks

    def call(self, index: int, part: ToolCallPart, call_id: str) -> Wire:
        call = part.payload
        arguments: Mapping[str, Any] | None = call.arguments
        if arguments is None:
            self.losses.add(
                index,
                Phrase(
                    "the arguments of `{call}` are sent as `text`: they are not an object",
                    call=call.tool_call_id,
                ),
            )
            arguments = {"text": call.raw_args_text or ""}
        name = self.names.tool(index, call.tool_name)
        return {"type": "tool_use", "id": call_id, "name": name, "input": dict(arguments)}

    def result(self, index: int, result: ToolResult, call_id: str) -> Wire:
        content = sent_content(result, index, self.losses, self.block)
        wire: Wire = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        return wire | ({"is_error": True} if result.is_error else {})

    def block(self, part: MessagePart, index: int) -> list[Wire]:
        """The block for a part; none if the API has none."""
        if isinstance(part, ThinkingPart):
            signature = (part.payload.model_extra or {}).get("signature")
            if isinstance(signature, str):
                text = part.payload.text
                return [{"type": "thinking", "thinking": text, "signature": signature}]
            self.losses.add(index, Phrase("thinking that is not signed is not sent"))
            return []
        if isinstance(part, ImagePart):
            return [self.image(part, index)]
        if isinstance(part, FileRefPart):
            document = _document(part)
            if document is not None:
                return [document]
            self.losses.add(index, written_as_name(part))
        elif not isinstance(part, TextPart):
            self.losses.add(index, Phrase("{what} is written as text", what=named(part)))
        text = as_markdown(part)
        if not text.strip(_BLANKS):
            self.losses.add(index, Phrase("a text that is blank is left out"))
            return []
        return [{"type": "text", "text": text}]

    def image(self, part: ImagePart, index: int) -> Wire:
        image = part.payload
        if not can_send_image(image, index, self.losses):
            return {"type": "text", "text": as_markdown(part)}
        if image.data is None:
            return {"type": "image", "source": {"type": "url", "url": image.url}}
        media = {"type": "base64", "media_type": image.mime_type, "data": image.data}
        return {"type": "image", "source": media}


def _document(part: FileRefPart) -> Wire | None:
    """The block for a file that the API accepts: uploaded, or a PDF or plain text."""
    file, about = part.payload, part.payload.model_extra or {}
    title = {"title": file.path} if file.path != DOCUMENT else {}
    data = about.get(DATA)
    if isinstance(about.get("anthropicFileId"), str):
        source: Wire = {"type": "file", "file_id": about["anthropicFileId"]}
        title = title if file.path != source["file_id"] else {}
    elif isinstance(data, str) and file.mime_type == "application/pdf":
        source = {"type": "base64", "media_type": file.mime_type, "data": data}
    elif isinstance(data, str) and file.mime_type == "text/plain":
        try:
            text = b64decode(data, validate=True).decode("utf-8")
        except ValueError:
            return None
        source = {"type": "text", "media_type": file.mime_type, "data": text}
    elif file.mime_type == "application/pdf" and file.path.startswith(("https://", "http://")):
        source, title = {"type": "url", "url": file.path}, {}
    else:
        return None
    return {"type": "document", "source": source} | title


def _blocks(content: Any) -> list[Wire]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _content(blocks: Sequence[Wire]) -> Any:
    if not blocks:
        return ""
    if len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
        return blocks[0]["text"]
    return list(blocks)
