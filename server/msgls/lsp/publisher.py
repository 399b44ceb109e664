"""Diagnostics on the wire: current, versioned, one publish a version.

Owns what was found of which document, the encoded pieces that can be sent again, and
what the client was sent. A client that pulls is never pushed to. Versions that are
overtaken before their turn comes are passed over; what is sent is complete for the
version it names. Of very many problems, the worst are sent, with one that says so.

A keystroke that changes no problem and moves no line sends the same bytes again; one
that changes a cell encodes the problems that stand in that cell or point at it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgls.document.document import Document, PlacedPiece
from msgls.host.files import stamp_of
from msgls.lsp.convert import TextRanges
from msgls.rules.base import Problem, Severity
from msgls.rules.checker import Source
from msgls.rules.problems import ProblemSet
from msgls.rules.registry import rule, rule_text
from msgls.text.lines import Encoding
from msgls.text.phrases import Phrase
from msgls.text.spans import Span
from msgls.text.work import MANY, Work, done

if TYPE_CHECKING:
    from msgls.host.files import Stamp
    from msgls.lsp.session import OpenDocument, Session

SOURCE = "msgls"
_UNNECESSARY = 1
_NONE_OF_OURS = ""
# Pauses that are passed over: between two of them is far less than a millisecond of work.
_SLICE = 4


class _Encoded(NamedTuple):
    """A problem as it is sent, and all that this depends on."""

    problem: Problem
    severity: Severity
    labels: tuple[int, ...]
    """Those of the pieces that it stands in and points at."""
    places: Sequence[tuple[int, str]] = ()
    """The line that each of those starts on, and its text; none before the problem is encoded."""
    item: bytes = b""


class Board:
    """The problems of one open document, and how they were encoded."""

    def __init__(self, opened: OpenDocument, session: Session) -> None:
        self._opened = opened
        self._session = session
        self._found: ProblemSet | None = None
        self._due: dict[Source, None] = {}
        """The sources whose results may be others than those in ``_found``."""
        self._encoded: list[_Encoded] = []
        """The encoded problems, in document order."""
        self._left_out = 0
        self._mentions: dict[int, list[int]] = {}
        """By the label of a piece, the numbers of those that stand in it or point at it."""
        self._long: set[int] = set()
        """The numbers of those that reach beyond a piece."""
        self._items = b"[]"
        self._generation: int | None = None
        self._moves = -1

    def _collecting(self) -> Work[ProblemSet]:
        """The problems of the current version, with those that an edit changed.

        Where that is not done to its end, what is left of it is done the next time.
        """
        opened = self._opened
        checker = opened.checker
        changes = checker.take_changes()
        found = self._found
        if changes is None or found is None:
            found = self._found = ProblemSet(opened.severity_of)
            self._due = dict.fromkeys(checker.sources())
            self._generation, self._moves = None, -1
        else:
            self._due |= dict.fromkeys(changes)
        number = 0
        while self._due:
            source = next(iter(self._due))
            problems = yield from checker.result(source)
            yield from found.replacing(source, problems)
            del self._due[source]
            number += 1
            # Few are collected at once: a request that pauses is refused if the text changes.
            if not number % MANY:
                yield
        return found

    def items(self) -> Work[bytes]:
        """The diagnostics of the current version as a JSON array."""
        opened = self._opened
        found = yield from self._collecting()
        is_other = self._generation != found.generation
        if is_other:
            self._select(found)
            self._generation = found.generation
        stale: Iterable[int] = range(len(self._encoded))
        if self._moves == opened.moves:
            concerned = {n for label in opened.touched for n in self._mentions.get(label, ())}
            stale = concerned.union(self._long, self._unencoded() if is_other else ())
        if is_other or stale:
            self._items = self._encode(stale)
        self._moves = opened.moves
        opened.touched.clear()
        return self._items

    def _select(self, found: ProblemSet) -> None:
        """Choose what is sent; what was sent before stays encoded."""
        before = {_key(known.problem): known for known in self._encoded}
        selection = found.first(self._opened.settings.limit)
        self._left_out = selection.total - len(selection.problems)
        self._encoded, self._mentions, self._long = [], {}, set()
        for number, (problem, severity) in enumerate(selection.problems):
            known = before.get(_key(problem))
            if known is None or known.problem != problem or known.severity is not severity:
                labels = problem.label, *[related.label for related in problem.related]
                known = _Encoded(problem, severity, labels)
            self._encoded.append(known)
            for label in known.labels:
                self._mentions.setdefault(label, []).append(number)

    def _unencoded(self) -> list[int]:
        return [number for number, known in enumerate(self._encoded) if not known.places]

    def _encode(self, stale: Iterable[int]) -> bytes:
        """Encode all problems; those with the numbers ``stale`` may be in changed pieces."""
        ranges = _Ranges(self._opened.document, self._session.encoding)
        for number in stale:
            known = self._encoded[number]
            places = [ranges.place(label, span) for label, span in _spans(known.problem)]
            if known.places != places:
                item = self._diagnostic(known.problem, known.severity, ranges)
                self._encoded[number] = known._replace(places=places, item=item)
            if ranges.is_long(known.problem):
                self._long.add(number)
        items = [known.item for known in self._encoded]
        if self._left_out:
            items.append(_dump(self._and_more(self._left_out)))
        return b"[" + b",".join(items) + b"]"

    def _diagnostic(self, problem: Problem, severity: Severity, ranges: _Ranges) -> bytes:
        language = self._session.language(self._opened)
        diagnostic: dict[str, Any] = {
            "range": ranges.range(problem.label, problem.span),
            "severity": int(severity),
            "code": problem.code,
            "source": SOURCE,
            "message": rule_text(problem.code, problem.key, problem.args, language),
        }
        found_by = rule(problem.code)
        if self._takes("code_description_support"):
            diagnostic["codeDescription"] = {"href": self._session.page_url(problem.code)}
        if found_by.unnecessary:
            diagnostic["tags"] = [_UNNECESSARY]
        if self._takes("data_support"):
            # The data that a client returns when it asks for a fix: which problem of the rule it
            # is.
            diagnostic["data"] = {"key": problem.key, "mayHaveFix": found_by.may_have_fix}
        if problem.related and self._takes("related_information"):
            diagnostic["relatedInformation"] = [
                {
                    "location": {
                        "uri": self._opened.uri,
                        "range": ranges.range(related.label, related.span),
                    },
                    "message": rule_text(problem.code, related.key, related.args, language),
                }
                for related in problem.related
            ]
        return _dump(diagnostic)

    def _takes(self, what: str) -> bool:
        """Whether the client takes a part of a diagnostic: unless it says that it does not."""
        return self._session.capability(f"text_document.publish_diagnostics.{what}") is not False

    def _and_more(self, count: int) -> dict[str, Any]:
        """The last diagnostic, where not all could be sent."""
        nowhere = {"line": 0, "character": 0}
        said = Phrase(
            "{count} more problems are not shown: `msgls check` lists all of them",
            count=f"{count:,}",
        )
        return {
            "range": {"start": nowhere, "end": nowhere},
            "severity": int(Severity.INFORMATION),
            "source": SOURCE,
            "message": self._session.say(self._opened, said),
        }


class _Ranges:
    """Where problems are in one version of a document, relative to a piece as they are."""

    def __init__(self, document: Document, encoding: Encoding) -> None:
        self._document = document
        self._encoding = encoding
        self._pieces: dict[int, PlacedPiece] = {}

    def _piece(self, label: int) -> PlacedPiece:
        found = self._pieces.get(label)
        if found is None:
            found = self._pieces[label] = self._document.piece(label)
        return found

    def place(self, label: int, span: Span) -> tuple[int, str]:
        """The line that the text starts on which the range depends on, and that text."""
        piece = self._piece(label)
        if span.end <= len(piece.chunk.text):
            return piece.start_line, piece.chunk.text
        placed, _ = self._document.cell_of_piece(label)
        return placed.start_line, placed.cell.text

    def is_long(self, problem: Problem) -> bool:
        """Whether a place of it reaches beyond the piece that it starts in."""
        return any(span.end > len(self._piece(label).chunk.text) for label, span in _spans(problem))

    def range(self, label: int, span: Span) -> dict[str, Any]:
        """A place as a range."""
        piece = self._piece(label)
        if span.end <= len(piece.chunk.text):
            return TextRanges(piece.chunk, piece.start_line, self._encoding).range(span)
        placed, start = self._document.cell_of_piece(label)
        return TextRanges.of(placed, self._encoding).range(span.shift(start))


def _spans(problem: Problem) -> list[tuple[int, Span]]:
    """Where it stands and what it points at."""
    return [(problem.label, problem.span), *[(r.label, r.span) for r in problem.related]]


def checking(opened: OpenDocument) -> Work[None]:
    """Check an open document, slice by slice."""
    while opened.checker.advance():
        yield


def _key(problem: Problem) -> tuple[object, ...]:
    """A key of place and code, which hardly ever is the same for two problems."""
    return problem.label, problem.span, problem.code, problem.key


def _dump(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


class Publisher:
    """Sends diagnostics, or keeps them for clients that pull."""

    def __init__(self, session: Session, send: Callable[[str, bytes], None]) -> None:
        self._session = session
        self._send = send
        self._due: dict[str, None] = {}
        self._boards: dict[str, tuple[OpenDocument, Board]] = {}
        self._making: dict[str, tuple[Document, Work[bytes]]] = {}
        """The diagnostics that are being made, and of which version."""
        self._answered: dict[str, tuple[str, bytes]] = {}
        self._files: dict[Path, tuple[Stamp, str]] = {}
        """Of files that are not open, what was answered in which state of theirs."""
        self.closed: set[str] = set()
        """Documents that were open once: a client that pulls may still show their problems."""

    def schedule(self, uri: str) -> None:
        """A document changed."""
        if self._session.pushes:
            self._due[uri] = None

    def reset(self, uri: str) -> None:
        """All problems of a document, or their severities, may have changed."""
        self._boards.pop(uri, None)
        self._making.pop(uri, None)
        self.schedule(uri)

    def forget(self, uri: str) -> None:
        """A document was closed: what the client shows of it goes away."""
        self._due.pop(uri, None)
        self._boards.pop(uri, None)
        self._making.pop(uri, None)
        self._answered.pop(uri, None)
        self.closed.add(uri)
        if self._session.pushes:
            params = {"uri": uri, "diagnostics": []}
            self._send("textDocument/publishDiagnostics", _dump(params))

    def publish_next(self) -> bool:
        """Publish one document that is due, or check a slice of it; true if there was one."""
        if not self._due:
            return False
        uri = next(iter(self._due))
        del self._due[uri]
        opened = self._session.documents.get(uri)
        if opened is not None and opened.settings.has("diagnostics") and opened.checker.advance():
            # After the others: a small document does not wait for a large one.
            self._due[uri] = None
        elif opened is not None:
            items = self._next_items(opened)
            if items is None:
                self._due[uri] = None
                return True
            head = _dump({"uri": uri, "version": opened.version})[:-1]
            self._send("textDocument/publishDiagnostics", head + b',"diagnostics":' + items + b"}")
        return True

    def _next_items(self, opened: OpenDocument) -> bytes | None:
        """The diagnostics of the current version, if a slice was enough to make the rest."""
        document, making = self._making.pop(opened.uri, (None, None))
        if making is None or document is not opened.document:
            making = self._items(opened)
        for _ in range(_SLICE):
            try:
                next(making)
            except StopIteration as end:
                items: bytes = end.value
                return items
        self._making[opened.uri] = opened.document, making
        return None

    def _items(self, opened: OpenDocument) -> Work[bytes]:
        """The diagnostics of the current version as a JSON array."""
        if not opened.settings.has("diagnostics"):
            return b"[]"
        known = self._boards.get(opened.uri)
        if known is None or known[0] is not opened:
            known = self._boards[opened.uri] = opened, Board(opened, self._session)
        return (yield from known[1].items())

    def forget_files(self) -> None:
        """The settings of files that are not open may have changed."""
        self._files.clear()

    def report_file(self, path: Path, previous: str | None) -> bytes | None:
        """What is found in a file that is not open; nothing if its format is unknown.

        One that did not change since ``previous`` is not read again.
        """
        stamp = stamp_of(path)
        known = self._files.get(path)
        if stamp is None or known == (stamp, _NONE_OF_OURS):
            return None
        if known == (stamp, previous):
            return _report(previous, known[1], b"")
        opened = self._session.read(path)
        if opened is None:
            self._files[path] = stamp, _NONE_OF_OURS
            return None
        shown = opened.settings.has("diagnostics")
        items = done(Board(opened, self._session).items()) if shown else b"[]"
        result_id = blake2b(items, digest_size=12).hexdigest()
        self._files[path] = stamp, result_id
        return _report(previous, result_id, items)

    def report(self, opened: OpenDocument, previous: str | None) -> Work[bytes]:
        """The answer to a pull: everything, or that nothing changed since ``previous``."""
        self.closed.discard(opened.uri)
        items = yield from self._items(opened)
        answered = self._answered.get(opened.uri)
        if answered is None or answered != (previous, items):
            answered = self._session.next_result_id(), items
            self._answered[opened.uri] = answered
        return _report(previous, *answered)


def _report(previous: str | None, result_id: str, items: bytes) -> bytes:
    """The report of a document: full, or that nothing has changed since ``previous``."""
    if previous == result_id:
        return _dump({"kind": "unchanged", "resultId": previous})
    head = _dump({"kind": "full", "resultId": result_id})[:-1]
    return head + b',"items":' + items + b"}"
