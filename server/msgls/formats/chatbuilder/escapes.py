r"""Fences in a body: a backslash is before three or more backticks that start a line.

Owns that escape, both ways, and nothing else is one: reading takes away the backslash
right at the start of a line before such a run, writing puts it there.
"""

from collections.abc import Iterator

from msgls.text.lines import LINE_START
from msgls.text.patterns import lazy_pattern

_RUN = lazy_pattern(LINE_START + r"(?=```)")
_ESCAPED_RUN = lazy_pattern(LINE_START + r"\\(?=```)")
_RUN_LENGTH = lazy_pattern(r"`+")


def unescape(text: str) -> str:
    """What the body says."""
    return _ESCAPED_RUN.sub("", text) if "\\```" in text else text


def escape(text: str) -> str:
    """The body that says ``text``."""
    return _RUN.sub(r"\\", text) if "```" in text else text


def masked(text: str) -> str:
    """The same Markdown with every character in its place: a fence may be indented by a space."""
    return _ESCAPED_RUN.sub(" ", text) if "\\```" in text else text


def can_be_escaped(text: str) -> bool:
    """Whether reading gives ``text`` back: it removes a backslash that the text has itself."""
    return "\\```" not in text or _ESCAPED_RUN.search(text) is None


def unescaped_runs(text: str) -> Iterator[tuple[int, int]]:
    """Where the runs of backticks stand that have no backslash."""
    if "```" not in text:
        return
    for match in _RUN.finditer(text):
        run = _RUN_LENGTH.match(text, match.start())
        if run is not None:
            yield run.span()
