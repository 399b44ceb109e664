"""``msgls assemble``: messages from a stream of deltas.

Reads JSONL from a file or standard input, line by line, and writes each message when its stream
ends; only open streams are kept in memory. Lines may also be messages, which are written as they
are, and session entries, which are unwrapped. The messages of a session are kept until its end,
because a stream is left out if an entry anywhere in the session stores the answer of its run.
Problems go to standard error, by line.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

from msgls.cli.exits import FOUND, OK, UsageProblem, note, problems_of
from msgls.cli.speaking import spoken
from msgls.cli.streams import STDIN, write_out
from msgls.cli.terminal import harmless
from msgls.conversation.assembler import Assembled, Assembler, ProblemKind, StreamProblem
from msgls.conversation.parts import Wire
from msgls.conversation.visibility import marked_by
from msgls.formats.msgjson.records import Shape, read_record, value_at
from msgls.formats.msgjson.shapes import is_delta
from msgls.formats.strictjson import json_place, json_reason, strict_loads
from msgls.host.files import FileProblem, file_problems
from msgls.rules.base import Severity
from msgls.rules.msgjson.dlt002_invalid_shape import refusals
from msgls.rules.msgjson.dlt005_seq_not_increasing import shown_seq
from msgls.rules.registry import BY_CODE, rule_text
from msgls.text.garbage import collect_rarely
from msgls.text.patterns import HALVES
from msgls.text.phrases import Phrase, about, as_phrase, joined
from msgls.text.translation import AUTO, say

LINES = "jsonl"
ARRAY = "messages"
# Named here, because loading them takes longer than reading a short stream.
TARGETS = (
    "msgmd", "stf", "stf-semicolon", "chatbuilder", ARRAY, "openai", "anthropic", "notebook",
    "markdown",
)  # fmt: skip

_LONGEST_LINE = 64 * 1024 * 1024
_BLOCK = 1 << 18
_PAUSE_SECONDS = 0.2
_MOST_STREAMED = 64
_BOM = b"\xef\xbb\xbf"

_KEYS = {
    ProblemKind.SEQ_NOT_INCREASING: "message",
    ProblemKind.CALL_NOT_STARTED: "message.no-start",
    ProblemKind.CALL_NOT_ENDED: "message.no-end",
    ProblemKind.ARGUMENTS_UNPARSABLE: "message",
    ProblemKind.DUPLICATE_CALL_ID: "message",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    formats = (LINES, *TARGETS)
    add = parser.add_argument
    add("file", metavar="FILE", help=Phrase("deltas as JSONL; - is standard input"))
    add(
        "--to",
        choices=formats,
        default=LINES,
        metavar="FORMAT",
        help=Phrase(
            "the output format: {formats} (default: {default}, one message per line)",
            formats=joined(formats),
            default=LINES,
        ),
    )
    help = Phrase("follow the file as it grows; stop with Ctrl+C")
    add("--follow", action="store_true", help=help)
    help = Phrase("include streams that end in an error or do not end")
    add("--partial", action="store_true", help=help)


def run(options: argparse.Namespace) -> int:
    """Assemble one file."""
    if options.follow and options.to != LINES:
        raise UsageProblem(
            Phrase(
                "--follow writes one message per line: it cannot be used with --to {format}",
                format=options.to,
            )
        )
    collect_rarely()
    job = Assembly(options.file, options.partial, options.follow)
    messages = job.messages(_lines(options.file, options.follow, job.start_over))
    if options.to == LINES:
        _write_lines(messages, flush=options.follow)
    else:
        _write_as(list(messages), options.to)
    return FOUND if job.found else OK


class Assembly:
    """One input: its messages and its problems."""

    def __init__(self, name: str, partial: bool, follow: bool) -> None:
        self.name = "<stdin>" if name == STDIN else name
        self.partial = partial
        """Whether messages of failed streams are included, as far as they go."""
        self.follow = follow
        self.assembler = Assembler()
        self.line = 0
        self.found = False
        self.failed = False
        """Whether a stream ended in an error."""
        self.session = _Session()
        self.streamed: dict[str, object] = {}
        """By run, the parts of the last message that was streamed, in a session that grows."""

    def start_over(self, why: str) -> None:
        """The file was replaced or truncated: forget the open streams."""
        note(about(self.name, Phrase("{why}, starting over", why=why)))
        self.assembler = Assembler()
        self.line = 0

    def messages(self, lines: Iterable[bytes]) -> Iterator[Wire]:
        """Every message, when its stream ends."""
        for line in lines:
            self.line += 1
            value = self.read(line)
            if value is None:
                continue
            if is_delta(value) and "role" not in value:
                done = self.assembler.add(value, self.line)
                if self.assembler.problems or self.assembler.failures:
                    yield from self.failures()
                    self._report_problems()
                if done is not None and self.session.is_open:
                    self.session.messages.append((done.message, 0))
                elif done is not None:
                    yield done.message
            else:
                yield from self.others(value)
        yield from self._end_session()
        for problem in self.assembler.not_ended():
            self._report_problem(problem)
            # In a followed file, an open stream is not a problem: it is still growing.
            self.found = self.found or not self.follow
        if self.partial:
            yield from [failure.partial for failure in self.assembler.unfinished()]

    def failures(self) -> Iterator[Wire]:
        """Report the errors of failed streams; with `--partial`, yields their messages."""
        for failure in self.assembler.failures:
            if failure.error is not None:
                self.report_error(failure.description)
            if self.partial and self.session.is_open:
                self.session.messages.append((failure.partial, 0))
            elif self.partial:
                yield failure.partial
        self.assembler.failures.clear()

    def read(self, line: bytes) -> Any:
        """The value of a line; ``None`` if it is blank or invalid."""
        if self.line == 1 and line.startswith(_BOM):
            line = line[len(_BOM) :]
        try:
            return strict_loads(line.decode("utf-8"))
        except json.JSONDecodeError as error:
            if not line.strip():
                return None
            if self.line == 1 and line.strip() == b"[":
                what = Phrase("this is an array over several lines, not JSONL")
                raise UsageProblem(about(self.name, what)) from None
            column = str(json_place(error)[1])
            why = Phrase("{reason} (column {column})", reason=json_reason(error), column=column)
            self.report("DLT001", "message", reason=why)
        except UnicodeDecodeError:
            self.report("DLT001", "message", reason=Phrase("it is not UTF-8"))
        except (ValueError, RecursionError) as error:
            self.report("DLT001", "message", reason=json_reason(error))
        return None

    def others(self, value: Any) -> Iterator[Wire]:
        """The contents of a line that is not a plain delta."""
        items = read_record(value, Shape.DELTA).items
        is_entry = any(item.shape is Shape.ENTRY for item in items)
        self.session.is_open = self.session.is_open or (is_entry and not self.follow)
        entry, inside = None, None
        for item in items:
            wire = value_at(value, item.path)
            if item.shape is Shape.ENTRY:
                entry, inside = wire, (*item.path, "payload")
            around = entry if inside is not None and item.path[: len(inside)] == inside else None
            if item.shape is Shape.UNKNOWN:
                self.report("DLT002", "message.unknown")
            elif item.shape is Shape.BATCH:
                self.report("DLT002", "message.batch")
            elif not item.is_sound and not self.is_sound(item.shape, wire):
                continue
            elif item.shape is Shape.MESSAGE and self.session.is_open:
                self.session.add(marked_by(wire, around), is_entry)
            elif item.shape is Shape.MESSAGE:
                # A session may contain both the deltas and the message made of them.
                if self.streamed.pop(wire["runId"], None) != wire["parts"]:
                    yield marked_by(wire, around)
            elif item.shape is Shape.DELTA:
                done: Assembled | None = self.assembler.add(wire, self.line)
                yield from self.failures()
                self._report_problems()
                if done is None:
                    continue
                message = marked_by(done.message, around)
                if self.session.is_open:
                    self.session.messages.append((message, self.line if is_entry else 0))
                else:
                    self._remember(message)
                    yield message

    def _end_session(self) -> Iterator[Wire]:
        """The messages of a session; reports a streamed message that is neither kept nor stored."""
        from msgls.conversation.readers.msgjson import not_stored

        for wire, line in self.session.messages:
            answers = self.session.answers.get(wire["runId"])
            if not line or answers is None:
                yield wire
            elif wire["parts"] not in answers:
                note(about(f"{self.name}:{line}", not_stored(wire["runId"])))

    def _remember(self, message: Wire) -> None:
        self.streamed[message["runId"]] = message["parts"]
        if len(self.streamed) > _MOST_STREAMED:
            del self.streamed[next(iter(self.streamed))]

    def is_sound(self, shape: Shape, wire: Any) -> bool:
        """Validate a value, and report the errors."""
        refused = refusals(shape, wire)
        for path, why in refused[:3]:
            if path:
                self.report("DLT002", "message", path=".".join(map(str, path)), reason=why)
            else:
                self.report("DLT002", "message.whole", what=Phrase(shape.value), reason=why)
        return not refused

    # -- problems

    def _report_problems(self) -> None:
        for problem in self.assembler.problems:
            self._report_problem(problem)
        self.assembler.problems.clear()

    def _report_problem(self, problem: StreamProblem) -> None:
        kind = problem.kind
        self.report(
            kind.code,
            _KEYS.get(kind, f"message.{kind.value}"),
            problem.place,
            is_information=kind is ProblemKind.NOT_ENDED,
            run=problem.run_id,
            call=problem.tool_call_id,
            seq=shown_seq(problem.seq),
            last=shown_seq(problem.last_seq),
            reason=as_phrase(problem.detail),
        )

    def report(
        self, code: str, key: str, line: int = 0, is_information: bool = False, **args: str
    ) -> None:
        """Report a problem of a line on standard error."""
        severity = "info" if is_information else BY_CODE[code].severity.label
        message = harmless(rule_text(code, key, args, spoken(AUTO, out=sys.stderr)))
        print(f"{self.name}:{line or self.line}: {severity}[{code}] {message}", file=sys.stderr)
        self.found = self.found or not is_information

    def report_error(self, what: Phrase) -> None:
        """Report on standard error that a stream ended in an error."""
        message = harmless(say(what, spoken(AUTO, out=sys.stderr)))
        print(f"{self.name}:{self.line}: {Severity.ERROR.label}: {message}", file=sys.stderr)
        self.found = self.failed = True


class _Session:
    """The messages of a session: stored ones and streamed ones."""

    def __init__(self) -> None:
        self.is_open = False
        """Whether an entry was read: all that follows belongs to a session."""
        self.messages: list[tuple[Wire, int]] = []
        """Each with the line where its stream ended, if an entry may store it too; else 0."""
        self.answers: dict[str, list[object]] = {}
        """By run, the parts of the answers that are stored by entries."""

    def add(self, wire: Wire, is_entry: bool) -> None:
        """Add a message that was not streamed."""
        self.messages.append((wire, 0))
        if is_entry and wire["role"] == "assistant":
            self.answers.setdefault(wire["runId"], []).append(wire["parts"])


# -- reading --------------------------------------------------------------------------------


def _lines(name: str, follow: bool, start_over: Callable[[str], None]) -> Iterator[bytes]:
    """The lines of the input, without keeping more than one of them in memory."""
    if name == STDIN:
        yield from read_lines(sys.stdin.buffer)
        return
    with problems_of(name), file_problems(), Path(name).open("rb") as file:
        if follow:
            yield from follow_lines(Path(name), file, start_over)
        else:
            yield from read_lines(file)


def read_lines(file: IO[bytes]) -> Iterator[bytes]:
    r"""The lines of a file; they end at ``\n``, ``\r\n`` and ``\r``."""
    blocks = _Blocks()
    # `read1` returns what has arrived: a pipe may pause before the block is full.
    while block := _read_some(file):
        yield from blocks.lines(block)
    if rest := b"".join(blocks.rest):
        yield from _split_returns([rest])


def _read_some(file: IO[bytes]) -> bytes:
    read = getattr(file, "read1", file.read)
    block: bytes = read(_BLOCK)
    return block


class _Blocks:
    """Splits blocks of a file into lines."""

    def __init__(self) -> None:
        self.rest: list[bytes] = []
        """The pieces of the line that has begun: a long one is joined only once."""
        self._length = 0

    def lines(self, block: bytes) -> Iterable[bytes]:
        """The lines that end in the next block."""
        lines: list[bytes] = []
        self.rest.append(block)
        self._length += len(block)
        if b"\n" in block:
            lines = b"".join(self.rest).split(b"\n")
            self.rest = [lines.pop()]
            self._length = len(self.rest[0])
        if self._length > _LONGEST_LINE:
            raise FileProblem("a line is longer than {count:,} bytes", count=_LONGEST_LINE)
        # All lines but the first one are in this block alone.
        has_returns = b"\r" in block or (lines and b"\r" in lines[0])
        return _split_returns(lines) if has_returns else lines


def _split_returns(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Split lines further, at carriage returns without a line feed."""
    for line in lines:
        # A carriage return before the line feed belongs to it.
        yield from line.removesuffix(b"\r").split(b"\r")


