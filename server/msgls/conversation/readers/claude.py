"""Reads the export of Claude, ``conversations.json``: each conversation is a list of messages.

Owns the mapping of each kind of content. In the export a result is inside the assistant's
message; it becomes a message of its own, and what follows it another assistant message.
"""

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
    text_parts,
)
from msgls.conversation.readers.drafts import Drafts, Places, other_branches
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase, as_code

_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
_LEAF, _PARENT = "current_leaf_message_uuid", "parent_message_uuid"
_KNOWN = ("chat_messages", "uuid", "name", "created_at", "updated_at", _LEAF)
_MESSAGE_KNOWN = (
    "uuid", "text", "content", "sender", "created_at", "updated_at", "attachments", "files",
    "files_v2", "index", _PARENT,
)  # fmt: skip
_BLOCK_KNOWN = {
    "text": ("type", "text", "start_timestamp", "stop_timestamp"),
    "knowledge": ("type", "title", "url", "text"),
    "thinking": ("type", "thinking", "start_timestamp", "stop_timestamp", "signature"),
    "tool_use": ("type", "id", "name", "input", "start_timestamp", "stop_timestamp"),
    "tool_result": (
        "type", "tool_use_id", "name", "content", "is_error", "start_timestamp", "stop_timestamp",
    ),
}  # fmt: skip

WHAT = Phrase("a conversation with `chat_messages`, or a list of such conversations")


def is_conversation(value: object) -> bool:
    """Whether a value looks like a conversation of such an export."""
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def read(value: Wire, places: Places, path: Path = ()) -> Conversation:
    """One conversation of an export."""
    drafts = Drafts(places)
    reader = _Reader(drafts)
    messages = value["chat_messages"]
    shown = _path_to_current(messages, value.get(_LEAF))
    for number, message in enumerate(messages):
        if number in shown:
            reader.message(message, (*path, "chat_messages", number))
    others = [number for number in range(len(messages)) if number not in shown]
    if others:
        drafts.lose(other_branches(len(others)), (*path, "chat_messages", others[0]))
    drafts.lose_metadata(reader.unknown, remaining(value, _KNOWN), path)
    return drafts.conversation()


def _path_to_current(messages: list[object], leaf: object) -> set[int]:
    """The numbers of the messages on the path to the current one; all, if there are no branches.

    Editing a message or asking for another answer starts a branch, and the model does not see
    the other branches.
    """
    wires = [*map(dict_of, messages)]
    numbers = {text_of(wire.get("uuid")): number for number, wire in enumerate(wires)}
    parents = [text_of(wire.get(_PARENT)) for wire in wires]
    followed = [parent for parent in parents if parent]
    if len(set(followed)) == len(followed):
        return set(range(len(messages)))
    number = numbers.get(text_of(leaf), len(wires) - 1)
    on_path: set[int] = set()
    while number not in on_path:
        on_path.add(number)
        number = numbers.get(parents[number], number)
    return on_path


class _Reader:
    def __init__(self, drafts: Drafts) -> None:
        self.drafts = drafts
        self.unknown: dict[str, None] = {}
        """Keys of messages and blocks that are not kept."""
        self.calls = 0
        self.waiting: list[tuple[str, str]] = []
        """The id and the tool of each call that has no result yet."""

    def message(self, message: object, path: Path) -> None:
        if not isinstance(message, dict):
            self.drafts.lose(Phrase("this is not a message"), path)
            return
        sender = text_of(message.get("sender"))
        if sender not in _ROLES:
            self.drafts.lose(
                Phrase(
                    "unknown sender {sender}: it is treated as the user's", sender=as_code(sender)
                ),
                path,
            )
        role = _ROLES.get(sender, "user")
        self.unknown |= dict.fromkeys(remaining(message, _MESSAGE_KNOWN))
        time = text_of(message.get("created_at")) or None
        uuid = message.get("uuid")
        meta = {"messageId": uuid} if isinstance(uuid, str) else {}
        parts = [*self.files(message), *self.content(message, path)]
        self.drafts.add_answered(role, parts, path, meta, time)

    def files(self, message: Wire) -> list[Wire]:
        """The attached files: each by its name, followed by the text that was extracted from it."""
        parts: list[Wire] = []
        names: set[str] = set()
        for file in map(dict_of, list_of(message.get("attachments"))):
            name = text_of(file.get("file_name"))
            names.add(name)
            parts.append(file_part(name, file.get("file_type"), file.get("file_size")))
            extracted = text_of(file.get("extracted_content"))
            parts += text_parts(extracted)
        for key in ("files", "files_v2"):
            for file in map(dict_of, list_of(message.get(key))):
                name = text_of(file.get("file_name")) or text_of(file.get("file_uuid"))
                if name and name not in names:
                    names.add(name)
                    parts.append(file_part(name))
        return parts

    def content(self, message: Wire, path: Path) -> list[Wire]:
        blocks = list_of(message.get("content"))
        parts = self.blocks(blocks, (*path, "content"))
        text = text_of(message.get("text"))
        if not parts and text:
            parts = [text_part(text)]
        return parts

    def blocks(self, blocks: list[object], path: Path) -> list[Wire]:
        parts = []
        for number, block in enumerate(map(dict_of, blocks)):
            kind = text_of(block.get("type"))
            left = remaining(block, _BLOCK_KNOWN.get(kind, block))
            self.unknown |= dict.fromkeys([f"content.{key}" for key in left])
            part = self.block(kind, block, (*path, number))
            if part is None and remaining(block, ["type", "start_timestamp", "stop_timestamp"]):
                self.drafts.lose_kind(as_code(kind), (*path, number))
            parts += [] if part is None else [part]
        return parts

    def _answered(self, call_id: str, name: object) -> str:
        """The id of the call that a result answers; else the earliest open one of its tool."""
        wanted = (0, call_id) if call_id else (1, name)
        same = [call for call in self.waiting if call[wanted[0]] == wanted[1]]
        found = same or ([] if call_id else self.waiting)
        if found:
            self.waiting.remove(found[0])
        return found[0][0] if found else call_id

    def block(self, kind: str, block: Wire, path: Path) -> Wire | None:
        if kind == "text":
            text = text_of(block.get("text"))
            return text_part(text) if text else None
        if kind == "thinking" and isinstance(block.get("thinking"), str):
            part = text_part(block["thinking"], kind)
            if isinstance(block.get("signature"), str):
                part["payload"]["signature"] = block["signature"]
            return part
        if kind == "tool_use" and isinstance(block.get("name"), str):
            # Some exports have no ids of calls.
            self.calls += 1
            call_id = text_of(block.get("id")) or f"call-{self.calls}"
            self.waiting.append((call_id, block["name"]))
            return call_part(call_id, block["name"], block.get("input"))
        if kind == "knowledge":
            texts = [text_of(block.get(key)) for key in ("title", "url", "text")]
            return text_part("\n".join([text for text in texts if text])) if any(texts) else None
        if kind == "tool_result":
            call_id = self._answered(text_of(block.get("tool_use_id")), block.get("name"))
            content = block.get("content")
            parts = self.blocks(list_of(content), (*path, "content"))
            said_here = content if isinstance(content, str) else result_content(parts)
            return result_part(call_id, said_here, block.get("is_error") is True)
        return None
