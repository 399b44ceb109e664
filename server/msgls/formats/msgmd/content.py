r"""The content of a cell as plain text: what is blank, escaped or fenced in it.

Owns the few rules that readers and writers must agree on, as functions of the
text alone: whatever is read out of a content is read the same once that content
is in a cell again.
"""

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from msgls.formats.msgmd.cells import parse_cell
from msgls.formats.msgmd.definitions import parse_definition
from msgls.formats.msgmd.lexer import NORMAL, lex
from msgls.syntax.cells import Cell, Fence
from msgls.text.lines import LINE_START, line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

BLANK = " \t\r\n"
SUPPRESSION_MARK = "msgls:"
"""Every suppression comment contains this."""

# A line that is a marker, a definition or a suppression comment, or would be one without its
# backslashes. One backslash before a `\]` is what Markdown formatters leave behind: such a line
# is a damaged definition, and nobody escaped it.
_ESCAPABLE = lazy_pattern(
    LINE_START + r"(?:"
    r"(?P<marker>\\*)(?=\#+[ \t]+%%)"
    r"|[ ]{0,3}(?P<definition>\\*)(?=\[\^(?P<id>[^\[\]\r\n]*)(?<!\\)\]:)"
    r"|[ ]{0,3}(?P<damaged>\\*)(?=\\\[\^[^\[\]\r\n]*\\\]:)"
    r"|[ ]{0,3}(?P<unclosed>\\*)(?=\[\^[^\[\]\s:]+:[ \t]*\[[^\[\]=\r\n]+\](?:[ \t\r\n]|\Z))"
    r"|[ \t]*(?P<comment>\\*)(?=<!--[ \t]*msgls:)"
    r")"
)
_NEXT_BREAK = lazy_pattern(r"[\r\n]")
_LEADING_BLANK_LINES = lazy_pattern(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_FENCE_RUN = lazy_pattern(r"`+|~+")
_FIRST_WORD = lazy_pattern(r"[^ \t]*")


def trim_blank_lines(text: str) -> str:
    """``text`` without leading and trailing blank lines, and without its last line break."""
    match = _LEADING_BLANK_LINES.match(text)
    start = 0 if match is None else match.end()
    # Only what is blank at the end is cut into lines.
    visible_end = len(text.rstrip(BLANK))
    if visible_end <= start:
        return ""
    first_break = _NEXT_BREAK.search(text, visible_end)
    return text[start : len(text) if first_break is None else first_break.start()]


# ---------------------------------------------------------------------------
# Escapes


def escape_offsets(cell: Cell) -> Iterator[int]:
    """Where the backslashes stand that make a line of a cell content."""
    text = cell.text
    if "\\#" not in text and "\\[^" not in text and "\\<" not in text:
        return
    for match in _outside(_ESCAPABLE.finditer(text), [fence.span for fence in cell.fences]):
        if _is_escaped(match):
            yield match.end() - 1


def _is_escaped(match: re.Match[str]) -> bool:
    return any(match.group("marker", "definition", "damaged", "unclosed", "comment"))


def escape(content: str, ids: Container[str]) -> str:
    """``content`` with a backslash before every line that a reader would take for more.

    A footnote of the prose is left alone unless its id is one of ``ids``, those of cells.
    """
    return escape_lines(content, ids, NORMAL) if _may_need_escape(content) else content


def escape_lines(lines: str, ids: Container[str], state: str) -> str:
    """``escape`` for lines in the middle of a content, read in the state that they stand in."""
    if not _may_need_escape(lines):
        return lines
    pieces: list[str] = []
    done = 0
    for match in _outside(_ESCAPABLE.finditer(lines), _fenced(lines, state)):
        if _needs_escape(lines, match, ids):
            pieces += lines[done : match.end()], "\\"
            done = match.end()
    pieces.append(lines[done:])
    return "".join(pieces)


def _may_need_escape(lines: str) -> bool:
    return "[^" in lines or "%%" in lines or SUPPRESSION_MARK in lines


def state_after(lines: str, state: str) -> str:
    """The state that the line after some lines is read in: inside a fence, or not."""
    return lex(lines).exit(state)


def _fenced(lines: str, state: str) -> list[Span]:
    """The fenced blocks of some lines, or what of them lies there."""
    return [
        Span(
            run.content_start if run.opening is None else run.opening.start,
            run.content_end if run.closing is None else run.closing.end,
        )
        for run in lex(lines).walk(state).fences
    ]


def _needs_escape(content: str, match: re.Match[str], ids: Container[str]) -> bool:
    if match["marker"] is not None or match["comment"] is not None or _is_escaped(match):
        return True
    if match["id"] in ids:
        return True
    definition = parse_definition(content, *line_bounds(content, match.end()))
    if definition is None:
        return False
    # A cell that has no definition of its own is hidden by one with a mistake.
    return definition.is_typed or (definition.is_meant and bool(definition.marks))


def _outside(matches: Iterator[re.Match[str]], fences: Sequence[Span]) -> Iterator[re.Match[str]]:
    number = 0
    for match in matches:
        while number < len(fences) and fences[number].end <= match.start():
            number += 1
        if number == len(fences) or match.start() < fences[number].start:
            yield match


def suppression_needed(content: str) -> str:
    """The comment that suppresses rules about lines of an escaped content that look like mistakes.

    They are nearly the header of a cell, or look like what a merge left behind.
    """
    if "%%" not in content and "\uff05" not in content and "<<<<<<<" not in content:
        return ""
    cell = parse_cell([(lex(f"# %%\n\n{content}"), NORMAL)], with_headings=False)
    codes = ["MSG106"] if cell.near_misses else []
    codes += ["MSG112"] if any(line.mark == "<" for line in cell.conflicts) else []
    return f"<!-- msgls: ignore {' '.join(codes)} -->" if codes else ""


# ---------------------------------------------------------------------------
# Fences


def fences_of(content: str) -> tuple[Fence, ...]:
    """The fenced blocks of a content."""
    if "```" not in content and "~~~" not in content:
        return ()
    # In one piece: a marker that lacks its backslash as yet is a line like any other.
    return parse_cell([(lex(content), NORMAL)], with_headings=False).fences


def open_fence(content: str) -> str:
    """The line that would close the fence which ``content`` leaves open, if it does.

    A fence in a list item ends with the item, and so with the cell.
    """
    fences = fences_of(content)
    if not fences or fences[-1].close is not None or fences[-1].in_list:
        return ""
    return fences[-1].fence.of(content)


class Code(NamedTuple):
    """A code cell's content, taken apart."""

    block: str
    """The first fenced block, fences included."""
    language: str
    reasoning: str
    """The prose before and after it."""


def read_code(content: str) -> Code | None:
    """Take a code cell's content apart; nothing where it has no block."""
    fences = fences_of(content)
    if not fences:
        return None
    fence = fences[0]
    word = _FIRST_WORD.match(fence.info.of(content))
    prose = content[: fence.span.start], content[fence.span.end :]
    return Code(
        trim_blank_lines(fence.span.of(content)),
        word.group() if word else "",
        "\n\n".join([text for text in map(trim_blank_lines, prose) if text]),
    )


def write_code(block: str, reasoning: str) -> str:
    """The content that reads as this block and this reasoning."""
    if not reasoning:
        return block
    # The first block of all is the code: prose with a block of its own must follow it.
    before, after = f"{reasoning}\n\n{block}", f"{block}\n\n{reasoning}"
    read = read_code(before)
    return before if read is not None and read.block == block else after


class CallBody(NamedTuple):
    """A tool call's content, taken apart."""

    xml: str
    fence: str
    """The opening line of the fence around the XML; empty where it is bare."""


def read_call(content: str) -> CallBody:
    """The XML of a tool call, bare or inside the one fence that is all of its content."""
    fences = fences_of(content)
    if len(fences) == 1:
        fence = fences[0]
        whole = fence.span.start == 0 and fence.span.end == len(content)
        if whole and fence.close is not None and not fence.in_list:
            run, info = fence.fence.of(content), fence.info.of(content)
            apart = " " if info.startswith(run[0]) else ""
            return CallBody(trim_blank_lines(fence.content.of(content)), run + apart + info)
    return CallBody(content, "")


def write_call(xml: str, fence: str) -> str:
    """The content that reads as ``xml``, in a fence that opens like ``fence`` if it can."""
    if fence:
        run = _FENCE_RUN.match(fence)
        content = f"{fence}\n{xml}\n{run.group() if run else ''}"
        if read_call(content) == (xml, fence):
            return content
    return xml if read_call(xml).xml == xml else wrap_call(xml)


def wrap_call(xml: str) -> str:
    """``xml`` inside a fence that nothing in it closes, and that closes whatever it opens."""
    longest = max((len(run) for run in re.findall("`+", xml)), default=0)
    run = "`" * max(3, longest + 1)
    return f"{run}xml\n{xml}\n{run}"
