"""What the model sees of open documents, kept while somebody looks at it.

Owns a live view for each document and agent that a client has asked for, told of every
edit. A view that the client shows is spoken of after each change until it is closed; one
that was only asked for a number is kept until another is.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Generator
from typing import TYPE_CHECKING, TypeVar

from msgls.document.document import Document
from msgls.exchange.live import LiveView
from msgls.lsp.slices import FEW, Sliced

if TYPE_CHECKING:
    from msgls.lsp.session import OpenDocument

log = logging.getLogger(__name__)

CHANGED = "msgls/viewChanged"

T = TypeVar("T")


class KeptView:
    """A live view, and how far it was told."""

    __slots__ = ("document", "is_shown", "live", "other_agents")

    def __init__(
        self, document: Document, agent: str | None, other_agents: Collection[str]
    ) -> None:
        self.document = document
        """The last version that it was told of; while it is made, it shows an earlier one."""
        self.other_agents = other_agents
        self.live = LiveView(document, agent, other_agents)
        self.is_shown = False

    def ready(self, answer: Callable[[LiveView], T]) -> Sliced[T]:
        """What ``answer`` gives; of a large document, after the view was made slice by slice."""
        if self.document.cell_count <= FEW and not self.live.is_being_made:
            return answer(self.live)
        return self._made(answer)

    def _made(self, answer: Callable[[LiveView], T]) -> Generator[None, None, T]:
        yield from self.live.fill()
        return answer(self.live)


class Views:
    """Every view that a client has asked for."""

    def __init__(self, notify: Callable[[str, bytes], None]) -> None:
        self._notify = notify
        self._kept: dict[str, dict[str | None, KeptView]] = {}
        """By document and by agent; the one without a name is the default agent's."""

    def of(self, opened: OpenDocument, agent: str | None, *, is_shown: bool = False) -> KeptView:
        """What an agent sees of the current version of a document."""
        views = self._kept.setdefault(opened.uri, {})
        others = opened.checker.surroundings.other_agents
        kept = views.get(agent)
        if kept is None or kept.document is not opened.document or kept.other_agents != others:
            was_shown = kept is not None and kept.is_shown
            kept = KeptView(opened.document, agent, others)
            kept.is_shown = was_shown
        kept.is_shown |= is_shown
        # Of those that nobody looks at, one is enough.
        shown = {name: view for name, view in views.items() if view.is_shown}
        self._kept[opened.uri] = {**shown, agent: kept}
        return kept

    def close(self, uri: str, agent: str | None) -> None:
        """The client does not show it any more."""
        kept = self._kept.get(uri, {}).get(agent)
        if kept is not None:
            kept.is_shown = False

    def forget(self, uri: str) -> None:
        """A document was closed."""
        self._kept.pop(uri, None)

    def follow(self, opened: OpenDocument, before: Document) -> None:
        """A document was edited; it was ``before``."""
        for kept in self._kept.get(opened.uri, {}).values():
            if kept.document is not before:
                # It was read anew since. Whoever asks next gets a new view.
                continue
            try:
                kept.live.update(opened.document)
                kept.document = opened.document
            except Exception:
                log.exception("%s: what the model sees cannot be followed", opened.uri)

    def tell(self, opened: OpenDocument) -> None:
        """A document changed, or what surrounds it: say so to whoever looks at it."""
        if any(kept.is_shown for kept in self._kept.get(opened.uri, {}).values()):
            params = {"uri": opened.uri, "version": opened.version}
            self._notify(CHANGED, json.dumps(params).encode())
