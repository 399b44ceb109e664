"""A bare LSP client for benchmarks: one process, blocking reads, no library in between."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_VERSION = re.compile(rb'"version"[ ]?:[ ]?([0-9]+)')


class Client:
    """Talks to a language server over its standard input and output."""

    def __init__(
        self,
        command: list[str],
        language: str,
        pulls: bool = False,
        capabilities: Mapping[str, Any] = {},
    ) -> None:
        self.language = language
        self._started = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._next_id = 0
        self._version = 0
        self._pulls = pulls
        self._result_id: str | None = None
        self.uri = ""
        self.opening_cpu = 0.0
        """The CPU seconds that the server took to open the last document."""
        text_document: dict[str, Any] = {
            "publishDiagnostics": {"versionSupport": True},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        }
        if pulls:
            text_document["diagnostic"] = {}
        self.capabilities = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": None,
                "capabilities": {"textDocument": text_document, **capabilities},
            },
        )
        self.start_seconds = time.perf_counter() - self._started
        self.notify("initialized", {})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._receive_bytes())
        return message

    def _receive_bytes(self) -> bytes:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while line := stream.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise EOFError("the server is gone")
        return stream.read(length)

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        """Send a request, and wait for its answer."""
        self._next_id += 1
        self._send({"id": self._next_id, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._next_id and "method" not in message:
                return message.get("result", message.get("error"))
            self._oblige(message)

    def _oblige(self, message: dict[str, Any]) -> None:
        """Answer what a server may ask, so that it does not wait."""
        if "id" in message and "method" in message:
            items = message.get("params", {}).get("items") or []
            result = [None] * len(items) if message["method"] == "workspace/configuration" else None
            self._send({"id": message["id"], "result": result})

    def open(self, name: str, text: str) -> float:
        """Open a document; seconds until its diagnostics are there."""
        self.uri = f"file:///bench/{name}"
        self._version = 1
        before, start = self.cpu_seconds, time.perf_counter()
        item = {"uri": self.uri, "languageId": self.language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        self._await_diagnostics()
        seconds = time.perf_counter() - start
        self.opening_cpu = self.cpu_seconds - before
        return seconds

    def type(self, line: int, character: int, text: str = "x") -> float:
        """Insert text; seconds until the diagnostics of that version are there."""
        return self._change(line, character, character, text)

    def rub_out(self, line: int, character: int) -> float:
        """Delete the character there; seconds until the diagnostics of that version are there."""
        return self._change(line, character, character + 1, "")

    def _change(self, line: int, character: int, end: int, text: str) -> float:
        self._version += 1
        replaced = {
            "start": {"line": line, "character": character},
            "end": {"line": line, "character": end},
        }
        start = time.perf_counter()
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self._version},
                "contentChanges": [{"range": replaced, "text": text}],
            },
        )
        self._await_diagnostics()
        return time.perf_counter() - start

    def _await_diagnostics(self) -> None:
        """Wait for the diagnostics of this version; what they say is not read.

        Reading them would measure this client's JSON parser, not the server.
        """
        if self._pulls:
            self._pull()
            return
        while True:
            body = self._receive_bytes()
            if b"textDocument/publishDiagnostics" not in body:
                self._oblige(json.loads(body))
                continue
            version = _VERSION.search(body)
            if version is None or int(version.group(1)) == self._version:
                return

    def _pull(self) -> None:
        params = {"textDocument": {"uri": self.uri}, "previousResultId": self._result_id}
        report = self.request("textDocument/diagnostic", params)
        assert self._result_id is None or report["kind"] == "unchanged"
        self._result_id = report["resultId"]

    def ask(self, method: str, **params: Any) -> float:
        """Seconds that a request on the document takes."""
        start = time.perf_counter()
        self.request(method, {"textDocument": {"uri": self.uri}, **params})
        return time.perf_counter() - start

    @property
    def cpu_seconds(self) -> float:
        """CPU of the process so far, user and system: counted in hundredths."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def peak_bytes(self) -> int:
        """The most memory that the process had."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024

    def close(self) -> None:
        """Say goodbye."""
        self.request("shutdown", None)
        self.notify("exit", None)
        try:
            self._process.wait(3)
        except subprocess.TimeoutExpired:
            self._process.kill()
