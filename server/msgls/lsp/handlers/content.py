"""``workspace/textDocumentContent``: read-only documents that the server writes.

``msgls-view:/NAME.md?SOURCE#AGENT`` is what the model sees of the open document with the URI
``SOURCE``; without an agent, the default one is meant. ``msgls-rule:/CODE.md`` is the page of a
rule, in the language of the client. Any client may send this request; one that has the capability
is told when a view has changed.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp

from msgls.lsp.addresses import RULE_SCHEME, VIEW_SCHEME
from msgls.lsp.params import invalid
from msgls.lsp.progress import Sliced
from msgls.lsp.session import Session
from msgls.rules.documentation import page_in, page_of
from msgls.rules.registry import BY_CODE
from msgls.text.phrases import Phrase


def content(session: Session, params: lsp.TextDocumentContentParams) -> Sliced[dict[str, Any]]:
    """The text of one of our documents."""
    address = urlsplit(params.uri)
    if address.scheme == VIEW_SCHEME:
        return _view(session, params.uri, unquote(address.query), unquote(address.fragment))
    if address.scheme == RULE_SCHEME:
        return {"text": _rule_page(session, unquote(address.path).strip("/"))}
    raise invalid(Phrase("`{uri}` is not the URI of a document of this server", uri=params.uri))


def _view(session: Session, uri: str, source: str, agent: str) -> Sliced[dict[str, Any]]:
    opened = session.documents.get(source)
    if opened is None:
        # The view stays on the screen when its file is closed.
        session.views.wait(source, uri)
        return {"text": _note(session, Phrase("This file is not open."))}
    kept = session.views.show(opened, agent or None, uri)
    nothing = _note(session, Phrase("The model sees nothing of this file."))
    return kept.ready(lambda live: {"text": live.text or nothing})


def _note(session: Session, phrase: Phrase) -> str:
    """A note in place of a view, set in italics to tell it from what a model would see."""
    return f"*{session.say_to_all(phrase)}*\n"


def _rule_page(session: Session, name: str) -> str:
    code = name.removesuffix(".md")
    rule = BY_CODE.get(code)
    if rule is None:
        raise invalid(Phrase("there is no rule `{selector}`{guess}", selector=code, guess=""))
    return page_in(page_of(rule), session.say_to_all)
