"""Completion in the target of a Markdown link: paths, and headings of this file and of others.

The caller lists the files: nothing is opened here. A list opens by itself only after ``](``, and
after ``/`` and ``#`` in a target, so that none opens in prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from msgls.document.document import Document
from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.linking import takes_links
from msgls.formats.prose import headings, is_relative, slug
from msgls.text.spans import Edit, Span

OPENERS = ("(", "/", "#")
_TARGET = re.compile(r"(?<!\\)\]\((?P<angle><?)(?P<typed>[^()<>\s\\]*)\Z")
# What follows the cursor is part of the target only if the link is closed after it.
_REST = re.compile(r"[^()<>\s\\]*(?=[)>])")
_MOST_HEADINGS = 1_000
# Headings of a larger text are not offered: there are too many to choose from.
_LARGEST_TEXT = 5_000_000


class Nearby(NamedTuple):
    """The files around a document."""

    listing: Callable[[str], Sequence[str]]
    """The names in a folder, those of folders with a slash at the end."""
    headings: Callable[[str], Sequence[str]]
    """The headings of a file."""
    all_headings: Callable[[], Iterable[tuple[str, str]]]
    """The headings of all other files, each with its path."""


def complete_link(document: Document, offset: int, nearby: Nearby) -> Completions | None:
    """The suggestions in the target of a link; ``None`` if ``offset`` is not in one."""
    found = _target_at(document, offset)
    if found is None:
        return None
    typed, rest = found
    path, mark, fragment = typed.partition("#")
    if mark:
        start = offset - len(fragment)
        span = Span(start, offset + len(rest))
        if not path and fragment.startswith("#"):
            return Completions(tuple(_everywhere(span, nearby)))
        titles = nearby.headings(unquote(path)) if path else _own_headings(document)
        return Completions(tuple(_headings(span, titles)))
    if path and not is_relative(path):
        return Completions()
    folder, slash, name = path.rpartition("/")
    # What follows the cursor belongs to the name up to the next folder or heading.
    rest = re.split(r"[/#]", rest, maxsplit=1)[0]
    span = Span(offset - len(name), offset + len(rest))
    return Completions(tuple(_paths(span, nearby.listing(unquote(folder + slash)))))


def opens_link(document: Document, offset: int, character: str) -> bool:
    """Whether a list may open by itself after ``character`` was typed right before ``offset``."""
    found = _target_at(document, offset) if character in OPENERS else None
    if found is None:
        return False
    typed = found[0]
    # Not in a URL: there is nothing to offer after its slashes.
    return is_relative(typed.partition("#")[0]) if typed.strip("#") else typed in ("", "#", "##")


def _target_at(document: Document, offset: int) -> tuple[str, str] | None:
    """The target of the link around the cursor: what is before the cursor, and what is after."""
    line, column = document.position_of(offset)
    text = document.store.line_text(line)
    match = _TARGET.search(text, 0, column)
    if match is None or match.end() != column:
        return None
    if not takes_links(document, offset - column + match.start()):
        return None
    rest = _REST.match(text, column)
    return match.group("typed"), "" if rest is None else rest.group()


def _own_headings(document: Document) -> list[str]:
    return headings(document.text) if len(document.store) <= _LARGEST_TEXT else []


def _paths(span: Span, names: Iterable[str]) -> Iterator[Item]:
    yield Item("../", ItemKind.FOLDER, Edit(span, "../"))
    for name in names:
        kind = ItemKind.FOLDER if name.endswith("/") else ItemKind.FILE
        yield Item(name, kind, Edit(span, quote(name, safe="/!$&'*+,;=:@~")))


def _headings(span: Span, titles: Iterable[str]) -> Iterator[Item]:
    seen: dict[str, int] = {}
    for title in list(titles)[:_MOST_HEADINGS]:
        name = slug(title)
        number = seen[name] = seen.get(name, -1) + 1
        name = f"{name}-{number}" if number else name
        if name:
            yield Item(name, ItemKind.HEADING, Edit(span, name), title)


def _everywhere(span: Span, nearby: Nearby) -> Iterator[Item]:
    """The headings of all files: `##` is replaced by the path."""
    whole = Span(span.start - 1, span.end)
    for number, (path, title) in enumerate(nearby.all_headings()):
        if number >= _MOST_HEADINGS:
            return
        text = f"{quote(path, safe='/')}#{slug(title)}"
        yield Item(title, ItemKind.HEADING, Edit(whole, text), path, filter_text=f"##{title}")
