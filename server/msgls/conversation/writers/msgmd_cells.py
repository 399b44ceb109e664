"""Writes the cells of a message file.

Owns the mapping of each kind of message: ids, types, attributes, content and text of its cells, and
their losses; and the frontmatter and preamble before them.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from msgls.conversation.cell_visibility import first_paragraph
from msgls.conversation.comparison import Piece
from msgls.conversation.conversation import EPOCH, Loss
from msgls.conversation.losses import named
from msgls.conversation.messages import (
    FileRefPart,
    ImagePart,
    Message,
    MessagePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
)
from msgls.conversation.readers.msgmd import (
    META_ATTRIBUTE,
    RUN_ATTRIBUTE,
    STRUCTURAL_META,
    TEXT_KEY,
    is_error,
    is_image_type,
    numeric,
    root_of,
    tool_call,
)
from msgls.conversation.visibility import (
    EXCLUDED,
    HISTORY,
    INCLUDED,
    IS_BOOT,
    IS_RESET,
    IS_VIRTUAL,
    Sight,
    history_of,
)
from msgls.document.document import Document
from msgls.formats.images import image_line
from msgls.formats.msgmd import MSGMD
from msgls.formats.msgmd.content import (
    escape,
    open_fence,
    read_code,
    suppression_needed,
    trim_blank_lines,
    wrap_call,
    write_call,
    write_code,
)
from msgls.formats.msgmd.definitions import is_type, quote_value
from msgls.formats.msgmd.lexer import is_header_id
from msgls.formats.msgmd.meaning import TOOL, is_registered
from msgls.formats.msgmd.register import register_agent
from msgls.formats.msgmd.toolcalls import parse_tool_xml, render_tool_xml
from msgls.formats.values import HISTORY_VALUES, TRUE_VALUES
from msgls.syntax.ids import CellId
from msgls.text.phrases import Phrase, as_code
from msgls.text.spans import apply_edits

DEFAULT_AGENT = "assistant"

_KEY = re.compile(r"[^\W\d][\w-]*")
_ID_SEGMENT = re.compile(r"[^\s.\[\]^]+")
_DEFINABLE_ID = re.compile(r"[^\[\]\r\n]*")
_ONE_LINE = re.compile(r"[^\r\n]*")
_LINE_BREAKS = re.compile(r"[\r\n]+")
_NONCE = re.compile(r"[A-Za-z0-9_-]+")
_NOT_NONCE = re.compile(r"[^A-Za-z0-9_-]+")
_SUPPRESSION = re.compile(r"<!--[ \t]*msgls:[ \t]*ignore[ \t][A-Za-z0-9, \t-]*-->")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MISSING = object()

# A message with any of these keys was read from a cell: its time is among its attributes.
_CELL_META = frozenset({"id", "results", "orphan"})
_OF_CELLS = frozenset({"type", "agent", "definition", "attributes", "results", "orphan"})

Meta = Mapping[str, Any]
Attributes = dict[str, str]


def definition_line(cell_id: str, kind: str, attributes: Mapping[str, str]) -> str:
    """``[^id]: [type] key=value``; line breaks in a value become blanks."""
    values = {key: _LINE_BREAKS.sub(" ", value) for key, value in attributes.items()}
    pairs = "".join([f" {key}={quote_value(value)}" for key, value in values.items()])
    return f"[^{cell_id}]: [{kind}]{pairs}"


def meta_of(message: Message) -> Meta:
    """The meta of a message; empty where there is none."""
    return message.meta or {}


@dataclass(slots=True)
class _Cell:
    """A cell that is being built."""

    percents: str
    id: str | None
    kind: str | None
    """The type in its definition; ``None`` if it has none."""
    attributes: Attributes
    content: str
    message_index: int
    wanted_kind: str = ""
    """The type for a definition that is added later."""
    title: str = ""
    depth: int = 1
    suppressions: Sequence[str] = ()
    is_call: bool = False
    was_cell: bool = False
    is_foreign: bool = False
    """Whether its message is from another format: no line of it is meant as a header."""


class Writer:
    """Writes cells for some of ``messages``, one message at a time."""

    def __init__(
        self,
        messages: Sequence[Message],
        derived_runs: frozenset[str],
        taken: Iterable[str] = (),
        newline: str = "\n",
    ) -> None:
        self.losses: list[Loss] = []
        self.renames: list[Loss] = []
        """Losses for calls that got another id: at the call, not at its results."""
        self._renamed: dict[int, dict[str, str]] = {}
        self.agents: dict[str, None] = {}
        """Agents of new messages, which the caller must register."""
        self.named: set[int] = set()
        """Messages whose lost metadata is already among the losses."""
        self._messages = messages
        self._derived_runs = derived_runs
        self._newline = newline
        self._times = _times_to_write(messages)
        self._taken = {*taken, *_ids_of(messages)}
        self._undefined = {
            str(message.meta.get("id"))
            for message in messages
            if message.meta and message.meta.get("definition") is False
        }
        """Ids of cells without a definition: another cell with such an id must not define it."""
        self._cells: list[_Cell] = []
        self._renamed_calls: dict[str, str] = {}
        self._result_counts: Counter[str] = Counter()
        """How many results each call has."""
        self._index = 0
        self._next_number = 1

    def add(self, index: int) -> None:
        """Make the cells of the message with that index."""
        self._index = index
        message = self._messages[index]
        first = len(self._cells)
        if message.role == "tool":
            self._add_results(message)
        elif message.role == "assistant":
            self._add_answer(message)
        else:
            self._add_user(message)
        self._mark(message, self._cells[first:])

    def _mark(self, message: Message, cells: Sequence[_Cell]) -> None:
        """Add the visibility of a message to all its cells: what is hidden stays hidden."""
        attributes = _visibility_attributes(message)
        if not attributes:
            return
        visibility = message.visibility
        hidden: set[str | None] = set()
        for number, cell in enumerate(cells):
            marks = dict(attributes)
            is_first, is_last = number == 0, number == len(cells) - 1
            if not is_last:
                # The reset hides the whole message, so only the last cell resets.
                marks.pop("reset", None)
            if not is_first:
                marks.pop("boot", None)
                marks.pop("summary", None)
                if visibility.sight in (Sight.SEEN, Sight.SUMMARY):
                    marks.pop("history", None)
                if visibility.sight is Sight.SUMMARY:
                    # The summary of the whole message is in the first cell.
                    marks["history"] = EXCLUDED
            elif visibility.sight is Sight.SUMMARY and len(cells) > 1:
                marks["summary"] = visibility.summary or _first_paragraph(message)
            if cell.percents == "%%" and cell.attributes.get("definition") == "agent":
                marks.pop("virtual", None)
            own = cell.attributes.get("history")
            if own is not None and history_of(own) == history_of(marks.get("history")):
                marks.pop("history", None)
            if cell.is_call and CellId(cell.id or "").parent in hidden:
                # It is hidden with its answer.
                marks.pop("history", None)
                marks.pop("virtual", None)
            if marks:
                self._define(cell)
                cell.attributes |= marks
                if not visibility.sight.is_sent:
                    hidden.add(cell.id)

    def _define(self, cell: _Cell) -> None:
        """Give a cell a definition, which it needs to have attributes."""
        is_taken = cell.kind is None and cell.id in self._undefined
        if cell.id is None or is_taken or not _DEFINABLE_ID.fullmatch(cell.id):
            cell.id = self._new_id()
        cell.kind = cell.kind or cell.wanted_kind

    def take_pieces(self, ends_file: bool) -> list[Piece]:
        """The text of the cells made so far, a blank line after each but the file's last."""
        cells, self._cells = _results_in_order(self._cells), []
        ids = self._taken.union([cell.id for cell in cells if cell.id is not None])
        pieces = []
        for number, cell in enumerate(cells):
            is_last = ends_file and number == len(cells) - 1
            pieces.append(Piece(self._cell_text(cell, ids, is_last), cell.message_index))
        return pieces

    def _loss(self, what: str) -> None:
        self.losses.append(Loss(what, message_index=self._index))

    def _rename(self, call: str, call_id: str) -> None:
        self._renamed.setdefault(self._index, {})[call] = call_id

    def wanted(self, messages: Sequence[Message]) -> Sequence[Message]:
        """The messages with the new ids of calls."""
        changed = list(messages)
        for index, names in self._renamed.items():
            wire = changed[index].to_wire()
            for part in wire["parts"]:
                payload = part["payload"]
                if payload.get("toolCallId") in names:
                    payload["toolCallId"] = names[payload["toolCallId"]]
            changed[index] = Message.from_wire(wire)
        return changed

    def _lose_meta(self, what: str) -> None:
        """Add a loss of metadata."""
        self.named.add(self._index)
        self._loss(what)

    # -- text

    def _cell_text(self, cell: _Cell, ids: set[str], is_last: bool) -> str:
        blocks = [_header(cell)]
        if cell.id is not None and cell.kind is not None:
            blocks.append(definition_line(cell.id, cell.kind, cell.attributes))
        blocks += cell.suppressions
        content = escape(cell.content, ids)
        if cell.is_foreign and not cell.suppressions and (comment := suppression_needed(content)):
            blocks.append(comment)
        # The last cell of the file may end with an open fence, if it did so before.
        may_stay_open = is_last and not (cell.is_call and not cell.was_cell)
        fence = "" if may_stay_open else open_fence(content)
        if fence and cell.is_call:
            content = wrap_call(cell.content)
        elif fence:
            self._index = cell.message_index
            self._loss(Phrase("an open fence is closed, so that it ends with its message"))
            content += self._newline + fence
        blocks += [content] if content else []
        newline = self._newline
        return (newline + newline).join(blocks) + newline + ("" if is_last else newline)

    # -- ids and attributes

    def _new_id(self) -> str:
        while f"m{self._next_number}" in self._taken:
            self._next_number += 1
        self._taken.add(f"m{self._next_number}")
        return f"m{self._next_number}"

    def _message_id(self, meta: Meta) -> str | None:
        if "id" not in meta:
            return self._new_id()
        given = meta["id"]
        if given is None:
            return None
        if isinstance(given, str):
            is_bare = meta.get("definition") is False and _ONE_LINE.fullmatch(given)
            if is_header_id(given) if is_bare else _DEFINABLE_ID.fullmatch(given):
                return given
        self._lose_meta(Phrase("the id {given} is not allowed in a header", given=as_code(given)))
        return self._new_id()

    def _type(self, given: object, default: str) -> str:
        if given is None:
            return default
        if isinstance(given, str) and is_type(given):
            return given
        self._lose_meta(
            Phrase("the type {given} is not allowed in a definition", given=as_code(given))
        )
        return default

    def _own_attributes(self, message: Message, natural: Meta) -> Attributes:
        """Attributes for metadata that is nowhere else in the cell.

        ``natural`` is the ``meta`` that is derived from the cell when it is read.
        """
        attributes: Attributes = {}
        if self._index in self._times:
            attributes["time"] = self._times[self._index]
        if message.run_id not in self._derived_runs:
            attributes[RUN_ATTRIBUTE] = message.run_id
        extra = {
            key: value
            for key, value in meta_of(message).items()
            if key not in STRUCTURAL_META and natural.get(key, _MISSING) != value
        }
        if extra:
            try:
                text = json.dumps(extra, ensure_ascii=False, allow_nan=False)
            except (ValueError, TypeError, RecursionError):
                self._lose_meta(Phrase("its metadata is not JSON, or nested too deeply"))
            else:
                attributes[META_ATTRIBUTE] = text
        return attributes

    # -- messages of users

    def _add_user(self, message: Message) -> None:
        meta = meta_of(message)
        if message.role == "user" and isinstance(meta.get("executionOf"), str):
            self._add_run(message, meta)
            return
        attributes = _attributes(meta)
        if message.role == "system":
            attributes["role"] = "system"
        elif attributes.get("role") == "system":
            del attributes["role"]
        content = self._plain_text(message.parts)
        kind = self._type(meta.get("type"), "markdown")
        natural: Meta = {}
        if kind == "code":
            code = read_code(content)
            natural = {} if code is None else {"language": code.language}
            reasoning = meta.get("reasoning")
            if isinstance(reasoning, str):
                content = write_code(content, reasoning)
        attributes |= self._own_attributes(message, natural)
        self._add_cell("%%", self._message_id(meta), kind, attributes, content, meta)

    def _add_run(self, message: Message, meta: Meta) -> None:
        attributes = _attributes(meta)
        status = meta.get("status")
        if isinstance(status, str):
            attributes["status"] = status
        content = ""
        image = message.parts[0] if len(message.parts) == 1 else None
        if isinstance(image, ImagePart) and image.payload.data and not image.payload.url:
            content = image.payload.data
            attributes["mime_type"] = image.payload.mime_type
        else:
            content = self._plain_text(message.parts)
            if is_image_type(attributes.get("mime_type", "")) and content:
                del attributes["mime_type"]
        attributes |= self._own_attributes(message, {"status": status})
        run_id = f"{meta['executionOf']}.{meta.get('n', 1)}"
        run_id += f".{meta['m']}" if "m" in meta else ""
        if not _DEFINABLE_ID.fullmatch(run_id):
            self._lose_meta(
                Phrase("the id {given} is not allowed in a header", given=as_code(run_id))
            )
            run_id = f"{self._new_id()}.1"
        kind = self._type(meta.get("type"), "text")
        self._add_cell("%%%", run_id, kind, attributes, content, meta)

    # -- answers and their calls

    def _add_answer(self, message: Message) -> None:
        meta = meta_of(message)
        calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
        others = [part for part in message.parts if not isinstance(part, ToolCallPart)]
        attributes = _attributes(meta)
        own = self._own_attributes(message, {"time": attributes.get("time", _MISSING)})
        abouts = _abouts(meta.get("calls"), calls)
        if meta.get("orphan") is True and calls and not others:
            for call, about in zip(calls, abouts, strict=True):
                self._add_call(call, None, about, own)
                own = {}
            return
        if any(isinstance(part, ToolCallPart) for part in message.parts[: len(others)]):
            self._loss(Phrase("text after a tool call is moved before it"))
        answer_id = self._answer_id(meta, calls)
        if calls and (answer_id is None or "." in answer_id):
            answer_id = self._new_id()
            self._loss(
                Phrase(
                    "it becomes {answer_id}, so that tool calls can follow it",
                    answer_id=as_code(answer_id),
                )
            )
        self._add_answer_text(others, answer_id, attributes | own, meta)
        for call, about in zip(calls, abouts, strict=True):
            self._add_call(call, answer_id, about, {})

    def _answer_id(self, meta: Meta, calls: Sequence[ToolCallPart]) -> str | None:
        """The id of an answer; without one, the common prefix of the ids of its calls."""
        prefixes = {CellId(call.payload.tool_call_id).parent for call in calls}
        nonces = [CellId(call.payload.tool_call_id).last for call in calls]
        if "id" not in meta and len(prefixes) == 1 and all(map(_NONCE.fullmatch, nonces)):
            prefix = prefixes.pop()
            if _ID_SEGMENT.fullmatch(prefix) and prefix not in self._taken:
                self._taken.add(prefix)
                return prefix
        return self._message_id(meta)

    def _agent(self, meta: Meta) -> str:
        agent = meta.get("agent")
        if agent == TOOL:
            self._lose_meta(Phrase("{name} is not a valid agent name", name=as_code(TOOL)))
            agent = None
        name = self._type(agent, DEFAULT_AGENT)
        is_named = agent is not None or meta.get("definition") is False
        if not (is_named and meta.keys() & _CELL_META):
            self.agents.setdefault(name)
        return name

    def _add_answer_text(
        self,
        parts: Sequence[MessagePart],
        answer_id: str | None,
        attributes: Attributes,
        meta: Meta,
    ) -> None:
        """Add a cell for each part; the last has the answer's id, so that calls can follow it."""
        agent = self._agent(meta)
        if len(parts) > 1:
            self._loss(Phrase("the answer becomes {count} cells", count=len(parts)))
        for part in parts[:-1]:
            own = {key: attributes[key] for key in ("time", RUN_ATTRIBUTE) if key in attributes}
            own |= {"reasoning": "1"} if isinstance(part, ThinkingPart) else {}
            self._add_cell("%%%", self._new_id(), agent, own, self._plain_text([part]), {})
        last = parts[-1:]
        is_marked = attributes.get("reasoning") in TRUE_VALUES
        if last and isinstance(last[0], ThinkingPart) and not is_marked:
            attributes["reasoning"] = "1"
        elif last and not isinstance(last[0], ThinkingPart) and is_marked:
            del attributes["reasoning"]
        self._add_cell("%%%", answer_id, agent, attributes, self._plain_text(last), meta)

    def _add_call(
        self, part: ToolCallPart, answer_id: str | None, about: Meta, own: Attributes
    ) -> None:
        call = part.payload
        call_id = self._call_id(call.tool_call_id, answer_id, self._is_of_cell())
        if call_id != call.tool_call_id:
            self._rename(call.tool_call_id, call_id)
            what = Phrase(
                "the tool call `{call}` gets the id `{call_id}`",
                call=call.tool_call_id,
                call_id=call_id,
            )
            self.renames.append(Loss(what, message_index=self._index))
        self._renamed_calls[call.tool_call_id] = call_id
        name = {"name": call.tool_name} if call.tool_name else {}
        attributes = name | _attributes(about) | own
        fence = about.get("fence")
        body = self._call_body(part, bool(about.get("element")))
        content = write_call(body, fence if isinstance(fence, str) else "")
        self._add_cell("%%%", call_id, TOOL, attributes, content, about)
        self._cells[-1].is_call = True
        self._cells[-1].was_cell = self._is_of_cell()

    def _call_id(self, given: str, answer_id: str | None, was_cell: bool = False) -> str:
        """The given id if it can be that of a call of this answer, else a similar one."""
        prefix, dot, nonce = given.rpartition(".")
        if answer_id is None:
            if given.count(".") < 2 and _DEFINABLE_ID.fullmatch(given):
                return given
            answer_id = self._new_id()
        elif dot and prefix == answer_id and (was_cell or _NONCE.fullmatch(nonce)):
            return given
        nonce = first = _NOT_NONCE.sub("-", given).strip("-") or "call"
        number = 2
        while nonce in self._taken:
            nonce = f"{first}-{number}"
            number += 1
        self._taken |= {nonce, f"{answer_id}.{nonce}"}
        return f"{answer_id}.{nonce}"

    def _call_body(self, part: ToolCallPart, is_element: bool) -> str:
        """The original XML of the call, if it still matches the arguments; else new XML."""
        call = part.payload
        raw = call.raw_args_text
        root = root_of(call.tool_name)
        if raw is not None:
            read = parse_tool_xml(raw)
            if read.problem is None and call.arguments in (None, read.arguments):
                return raw
        if call.arguments is None:
            if raw is not None and not is_element and self._is_of_cell():
                return raw
            return self._raw_body(call.tool_name, raw or "")
        xml = render_tool_xml(root, dict(call.arguments))
        if xml is None:
            self._loss(Phrase("the arguments of `{name}` become JSON text", name=call.tool_name))
            xml = f"<{root}>{_xml_text(_json_text(dict(call.arguments)))}</{root}>"
        return xml

    def _is_of_cell(self) -> bool:
        return is_of_cell(self._messages[self._index])

    def _raw_body(self, name: str, raw: str) -> str:
        """XML with ``raw`` as its text."""
        root = root_of(name)
        xml = render_tool_xml(root, {TEXT_KEY: raw}) if raw else f"<{root}/>"
        if xml is not None and tool_call("", name, xml).get("rawArgsText") == raw:
            return xml
        text = _NOT_XML.sub("\ufffd", raw)
        if text != raw:
            self._loss(
                Phrase(
                    "characters in the arguments of `{name}` that are not "
                    "allowed in XML are replaced",
                    name=name,
                )
            )
        return (render_tool_xml(root, {TEXT_KEY: text}) if text else None) or f"<{root}/>"

    # -- results

    def _add_results(self, message: Message) -> None:
        meta = meta_of(message)
        abouts = meta.get("results")
        abouts = abouts if isinstance(abouts, (list, tuple)) else ()
        abouts = [about for about in abouts if isinstance(about, Mapping)]
        durations = [d for about in abouts if (d := _attributes(about).get("duration")) is not None]
        own = self._own_attributes(message, {"duration": durations[-1]} if durations else {})
        results = [part for part in message.parts if isinstance(part, ToolResultPart)]
        for part in message.parts:
            if isinstance(part, ToolResultPart):
                self._add_result(part.payload, abouts if len(results) == 1 else [], own)
            else:
                self._loss(Phrase("{what} becomes a message cell", what=named(part)))
                content = self._plain_text([part])
                self._add_cell("%%", self._new_id(), "markdown", dict(own), content, {})
        if not message.parts:
            self._loss(Phrase("a tool message without a result becomes a message cell"))
            self._add_cell("%%", self._new_id(), "markdown", own, "", {})

    def _add_result(self, result: ToolResult, abouts: Sequence[Meta], own: Attributes) -> None:
        call_id = self._renamed_calls.get(result.tool_call_id, result.tool_call_id)
        if "." not in call_id or not _DEFINABLE_ID.fullmatch(call_id):
            call_id = self._call_id(call_id, self._new_id())
        if call_id != result.tool_call_id:
            self._rename(result.tool_call_id, call_id)
            if result.tool_call_id not in self._renamed_calls:
                what = Phrase(
                    "the result of `{call}` becomes one of `{other}`",
                    call=result.tool_call_id,
                    other=call_id,
                )
                self.renames.append(Loss(what, message_index=self._index))
        texts = self._result_texts(result.content)
        status = {"status": "failure" if result.is_error else "success"}
        attributes = [
            _attributes(abouts[number]) if number < len(abouts) else dict(status)
            for number in range(len(texts))
        ]
        if is_error([values.get("status") for values in attributes]) != result.is_error:
            attributes[-1] |= status
        attributes[0] |= own
        if self._result_counts[call_id] and not abouts:
            self._loss(Phrase("this result is kept with the earlier one of `{call}`", call=call_id))
        for number, (text, values) in enumerate(zip(texts, attributes, strict=True)):
            about = abouts[number] if number < len(abouts) else {}
            self._result_counts[call_id] += 1
            result_id = f"{call_id}.{about.get('n', self._result_counts[call_id])}"
            self._add_cell("%%%", result_id, TOOL, values, text, about)

    def _result_texts(self, content: object) -> list[str]:
        if isinstance(content, str):
            return [content]
        if isinstance(content, tuple):
            return [self._plain_text([part]) for part in content] or [""]
        self._loss(Phrase("a tool result that is an object becomes JSON text"))
        return [_json_text(content)]

    # -- parts and cells

    def _plain_text(self, parts: Sequence[MessagePart]) -> str:
        texts = [self._part_text(part) for part in parts]
        for number, text in enumerate(texts[:-1]):
            fence = open_fence(text)
            if fence:
                self._loss(Phrase("an open fence is closed, so that it ends with its text"))
                texts[number] = f"{text}\n{fence}"
        return "\n\n".join(texts)

    def _part_text(self, part: MessagePart) -> str:
        if isinstance(part, TextPart | ThinkingPart):
            return part.payload.text
        if isinstance(part, ImagePart):
            return image_line(part.payload.to_wire())
        if isinstance(part, FileRefPart):
            return f"[{part.payload.path}]({part.payload.path})"
        self._loss(Phrase("{what} becomes JSON text", what=named(part)))
        return _json_text(part.to_wire())

    def _add_cell(
        self,
        percents: str,
        cell_id: str | None,
        kind: str,
        attributes: Attributes,
        content: str,
        about: Meta,
    ) -> None:
        is_bare = about.get("definition") is False or (
            kind == "markdown" and percents == "%%" and cell_id in self._undefined
        )
        is_bare = is_bare and not attributes
        is_bare = is_bare or cell_id is None or not _DEFINABLE_ID.fullmatch(cell_id)
        written = None if is_bare else kind
        cell = _Cell(percents, cell_id, written, attributes, content, self._index, kind)
        title, depth = about.get("title"), about.get("depth")
        if isinstance(title, str):
            cell.title = _LINE_BREAKS.sub(" ", title)
        suppressions = about.get("suppressions")
        if isinstance(suppressions, list | tuple):
            cell.suppressions = [str(one) for one in suppressions if is_suppression(one)]
        if isinstance(depth, int) and 1 <= depth <= 5:
            cell.depth = depth
        cell.is_foreign = not (self._is_of_cell() and _was_cell(self._messages[self._index]))
        self._cells.append(cell)


