"""From the first message to the exit code, over every kind of connection."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol.types import METHOD_TO_TYPES
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from msgls import __version__
from msgls.cli.exits import UsageProblem
from msgls.cli.serve import _address
from msgls.document.document import Document
from msgls.lsp import handlers
from msgls.lsp.protocol import Route, params_type
from msgls.lsp.server import TABLE
from msgls.lsp.session import _SMALL_FILE
from msgls.lsp.transport import Framer
from msgls.rules.checker import Checker
from msgls.rules.registry import rules_of
from tests.lsp.client import BARE, Client, Refused
from tests.lsp.wire import PATIENCE, ROOT, SERVE, Wire, framed, request
from tests.notation import table
from tests.snapshots import snapshot_of

URI = "file:///chats/chat.msg.md"
BROKEN = "# %%% user[^1]\n\n[^1]: [markdown]\n\nHi\n"
HELLO: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
OPEN = {"textDocument": {"uri": URI, "languageId": "msgmd", "version": 1, "text": BROKEN}}


# -- phases -------------------------------------------------------------------------------


def refused(client: Client, method: str, params: Any = None) -> int:
    with pytest.raises(Refused) as caught:
        client.request(method, params)
    return caught.value.code


@pytest.mark.parametrize("method", ["textDocument/hover", "shutdown", "no/such/thing"])
def test_before_initialize_nothing_is_answered(method: str) -> None:
    client = Client(initialize=False)
    assert refused(client, method, {}) == -32002
    assert client.initialize(BARE)["serverInfo"]["name"] == "msgls"


def test_before_initialize_notifications_are_dropped() -> None:
    client = Client(initialize=False)
    client.notify("textDocument/didOpen", OPEN)
    client.initialize(BARE)
    assert client.server.session.documents == {}


def test_initialize_comes_once() -> None:
    assert refused(Client(), "initialize", HELLO) == -32600


def test_after_shutdown_everything_is_refused() -> None:
    client = Client()
    assert client.request("shutdown") is None
    assert refused(client, "textDocument/hover", {}) == -32600
    assert refused(client, "shutdown") == -32600
    client.notify("textDocument/didOpen", OPEN)
    assert client.server.session.documents == {}
    assert client.server.exit_code is None
    client.notify("exit")
    assert client.server.exit_code == 0


def test_what_is_queued_before_shutdown_is_answered() -> None:
    client = Client()
    client.open(BROKEN)
    asked = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    client.ask("shutdown")
    client.send({"method": "exit"})
    assert client.answer(asked)
    assert client.server.exit_code == 0


ENDS = {
    "exit at once": (["exit"], 1),
    "exit without shutdown": (["initialize", "exit"], 1),
    "exit after shutdown": (["initialize", "shutdown", "exit"], 0),
    "shutdown before initialize": (["shutdown", "exit"], 1),
    "gone without a word": ([], 1),
    "gone after shutdown": (["initialize", "shutdown"], 1),
}


@table("methods, code", ENDS)
def test_the_exit_code_says_whether_it_was_a_goodbye(methods: list[str], code: int) -> None:
    with Wire() as wire:
        for number, method in enumerate(methods):
            params = HELLO if method == "initialize" else None
            message = request(number, method, params)
            wire.write(framed({**message, "id": number} if method != "exit" else _bare(message)))
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        assert wire.exit_code() == code
        assert "Traceback" not in wire.log


def _bare(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "id"}


@pytest.mark.parametrize(("same_machine", "code"), [(True, 1), (False, None)])
def test_a_process_of_another_machine_is_not_looked_for(
    same_machine: bool, code: int | None
) -> None:
    client = Client(BARE, processId=2**22 + 1)
    protocol = client.server
    protocol.watches_client = same_machine
    protocol.tick()
    assert protocol.exit_code == code


def test_nothing_is_prepared_before_the_first_answer() -> None:
    client = Client(initialize=False)
    assert not client.server.prepare(is_quiet=True)


def test_what_opening_takes_is_prepared_first() -> None:
    script = (
        "import sys\n"
        "from tests.lsp.client import Client\n"
        "client = Client()\n"
        "assert client.server.prepare(is_quiet=False)\n"
        "assert not client.server.prepare(is_quiet=False)\n"
        "prepared = {*sys.modules}\n"
        f"client.notify('textDocument/didOpen', {OPEN!r})\n"
        "missing = {*sys.modules} - prepared\n"
        "assert missing == {'msgls.lsp.handlers.sync'}, missing\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)


def test_the_file_that_prepares_is_sound() -> None:
    document = Document.open("small.msg.md", _SMALL_FILE)
    assert Checker(snapshot_of(document), rules_of("msgmd")).problems() == []


def test_a_handler_that_cannot_be_imported_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    client = Client(initialize=False)
    # By name: mypy knows the list of handlers, and this one is not in it.
    broken = Route("probe/broken", "", lambda: getattr(handlers, "no_such_module").broken)  # noqa: B009
    client.server.register(broken)
    client.initialize(BARE)
    while client.server.prepare(is_quiet=True):
        pass
    assert caplog.text.count("No module named") == 1
    assert refused(client, "probe/broken", {}) == -32603


def test_every_handler_takes_the_params_of_its_method() -> None:
    standard = [row for row in TABLE if row.method in METHOD_TO_TYPES]
    for row in standard:
        params = params_type(row.load())
        assert params in (None, METHOD_TO_TYPES[row.method][2]), row.method
    plain = {row.method for row in standard if params_type(row.load()) is None}
    assert plain == {
        "workspace/didChangeConfiguration",
        "workspace/didChangeWatchedFiles",
        "textDocument/didChange",
        "completionItem/resolve",
        "codeAction/resolve",
        "codeLens/resolve",
        "window/workDoneProgress/cancel",
    }


# -- the command line ---------------------------------------------------------------------


def test_stdio_and_what_editors_add_to_it() -> None:
    with Wire(SERVE, "--stdio") as wire:
        assert wire.initialize()["serverInfo"]["name"] == "msgls"


def test_the_log_goes_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "größe.log"
    with Wire(SERVE, "--log-file", str(file), "--log-level", "debug") as wire:
        wire.initialize()
        wire.notify("no/such/thing", {"secret": "hunter2"})
        wire.open(URI, "my-secret-text\n")
        wire.published(URI, 1)
        wire.request("shutdown")
        wire.notify("exit")
        assert wire.exit_code() == 0
        assert wire.log == ""
    log = file.read_text("utf-8")
    assert f"msgls {__version__} serves" in log
    assert "notification: textDocument/didOpen" in log
    assert ": shutdown" in log
    assert "unknown method no/such/thing" in log
    assert "secret" not in log


def serve(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SERVE, *options],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_log_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    done = serve("--log-file", str(tmp_path / "missing" / "x.log"))
    assert done.returncode == 2
    assert "cannot write the log" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = serve("--tcp", f"127.0.0.1:{port}")
    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "Traceback" not in done.stderr


ADDRESSES = {
    "a port": (":2087", ("127.0.0.1", 2087)),
    "a name": ("localhost:2087", ("localhost", 2087)),
    "all of the loopback": ("127.0.0.2:0", ("127.0.0.2", 0)),
    "IPv6": ("[::1]:2087", ("::1", 2087)),
}


@table("text, address", ADDRESSES)
def test_an_address(text: str, address: tuple[str, int]) -> None:
    assert _address(text, allow_remote=False) == address


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "[::]", "example.com", "127.0.0.1.x"])
def test_other_machines_are_let_in_only_if_wanted(host: str) -> None:
    with pytest.raises(UsageProblem, match="--allow-remote"):
        _address(f"{host}:2087", allow_remote=False)
    assert _address(f"{host}:2087", allow_remote=True) == (host.strip("[]"), 2087)


@pytest.mark.parametrize("text", ["", "2087", "localhost", "x:", "x:y", ":65536", ":²", ":-1"])
def test_what_is_not_an_address(text: str) -> None:
    with pytest.raises(UsageProblem, match="not a HOST:PORT"):
        _address(text, allow_remote=True)


@pytest.mark.parametrize("option", ["--tcp", "--ws"])
def test_a_server_for_other_machines_does_not_start_by_mistake(option: str) -> None:
    done = serve(option, "0.0.0.0:0")
    assert done.returncode == 2
    assert "--allow-remote" in done.stderr


# -- sockets ------------------------------------------------------------------------------


@contextmanager
def listening(option: str, host: str = "127.0.0.1") -> Iterator[tuple[Wire, int]]:
    """A server that waits on a port of its choice, and the port."""
    with Wire(SERVE, option, f"{host}:0") as wire:
        found = re.search(r"msgls listens on \S*:(\d+)\n", wire.wait_for_log("listens on"))
        assert found is not None
        yield wire, int(found[1])


class Socket:
    """A client on a TCP port."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = socket.create_connection((host, port), PATIENCE)
        self._framer = Framer()

    def send(self, message: Any) -> None:
        self._socket.sendall(framed(message))

    def receive(self) -> Any:
        while (message := self._framer.next()) is None:
            data = self._socket.recv(1 << 16)
            assert data, "the server closed the connection"
            self._framer.feed(data)
        return message

    def close(self) -> None:
        self._socket.close()


