"""Progress of long requests.

A handler that takes long is a generator. What it yields says how far it is, or is a part
of the result; this module turns that into ``$/progress`` for the tokens that the client
gave. Who gave none is told nothing, and gets all of the result at the end.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar

from msgls.document.document import Document
from msgls.text.phrases import Phrase

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
        self._told = 0.0

    def take(self, said: Progress | Partial | None) -> None:
        """Take what the handler yielded."""
        if isinstance(said, Partial):
            self._tell(self._partial_token, said.json)
        elif said is not None and self._work_token is not None:
            self._go_on(said)

    def _go_on(self, said: Progress) -> None:
        now = time.monotonic()
        if self._is_begun and now - self._told < _LEAST_SECONDS:
            return
        self._told = now
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


# -- Answers about a whole document that do not keep anybody waiting.
# The first such answer reads the parts of every cell, which takes a second in a very large
# file. Here that is done cell by cell, with a pause after some: between the slices the loop
# handles whatever comes in. The document is the one of the request, whatever is typed since.

T = TypeVar("T")
Sliced: TypeAlias = T | Generator[None, None, T]
"""An answer, or the way to it."""

# Cells that are read in a millisecond or two; fewer than some slices are answered at once.
_SLICE = 50
FEW = 20 * _SLICE


def in_slices(document: Document, answer: Callable[[], T]) -> Sliced[T]:
    """The result of ``answer``; for a large document, after its cells were read slice by slice."""
    if document.cell_count <= FEW:
        return answer()
    return _read_first(document, answer)


def _read_first(document: Document, answer: Callable[[], T]) -> Generator[None, None, T]:
    for number, placed in enumerate(document.cells()):
        # Touched, and thereby kept with the cell.
        cell = placed.cell
        _ = cell.header, cell.home, cell.headings, cell.fences
        if number % _SLICE == 0:
            yield
    return answer()
