"""Output for a terminal: colours, widths, and text without control characters.

Owns the decision whether there are colours, the width of a text in columns, and how a line from a
file is made harmless and cut to fit.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TextIO

Paint = Callable[[str, str], str]

DEFAULT_WIDTH = 80
# How many characters one column may take, with all combining marks.
_MOST_TO_A_COLUMN = 16
TAB_WIDTH = 4
ELLIPSIS = "…"
_NARROWEST = 8
# Between the columns of a table.
_GAP = "  "
_LEAST_COLUMNS = 20

# The start of a command in the log of GitHub, Azure or TeamCity: at the start of a line, or
# anywhere in it.
COMMAND = re.compile(r"\A\s*::|##(?=\[|vso\[|teamcity\[)")
# What stands at the end of a text, and may be the start of one.
_MAY_BEGIN = re.compile(r"(?:#{1,2}[a-z]{0,8}|(?<!:):|\r)\Z")
_LONGEST_START = 10
# The same characters in full width.
_INERT = {":": "\uff1a", "#": "\uff03"}
# Format characters that reorder or hide what is around them.
_TRICKS = frozenset(
    [
        *(0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0xFEFF),
        *range(0x2028, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xE0000, 0xE0080),
    ]
)

# A Chinese character, or a run of others, with opening marks before and closing marks after it.
_WIDE = "\u2e80-\u9fff\uff00-\uffef"
_OPENING, _CLOSING = "\uff08\u300c", "\uff09\u300d\uff0c\u3002\uff1a\uff1b\u3001\uff1f\uff01"
_PIECES = re.compile(f"[{_OPENING}]*(?:[^{_WIDE}]+|[{_WIDE}])[{_CLOSING}]*")


def wants_colour(stream: TextIO) -> bool:
    """Whether to colour a stream; respects ``NO_COLOR`` and ``FORCE_COLOR``."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    if forced:
        return forced not in ("0", "false")
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def painter(stream: TextIO) -> Paint:
    """A function that colours a text in a style such as ``bold red``, or leaves it as it is."""
    if not wants_colour(stream):
        return lambda text, style: text
    from rich.color import ColorSystem
    from rich.style import Style

    def paint(text: str, style: str) -> str:
        return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)

    return paint


