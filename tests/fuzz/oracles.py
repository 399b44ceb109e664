"""What must hold of any text, any edits and any bytes, whoever made them up.

Shared by what draws inputs from strategies, what is led by coverage, and what replays
the inputs that are kept. Each oracle takes plain values and raises when something does
not hold; none of them knows where its input came from.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from msgls.conversation.assembler import Assembler, StreamProblem
from msgls.conversation.messages import Message, delta_from_wire
from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.document.document import Document
from msgls.features.language import language_of
from msgls.formats.base import Format
from msgls.lsp.transport import Framer, FramingError
from msgls.rules.base import Problem, Rule, Severity
from msgls.rules.checker import Checker
from msgls.rules.fixing import fix_all, fixes_of
from msgls.rules.registry import rules_of
from msgls.text.spans import sorted_edits
from msgls.text.work import done
from tests.document.tracked import index_of, parts_of
from tests.lsp.wire import framed, request
from tests.snapshots import snapshot_of

Wire = dict[str, Any]


def messages_of(document: Document) -> tuple[Message, ...]:
    """The messages that a document holds."""
    return tuple(read_document(document).messages)


def rules_for(document: Document) -> list[Rule]:
    """Every rule of a document's format."""
    return list(rules_of(document.format.name))


def same(ours: Document, theirs: Document) -> None:
    """Two documents are cut, read and indexed alike."""
    assert [parts_of(cell) for cell in ours.cells()] == [parts_of(cell) for cell in theirs.cells()]
    assert index_of(ours) == index_of(theirs)


def placed(document: Document, problems: Sequence[Problem]) -> list[tuple[object, ...]]:
    """Problems, with the numbers of cells in place of their labels."""
    return [
        (p.code, document.number_of(p.label), p.span, p.key, p.args, p.severity) for p in problems
    ]


class Watched:
    """A checker that follows a document, compared with one that sees each version from scratch."""

    def __init__(self, document: Document) -> None:
        self._failures: list[object] = []
        self._follow(document)

    def _follow(self, document: Document) -> None:
        self._format: Format = document.format
        self._checker = Checker(
            snapshot_of(document), rules_for(document), lambda *why: self._failures.append(why)
        )

    def check(self, document: Document) -> None:
        """Go on to the next version, whose problems must be those of a fresh check."""
        if document.format is not self._format:
            self._follow(document)
        else:
            self._checker.update(document)
        fresh = Document.open(document.path, document.text)
        wanted = Checker(snapshot_of(fresh), rules_for(fresh)).problems()
        assert placed(document, self._checker.problems()) == placed(fresh, wanted)
        assert self._failures == []


# -- what is done to a whole text -----------------------------------------------------------------


def formatting_is_sound(path: str, text: str) -> None:
    """Formatting keeps what is said, is done once, and leaves what a fresh parse reads."""
    document = Document.open(path, text)
    once = document.apply(done(language_of(document).format_document(snapshot_of(document))))
    assert messages_of(once) == messages_of(document)
    assert once.apply(done(language_of(once).format_document(snapshot_of(once)))).text == once.text
    same(once, Document.open(path, once.text))


def fixing_is_sound(path: str, text: str, unsafe: bool) -> None:
    """Fixing everything comes to an end; safe fixes keep the messages of a sound file."""
    document = Document.open(path, text)
    rules = rules_for(document)
    once = fix_all(snapshot_of(document), rules, lambda _: True, unsafe)
    twice = fix_all(snapshot_of(once.document), rules, lambda _: True, unsafe)
    assert twice.document.text == once.document.text
    assert not twice.applied
    same(once.document, Document.open(path, once.document.text))
    if not unsafe and is_readable(document):
        assert messages_of(once.document) == messages_of(document)


