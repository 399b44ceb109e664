"""The cell of a Simple Text Format file: a message with its commands, data and comments.

Owns what a cell says of itself, each part read on demand. Spans are relative to the cell. Lines of
the other dialect's prefix are data here.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from msgls.formats import json5
from msgls.formats.stf.arguments import NONE, Arguments, parse_arguments
from msgls.formats.stf.commands import ONE_DIALECT, Mode
from msgls.formats.stf.lexer import (
    RAW_ROLE,
    ROLE_LETTERS,
    START,
    UNKNOWN_DIALECT,
    Command,
    Comment,
    Lexed,
    Mark,
    State,
    Walk,
    decode_state,
    walk_marks,
)
from msgls.formats.stf.rawmessages import answered_by, call_id_of, function_of
from msgls.syntax.cells import Cell, CellKind, Facts, NoParts, Suppression, lazy
from msgls.syntax.names import Name
from msgls.syntax.nodes import Link, Node
from msgls.text.lines import after_break, line_starts, without_break
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_PRAGMA = lazy_pattern(r"(?:#|//)+[ \t]*msgls:[ \t]*ignore[ \t]+([A-Za-z0-9 \t,-]+)")


class Block(NamedTuple):
    """The text between a command and its ``end``, without comments and doubled prefixes."""

    text: str
    starts: tuple[tuple[int, int], ...]
    """Where each stretch of it starts, in ``text`` and in the cell."""

    def place(self, offset: int) -> int:
        """Where a character of the text is in the cell."""
        number = bisect_right(self.starts, offset, key=lambda pair: pair[0]) - 1
        if number < 0:
            return 0
        start, in_cell = self.starts[number]
        return in_cell + offset - start

    def span(self, span: Span) -> Span:
        """Where a part of the text is in the cell."""
        if span.end <= span.start:
            return Span(self.place(span.start), self.place(span.start))
        return Span(self.place(span.start), self.place(span.end - 1) + 1)


class CallLine(NamedTuple):
    """The data line of a ``call``: a name, and an object."""

    name: str
    name_span: Span
    arguments_text: str
    arguments_span: Span
    """Where the object is; empty where there is none."""
    parsed: json5.Parsed | None
    """What the object says; nothing where there is none."""


class IdKind(Enum):
    """Whose id it is."""

    MESSAGE = "message-id"
    CALL = "call"
    RESULT = "result"
    """Of a call, said by its result."""


class IdPlace(NamedTuple):
    """Where a cell says an id."""

    kind: IdKind
    text: str
    span: Span
    """Without quotes, where it is written as it is."""
    written: Span
    """With quotes."""
    in_json: bool
    """Whether it is a value of JSON5, and not one of a pair."""


class CallPlace(NamedTuple):
    """A call of a tool."""

    id: str | None
    tool: str
    arguments: str
    span: Span
    """All of it."""
    selection: Span
    """The span that is selected when the user goes there."""


class Turn(NamedTuple):
    """What a message has to do with calls, for code that follows them through a file."""

    role: str | None
    """Nothing where it takes over that of a raw message, which only that message knows."""
    is_raw: bool
    calls: tuple[str | None, ...]
    """The ids of its calls, in order."""
    answers: str | None
    """The id of the call that it says it answers."""


class StfCell(Cell):
    """A message, or what is before the first one."""

    def __init__(
        self, kind: CellKind, pieces: Sequence[tuple[Lexed, str]], id: str | None, facts: Facts
    ) -> None:
        texts = tuple([piece.text for piece, _ in pieces])
        super().__init__(kind, texts, id, facts, NoParts(sum(map(len, texts))))
        self._pieces = pieces

    @property
    def entry(self) -> State:
        """The state that it is entered in: the role that it may take over is there."""
        return decode_state(self._pieces[0][1])

    @property
    def at_start(self) -> bool:
        """Whether the file begins with it."""
        return self._pieces[0][1].startswith(START)

    @lazy
    def walk(self) -> Walk:
        """Its lines, as they are read from its first one on."""
        if len(self._pieces) == 1:
            piece, entry = self._pieces[0]
            return piece.walk(entry)
        return walk_marks(self.text, self.marks, self._pieces[0][1])

    @lazy
    def marks(self) -> list[Mark]:
        """Every line that starts with a prefix, of either dialect."""
        marks: list[Mark] = []
        offset = 0
        for piece, entry in self._pieces:
            marks += [mark.shift(offset) for mark in piece.marks_from(entry)]
            offset += len(piece.text)
        return marks

    def shows_dialect(self, line: Span) -> bool:
        """Whether a line is the first one with a prefix in a file whose dialect is not given."""
        return self.entry.dialect == UNKNOWN_DIALECT and self.marks[0].start == line.start

    def hidden_messages(self, offset: int) -> Iterator[Span]:
        """Lines after ``offset`` that would start messages, were they not in a comment."""
        messages = self._message_marks
        yield from messages[bisect_left(messages, (offset, 0)) :]

    @lazy
    def _message_marks(self) -> list[Span]:
        """Lines that start a message, or would outside a comment."""
        return [
            Span(mark.start, mark.end)
            for mark in self.marks
            if mark.prefix == self.dialect and mark.spec is not None and mark.spec.starts_message
        ]

    def command_at(self, span: Span) -> Command:
        """The command that a span is a piece of."""
        at = bisect_right(self.commands, span.start, key=lambda command: command.span.start)
        return self.commands[at - 1]

    @property
    def dialect(self) -> str:
        """The prefix of its commands; ``?`` where no line has shown it yet."""
        return self.walk.dialect

    @property
    def commands(self) -> tuple[Command, ...]:
        """Every command line, in order; not counting ``end``."""
        return self.walk.commands

    @property
    def comments(self) -> tuple[Comment, ...]:
        """Every comment, in order."""
        return self.walk.comments

    @property
    def opening(self) -> Command | None:
        """The command that starts the message."""
        return self.commands[0] if self.kind is CellKind.MESSAGE else None

    @property
    def is_raw(self) -> bool:
        """Whether a block holds the message."""
        return self.opening is not None and self.opening.mode is Mode.RAW

    @lazy
    def body(self) -> Span:
        """The text after the command that starts the message."""
        opening = self.opening
        start = 0 if opening is None else after_break(self.text, opening.span.end)
        return Span(start, self.length)

    @lazy
    def suppressions(self) -> tuple[Suppression, ...]:
        """Comments that suppress a rule: ``@# msgls: ignore STF013``."""
        found = []
        for comment in self.comments:
            line = comment.span
            text = "" if comment.is_block else line.of(self.text)[1:].lstrip(" \t")
            match = _PRAGMA.match(text)
            codes = () if match is None else tuple(match.group(1).replace(",", " ").split())
            if codes:
                found.append(Suppression(codes, line))
        return tuple(found)

    @lazy
    def nodes(self) -> tuple[Node, ...]:
        """Every node of it."""
        from msgls.formats.stf.nodes import nodes_in

        return nodes_in(self)

    @lazy
    def links(self) -> tuple[Link, ...]:
        """Every place that names a file."""
        from msgls.formats.stf.nodes import links_in

        return links_in(self)

    @property
    def sections(self) -> tuple[tuple[int, int], ...]:
        """A message."""
        return ((1, 0),) if self.kind is CellKind.MESSAGE else ()

    @lazy
    def names(self) -> tuple[Name, ...]:
        """Every name that it says, in order."""
        from msgls.formats.stf.nodes import names_in

        return names_in(self)

    @lazy
    def own_role(self) -> str | None:
        """The role that it says itself."""
        return explicit_role(self)

    @lazy
    def ids(self) -> tuple[IdPlace, ...]:
        """Every id that it says, in order."""
        from msgls.formats.stf.calls import ids_in

        return ids_in(self)

    @lazy
    def calls(self) -> tuple[CallPlace, ...]:
        """Its calls, in order."""
        from msgls.formats.stf.calls import calls_in

        return calls_in(self)

    def arguments(self, command: Command) -> Arguments:
        """The arguments of one of its commands; spans are relative to ``command.rest``."""
        return arguments_of(self.text, command)

    def block(self, command: Command) -> Block:
        """What the block of one of its commands says."""
        texts: list[str] = []
        starts: list[tuple[int, int]] = []
        length = 0
        for span in command.block:
            for line in lines_of(self.text, span):
                start = line.start + self.text.startswith(self.dialect * 2, line.start)
                starts.append((length, start))
                texts.append(self.text[start : line.end])
                length += line.end - start
        return Block("".join(texts), tuple(starts))

    @lazy
    def _blocks(self) -> dict[int, tuple[Block, json5.Parsed]]:
        return {}

    def parsed_block(self, command: Command) -> tuple[Block, json5.Parsed]:
        """A block, and the value in it: of ``raw`` an object, else any."""
        known = self._blocks.get(command.span.start)
        if known is None:
            block = self.block(command)
            parse = json5.parse_object if command.mode is Mode.RAW else json5.parse
            parsed = parse(block.text)
            known = self._blocks[command.span.start] = block, parsed
        return known

    def data_line(self, command: Command) -> Span | None:
        """The line that a command takes, trimmed, less a doubled prefix; nothing if it is blank."""
        if command.data is None:
            return None
        start, end = command.data
        start += self.text.startswith(self.dialect * 2, start)
        while start < end and self.text[start] in " \t":
            start += 1
        while end > start and self.text[end - 1] in " \t":
            end -= 1
        return Span(start, end) if start < end else None

    def call_line(self, command: Command) -> CallLine | None:
        """The data line of a ``call``, taken apart."""
        line = self.data_line(command)
        if line is None:
            return None
        text = line.of(self.text)
        name = text if text[0] != "{" else ""
        for blank in " \t":
            name = name.partition(blank)[0]
        name_span = Span(line.start, line.start + len(name))
        rest = text[len(name) :].lstrip(" \t")
        rest_span = Span(line.end - len(rest), line.end)
        return CallLine(
            name, name_span, rest, rest_span, json5.parse_object(rest) if rest else None
        )

    def data_lines(self, span: Span) -> Iterator[str]:
        """The lines of a stretch of data, without line breaks and doubled prefixes."""
        doubled = self.dialect * 2
        for line in lines_of(self.text, span):
            text = without_break(line.of(self.text))
            yield text[1:] if text.startswith(doubled) else text


