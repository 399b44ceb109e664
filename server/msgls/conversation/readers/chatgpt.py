"""Reads the export of ChatGPT, ``conversations.json``: each conversation is a tree of messages.

Owns the path through that tree, and the mapping of each kind of content. The path to the
current node is the conversation; messages on other branches are a loss.
"""

from typing import Any

from msgls.conversation.conversation import Conversation
from msgls.conversation.parts import (
    Wire,
    call_part,
    dict_of,
    file_part,
    list_of,
    remaining,
    result_content,
    result_part,
    text_of,
    text_part,
)
from msgls.conversation.readers.drafts import Drafts, Places, other_branches, time_of_seconds
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase, as_code

_EVERYONE = ("all", "")
_ROLES = {role: role for role in ("system", "user", "assistant")}
_KNOWN = ("mapping", "current_node", "title", "create_time", "update_time", "id", "conversation_id")
_MESSAGE_KNOWN = (
    "id", "author", "create_time", "update_time", "content", "status", "recipient", "weight",
    "end_turn", "metadata", "channel",
)  # fmt: skip
# Keys that hold text, depending on the type of the content.
_TEXT_KEYS = (
    "title", "url", "text", "result", "summary", "content", "user_profile", "user_instructions",
)  # fmt: skip
_CONTENT_KNOWN = (
    *_TEXT_KEYS, "content_type", "domain", "parts", "thoughts", "language", "response_format_name",
    "source_analysis_msg_id",
)  # fmt: skip
_PART_KNOWN = ("content_type", "asset_pointer", "size_bytes", "width", "height", "text")
_METADATA_KNOWN = ("model_slug", "attachments", "finish_details")

WHAT = Phrase("a conversation with a `mapping`, or a list of such conversations")


def is_conversation(value: object) -> bool:
    """Whether a value looks like a conversation of such an export."""
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def read(value: Wire, places: Places, path: Path = ()) -> Conversation:
    """One conversation of an export."""
    drafts = Drafts(places)
    reader = _Reader(drafts)
    mapping = value["mapping"]
    nodes = _path_to_current(mapping, value.get("current_node"))
    for node in nodes:
        reader.node(mapping[node], (*path, "mapping", node, "message"))
    shown = set(nodes)
    others = [key for key in mapping if key not in shown and _has_content(mapping[key])]
    if others:
        drafts.lose(other_branches(len(others)), (*path, "mapping", others[0]))
    drafts.lose_metadata(reader.unknown, remaining(value, _KNOWN), path)
    return drafts.conversation()


def _path_to_current(mapping: Wire, current: object) -> list[str]:
    """The nodes from the root to the current node, or to the last leaf if that is unknown."""
    if not isinstance(current, str) or current not in mapping:
        current = _last_leaf(mapping)
    path: list[str] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in mapping and current not in seen:
        seen.add(current)
        path.append(current)
        current = dict_of(mapping[current]).get("parent")
    return path[::-1]


def _last_leaf(mapping: Wire) -> str | None:
    leaves = [key for key, node in mapping.items() if not list_of(dict_of(node).get("children"))]
    return leaves[-1] if leaves else None


def _has_content(node: object) -> bool:
    """Whether a node has a message with content."""
    content = dict_of(dict_of(dict_of(node).get("message")).get("content"))
    return any(content.get(key) for key in content if key != "content_type") and content.get(
        "parts"
    ) not in ([""], [])


