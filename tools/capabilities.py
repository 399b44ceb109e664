"""``lsp/capabilities.json``: what the server offers to a client that can do everything.

pygls makes it of the routes of ``lsp/server.py``. It is kept as a file because the server answers
``initialize`` before it loads pygls and lsprotocol.
"""

from __future__ import annotations

import json

from lsprotocol import converters
from lsprotocol import types as lsp
from pygls.capabilities import ServerCapabilitiesBuilder

from msgls.lsp.server import TABLE

_ABLE = lsp.ClientCapabilities(
    workspace=lsp.WorkspaceClientCapabilities(
        file_operations=lsp.FileOperationClientCapabilities(*[True] * 7)
    ),
    text_document=lsp.TextDocumentClientCapabilities(
        rename=lsp.RenameClientCapabilities(prepare_support=True)
    ),
)


def capabilities(client: lsp.ClientCapabilities = _ABLE) -> dict[str, object]:
    """What the server offers to ``client``, as JSON."""
    options = {row.method: row.options for row in TABLE if row.options}
    builder = ServerCapabilitiesBuilder(
        client,
        {row.method for row in TABLE},
        options,
        options[lsp.WORKSPACE_EXECUTE_COMMAND].commands,
        lsp.TextDocumentSyncKind.Incremental,
        position_encoding=ServerCapabilitiesBuilder.choose_position_encoding(client),
    )
    made: dict[str, object] = converters.get_converter().unstructure(builder.build())  # type: ignore[no-untyped-call]
    return made


def as_file() -> str:
    """The text of the file."""
    return json.dumps(capabilities(), indent=2) + "\n"