def each_fix_is_sound(path: str, text: str, most: int = 99) -> None:
    """Each way out of each problem lies in the text, by itself; of many problems, of some."""
    document = Document.open(path, text)
    rules = {rule.code: rule for rule in rules_for(document)}
    readable = is_readable(document)
    problems = Checker(snapshot_of(document), list(rules.values())).problems()
    for problem in problems[:: len(problems) // most + 1]:
        for fix in fixes_of(snapshot_of(document), problem, rules[problem.code]):
            assert fix.edits, fix
            for edit in sorted_edits(fix.edits):
                assert 0 <= edit.span.start <= edit.span.end <= len(text), fix
            fixed = document.apply(fix.edits)
            assert fixed.text != text, fix
            same(fixed, Document.open(path, fixed.text))
            if fix.safe and readable:
                assert messages_of(fixed) == messages_of(document), fix


def is_readable(document: Document) -> bool:
    """Whether all of it is read as it is meant: then a safe fix may change nothing that is said."""
    rules = {rule.code: rule for rule in rules_for(document)}
    problems = Checker(snapshot_of(document), list(rules.values())).problems()
    # A definition that another tool has escaped is text, until it is repaired.
    return not any(
        problem.code == "MSG109"
        or (problem.severity or rules[problem.code].severity) is Severity.ERROR
        for problem in problems
    )


def conversion_is_sound(path: str, text: str) -> None:
    """An unchanged document is written byte by byte; a new one says the same, or what it loses."""
    document = Document.open(path, text)
    conversation = read_document(document)
    assert len(conversation.sources) == len(conversation.messages)
    for sources in conversation.sources:
        assert all(0 <= span.start <= span.end <= len(text) for span in sources)
    unchanged, _ = write_as(document.format, conversation, document)
    assert unchanged == text
    written, after = write_as(document.format, conversation)
    if not after:
        again = read_document(Document.open(path, written, document.format))
        # What a format writes around a message may be more than it read: not what is said.
        assert said(again.messages) == said(conversation.messages)
        assert write_as(document.format, again)[0] == written


def said(messages: Sequence[Message]) -> list[tuple[object, ...]]:
    """Who says what."""
    return [(message.role, message.parts) for message in messages]


# -- bytes ----------------------------------------------------------------------------------------


def framing_is_sound(stream: bytes, chunk_size: int) -> None:
    """After any bytes, and a pause, the next whole message arrives, or the stream is given up."""
    last = framed(request("last", "x"))
    framer, found = Framer(), []

    def drain(take: Callable[[], Any]) -> None:
        while (message := take()) is not None:
            found.append(message)

    try:
        for start in range(0, len(stream), chunk_size):
            framer.feed(stream[start : start + chunk_size])
            drain(framer.next)
        # Input stalls; then more of it comes, and more.
        for _ in range(3):
            drain(framer.salvage)
            framer.feed(last)
            drain(framer.next)
    except FramingError:
        return
    waits = framer._length
    if waits is None or waits <= len(last):
        assert any(isinstance(m, dict) and m.get("id") == "last" for m in found)


def messages_arrive(bodies: Sequence[bytes], chunk_size: int) -> None:
    """Whatever is framed well arrives as it is, in any chunks and below any header."""
    heads = (
        b"Content-Length: %d\r\n\r\n",
        b"x: y\r\ncontent-length:%d\r\n\r\n",
        b"CONTENT-LENGTH : %d\n\n",
    )
    stream, wanted = b"", []
    for number, body in enumerate(bodies):
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            stream += heads[number % len(heads)] % len(body) + body
            wanted.append(repr(value))
    framer, found = Framer(), []
    for start in range(0, len(stream), chunk_size):
        framer.feed(stream[start : start + chunk_size])
        while (message := framer.next()) is not None:
            found.append(repr(message))
    assert found == wanted
    assert not framer.is_waiting


# -- streams of deltas ----------------------------------------------------------------------------


def assembly_is_sound(stream: Sequence[Wire]) -> None:
    """To look is not to touch, and whatever is assembled is a message."""
    whole, looked_at = Assembler(), Assembler()
    for place, wire in enumerate(stream):
        delta_from_wire(wire)
        first, second = whole.add(wire, place), looked_at.add(wire, place)
        assert repr(first) == repr(second)
        if first is not None:
            Message.from_wire(first.message)
            assert 0 <= first.first_place < first.last_place == place
        for run in looked_at.open_runs():
            so_far = looked_at.so_far(run)
            assert so_far is not None
            Message.from_wire(so_far)
        looked_at.not_ended()
    ends: list[list[StreamProblem]] = [whole.not_ended(), looked_at.not_ended()]
    assert repr(ends[0]) == repr(ends[1])
    assert repr(whole.problems) == repr(looked_at.problems)
    assert all(0 <= problem.place < len(stream) for problem in (*whole.problems, *ends[0]))


def assembled(stream: Sequence[Wire]) -> tuple[Message, ...]:
    """The messages of a stream."""
    assembler = Assembler()
    found = [assembler.add(wire, place) for place, wire in enumerate(stream)]
    return tuple(Message.from_wire(one.message) for one in found if one is not None)
