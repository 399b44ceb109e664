"""Writes Simple Text Format files.

Owns the writing of messages: as commands and data if possible, else as a ``raw``
block. Each message is read back, and so is the whole file, so that every difference
is reported as a loss. If a document is given, the text of unchanged messages is kept
byte by byte.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgls.conversation.comparison import (
    Piece,
    Wanted,
    canonical,
    compare,
    derived_runs_of,
    find_losses,
    keys_of,
    matches,
    merged_losses,
    with_byte_order_mark,
    with_messages,
)
from msgls.conversation.conversation import Conversation, Loss, Written
from msgls.conversation.losses import metadata_names, missing_parts, unplaced_losses
from msgls.conversation.messages import Message, part_from_wire
from msgls.conversation.parts import Wire, text_part, text_parts
from msgls.conversation.readers.stf import read
from msgls.conversation.writers.msgmd import with_unique_call_ids, without_stray_results
from msgls.document.document import Document
from msgls.formats.base import Format
from msgls.formats.images import address_of
from msgls.formats.stf import STF, SimpleTextFile
from msgls.formats.stf.arguments import write_arguments
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import AT, DIALECTS, ROLES, SEMICOLON
from msgls.formats.stf.rawmessages import IS_ERROR, SAID_KINDS, call_entry, content_of
from msgls.syntax.cells import CellKind
from msgls.text.garbage import without_collection

_PATH = "rendered.stf"


def write(
    conversation: Conversation, like: Document | None = None, format: Format = STF
) -> Written:
    """The text, in the dialect of ``format``, else in that of ``like``."""
    dialect = format.dialect if isinstance(format, SimpleTextFile) else None
    with without_collection():
        text, losses = _write(conversation.messages, like, dialect)
    return Written(text, tuple(losses))


def _write(
    messages: Sequence[Message], like: Document | None, dialect: str | None
) -> tuple[str, list[Loss]]:
    runs = derived_runs_of(messages)
    if like is not None and isinstance(like.format, SimpleTextFile):
        old = read(like)
        runs |= derived_runs_of(old.messages)
        spliced = _Splice(messages, like, old).run()
        if spliced is not None:
            return spliced
        dialect = dialect or _dialect_of(like)
    file = _file_of(messages)
    said = file.get("dialect")
    prefix = dialect or (said if said in DIALECTS else AT)
    return _write_whole(messages, prefix, file, runs)


def _dialect_of(view: Document) -> str | None:
    """The dialect of a file; ``None`` if it has no commands."""
    found = [placed.cell.dialect for placed in view.cells() if isinstance(placed.cell, StfCell)]
    return found[-1] if found and found[-1] in DIALECTS else None


def _file_of(messages: Sequence[Message]) -> Mapping[str, Any]:
    """``meta.file`` of the first message."""
    file = (messages[0].meta or {}).get("file") if messages else None
    return file if isinstance(file, Mapping) else {}


def _write_whole(
    messages: Sequence[Message], prefix: str, file: Mapping[str, Any], runs: frozenset[str]
) -> tuple[str, list[Loss]]:
    writer = _Writer(prefix)
    pieces = []
    meta = file.get("meta")
    if meta is not None and prefix == SEMICOLON:
        pieces.append(Piece(writer.block("meta", meta)))
    is_written = prefix == SEMICOLON
    left = {key: value for key, value in file.items() if key != "meta" or not is_written}
    losses = unplaced_losses([(None, name) for name in metadata_names("file", left)])
    for index, message in enumerate(messages):
        pieces += [Piece(text, index) for text in writer.message(message)]
    text = "".join([piece.text for piece in pieces])
    wanted = Wanted(messages, {}, runs)
    return text, losses + find_losses(wanted, pieces, _PATH, SimpleTextFile(prefix))


def fitted(conversation: Conversation) -> Conversation:
    """A conversation from another format, changed so that its file has no errors.

    A result whose call is hidden or missing becomes a user message.
    """
    messages = list(conversation.messages)
    losses: list[Loss] = []
    with_unique_call_ids(messages, losses)
    without_stray_results(messages, losses)
    return with_messages(conversation, messages, losses)


class _Writer:
    """Writes messages in one dialect."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.format: Format = SimpleTextFile(prefix)

    def message(self, message: Message) -> Iterator[str]:
        """The text of a message; a message with several results becomes several."""
        wire = message.to_wire()
        for part in wire["parts"]:
            # The format cannot hold both: the arguments are kept, and the text is a loss.
            if part["kind"] == "tool_call" and part["payload"].get("arguments") is not None:
                part["payload"].pop("rawArgsText", None)
        results = [part for part in wire["parts"] if part["kind"] == "tool_result"]
        if len(results) < 2:
            yield self._best(wire)
            return
        others = [part for part in wire["parts"] if part["kind"] != "tool_result"]
        yield self._best(wire | {"parts": [results[0], *others]})
        for result in results[1:]:
            yield self._best({"role": wire["role"], "parts": [result]})

    def _best(self, wire: Wire) -> str:
        """The text that is read back unchanged: commands, or else raw; or else the closer one."""
        plain = self._plain(wire)
        if self._has_valid_calls(wire) and self._reads_as(plain, wire):
            return plain
        raw = self._raw(wire)
        return raw if self._reads_as(raw, wire) else self._closer(plain, raw, wire)

    def _has_valid_calls(self, wire: Wire) -> bool:
        """Whether its calls can be commands: their arguments must be objects."""
        calls = [part["payload"] for part in wire["parts"] if part["kind"] == "tool_call"]
        return all(call.get("arguments") is not None for call in calls)

    def _closer(self, plain: str, raw: str, wire: Wire) -> str:
        """The text that keeps more, if neither keeps all: parts count first, then ``meta``."""
        bare = {key: value for key, value in wire.items() if key != "meta"}
        if self._has_valid_calls(wire) and self._reads_as(plain, bare):
            return plain
        whole = raw if self._reads_as(raw, bare) else self._raw(wire, in_order=False)
        lost, lost_plain = self._missing(whole, wire), self._missing(plain, wire)
        is_better = lost < lost_plain or (lost == lost_plain and not self._has_valid_calls(wire))
        return whole if is_better else plain

    def _missing(self, text: str, wire: Wire) -> tuple[int, int]:
        """How many parts are not read back from a text, and how many not with all their keys."""
        found = read(Document.open(_PATH, text, self.format)).messages
        parts = [part for one in found for part in one.parts]
        missing, _ = missing_parts(map(part_from_wire, wire["parts"]), parts)
        got = [canonical(part.to_wire()) for part in parts]
        return len(missing), sum(canonical(part) not in got for part in wire["parts"])

    def _reads_as(self, text: str, wire: Wire) -> bool:
        """Whether a text is read as that message."""
        found = read(Document.open(_PATH, text, self.format)).messages
        if len(found) != 1:
            return False
        got = found[0].to_wire()
        if got["role"] != wire["role"] or canonical(got["parts"]) != canonical(wire["parts"]):
            return False
        meta = {key: value for key, value in wire.get("meta", {}).items() if key != "file"}
        got_meta = got.get("meta", {})
        return all(canonical(got_meta.get(key)) == canonical(meta[key]) for key in meta)

    # -- as commands

    def _plain(self, wire: Wire) -> str:
        meta = wire.get("meta", {})
        arguments = _head_arguments(meta)
        word, role = _word(wire)
        if role is not None:
            arguments = {"role": role} | arguments
        parts: Sequence[Wire] = wire["parts"]
        result = next((p["payload"] for p in parts if p["kind"] == "tool_result"), None)
        if result is not None:
            # Even if it is empty: without it, the result would answer the earliest open call.
            arguments["call_id"] = result["toolCallId"]
            others = [part for part in parts if part["kind"] != "tool_result"]
            parts = [*_content_parts(result["content"]), *others]
        elif isinstance(meta.get("call_id"), str):
            arguments["call_id"] = meta["call_id"]
        lines = [f"{self.prefix}{word}{write_arguments(arguments)}\n"]
        extra = meta.get("extra")
        if extra is not None and self.prefix == SEMICOLON:
            lines.append(self.block("extra", extra))
        for part in parts:
            lines += self._part(part)
        return "".join(lines)

    def _part(self, part: Wire) -> Iterator[str]:
        payload = part["payload"]
        has_commands = self.prefix == AT
        match part["kind"]:
            case "text" | "thinking":
                yield self._data(payload["text"])
            case "tool_call" if has_commands:
                yield f"{AT}call{write_arguments({'id': payload['toolCallId']})}\n"
                yield self._data(" ".join(_call_words(payload)))
            case "file_ref":
                yield f"{AT}embed\n" if has_commands else ""
                yield self._data(payload["path"])
            case "image":
                yield f"{AT}embed\n" if has_commands else ""
                yield self._data(address_of(payload))

    def _data(self, text: str) -> str:
        """Text as data lines; what looks like a command has its prefix doubled."""
        return "".join([self._data_line(line) for line in text.split("\n")])

    def _data_line(self, line: str) -> str:
        # A carriage return cannot be in a data line; the raw form can hold it.
        line = line.replace("\r", " ")
        return (self.prefix if line.startswith(self.prefix) else "") + line + "\n"

    def block(self, word: str, value: Any, arguments: str = "") -> str:
        """A command with a block that holds a value."""
        try:
            text = json.dumps(value, ensure_ascii=False, indent=2)
        except (ValueError, TypeError, RecursionError):
            text = "{}"
        return f"{self.prefix}{word}{arguments}\n{text}\n{self.prefix}end\n"

    # -- raw

    def _raw(self, wire: Wire, in_order: bool = True) -> str:
        """A message as a raw block; unless ``in_order``, its parts may be reordered."""
        meta = wire.get("meta", {})
        role = meta.get("role")
        value: Wire = {"role": role if isinstance(role, str) else wire["role"]}
        parts: list[Wire] = wire["parts"]
        result = next((p["payload"] for p in parts if p["kind"] == "tool_result"), None)
        if result is not None:
            value["tool_call_id"] = result["toolCallId"]
            if result["isError"]:
                value[IS_ERROR] = True
            calls = [part for part in parts if part["kind"] == "tool_call"]
            texts, rest = _split(_content_parts(result["content"]), SAID_KINDS)
        elif not in_order:
            calls = [part for part in parts if part["kind"] == "tool_call"]
            texts, rest = [part for part in parts if part["kind"] in SAID_KINDS], []
        else:
            thoughts, rest = _split(parts, ("thinking",))
            if thoughts:
                value["reasoning"] = content_of([part | {"kind": "text"} for part in thoughts])
            texts, rest = _split(rest, SAID_KINDS)
            calls, rest = _split(rest, ("tool_call",))
        if texts:
            value["content"] = content_of(texts)
        if calls:
            value["tool_calls"] = [call_entry(call["payload"]) for call in calls]
        arguments = _head_arguments(meta)
        if "name" in arguments:
            value["name"] = arguments.pop("name")
        if result is None and isinstance(meta.get("call_id"), str):
            arguments["call_id"] = meta["call_id"]
        others = meta.get("raw")
        if isinstance(others, Mapping):
            value = {**others, **value}
        text = self.block("raw", value, write_arguments(arguments))
        extra = meta.get("extra")
        if extra is not None and self.prefix == SEMICOLON:
            text += self.block("extra", extra)
        # Parts that the object cannot hold follow it, as in any message.
        return text + "".join([line for part in rest for line in self._part(part)])


