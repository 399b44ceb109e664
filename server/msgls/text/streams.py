"""What a program prints, as lines of text: without what is meant for a terminal.

Owns colours and other escape sequences, which are left out, and the carriage returns and
backspaces by which a progress bar writes over itself, which are followed.
"""

import re

from msgls.text.patterns import HALVES

# Sequences that end by a letter (colours, the cursor), those that end by a bell or a
# terminator (titles, links), and short ones.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|\x1b[ -/]*[0-OQ-WYZ`-~\\]"
)
# A sequence that more may come of.
_UNFINISHED = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*\Z|\x1b[\]PX^_][^\x07\x1b]*\x1b?\Z|\x1b[ -/]*\Z"
)
# What has no place in a text: other controls, and halves of characters.
_CONTROLS = re.compile("[\x00-\x07\x0e-\x1f\x7f]")
_LONGEST_ESCAPE = 4_096
LONGEST_LINE = 100_000


def plain(text: str) -> str:
    """A text without colours and other sequences for a terminal, and without controls."""
    if text.isascii() and text.isprintable():
        return text
    return HALVES.sub("\ufffd", _CONTROLS.sub("", _ESCAPES.sub("", text)))


def shown(line: str) -> str:
    """What is left of a line that carriage returns and backspaces wrote over."""
    if "\r" not in line and "\b" not in line:
        return line
    letters: list[str] = []
    at = 0
    for letter in line:
        if letter == "\r":
            at = 0
        elif letter == "\b":
            at = max(at - 1, 0)
        else:
            letters[at : at + 1] = letter
            at += 1
    return "".join(letters)


class Lines:
    """What one stream prints, cut into lines as it comes."""

    def __init__(self) -> None:
        self._held = ""
        """The start of an escape sequence."""
        self._line = ""
        """The line that is not complete, with what may still write over it."""
        self.is_cut = False
        """Whether the last of the lines given is the start of one that is too long to keep."""

    def take(self, text: str) -> list[str]:
        """The lines that are complete, now that ``text`` came."""
        text = self._held + text
        unfinished = _UNFINISHED.search(text, max(len(text) - _LONGEST_ESCAPE, 0))
        end = len(text) if unfinished is None else unfinished.start()
        text, self._held = plain(text[:end]), text[end:]
        *lines, rest = (self._line + text).split("\n")
        # What was written over will not come back.
        before, back, after = rest.rpartition("\r")
        self._line = shown(before) + back + after
        lines = [shown(line) for line in lines]
        self.is_cut = len(self._line) > LONGEST_LINE
        if self.is_cut:
            lines.append(self.finish())
        return lines

    @property
    def rest(self) -> str:
        """The line that is not complete, as it is so far."""
        return shown(self._line)

    def finish(self) -> str:
        """The line that is not complete, now that nothing follows."""
        rest, self._line = self.rest, ""
        return rest
