"""What the model sees of open documents, kept while a client shows it.

Owns a live view for each document and agent that a client has asked for; it follows every
edit. A view that the client shows has an address: when the document has changed and nothing
was typed for a moment, the client is asked to refresh it. A client that does not ask for the
text again does not show it any more. Of the views that only gave a token count, the last one
is kept for each document.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from msgls.conversation.model_view import ModelView
from msgls.document.document import Document
from msgls.text.work import Work

if TYPE_CHECKING:
    from msgls.lsp.session import OpenDocument
    from msgls.text.tokens import TokenCounter

log = logging.getLogger(__name__)

# A longer text is not sent in every pause of typing.
_LONG = 1_000_000

T = TypeVar("T")


class KeptView:
    """A live view, and what the client knows of it."""

    __slots__ = ("address", "document", "is_refreshed", "is_stale", "live")

    def __init__(self, document: Document, counter: TokenCounter, agent: str | None) -> None:
        self.document = document
        """The last version that it followed; until it is complete, it shows an earlier one."""
        self.live = ModelView(document, counter, agent)
        self.address: str | None = None
        """The URI of the document that a client shows it as; ``None`` if it is not shown."""
        self.is_stale = False
        """Whether the text that the client has is that of an earlier version."""
        self.is_refreshed = False
        """Whether the client knows that, and has not asked for the text since."""

    def ready(self, answer: Callable[[ModelView], T]) -> Work[T]:
        """The result of ``answer``, once the view is made."""
        yield from self.live.fill()
        return answer(self.live)


class Views:
    """Every view that a client has asked for."""

    def __init__(self, refresh: Callable[[str], None]) -> None:
        self._refresh = refresh
        """Asks the client to get the text of an address again."""
        self._kept: dict[str, dict[str | None, KeptView]] = {}
        """By document and by agent; ``None`` is the default agent."""
        self._closed: dict[str, set[str]] = {}
        """The addresses of views whose documents are not open, by document."""
        self._due: set[str] = set()
        """The addresses of views whose documents were opened or closed."""

    def of(self, opened: OpenDocument, agent: str | None) -> KeptView:
        """The view of an agent on the current version of a document."""
        views = self._kept.setdefault(opened.uri, {})
        kept = views.get(agent)
        counter = opened.snapshot.tokens
        is_current = kept is not None and kept.document is opened.document
        if kept is None or not is_current or kept.live.counter is not counter:
            address = None if kept is None else kept.address
            kept = KeptView(opened.document, counter, agent)
            kept.address = address
        # Of those that are not shown, one is kept.
        shown = {name: view for name, view in views.items() if view.address is not None}
        self._kept[opened.uri] = {**shown, agent: kept}
        return kept

    def show(self, opened: OpenDocument, agent: str | None, address: str) -> KeptView:
        """The same, for a client that shows it as a document with that address."""
        kept = self.of(opened, agent)
        kept.address = address
        kept.is_stale = kept.is_refreshed = False
        return kept

    def wait(self, source: str, address: str) -> None:
        """A client shows the view of a document that is not open."""
        self._closed.setdefault(source, set()).add(address)

    def opened(self, uri: str) -> None:
        """A document was opened."""
        self._due |= self._closed.pop(uri, set())

    def forget(self, uri: str) -> None:
        """A document was closed."""
        kept = self._kept.pop(uri, {}).values()
        self._due |= {view.address for view in kept if view.address is not None}

    def follow(self, opened: OpenDocument, before: Document) -> None:
        """A document was edited; it was ``before``."""
        for kept in self._kept.get(opened.uri, {}).values():
            if kept.document is not before:
                # The document was parsed again since: the next request gets a new view.
                continue
            try:
                kept.live.update(opened.document)
                kept.document = opened.document
            except Exception:
                log.exception("%s: what the model sees cannot be followed", opened.uri)

    def touch(self, opened: OpenDocument) -> None:
        """A document changed, or what surrounds it: what is shown of it is out of date."""
        for kept in self._kept.get(opened.uri, {}).values():
            kept.is_stale = kept.address is not None

    def refresh(self, *, with_long: bool) -> bool:
        """Tell the client which of the views that it shows are out of date; true if some are."""
        due, self._due = self._due, set()
        for address in due:
            self._refresh(address)
        stale = [
            kept
            for views in self._kept.values()
            for kept in views.values()
            if kept.is_stale and (with_long or len(kept.live.store) <= _LONG)
        ]
        for kept in stale:
            kept.is_stale = False
            if kept.is_refreshed:
                kept.address = None
            elif kept.address is not None:
                kept.is_refreshed = True
                self._refresh(kept.address)
        return bool(due or stale)