def columns(stream: TextIO) -> int:
    """How many characters a line has: ``COLUMNS``, else the terminal's own, else 80."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return max(int(told), _LEAST_COLUMNS)
    try:
        # shutil would take longer to load than all of this module.
        told_by_terminal = os.get_terminal_size(stream.fileno()).columns
        # A terminal of unknown size reports 0.
        return max(told_by_terminal or DEFAULT_WIDTH, _LEAST_COLUMNS)
    except (OSError, ValueError, AttributeError):
        return DEFAULT_WIDTH


def width(text: str) -> int:
    """How many columns a harmless text takes."""
    if text.isascii():
        return len(text)
    import wcwidth

    return max(wcwidth.wcswidth(text), 0)


def harmless(text: str) -> str:
    """``text`` with tabs as spaces, and control characters replaced by visible ones.

    Text that a CI log would read as a command is changed, too.
    """
    text = _without_commands(text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_harmless_character, text))


def _without_commands(text: str) -> str:
    """``text``, as long as before, with another sign where a CI log would read a command."""
    if "::" in text or "##" in text:
        return COMMAND.sub(lambda found: found[0][:-1] + _INERT[found[0][-1]], text)
    return text


class HarmlessStream:
    """Makes a text harmless that comes in parts; a command of a CI log may begin in one of them."""

    def __init__(self) -> None:
        self._held = ""
        self._is_begun = False
        """Whether the line shown last has more than blanks."""

    def take(self, text: str, *, is_last: bool = False) -> str:
        """What can be shown after another part: all but what may be the start of a command."""
        text = self._held + text
        # Few characters decide, and a text may be long.
        found = None if is_last else _MAY_BEGIN.search(text, max(len(text) - _LONGEST_START, 0))
        end = len(text) if found is None else found.start()
        self._held = text[end:]
        first, *others = text[:end].replace("\r\n", "\n").split("\n")
        # No command begins in the middle of a line by two colons.
        shown = harmless("." + first)[1:] if self._is_begun else harmless(first)
        last = others[-1] if others else first
        self._is_begun = bool(last.strip()) or (self._is_begun and not others)
        return "\n".join([shown, *map(harmless, others)])


def _harmless_character(character: str) -> str:
    code = ord(character)
    if character == "\t":
        return " " * TAB_WIDTH
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0x80 <= code < 0xA0 or 0xD800 <= code < 0xE000:
        return "\ufffd"
    if code == 0xFEFF:
        return ""
    return "\ufffd" if code in _TRICKS else character


def underlined(line: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """A line, cut to ``room`` columns around ``line[start:end]``.

    Returns the text, the number of columns before the range, and the width of the range.
    """
    # Only the part of a long line that may be shown is looked at: a line may have many problems.
    reach = _MOST_TO_A_COLUMN * room
    first, last = max(start - reach, 0), min(end, start + reach)
    # Looked at as a whole: a command may begin before the range, and end in it or after it.
    seen = _without_commands(line[first : last + reach])
    before, inside = harmless(seen[: start - first]), harmless(seen[start - first : last - first])
    after = harmless(seen[last - first :] if last == end else line[end : end + reach])
    if width(before + inside + after) <= room:
        return before + inside + after, width(before), max(width(inside), 1)
    # The text before gets up to half of the rest, more if there is little text after.
    inside = _head(inside, room - 2)
    left = max(room - width(inside) - 2, 0)
    lead = _tail(before, max(left // 2, left - width(after)))
    rest = _head(after, room - width(lead) - width(inside))
    return lead + inside + rest, width(lead), max(width(inside), 1)


def _head(text: str, room: int) -> str:
    """The start of a text in at most ``room`` columns."""
    if width(text) <= room:
        return text
    return "".join(_fitting(_clusters(text), room)) + ELLIPSIS if room > 0 else ""


def _tail(text: str, room: int) -> str:
    """The end of a text in at most ``room`` columns."""
    if width(text) <= room:
        return text
    kept = _fitting(reversed(_clusters(text)), room)
    return ELLIPSIS + "".join(reversed(kept)) if room > 0 else ""


def _fitting(clusters: Iterable[str], room: int) -> list[str]:
    """The first clusters, as many as leave one column of ``room``."""
    kept, used = [], 0
    for cluster in clusters:
        used += width(cluster)
        if used >= room:
            break
        kept.append(cluster)
    return kept


def _clusters(text: str) -> Sequence[str]:
    """The grapheme clusters of a text, each of which is shown as one character."""
    if text.isascii():
        return text
    import wcwidth

    return list(wcwidth.iter_graphemes(text))


def clipped(text: str, room: int) -> str:
    """A text made harmless, and cut to ``room`` columns."""
    return _head(harmless(text), room)


def wrapped(text: str, room: int, indent: str = "  ") -> str:
    """A text broken between words, so that no line takes more than ``room`` if it can."""
    lines, line = [], ""
    for gap, word in _words(text):
        longer = f"{line}{gap}{word}" if line.strip() else line + word
        if line.strip() and width(longer) > room:
            lines.append(line)
            longer = indent + word
        line = longer
    return "\n".join([*lines, line])


def _words(text: str) -> Iterator[tuple[str, str]]:
    """The pieces between which a line may be broken, each with the space before it, if any.

    Chinese has no spaces; a line may end after any of its characters, but must not begin with a
    closing mark.
    """
    for word in text.split(" "):
        pieces = [word] if word.isascii() else _PIECES.findall(word)
        yield " ", pieces[0]
        for piece in pieces[1:]:
            yield "", piece


def table(rows: Iterable[Sequence[str]], room: int, first_cut: Sequence[int] = (-1,)) -> list[str]:
    """Rows in columns that together take at most ``room``.

    The columns ``first_cut`` are cut, the widest of them first, and then the widest of all.
    """
    rows = [[harmless(cell) for cell in row] for row in rows]
    widths = [max(map(width, cells)) for cells in zip(*rows, strict=True)]
    excess = sum(widths) + len(_GAP) * (len(widths) - 1) - room
    for columns_to_cut in (first_cut, range(len(widths))):
        while excess > 0:
            widest = max(columns_to_cut, key=widths.__getitem__)
            if widths[widest] <= _NARROWEST:
                break
            widths[widest] -= 1
            excess -= 1
    lines = []
    for row in rows:
        cells = [_head(cell, wide) for cell, wide in zip(row, widths, strict=True)]
        padded = [c + " " * (wide - width(c)) for c, wide in zip(cells, widths, strict=True)]
        lines.append(_GAP.join(padded).rstrip())
    return lines


def print_table(rows: Iterable[Sequence[str]], first_cut: Sequence[int] = (-1,)) -> None:
    """Print rows in columns, as wide as the terminal."""
    for line in table(rows, columns(sys.stdout), first_cut):
        print(line)
