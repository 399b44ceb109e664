"""A new message at the end of a Simple Text Format file: the user's, or an agent's answer."""

from __future__ import annotations

import re

from msgls.document.snapshot import Snapshot
from msgls.features.appending import CannotAppend
from msgls.features.stf.cells import gap_before
from msgls.features.stf.meaning import cell_of, line_break_in, prefix_in
from msgls.features.stf.pasting import escaped
from msgls.formats.stf.arguments import write_arguments
from msgls.text.spans import Edit, Span

_BREAK = re.compile(r"\r\n|\n|\r")
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def check_agent(snapshot: Snapshot, name: str) -> None:
    """Raise ``CannotAppend`` where no agent can be called that."""
    if not name.strip(" ") or _UNFIT.search(name):
        raise CannotAppend("`{name}` is not a valid agent name", name=name)


def append_cell(snapshot: Snapshot, content: str, agent: str | None = None) -> Edit:
    """Put a message behind the last one."""
    document = snapshot.document
    if agent is not None:
        check_agent(snapshot, agent)
    prefix, newline = prefix_in(document), line_break_in(document)
    at = len(document.store)
    last = document.cell_number(document.cell_count - 1) if document.cell_count else None
    cell = cell_of(last)
    if last is not None and cell is not None and cell.walk.open_comments:
        opening = last.start_offset + cell.walk.open_comments[0].start
        line = document.position_of(opening).line + 1
        raise CannotAppend("the comment that opens on line {line} is not closed", line=line)
    head = f"{prefix}user" if agent is None else f"{prefix}ai{write_arguments({'name': agent})}"
    body = _BREAK.sub("\n", content).strip("\n")
    lines = [head, *escaped(body, (prefix,)).split("\n")] if body else [head]
    gap = gap_before(document, at, newline)
    return Edit(Span(at, at), gap + newline.join(lines) + newline)
