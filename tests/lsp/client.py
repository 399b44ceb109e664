"""A small client that talks to the server in the same process, message by message.

What goes through here is what goes over the wire: JSON in, bytes out, cut into messages
by the server's own framer. Nothing waits and nothing sleeps: ``request`` lets the server
work until it has no more to do, and then the answer is there. ``tests/lsp`` uses it; the
tests with a real pipe are elsewhere.

``VSCODE``, ``NEOVIM``, ``EGLOT`` and ``HELIX`` say what those editors can do, as far as it makes a
difference here.
"""

import copy
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgls.document.document import Document
from msgls.features.snippets import plain
from msgls.lsp.protocol import Protocol
from msgls.lsp.server import TABLE
from msgls.lsp.transport import Framer
from msgls.text.lines import Encoding
from msgls.text.spans import Edit, Span, apply_edits

URI = "file:///chats/chat.msg.md"

_SYMBOL_KINDS = {"valueSet": list(range(1, 27))}

VSCODE: Mapping[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "textOnlyTransactional",
            "changeAnnotationSupport": {"groupsOnLabel": True},
            "snippetEditSupport": True,
        },
        "workspaceFolders": True,
        "fileOperations": {
            "dynamicRegistration": True,
            "didCreate": True,
            "didRename": True,
            "didDelete": True,
            "willCreate": True,
            "willRename": True,
            "willDelete": True,
        },
        "symbol": {"symbolKind": _SYMBOL_KINDS, "resolveSupport": {"properties": []}},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "foldingRange": {"refreshSupport": True},
        "executeCommand": {"dynamicRegistration": True},
        "textDocumentContent": {"dynamicRegistration": True},
    },
    "textDocument": {
        "synchronization": {"dynamicRegistration": True, "didSave": True},
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": False},
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": False,
            "tagSupport": {"valueSet": [1, 2]},
            "codeDescriptionSupport": True,
            "dataSupport": True,
        },
        "completion": {
            "dynamicRegistration": True,
            "contextSupport": True,
            "completionItem": {
                "snippetSupport": True,
                "commitCharactersSupport": True,
                "documentationFormat": ["markdown", "plaintext"],
                "insertReplaceSupport": True,
                "resolveSupport": {"properties": ["documentation", "detail"]},
                "insertTextModeSupport": {"valueSet": [1, 2]},
                "labelDetailsSupport": True,
            },
            "insertTextMode": 2,
            "completionList": {"itemDefaults": ["commitCharacters", "editRange"]},
        },
        "hover": {"dynamicRegistration": True, "contentFormat": ["markdown", "plaintext"]},
        "definition": {"dynamicRegistration": True, "linkSupport": True},
        "references": {"dynamicRegistration": True},
        "documentHighlight": {"dynamicRegistration": True},
        "documentSymbol": {
            "dynamicRegistration": True,
            "symbolKind": _SYMBOL_KINDS,
            "hierarchicalDocumentSymbolSupport": True,
            "labelSupport": True,
        },
        "codeAction": {
            "dynamicRegistration": True,
            "isPreferredSupport": True,
            "disabledSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
            "codeActionLiteralSupport": {
                "codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}
            },
        },
        "codeLens": {"dynamicRegistration": True},
        "formatting": {"dynamicRegistration": True},
        "rangeFormatting": {"dynamicRegistration": True},
        "onTypeFormatting": {"dynamicRegistration": True},
        "rename": {
            "dynamicRegistration": True,
            "prepareSupport": True,
            "prepareSupportDefaultBehavior": 1,
        },
        "documentLink": {"dynamicRegistration": True, "tooltipSupport": True},
        "foldingRange": {
            "dynamicRegistration": True,
            "rangeLimit": 5000,
            "lineFoldingOnly": True,
            "foldingRangeKind": {"valueSet": ["comment", "imports", "region"]},
            "foldingRange": {"collapsedText": False},
        },
        "selectionRange": {"dynamicRegistration": True},
        "callHierarchy": {"dynamicRegistration": True},
        "semanticTokens": {
            "dynamicRegistration": True,
            "requests": {"range": True, "full": {"delta": True}},
            "tokenTypes": ["namespace", "type", "class", "keyword", "string", "property"],
            "tokenModifiers": ["declaration", "definition", "readonly"],
            "formats": ["relative"],
            "augmentsSyntaxTokens": True,
        },
        "linkedEditingRange": {"dynamicRegistration": True},
        "inlayHint": {"dynamicRegistration": True, "resolveSupport": {"properties": ["tooltip"]}},
    },
}
"""Visual Studio Code: pulls diagnostics, knows nearly everything, counts UTF-16 only."""

