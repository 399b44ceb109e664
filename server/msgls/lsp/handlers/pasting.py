"""``msgls/asContent`` and ``msgls/link``, requests of our own: what a paste or a drop inserts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from msgls.features.language import language_of
from msgls.features.linking import link_over, links_to
from msgls.lsp.params import invalid, position_in, text_in, uri_in
from msgls.lsp.session import Session
from msgls.text.phrases import Phrase
from msgls.text.spans import Span


def as_content(session: Session, params: Mapping[str, Any]) -> dict[str, str]:
    """``{uri, position, text}``: the text, escaped so that it is content there."""
    position, text = position_in(params), text_in(params, "text")
    snapshot = session.get(uri_in(params)).snapshot
    document = snapshot.document
    offset = document.offset_of(position, session.encoding)
    return {"text": language_of(document).as_content(snapshot, offset, text)}


def link(session: Session, params: Mapping[str, Any]) -> dict[str, str | None]:
    """``{uri, range, address?, files?}``: the link to write there; null where it would be code.

    An address makes the words of the range a link; files become links relative to the document.
    """
    uri, range_, files = uri_in(params), params.get("range"), params.get("files") or []
    address = params.get("address") or ""
    is_list = isinstance(files, list) and all(isinstance(file, str) for file in files)
    if not (isinstance(range_, Mapping) and isinstance(address, str) and is_list):
        raise invalid(Phrase("`range`, `address` or `files` cannot be understood"))
    document = session.get(uri).document
    start, end = (
        document.offset_of(position_in(range_, key), session.encoding) for key in ("start", "end")
    )
    if not files:
        return {"text": link_over(document, Span(start, max(start, end)), address)}
    place, *places = (urlsplit(each) for each in (uri, *files))
    # No relative path leads from a document that is not a file, or to another machine.
    if any((each.scheme, each.netloc) != (place.scheme, place.netloc) for each in places):
        return {"text": None}
    paths = [unquote(each.path) for each in places]
    return {"text": links_to(document, start, unquote(place.path), paths)}
