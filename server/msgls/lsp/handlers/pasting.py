"""``msgls/asContent``, a request of our own: text that is about to be pasted, as content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp

from msgls.features.pasting import as_content as feature
from msgls.lsp.params import RequestError
from msgls.lsp.session import Session
from msgls.text.lines import Position
from msgls.text.phrases import Phrase


def as_content(session: Session, params: Mapping[str, Any]) -> dict[str, str]:
    """``{uri, position, text}``: the text as it must be written there."""
    try:
        uri, text, place = params["uri"], params["text"], params["position"]
        position = Position(place["line"], place["character"])
        valid = all(isinstance(value, str) for value in (uri, text))
        valid = valid and all(type(value) is int and value >= 0 for value in position)
    except (KeyError, TypeError):
        valid = False
    if not valid:
        reason = Phrase("`uri`, `position` and `text` are needed")
        raise RequestError(reason, lsp.ErrorCodes.InvalidParams)
    snapshot = session.get(uri).snapshot
    offset = snapshot.document.offset_of(position, session.encoding)
    return {"text": feature(snapshot, offset, text)}