class Web:
    """A client on a WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, message: Any) -> None:
        self.connection.send(json.dumps(message))

    def receive(self) -> Any:
        return json.loads(self.connection.recv(PATIENCE))

    def close(self) -> None:
        self.connection.close()


def converse(peer: Socket | Web) -> None:
    """A short life: hello, a broken document and its diagnostics, goodbye."""
    peer.send(request(1, "initialize", HELLO))
    assert peer.receive()["result"]["serverInfo"]["name"] == "msgls"
    peer.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    peer.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": OPEN})
    published = peer.receive()
    assert published["method"] == "textDocument/publishDiagnostics"
    assert published["params"]["diagnostics"]
    peer.send(request(2, "shutdown"))
    assert peer.receive() == {"jsonrpc": "2.0", "id": 2, "result": None}
    peer.send({"jsonrpc": "2.0", "method": "exit"})


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_over_tcp(host: str) -> None:
    if ":" in host and not has_ipv6():
        pytest.skip("no IPv6 on this machine")
    with listening("--tcp", f"[{host}]" if ":" in host else host) as (wire, port):
        peer = Socket(host, port)
        converse(peer)
        assert wire.exit_code() == 0
        peer.close()


def test_a_tcp_client_that_is_gone_ends_the_server() -> None:
    with listening("--tcp") as (wire, port):
        peer = Socket("127.0.0.1", port)
        peer.send(request(1, "initialize", HELLO))
        peer.receive()
        peer.close()
        assert wire.exit_code() == 1


def test_there_is_one_tcp_client() -> None:
    with listening("--tcp") as (_, port):
        first = Socket("127.0.0.1", port)
        first.send(request(1, "initialize", HELLO))
        first.receive()
        with pytest.raises(ConnectionRefusedError):
            Socket("127.0.0.1", port)
        first.close()


ORIGINS = {
    "no page": (None, True),
    "a page of this machine": ("http://localhost:3000", True),
    "by its address": ("http://127.0.0.1:8080", True),
    "by its address in IPv6": ("http://[::1]:8080", True),
    "a page from elsewhere": ("https://example.com", False),
    "a name that begins alike": ("http://localhost.example.com", False),
    "a user that is named alike": ("http://localhost@example.com", False),
    "a page without an origin": ("null", False),
    "nonsense": ("http://[", False),
}


def test_over_a_websocket_only_pages_of_this_machine_are_let_in() -> None:
    with listening("--ws") as (wire, port):
        url = f"ws://127.0.0.1:{port}"
        for origin, welcome in ORIGINS.values():
            if not welcome:
                with pytest.raises(InvalidStatus) as caught:
                    connect(url, additional_headers={"Origin": origin or ""}, proxy=None)
                assert caught.value.response.status_code == 403
        with connect(url, additional_headers={"Origin": "http://localhost:3000"}, proxy=None) as it:
            converse(Web(it))
            assert wire.exit_code() == 0


@table("origin, welcome", ORIGINS)
def test_where_a_page_comes_from(origin: str | None, welcome: bool) -> None:
    from websockets.datastructures import Headers
    from websockets.http11 import Request

    from msgls.lsp.websocket import refusal_of

    class Connection:
        def respond(self, status: int, text: str) -> int:
            return status

    headers = Headers() if origin is None else Headers({"Origin": origin})
    answer = refusal_of(Connection(), Request("/", headers))
    assert answer == (None if welcome else 403)


def test_there_is_one_websocket_client_and_when_it_is_gone_the_server_ends() -> None:
    with listening("--ws") as (wire, port):
        url = f"ws://127.0.0.1:{port}"
        with connect(url, proxy=None) as first:
            Web(first).send(request(1, "initialize", HELLO))
            Web(first).receive()
            with connect(url, proxy=None) as second, pytest.raises(ConnectionClosed) as caught:
                second.recv(PATIENCE)
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1013
            # The first one is not disturbed.
            Web(first).send(request(2, "shutdown"))
            assert Web(first).receive()["id"] == 2
        assert wire.exit_code() == 1
