"""``msgls provider``: list the providers, or test whether a program follows their protocol."""

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from subprocess import Popen
from typing import IO

from msgls.cli.assemble import Assembly, read_lines
from msgls.cli.exits import FOUND, OK, UsageProblem, note
from msgls.cli.speaking import said
from msgls.cli.terminal import harmless, print_table
from msgls.conversation.parts import Wire
from msgls.host.providers import (
    Provider,
    Providers,
    Running,
    read_providers,
    start,
)
from msgls.text.phrases import Phrase

_PATIENCE_SECONDS = 60.0
_LOOK_SECONDS = 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    what = Phrase("list: show all providers; check: test whether a program follows the protocol")
    add("action", choices=("list", "check"), metavar="ACTION", help=what)
    add("--model", metavar="M", help=Phrase("the model that `check` requests"))
    program = Phrase("the name of a provider, or a program with its arguments")
    add("program", nargs=argparse.REMAINDER, metavar="PROGRAM", help=program)


def run(options: argparse.Namespace) -> int:
    """List providers, or check one."""
    providers = read_providers()
    if options.action == "list":
        return _list(providers)
    return _check(_named_provider(options.program, providers), options.model)


def _list(providers: Providers) -> int:
    print_table([[name, " ".join(providers.named(name).command)] for name in providers.names])
    print()
    where = Phrase(
        "Which provider answers for which agent is configured in {file}.", file=str(providers.path)
    )
    print(harmless(said(where)))
    return OK


def _named_provider(words: list[str], providers: Providers) -> Provider:
    words = words[1:] if words[:1] == ["--"] else words
    if not words:
        raise UsageProblem(Phrase("say which provider to check"))
    if len(words) == 1 and words[0] in providers.names:
        return providers.named(words[0])
    # Absolute, because it runs in another folder than this one.
    if os.sep in words[0]:
        words = [os.path.abspath(words[0]), *words[1:]]  # noqa: PTH100  # a link stays one
    return Provider(words[0], tuple(words))


# -- the check ------------------------------------------------------------------------------


def sample_request(model: str | None) -> Wire:
    """A request with every kind of part that a provider may get."""

    def message(role: str, *parts: Wire) -> Wire:
        time = "2025-01-01T00:00:00Z"
        return {"runId": "check", "role": role, "parts": list(parts), "timestamp": time}

    def text(words: str) -> Wire:
        return {"kind": "text", "payload": {"text": words}}

    call = {"toolCallId": "m2.1f0c9a3e", "toolName": "ls", "arguments": {"path": "."}}
    result = {"toolCallId": "m2.1f0c9a3e", "isError": False, "content": "README.md"}
    thought = {"kind": "thinking", "payload": {"text": "I look first."}}
    return {
        "agent": "check",
        "model": model,
        "settings": {"temperature": 0, "max_output_tokens": 64},
        "messages": [
            message("system", text("You are terse.")),
            message("user", text("Which files are here? 有哪些文件？ 📄")),
            message("assistant", thought, {"kind": "tool_call", "payload": call}),
            message("tool", {"kind": "tool_result", "payload": result}),
            message("user", text("Say hello.")),
        ],
        "a key that later versions may add": True,
    }


def _check(provider: Provider, model: str | None) -> int:
    """Send it two requests: one to the end, and one that is stopped in the middle."""
    request = sample_request(model)
    # The second one only if the first one succeeds.
    faults = list(_stream_faults(provider, request)) or list(_stop_faults(provider, request))
    for fault in faults:
        note(fault)
    if faults:
        return FOUND
    print(said(Phrase("It follows the protocol.")))
    return OK


def _stream_faults(provider: Provider, request: Wire) -> Iterator[Phrase]:
    process = start(provider)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    # In a thread: a provider that logs a lot must not block.
    threading.Thread(target=_show_stderr, args=(process.stderr,), daemon=True).start()
    with suppress(OSError), process.stdin as pipe:
        pipe.write(json.dumps(request).encode() + b"\n")
    assembly = Assembly(provider.name, partial=False, follow=False)
    patience = _Patience(process)
    with process.stdout:
        lines = patience.with_each(read_lines(process.stdout))
        messages = list(assembly.messages(_until_fault(lines, assembly)))
    if assembly.found and not assembly.failed:
        process.kill()
    code = process.wait()
    if patience.is_over and (messages or assembly.failed):
        yield Phrase(
            "it did not end within {count} seconds of its last delta", count=int(_PATIENCE_SECONDS)
        )
    elif patience.is_over:
        yield Phrase("it wrote nothing within {count} seconds", count=int(_PATIENCE_SECONDS))
    elif assembly.found and not assembly.failed:
        yield Phrase("its output is not a stream of deltas that makes a message")
    elif assembly.failed and not code:
        yield Phrase("it ended with `error`, and its exit code must not be 0 then")
    elif assembly.failed:
        yield Phrase("it ended with `error`: nothing else could be checked")
    elif len(messages) != 1:
        yield Phrase("it must write one stream of deltas, and wrote {count}", count=len(messages))
    elif code:
        yield Phrase("it ended with `done`, and its exit code must be 0, not {code}", code=code)


def _until_fault(lines: Iterator[bytes], assembly: Assembly) -> Iterator[bytes]:
    """The lines up to the first fault: after that, a program may write without end, or hang."""
    for line in lines:
        yield line
        if assembly.found:
            return


class _Patience:
    """Kills a program that neither writes a line nor ends for too long."""

    def __init__(self, process: Popen[bytes]) -> None:
        self.is_over = False
        self._process = process
        self._due = time.monotonic() + _PATIENCE_SECONDS
        threading.Thread(target=self._watch, daemon=True).start()

    def with_each(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The lines, each of which extends the time limit."""
        for line in lines:
            self._due = time.monotonic() + _PATIENCE_SECONDS
            yield line

    def _watch(self) -> None:
        while self._process.poll() is None:
            if time.monotonic() > self._due:
                self.is_over = True
                self._process.kill()
                return
            time.sleep(_LOOK_SECONDS)


def _show_stderr(pipe: IO[bytes]) -> None:
    with pipe:
        for line in pipe:
            print(harmless(line.decode("utf-8", "replace").rstrip("\r\n")), file=sys.stderr)


def _stop_faults(provider: Provider, request: Wire) -> Iterator[Phrase]:
    running = Running(provider, request)
    if running.take(_PATIENCE_SECONDS) is None:
        yield Phrase("it wrote nothing within {count} seconds", count=int(_PATIENCE_SECONDS))
    running.stop()
    if not running.wait():
        yield Phrase("it does not end when it is asked to (SIGTERM)")
