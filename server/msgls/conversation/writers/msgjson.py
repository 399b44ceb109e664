"""Writes messages in JSON: an array, lines, or the entries of a session.

A document whose messages are unchanged is returned as it is; lines keep the text of every
unchanged message. Only NaN and infinity are lost.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from msgls.conversation.agents_in_json import agents_to_wire
from msgls.conversation.comparison import matches
from msgls.conversation.conversation import Conversation, Loss, Written
from msgls.conversation.messages import Message
from msgls.conversation.parts import Wire
from msgls.conversation.readers.msgjson import ENTRY_META, read
from msgls.document.document import Document
from msgls.formats.base import Format
from msgls.formats.msgjson import MESSAGES_JSON, JsonLines
from msgls.formats.msgjson.records import MESSAGE_ENTRY
from msgls.text.garbage import without_collection
from msgls.text.patterns import HALVES
from msgls.text.phrases import Phrase

_BOM = "\ufeff"
_ELEMENT_INDENT = re.compile(r"\A\ufeff?[ \t\r\n]*\[[ \t]*(?:\r\n|\n|\r)([ \t]+)\S")


def write(
    conversation: Conversation, like: Document | None = None, format: Format = MESSAGES_JSON
) -> Written:
    """All messages as one array, or one line each; in a session, each in an entry."""
    with without_collection():
        old = None if like is None else read(like)
        if like is not None and old is not None and old.messages == conversation.messages:
            return Written(like.text)
        is_lines = isinstance(format, JsonLines)
        is_session = isinstance(format, JsonLines) and format.is_session
        writer = _Writer(conversation, "" if is_lines else _indent_of(like), is_session)
        text = None
        if is_lines and like is not None and old is not None:
            text = _splice(conversation.messages, like, old, writer)
        if text is None:
            text = _like(writer.lines() if is_lines else writer.array(), like)
        return Written(text, tuple(writer.losses))


def _indent_of(like: Document | None) -> str:
    match = None if like is None else _ELEMENT_INDENT.match(like.text[:1_000])
    return match.group(1) if match else "  "


def _like(text: str, like: Document | None) -> str:
    """A text with the byte-order mark and the line breaks of the document."""
    if like is None:
        return text
    text = text.replace("\n", like.newline)
    return _BOM + text if like.text.startswith(_BOM) else text


class _Writer:
    """Writes messages, and collects losses."""

    def __init__(self, conversation: Conversation, indent: str, is_session: bool) -> None:
        self.messages = conversation.messages
        self.agents = agents_to_wire(conversation.agents, conversation.default_agent)
        self.indent = indent
        self.is_session = is_session
        self.losses: list[Loss] = []

    def array(self) -> str:
        texts = [self.message(message, n) for n, message in enumerate(self.messages)]
        elements = [self.indent + text.replace("\n", "\n" + self.indent) for text in texts]
        return "[\n" + ",\n".join(elements) + "\n]\n" if elements else "[]\n"

    def lines(self) -> str:
        return "".join([self.line(message, n) for n, message in enumerate(self.messages)])

    def line(self, message: Message, index: int) -> str:
        return self.message(message, index) + "\n"

    def message(self, message: Message, index: int) -> str:
        wire = message.to_wire()
        if self.agents and not index:
            wire["meta"] = {**wire.get("meta", {}), **self.agents}
        return self.dump(_entry(wire, index) if self.is_session else wire, index)

    def dump(self, wire: Wire, index: int) -> str:
        try:
            return self._dump(wire)
        except ValueError:
            what = Phrase("infinite numbers and NaN become null: JSON does not have them")
            self.losses.append(Loss(what, message_index=index))
            return self._dump(_finite(wire))

    def _dump(self, wire: Wire) -> str:
        # Lone surrogates cannot be encoded as UTF-8, and are escaped.
        layout: dict[str, Any] = {"indent": self.indent or None, "allow_nan": False}
        text = json.dumps(wire, ensure_ascii=False, **layout)
        if not text.isascii() and HALVES.search(text):
            text = json.dumps(wire, **layout)
        return text


def _entry(wire: Wire, index: int) -> Wire:
    """A message in a session entry."""
    meta = wire.get("meta") or {}
    about = meta.get(ENTRY_META)
    if isinstance(about, dict):
        meta = {key: value for key, value in meta.items() if key != ENTRY_META}
        wire = {key: value for key, value in wire.items() if key != "meta"}
        wire = {**wire, "meta": meta} if meta else wire
    else:
        about = {}
    text = json.dumps(wire, sort_keys=True)
    default_id = hashlib.sha256(f"{index} {text}".encode()).hexdigest()[:12]
    head = {"id": about.get("id", default_id), "type": MESSAGE_ENTRY}
    times = {"timestamp": wire["timestamp"], "runId": wire["runId"]}
    return {**head, **times, **about, "payload": wire}


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list) else value


# -- keeping what is unchanged --------------------------------------------------------------


def _splice(
    messages: Sequence[Message], like: Document, old: Conversation, writer: _Writer
) -> str | None:
    """The lines of the document, with those of changed messages replaced.

    ``None`` if only some of the messages in a line are kept.
    """
    new_of = dict(matches([_key(m) for m in old.messages], [_key(m) for m in messages]))
    newline = like.newline
    added = _added(len(messages), new_of)
    pieces = _Pieces(newline)
    pieces.add(*_take(added, -1, messages, writer))
    for text, owners, ending in _owned_lines(like, old):
        kept = [owner for owner in owners if owner in new_of]
        if kept and len(kept) < len(owners):
            return None
        if kept or not owners:
            pieces.put(text)
        for owner in ending:
            pieces.add(*_take(added, owner, messages, writer))
    return "".join(pieces.texts)


class _Pieces:
    """Joins texts so that each starts on a line of its own."""

    def __init__(self, newline: str) -> None:
        self.newline = newline
        self.texts: list[str] = []

    def put(self, text: str) -> None:
        if self.texts and not self.texts[-1].endswith(("\n", "\r")):
            self.texts.append(self.newline)
        self.texts.append(text)

    def add(self, *lines: str) -> None:
        for line in lines:
            self.put(line.replace("\n", self.newline))


def _key(message: Message) -> str:
    return json.dumps(message.to_wire(), sort_keys=True)


def _added(count: int, new_of: dict[int, int]) -> dict[int, list[int]]:
    """The new messages after each old one; -1 is the start."""
    old_of = {new: old for old, new in new_of.items()}
    added: dict[int, list[int]] = {}
    place = -1
    for index in range(count):
        if index in old_of:
            place = old_of[index]
        else:
            added.setdefault(place, []).append(index)
    return added


def _take(
    added: dict[int, list[int]], place: int, messages: Sequence[Message], writer: _Writer
) -> list[str]:
    return [writer.line(messages[index], index) for index in added.pop(place, ())]


def _owned_lines(like: Document, old: Conversation) -> Iterator[tuple[str, list[int], list[int]]]:
    """The text of each cell, the messages that overlap it, and those that end in it."""
    spans = sorted(
        (span.start, span.end, index) for index, many in enumerate(old.sources) for span in many
    )
    last_of = {index: many[-1] for index, many in enumerate(old.sources) if many}
    number = 0
    reaching: list[tuple[int, int, int]] = []
    for placed in like.cells():
        start, end = placed.span
        while number < len(spans) and spans[number][0] < end:
            reaching.append(spans[number])
            number += 1
        reaching = [span for span in reaching if span[1] > start]
        owners = [index for _, _, index in reaching]
        yield placed.cell.text, owners, [i for i in owners if last_of[i].end <= end]