def _split(parts: Sequence[Wire], kinds: Sequence[str]) -> tuple[list[Wire], list[Wire]]:
    """The leading parts of certain kinds, and the rest."""
    count = next((n for n, part in enumerate(parts) if part["kind"] not in kinds), len(parts))
    return list(parts[:count]), list(parts[count:])


def _head_arguments(meta: Mapping[str, Any]) -> Wire:
    """The arguments of the command that starts a message, without role and ``call_id``."""
    arguments: Wire = {key: meta[key] for key in ("id", "name") if isinstance(meta.get(key), str)}
    others = meta.get("arguments")
    return arguments | (dict(others) if isinstance(others, Mapping) else {})


def _word(wire: Wire) -> tuple[str, str | None]:
    """The command that starts a message, and the role that it needs as an argument."""
    own = wire.get("meta", {}).get("role")
    if not isinstance(own, str):
        return wire["role"], None
    return (own, None) if own in ROLES else ("message", own)


def _call_words(payload: Mapping[str, Any]) -> Iterator[str]:
    """The data line of a call."""
    yield payload["toolName"]
    arguments = payload.get("arguments")
    if arguments is None:
        yield payload.get("rawArgsText") or ""
        return
    try:
        yield json.dumps(arguments, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        yield "{}"


def _content_parts(content: Any) -> list[Wire]:
    """The content of a result as parts."""
    if isinstance(content, str):
        return text_parts(content)
    if isinstance(content, Mapping):
        try:
            text = json.dumps(content, ensure_ascii=False)
        except (ValueError, TypeError, RecursionError):
            return []
        return [text_part(text)]
    return [part for part in content if part["kind"] != "tool_result"]


class _Splice:
    """Writes changed messages into the text that the others were read from."""

    def __init__(self, messages: Sequence[Message], like: Document, old: Conversation) -> None:
        self.messages = messages
        self.like = like
        self.old = old
        self.runs = derived_runs_of(messages) | derived_runs_of(old.messages)

    def run(self) -> tuple[str, list[Loss]] | None:
        """The text; ``None`` if the whole file must be rewritten."""
        if tuple(self.messages) == self.old.messages:
            return self.like.text, []
        file = _file_of(self.messages)
        if file and file != _file_of(self.old.messages):
            return None
        keys = [keys_of(some, self.runs) for some in (self.old.messages, self.messages)]
        kept = {new: old for old, new in matches(*keys)}
        pieces = with_byte_order_mark(list(self._pieces(kept)), self.like)
        text = "".join([piece.text for piece in pieces])
        found = read(Document.open(self.like.path, text, self.like.format))
        if self.messages and _file_of(found.messages) != _file_of(self.old.messages):
            return None
        if len(found.losses) > len(self.old.losses):
            # A kept message may depend on the role or the call of a removed one.
            return None
        wanted = Wanted(self.messages, {}, self.runs, frozenset(kept))
        losses = compare(wanted, pieces, found)
        if any(loss.message_index in kept for loss in losses):
            return None
        return text, merged_losses([], losses)

    def _pieces(self, kept: Mapping[int, int]) -> Iterator[Piece]:
        text = self.like.text
        newline = self.like.newline
        writer = _Writer(_dialect_of(self.like) or AT)
        first = self.like.first_cell()
        last = ""
        if first is not None and first.cell.kind is CellKind.PREAMBLE:
            last = first.cell.text
            yield Piece(last)
        for index, message in enumerate(self.messages):
            if index in kept:
                written = [span.of(text) for span in self.old.sources[kept[index]]]
            else:
                written = [part.replace("\n", newline) for part in writer.message(message)]
            for part in written:
                if last and not last.endswith(("\n", "\r")):
                    yield Piece(newline)
                last = part
                yield Piece(part, index)
