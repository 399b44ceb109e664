"""``textDocument/inlayHint``: for the requested range only."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features import hints as feature
from msgls.lsp.convert import position_at, span_of
from msgls.lsp.params import Encoded
from msgls.lsp.progress import listed
from msgls.lsp.session import Session
from msgls.text.work import Work


def inlay_hint(session: Session, params: lsp.InlayHintParams) -> Work[Encoded]:
    """The inlay hints of a range."""
    opened = session.get(params.text_document.uri)
    snapshot, encoding = opened.snapshot, session.encoding
    document = snapshot.document
    span = span_of(document, params.range, encoding)
    has_lenses = session.capability("text_document.code_lens") and opened.settings.has("lenses")
    say = session.speaker(opened)

    def encode(hint: feature.Hint) -> dict[str, Any]:
        return {
            "position": position_at(document, hint.offset, encoding),
            "label": say(hint.label),
            "tooltip": say(hint.tooltip),
            "paddingLeft": True,
        }

    hints = yield from feature.hints.work(snapshot, span)
    # A lens right above already shows the same text.
    shown = (hint for hint in hints if not (has_lenses and hint.is_in_lens))
    return (yield from listed(map(encode, shown)))
