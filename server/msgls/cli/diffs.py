"""Unified diffs, in the form that ``patch`` reads."""

from typing import TextIO

from msgls.cli.terminal import harmless
from msgls.text.linediff import split_lines, unified_diff
from msgls.text.patterns import lazy_pattern

_ODD = lazy_pattern(r'[\x00-\x1f"\x7f]')
_ESCAPED = lazy_pattern(r'[\x00-\x1f"\\\x7f]')


def diff(path: str, before: str, after: str) -> str:
    """The unified diff of a file."""
    lines = unified_diff(split_lines(before), split_lines(after), _quoted(path))
    return "".join([_ended(line) for line in lines])


def write_diff(out: TextIO, path: str, before: str, after: str) -> None:
    """Write a diff: unchanged for a program, without control characters for a terminal."""
    text = diff(path, before, after)
    if out.isatty():
        text = "".join([harmless(line) + "\n" for line in text.removesuffix("\n").split("\n")])
    out.write(text)


def _quoted(path: str) -> str:
    """A file name, quoted as git does in a diff: on one line, whatever characters are in it."""
    if not _ODD.search(path):
        return path
    return '"' + _ESCAPED.sub(lambda match: f"\\{ord(match.group()):03o}", path) + '"'


def _ended(line: str) -> str:
    return line if line.endswith(("\n", "\r")) else line + "\n\\ No newline at end of file\n"