def lines_of(text: str, span: Span) -> Iterator[Span]:
    """The lines of a part of a text, which consists of whole lines, with their breaks."""
    part = span.of(text)
    starts = line_starts(part)
    ends = [*starts[1:], len(part)]
    for start, end in zip(starts, ends, strict=True):
        if start < end:
            yield Span(start, end).shift(span.start)


def arguments_of(text: str, command: Command) -> Arguments:
    """The arguments of a command; spans are relative to ``command.rest``."""
    return parse_arguments(command.rest.of(text)) if command.is_read else NONE


def parse_cell(pieces: Sequence[tuple[Lexed, str]]) -> StfCell:
    """The cell that pieces make, each with the state it is entered in."""
    first, entry = pieces[0]
    walk = first.walk(entry)
    opening = walk.commands[0] if walk.commands else None
    is_message = (
        opening is not None
        and opening.spec is not None
        and opening.spec.starts_message
        and opening.span.start
        == (1 if entry.startswith(START) and first.text[0] == "\ufeff" else 0)
    )
    kind = CellKind.MESSAGE if is_message else CellKind.PREAMBLE
    cell_id = None
    if is_message and opening is not None:
        cell_id = arguments_of(first.text, opening).value("id")
    cell = StfCell(kind, pieces, cell_id, {})
    cell.facts = _facts(cell, pieces)
    return cell


