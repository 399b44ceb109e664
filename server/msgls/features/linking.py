"""Links that a paste or a drop inserts: a URL over selected words, or links to files.

Paths here are absolute and decoded, with slashes as in a URI; no file is looked up.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from urllib.parse import quote

from msgls.document.document import Document
from msgls.formats.prose import is_code, is_fenced
from msgls.text.spans import Span

_ADDRESS = re.compile(r"(?:https?|ftps?|mailto|file|vscode):\S+", re.IGNORECASE)
_IMAGE = re.compile(r"\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)\Z", re.IGNORECASE)
# What ends a target, or has a meaning in it; everything else is not escaped, to stay readable.
_SPECIAL = re.compile(r"[%\s()<>\\?#]")


def link_over(document: Document, span: Span, address: str) -> str | None:
    """The words in ``span`` as a link to an address; ``None`` if they cannot be a link."""
    words, address = document.store.slice(span), address.strip()
    if not words.strip() or re.search(r"[\r\n\[\]]", words) or _ADDRESS.fullmatch(words.strip()):
        return None
    line, column = document.position_of(span.start)
    _, is_target, target = document.store.line_text(line)[:column].rpartition("](")
    if not _ADDRESS.fullmatch(address) or (is_target and ")" not in target):
        return None
    return _link(words, address) if takes_links(document, span.start) else None


def links_to(document: Document, offset: int, path: str, files: Iterable[str]) -> str | None:
    """Links from a document at ``path`` to files; ``None`` where they would be code."""
    if not takes_links(document, offset):
        return None
    return " ".join([_file_link(posixpath.dirname(path), file) for file in files])


def takes_links(document: Document, offset: int) -> bool:
    """Whether a link at ``offset`` is one: in Markdown, but not in code."""
    line, column = document.position_of(offset)
    placed = document.cell_at_offset(offset)
    if not document.format.holds_markdown or is_code(document.store.line_text(line), column):
        return False
    return not (placed and is_fenced(placed.cell, offset - placed.start_offset))


def _file_link(folder: str, file: str) -> str:
    target = _SPECIAL.sub(lambda mark: quote(mark[0]), posixpath.relpath(file, folder))
    return (
        f"!{_link('', target)}" if _IMAGE.search(file) else _link(posixpath.basename(file), target)
    )


def _link(text: str, target: str) -> str:
    if re.search(r"[()<>\s]", target):
        target = f"<{target.replace('<', '%3C').replace('>', '%3E')}>"
    return f"[{text}]({target})"
