"""The blocks of the model view: the text for one cell or message, mapped to its source.

Owns the layout of that text and the mapping between it and its source. A block depends on its cell
alone, so that only the blocks of changed cells are rebuilt.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgls.conversation.cell_visibility import first_paragraph, role_word
from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import Message, MessagePart
from msgls.conversation.readers.msgmd import is_error, is_image_type, tool_call
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.content import fences_of, read_call, trim_blank_lines
from msgls.formats.msgmd.mapped import MappedText, mapped_call, mapped_content
from msgls.formats.values import TRUE_VALUES
from msgls.text.lines import count_breaks, line_starts
from msgls.text.spans import Span
from msgls.text.tree import Measure

HEADING = "## "
_BREAK = re.compile(r"[\r\n]+")
_ROLES = {
    CellRole.ANSWER: "assistant",
    CellRole.CALL: "assistant",
    CellRole.RESULT: "tool",
    CellRole.RUN: "user",
    CellRole.CODE: "user",
}


class Segment(NamedTuple):
    """A span of a block and the span of the source that it shows."""

    view: Span
    """Relative to the block."""
    source: Span
    """Relative to the cell, or to the document where the block is a message's."""
    exact: bool
    """Whether both spans hold the same characters; if not, only whole spans correspond."""

    def to_source(self, offset: int) -> int:
        """The offset in the source for an offset in the block."""
        if not self.exact:
            return self.source.start
        return min(self.source.start + offset - self.view.start, self.source.end)

    def to_view(self, offset: int) -> int:
        """The offset in the block for an offset in the source."""
        if not self.exact:
            return self.view.start
        return min(self.view.start + offset - self.source.start, self.view.end)


class Block:
    """A run of whole lines of the view. Not changed after it is built."""

    __slots__ = ("_starts", "label", "measure", "segments", "text")

    def __init__(self, label: int, text: str, segments: Iterable[Segment]) -> None:
        self.label = label
        """Grows along the view: the label of its cell, or the number of its message."""
        self.text = text
        self.segments = tuple(segments)
        self.measure: Measure = (1, len(text), count_breaks(text), 1)
        self._starts: list[int] | None = None

    @property
    def line_starts(self) -> Sequence[int]:
        """The offsets at which its lines start."""
        if self._starts is None:
            self._starts = line_starts(self.text)
        return self._starts

    def to_source(self, offset: int) -> int:
        """The offset in the source of the character at ``offset``, or of one before it."""
        found = self.segments[0]
        for segment in self.segments:
            if segment.view.start > offset:
                break
            found = segment
        return found.to_source(offset)

    def to_view(self, offset: int) -> int:
        """The offset in the block that shows the source's ``offset``, or what follows it."""
        around = None
        after = None
        for segment in self.segments:
            start, end = segment.source
            if start <= offset < end:
                if segment.exact:
                    return segment.to_view(offset)
                around = around or segment
            elif start >= offset and (after is None or start < after.source.start):
                after = segment
        if around is not None:
            return around.view.start
        if after is not None:
            return after.view.start
        return max(self.segments, key=lambda segment: segment.source.end).view.end


class _Builder:
    """Builds a block, paragraph by paragraph."""

    def __init__(self, words: Iterable[str], source: Span) -> None:
        line = HEADING + " · ".join([_BREAK.sub(" ", word) for word in words if word])
        self.text = line
        self.segments = [Segment(Span(0, len(line)), source, False)]

    def add(self, text: str, segments: Iterable[Segment]) -> None:
        """Add a paragraph, with segments relative to it."""
        if not text:
            return
        self.text += "\n\n"
        at = len(self.text)
        self.text += text
        self.segments += [s._replace(view=s.view.shift(at)) for s in segments]

    def add_shown(self, text: str, source: Span) -> None:
        """Add a paragraph that shows a span of the source in another form."""
        self.add(text, [Segment(Span(0, len(text)), source, False)])

    def block(self, label: int) -> Block:
        return Block(label, self.text + "\n\n", self.segments)


def prompt_block(label: int, agent: str, prompt: str, source: Span) -> Block:
    """The system prompt of an agent."""
    builder = _Builder(["system", f"prompt of {agent}"], source)
    builder.add_shown(prompt.strip("\r\n"), source)
    return builder.block(label)


# -- cells of message files -----------------------------------------------------------------


def cell_block(document: Document, meaning: Meaning, sight: Sight) -> Block:
    """The block of a cell that the model sees, in full or as a summary."""
    cell = meaning.cell
    header = cell.header.span if cell.header is not None else Span(0, 0)
    builder = _Builder(_words(meaning, sight), header)
    summary = meaning.mark("summary") if sight is Sight.SUMMARY else None
    if summary:
        builder.add_shown(summary, _attribute_span(meaning, "summary") or header)
    elif meaning.role is CellRole.CALL:
        _add_call(builder, document, meaning)
    else:
        _add_content(builder, document, meaning, sight)
    return builder.block(meaning.placed.label)


