"""Reads a message file into a conversation.

Owns the mapping of each kind of cell. What messages have no field for goes into their
``meta``, from which the writer restores the same cells; what cannot be kept even there
is a loss.

Each message has a single visibility (``Message.visibility``): cells of one message that the
model sees in different ways, such as an excluded call, become messages of their own, and so
do cells after a reset.

Besides visibility and the keys of each kind of cell, the ``meta`` of a message has ``id``,
``title``, ``depth`` (if it is not 1), ``attributes``, ``suppressions`` and ``definition``
(false if the cell has none, unless it is a message, which needs none) of its cell; ``calls``
and ``results`` with the same keys for the cells of its tool calls and results; and, on the
first message, ``file`` with the frontmatter, the preamble and the name of the section, if
only a section is recorded.
"""

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from msgls.conversation.cell_visibility import defines_agent, hiding_owner
from msgls.conversation.conversation import Conversation, Loss, from_wires
from msgls.conversation.parts import Wire, text_part, text_parts
from msgls.conversation.visibility import (
    HISTORY,
    IS_BOOT,
    IS_RESET,
    IS_VIRTUAL,
    SUMMARY,
    VISIBILITY_META,
    Sight,
    is_true,
    visibility_in,
)
from msgls.document.document import Document
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.images import images_in
from msgls.formats.msgmd.agents import agents_of
from msgls.formats.msgmd.content import (
    BLANK,
    SUPPRESSION_MARK,
    escape_offsets,
    fences_of,
    read_call,
    read_code,
    trim_blank_lines,
)
from msgls.formats.msgmd.edits import remove_line
from msgls.formats.msgmd.meaning import meaning_of
from msgls.formats.msgmd.section import Section, section_of
from msgls.formats.msgmd.toolcalls import parse_tool_xml, render_tool_xml
from msgls.formats.values import TRUE_VALUES
from msgls.syntax.cells import AttributeFault, CellKind
from msgls.syntax.ids import CellId
from msgls.text.garbage import without_collection
from msgls.text.lines import count_breaks
from msgls.text.phrases import Phrase, as_code
from msgls.text.spans import Span

# Attributes of messages that were converted from other formats.
RUN_ATTRIBUTE = "run"
META_ATTRIBUTE = "meta"

STRUCTURAL_META = VISIBILITY_META | frozenset(
    {
        "agent", "attributes", "calls", "definition", "depth", "executionOf", "file", "id", "m",
        "n",        "orphan", "reasoning", "results", "suppressions", "title", "type",
    }
)  # fmt: skip
"""Keys that follow from a cell itself: a ``meta`` attribute must not contain them."""

VISIBILITY_ATTRIBUTES = {
    "history": HISTORY,
    "summary": SUMMARY,
    "virtual": IS_VIRTUAL,
    "boot": IS_BOOT,
    "reset": IS_RESET,
}
"""The attributes for visibility, and their keys in ``meta``."""
_HIDING = (HISTORY, IS_VIRTUAL)
_SWITCHES = frozenset({IS_VIRTUAL, IS_BOOT, IS_RESET})

FAILURES = ("failure", "error", "failed")

_DEEPEST_META = 100
_PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_BASE64_LINES = re.compile(r"[A-Za-z0-9+/=_\- \t\r\n]+")
_WHITE = re.compile(r"[ \t\r\n]+")


def read(document: Document) -> Conversation:
    """The conversation in a document."""
    with without_collection():
        return _Reader(document).run()


@dataclass(slots=True)
class _Draft:
    """A message that is being built."""

    role: str
    parts: list[Wire]
    meta: Wire
    sources: list[Span]
    time: str | None = None
    run: str | None = None
    calls: list[Wire] = field(default_factory=list)
    results: list[Meaning] = field(default_factory=list)


