"""A real server process, and clients that do what no client should.

In every test the server must answer, or say in its log why it does not, and go on; and
in no test may it hang: every wait has an end.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lsp.test_transport import HEADERS
from tests.lsp.wire import PATIENCE, PROBE, ROOT, SERVE, Wire, framed, request
from tests.notation import table

URI = "file:///chats/chat.msg.md"
BROKEN = "# %%% user[^1]\n\n[^1]: [markdown]\n\nHi\n"


@pytest.fixture(scope="module")
def probe() -> Iterator[Wire]:
    """A server that is shared by tests that must not harm it."""
    with Wire(PROBE) as wire:
        wire.initialize()
        yield wire


def text_of(wire: Wire, uri: str = URI) -> Any:
    return wire.request("probe/text", {"uri": uri})["result"]


def change(wire: Wire, version: int | None, *changes: Any, uri: str = URI) -> None:
    identifier = {"uri": uri, "version": version}
    params = {"textDocument": identifier, "contentChanges": list(changes)}
    wire.notify("textDocument/didChange", params)


def replace(start: tuple[int, int], end: tuple[int, int], text: str) -> dict[str, Any]:
    ends = [dict(zip(("line", "character"), place, strict=True)) for place in (start, end)]
    return {"range": {"start": ends[0], "end": ends[1]}, "text": text}


# -- framing ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def damaged() -> Iterator[Wire]:
    """A server that gets one damaged message after the other."""
    with Wire() as wire:
        yield wire


@table("sent, wanted", HEADERS)
def test_a_good_request_after_a_bad_one_is_answered(
    damaged: Wire, sent: bytes, wanted: list[str]
) -> None:
    before = len(damaged.messages)
    damaged.write(sent)
    number = f"after {before}"
    damaged.write(framed(request(number, "shutdown")))
    assert damaged.answer(number)["error"]["code"] == -32002
    codes = [message["error"]["code"] for message in damaged.messages[before:-1]]
    # What could be read is a request before initialize; what could not is answered too.
    assert codes == [{"a": -32002, "?": -32700}[name] for name in wanted[:-1]]


def test_what_was_wrong_is_logged() -> None:
    with Wire() as wire:
        wire.write(b"Content-Length: -5\r\n\r\n")
        assert "a Content-Length of -5: dropped" in wire.wait_for_log("dropped")
        wire.write(b"Content-Length: 5\r\n\r\nhello")
        assert "a message of 5 bytes is not JSON" in wire.wait_for_log("5 bytes")


def test_too_short_a_body_is_answered_though_nothing_follows() -> None:
    with Wire() as wire:
        body = json.dumps(request(1, "shutdown")).encode()
        wire.write(b"Content-Length: 999\r\n\r\n" + body)
        assert wire.answer(1)["error"]["code"] == -32002
        assert "with a length of 999" in wire.log


def test_a_length_of_a_million_million_is_refused() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.write(b"Content-Length: 1000000000000\r\n\r\n{")
        assert wire.exit_code() == 1
        assert "1000000000000 is too large" in wire.log
        assert "Traceback" not in wire.log


# -- messages -----------------------------------------------------------------------------

NO_MESSAGES: dict[str, tuple[Any, Any, int]] = {
    "an array": ([], None, -32600),
    "a batch": ([request(1, "shutdown")], None, -32600),
    "a number": (5, None, -32600),
    "a text": ("hover", None, -32600),
    "an empty object": ({}, None, -32600),
    "a method that is a number": ({"id": "m1", "method": 5}, "m1", -32600),
    "a method that is a list": ({"id": "m2", "method": ["x"]}, "m2", -32600),
    "a method that is null": ({"id": "m3", "method": None}, "m3", -32600),
    "an unknown method": ({"id": "m4", "method": "textDocument/dance"}, "m4", -32601),
    "an unknown optional method": ({"id": "m5", "method": "$/dance"}, "m5", -32601),
    "a second initialize": ({"id": "m6", "method": "initialize", "params": {}}, "m6", -32600),
    "exit with an id": ({"id": "m7", "method": "exit"}, "m7", -32601),
}


@table("message, request_id, code", NO_MESSAGES)
def test_what_is_not_a_request_is_refused(
    probe: Wire, message: Any, request_id: Any, code: int
) -> None:
    before = len(probe.messages)
    probe.write(framed(message))
    answer = probe.wait_for(lambda m: "error" in m and m in probe.messages[before:])
    assert (answer["id"], answer["error"]["code"]) == (request_id, code)


IDS: dict[str, Any] = {
    "zero": 0,
    "negative": -1,
    "a text": "a",
    "an empty text": "",
    "a broken number": 1.5,
    "null": None,
    "a list": [1],
    "an object": {"a": 1},
    "a lone surrogate": "\ud800",
    "huge": 10**40,
}


@pytest.mark.parametrize("request_id", IDS.values(), ids=IDS)
def test_an_answer_has_the_id_of_its_request(probe: Wire, request_id: Any) -> None:
    before = len(probe.messages)
    probe.write(framed({"jsonrpc": "2.0", "id": request_id, "method": "probe/large", "params": {}}))
    probe.wait_for(lambda m: m in probe.messages[before:])
    assert probe.messages[before]["id"] == request_id
    probe.write(
        framed({"jsonrpc": "2.0", "id": request_id, "method": "probe/raising_later", "params": {}})
    )
    probe.wait_for(lambda m: len(probe.messages) > before + 1)
    assert probe.messages[before + 1]["id"] == request_id


def test_the_version_of_the_protocol_may_be_missing(probe: Wire) -> None:
    probe.write(framed({"id": "bare", "method": "probe/large", "params": {"size": 3}}))
    assert probe.answer("bare")["result"] == "xxx"


HOVER = "textDocument/hover"
PLACE = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
INVALID_PARAMS: dict[str, tuple[str, Any]] = {
    "missing": (HOVER, None),
    "a list": (HOVER, []),
    "a text": (HOVER, "x"),
    "empty": (HOVER, {}),
    "no document": (HOVER, {"position": {"line": 0, "character": 0}}),
    "no position": (HOVER, {"textDocument": {"uri": URI}}),
    "a negative line": (HOVER, {**PLACE, "position": {"line": -1, "character": 0}}),
    "a negative column": (HOVER, {**PLACE, "position": {"line": 0, "character": -1}}),
    "a line that is a text": (HOVER, {**PLACE, "position": {"line": "x", "character": 0}}),
    "a line that is null": (HOVER, {**PLACE, "position": {"line": None, "character": 0}}),
    "a line beyond all": (HOVER, {**PLACE, "position": {"line": 2**40, "character": 0}}),
    "a handler that takes plain JSON": ("completionItem/resolve", None),
    "one that pygls answers": ("initialize", 5),
}


@table("method, params", INVALID_PARAMS)
def test_invalid_params_are_answered(probe: Wire, method: str, params: Any) -> None:
    if method == "initialize":
        with Wire() as wire:
            assert wire.error(method, params) == -32602
            assert "result" in wire.request("initialize", {"capabilities": {}, "processId": None})
        return
    assert probe.error(method, params) == -32602


def test_a_document_that_is_not_open_is_refused_with_a_reason(probe: Wire) -> None:
    uri = "file:///nowhere.msg.md"
    answer = probe.request(HOVER, {**PLACE, "textDocument": {"uri": uri}})
    assert answer["error"] == {"code": -32803, "message": f"{uri} is not open"}


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_result_that_is_not_json_is_answered(probe: Wire, which: int) -> None:
    assert probe.error("probe/unserialisable", {"which": which}) == -32603


@pytest.mark.parametrize("method", ["probe/raising", "probe/raising_later"])
def test_an_exception_is_answered_and_the_document_lives(probe: Wire, method: str) -> None:
    probe.open(URI, "# %% user[^1]\n")
    answer = probe.request(method, {})
    assert answer["error"] == {"code": -32603, "message": f"{method} failed: ZeroDivisionError"}
    assert text_of(probe) == "# %% user[^1]\n"
    assert "on purpose" in probe.wait_for_log("on purpose")


def test_nothing_that_is_printed_goes_into_the_protocol(probe: Wire) -> None:
    before = len(probe.messages)
    assert probe.request("probe/printing", {})["result"] == "done"
    assert probe.request("probe/large", {"size": 1})["result"] == "x"
    assert all("jsonrpc" in message for message in probe.messages[before:])
    for said in ("printed by a handler", "written by a handler", "past Python", "by a child"):
        assert said in probe.wait_for_log(said)


# -- documents ----------------------------------------------------------------------------


def test_changes_of_an_unknown_document_are_logged_once() -> None:
    with Wire(PROBE) as wire:
        wire.initialize()
        for version in range(2, 12):
            change(wire, version, {"text": "x"}, uri="file:///unknown.msg.md")
        wire.notify("textDocument/didClose", {"textDocument": {"uri": "file:///unknown.msg.md"}})
        wire.open(URI, "x")
        assert text_of(wire) == "x"
        assert wire.log.count("was changed, but is not open") == 1
        assert not [m for m in wire.messages if m.get("method", "").startswith("window/")]


def test_ranges_out_of_bounds_are_clamped_applied_and_logged_once() -> None:
    with Wire(PROBE) as wire:
        wire.initialize()
        wire.open(URI, "one\ntwo\n")
        change(wire, 2, replace((99, 0), (99, 0), "three\n"))
        change(wire, 3, replace((0, 99), (0, 99), "!"))
        change(wire, 4, replace((77, 5), (88, 5), "four\n"))
        change(wire, 5, replace((-4, 2), (0, 1), "O"))
        change(wire, 6, replace((1, 3), (1, 0), "TWO"))
        assert text_of(wire) == "One!\nTWO\nthree\nfour\n"
        change(wire, 7, replace((0, 0), (10**9, 10**9), "all\n"))
        assert text_of(wire) == "all\n"
        assert wire.log.count("is not in the document") == 1


def test_a_version_that_goes_back_is_applied_and_logged_once() -> None:
    with Wire(PROBE) as wire:
        wire.initialize()
        wire.open(URI, "x\n")
        for version in (5, 4, 4, 3, -1):
            change(wire, version, replace((0, 0), (0, 0), "y"))
        assert text_of(wire) == "yyyyyx\n"
        assert wire.log.count("comes after version") == 1


def test_two_changes_of_one_version_are_applied_and_not_logged() -> None:
    """As Neovim sends an edit at the end of a file."""
    with Wire(PROBE) as wire:
        wire.initialize()
        wire.open(URI, "x\n")
        for text in ("y", "z"):
            change(wire, 4, replace((0, 0), (0, 0), text))
        assert text_of(wire) == "zyx\n"
        assert "comes after version" not in wire.log


BAD_CHANGES: dict[str, Any] = {
    "no text": {},
    "a text that is a number": {"text": 5},
    "a number": 5,
    "a range without an end": {"text": "x", "range": {"start": {"line": 0, "character": 0}}},
    "a line that is a text": {"text": "x", "range": {"start": {"line": "x"}, "end": {}}},
    "a line without end": {
        "text": "x",
        "range": {"start": {"line": 1e999, "character": 0}, "end": {"line": 0, "character": 0}},
    },
}


def test_a_change_that_cannot_be_read_leaves_the_others() -> None:
    with Wire(PROBE) as wire:
        wire.initialize()
        wire.open(URI, "")
        for number, bad in enumerate(BAD_CHANGES.values()):
            good = replace((0, 0), (0, 0), f"{number} ")
            change(wire, number + 2, good, bad, good)
        wanted = "".join(f"{number} {number} " for number in reversed(range(len(BAD_CHANGES))))
        assert text_of(wire) == wanted
        # The version is the client's, and so are the diagnostics.
        wire.published(URI, len(BAD_CHANGES) + 1)
        assert wire.log.count("a change cannot be read") == 1
        for params in (None, 5, {}, {"textDocument": {"uri": URI, "version": 99}}):
            wire.notify("textDocument/didChange", params)
        assert text_of(wire) == wanted


def test_what_is_saved_heals_a_document() -> None:
    with Wire(PROBE) as wire:
        capabilities = wire.initialize()["capabilities"]
        assert capabilities["textDocumentSync"]["save"] == {"includeText": True}
        wire.open(URI, BROKEN)
        document = {"textDocument": {"uri": URI}}
        wire.notify("textDocument/didSave", {**document, "text": BROKEN})
        wire.notify("textDocument/didSave", document)
        assert text_of(wire) == BROKEN
        assert wire.published(URI, 1)
        assert "what was saved" not in wire.log
        wire.notify("textDocument/didSave", {**document, "text": "# Notes\n"})
        assert text_of(wire) == "# Notes\n"
        assert wire.log.count("the saved text differs from ours") == 1


def test_a_rule_that_raises_is_reported_once_and_the_others_go_on() -> None:
    with Wire(PROBE) as wire:
        wire.initialize()
        text = "# %%% user[^1]\n\n[^1]: [markdown]\n\nHi\n\n# %%% user[^2]\n\nHi\n"
        wire.open(URI, text)
        before = {diagnostic["code"] for diagnostic in wire.published(URI, 1)}
        assert len(before) >= 2
        code = min(before)
        wire.request("probe/break_rule", {"code": code})
        for version in range(2, 6):
            change(wire, version, {"text": text + "x" * version})
        after = {diagnostic["code"] for diagnostic in wire.published(URI, 5)}
        assert after == before - {code}
        assert wire.log.count(f"rule {code} failed") == 1


# -- clients that are gone, or do not listen ----------------------------------------------


def test_a_server_does_not_outlive_its_client() -> None:
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        with Wire() as wire:
            wire.initialize(processId=client.pid)
            assert wire.process.poll() is None
            client.kill()
            client.communicate()
            # The pipe is still open: it is held by us.
            assert wire.exit_code() == 1
            assert f"process {client.pid} is gone" in wire.log
    finally:
        client.kill()
        client.communicate()


def test_a_client_that_was_never_there() -> None:
    gone = subprocess.run([sys.executable, "-c", ""], check=True)
    assert gone.returncode == 0
    with Wire() as wire:
        wire.initialize(processId=2**22 + 1)
        assert wire.exit_code() == 1


def test_a_closed_pipe_ends_the_server() -> None:
    with Wire() as wire:
        wire.initialize()
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        assert wire.exit_code() == 1
        assert "Traceback" not in wire.log


def test_a_client_that_does_not_read_loses_nothing() -> None:
    limits = json.dumps({"MOST_BACKLOG_BYTES": 1 << 20})
    with Wire(PROBE, env={"PROBE_LIMITS": limits}) as wire:
        wire.initialize()
        wire.open(URI, "0\n")
        wire.published(URI, 1)
        wire.reading.clear()
        # One read may be under way: it takes this answer, and then nothing is read.
        ids = [wire.ask("probe/large", {"size": 200_000}) for _ in range(100)]
        for version in range(2, 102):
            change(wire, version, replace((0, 0), (0, 0), "x"))
        last = wire.ask("probe/text", {"uri": URI})
        time.sleep(1.0)
        assert len([m for m in wire.messages if "method" not in m]) < 10
        assert _resident_bytes(wire.process.pid) < 400 << 20
        wire.reading.set()
        assert wire.answer(last)["result"] == "x" * 100 + "0\n"
        answered = [message["id"] for message in wire.messages if "method" not in message]
        assert answered[-101:] == [*ids, last]
        wire.published(URI, 101)


def test_a_client_that_does_not_read_the_log_is_served() -> None:
    with subprocess.Popen(
        SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        watch = threading.Timer(PATIENCE, process.kill)
        watch.start()
        # Each of these is logged, and together they are more than a pipe holds.
        process.stdin.write(b"Content-Length: -5\r\n\r\n" * 5_000)
        process.stdin.write(framed(request("late", "shutdown")))
        process.stdin.write(framed({"jsonrpc": "2.0", "method": "exit"}))
        process.stdin.flush()
        answer = process.stdout.read()
        assert b'"late"' in answer
        assert process.wait(PATIENCE) == 1
        watch.cancel()
        assert process.stderr is not None
        assert b"a Content-Length of -5: dropped\n" in process.stderr.read()


def _resident_bytes(process_id: int) -> int:
    if sys.platform != "linux":
        return 0
    with open(f"/proc/{process_id}/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * 4096