def follow_lines(
    path: Path,
    file: BinaryIO,
    start_over: Callable[[str], None],
    pause: Callable[[], None] | None = None,
) -> Iterator[bytes]:
    """The lines of a file that grows, without end; a line is read when it is complete.

    A file that was truncated or replaced is read again from its start.
    """
    wait = pause or (lambda: time.sleep(_PAUSE_SECONDS))
    blocks = _Blocks()
    opened = os.fstat(file.fileno())
    try:
        while True:
            while block := _read_some(file):
                yield from blocks.lines(block)
            wait()
            why, reopened = _change_of(path, file, opened)
            if why:
                blocks = _Blocks()
                start_over(why)
                if reopened is None:
                    file.seek(0)
                else:
                    file.close()
                    file = reopened
                    opened = os.fstat(file.fileno())
    except KeyboardInterrupt:
        return


def _change_of(path: Path, file: BinaryIO, opened: os.stat_result) -> tuple[str, BinaryIO | None]:
    """Why a file must be read again (empty if not), and the new file if it was replaced."""
    try:
        now = path.stat()
    except OSError:
        # It was deleted, or is being replaced: the open file can still grow.
        return "", None
    if (now.st_dev, now.st_ino) != (opened.st_dev, opened.st_ino):
        try:
            return Phrase("it was replaced by another file"), path.open("rb")
        except OSError:
            return "", None
    if now.st_size < file.tell():
        return Phrase("the file became shorter"), None
    return "", None


