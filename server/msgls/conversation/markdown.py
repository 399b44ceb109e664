"""Parts of messages as Markdown for people."""

import json
from collections.abc import Mapping

from msgls.conversation.messages import MessagePart
from msgls.formats.images import image_line
from msgls.text.patterns import lazy_pattern

_BACKTICKS = lazy_pattern(r"`{3,}")


def as_markdown(part: MessagePart) -> str:
    """A part as Markdown for people."""
    match part.kind:
        case "text" | "thinking":
            return part.payload.text
        case "tool_call":
            call = part.payload
            arguments = call.raw_args_text if call.arguments is None else call.arguments
            return f"`{call.tool_name}` ({call.tool_call_id}):\n\n" + _data(arguments)
        case "tool_result":
            result = part.payload.content
            if isinstance(result, str):
                return result
            if isinstance(result, Mapping):
                return _data(result)
            return "\n\n".join([as_markdown(inner) for inner in result])
        case "image":
            return image_line(part.payload.to_wire())
        case "file_ref":
            return f"[{part.payload.path}]({part.payload.path})"


def _data(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return fenced(text, "json")


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