class _Reader:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self.section = section_of(document)
        self.record = Span(0, len(self.text)) if self.section is None else self.section.record
        self.drafts: list[_Draft] = []
        self.answers: dict[tuple[str, str], _Draft] = {}
        """The answers that calls can be added to, by id and visibility."""
        self.results: dict[tuple[str, str], _Draft] = {}
        self.runs: dict[str, str] = {}
        """The runs of answers, by their ids: calls and results inherit them."""
        self.losses: list[Loss] = []
        # The definitions that apply to some cell, by label and offset: their lines are not content.
        self.honoured: set[tuple[int, int]] = set()

    def run(self) -> Conversation:
        meanings = [
            meaning_of(self.document, placed)
            for placed in self.document.cells()
            if placed.cell.kind is not CellKind.PREAMBLE
        ]
        for meaning in meanings:
            if meaning.definition is not None and meaning.holder is not None:
                self.honoured.add((meaning.holder.label, meaning.definition.span.start))
        for meaning in meanings:
            at = meaning.placed.start_offset
            if not self.record.start <= at < self.record.end:
                self._loss(Phrase("this cell is outside the section and is not recorded"), meaning)
                continue
            self._read_cell(meaning)
        self._close()
        self._read_file()
        return self._conversation()

    def _loss(self, what: str, meaning: Meaning) -> None:
        self.losses.append(Loss(what, meaning.placed.start_line))

    # -- the file around the cells

    def _read_file(self) -> None:
        """Add the frontmatter and the preamble to the first message."""
        first = self.document.first_cell()
        if first is None:
            return
        about: Wire = {}
        frontmatter = first.cell.frontmatter
        if frontmatter is not None:
            text = frontmatter.of(first.cell.text).removeprefix("\ufeff")
            about["frontmatter"] = trim_blank_lines(text)
        preamble = self._preamble(first)
        if preamble:
            about["preamble"] = preamble
        if self.section is not None:
            about["section"] = self.section.name
        if about and self.drafts:
            self.drafts[0].meta["file"] = about
        elif about:
            self.losses.append(Loss(Phrase("there is no message to hold the text of the file"), 0))
        after = self.text[self.record.end :]
        if self.section is not None and self.section.headings and after.strip(" \t\r\n"):
            line = count_breaks(self.text[: self.record.end])
            self.losses.append(Loss(Phrase("the text after the section is not recorded"), line))

    def _preamble(self, first: Placed) -> str:
        """The text before the first recorded cell, without definitions."""
        texts: list[str] = []
        if first.cell.kind is CellKind.PREAMBLE:
            end = min(first.cell.length, self.record.end)
            text = self._without_definitions(first, Span(first.cell.body.start, end))
            texts.append(text.removeprefix("\ufeff") if not first.cell.body.start else text)
        heading = _section_heading_in_cell(self.section)
        if heading is not None:
            # The cell that contains the heading is not recorded, but the text below the heading is.
            placed, start = heading
            texts.append(self._without_definitions(placed, Span(start, placed.cell.length)))
        return "\n\n".join([text for text in map(trim_blank_lines, texts) if text])

    def _without_definitions(self, placed: Placed, part: Span) -> str:
        return _cut(placed.cell.text, part, self._definition_lines(placed))

    def _definition_lines(self, placed: Placed) -> list[Span]:
        return [
            remove_line(placed.cell.text, *definition.span)
            for definition in placed.cell.definitions
            if (placed.label, definition.span.start) in self.honoured
        ]

    # -- cells

    def _read_cell(self, meaning: Meaning) -> None:
        self._find_unreadable(meaning)
        is_reset = is_true(meaning.mark("reset"))
        if is_reset:
            self._close()
        match meaning.role:
            case CellRole.CALL:
                self._read_call(meaning)
            case CellRole.RESULT:
                self._read_result(meaning)
            case CellRole.ANSWER:
                self._read_answer(meaning)
            case CellRole.RUN:
                self._read_run(meaning)
            case _:
                self._read_message(meaning)
        if is_reset:
            self._close()

    def _close(self) -> None:
        """Finish all open messages, so that cells after a reset are not added to them."""
        for draft in self.results.values():
            self._finish_results(draft)
        self.answers, self.results = {}, {}

    def _find_unreadable(self, meaning: Meaning) -> None:
        """Report text on a definition line that is in no attribute."""
        if meaning.definition is None or meaning.holder is None:
            return
        for problem in meaning.definition.problems:
            if problem.fault in (AttributeFault.UNREADABLE, AttributeFault.DUPLICATE_KEY):
                written = problem.span.of(meaning.holder.cell.text)
                what = Phrase(
                    "{written} on the definition line is not kept", written=as_code(written)
                )
                if problem.fault is AttributeFault.DUPLICATE_KEY:
                    what = Phrase(
                        "only the last of two attributes {written} is kept",
                        written=as_code(written),
                    )
                self._loss(what, meaning)

    def _start(self, meaning: Meaning, role: str, parts: list[Wire], meta: Wire) -> _Draft:
        """Start a message for a cell."""
        extra = own_extra(meaning)
        about = _cell_meta(meaning, leave_out=_attributes_elsewhere(meaning, extra))
        draft = self._start_bare(meaning, role, parts, extra)
        draft.meta = {"id": meaning.cell.id} | about | meta | self._visibility(meaning) | extra
        return draft

    def _start_bare(self, meaning: Meaning, role: str, parts: list[Wire], extra: Wire) -> _Draft:
        draft = _Draft(role, parts, extra, [self._source(meaning)])
        draft.time = meaning.value("time")
        draft.run = meaning.value(RUN_ATTRIBUTE)
        self.drafts.append(draft)
        return draft

    def _source(self, meaning: Meaning) -> Span:
        start, end = meaning.placed.span
        return Span(start, min(end, self.record.end))

    def _read_message(self, meaning: Meaning) -> None:
        role = "system" if meaning.value("role") == "system" else "user"
        meta: Wire = {"type": meaning.type or "markdown"}
        content = self._content(meaning)
        if meaning.role is CellRole.CODE:
            code = read_code(content)
            if code is not None:
                content = code.block
                if code.language:
                    meta["language"] = code.language
                if code.reasoning:
                    meta["reasoning"] = code.reasoning
        may_show = role == "user" and meta["type"] == "markdown"
        parts = shown_parts(content) if may_show else text_parts(content)
        self._start(meaning, role, parts, meta)

    def _read_answer(self, meaning: Meaning) -> None:
        meta: Wire = {}
        if meaning.type is not None:
            meta["agent"] = meaning.type
        time = meaning.value("time")
        if time is not None:
            meta["time"] = time
        kind = "thinking" if meaning.value("reasoning") in TRUE_VALUES else "text"
        parts = text_parts(self._content(meaning), kind)
        draft = self._start(meaning, "assistant", parts, meta)
        if draft.run is not None:
            self.runs[meaning.cell.id or ""] = draft.run
        if meaning.cell.id is not None:
            self.answers[meaning.cell.id, self._visibility_key(meaning)] = draft

    def _read_call(self, meaning: Meaning) -> None:
        call_id = meaning.cell.id or ""
        body = read_call(self._content(meaning))
        payload = tool_call(call_id, meaning.value("name") or "", body.xml)
        parent, visibility = meaning.parent_id, self._visibility_key(meaning)
        # A call without a dot in its id belongs to no answer, not even to one with an empty id.
        draft = None if parent is None else self.answers.get((parent, visibility))
        leave_out = {"name"}
        if draft is None:
            extra = own_extra(meaning)
            leave_out |= _attributes_elsewhere(meaning, extra)
            seen = self._visibility(meaning)
            draft = self._start_bare(meaning, "assistant", [], {"orphan": True} | seen | extra)
            draft.run = draft.run or self.runs.get(parent or "")
            if parent is not None and any(answer == parent for answer, _ in self.answers):
                # Calls of the answer with the same visibility are one message, without the answer.
                self.answers[parent, visibility] = draft
        else:
            draft.sources.append(self._source(meaning))
        about: Wire = {"id": call_id} | _cell_meta(meaning, leave_out)
        if body.fence:
            about["fence"] = body.fence
        if payload.get("rawArgsText") != body.xml and "arguments" not in payload:
            about["element"] = True
        draft.calls.append(about)
        draft.parts.append({"kind": "tool_call", "payload": payload})

    def _read_result(self, meaning: Meaning) -> None:
        key = CellId(meaning.cell.id or "").parent, self._visibility_key(meaning)
        draft = self.results.get(key)
        if draft is None:
            draft = self.results[key] = self._start_bare(meaning, "tool", [], {})
        else:
            draft.sources.append(self._source(meaning))
        draft.results.append(meaning)

    def _finish_results(self, draft: _Draft) -> None:
        """Combine all cells that answer a call into one result, in the order of their numbers."""
        meanings = sorted(draft.results, key=lambda meaning: numeric(_last_segment(meaning)))
        first = meanings[0]
        extra = own_extra(first)
        run = self.runs.get(CellId(first.cell.id or "").root)
        draft.time, draft.run = first.value("time"), first.value(RUN_ATTRIBUTE) or run
        abouts = []
        for meaning in meanings:
            leave_out = set(VISIBILITY_ATTRIBUTES)
            leave_out |= _attributes_elsewhere(meaning, extra) if meaning is first else set()
            number = _number(_last_segment(meaning))
            abouts.append({"n": number} | _cell_meta(meaning, leave_out))
        draft.meta |= {"results": abouts} | self._visibility(first) | extra
        durations = [value for m in meanings if (value := m.value("duration")) is not None]
        if durations:
            draft.meta.setdefault("duration", durations[-1])
        contents = [self._content(meaning) for meaning in meanings]
        results = [_result_part(content) for content in contents]
        is_text = len(results) == 1 and results[0]["kind"] == "text"
        payload = {
            "toolCallId": CellId(first.cell.id or "").parent,
            "isError": is_error([meaning.value("status") for meaning in meanings]),
            "content": contents[0] if is_text else results,
        }
        draft.parts.append({"kind": "tool_result", "payload": payload})

    def _read_run(self, meaning: Meaning) -> None:
        written = CellId(meaning.cell.id or "")
        code, number = CellId(written.parent), _number(written.last)
        meta: Wire = {"type": meaning.type, "executionOf": str(code), "n": number}
        if len(code.segments) > 1:
            # A further output of the run.
            meta |= {"executionOf": code.parent, "n": _number(code.last), "m": number}
        status = meaning.value("status")
        if status is not None:
            meta["status"] = status
        content = self._content(meaning)
        mime_type = meaning.value("mime_type") or ""
        parts = text_parts(content)
        if is_image_type(mime_type) and content:
            data = _WHITE.sub("", content) if _BASE64_LINES.fullmatch(content) else content
            parts = [{"kind": "image", "payload": {"mimeType": mime_type, "data": data}}]
        self._start(meaning, "user", parts, meta)

    def _visibility(self, meaning: Meaning) -> Wire:
        """The visibility of a cell, as keys of ``meta``.

        A hidden answer hides its calls, and a hidden call its results, whatever their own is.
        """
        meta = _visibility_meta(meaning.mark)
        if defines_agent(meaning):
            meta[IS_VIRTUAL] = True
        owner = hiding_owner(self.document, meaning)
        if owner is not None:
            owners = _visibility_meta(owner.marks.get)
            meta = {key: value for key, value in meta.items() if key not in _HIDING}
            meta |= {key: value for key, value in owners.items() if key in _HIDING}
        return meta

    def _visibility_key(self, meaning: Meaning) -> str:
        """A key for the visibility of a cell: cells with equal keys can be one message.

        A summary replaces only its own cell.
        """
        sight = visibility_in(self._visibility(meaning)).sight
        return f"summary of {meaning.placed.label}" if sight is Sight.SUMMARY else sight.value

    def _content(self, meaning: Meaning) -> str:
        """The text up to the next header, without definition lines and escapes."""
        placed = meaning.placed
        cell = placed.cell
        end = min(cell.body.end, self.record.end - placed.start_offset)
        cuts = self._definition_lines(placed) if cell.definitions else []
        if SUPPRESSION_MARK in cell.text:
            cuts += [remove_line(cell.text, *one.span) for one in cell.suppressions]
        cuts += [Span(at, at + 1) for at in escape_offsets(cell)]
        return trim_blank_lines(_cut(cell.text, Span(cell.body.start, end), cuts))

    # -- messages

    def _conversation(self) -> Conversation:
        wires: list[Wire] = []
        for draft in self.drafts:
            if any(len(about) > 1 for about in draft.calls):
                draft.meta["calls"] = draft.calls
            wire: Wire = {"role": draft.role, "parts": draft.parts, "meta": draft.meta}
            wire |= {"runId": draft.run} if draft.run else {}
            wire |= {"timestamp": draft.time} if draft.time else {}
            wires.append(wire)
        sources = [tuple(draft.sources) for draft in self.drafts]
        return from_wires(wires, sources, self.losses, *agents_of(self.document))


