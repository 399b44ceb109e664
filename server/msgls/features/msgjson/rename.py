"""Rename in messages and deltas: the id of a tool call, in its run, wherever it is named."""

from __future__ import annotations

import re
from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.msgjson.calls import Said, id_span, occurrences, parse_errors, said_at
from msgls.features.msgjson.reading import quoted
from msgls.features.rename import Renamable, RenameRefused
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit

_NOTHING = Phrase("nothing to rename here: put the cursor on a `toolCallId`")
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def prepare_rename(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> Renamable:
    """What a rename at ``offset`` would change. Raises ``RenameRefused``."""
    said = _renamable(document, offset)
    return Renamable(id_span(document, said), said.mention.call)


def rename(
    document: Document, offset: int, new: str, other_agents: Collection[str] = ()
) -> list[Edit]:
    """The edits that give the call at ``offset`` the id ``new``. Raises ``RenameRefused``."""
    said = _renamable(document, offset)
    run = said.mention.run
    if new == said.mention.call:
        return []
    if not new.strip(" \t"):
        raise RenameRefused("an id cannot be empty")
    if _UNFIT.search(new):
        raise RenameRefused("an id is one line, without control characters")
    if occurrences(document, new, run):
        raise RenameRefused("`{new}` is taken: another call of this run has that id", new=new)
    places = set()
    for other in occurrences(document, said.mention.call, run):
        places.add(id_span(document, other))
        places.update(parse_errors(document, other))
    return [Edit(span, quoted(new)[1:-1]) for span in sorted(places)]


def _renamable(document: Document, offset: int) -> Said:
    said = said_at(document, offset)
    if said is None:
        raise RenameRefused(_NOTHING)
    return said
