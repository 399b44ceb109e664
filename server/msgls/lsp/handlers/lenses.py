"""``textDocument/codeLens`` and ``codeLens/resolve``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp

from msgls.features import lenses as feature
from msgls.lsp.protocol import Encoded, RequestError
from msgls.lsp.session import Session
from msgls.text.phrases import Phrase


def code_lens(session: Session, params: lsp.CodeLensParams) -> Encoded:
    """Where lenses are; what they say is resolved."""
    opened = session.get(params.text_document.uri)
    uri = json.dumps(opened.uri)
    # Written by hand: a long conversation has tens of thousands of them. A label is a text,
    # for it has more digits than some clients' numbers.
    found = [
        f'{{"range":{{"start":{{"line":{line},"character":0}},"end":{{"line":{line},"character":0}}}},'
        f'"data":{{"uri":{uri},"cell":"{order}","what":"{what}"}}}}'
        for order, line, what in feature.lenses(opened.document, opened.checker.surroundings)
    ]
    return Encoded(f"[{','.join(found)}]".encode())


def resolve(session: Session, lens: Mapping[str, Any]) -> dict[str, Any]:
    """What a lens says; one whose cell is gone says nothing."""
    try:
        uri, order, what = (str(lens["data"][name]) for name in ("uri", "cell", "what"))
        label = int(order)
    except (LookupError, TypeError, ValueError) as error:
        reason = Phrase("this lens is none of ours")
        raise RequestError(reason, lsp.ErrorCodes.InvalidParams) from error
    opened = session.get(uri)
    try:
        placed = opened.document.cell(label)
    except (KeyError, IndexError):
        return {**lens, "command": {"title": "", "command": ""}}
    surroundings = opened.checker.surroundings
    title, command, more = feature.say(opened.document, placed, what, surroundings)
    place = {"line": placed.start_line, "character": 0}
    argument = {"uri": opened.uri, "position": place, "version": opened.version, **more}
    arguments = {"arguments": [argument]} if command else {}
    return {
        **lens,
        "command": {"title": session.say(opened, title), "command": command, **arguments},
    }