# ---------------------------------------------------------------------------
# Shared with the writer


def tool_call(call_id: str, name: str, body: str) -> Wire:
    """The payload of a tool call with the XML, or any other text, in ``body``.

    The text is kept in ``rawArgsText`` if it cannot be restored from the arguments.
    """
    xml = parse_tool_xml(body)
    payload: Wire = {"toolCallId": call_id, "toolName": name}
    if xml.arguments is not None and xml.arguments.keys() == {TEXT_KEY}:
        # Text directly in the root is not arguments; mostly it is a program.
        text = xml.arguments[TEXT_KEY]
        is_json = f'"{TEXT_KEY}"' in body
        if xml.root == root_of(name) and isinstance(text, str) and not is_json:
            return payload | {"rawArgsText": text}
    if xml.arguments is not None:
        payload["arguments"] = xml.arguments
    can_be_restored = (
        xml.arguments is not None
        and xml.exact
        and xml.root == root_of(name)
        and render_tool_xml(root_of(name), xml.arguments) is not None
    )
    if not can_be_restored:
        payload["rawArgsText"] = body
    return payload


def root_of(name: str) -> str:
    """The name of the XML element for a call: the tool's name, if that is valid in XML."""
    return name if render_tool_xml(name, {}) is not None else ANY_TOOL


