"""The protocol: the way of a message from its JSON to the handler, and of the response back.

Owns order, phases (before initialize, running, after shutdown), cancellation, and errors as the
specification numbers them. lsprotocol structures params and results.

Everything runs in one thread, one message at a time: documents have one writer, and no handler
ever sees half of a change.
"""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import cache
from itertools import count
from typing import Any, NamedTuple, get_type_hints

from lsprotocol import types as lsp
from pygls import uris

from msgls import __version__
from msgls.host.alive import is_alive
from msgls.lsp.greeting import greeting_of
from msgls.lsp.params import Encoded, RequestError, converter, invalid, to_json
from msgls.lsp.progress import Partial, Progress, Reporter, unchanged
from msgls.lsp.session import Session, uri_of
from msgls.lsp.transport import Channel, ParseError, framed
from msgls.text.phrases import Phrase
from msgls.text.translation import environment_tag

log = logging.getLogger(__name__)

# The results for "nothing" that are not null.
_NOTHING: Mapping[str, Any] = {
    lsp.TEXT_DOCUMENT_DIAGNOSTIC: {"kind": "full", "items": []},
    lsp.WORKSPACE_DIAGNOSTIC: {"items": []},
}

# What asks for all names and nodes of the cell at a position. Of a long one, they are read first.
_READ_CELL = frozenset(
    {
        lsp.TEXT_DOCUMENT_HOVER,
        lsp.TEXT_DOCUMENT_COMPLETION,
        lsp.TEXT_DOCUMENT_DEFINITION,
        lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,
        lsp.TEXT_DOCUMENT_LINKED_EDITING_RANGE,
        lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY,
        lsp.TEXT_DOCUMENT_PREPARE_RENAME,
        lsp.TEXT_DOCUMENT_REFERENCES,
        lsp.TEXT_DOCUMENT_RENAME,
        lsp.TEXT_DOCUMENT_SELECTION_RANGE,
    }
)

# Far less than a person notices; enough that the pauses cost nothing.
_SLICE_SECONDS = 0.008

Handler = Callable[[Session, Any], Any]
"""What answers a message; the annotation of its params says what they are structured as."""
Task = Iterator[Progress | Partial | None]


class Route(NamedTuple):
    """One row of the table in ``server.py``."""

    method: str
    feature: str
    """What switches it off: a key of ``SWITCHES`` in ``rules/settings.py``, or nothing."""
    load: Callable[[], Handler]
    """Imports the handler; to import all of them would delay the first answer to the client."""
    options: Any = None
    """Options for the capabilities."""

    @property
    def reads_cell(self) -> bool:
        """Whether it asks for all names and nodes of the cell at a position."""
        return self.method in _READ_CELL

    def nothing(self, params: Any) -> Any:
        """The answer while the feature is switched off."""
        if self.method.endswith("/resolve"):
            return params
        return _NOTHING.get(self.method)


class _Work(NamedTuple):
    """A message that is handled slice by slice."""

    is_answered: bool
    """Whether it is a request."""
    request_id: Any
    method: str
    about: str | None
    """The URI of the document that it is about, if it is about one."""
    task: Task
    reporter: Reporter