def _results_in_order(cells: Iterable[_Cell]) -> list[_Cell]:
    """The cells, with adjacent results of one call ordered by their numbers.

    They may be out of order, because visible and hidden results are different messages.
    """
    ordered: list[_Cell] = []
    for call_id, group in groupby(cells, _answered_call):
        together = list(group)
        ordered += sorted(together, key=_number_of) if call_id else together
    return ordered


def _answered_call(cell: _Cell) -> str:
    """The id of the call that a cell answers; empty for other cells."""
    return "" if cell.is_call or cell.kind != TOOL else CellId(cell.id or "").parent


def _number_of(cell: _Cell) -> float:
    return numeric(CellId(cell.id or "").last)


def is_suppression(line: object) -> bool:
    """Whether a line is a suppression comment."""
    return isinstance(line, str) and bool(_SUPPRESSION.fullmatch(line))


def _header(cell: _Cell) -> str:
    header = f"{'#' * cell.depth} {cell.percents}"
    if cell.title:
        header += f" {cell.title}"
    if cell.id is None:
        return header
    # The id directly follows the title, unless a backslash at its end would escape the bracket.
    separator = "" if cell.title and not cell.title.endswith("\\") else " "
    return f"{header}{separator}[^{cell.id}]"


def _visibility_attributes(message: Message) -> Attributes:
    """The attributes for the visibility of a message."""
    meta, visibility = meta_of(message), message.visibility
    attributes: Attributes = {}
    history = meta.get(HISTORY)
    if isinstance(history, str) and history in HISTORY_VALUES:
        attributes["history"] = history
    elif visibility.history != INCLUDED:
        attributes["history"] = visibility.history
    if visibility.summary:
        attributes["summary"] = visibility.summary
    switches = visibility.is_virtual, visibility.is_boot, visibility.is_reset
    for name, key, is_on in zip(
        ("virtual", "boot", "reset"), (IS_VIRTUAL, IS_BOOT, IS_RESET), switches, strict=True
    ):
        if key in meta:
            attributes[name] = "1" if is_on else "0"
    return attributes


