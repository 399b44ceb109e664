"""Moved files: which links must be updated so that they still lead to the same files.

Paths here are absolute and decoded, with slashes as in a URI; no file is looked up.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from urllib.parse import quote, unquote

from msgls.document.snapshot import Snapshot
from msgls.features.links import links
from msgls.text.spans import Edit

Move = Callable[[str], str]
"""Where a path is after the move: itself, if it stays."""


def moved_links(snapshot: Snapshot, path: str, move: Move) -> Iterator[Edit]:
    """The edits of a document at ``path``, which may be moved itself."""
    old_folder, new_folder = posixpath.dirname(path), posixpath.dirname(move(path))
    for placed, link in links(snapshot):
        target, mark, fragment = link.target.partition("#")
        if not target:
            continue
        written = unquote(target.replace("\\", "/"))
        led_to = posixpath.normpath(posixpath.join(old_folder, written))
        leads_to = move(led_to)
        if leads_to == led_to and old_folder == new_folder:
            continue
        span = link.span.shift(placed.start_offset)
        in_prose = link.span.start > 0 and placed.cell.text[link.span.start - 1] == "("
        new = _relative(leads_to, new_folder, target, in_prose) + mark + fragment
        if new != link.target:
            yield Edit(span, new)


def _relative(path: str, folder: str, before: str, in_prose: bool) -> str:
    """``path`` relative to ``folder``, in the same style as ``before``."""
    new = posixpath.relpath(path, folder)
    if before.startswith("./") and not new.startswith("."):
        new = f"./{new}"
    if before.endswith("/"):
        new += "/"
    # A link in the prose ends at a space or a bracket; an attribute holds a path as it is.
    return quote(new, safe="/:@!$&'*+,;=~-._") if in_prose and _is_special(new) else new


def _is_special(path: str) -> bool:
    return any(mark in path for mark in " ()<>\\\t%")


def mover(moves: list[tuple[str, str]]) -> Move:
    """Where paths are after files or folders were moved; the innermost moved folder counts."""
    ordered = sorted(moves, key=lambda pair: -len(pair[0]))

    def move(path: str) -> str:
        for old, new in ordered:
            if path == old:
                return new
            if path.startswith(f"{old}/"):
                return new + path[len(old) :]
        return path

    return move