ANY_TOOL = "call"
TEXT_KEY = "#text"
"""The key of an element's own text in parsed XML."""


def is_image_type(mime_type: str) -> bool:
    """Whether content of that type is an image in base64; an SVG is XML, and so text."""
    mime_type = mime_type.strip().lower()
    return mime_type.startswith("image/") and not mime_type.startswith("image/svg+xml")


def is_error(statuses: list[str | None]) -> bool:
    """Whether a call failed, by the last status that its results have."""
    given = [status for status in statuses if status is not None]
    return bool(given) and given[-1] in FAILURES


# ---------------------------------------------------------------------------


def own_extra(meaning: Meaning) -> Wire:
    """The object in the ``meta`` attribute; empty if it is not valid."""
    text = meaning.value(META_ATTRIBUTE)
    if text is None or not text.startswith("{"):
        return {}
    try:
        value = json.loads(text)
        # Infinity and NaN cannot be written as JSON again.
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict) or value.keys() & STRUCTURAL_META or _is_too_deep(value):
        return {}
    return value


def _is_too_deep(value: object) -> bool:
    level = [value]
    for _ in range(_DEEPEST_META):
        members: list[object] = []
        for item in level:
            if isinstance(item, dict):
                members += item.values()
            elif isinstance(item, list):
                members += item
        if not members:
            return False
        level = members
    return True


