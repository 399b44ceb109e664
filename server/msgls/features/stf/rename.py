"""Rename in a Simple Text Format file: the id of a message, or of a call with its results.

Owns what an id may be renamed to, and the reasons why not. If several calls have the same id, a
rename changes only one of them, with its results: that makes the ids unique again.
"""

from __future__ import annotations

import json

from msgls.document.document import Document
from msgls.features.names import PlacedName, places
from msgls.features.rename import RenameRefused, check_id
from msgls.features.stf.meaning import cell_of, named_call, results_of
from msgls.formats.stf.arguments import quote
from msgls.syntax.names import NameKind, Use
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit

NOTHING = Phrase("nothing to rename here: put the cursor on the value of `id` or `call_id`")


def rename(document: Document, found: PlacedName, new: str) -> list[Edit]:
    """The edits that rename a name in this document. Raises ``RenameRefused``."""
    check_id(new)
    _check_free(document, found.name.kind, new)
    edits = []
    for place in _concerned(document, found):
        span = place.name.reach.shift(place.placed.start_offset)
        edits.append(Edit(span, rewritten(document.store.slice(span), new, _in_json(place))))
    return edits


def _check_free(document: Document, kind: NameKind, new: str) -> None:
    if kind is NameKind.MESSAGE:
        if document.entries("message-id", new):
            raise RenameRefused("`{new}` is taken: a message already has that id", new=new)
        return
    if document.entries("call", new):
        raise RenameRefused("`{new}` is taken: a call already has that id", new=new)
    if document.entries("result", new):
        raise RenameRefused(
            "`{new}` is taken: a message already answers a call with that id", new=new
        )


def _concerned(document: Document, found: PlacedName) -> list[PlacedName]:
    """The places that change together."""
    name, label = found.name, found.placed.label
    said = places(document, found)
    if name.kind is NameKind.MESSAGE:
        # Nothing refers to it, and one of two cells that share it must get another.
        return [place for place in said if place.placed.label == label]
    if name.use is Use.ANSWERS:
        call = named_call(document, name.text, label)
        if call is None:
            return said
        label = call.placed.label
    labels = results_of(document, name.text, label)
    return [
        place
        for place in said
        if place.placed.label in (labels if place.name.use is Use.ANSWERS else [label])
    ]


def _in_json(place: PlacedName) -> bool:
    ids = cell_of(place.placed).ids
    return any(id.in_json for id in ids if id.written == place.name.reach)


def rewritten(written: str, new: str, in_json: bool) -> str:
    """``new`` as a value in the place of ``written``, in the same quotes if possible."""
    quotation = written[:1] if written[:1] in ("'", '"') else ""
    if not quotation and not in_json:
        return quote(new)
    said = json.dumps(new, ensure_ascii=False)
    if quotation == "'" and "'" not in new and '"' not in new:
        return f"'{said[1:-1]}'"
    return said
