"""The server: one visible table of what it answers, and how it is started."""

from __future__ import annotations

import gc
import logging
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from cattrs import Converter
from lsprotocol import converters
from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from msgls import __version__
from msgls.features.command_ids import COMMAND_IDS
from msgls.features.legend import MODIFIERS, TYPES
from msgls.features.triggers import COMPLETION
from msgls.lsp.protocol import MsglsProtocol, Registration
from msgls.lsp.session import Session
from msgls.lsp.transport import MOST_BODY_BYTES, Channel, run, socket_channel, stdio_channel
from msgls.text.lines import Encoding
from msgls.text.locale import environment_tag

log = logging.getLogger(__name__)

_LEGEND = lsp.SemanticTokensLegend(token_types=list(TYPES), token_modifiers=list(MODIFIERS))

_ANY_FILE = lsp.FileOperationRegistrationOptions(
    filters=[lsp.FileOperationFilter(lsp.FileOperationPattern(glob="**"), scheme="file")]
)

TABLE: Sequence[Registration] = (
    Registration(lsp.INITIALIZED, "configuration.initialized", lsp.InitializedParams),
    Registration(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, "configuration.changed"),
    Registration(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, "watching.changed"),
    Registration(
        lsp.WORKSPACE_DID_CREATE_FILES, "watching.created", lsp.CreateFilesParams, _ANY_FILE
    ),
    Registration(
        lsp.WORKSPACE_DID_RENAME_FILES, "watching.renamed", lsp.RenameFilesParams, _ANY_FILE
    ),
    Registration(
        lsp.WORKSPACE_DID_DELETE_FILES, "watching.deleted", lsp.DeleteFilesParams, _ANY_FILE
    ),
    Registration(
        lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
        "watching.folders",
        lsp.DidChangeWorkspaceFoldersParams,
    ),
    Registration(lsp.TEXT_DOCUMENT_DID_OPEN, "sync.opened", lsp.DidOpenTextDocumentParams),
    Registration(lsp.TEXT_DOCUMENT_DID_CHANGE, "sync.changed"),
    Registration(
        lsp.TEXT_DOCUMENT_DID_SAVE,
        "sync.saved",
        lsp.DidSaveTextDocumentParams,
        lsp.SaveOptions(include_text=True),
    ),
    Registration(lsp.TEXT_DOCUMENT_DID_CLOSE, "sync.closed", lsp.DidCloseTextDocumentParams),
    Registration(lsp.TEXT_DOCUMENT_HOVER, "hover.hover", lsp.HoverParams),
    Registration(
        lsp.TEXT_DOCUMENT_COMPLETION,
        "completion.completion",
        lsp.CompletionParams,
        lsp.CompletionOptions(trigger_characters=list(COMPLETION), resolve_provider=True),
    ),
    Registration(lsp.COMPLETION_ITEM_RESOLVE, "completion.resolve"),
    Registration(lsp.TEXT_DOCUMENT_DEFINITION, "definition.definition", lsp.DefinitionParams),
    Registration(lsp.TEXT_DOCUMENT_REFERENCES, "references.references", lsp.ReferenceParams),
    Registration(
        lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,
        "highlight.document_highlight",
        lsp.DocumentHighlightParams,
    ),
    Registration(
        lsp.TEXT_DOCUMENT_RENAME,
        "rename.rename",
        lsp.RenameParams,
        lsp.RenameOptions(prepare_provider=True),
    ),
    Registration(lsp.TEXT_DOCUMENT_PREPARE_RENAME, "rename.prepare", lsp.PrepareRenameParams),
    Registration(
        lsp.TEXT_DOCUMENT_LINKED_EDITING_RANGE,
        "linked.linked_editing_range",
        lsp.LinkedEditingRangeParams,
    ),
    Registration(
        lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "outline.document_symbol", lsp.DocumentSymbolParams
    ),
    Registration(
        lsp.TEXT_DOCUMENT_DIAGNOSTIC,
        "diagnostics.document_diagnostic",
        lsp.DocumentDiagnosticParams,
        lsp.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=True, identifier="msgls"
        ),
    ),
    Registration(
        lsp.WORKSPACE_DIAGNOSTIC,
        "diagnostics.workspace_diagnostic",
        lsp.WorkspaceDiagnosticParams,
    ),
    Registration(lsp.WORKSPACE_SYMBOL, "symbols.workspace_symbol", lsp.WorkspaceSymbolParams),
    Registration(
        lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT, "content.content", lsp.TextDocumentContentParams
    ),
    Registration(
        lsp.WORKSPACE_WILL_RENAME_FILES,
        "moving.will_rename",
        lsp.RenameFilesParams,
        _ANY_FILE,
        switch="rename",
    ),
    Registration(lsp.TEXT_DOCUMENT_FOLDING_RANGE, "folding.folding_range", lsp.FoldingRangeParams),
    Registration(
        lsp.TEXT_DOCUMENT_SELECTION_RANGE, "selection.selection_range", lsp.SelectionRangeParams
    ),
    Registration(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, "tokens.full", lsp.SemanticTokensParams, _LEGEND
    ),
    Registration(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
        "tokens.delta",
        lsp.SemanticTokensDeltaParams,
        _LEGEND,
    ),
    Registration(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        "tokens.in_range",
        lsp.SemanticTokensRangeParams,
        _LEGEND,
    ),
    Registration(
        lsp.TEXT_DOCUMENT_DOCUMENT_LINK,
        "links.document_link",
        lsp.DocumentLinkParams,
        lsp.DocumentLinkOptions(),
    ),
    Registration(
        lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY,
        "hierarchy.prepare",
        lsp.CallHierarchyPrepareParams,
    ),
    Registration(
        lsp.CALL_HIERARCHY_INCOMING_CALLS,
        "hierarchy.incoming",
        lsp.CallHierarchyIncomingCallsParams,
    ),
    Registration(
        lsp.CALL_HIERARCHY_OUTGOING_CALLS,
        "hierarchy.outgoing",
        lsp.CallHierarchyOutgoingCallsParams,
    ),
    Registration(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        "actions.code_action",
        lsp.CodeActionParams,
        lsp.CodeActionOptions(
            code_action_kinds=[
                "quickfix",
                "refactor",
                "source.fixAll.msgls",
                "source.convert.msgls",
                "navigate",
            ],
            resolve_provider=True,
        ),
    ),
    Registration(lsp.CODE_ACTION_RESOLVE, "fixes.resolve", switch="actions"),
    Registration(lsp.TEXT_DOCUMENT_CODE_LENS, "lenses.code_lens", lsp.CodeLensParams),
    Registration(lsp.CODE_LENS_RESOLVE, "lenses.resolve"),
    Registration(lsp.TEXT_DOCUMENT_INLAY_HINT, "hints.inlay_hint", lsp.InlayHintParams),
    Registration(
        lsp.TEXT_DOCUMENT_FORMATTING, "formatting.formatting", lsp.DocumentFormattingParams
    ),
    Registration(
        lsp.TEXT_DOCUMENT_RANGE_FORMATTING,
        "formatting.range_formatting",
        lsp.DocumentRangeFormattingParams,
        lsp.DocumentRangeFormattingOptions(ranges_support=True),
    ),
    Registration(
        lsp.TEXT_DOCUMENT_RANGES_FORMATTING,
        "formatting.ranges_formatting",
        lsp.DocumentRangesFormattingParams,
    ),
    Registration(
        lsp.WORKSPACE_EXECUTE_COMMAND,
        "commands.execute",
        lsp.ExecuteCommandParams,
        lsp.ExecuteCommandOptions(commands=list(COMMAND_IDS)),
    ),
    Registration("msgls/cellLenses", "lenses.cell_lenses"),
    Registration("msgls/cells", "outline.cells"),
    Registration("msgls/choices", "choices.choices"),
    Registration("msgls/newFile", "choices.new_file"),
    Registration("msgls/languageOf", "language.language_of"),
    Registration("msgls/asContent", "pasting.as_content"),
    Registration(
        "msgls/missingDefinition",
        "defining.missing_definition",
        lsp.TextDocumentPositionParams,
        switch="on-type",
    ),
    Registration("msgls/viewOf", "view.view_of"),
    Registration("msgls/sourceOf", "view.source_of"),
    Registration("msgls/page", "page.shown"),
    Registration("msgls/tokens", "view.tokens"),
    Registration("msgls/hidden", "view.hidden"),
)


