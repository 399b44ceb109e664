"""A new cell at the end of a message file: a message, or an agent's answer.

Owns the text of the new cell and the reasons why a file cannot take one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.appending import CannotAppend
from msgls.formats.base import Placed
from msgls.formats.msgmd import MSGMD, SectionedMessageFile
from msgls.formats.msgmd.content import (
    escape,
    open_fence,
    suppression_needed,
    trim_blank_lines,
)
from msgls.formats.msgmd.edits import insert_cell, is_open
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, TOOL, message_ids, next_free_id
from msgls.formats.msgmd.section import deepened, section_of
from msgls.text.spans import Edit, Span

_BREAK = re.compile(r"\r\n|\n|\r")
_AGENT = re.compile(r"(?:(?![\r\n])\s)*[^\[\]\s=\"][^\[\]\r\n=\"]*")


def check_agent(snapshot: Snapshot, name: str) -> None:
    """Raise ``CannotAppend`` if that is not a valid name for an agent."""
    check_name(name)


def check_name(name: str) -> None:
    """Raise ``CannotAppend`` if that is not a valid name for an agent."""
    if not _AGENT.fullmatch(name) or name == TOOL:
        raise CannotAppend("`{name}` is not a valid agent name", name=name)


def append_cell(snapshot: Snapshot, content: str, agent: str | None = None) -> Edit:
    """The edit that appends a cell with the next free id."""
    document = snapshot.document
    return appended(document, content, next_free_id(document), agent)


def appended(
    document: Document,
    content: str,
    cell_id: str,
    agent: str | None,
    attributes: str = "",
    after: Placed | None = None,
) -> Edit:
    """The edit that adds a cell after the last one, or ``after``. Raises ``CannotAppend``."""
    if agent is not None:
        check_name(agent)
    check_room(document)
    newline = document.newline
    ids = {*message_ids(document), cell_id}
    text = cell_text(content, cell_id, agent, ids, newline, attributes)
    if isinstance(document.format, SectionedMessageFile):
        text = _with_deep_headings(text)
    if not document.cell_count:
        return Edit(Span(0, 0), text)
    last = document.cell_number(document.cell_count - 1)
    after = after or last
    return insert_cell(document, after, text, is_last=after.label == last.label)


def makes_headings_deeper(document: Document, content: str) -> bool:
    """Whether the headings of that content are moved down when it becomes a cell."""
    text = cell_text(content, "x", None, ())
    is_sectioned = isinstance(document.format, SectionedMessageFile)
    return is_sectioned and _with_deep_headings(text) != text


def _with_deep_headings(text: str) -> str:
    """A cell with its headings moved down, so that none ends the section of the conversation."""
    cell = Document.open("", text, MSGMD)
    return cell.apply(list(deepened(cell.cell_number(0)))).text


def check_room(document: Document, after: Placed | None = None) -> None:
    """Raise ``CannotAppend`` if no cell can follow the last one, or ``after``."""
    section = section_of(document)
    if section is not None and not section.headings:
        raise CannotAppend("the section `{name}` is missing", name=section.name)
    if section is not None and section.record.end < len(document.store):
        raise CannotAppend("the section `{name}` is not the last one", name=section.name)
    if not document.cell_count:
        return
    last = after or document.cell_number(document.cell_count - 1)
    if last.cell.frontmatter is not None and not last.cell.frontmatter_closed:
        raise CannotAppend("its frontmatter is not closed")
    check_closed(document, last)


def check_closed(document: Document, placed: Placed) -> None:
    """Raise ``CannotAppend`` if a fence in a cell is open: it would swallow what follows."""
    if is_open(placed.cell):
        fence = placed.cell.fences[-1].span.shift(placed.start_offset)
        line = document.position_of(fence.start).line + 1
        raise CannotAppend("the fence that opens on line {line} is not closed", line=line)


def cell_text(
    content: str,
    cell_id: str,
    agent: str | None,
    ids: Collection[str],
    newline: str = "\n",
    attributes: str = "",
) -> str:
    """A cell with ``content``, escaped so that all of it is read as content."""
    percents = "%%" if agent is None else "%%%"
    definition = f"[^{cell_id}]: [{agent or MESSAGE_TYPES[0]}] {attributes}".rstrip(" ")
    blocks = [f"# {percents} [^{cell_id}]", definition, *_body(content, ids, newline)]
    return (newline + newline).join(blocks) + newline


def _body(content: str, ids: Collection[str], newline: str) -> Iterator[str]:
    body = escape(trim_blank_lines(content), ids)
    fence = open_fence(body)
    if fence:
        # Else the fence would swallow the next cell.
        body += "\n" + fence
    if comment := suppression_needed(body):
        yield comment
    if body:
        yield _BREAK.sub(lambda _: newline, body)


def body_text(
    document: Document, content: str, ids: Collection[str], newline: str, depth: int
) -> str:
    """``content``, escaped for a cell whose marker has ``depth`` ``#``."""
    body = (newline + newline).join(_body(content, ids, newline))
    if not isinstance(document.format, SectionedMessageFile):
        return body
    head = f"{'#' * depth} %%{newline}"
    return _with_deep_headings(head + body).removeprefix(head)
