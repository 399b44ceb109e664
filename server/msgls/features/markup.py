r"""Formatted text for the user: written as Markdown or as plain text, in a language.

A run of text that is a ``Phrase`` is this program's: it is translated, and what its backticks
enclose is code. Any other text is shown as it is.

Owns the escaping. Text from a file is never read as Markdown: a run of plain text is escaped, a
name is in a code span, a longer piece in a code block, so that no link, image or HTML in it is
rendered. Only ``Written`` is Markdown as it is, and only for text that is part of this program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from string import Formatter
from typing import NamedTuple

from msgls.text.patterns import HALVES
from msgls.text.phrases import Phrase
from msgls.text.translation import ENGLISH, say, template_in

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]+")
_BLANKS = re.compile(r"[ \t\r\n]+")
_BACKTICKS = re.compile(r"`+")
# All that Markdown interprets inside a line, and what makes a bare address a link: the colon in
# `https://`, the dot in `www.`, the `@` in a mail address.
_SPECIAL = re.compile(r"[\\`*_\[\]<>&~#|!@$]|:(?=//)|(?<=[wW])\.")
_AT_START = re.compile(r"\A(?:(?:[-+]|[0-9]+[.)])(?=[ \t])|=+\Z|-+\Z)")


class Code(NamedTuple):
    """A name, as it is written in a file."""

    text: str


class Strong(NamedTuple):
    """Emphasised text."""

    text: str


class Link(NamedTuple):
    """An address that this program knows itself."""

    text: str
    url: str


Run = str | Code | Strong | Link


class Paragraph(NamedTuple):
    """Runs of text, one after the other."""

    runs: tuple[Run, ...]


class Item(NamedTuple):
    """A point of a list."""

    runs: tuple[Run, ...]


class Block(NamedTuple):
    """A piece of a file, shown verbatim."""

    text: str
    language: str = ""


class Written(NamedTuple):
    """Markdown that is part of this program, with nothing from a file in it."""

    markdown: str


Part = Paragraph | Item | Block | Written
_Write = Callable[[Part], str]


def paragraph(*runs: Run) -> Paragraph:
    """A paragraph in one line."""
    return Paragraph(runs)


def item(*runs: Run) -> Item:
    """A point in one line."""
    return Item(runs)


_COMMA = Phrase(", ")


def joined(runs: Iterable[Run], separator: str = _COMMA) -> list[Run]:
    """``runs`` with a separator between them."""
    found: list[Run] = []
    for run in runs:
        if found:
            found.append(separator)
        found.append(run)
    return found


def markdown(parts: Iterable[Part], language: str = ENGLISH) -> str:
    """``parts`` as Markdown."""
    return _lay_out(parts, partial(_markdown_part, language=language), "- ")


def plain(parts: Iterable[Part], language: str = ENGLISH) -> str:
    """``parts`` as plain text."""
    return _lay_out(parts, partial(_plain_part, language=language), "• ")


def escape(text: str) -> str:
    """``text`` escaped, so that Markdown shows exactly that, on one line."""
    text = _SPECIAL.sub(lambda match: "\\" + match.group(), one_line(text))
    return _AT_START.sub(lambda match: match.group()[:-1] + "\\" + match.group()[-1], text, 1)


def code_span(text: str) -> str:
    """``text`` in a code span, whatever backticks it holds."""
    text = one_line(text)
    if not text:
        return ""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def code_block(text: str, language: str = "") -> str:
    """``text`` in a fenced block, whatever fences it holds."""
    text = _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}{language}\n{text}\n{fence}"


def one_line(text: str) -> str:
    """``text`` without line breaks and control characters."""
    return _BLANKS.sub(" ", _CONTROL.sub(" ", text))


def _lay_out(parts: Iterable[Part], write: _Write, bullet: str) -> str:
    pieces: list[str] = []
    in_list = False
    for part in parts:
        is_item = isinstance(part, Item)
        if pieces:
            pieces.append("\n" if in_list and is_item else "\n\n")
        pieces.append((bullet if is_item else "") + write(part))
        in_list = is_item
    # A client may refuse a response that contains half of a surrogate pair.
    return HALVES.sub("\ufffd", "".join(pieces))


def _markdown_part(part: Part, language: str) -> str:
    if isinstance(part, Block):
        return code_block(part.text, part.language)
    if isinstance(part, Written):
        return say(part.markdown, language)
    return "".join([_markdown_run(run, language) for run in _translated(part.runs, language)])


def _markdown_run(run: Run, language: str) -> str:
    if isinstance(run, str):
        return escape(run)
    if isinstance(run, Code):
        return code_span(run.text)
    said = escape(say(run.text, language))
    return f"[{said}]({run.url})" if isinstance(run, Link) else f"**{said}**"


def _plain_part(part: Part, language: str) -> str:
    if isinstance(part, Block):
        return "\n".join("    " + line for line in part.text.split("\n"))
    if isinstance(part, Written):
        return say(part.markdown, language)
    return "".join([_plain_run(run, language) for run in _translated(part.runs, language)])


def _plain_run(run: Run, language: str) -> str:
    if isinstance(run, Link):
        return f"{say(run.text, language)}: {run.url}"
    return one_line(run if isinstance(run, str) else say(run.text, language))


# -- phrases ------------------------------------------------------------------------------


def _translated(runs: Iterable[Run], language: str) -> Iterator[Run]:
    """``runs`` with each phrase in ``language``."""
    for run in runs:
        if isinstance(run, Phrase):
            yield from _runs_of(run, language)
        else:
            yield run


def _runs_of(phrase: Phrase, language: str) -> Iterator[Run]:
    """A phrase as runs: only its own backticks make code, not those in its arguments."""
    text, is_code = "", False
    for piece, is_own in _pieces(phrase, language):
        first, *others = piece.split("`") if is_own else [piece]
        text += first
        for other in others:
            yield Code(text) if is_code else text
            text, is_code = other, not is_code
    yield text


def _pieces(phrase: Phrase, language: str) -> Iterator[tuple[str, bool]]:
    """The texts that a phrase is made of, and whether each is the program's own."""
    template = template_in(phrase, language)
    if not phrase.args:
        yield template, True
        return
    for own, name, form, _ in Formatter().parse(template):
        yield own, True
        value = "" if name is None else phrase.args[name]
        if isinstance(value, Phrase):
            yield from _pieces(value, language)
        else:
            yield format(value, form or ""), False