def _facts(cell: StfCell, pieces: Sequence[tuple[Lexed, str]]) -> Facts:
    """What the index needs. No offsets: typing in the content must not change a fact."""
    facts: dict[tuple[str, str], list[object]] = {}

    def add(relation: str, name: str | None, payload: object = None) -> None:
        if name is not None:
            facts.setdefault((relation, name), []).append(payload)

    if any(piece.has_carriage_return for piece, _ in pieces):
        add("carriage-return", "")
    calls: list[str | None] = []
    answered = None
    for piece, entry in pieces:
        for command in piece.walk(entry).commands:
            spec = command.spec
            if spec is None or command.in_block:
                continue
            arguments = arguments_of(piece.text, command)
            if spec.starts_message:
                add("message-id", arguments.value("id"))
                answered = arguments.value("call_id")
                add("result", answered)
            elif spec.name == "call":
                add("call", arguments.value("id"))
                if command.in_message:
                    calls.append(arguments.value("id"))
            if spec.name in ONE_DIALECT:
                add("one-dialect", spec.name)
    opening = cell.opening
    if opening is not None and cell.is_raw:
        message = cell.parsed_block(opening)[1].value
        if isinstance(message, dict):
            in_raw = list(_raw_call_ids(message))
            calls = in_raw + calls
            for call_id in in_raw:
                add("call", call_id)
            answered_in_raw = answered_by(message)
            add("result", answered_in_raw)
            answered = answered_in_raw or answered
    if opening is not None:
        role = _role(cell)
        after_raw = role is None and cell.entry.role == RAW_ROLE
        if cell.is_raw or after_raw or calls or answered is not None or role in _WITH_CALLS:
            add("turn", "", Turn(role, cell.is_raw, tuple(calls), answered))
    return {key: tuple(payloads) for key, payloads in facts.items()}


def _role(cell: StfCell) -> str | None:
    """The role of a message as far as the cell and its state know it."""
    role = explicit_role(cell)
    return role if role is not None or cell.is_raw else ROLES_BY_LETTER.get(cell.entry.role)


ROLES_BY_LETTER = {letter: role for role, letter in ROLE_LETTERS.items()}
_WITH_CALLS = ("assistant", "tool")


def explicit_role(cell: StfCell) -> str | None:
    """The role that a message says itself; a raw object that says none is the user's."""
    opening = cell.opening
    if opening is None or opening.spec is None:
        return None
    if opening.spec.role is not None:
        return opening.spec.role
    said = cell.arguments(opening).value("role")
    if opening.spec.mode is not Mode.RAW:
        return said
    value = cell.parsed_block(opening)[1].value
    if not isinstance(value, dict):
        return said
    role = value.get("role")
    return role if isinstance(role, str) else said or "user"


def _raw_call_ids(message: dict[str, Any]) -> Iterator[str | None]:
    """The ids of the tool calls in a message of a ``raw`` block."""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            call_id = call_id_of(call)[1]
            if call_id is not None or isinstance(function_of(call).get("name"), str):
                yield call_id
