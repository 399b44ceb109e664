"""``msgls ask``: let a model answer, into the file and onto the terminal.

Text is written to the file before it is shown on the terminal.
"""

import argparse
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from msgls.cli import redacting
from msgls.cli.exits import FOUND, INTERRUPTED, OK, note, problems_of
from msgls.cli.livefile import PAUSE_SECONDS, LiveFile
from msgls.cli.opening import cell_named, open_one
from msgls.cli.terminal import HarmlessStream, harmless, painter
from msgls.cli.view import check_agent
from msgls.conversation.markdown import as_markdown
from msgls.conversation.requests import json_text
from msgls.document.snapshot import Snapshot
from msgls.features.msgmd.asking import Question, Sending, Wire, question_at
from msgls.host.providers import Ended, Provider, Providers, Running, read_providers
from msgls.text.phrases import Phrase, joined

_MOST_HIDDEN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("file", metavar="FILE", help=Phrase("a message file"))
    add(
        "--agent",
        metavar="NAME",
        help=Phrase("the agent that answers (default: the default agent)"),
    )
    add("--model", metavar="M", help=Phrase("the model (default: the agent's first one)"))
    add("--cell", metavar="ID", help=Phrase("the message to answer (default: the last one)"))
    add("--continue", dest="continues", action="store_true",
        help=Phrase("continue an answer that is not complete"))  # fmt: skip
    keep = Phrase("also send an earlier answer to the same message")
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
    with problems_of(options.file):
        question = question_at(
            snapshot,
            _offset(options, snapshot),
            options.agent,
            options.model,
            continues=options.continues,
            keeps_old=options.keep,
        )
        sending = question.sending(lambda text: hiding.text(options.file, text))
        providers = read_providers()
        if options.dry_run:
            hiding.tell()
            _tell_before(options, snapshot, providers, sending, None)
            _print_request(sending.request)
            return OK
        provider = (
            providers.serving(question.agent, sending.request["model"])
            if options.provider is None
            else providers.named(options.provider)
        )
        file = LiveFile(Path(options.file), snapshot.document)
        hiding.tell()
        _tell_before(options, snapshot, providers, sending, provider)
        running = Running(provider, sending.request)
        return _Asking(options.file, file, question, running).run()


def _offset(options: argparse.Namespace, snapshot: Snapshot) -> int | None:
    if options.cell is None:
        return None
    return cell_named(options.file, snapshot.document, options.cell).start_offset


def _print_request(request: Wire) -> None:
    text = json_text(request)
    if sys.stdout.isatty():
        text = "\n".join(map(harmless, text.split("\n")))
    sys.stdout.write(text)


def _tell_before(
    options: argparse.Namespace,
    snapshot: Snapshot,
    providers: Providers,
    sending: Sending,
    provider: Provider | None,
) -> None:
    """Report what is about to be sent: how much, to whom, the price, and what is not sent."""
    messages, request = sending.messages, sending.request
    texts = ["\n\n".join(map(as_markdown, message.parts)) for message in messages]
    tokens = sum(map(snapshot.tokens.count, texts))
    count = len(messages)
    size = Phrase("1 message") if count == 1 else Phrase("{count} messages", count=count)
    said = Phrase("{size}, about {tokens:,} tokens", size=size, tokens=tokens)
    price = providers.price(request["model"] or "")
    if price is not None:
        cost = f"{tokens * price.input / 1_000_000:.4f}"
        said = Phrase("{said}, {cost} without the answer", said=said, cost=cost)
    if provider is not None:
        said = Phrase(
            "asking {agent} through {provider}: {said}",
            agent=request["agent"],
            provider=provider.name,
            said=said,
        )
    note(said)
    if sending.hidden:
        note(_not_sent(options.file, sending.hidden))


def _not_sent(file: str, hidden: Sequence[tuple[str, Phrase]]) -> Phrase:
    """The messages that are not sent, or sent in another form; the last ones by id."""
    shown = [Phrase("`{id}` ({why})", id=name, why=why) for name, why in hidden[-_MOST_HIDDEN:]]
    said = Phrase("not sent, or not in full: {messages}", messages=joined(shown))
    if len(hidden) == len(shown):
        return said
    return Phrase(
        "{said}, and {count} more: msgls view {file} --explain",
        said=said,
        count=len(hidden) - len(shown),
        file=file,
    )


class _Asking:
    """Writes one answer into a file while it arrives."""

    def __init__(self, name: str, file: LiveFile, question: Question, running: Running) -> None:
        self._name = name
        self._running = running
        self._answer = question.answer()
        self._file = file
        self._unshown: list[tuple[str, str]] = []
        self._shown_kind = ""
        """The kind of what was shown last: ``text`` or ``thinking``."""
        self._harmless = HarmlessStream()
        self._paint = painter(sys.stdout)
        self._is_interrupted = False

    def run(self) -> int:
        """Write the answer until it ends; the exit code."""
        started = time.monotonic()
        # No exception at any moment: for example, not between writing a file and noting that.
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            self._follow()
            self._running.stop()
            self._file.write(self._answer)
            self._show()
            self._print(self._shown_kind, "", is_last=True)
        finally:
            self._running.stop()
            signal.signal(signal.SIGINT, before)
        if self._shown_kind:
            print(flush=True)
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

    def _show(self) -> None:
        """Show what is in the file; the start of a line may be held back for a while."""
        kept: list[tuple[str, str]] = []
        waiting = self._answer.waiting
        while waiting and self._unshown:
            kind, text = self._unshown.pop()
            at = max(len(text) - waiting, 0)
            kept.insert(0, (kind, text[at:]))
            if at:
                self._unshown.append((kind, text[:at]))
            waiting -= len(text) - at
        for kind, text in self._unshown:
            if self._shown_kind not in ("", kind):
                self._print(self._shown_kind, "", is_last=True)
                self._print(kind, "\n\n")
            self._print(kind, text)
            self._shown_kind = kind
        self._unshown = kept
        sys.stdout.flush()

    def _print(self, kind: str, text: str, *, is_last: bool = False) -> None:
        lines = self._harmless.take(text, is_last=is_last).split("\n")
        if kind == "thinking":
            lines = [self._paint(line, "dim") if line else "" for line in lines]
        sys.stdout.write("\n".join(lines))

    def _tell_after(self, seconds: float) -> int:
        answer, reason = self._answer, self._answer.reason
        code = INTERRUPTED if self._is_interrupted else OK if reason is None else FOUND
        if not answer.has_text:
            note(
                Phrase(
                    "there is no answer: {reason}",
                    reason=reason or Phrase("the model sent nothing"),
                )
            )
            return code or FOUND
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
        calls = [cell_id for cell_id in answer.cell_ids if "." in cell_id]
        if reason is not None:
            said = Phrase("the answer is not complete: {reason}", reason=reason)
            go_on = Phrase("{said}; to continue: msgls ask {file} --cell {id} --continue")
            last = answer.cell_ids[-1]
            note(said if calls else Phrase(go_on, said=said, file=shlex.quote(self._name), id=last))
        elif calls:
            note(
                Phrase(
                    "tools were called, but not executed: write a result after each of {calls}, "
                    "and ask again",
                    calls=joined(calls),
                )
            )
        return code