@cache
def _converter() -> Converter:
    """One for all servers of a process: it compiles code for each type when it meets it first."""
    return converters.get_converter()


class MsglsServer(LanguageServer):
    """pygls' server with our protocol and our session."""

    protocol: MsglsProtocol

    def __init__(self) -> None:
        self.session = Session(self._notify, self._ask)
        super().__init__(
            "msgls",
            __version__,
            protocol_cls=MsglsProtocol,
            converter_factory=_converter,
        )
        for row in TABLE:
            self.protocol.register(row)
        self.protocol.fm.feature(lsp.INITIALIZE)(lambda params: self._initialize(params))

    def _initialize(self, params: lsp.InitializeParams) -> None:
        session = self.session
        session.capabilities = params.capabilities
        session.folders = _folders(params)
        session.initialization_options = params.initialization_options
        # Editors that say nothing start us where their user works.
        session.locale = params.locale or environment_tag()
        session.encoding = self._encoding()
        text_document = params.capabilities.text_document
        session.pushes = text_document is None or text_document.diagnostic is None
        client = params.client_info.name if params.client_info else "a client without a name"
        log.info("msgls %s serves %s; columns count %s", __version__, client, session.encoding)

    def _notify(self, method: str, params: bytes) -> None:
        self.protocol.send_notification(method, params)

    def _ask(
        self, method: str, params: Any, on_result: Callable[[Any], None] | None = None
    ) -> None:
        self.protocol.ask(method, params, on_result)

    def _encoding(self) -> Encoding:
        chosen = self.protocol.workspace.position_encoding
        names: dict[Any, Encoding] = {
            lsp.PositionEncodingKind.Utf8: "utf-8",
            lsp.PositionEncodingKind.Utf32: "utf-32",
        }
        return names.get(chosen, "utf-16")

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Into the log: a pop-up at each key helps nobody."""
        log.error("%s", error, exc_info=error)


def _folders(params: lsp.InitializeParams) -> list[str]:
    """The URIs of the folders that a client has open, in whichever way it says it."""
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    root = params.root_uri or (uris.from_fs_path(params.root_path) if params.root_path else None)
    return [root] if root else []


def serve(channel: Channel, *, same_machine: bool = True) -> int:
    """Serve one client; the exit code of the process."""
    server = MsglsServer()
    server.protocol.attach(channel)
    server.protocol.watches_client = same_machine
    # What is loaded now stays: the collector need not walk it, now or at any full collection.
    gc.freeze()
    gc.enable()
    try:
        return run(channel, server.protocol)
    finally:
        channel.close()


def serve_stdio() -> int:
    """Serve the client that started us."""
    channel = stdio_channel()
    sys.stdout = sys.stderr
    return serve(channel)


def listen(host: str, port: int) -> socket.socket:
    """A port that waits for clients. Raises ``OSError`` where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def serve_tcp(listener: socket.socket, *, same_machine: bool = True) -> int:
    """Wait for one client on a TCP port, and serve it."""
    with listener:
        _say_where(listener, "")
        connection, _ = listener.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return serve(socket_channel(connection), same_machine=same_machine)


def serve_websocket(listener: socket.socket, *, same_machine: bool = True) -> int:
    """Wait for one client on a WebSocket, and serve it."""
    from websockets.sync.server import serve as listen_to

    from msgls.lsp.websocket import TRY_LATER, WebSocketChannel, is_welcome

    taken, done = threading.Lock(), threading.Event()
    codes: list[int] = []

    def serve_one(connection: Any) -> None:
        if not taken.acquire(blocking=False):
            connection.close(TRY_LATER, "there is a client already")
            return
        try:
            codes.append(serve(WebSocketChannel(connection), same_machine=same_machine))
        finally:
            done.set()

    with listen_to(
        serve_one, sock=listener, process_request=is_welcome, max_size=MOST_BODY_BYTES
    ) as server:
        _say_where(listener, "ws://")
        # In a thread: it must be stopped from outside, for stopping waits for `serve_one`.
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done.wait()
    return codes[0] if codes else 1


def _say_where(listener: socket.socket, scheme: str) -> None:
    """Whoever chose port 0 must be told which one it is."""
    host, port = listener.getsockname()[:2]
    host = f"[{host}]" if ":" in host else host
    sys.stderr.write(f"msgls listens on {scheme}{host}:{port}\n")
    sys.stderr.flush()