def _visibility_meta(mark: Callable[[str], str | None]) -> Wire:
    """Visibility attributes as keys of ``meta``."""
    found: Wire = {}
    for key, name in VISIBILITY_ATTRIBUTES.items():
        value = mark(key)
        if value is not None:
            found[name] = is_true(value) if name in _SWITCHES else value
    return found


def _attributes_elsewhere(meaning: Meaning, extra: Wire) -> set[str]:
    """The attributes that are in other fields of the message, and need not be repeated."""
    keys = set(VISIBILITY_ATTRIBUTES)
    keys |= {META_ATTRIBUTE} if extra else set()
    return keys | {RUN_ATTRIBUTE} if meaning.value(RUN_ATTRIBUTE) else keys


def _cell_meta(meaning: Meaning, leave_out: Collection[str] = ()) -> Wire:
    """Keys of ``meta`` from which the cell can be restored."""
    about: Wire = {}
    header = meaning.cell.header
    if meaning.cell.title:
        about["title"] = meaning.cell.title
    if header is not None and header.depth > 1:
        about["depth"] = header.depth
    if SUPPRESSION_MARK in meaning.cell.text and meaning.cell.suppressions:
        about["suppressions"] = [
            one.span.of(meaning.cell.text).strip(BLANK) for one in meaning.cell.suppressions
        ]
    if meaning.definition is None:
        # A message without a definition is the same as one that is defined as `[markdown]`.
        cell_id = meaning.cell.id
        if meaning.cell.kind is not CellKind.MESSAGE or not _can_be_defined(cell_id):
            about["definition"] = False
        return about
    attributes = {
        attribute.key: attribute.value
        for attribute in meaning.definition.attributes
        if attribute.key not in leave_out
    }
    if attributes:
        about["attributes"] = attributes
    return about