NEOVIM: Mapping[str, Any] = {
    "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "didChangeWatchedFiles": {"dynamicRegistration": False, "relativePatternSupport": True},
        "workspaceEdit": {"resourceOperations": ["rename", "create", "delete"]},
        "workspaceFolders": True,
        "symbol": {"dynamicRegistration": False, "symbolKind": _SYMBOL_KINDS},
        "semanticTokens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
    },
    "textDocument": {
        "synchronization": {"dynamicRegistration": False, "didSave": True},
        "publishDiagnostics": {
            "relatedInformation": True,
            "tagSupport": {"valueSet": [1, 2]},
            "dataSupport": True,
        },
        "completion": {
            "dynamicRegistration": False,
            "contextSupport": False,
            "completionItem": {
                "snippetSupport": True,
                "commitCharactersSupport": False,
                "documentationFormat": ["markdown", "plaintext"],
                "resolveSupport": {"properties": ["additionalTextEdits"]},
            },
            "completionList": {"itemDefaults": ["editRange", "insertTextFormat", "data"]},
        },
        "hover": {"dynamicRegistration": True, "contentFormat": ["markdown", "plaintext"]},
        "definition": {"dynamicRegistration": True, "linkSupport": True},
        "references": {"dynamicRegistration": False},
        "documentHighlight": {"dynamicRegistration": False},
        "documentSymbol": {
            "dynamicRegistration": False,
            "symbolKind": _SYMBOL_KINDS,
            "hierarchicalDocumentSymbolSupport": True,
        },
        "codeAction": {
            "dynamicRegistration": True,
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
            "codeActionLiteralSupport": {
                "codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}
            },
        },
        "formatting": {"dynamicRegistration": True},
        "rangeFormatting": {"dynamicRegistration": True},
        "rename": {"dynamicRegistration": True, "prepareSupport": True},
        "foldingRange": {"lineFoldingOnly": True, "foldingRange": {"collapsedText": True}},
        "callHierarchy": {"dynamicRegistration": False},
        "semanticTokens": {
            "dynamicRegistration": False,
            "requests": {"range": False, "full": {"delta": True}},
            "tokenTypes": ["namespace", "type", "class", "keyword", "string", "property"],
            "tokenModifiers": ["declaration", "definition", "readonly"],
            "formats": ["relative"],
            "augmentsSyntaxTokens": True,
        },
        "inlayHint": {"dynamicRegistration": True, "resolveSupport": {"properties": []}},
    },
}
"""Neovim: is pushed to, takes versions in edits without saying so, counts whatever is wanted."""

UNVERSIONED: Mapping[str, Any] = {
    **NEOVIM,
    "workspace": {**NEOVIM["workspace"], "workspaceEdit": {}},
}
"""An editor that does not say either that it makes files: its edits cannot name versions."""

EGLOT: Mapping[str, Any] = {
    "general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "applyEdit": True,
        "executeCommand": {"dynamicRegistration": False},
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "symbol": {"dynamicRegistration": False},
        "configuration": True,
        "workspaceFolders": True,
    },
    "textDocument": {
        "synchronization": {"dynamicRegistration": False, "didSave": True},
        "publishDiagnostics": {
            "relatedInformation": False,
            "codeDescriptionSupport": False,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "completion": {
            "dynamicRegistration": False,
            "contextSupport": True,
            "completionItem": {
                "snippetSupport": False,
                "deprecatedSupport": True,
                "resolveSupport": {"properties": ["documentation", "details"]},
                "tagSupport": {"valueSet": [1]},
            },
        },
        "hover": {"dynamicRegistration": False, "contentFormat": ["plaintext"]},
        "definition": {"dynamicRegistration": False, "linkSupport": True},
        "references": {"dynamicRegistration": False},
        "documentHighlight": {"dynamicRegistration": False},
        "documentSymbol": {
            "dynamicRegistration": False,
            "hierarchicalDocumentSymbolSupport": True,
            "symbolKind": _SYMBOL_KINDS,
        },
        "codeAction": {
            "dynamicRegistration": False,
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
            "codeActionLiteralSupport": {
                "codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}
            },
        },
        "formatting": {"dynamicRegistration": False},
        "rangeFormatting": {"dynamicRegistration": False},
        "rename": {"dynamicRegistration": False},
        "inlayHint": {"dynamicRegistration": False},
    },
}
"""Emacs with eglot: no snippets, no Markdown without an extra package, no ``prepareRename``."""