def _words(meaning: Meaning, sight: Sight) -> Iterator[str]:
    """The words of a cell's heading: its role, its id, and what else applies."""
    yield _ROLES.get(meaning.role) or role_word(meaning)
    yield meaning.cell.id or ""
    match meaning.role:
        case CellRole.ANSWER:
            yield role_word(meaning)
            yield "thinking" if meaning.value("reasoning") in TRUE_VALUES else ""
        case CellRole.CALL:
            yield f"calls {meaning.value('name') or 'a tool'}"
        case CellRole.RESULT:
            yield "failed" if is_error([meaning.value("status")]) else ""
        case CellRole.RUN:
            yield f"output of {meaning.parent_id}"
    if sight is Sight.SUMMARY:
        yield "summary"


def _attribute_span(meaning: Meaning, key: str) -> Span | None:
    """The span of an attribute, if it is written in the cell itself."""
    if meaning.definition is None or meaning.holder is None:
        return None
    attribute = meaning.definition.get(key)
    is_own = meaning.holder.label == meaning.placed.label
    return attribute.value_span if attribute is not None and is_own else None


def _add_call(builder: _Builder, document: Document, meaning: Meaning) -> None:
    body = mapped_call(document, meaning.placed)
    xml = read_call(body.text).xml
    call = tool_call(meaning.cell.id or "", meaning.value("name") or "", xml)
    if "arguments" in call:
        builder.add_shown(_json(call["arguments"]), body.in_cell(Span(0, len(body.text))))
    else:
        builder.add(body.text, _exact(body))


def _add_content(builder: _Builder, document: Document, meaning: Meaning, sight: Sight) -> None:
    content = mapped_content(document, meaning.placed)
    if meaning.role is CellRole.CODE:
        content = _code(content)
    mime_type = meaning.value("mime_type") or ""
    if meaning.role is CellRole.RUN and is_image_type(mime_type) and content.text:
        shown = _image(mime_type, len(content.text))
        builder.add_shown(shown, content.in_cell(Span(0, len(content.text))))
        return
    if sight is Sight.SUMMARY:
        content = content.part(first_paragraph(content.text), 0)
    builder.add(content.text, _exact(content))


def _code(content: MappedText) -> MappedText:
    """The first fenced block of a code cell: only that is sent."""
    fences = fences_of(content.text)
    if not fences:
        return content
    block = trim_blank_lines(fences[0].span.of(content.text))
    return content.part(block, content.text.index(block, fences[0].span.start))


def _exact(content: MappedText) -> Iterator[Segment]:
    """Segments for the pieces of a content, clipped to its text."""
    start = -content.skipped
    for piece in content.pieces:
        end = start + piece.length
        low, high = max(start, 0), min(end, len(content.text))
        if low < high:
            source = Span(piece.start + low - start, piece.start + high - start)
            yield Segment(Span(low, high), source, True)
        start = end


# -- messages of other formats --------------------------------------------------------------


def message_block(
    document: Document, number: int, message: Message, spans: Sequence[Span]
) -> Block:
    """The block of a message of another format; its segments are absolute."""
    meta = message.meta or {}
    words = [message.role, meta.get("id"), meta.get("agent") or meta.get("name")]
    whole = Span(spans[0].start, spans[-1].end) if spans else Span(0, 0)
    builder = _Builder([word for word in words if isinstance(word, str)], whole)
    source_text = document.store.slice(whole)
    search_start = 0
    for part in message.parts:
        label, text = _shown(part)
        builder.add_shown(label, whole)
        at = source_text.find(text, search_start) if text else -1
        if at < 0:
            builder.add_shown(text, whole)
            continue
        search_start = at + len(text)
        source = Span(at, search_start).shift(whole.start)
        builder.add(text, [Segment(Span(0, len(text)), source, True)])
    return builder.block(number)


def _shown(part: MessagePart) -> tuple[str, str]:
    """A label for a part, and the part as text."""
    match part.kind:
        case "thinking":
            return "(thinking)", part.payload.text
        case "tool_call":
            call = part.payload
            text = call.raw_args_text or ""
            return f"(calls {call.tool_name})", text if call.arguments is None else _json(
                call.arguments
            )
        case "tool_result" if part.payload.is_error:
            return "(failed)", as_markdown(part)
        case "image" if part.payload.data is not None:
            return "", _image(part.payload.mime_type, len(part.payload.data))
        case _:
            return "", as_markdown(part)


def _image(mime_type: str, length: int) -> str:
    return f"({mime_type}, about {max(1, length * 3 // 4 // 1024):,} kB)"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
