"""The answer to ``initialize``: what it offers to whom, and that it waits for no library."""

import logging
import subprocess
import sys
from itertools import product
from typing import Any

import pytest
from lsprotocol import converters
from lsprotocol import types as lsp

from msgls.lsp.greeting import greeting_of
from tests.lsp.client import BARE, EGLOT, NEOVIM, VSCODE, Client
from tests.lsp.wire import ROOT
from tools.capabilities import capabilities

OPERATIONS = ("didCreate", "didRename", "didDelete", "willRename")


def clients() -> list[dict[str, Any]]:
    """Editors that there are, and every combination of what the answer depends on."""
    made: list[dict[str, Any]] = [{**one} for one in (BARE, EGLOT, NEOVIM, VSCODE)]
    encodings: tuple[Any, ...] = (None, [], ["utf-8"], ["utf-32", "utf-16"], ["latin-1", "utf-8"])
    for named, prepares, known in product(encodings, (None, False, True), range(16)):
        operations = {name: bool(known >> bit & 1) for bit, name in enumerate(OPERATIONS)}
        client: dict[str, Any] = {"workspace": {"fileOperations": operations}}
        if named is not None:
            client["general"] = {"positionEncodings": named}
        if prepares is not None:
            client["textDocument"] = {"rename": {"prepareSupport": prepares}}
        made.append(client)
    return made


def test_every_client_is_offered_what_pygls_would_offer_it() -> None:
    converter = converters.get_converter()
    for client in clients():
        offered = greeting_of({"processId": None, "capabilities": client})["capabilities"]
        assert offered == capabilities(converter.structure(client, lsp.ClientCapabilities)), client


def test_initialize_is_answered_before_the_protocol_is_loaded() -> None:
    script = (
        "import sys\n"
        "from msgls.lsp.start import Server\n"
        "class Channel:\n"
        "    def write(self, data):\n"
        "        print(data.decode(), [*sys.modules])\n"
        "    def wake(self):\n"
        "        pass\n"
        "hello = {'id': 7, 'method': 'initialize', 'params': {'capabilities': {}}}\n"
        "server = Server(Channel(), same_machine=True)\n"
        "server.receive(hello)\n"
        "assert not server.step()\n"
        "assert 'lsprotocol.types' in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert '"id": 7' in done.stdout
    assert "msgls.lsp.start" in done.stdout
    for library in ("lsprotocol", "pygls", "attrs", "pydantic", "yaml", "msgls.document"):
        assert f"'{library}" not in done.stdout


@pytest.mark.parametrize("about", ["textDocument", "workspace", "general"])
def test_capabilities_that_cannot_be_read_are_left_out(
    about: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        client = Client({about: 5})
    assert "are not used" in caplog.text
    client.open("# %%% user[^1]\n\n[^1]: [markdown]\n\nHi\n")
    assert client.notifications("textDocument/publishDiagnostics")[-1]["diagnostics"]