HELIX: Mapping[str, Any] = {
    "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
    "window": {
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
        "workDoneProgress": True,
        "showDocument": {"support": True},
    },
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "executeCommand": {"dynamicRegistration": False},
        "inlayHint": {"refreshSupport": False},
        "symbol": {"dynamicRegistration": False, "symbolKind": _SYMBOL_KINDS},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "abort",
            "normalizesLineEndings": False,
        },
        "workspaceFolders": True,
    },
    "textDocument": {
        "codeAction": {
            "isPreferredSupport": True,
            "disabledSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
            "codeActionLiteralSupport": {
                "codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}
            },
        },
        "completion": {
            "completionItem": {
                "snippetSupport": True,
                "resolveSupport": {"properties": ["documentation", "detail"]},
                "insertReplaceSupport": True,
                "deprecatedSupport": True,
                "tagSupport": {"valueSet": [1]},
            },
            "completionItemKind": {},
        },
        "documentSymbol": {
            "dynamicRegistration": False,
            "symbolKind": _SYMBOL_KINDS,
            "hierarchicalDocumentSymbolSupport": False,
        },
        "formatting": {"dynamicRegistration": False},
        "hover": {"contentFormat": ["markdown"]},
        "inlayHint": {"dynamicRegistration": False},
        "publishDiagnostics": {"versionSupport": True, "tagSupport": {"valueSet": [1, 2]}},
        "rename": {"dynamicRegistration": False, "prepareSupport": True},
    },
}
"""Helix, as ``helix-lsp/src/client.rs`` says: no lenses, no folding, no semantic tokens."""

BARE: Mapping[str, Any] = {}
"""A client that says nothing of itself."""

PROFILES: Mapping[str, Mapping[str, Any]] = {
    "vscode": VSCODE,
    "neovim": NEOVIM,
    "eglot": EGLOT,
    "bare": BARE,
}


class Refused(Exception):
    """The server answered a request with an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class _Wire:
    """The server's channel: what it writes is cut into messages again."""

    backlog = 0

    def __init__(self) -> None:
        self.framer = Framer()

    def write(self, data: bytes) -> None:
        self.framer.feed(data)

    def read(self) -> None:
        return None

    def wait(self, seconds: float, reading: bool) -> bool:
        raise AssertionError("nothing is waited for here")

    def wake(self) -> None:
        pass

    def close(self) -> None:
        raise AssertionError("nobody closes it")