class _Reader:
    def __init__(self, drafts: Drafts) -> None:
        self.drafts = drafts
        self.unknown: dict[str, None] = {}
        """Keys of messages that are not kept."""
        self.calls: list[tuple[str, str]] = []
        """The name and the id of each call that has no result yet."""
        self.result: tuple[str, Wire] | None = None
        """The last result and the name of its tool, while only tool messages follow."""

    def node(self, node: object, path: Path) -> None:
        message = dict_of(dict_of(node).get("message"))
        if not message or not _has_content(node):
            return
        author = dict_of(message.get("author"))
        role = text_of(author.get("role"))
        parts = self.parts(dict_of(message.get("content")), (*path, "content"))
        parts = [*_attached(message, parts), *parts]
        meta = self.meta(message, author)
        time = time_of_seconds(message.get("create_time"))
        recipient = text_of(message.get("recipient"))
        if role == "tool" and self._take_result(message, parts, path, meta, time):
            return
        self.result = None
        if role == "tool":
            self.drafts.lose(
                Phrase("there is no call before this result: it becomes a user message"), path
            )
            role = "user"
        if role == "assistant" and recipient not in _EVERYONE:
            parts = self._as_call(parts, recipient, text_of(message.get("id")))
        self.drafts.add(self.drafts.role_of(role, _ROLES, path), parts, path, meta, time)

    def _as_call(self, parts: list[Wire], name: str, message_id: str) -> list[Wire]:
        """A message to a tool as a call of that tool."""
        texts = [part["payload"]["text"] for part in parts if part["kind"] == "text"]
        call_id = message_id or f"call-{len(self.drafts) + 1}"
        self.calls.append((name, call_id))
        others = [part for part in parts if part["kind"] != "text"]
        return [*others, call_part(call_id, name, "\n".join(texts))]

    def _take_result(
        self, message: Wire, parts: list[Wire], path: Path, meta: Wire, time: str | None
    ) -> bool:
        """Add a result for the last call of the tool; returns whether there is such a call.

        A tool may return further content for the same call later.
        """
        name = text_of(dict_of(message.get("author")).get("name"))
        own = [call for call in self.calls if call[0] == name or call[0].startswith(f"{name}.")]
        if not own and self.result is not None and self.result[0] == name:
            payload = self.result[1]["payload"]
            payload["content"] = result_content([*_as_parts(payload["content"]), *parts])
            payload["isError"] = payload["isError"] or _has_failed(message)
            return True
        for call in (own or self.calls)[-1:]:
            self.calls.remove(call)
            result = result_part(call[1], result_content(parts), _has_failed(message))
            self.result = name, result
            self.drafts.add("tool", [result], path, meta, time)
            return True
        return False

    def meta(self, message: Wire, author: Wire) -> Wire:
        meta: Wire = {}
        metadata = dict_of(message.get("metadata"))
        if isinstance(metadata.get("model_slug"), str):
            meta["model"] = metadata["model_slug"]
        if isinstance(reason := dict_of(metadata.get("finish_details")).get("type"), str):
            meta["finishReason"] = reason
        if isinstance(author.get("name"), str):
            meta["name"] = author["name"]
        if isinstance(message.get("id"), str):
            meta["messageId"] = message["id"]
        left = [f"metadata.{key}" for key in remaining(metadata, _METADATA_KNOWN)]
        content = dict_of(message.get("content"))
        left += [f"content.{key}" for key in remaining(content, _CONTENT_KNOWN)]
        left += remaining(message, _MESSAGE_KNOWN)
        self.unknown |= dict.fromkeys(left)
        return meta

    def parts(self, content: Wire, path: Path) -> list[Wire]:
        kind = text_of(content.get("content_type"))
        if kind in ("thoughts", "reasoning_recap"):
            return [text_part(text, "thinking") for text in _thoughts(content)]
        parts: list[Wire] = []
        for number, item in enumerate(list_of(content.get("parts"))):
            part = _part(item)
            if part is not None:
                parts.append(part)
                left = [f"parts.{key}" for key in remaining(dict_of(item), _PART_KNOWN)]
                self.unknown |= dict.fromkeys(left)
            elif item:
                what = dict_of(item).get("content_type", kind)
                self.drafts.lose_kind(as_code(what), (*path, "parts", number))
        texts = [content[key] for key in _TEXT_KEYS if isinstance(content.get(key), str)]
        parts += [text_part(text) for text in texts if text]
        if not parts:
            self.drafts.lose_kind(as_code(kind), path)
        return parts


def _as_parts(content: Any) -> list[Wire]:
    """The content of a result as parts."""
    return [text_part(content)] if isinstance(content, str) else list_of(content)


def _has_failed(message: Wire) -> bool:
    """Whether a message is the output of code that ended with an error."""
    ran = dict_of(dict_of(message.get("metadata")).get("aggregate_result"))
    return text_of(ran.get("status")).startswith("failed")


def _attached(message: Wire, parts: list[Wire]) -> list[Wire]:
    """The files attached to a message, except images that are among its parts."""
    files = list_of(dict_of(message.get("metadata")).get("attachments"))
    shown = " ".join([text_of(part["payload"].get("path")) for part in parts])
    return [
        file_part(name, file.get("mime_type") or file.get("mimeType"), file.get("size"))
        for file in map(dict_of, files)
        if (name := text_of(file.get("name"))) and (text_of(file.get("id")) or name) not in shown
    ]


def _part(item: Any) -> Wire | None:
    if isinstance(item, str):
        return text_part(item) if item else None
    item = dict_of(item)
    pointer = item.get("asset_pointer")
    if isinstance(pointer, str):
        mime = "image/*" if item.get("content_type") == "image_asset_pointer" else None
        return file_part(pointer, mime, item.get("size_bytes"))
    text = item.get("text")
    return text_part(text) if isinstance(text, str) and text else None


def _thoughts(content: Wire) -> list[str]:
    texts = []
    for thought in list_of(content.get("thoughts")):
        thought = dict_of(thought)
        said_here = [text_of(thought.get(key)) for key in ("summary", "content")]
        texts.append("\n\n".join([text for text in said_here if text]))
    texts.append(text_of(content.get("content")))
    return [text for text in texts if text]