def _first_paragraph(message: Message) -> str:
    texts = [p.payload.text for p in message.parts if isinstance(p, TextPart | ThinkingPart)]
    return first_paragraph(texts[0]) if texts else ""


def _attributes(about: Meta) -> Attributes:
    """The attributes in ``meta`` that can be written in a definition."""
    given = about.get("attributes")
    if not isinstance(given, Mapping):
        return {}
    return {
        key: value if isinstance(value, str) else _json_text(value)
        for key, value in given.items()
        if isinstance(key, str) and _KEY.fullmatch(key)
    }


def _abouts(given: object, calls: Sequence[ToolCallPart]) -> list[Meta]:
    """The remembered ``meta`` of each call's cell, by its id; the calls may have changed."""
    remembered = list(given) if isinstance(given, (list, tuple)) else []
    abouts: list[Meta] = []
    for call in calls:
        about: Meta = {}
        for number, candidate in enumerate(remembered):
            if isinstance(candidate, Mapping) and candidate.get("id") == call.payload.tool_call_id:
                about = candidate
                del remembered[number]
                break
        abouts.append(about)
    return abouts


def _xml_text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text).replace("&", "&amp;").replace("<", "&lt;")


def _json_text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (ValueError, TypeError, RecursionError):
        return str(type(value))