class Client:
    """One editor with one server."""

    def __init__(
        self,
        profile: Mapping[str, Any] = VSCODE,
        *,
        initialize: bool = True,
        server: Any = None,
        **params: Any,
    ) -> None:
        self.server: Protocol = server or Protocol(TABLE)
        self.notified: list[tuple[str, Any]] = []
        """Every notification that came, with its params."""
        self.asked: list[tuple[str, Any]] = []
        """Every request that the server made, with its params."""
        self.answers: dict[str, Callable[[Any], Any]] = {
            "workspace/configuration": lambda params: [None for _ in params["items"]]
        }
        """What to answer to the server, by method; else nothing is answered but null."""
        self.capabilities: dict[str, Any] = {}
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self._wire = _Wire()
        self._results: dict[Any, dict[str, Any]] = {}
        self._last_id = 0
        self.server.attach(self._wire)
        # The clock decides nothing here: each pause of the server's work is one.
        self.server.slice_seconds = 0.0
        if initialize:
            self.initialize(profile, **params)

    # -- messages -------------------------------------------------------------------------

    def initialize(self, profile: Mapping[str, Any], **params: Any) -> dict[str, Any]:
        """Say who we are; further params as they are named in the protocol."""
        result: dict[str, Any] = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": None,
                "capabilities": copy.deepcopy(dict(profile)),
                **params,
            },
        )
        self.capabilities = result["capabilities"]
        self.notify("initialized", {})
        return result

    @property
    def encoding(self) -> Encoding:
        """What was negotiated."""
        encoding: Encoding = self.capabilities.get("positionEncoding", "utf-16")
        return encoding

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message as it is, and let the server do nothing yet."""
        self.server.receive(json.loads(json.dumps({"jsonrpc": "2.0", **message})))

    def settle(self) -> None:
        """Let the server work until it has nothing to do, answering what it asks."""
        protocol = self.server
        busy = True
        while busy:
            while protocol.step():
                pass
            busy = self._take()

    def pause(self) -> None:
        """Let a moment pass in which nobody types."""
        while self.server.prepare(is_quiet=True):
            self.settle()

    def _take(self) -> bool:
        """Sort what came; true if the server was answered."""
        answered = False
        while (message := self._wire.framer.next()) is not None:
            assert isinstance(message, dict), "the server wrote what is not a message"
            if "method" not in message:
                self._results[message["id"]] = message
            elif "id" not in message:
                self.notified.append((message["method"], message.get("params")))
            else:
                self.asked.append((message["method"], message.get("params")))
                answer = self.answers.get(message["method"])
                result = None if answer is None else answer(message.get("params"))
                self.send({"id": message["id"], "result": result})
                answered = True
        return answered

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request and let the server do nothing yet; its id, for ``answer``."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return self._last_id

    def answered(self) -> set[int]:
        """The ids of the requests whose answers came and were not taken yet."""
        self._take()
        return set(self._results)

    def answer(self, request_id: int) -> Any:
        """The answer to a request. Raises ``Refused`` where that is an error."""
        self.settle()
        message = self._results.pop(request_id)
        if "error" in message:
            raise Refused(message["error"]["code"], message["error"]["message"])
        return message["result"]

    def request(self, method: str, params: Any = None) -> Any:
        """The answer to a request, as plain JSON. Raises ``Refused`` where that is an error."""
        return self.answer(self.ask(method, params))

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification, and let the server work."""
        self.send({"method": method} if params is None else {"method": method, "params": params})
        self.settle()

    def notifications(self, method: str) -> list[Any]:
        """The params of every notification of that name, in order."""
        return [params for name, params in self.notified if name == method]

    def requests(self, method: str) -> list[Any]:
        """The params of every request of that name that the server made, in order."""
        return [params for name, params in self.asked if name == method]

    # -- documents ------------------------------------------------------------------------

    def open(self, text: str, uri: str = URI, language_id: str = "msgmd", version: int = 1) -> str:
        """Open a document; its address."""
        self.texts[uri], self.versions[uri] = text, version
        item = {"uri": uri, "languageId": language_id, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, *edits: Edit, uri: str = URI, settle: bool = True) -> None:
        """Change a document by edits, each relative to what the ones before it leave."""
        changes = []
        for edit in edits:
            changes.append({"range": self.range(edit.span, uri), "text": edit.text})
            self.texts[uri] = apply_edits(self.texts[uri], [edit])
        self.versions[uri] += 1
        identifier = {"uri": uri, "version": self.versions[uri]}
        params = {"textDocument": identifier, "contentChanges": changes}
        self.send({"method": "textDocument/didChange", "params": params})
        if settle:
            self.settle()

    def close(self, uri: str = URI) -> None:
        """Close a document."""
        del self.texts[uri], self.versions[uri]
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def at(self, method: str, offset: int, uri: str = URI, **params: Any) -> Any:
        """The answer to a request about a place of a document."""
        place = {"textDocument": {"uri": uri}, "position": self.position(offset, uri)}
        return self.request(method, {**place, **params})

    # -- places ---------------------------------------------------------------------------

    def _document(self, uri: str) -> Document:
        # Not the server's: the client has its own idea of where a line ends.
        return Document.open("client.msg.md", self.texts[uri])

    def position(self, offset: int, uri: str = URI) -> dict[str, int]:
        """An offset as a position on the wire."""
        line, character = self._document(uri).position_of(offset, self.encoding)
        return {"line": line, "character": character}

    def range(self, span: Span, uri: str = URI) -> dict[str, Any]:
        """A span as a range on the wire."""
        return {"start": self.position(span.start, uri), "end": self.position(span.end, uri)}

    def span(self, range_: Mapping[str, Any], uri: str = URI) -> Span:
        """A range on the wire as a span. Fails where it is out of bounds."""
        document = self._document(uri)
        offsets = []
        for name in ("start", "end"):
            place = range_[name]
            spelled = type(document.position_of(0))(place["line"], place["character"])
            offset = document.offset_of(spelled, self.encoding)
            assert document.position_of(offset, self.encoding) == spelled, f"no such place: {place}"
            offsets.append(offset)
        return Span(*offsets)

    def edited(self, edits: Iterable[Mapping[str, Any]], uri: str = URI, cursor: str = "") -> str:
        """The text of a document after text edits; the document stays as it is."""
        made = [Edit(self.span(edit["range"], uri), _new_text(edit, cursor)) for edit in edits]
        return apply_edits(self.texts[uri], made)

    def after(self, workspace_edit: Mapping[str, Any], uri: str = URI, cursor: str = "") -> str:
        """The text of a document after a workspace edit, however that is written.

        ``cursor`` stands where a snippet leaves the cursor, and on both sides of what it selects.
        """
        if "documentChanges" in workspace_edit:
            for change in workspace_edit["documentChanges"]:
                if change["textDocument"]["uri"] == uri:
                    assert change["textDocument"]["version"] in (None, self.versions[uri])
                    return self.edited(change["edits"], uri, cursor)
            return self.texts[uri]
        return self.edited(workspace_edit["changes"].get(uri, []), uri)


def _new_text(edit: Mapping[str, Any], cursor: str) -> str:
    """What a text edit inserts, be it a snippet or not."""
    if "snippet" not in edit:
        text: str = edit["newText"]
        return text
    assert edit["snippet"]["kind"] == "snippet"
    value: str = edit["snippet"]["value"]
    selected = re.search(r"(?<!\\)\$\{1:(.*?)(?<!\\)\}", value)
    if selected is None:
        return plain(re.sub(r"(?<!\\)\$0", cursor, value))
    repeated = re.sub(r"(?<!\\)\$1", selected[1], value)
    return plain(repeated.replace(selected[0], cursor + selected[1] + cursor))
