"""Rename in a Simple Text Format file: the id of a message, or of a call with its results.

Owns what an id may become, and the reasons why not. Where several calls have one id, a
rename changes one of them with the results that follow it: so two can be told apart again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.rename import Renamable, RenameRefused
from msgls.features.stf.meaning import named_call, results_of
from msgls.features.stf.names import Occurrence, named_at, occurrences
from msgls.features.stf.places import Place
from msgls.formats.stf.arguments import quote
from msgls.formats.stf.calls import IdKind, IdPlace
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit

_NOTHING = Phrase("nothing to rename here: put the cursor on the value of `id` or `call_id`")
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def prepare_rename(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> Renamable:
    """What a rename at ``offset`` would change. Raises ``RenameRefused``."""
    place, identifier = _renamable(document, offset)
    return Renamable(identifier.span.shift(place.placed.start_offset), identifier.text)


def rename(
    document: Document, offset: int, new: str, other_agents: Collection[str] = ()
) -> list[Edit]:
    """The edits that give the id at ``offset`` as ``new``. Raises ``RenameRefused``."""
    place, identifier = _renamable(document, offset)
    if new == identifier.text:
        return []
    if not new.strip(" \t"):
        raise RenameRefused("an id cannot be empty")
    if _UNFIT.search(new):
        raise RenameRefused("an id is one line, without control characters")
    _check_free(document, identifier, new)
    return [
        Edit(found.written, rewritten(document.store.slice(found.written), new, found.id.in_json))
        for found in _concerned(document, place, identifier)
    ]


def _renamable(document: Document, offset: int) -> tuple[Place, IdPlace]:
    named = named_at(document, offset)
    if named is None:
        raise RenameRefused(_NOTHING)
    if not named[1].text:
        raise RenameRefused("the id is empty: there is nothing to rename")
    return named


def _check_free(document: Document, identifier: IdPlace, new: str) -> None:
    if identifier.kind is IdKind.MESSAGE:
        if document.entries(IdKind.MESSAGE.value, new):
            raise RenameRefused("`{new}` is taken: a message has that id already", new=new)
        return
    if document.entries(IdKind.CALL.value, new):
        raise RenameRefused("`{new}` is taken: a call has that id already", new=new)
    if document.entries(IdKind.RESULT.value, new):
        raise RenameRefused(
            "`{new}` is taken: a message answers a call of that id already", new=new
        )


def _concerned(document: Document, place: Place, identifier: IdPlace) -> list[Occurrence]:
    """The places that change together."""
    order = place.placed.order
    found = occurrences(document, identifier)
    if identifier.kind is IdKind.MESSAGE:
        # Nobody refers to it, and of two that have it one is to get another.
        return [one for one in found if one.placed.order == order]
    if identifier.kind is IdKind.RESULT:
        call = named_call(document, identifier.text, order)
        if call is None:
            return found
        order = call.placed.order
    orders = results_of(document, identifier.text, order)
    return [one for one in found if one.placed.order in ([order] if one.gives else orders)]


def rewritten(written: str, new: str, in_json: bool) -> str:
    """``new`` as a value that stands where ``written`` does, in the same quotes if it can."""
    quotation = written[:1] if written[:1] in ("'", '"') else ""
    if not quotation and not in_json:
        return quote(new)
    said = json.dumps(new, ensure_ascii=False)
    if quotation == "'" and "'" not in new and '"' not in new:
        return f"'{said[1:-1]}'"
    return said
