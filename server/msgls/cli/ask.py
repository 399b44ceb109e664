"""``msgls ask``: let a model answer, into the file and onto the terminal.

What comes is in the file before it is on the terminal.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from pathlib import Path

from msgls.cli import redacting
from msgls.cli.exits import FOUND, INTERRUPTED, OK, UsageProblem, note
from msgls.cli.livefile import PAUSE_SECONDS, LiveFile
from msgls.cli.opening import open_one
from msgls.cli.terminal import harmless, painter
from msgls.cli.view import check_agent
from msgls.conversation.requests import json_text
from msgls.document.snapshot import Snapshot
from msgls.features.appending import CannotAppend
from msgls.features.commands import RefusedError
from msgls.features.msgmd.asking import Question, Wire, question_at
from msgls.host.files import FileProblem
from msgls.host.providers import (
    Ended,
    Provider,
    ProviderProblem,
    Providers,
    Running,
    read_providers,
)
from msgls.text.phrases import Phrase, about


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add = parser.add_argument
    add("file", metavar="FILE", help=Phrase("a message file"))
    add("--agent", metavar="NAME", help=Phrase("who is to answer (default: the default agent)"))
    add("--model", metavar="M", help=Phrase("the model (default: the agent's first one)"))
    add("--cell", metavar="ID", help=Phrase("the message to answer (default: the last one)"))
    add("--continue", dest="continues", action="store_true",
        help=Phrase("go on with an answer that is not complete"))  # fmt: skip
    keep = Phrase("let the model see an earlier answer to the same message, too")
    add("--keep", action="store_true", help=keep)
    add("--provider", metavar="P", help=Phrase("the provider (default: as configured)"))
    add("--dry-run", action="store_true", help=Phrase("print the request, and send nothing"))
    redacting.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Ask, and write the answer."""
    snapshot = open_one(options.file)
    if options.agent is not None:
        check_agent(options, snapshot)
    hiding = redacting.Redacting(options)
    try:
        question = question_at(
            snapshot,
            _offset(options, snapshot),
            options.agent,
            options.model,
            continues=options.continues,
            keeps_old=options.keep,
        )
        request, hidden = question.request(lambda text: hiding.text(options.file, text))
        if options.dry_run:
            hiding.tell()
            text = json_text(request)
            if sys.stdout.isatty():
                text = "\n".join(map(harmless, text.split("\n")))
            sys.stdout.write(text)
            return OK
        providers = read_providers()
        model = request["model"]
        provider = (
            providers.serving(question.agent, model)
            if options.provider is None
            else providers.named(options.provider)
        )
        hiding.tell()
        _tell_before(snapshot, provider, providers, request, hidden)
        return _Asking(Path(options.file), question, Running(provider, request)).run()
    except (RefusedError, CannotAppend, ProviderProblem, FileProblem) as problem:
        raise UsageProblem(about(options.file, problem.phrase)) from None


def _offset(options: argparse.Namespace, snapshot: Snapshot) -> int | None:
    if options.cell is None:
        return None
    headers = snapshot.document.entries("header", options.cell)
    if not headers:
        raise UsageProblem(about(options.file, Phrase("there is no cell `{id}`", id=options.cell)))
    return snapshot.document.cell(headers[0].order).start_offset


def _tell_before(
    snapshot: Snapshot, provider: Provider, providers: Providers, request: Wire, hidden: int
) -> None:
    """What is about to be sent: how much, to whom, for how much, and what is not."""
    tokens = snapshot.tokens.count(json.dumps(request["messages"], ensure_ascii=False))
    said = Phrase(
        "asking {agent} through {provider}: {count} messages, about {tokens:,} tokens",
        agent=request["agent"],
        provider=provider.name,
        count=len(request["messages"]),
        tokens=tokens,
    )
    price = providers.price(request["model"] or "")
    if price is not None:
        cost = f"{tokens * price.input / 1_000_000:.4f}"
        said = Phrase("{said}, {cost} without the answer", said=said, cost=cost)
    if hidden:
        said = Phrase("{said}; {count} hidden messages are not sent", said=said, count=hidden)
    note(said)


class _Asking:
    """One answer on its way into a file."""

    def __init__(self, path: Path, question: Question, running: Running) -> None:
        self._running = running
        self._answer = question.answer()
        self._file = LiveFile(path, question.snapshot.document)
        self._unshown: list[tuple[str, str]] = []
        self._paint = painter(sys.stdout)
        self._is_interrupted = False

    def run(self) -> int:
        """Write what comes until it ends; the exit code."""
        started = time.monotonic()
        # Not at any moment: between writing a file and knowing that it is written, for one.
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            self._follow()
            self._running.stop()
            self._write()
        finally:
            self._running.stop()
            signal.signal(signal.SIGINT, before)
        print()
        return self._tell_after(time.monotonic() - started)

    def _interrupt(self, number: int, frame: object) -> None:
        self._is_interrupted = True

    def _follow(self) -> None:
        while not self._answer.is_ended:
            item = self._running.take(PAUSE_SECONDS)
            if self._is_interrupted:
                self._answer.end(Phrase("stopped"))
            elif isinstance(item, Ended):
                self._answer.end(item.fault or Phrase("cut off"))
            elif item is not None:
                self._answer.take(item)
                if item["kind"] in ("text", "thinking"):
                    self._unshown.append((item["kind"], item["payload"]["textDelta"]))
            if self._file.write_if_due(self._answer):
                self._show()

    def _write(self) -> None:
        """Let the file say what came, and then the terminal."""
        self._file.write(self._answer)
        self._show()

    def _show(self) -> None:
        for kind, text in self._unshown:
            for number, line in enumerate(text.replace("\r\n", "\n").split("\n")):
                shown = harmless(line)
                style = "dim" if kind == "thinking" else ""
                sys.stdout.write(
                    "\n" * bool(number) + (self._paint(shown, style) if style else shown)
                )
        self._unshown = []
        sys.stdout.flush()

    def _tell_after(self, seconds: float) -> int:
        answer = self._answer
        if not answer.has_text:
            note(
                Phrase(
                    "there is no answer: {reason}", reason=answer.reason or Phrase("nothing came")
                )
            )
            return INTERRUPTED if self._is_interrupted else FOUND
        said = Phrase(
            "{agent} answered in {ids}: {seconds} s",
            agent=answer.agent,
            ids=", ".join(answer.cell_ids),
            seconds=f"{seconds:.1f}",
        )
        tokens = answer.usage.get("outputTokens")
        if isinstance(tokens, int):
            said = Phrase("{said}, {tokens:,} tokens", said=said, tokens=tokens)
        note(said)
        if answer.reason is None:
            return OK
        note(Phrase("the answer is not complete: {reason}", reason=answer.reason))
        return INTERRUPTED if self._is_interrupted else FOUND