def _ids_of(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        message_id = meta_of(message).get("id")
        if isinstance(message_id, str):
            yield message_id


def _times_to_write(messages: Sequence[Message]) -> dict[int, str]:
    """The times of messages that are not in attributes already."""
    return {
        index: message.timestamp
        for index, message in enumerate(messages)
        if message.timestamp not in (EPOCH, _given_time(message))
    }


def is_of_cell(message: Message) -> bool:
    """Whether a message was read from a message file: then unusual values are intended."""
    return not _OF_CELLS.isdisjoint(meta_of(message))


def _was_cell(message: Message) -> bool:
    return bool(meta_of(message).keys() & _CELL_META)


def _given_time(message: Message) -> str | None:
    """The time attribute of the first cell of a message."""
    meta = meta_of(message)
    if not _was_cell(message):
        return None
    key = "results" if "results" in meta else "calls" if meta.get("orphan") else None
    if key is None:
        return _attributes(meta).get("time")
    abouts = meta.get(key)
    first = abouts[0] if isinstance(abouts, (list, tuple)) and abouts else None
    return _attributes(first).get("time") if isinstance(first, Mapping) else None


# -- the head of the file: frontmatter and preamble

_PATH = "written.msg.md"
# At the start of a file, a preamble would be read as a byte-order mark or a frontmatter.
_FALSE_START = re.compile(r"\ufeff|---")


def carried_file(messages: Iterable[Message]) -> Mapping[str, Any]:
    """``meta.file`` of the first message that has it: frontmatter and preamble."""
    for message in messages:
        file = meta_of(message).get("file")
        if isinstance(file, Mapping):
            return file
    return {}


def file_head(frontmatter: str, preamble: str, newline: str = "\n") -> str:
    """The text before the first cell."""
    if not frontmatter and _FALSE_START.match(preamble):
        preamble = newline + preamble
    return "".join([text + newline + newline for text in (frontmatter, preamble) if text])


def with_agents(frontmatter: str, names: Iterable[str], newline: str = "\n") -> str:
    """``frontmatter`` with the missing agents registered, as far as possible."""
    for name in names:
        head = Document.open(_PATH, frontmatter or newline, MSGMD)
        edit = None if is_registered(head, name) else register_agent(head, name)
        if edit is not None:
            changed = trim_blank_lines(apply_edits(head.text, [edit]))
            # YAML may refuse a character of the name.
            if is_registered(Document.open(_PATH, changed, MSGMD), name):
                frontmatter = changed
    return frontmatter
