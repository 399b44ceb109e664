"""The server as editors start it, with a client that checks every message against the types.

What the editors can do comes from pytest-lsp, which has it from the editors themselves.
"""

import sys
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

URI = "file:///chats/chat.msg.md"
BROKEN = """\
# %% 🦊 One[^1]

[^1]: [markdown] history=full

Hi

# %% 🦊 Two[^2]

see [^
"""
EDITORS = ["visual_studio_code", "neovim", "emacs"]


@pytest_asyncio.fixture(params=EDITORS)
async def client(request: pytest.FixtureRequest) -> AsyncIterator[LanguageClient]:
    config = ClientServerConfig(server_command=[sys.executable, "-m", "msgls", "serve"])
    client = await config.start()
    assert isinstance(client, LanguageClient)
    # It has no answer of its own to this one.
    client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    capabilities = client_capabilities(request.param)
    folder = lsp.WorkspaceFolder(uri="file:///chats", name="chats")
    result = await client.initialize_session(
        lsp.InitializeParams(
            capabilities=capabilities, root_uri="file:///chats", workspace_folders=[folder]
        )
    )
    assert result.server_info is not None
    assert result.server_info.name == "msgls"
    yield client
    await client.shutdown_session()
    await client.stop()  # type: ignore[no-untyped-call]


async def found(client: LanguageClient, version: int) -> dict[str, int]:
    """Codes and lines of the problems: pulled where the editor pulls, else as they are sent."""
    assert client.capabilities is not None
    capabilities = client.capabilities.text_document
    assert capabilities is not None
    if capabilities.diagnostic is not None:
        params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(URI))
        report = await client.text_document_diagnostic_async(params)
        assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
        items = list(report.items)
    else:
        sent = await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        assert (sent.uri, sent.version) == (URI, version)
        items = list(sent.diagnostics)
    assert {item.source for item in items} <= {"msgls"}
    return {str(item.code): item.range.start.line for item in items}


@pytest.mark.asyncio
async def test_a_session(client: LanguageClient) -> None:
    item = lsp.TextDocumentItem(URI, "msgmd", 1, BROKEN)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    assert await found(client, 1) == {"MSG203": 2, "MSG101": 6}

    document = lsp.TextDocumentIdentifier(URI)
    at_history = lsp.HoverParams(document, lsp.Position(2, 20))
    hover = await client.text_document_hover_async(at_history)
    assert hover is not None
    assert "history" in str(hover.contents)

    at_end = lsp.CompletionParams(document, lsp.Position(8, 6))
    completion = await client.text_document_completion_async(at_end)
    assert completion is not None
    items = completion.items if isinstance(completion, lsp.CompletionList) else completion
    assert {"1", "2"} <= {item.label for item in items}

    place = lsp.Range(lsp.Position(2, 25), lsp.Position(2, 30))
    change = lsp.TextDocumentContentChangePartial(range=place, text="include")
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(2, URI), [change])
    )
    assert await found(client, 2) == {"MSG101": 6}
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert symbols is not None
    assert len(symbols) == 2