class Protocol:
    """Receives messages, and answers each request exactly once."""

    def __init__(self, rows: Iterable[Route]) -> None:
        self.session = Session(self.send_notification, self.ask)
        self.exit_code: int | None = None
        self._converter = converter()
        self._table: dict[str, Route] = {}
        self._to_load: deque[Callable[[], object]] = deque([self.session.warm_up])
        """Handlers still to be imported, in order."""
        self._queue: deque[Any] = deque()
        self._queued_ids: set[Any] = set()
        self._cancelled: set[Any] = set()
        self._work: dict[str | None, deque[_Work]] = {}
        """What is under way, by document: the documents take turns, and each goes in order."""
        self._opening: str | None = None
        """The document that is being opened: messages about it wait."""
        self.slice_seconds = _SLICE_SECONDS
        """How long a slice is; it ends at the next pause."""
        self._answers_next = True
        self._initialized = self._shut_down = False
        self._channel: Channel | None = None
        self._client_process: int | None = None
        self.watches_client = True
        """Whether to end with the client's process: not for one on another machine."""
        self._asked: dict[Any, Callable[[Any], None] | None] = {}
        """Our requests that the client has not answered, each with its callback for the result."""
        self._request_ids = count(1)
        for row in rows:
            self.register(row)

    def attach(self, channel: Channel) -> None:
        """Talk through ``channel`` from now on."""
        self._channel = channel
        self.session.wake = channel.wake

    def register(self, row: Route) -> None:
        """Let a handler answer ``row.method``."""
        self._table[row.method] = row
        self._to_load.append(row.load)

    # -- the loop's side --------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        """Whether every message that was received is handled."""
        return not self._queue

    def receive(self, message: Any) -> None:
        """Queue a message; a cancellation takes effect at once."""
        if isinstance(message, dict) and message.get("method") == "$/cancelRequest":
            self._cancel(message.get("params"))
            return
        if isinstance(message, dict) and "method" in message and "id" in message:
            self._queued_ids.add(_hashable(message["id"]))
        self._queue.append(message)

    def step(self) -> bool:
        """One message, or a slice of background work."""
        number = self._next_in_queue()
        if number is not None:
            message = self._queue[number]
            del self._queue[number]
            try:
                self._handle(message)
            except Exception:
                # Errors of handlers are caught where these are called: this is a bug in here.
                log.exception("a message could not be handled")
            return True
        try:
            self.session.advance_live()
            # In turn: an answer does not wait for a large document to be checked, nor its
            # problems for a long answer.
            self._answers_next = not self._answers_next
            # The document that is being opened may change the problems of others: check them after.
            if self._answers_next or self._opening is not None:
                is_busy = self._advance_work() or self.session.publish_some()
            else:
                is_busy = self.session.publish_some() or self._advance_work()
            return is_busy or self.session.free_some()
        except Exception:
            log.exception("background work failed")
            return False

    def _next_in_queue(self) -> int | None:
        """The index of the message that is handled next, if one can be handled now.

        While a document is being opened, messages about other ones may overtake; all else waits.
        """
        if self._opening is None:
            return 0 if self._queue else None
        for number, message in enumerate(self._queue):
            about = _may_overtake(message)
            if about is None:
                return None
            if about != self._opening:
                return number
        return None

    @property
    def due(self) -> float:
        """When an answer that is being written continues."""
        return self.session.live_due

    def prepare(self, is_quiet: bool) -> bool:
        """Warm up at once; then load one handler after the other while no message arrives."""
        if is_quiet and self.session.refresh_views(with_long=False):
            return True
        is_first = len(self._to_load) > len(self._table)
        if not self._initialized or not self._to_load or not (is_first or is_quiet):
            return False
        # Removed first: an import that fails is tried once here, and again when it is needed.
        load = self._to_load.popleft()
        try:
            load()
        except Exception:
            log.exception("a handler cannot be loaded")
        return True

    def tick(self) -> None:
        """Refresh long views, and exit if the client's process is gone."""
        self.session.refresh_views(with_long=True)
        process_id = self._client_process if self.watches_client else None
        if process_id is not None and not is_alive(process_id):
            log.warning("the client's process %d is gone", process_id)
            self.exit_code = 1

    def _cancel(self, params: Any) -> None:
        request_id = _hashable(params.get("id")) if isinstance(params, dict) else None
        if request_id in self._queued_ids:
            self._cancelled.add(request_id)
            return
        for work in [work for waiting in self._work.values() for work in waiting]:
            if work.is_answered and _hashable(work.request_id) == request_id:
                self._work[work.about].remove(work)
                work.reporter.end()
                self._answer_cancelled(work.request_id)
                return

    def _advance_work(self) -> bool:
        """Do one slice of the oldest work on the next document."""
        while self._work:
            about = next(iter(self._work))
            waiting = self._work.pop(about)
            if waiting:
                if not self._go_on(waiting[0]):
                    waiting.popleft()
                # After the others: a small document does not wait for a large one.
                self._work[about] = waiting
                return True
        return False

    def _begin(self, work: _Work) -> None:
        """Do the first slice of a message; the rest is done when no other message waits."""
        if self._go_on(work):
            self._work.setdefault(work.about, deque()).append(work)
            if not work.is_answered:
                self._opening = work.about

    def _go_on(self, work: _Work) -> bool:
        """Do one slice; true if that was not the last one."""
        until = time.perf_counter() + self.slice_seconds
        try:
            while True:
                work.reporter.take(next(work.task))
                if time.perf_counter() >= until:
                    return True
        except StopIteration as end:
            work.reporter.end()
            if work.is_answered:
                self.answer(work.request_id, end.value)
        except Exception as error:
            work.reporter.end()
            if work.is_answered:
                self._answer_failure(work.request_id, work.method, error)
            else:
                log.exception("%s failed", work.method)
        if not work.is_answered:
            self._opening = None
        return False

    # -- messages ---------------------------------------------------------------------------

    def _handle(self, message: Any) -> None:
        if message is ParseError:
            self._answer_error(None, lsp.ErrorCodes.ParseError, Phrase("this is not valid JSON"))
        elif not isinstance(message, dict) or not (
            isinstance(message.get("method"), str) or "id" in message
        ):
            code = lsp.ErrorCodes.InvalidRequest
            self._answer_error(None, code, Phrase("this is not a request"))
        elif "method" not in message:
            self._handle_client_response(message)
        elif not isinstance(message["method"], str):
            self._queued_ids.discard(_hashable(message["id"]))
            code = lsp.ErrorCodes.InvalidRequest
            self._answer_error(message["id"], code, Phrase("`method` is missing"))
        elif "id" in message:
            self._handle_client_request(message)
        else:
            self._handle_client_notification(message)

    def _handle_client_request(self, message: dict[str, Any]) -> None:
        request_id, method = message["id"], message["method"]
        # Names only: params hold what people wrote.
        log.debug("request %r: %s", request_id, method)
        key = _hashable(request_id)
        self._queued_ids.discard(key)
        if key in self._cancelled:
            self._cancelled.discard(key)
            self._answer_cancelled(request_id)
        elif self._shut_down:
            code = lsp.ErrorCodes.InvalidRequest
            what = Phrase("{method} after shutdown", method=method)
            self._answer_error(request_id, code, what)
        elif not self._initialized and method != lsp.INITIALIZE:
            code = lsp.ErrorCodes.ServerNotInitialized
            what = Phrase("{method} before initialize", method=method)
            self._answer_error(request_id, code, what)
        elif self._initialized and method == lsp.INITIALIZE:
            code = lsp.ErrorCodes.InvalidRequest
            self._answer_error(request_id, code, Phrase("`initialize` must be sent only once"))
        else:
            self._answer_request(request_id, method, message.get("params"))

    def _answer_request(self, request_id: Any, method: str, params: Any) -> None:
        row = self._table.get(method)
        if method == lsp.INITIALIZE:
            try:
                greeting = greeting_of(params)
            except TypeError as error:
                what = Phrase(
                    "invalid params for {method}: {reason}", method=method, reason=_reason(error)
                )
                self._answer_error(request_id, lsp.ErrorCodes.InvalidParams, what)
                return
            self.initialize(params, greeting)
            self.answer(request_id, greeting)
            return
        if method == lsp.SHUTDOWN:
            self._shut_down = True
            self.answer(request_id, None)
            return
        if row is None:
            what = Phrase("unknown method {method}", method=method)
            self._answer_error(request_id, lsp.ErrorCodes.MethodNotFound, what)
            return
        if not self.session.offers(row.feature, params):
            self.answer(request_id, row.nothing(params))
            return
        try:
            handler = row.load()
            structured = self._structure(method, handler, params)
            self.session.catch_up()
            result = self._result(row, handler, params, structured)
        except Exception as error:
            self._answer_failure(request_id, method, error)
        else:
            if isinstance(result, Iterator):
                reporter = Reporter(params, self.send_notification, self.session.say_to_all)
                self._begin(_Work(True, request_id, method, uri_of(params), result, reporter))
            else:
                self.answer(request_id, result)

    def _result(self, row: Route, handler: Handler, params: Any, structured: Any) -> Any:
        """What a handler answers, or the work that makes its answer."""
        found = self.session.reading_at(params) if row.reads_cell else None
        if found is None:
            return handler(self.session, structured)
        return self._after(unchanged(self.session, *found), handler, structured)

    def _after(self, reading: Task, handler: Handler, structured: Any) -> Generator[Any, None, Any]:
        """The answer of a handler, once the long cell is read that it is about."""
        yield from reading
        result = handler(self.session, structured)
        return (yield from result) if isinstance(result, Iterator) else result

    def _structure(self, method: str, handler: Handler, params: Any) -> Any:
        """The params as the handler takes them. Raises ``RequestError``."""
        wanted = params_type(handler)
        try:
            if wanted is not None:
                return self._converter.structure(params, wanted)
            if not isinstance(params, dict):
                raise TypeError("params must be an object")
        except Exception as error:
            # Only the kind of the error: the rest may quote text of the user.
            log.warning("%s has invalid params: %s", method, _reason(error).partition(":")[0])
            raise invalid(_reason(error)) from error
        return params

    def initialize(self, given: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """Store the params of ``initialize``; ``result`` is what it is answered with."""
        try:
            params = self._converter.structure(given, lsp.InitializeParams)
        except Exception as error:
            # The client may have its answer already, and most requests work without them.
            log.warning("the params of initialize are invalid and are not used: %s", _reason(error))
            params = lsp.InitializeParams(lsp.ClientCapabilities())
        self._initialized = True
        self._client_process = params.process_id
        capabilities = params.capabilities
        session = self.session
        session.capabilities = capabilities
        session.folders = _folders(params)
        session.initialization_options = params.initialization_options
        # An editor that names no locale starts us in the environment of its user.
        session.locale = params.locale or environment_tag()
        session.encoding = result["capabilities"]["positionEncoding"]
        session.pushes = (
            capabilities.text_document is None or capabilities.text_document.diagnostic is None
        )
        client = params.client_info.name if params.client_info else "a client without a name"
        log.info("msgls %s serves %s; columns count %s", __version__, client, session.encoding)

    def _handle_client_notification(self, message: dict[str, Any]) -> None:
        method = message["method"]
        log.debug("notification: %s", method)
        if method == lsp.EXIT:
            self.exit_code = 0 if self._shut_down else 1
            return
        if self._shut_down or not self._initialized:
            log.info("%s is ignored in this phase", method)
            return
        row = self._table.get(method)
        try:
            if row is not None:
                params, handler = message.get("params"), row.load()
                result = handler(self.session, self._structure(method, handler, params))
                if isinstance(result, Iterator):
                    reporter = Reporter(None, self.send_notification)
                    self._begin(_Work(False, None, method, uri_of(params), result, reporter))
            elif not method.startswith("$/"):
                log.info("unknown method %s", method)
        except Exception:
            log.exception("%s failed", method)

    def ask(self, method: str, params: Any, on_result: Callable[[Any], None] | None = None) -> None:
        """Send a request to the client; its result goes to ``on_result``, ``None`` for an error."""
        request_id = f"msgls-{next(self._request_ids)}"
        self._asked[request_id] = on_result
        request = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        self.send(to_json(request).encode())

    def _handle_client_response(self, message: dict[str, Any]) -> None:
        request_id = _hashable(message.get("id"))
        try:
            if request_id not in self._asked:
                log.warning("the client answered an unknown request: %r", message.get("id"))
                return
            on_result = self._asked.pop(request_id)
            if "error" in message:
                log.warning("the client refused: %s", message["error"])
            if on_result is not None:
                on_result(message.get("result"))
        except Exception:
            log.exception("the client's response to %r could not be handled", message.get("id"))

    # -- answers ----------------------------------------------------------------------------

    def answer(self, request_id: Any, result: Any) -> None:
        """Send a result; one that is not JSON is answered with an error instead."""
        try:
            body = result.json if isinstance(result, Encoded) else to_json(result).encode()
        except Exception as error:
            self._answer_failure(request_id, Phrase("the result"), error)
            return
        head = b'{"jsonrpc":"2.0","id":' + json.dumps(request_id).encode() + b',"result":'
        self.send(head + body + b"}")

    def send(self, body: bytes) -> None:
        """Send one message."""
        self._write(framed(body))

    def _write(self, data: bytes) -> None:
        """Write, or note that the client is gone."""
        if self._channel is None:
            return
        try:
            self._channel.write(data)
        except OSError:
            log.info("the client is gone")
            self.exit_code = 1

    def send_notification(self, method: str, params: bytes) -> None:
        """Send a notification whose params are JSON already."""
        name = json.dumps(method).encode()
        self.send(b'{"jsonrpc":"2.0","method":' + name + b',"params":' + params + b"}")

    def _answer_error(self, request_id: Any, code: int, message: str) -> None:
        error = {"code": int(code), "message": self.session.say_to_all(message)}
        self.send(json.dumps({"jsonrpc": "2.0", "id": request_id, "error": error}).encode())

    def _answer_cancelled(self, request_id: Any) -> None:
        self._answer_error(request_id, lsp.LSPErrorCodes.RequestCancelled, Phrase("cancelled"))

    def _answer_failure(self, request_id: Any, what: str, error: Exception) -> None:
        if isinstance(error, RequestError):
            self._answer_error(request_id, error.code, error.message)
            return
        log.error("%s failed", what, exc_info=error)
        message = Phrase("{what} failed: {error}", what=what, error=type(error).__name__)
        self._answer_error(request_id, lsp.ErrorCodes.InternalError, message)


def _may_overtake(message: Any) -> str | None:
    """The document that a message is about, if it may be handled while another one is opened.

    Requests and edits may: what an edit means for other documents is found out later.
    """
    method = message.get("method") if isinstance(message, dict) else None
    if not isinstance(method, str) or not method.startswith("textDocument/"):
        return None
    is_change = method == lsp.TEXT_DOCUMENT_DID_CHANGE
    return uri_of(message.get("params")) if is_change or "id" in message else None


@cache
def params_type(handler: Handler) -> Any:
    """The type of lsprotocol that the params of a handler have; ``None`` for plain JSON."""
    annotations = [wanted for name, wanted in get_type_hints(handler).items() if name != "return"]
    wanted = annotations[-1] if annotations else None
    return wanted if getattr(wanted, "__module__", "") == lsp.__name__ else None


def _hashable(request_id: Any) -> Any:
    return request_id if isinstance(request_id, str | int) else repr(request_id)


def _folders(params: lsp.InitializeParams) -> list[str]:
    """The URIs of the folders that a client has open, in whichever of three params they are."""
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    root = params.root_uri or (uris.from_fs_path(params.root_path) if params.root_path else None)
    return [root] if root else []


def _reason(error: BaseException) -> str:
    """The innermost reason, in one line."""
    inner = getattr(error, "exceptions", None)
    if inner:
        return _reason(inner[0])
    if error.__cause__ is not None:
        return _reason(error.__cause__)
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]
