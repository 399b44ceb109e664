"""Outputs that a run wrote into files beside the message file, restored into the conversation.

Owns the conversion of the bytes of such a file to the content of an output. Opens no files itself.
"""

import base64
from collections.abc import Callable, Mapping
from typing import Any

from msgls.conversation.comparison import with_messages
from msgls.conversation.conversation import Conversation, Loss
from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import Message
from msgls.conversation.notebook_outputs import parse_streams, prefixed, prefixed_text
from msgls.conversation.parts import Wire, image_part, text_part
from msgls.conversation.readers.msgmd import is_image_type
from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE, MimeType
from msgls.text.phrases import Phrase

OUTPUT_FILE = "output_file"
_OURS = "stderr> msgls: "

Read = Callable[[str, str], bytes | None]
"""The bytes of a file, by the id of the code cell and the file's name; ``None`` if it is missing
or belongs to another cell."""


def with_output_files(conversation: Conversation, read: Read) -> Conversation:
    """A conversation whose outputs are complete, as far as their files exist."""
    messages = list(conversation.messages)
    losses: list[Loss] = []
    for index, message in enumerate(messages):
        meta = message.meta or {}
        attributes, code = meta.get("attributes"), meta.get("executionOf")
        name = attributes.get(OUTPUT_FILE) if isinstance(attributes, Mapping) else None
        data = read(code, name) if isinstance(code, str) and isinstance(name, str) else None
        if data is not None:
            messages[index], is_mixed = _whole(message, str(name), data)
            if is_mixed:
                what = Phrase("not kept: which lines of {file} are from stderr", file=str(name))
                losses.append(Loss(what, None, index))
    return with_messages(conversation, messages, losses)


def _whole(message: Message, name: str, data: bytes) -> tuple[Message, bool]:
    """A message with the content of its file, and whether that mixes streams."""
    wire: Wire = message.to_wire()
    meta: dict[str, Any] = dict(wire["meta"])
    attributes = {key: value for key, value in meta["attributes"].items() if key != OUTPUT_FILE}
    mime = attributes.get("mime_type", DEFAULT_MIME_TYPE)
    is_mixed = False
    if MimeType(mime).is_binary:
        content = base64.b64encode(data).decode()
        part = image_part(mime, data=content) if is_image_type(mime) else text_part(content)
    else:
        text = data.decode("utf-8", "replace")
        if mime == DEFAULT_MIME_TYPE and "output" not in attributes:
            content = "\n".join([as_markdown(part) for part in message.parts])
            text, is_mixed = _printed(text, content, name)
        elif mime == DEFAULT_MIME_TYPE:
            text = "\n".join(prefixed_text(text))
        part = text_part(text)
    found = wire | {"parts": [part], "meta": meta | {"attributes": attributes}}
    return Message.from_wire(found), is_mixed


def _printed(text: str, content: str, name: str) -> tuple[str, bool]:
    """The whole output of a program, of which the cell holds only the beginning."""
    lines = content.split("\n")
    end = next((n for n, line in enumerate(lines) if line.startswith(_OURS) and name in line), None)
    head = lines if end is None else lines[:end]
    streams = {stream for stream, _ in parse_streams("\n".join(head))} if head else {"stdout"}
    rest = [] if end is None else lines[end + 1 :]
    stream = parse_streams(head[0])[0][0] if head and head[0] else "stdout"
    printed = prefixed(text.removesuffix("\n").split("\n"), stream)
    return "\n".join([*printed, *rest]), len(streams) > 1