def _can_be_defined(cell_id: str | None) -> bool:
    return cell_id is not None and "[" not in cell_id and "]" not in cell_id


def _section_heading_in_cell(section: Section | None) -> tuple[Placed, int] | None:
    """The cell with the section's heading, and its offset there, unless it is the preamble."""
    if section is None or not section.headings:
        return None
    heading, placed = section.headings[0]
    return None if placed.cell.kind is CellKind.PREAMBLE else (placed, heading.span.start)


def _cut(text: str, part: Span, cuts: list[Span]) -> str:
    """The text of ``part`` without ``cuts``."""
    if not cuts:
        return part.of(text)
    pieces: list[str] = []
    start, end = part
    for cut in sorted(cuts):
        if start <= cut.start < end:
            pieces.append(text[start : cut.start])
            start = cut.end
    pieces.append(text[start:end])
    return "".join(pieces)


def shown_parts(content: str) -> list[Wire]:
    """Text and image parts: an image alone on a line becomes an image part."""
    if "![" not in content:
        return text_parts(content)
    parts: list[Wire] = []
    start = 0
    fences = [fence.span for fence in fences_of(content)]
    for span, image in images_in(content, fences):
        parts += [*text_parts(trim_blank_lines(content[start : span.start])), image]
        start = span.end
    return parts + text_parts(trim_blank_lines(content[start:]) if start else content)


def _result_part(content: str) -> Wire:
    """The part for a cell with a result: an image if there is nothing else, or text."""
    parts = shown_parts(content)
    return parts[0] if len(parts) == 1 and parts[0]["kind"] == "image" else text_part(content)


def _last_segment(meaning: Meaning) -> str:
    return CellId(meaning.cell.id or "").last


def _number(text: str) -> int | str:
    """The number of a result or a run; unchanged if it is not a plain number."""
    return int(text) if _PLAIN_NUMBER.fullmatch(text) else text


def numeric(text: str) -> float:
    """The number of a result as a sort key; anything else comes last."""
    number = _number(text)
    return number if isinstance(number, int) else float("inf")