# -- writing --------------------------------------------------------------------------------


def _write_lines(messages: Iterable[Wire], flush: bool) -> None:
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    encode = json.JSONEncoder(ensure_ascii=not is_utf8, separators=(",", ":")).encode
    flush = flush or sys.stdout.isatty()
    for message in messages:
        text = encode(message)
        if not text.isascii() and HALVES.search(text):
            # Half an emoji, at which a stream was cut off, cannot be encoded: it is escaped.
            text = json.dumps(message, separators=(",", ":"))
        sys.stdout.write(text + "\n")
        if flush:
            sys.stdout.flush()


def _write_as(wires: list[Wire], name: str) -> None:
    """Write all messages in another format, and report losses."""
    from msgls.conversation.conversation import Conversation
    from msgls.conversation.messages import Message
    from msgls.conversation.readers.msgjson import with_agents
    from msgls.conversation.sources import Incoming
    from msgls.conversation.targets import write

    messages = tuple([Message.from_wire(wire) for wire in wires])
    conversation = with_agents(Conversation(messages, tuple([()] * len(messages))))
    text, losses, files = write(Incoming("msgjson", conversation, "", ()), name)
    if files is not None and len(files) > 1:
        raise UsageProblem(
            Phrase("{count} messages need a folder: use `msgls convert` with -o", count=len(files))
        )
    for loss in losses:
        what = as_phrase(loss.what)
        if loss.message_index is not None:
            number = str(loss.message_index + 1)
            what = Phrase("message {number}: {lost}", number=number, lost=what)
        note(Phrase("lost in {format}: {what}", format=name, what=what))
    write_out(text)
