"""The session: the open documents, and the only code that changes them.

Owns every document that a client has open, the settings, and what was negotiated
at the start. Handlers read frozen documents from here; ``sync`` is the only one
that calls ``open``, ``change``, ``save`` and ``close``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Protocol

from pygls import uris

from msgls.lsp.protocol import RequestError
from msgls.text.lines import Encoding, Position
from msgls.text.spans import Edit, Span, apply_edits

if TYPE_CHECKING:
    # Imported when the first document is opened: until then a client only wants an answer.
    from msgls.document.document import Document
    from msgls.lsp.publisher import Publisher
    from msgls.rules.base import Problem, Rule, Severity, Surroundings
    from msgls.rules.checker import Checker

log = logging.getLogger(__name__)

# Language ids that say what a document is, whatever its name does not say.
_ENDINGS = {"msgmd": ".msg.md"}


class Ask(Protocol):
    """How the client is asked for something."""

    def __call__(
        self, method: str, params: Any, on_result: Callable[[Any], None] | None = None
    ) -> None:
        """Send a request, and hand its result over when it comes."""


class OpenDocument:
    """A document that a client has open: its current version, and what is known of it."""

    __slots__ = (
        "_complained", "checker", "document", "moves", "path", "touched", "uri", "version"
    )  # fmt: skip

    def __init__(self, uri: str, path: str, document: Document, checker: Checker) -> None:
        self.uri = uri
        self.path = path
        self.document = document
        self.checker = checker
        self.version = document.version
        self.moves = 0
        """How many edits touched a line break: as long as it stays, no line has moved."""
        self.touched: set[int] = set()
        """Labels of the cells that were edited; whoever follows them empties it."""
        self._complained: set[str] = set()

    def severity_of(self, problem: Problem) -> Severity | None:
        """How severe a problem is here; nothing means that it is not shown."""
        from msgls.rules.registry import BY_CODE

        return BY_CODE[problem.code].severity

    def complain(self, about: str, what: str) -> None:
        """Log a fault of the client, each kind of it once: not at every key."""
        if about not in self._complained:
            self._complained.add(about)
            log.warning("%s: %s", self.uri, what)


class Session:
    """Everything that lives as long as the client."""

    def __init__(self, notify: Callable[[str, bytes], None], ask: Ask | None = None) -> None:
        self.ask: Ask = ask or (lambda method, params, on_result=None: None)
        """Sends a request to the client; its result goes to the function given."""
        self.encoding: Encoding = "utf-16"
        self.documents: dict[str, OpenDocument] = {}
        self.pushes = True
        """Whether the client wants diagnostics sent; one that pulls does not."""
        self._notify = notify
        self._publisher: Publisher | None = None
        self.capabilities: Any = None
        self.on_change: list[Callable[[OpenDocument], None]] = []
        self.tokens: dict[str, tuple[str, list[int]]] = {}
        """The last semantic tokens that were sent of a document, by result id."""
        self._result_ids = count(1)
        self._rule_errors: set[str] = set()
        self._unknown: set[str] = set()

    # -- asking ---------------------------------------------------------------------------

    def get(self, uri: str) -> OpenDocument:
        """An open document; a request for another one is refused."""
        document = self.documents.get(uri)
        if document is None:
            raise RequestError(f"{uri} is not open here")
        return document

    def next_result_id(self) -> str:
        """An id that no answer had yet."""
        return str(next(self._result_ids))

    @property
    def publisher(self) -> Publisher:
        """Who sends diagnostics."""
        if self._publisher is None:
            from msgls.lsp.publisher import Publisher

            self._publisher = Publisher(self, self._notify)
        return self._publisher

    def rules(self) -> Iterable[Rule]:
        """The rules that run."""
        from msgls.rules.registry import RULES

        return RULES

    def surroundings(self, path: str) -> Surroundings:
        """What the rules may know beyond the document."""
        from msgls.rules.base import Surroundings

        return Surroundings()

    def publish_some(self) -> bool:
        """Publish what is due; true if something was."""
        return self._publisher is not None and self._publisher.publish_next()

    # -- changing: only for handlers/sync.py -------------------------------------------------

    def open(self, uri: str, language_id: str, version: int, text: str) -> None:
        """A client opens a document."""
        from msgls.document.document import Document
        from msgls.rules.checker import Checker

        path = _path_of(uri, language_id)
        document = Document.open(path, text, version=version)
        checker = Checker(document, list(self.rules()), self.surroundings(path), self._rule_failed)
        self.documents[uri] = OpenDocument(uri, path, document, checker)
        self._schedule(uri)

    def change(self, uri: str, version: int | None, changes: Iterable[Mapping[str, Any]]) -> None:
        """A client changes a document: every change, each on top of the one before it."""
        opened = self.documents.get(uri)
        if opened is None:
            if uri not in self._unknown:
                self._unknown.add(uri)
                log.warning("%s was changed, but is not open here", uri)
            return
        version = version if isinstance(version, int) else None
        if version is not None and opened.version is not None and version <= opened.version:
            opened.complain("version", f"version {version} comes after version {opened.version}")
        for change in changes:
            try:
                span, text = self._place(opened, change)
            except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
                # The text may be wrong from here on. When it is saved, it is compared.
                opened.complain("change", f"a change cannot be read: {error!r}")
                continue
            self._edit(opened, span, text, version)
        opened.version = version
        self._schedule(uri)

    def _place(self, opened: OpenDocument, change: Mapping[str, Any]) -> tuple[Span | None, str]:
        """What a change replaces, nothing for all, and by what."""
        document, text, place = opened.document, change["text"], change.get("range")
        if not isinstance(text, str):
            raise TypeError("the text is no text")
        if place is None:
            return None, text
        start, end = _position(place["start"]), _position(place["end"])
        if min(start) < 0 or end < start or end.line >= document.store.line_count:
            what = f"the range from {tuple(start)} to {tuple(end)} does not lie in the document"
            opened.complain("range", what)
        span = Span(
            document.offset_of(start, self.encoding), document.offset_of(end, self.encoding)
        )
        return span, text

    def _edit(
        self, opened: OpenDocument, span: Span | None, text: str, version: int | None
    ) -> None:
        """Change the text; it must be what the client has, whatever fails on the way."""
        document = opened.document
        if span is None or _has_break(text) or _has_break(document.store.slice(_turned(span))):
            opened.moves += 1
        try:
            if span is None:
                opened.document = document.with_text(text, version)
            else:
                opened.document = document.edit(span, text, version)
            opened.checker.update(opened.document)
        except Exception:
            log.exception("%s: an edit failed; the document is read anew", opened.uri)
            if span is not None:
                text = apply_edits(document.text, [Edit(_turned(span), text)])
            opened.document = document.with_text(text, version)
            opened.checker = opened.checker.fresh(opened.document)
        opened.touched.update(opened.document.change.removed, opened.document.change.added)
        if opened.document.store.line_count != document.store.line_count:
            # Two line breaks may become one by what lay between them.
            opened.moves += 1

    def save(self, uri: str, text: str | None) -> None:
        """A client saved a document: where its text is not ours, ours is wrong."""
        opened = self.documents.get(uri)
        if opened is None or text is None or opened.document.text == text:
            return
        log.error("%s: what was saved is not what we have; taking what was saved", uri)
        self._edit(opened, None, text, opened.version)
        self._schedule(uri)

    def close(self, uri: str) -> None:
        """A client closes a document."""
        self.documents.pop(uri, None)
        self.tokens.pop(uri, None)
        self.publisher.forget(uri)

    def _schedule(self, uri: str) -> None:
        self.publisher.schedule(uri)
        for listener in self.on_change:
            listener(self.documents[uri])

    def _rule_failed(self, rule: Rule, error: Exception) -> None:
        if rule.code not in self._rule_errors:
            self._rule_errors.add(rule.code)
            log.error("rule %s failed and is left out", rule.code, exc_info=error)


def _has_break(text: str) -> bool:
    return "\n" in text or "\r" in text


def _turned(span: Span) -> Span:
    """The span, should it run backwards."""
    return Span(min(span), max(span))


def _position(data: Mapping[str, Any]) -> Position:
    return Position(int(data["line"]), int(data["character"]))


def _path_of(uri: str, language_id: str) -> str:
    """The path of a document; one without a name of its own is named by its language."""
    path = uris.to_fs_path(uri) or uri
    ending = _ENDINGS.get(language_id)
    named = uri.startswith("file:") and PurePosixPath(path).suffix == ".md"
    if ending is not None and not named and not path.lower().endswith(ending):
        return path + ending
    return path
