"""Progress of long requests.

A handler that takes long is a generator. What it yields is how far it is, or a part of the
result; this module turns that into ``$/progress`` notifications for the tokens of the request.
Without a token, nothing is notified, and the whole result comes at the end.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from lsprotocol import types as lsp

from msgls.lsp.params import Encoded, RequestError, to_json
from msgls.text.phrases import Phrase
from msgls.text.work import Work, gathered

if TYPE_CHECKING:
    from msgls.lsp.session import OpenDocument, Session

# How often a bar moves: more often would not be visible.
_LEAST_SECONDS = 0.1


class Progress(NamedTuple):
    """The progress of a request."""

    title: Phrase
    done: int
    total: int | None = None
    """``None`` while it is unknown."""


class Partial(NamedTuple):
    """A part of the result, as JSON."""

    json: bytes


class Reporter:
    """Tells the client how far one request is."""

    def __init__(
        self, params: Any, notify: Callable[[str, bytes], None], say: Callable[[str], str] = str
    ) -> None:
        tokens = params if isinstance(params, Mapping) else {}
        self._work_token = tokens.get("workDoneToken")
        self._partial_token = tokens.get("partialResultToken")
        self._notify = notify
        self._say = say
        self._is_begun = False
        self._reported = 0.0

    def take(self, said: Progress | Partial | None) -> None:
        """Take what the handler yielded."""
        if isinstance(said, Partial):
            self._tell(self._partial_token, said.json)
        elif said is not None and self._work_token is not None:
            self._report(said)

    def _report(self, said: Progress) -> None:
        now = time.monotonic()
        if self._is_begun and now - self._reported < _LEAST_SECONDS:
            return
        self._reported = now
        value: dict[str, Any] = {"kind": "report" if self._is_begun else "begin"}
        if not self._is_begun:
            value |= {"title": self._say(said.title), "cancellable": True}
        if said.total:
            value |= {"percentage": min(100 * said.done // said.total, 100)}
        how_far = Phrase("{done:,}", done=said.done)
        if said.total:
            how_far = Phrase("{done:,} of {total:,}", done=said.done, total=said.total)
        value["message"] = self._say(how_far)
        self._is_begun = True
        self._tell(self._work_token, json.dumps(value).encode())

    def end(self) -> None:
        """The request is answered, or will not be."""
        if self._is_begun:
            self._is_begun = False
            self._tell(self._work_token, b'{"kind":"end"}')

    def _tell(self, token: Any, value: bytes) -> None:
        if token is not None:
            head = b'{"token":' + json.dumps(token).encode() + b',"value":'
            self._notify("$/progress", head + value + b"}")


# -- Answers about a whole document: work that pauses after every cell and is encoded on the way.
# Messages that arrive are handled in the pauses. The answer is about the version of the document
# that the request was about, whatever is typed meanwhile.

T = TypeVar("T")
Y = TypeVar("Y")
Sliced: TypeAlias = T | Work[T]
"""An answer, or the work that makes it."""

# Values that are encoded between two pauses: it takes far less than a millisecond.
_PORTION = 50


def written(pieces: Iterable[str], between: str = "") -> Work[bytes]:
    """Pieces of JSON, joined."""
    return between.join((yield from gathered(pieces))).encode()


def listed(values: Iterable[Any], portion_size: int = _PORTION) -> Work[Encoded]:
    """A JSON array of values, encoded in portions."""
    left = iter(values)
    portions = iter(lambda: list(islice(left, portion_size)), [])
    body = yield from written((to_json(portion)[1:-1] for portion in portions), ",")
    return Encoded(b"[" + body + b"]")


def unchanged(
    session: Session, opened: OpenDocument, work: Generator[Y, None, T]
) -> Generator[Y, None, T]:
    """Do work on a document; refuse the request if its text changes meanwhile."""
    store = opened.document.store
    while True:
        try:
            said = next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        yield said
        if opened.document.store is not store or session.documents.get(opened.uri) is not opened:
            reason = Phrase("the document has changed since this was asked for")
            raise RequestError(reason, lsp.LSPErrorCodes.ContentModified)
