"""``textDocument/codeLens`` and ``codeLens/resolve``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp

from msgls.features import lenses as feature
from msgls.features.actions import MENU_TITLE
from msgls.formats.base import Placed
from msgls.lsp.params import Encoded, invalid, position_in, uri_in
from msgls.lsp.progress import written
from msgls.lsp.session import OpenDocument, Session
from msgls.syntax.cells import CellKind
from msgls.text.phrases import Phrase
from msgls.text.work import Work


def code_lens(session: Session, params: lsp.CodeLensParams) -> Work[Encoded]:
    """Where lenses are; their texts are resolved later."""
    opened = session.get(params.text_document.uri)
    uri = json.dumps(opened.uri)
    # Encoded by hand: a long conversation has tens of thousands of them. A label is a string,
    # because it has more digits than some clients' numbers.
    lenses = yield from feature.lenses.work(opened.snapshot)
    pieces = (
        f'{{"range":{{"start":{{"line":{line},"character":0}},"end":{{"line":{line},"character":0}}}},'
        f'"data":{{"uri":{uri},"cell":"{label}","what":"{what}"}}}}'
        for label, line, what in lenses
    )
    return Encoded(b"[" + (yield from written(pieces, ",")) + b"]")


def cell_lenses(session: Session, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """``msgls/cellLenses``, a request of our own: what can be done to the cell at ``position``.

    An editor that asks where its cursor is shows these beside the lens that every cell has; in any
    other editor they are code actions.
    """
    opened = session.get(uri_in(params))
    snapshot = opened.snapshot
    document = snapshot.document
    offset = document.offset_of(position_in(params), session.encoding)
    placed = document.cell_at_offset(offset)
    said = list(feature.current_lenses(snapshot, offset))
    if placed is None or placed.cell.kind is CellKind.PREAMBLE or not said:
        return []
    menu = session.cell_menu
    if menu is not None:
        said.append(feature.LensText(MENU_TITLE, menu))
    start = {"line": placed.start_line, "character": 0}
    place = params["position"]
    return [
        {
            "range": {"start": start, "end": start},
            "command": _command(session, opened, placed, place, lens),
        }
        for lens in said
    ]


def resolve(session: Session, lens: Mapping[str, Any]) -> dict[str, Any]:
    """The text of a lens; empty if its cell is gone."""
    try:
        uri, cell, what = (str(lens["data"][name]) for name in ("uri", "cell", "what"))
        label = int(cell)
    except (LookupError, TypeError, ValueError) as error:
        raise invalid(Phrase("this code lens was not offered by this server")) from error
    opened = session.get(uri)
    try:
        placed = opened.document.cell(label)
    except (KeyError, IndexError):
        return {**lens, "command": {"title": "", "command": ""}}
    found = feature.lens_text(opened.snapshot, placed, what)
    place = {"line": placed.start_line, "character": 0}
    return {**lens, "command": _command(session, opened, placed, place, found)}


def _command(
    session: Session, opened: OpenDocument, placed: Placed, place: object, lens: feature.LensText
) -> dict[str, Any]:
    """The text and the command of a lens."""
    title, command, more = lens
    shown = {"title": session.say(opened, title), "command": command}
    if not command:
        return shown
    cell = {"uri": opened.uri, "position": place, "version": opened.version}
    return {**shown, "arguments": [{**cell, "cell": str(placed.label), **more}]}
