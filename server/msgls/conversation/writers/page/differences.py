"""Differences of files: line by line, with signs, in colour."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from msgls.conversation.writers.page.elements import Safe, element, joined

_BREAK = re.compile(r"\r\n?")
# The format in which aider and others write edits in their answers.
_SEARCH = re.compile(r"<{5,9} SEARCH\b")
_MIDDLE = re.compile(r"={5,9}[ \t]*$")
_REPLACE = re.compile(r">{5,9} REPLACE\b")
# Comparing two texts takes time proportional to the product of their lines, at worst.
_MOST_COMPARED = 1_000_000
_CONTEXT = 3
_CHANGED = {"+": "ins", "-": "del"}


class Edit(NamedTuple):
    """A change to a file: a text and its replacement."""

    path: str
    before: str
    after: str


def edits_in(text: str) -> Safe | None:
    """The edits in a text, if it consists of search-and-replace blocks only."""
    edits: list[Edit] = []
    before: list[str] = []
    after: list[str] | None = None
    is_open = False
    for line in _BREAK.sub("\n", text).split("\n"):
        if not is_open:
            if line.strip() and not _SEARCH.match(line):
                return None
            is_open, before, after = bool(line.strip()), [], None
        elif after is None:
            if _MIDDLE.match(line):
                after = []
            else:
                before.append(line)
        elif _REPLACE.match(line):
            edits.append(Edit("", "\n".join(before), "\n".join(after)))
            is_open = False
        else:
            after.append(line)
    return joined([difference(edit) for edit in edits]) if edits and not is_open else None


def difference(edit: Edit) -> Safe:
    """An edit, line by line."""
    before, after = [_BREAK.sub("\n", text).split("\n") for text in (edit.before, edit.after)]
    return changes(list(_compared(before, after)), edit.path)


def _compared(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """The lines of the difference of two texts, each with its sign."""
    if len(before) * len(after) > _MOST_COMPARED:
        yield from [f"-{line}" for line in before]
        yield from [f"+{line}" for line in after]
        return
    opcodes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for number, (what, start, end, other_start, other_end) in enumerate(opcodes):
        if what == "equal":
            is_last = number == len(opcodes) - 1
            yield from _context(before[start:end], number == 0, is_last)
            continue
        yield from [f"-{line}" for line in before[start:end]]
        yield from [f"+{line}" for line in after[other_start:other_end]]


def _context(lines: Sequence[str], is_first: bool, is_last: bool) -> Iterator[str]:
    """Unchanged lines, shortened to those next to a change."""
    head = 0 if is_first else _CONTEXT
    tail = 0 if is_last else _CONTEXT
    if len(lines) <= head + tail + 1:
        yield from [f" {line}" for line in lines]
        return
    yield from [f" {line}" for line in lines[:head]]
    yield "…"
    yield from [f" {line}" for line in lines[len(lines) - tail :]]


def changes(lines: Sequence[str], path: str) -> Safe:
    """The lines of a difference, changed ones in colour."""
    ends = ["\n"] * (len(lines) - 1) + [""]
    shown = [
        element(_CHANGED[line[0]], line + end) if line[:1] in _CHANGED else line + end
        for line, end in zip(lines, ends, strict=True)
    ]
    label = f"Changes: {path}" if path else "Changes"
    return element("pre", *shown, class_="diff", tabindex="0", role="group", aria_label=label)
