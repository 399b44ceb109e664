"""Reads a Simple Text Format file into a conversation.

Owns the mapping of each kind of message. What a message has no field for goes into its ``meta``:
``id``, ``name``, ``role`` (if it is not one of ours, such as ``developer``), ``call_id`` (of a
message that is not from a tool), ``arguments`` (unknown ones), ``extra``, ``raw`` (other keys of a
raw message), and on the first message ``file``: its ``dialect``, if that is ``;``, and its
``meta``. Comments, and what cannot be parsed, are losses.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from msgls.conversation.conversation import Conversation, Loss, from_wires
from msgls.conversation.parts import Wire, list_of, result_content, result_part, text_parts
from msgls.document.document import Document
from msgls.formats import json5
from msgls.formats.base import Placed
from msgls.formats.images import image_at, is_image_address
from msgls.formats.stf.calls import OpenCalls
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import MESSAGE_ARGUMENTS, ROLES, SEMICOLON, Mode
from msgls.formats.stf.lexer import Command, Data
from msgls.formats.stf.rawmessages import (
    ANSWERED_KEYS,
    IS_ERROR,
    answered_by,
    call_of,
    parts_of_content,
    refusal_of,
    thoughts_of,
)
from msgls.formats.values import REFUSAL
from msgls.syntax.cells import CellKind
from msgls.text.garbage import without_collection
from msgls.text.phrases import Phrase, as_code

DEFAULT_ROLE = "user"
_RAW_KEYS = frozenset(
    {"role", "id", "name", "content", "reasoning", "tool_calls", "extra", *ANSWERED_KEYS}
)


def read(document: Document) -> Conversation:
    """The conversation in a document."""
    with without_collection():
        return _Reader(document).run()


@dataclass(slots=True)
class _Draft:
    """A message that is being built."""

    placed: Placed
    cell: StfCell
    role: str = DEFAULT_ROLE
    parts: list[Wire] = field(default_factory=list)
    meta: Wire = field(default_factory=dict)


class _Reader:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.drafts: list[_Draft] = []
        self.losses: list[Loss] = []
        self.role: str | None = None
        """The role of the previous message."""
        self.open_calls: OpenCalls[str] = OpenCalls()
        self.file_meta: Any = None
        self.file_meta_line = 0
        self.dialect = ""

    def run(self) -> Conversation:
        cells = [(p, p.cell) for p in self.document.cells() if isinstance(p.cell, StfCell)]
        spoken = ("call", "result")
        taken = {name for _, cell in cells for relation, name in cell.facts if relation in spoken}
        self.free_ids = (f"call-{number}" for number in count(1) if f"call-{number}" not in taken)
        for placed, cell in cells:
            self.dialect = cell.dialect
            self._read_cell(placed, cell)
        self._read_file()
        return self._conversation()

    def _loss(self, what: str, draft: _Draft, offset: int) -> None:
        line = draft.placed.start_line + bisect_right(draft.cell.line_starts, offset) - 1
        index = None if draft.cell.kind is CellKind.PREAMBLE else len(self.drafts)
        self.losses.append(Loss(what, line, index))

    # -- cells

    def _read_cell(self, placed: Placed, cell: StfCell) -> None:
        draft = _Draft(placed, cell)
        opening = cell.opening
        self._find_unreadable(draft)
        if opening is None:
            self._read_blocks(draft)
            return
        if opening.spec is not None and opening.spec.mode is Mode.RAW:
            self._read_raw(draft, opening)
        else:
            self._read_message(draft, opening)
        self._read_blocks(draft)
        self.drafts.append(draft)

    def _find_unreadable(self, draft: _Draft) -> None:
        """Report the text of a cell that is in no message."""
        cell = draft.cell
        if cell.comments:
            self._loss(Phrase("comments are not kept"), draft, cell.comments[0].span.start)
        for command in cell.commands:
            if command.in_block:
                self._loss(Phrase("a command in a block is ignored"), draft, command.span.start)
            elif command.spec is None:
                written = command.span.of(cell.text)
                self._loss(
                    Phrase("{written} is not a command, and is not kept", written=as_code(written)),
                    draft,
                    command.span.start,
                )
            elif command.spec.mode is Mode.LINE and not command.in_message:
                self._loss(
                    Phrase("`{word}` is not part of a message", word=command.word),
                    draft,
                    command.span.start,
                )
            elif cell.arguments(command).faults:
                self._loss(Phrase("arguments cannot be read"), draft, command.span.start)
        for data in cell.walk.data:
            if not data.in_message and data.span.of(cell.text).strip(" \t\r\n\ufeff"):
                self._loss(
                    Phrase("text that belongs to no message was left out"), draft, data.span.start
                )

    def _read_blocks(self, draft: _Draft) -> None:
        """Read the ``meta`` and ``extra`` blocks of a cell."""
        for command in draft.cell.commands:
            if command.in_block or command.spec is None or command.spec.mode is not Mode.BLOCK:
                continue
            value = self._value(draft, command)
            if value is None:
                continue
            if command.spec.name == "meta":
                self.file_meta_line = draft.placed.start_line
                self.file_meta = _merged(self.file_meta, value)
            elif command.in_message:
                draft.meta["extra"] = _merged(draft.meta.get("extra"), value)
            else:
                self._loss(Phrase("`extra` is not part of a message"), draft, command.span.start)

    def _value(self, draft: _Draft, command: Command) -> Any:
        """The value of a block: an object for ``raw``, else any value."""
        block, parsed = draft.cell.parsed_block(command)
        if parsed.problem is not None:
            what = Phrase("the JSON5 of `{word}` cannot be read", word=command.word)
            self._loss(what, draft, command.span.start)
            return None
        comment = json5.first_comment(block.text)
        if comment is not None and not draft.cell.comments:
            self._loss(Phrase("comments are not kept"), draft, block.place(comment))
        value = json5.finite(parsed.value)
        if value != parsed.value:
            self._loss(Phrase("JSON has neither NaN nor Infinity"), draft, command.span.start)
        return value

    def _take_role(self, draft: _Draft, role: str | None, offset: int) -> str:
        """Set the role of a message; a role that messages do not have is kept in ``meta``."""
        if role is None:
            role = DEFAULT_ROLE
            self._loss(Phrase("it has no role, and is treated as the user's"), draft, offset)
        self.role = role
        if role == "assistant":
            self.open_calls.start_turn()
        if role == "developer":
            draft.role = "system"
        else:
            draft.role = role if role in ROLES else DEFAULT_ROLE
        if draft.role != role:
            draft.meta["role"] = role
        return draft.role

    def _take_arguments(self, draft: _Draft, opening: Command) -> None:
        arguments = draft.cell.arguments(opening)
        for key in ("id", "name"):
            value = arguments.value(key)
            if value is not None:
                draft.meta[key] = value
        others = {
            item.key: json5.finite(item.json)
            for item in arguments.items
            if item.key not in MESSAGE_ARGUMENTS
        }
        if others:
            draft.meta["arguments"] = others

    # -- messages of commands

    def _read_message(self, draft: _Draft, opening: Command) -> None:
        cell, spec = draft.cell, opening.spec
        arguments = cell.arguments(opening)
        role = (None if spec is None else spec.role) or arguments.value("role") or self.role
        self._take_arguments(draft, opening)
        self._take_role(draft, role, opening.span.start)
        self._take_parts(draft, self._parts(draft), arguments.value("call_id"), opening.span.start)

    def _take_parts(
        self, draft: _Draft, parts: list[Wire], call_id: str | None, offset: int
    ) -> None:
        """Set the parts of a message; those of a tool message become the result of a call."""
        if draft.role == "tool":
            self._take_result(draft, call_id, parts, offset)
        else:
            draft.parts = parts
            if call_id is not None:
                draft.meta["call_id"] = call_id
        self._note_calls(parts)

    def _note_calls(self, parts: list[Wire]) -> None:
        """Record calls as open, waiting for their results."""
        for part in parts:
            if part["kind"] == "tool_call":
                call_id = part["payload"]["toolCallId"]
                self.open_calls.add(call_id, call_id)

    def _take_result(
        self, draft: _Draft, call_id: str | None, parts: list[Wire], offset: int
    ) -> None:
        """Set the parts of a tool message: the result of a call, and the calls in it."""
        answered = self.open_calls.answer(call_id)
        if call_id is None:
            call_id = answered or ""
            if answered is None:
                self._loss(Phrase("there is no open call for this result"), draft, offset)
        content = result_content([part for part in parts if part["kind"] != "tool_call"])
        calls = [part for part in parts if part["kind"] == "tool_call"]
        draft.parts = [result_part(call_id, content), *calls]

    def _parts(self, draft: _Draft) -> list[Wire]:
        """The parts of a message in order; adjacent data lines are one text."""
        cell = draft.cell
        items: list[Data | Command] = [data for data in cell.walk.data if data.in_message]
        items += [
            command
            for command in cell.commands
            if command.spec is not None and command.spec.mode is Mode.LINE and not command.in_block
        ]
        items.sort(key=lambda item: item.span)
        parts: list[Wire] = []
        calls: list[Wire] = []
        lines: list[str] = []
        for item in items:
            if isinstance(item, Data):
                lines += cell.data_lines(item.span)
                continue
            part = self._line_part(draft, item)
            if part is None:
                continue
            if draft.role == "tool" and part["kind"] == "tool_call":
                # It does not interrupt the text of the result.
                calls.append(part)
                continue
            parts += text_parts("\n".join(lines))
            parts.append(part)
            lines = []
        return [*parts, *text_parts("\n".join(lines)), *calls]

    def _line_part(self, draft: _Draft, command: Command) -> Wire | None:
        """The part for the data line of ``call`` or ``embed``."""
        cell = draft.cell
        line = cell.data_line(command)
        if line is None:
            self._loss(
                Phrase("`{word}` has no data line", word=command.word), draft, command.span.start
            )
            return None
        if command.name == "embed":
            target = line.of(cell.text)
            if is_image_address(target):
                return image_at(target)
            return {"kind": "file_ref", "payload": {"path": target}}
        call = cell.call_line(command)
        payload: Wire = {"toolCallId": cell.arguments(command).value("id"), "toolName": ""}
        if payload["toolCallId"] is None:
            payload["toolCallId"] = next(self.free_ids)
        if call is not None:
            payload["toolName"] = call.name
            value = None if call.parsed is None else call.parsed.value
            if call.parsed is None:
                payload["arguments"] = {}
            elif isinstance(value, dict) and json5.finite(value) == value:
                payload["arguments"] = value
            else:
                payload["rawArgsText"] = call.arguments_text
        return {"kind": "tool_call", "payload": payload}

    # -- messages of blocks

    def _read_raw(self, draft: _Draft, opening: Command) -> None:
        arguments = draft.cell.arguments(opening)
        at = opening.span.start
        self._take_arguments(draft, opening)
        value = self._value(draft, opening)
        if value is None:
            text = draft.cell.block(opening).text
            self._take_role(draft, arguments.value("role"), at)
            self._take_raw_parts(draft, opening, text_parts("\n".join(_split(text))), None)
            return
        role = value.get("role")
        self._take_role(draft, role if isinstance(role, str) else arguments.value("role"), at)
        thoughts, unread_thoughts = thoughts_of(value.get("reasoning"))
        parts, unread = parts_of_content(value.get("content"))
        refusal = refusal_of(value)
        parts = [*thoughts, *parts, *([] if refusal is None else [refusal])]
        unread |= unread_thoughts
        for call in list_of(value.get("tool_calls")):
            part = call_of(call)
            unread |= part is None
            parts += [] if part is None else [part]
        parts += [part for part in self._parts(draft) if not _is_blank(part)]
        if unread:
            self._loss(Phrase("part of the raw message is of an unknown kind"), draft, at)
        for key in ("id", "name"):
            if isinstance(value.get(key), str):
                draft.meta[key] = value[key]
        if value.get("extra") is not None:
            draft.meta["extra"] = value["extra"]
        others = {key: item for key, item in value.items() if key not in _RAW_KEYS}
        if refusal is not None:
            del others[REFUSAL]
        if others:
            draft.meta["raw"] = others
        self._take_raw_parts(draft, opening, parts, answered_by(value))
        if value.get(IS_ERROR) is True and draft.role == "tool":
            draft.parts[0]["payload"]["isError"] = True
            others.pop(IS_ERROR)
            if not others:
                del draft.meta["raw"]

    def _take_raw_parts(
        self, draft: _Draft, opening: Command, parts: list[Wire], answered: str | None
    ) -> None:
        call_id = answered
        if call_id is None:
            call_id = draft.cell.arguments(opening).value("call_id")
        for part in parts:
            if part["kind"] == "tool_call" and part["payload"]["toolCallId"] is None:
                part["payload"]["toolCallId"] = next(self.free_ids)
        self._take_parts(draft, parts, call_id, opening.span.start)

    # -- messages

    def _read_file(self) -> None:
        """Add the metadata of the file to the first message."""
        about: Wire = {}
        if self.dialect == SEMICOLON:
            about["dialect"] = SEMICOLON
        has_meta = self.file_meta is not None and self.file_meta != {}
        if has_meta:
            about["meta"] = self.file_meta
        if about and self.drafts:
            self.drafts[0].meta["file"] = about
        elif has_meta:
            self.losses.append(
                Loss(Phrase("there is no message to hold `meta`"), self.file_meta_line)
            )

    def _conversation(self) -> Conversation:
        wires: list[Wire] = []
        for draft in self.drafts:
            wire: Wire = {"role": draft.role, "parts": draft.parts}
            wires.append(wire | {"meta": draft.meta} if draft.meta else wire)
        return from_wires(wires, [(draft.placed.span,) for draft in self.drafts], self.losses)


def _merged(before: Any, value: Any) -> Any:
    """Two objects merged, later keys taking precedence; any other value replaces the first."""
    if isinstance(before, dict) and isinstance(value, dict):
        return before | value
    return value


def _split(text: str) -> list[str]:
    """The lines of a text, without an empty one after the last line break."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain.removesuffix("\n").split("\n")


def _is_blank(part: Wire) -> bool:
    """Whether a part is only blank lines, which people leave after a block."""
    return part["kind"] == "text" and not part["payload"]["text"].strip("\n")
