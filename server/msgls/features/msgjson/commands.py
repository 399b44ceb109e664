"""The commands of messages and deltas in JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.actions import CommandAction
from msgls.features.command_table import Command
from msgls.features.commands import (
    Call,
    CellChange,
    LossPlace,
    RefusedError,
    Run,
    ShownText,
    go_beside,
)
from msgls.features.converting import convert_to, stem_of
from msgls.features.msgjson.calls import (
    CALLS,
    RESULTS,
    holder_of,
    mention_at,
    occurrences,
)
from msgls.features.msgjson.reading import here_at, json_cell
from msgls.features.msgjson.streams import (
    Delta,
    Stream,
    assembled,
    delta_at,
    span_of,
    starts_in,
    stream_of,
)
from msgls.formats.base import Placed
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.msgjson.streams import PlacedMention
from msgls.text.phrases import Phrase, as_phrase

if TYPE_CHECKING:
    from msgls.conversation.conversation import Conversation, Loss


# -- Messages and deltas as a message file: of a whole file, or of one stream.
# A stream that has not ended is opened as it is so far: the user may want to read it while the
# model still writes. Of a whole file only complete messages are taken; the rest is reported as a
# loss.

STREAM = "stream"
"""The argument for only the stream at the cursor."""

_MSGMD = "msgmd"
_ENDING = ".msg.md"


def open_as(call: Call) -> ShownText:
    """A document, or the stream at the cursor, as a message file."""
    # These load pydantic and every format.
    from msgls.conversation.sources import MESSAGES, Incoming
    from msgls.conversation.targets import write

    document = call.document
    if call.flag(STREAM):
        stream = stream_at(document, call.offset)
        if stream is None:
            raise RefusedError("there is no stream here: put the cursor on one of its deltas")
        conversation = _of_stream(document, stream)
    else:
        conversation = read_document(document)
    if not conversation.messages:
        raise RefusedError("this cannot be read as a message: {why}", why=_why(conversation))
    written = write(Incoming(MESSAGES, conversation, document.path, ()), _MSGMD)
    losses = tuple([LossPlace(as_phrase(loss.what), loss.line) for loss in written.losses])
    return ShownText(stem_of(document) + _ENDING, _MSGMD, written.text, losses)


def _of_stream(document: Document, stream: Stream) -> Conversation:
    from msgls.conversation.conversation import Conversation, Loss
    from msgls.conversation.messages import Message

    found = assembled(document, stream, most=document.cell_count)
    line = document.position_of(span_of(document, stream.start).start).line
    losses = []
    if stream.end is None:
        said = Phrase(
            "the stream of run `{run}` has not ended: this is the message so far", run=stream.run
        )
        losses.append(Loss(said, line))
    elif stream.end.step.kind == "error":
        said = Phrase("the stream of run `{run}` ends in an error", run=stream.run)
        losses.append(Loss(said, line))
    if not found.message.get("parts"):
        return Conversation((), (), tuple(losses))
    return Conversation((Message.from_wire(found.message),), ((),), tuple(losses))


def stream_at(document: Document, offset: int) -> Stream | None:
    """The stream of the delta at ``offset``; of several deltas there, that of the last."""
    here = here_at(document, offset)
    delta = None
    if here is not None:
        delta = delta_at(here.cell, here.placed.label, here.segment, here.path)
    if delta is None:
        placed = document.cell_at_offset(offset)
        delta = None if placed is None else last_delta(placed)
    return None if delta is None else stream_of(document, delta)


def last_delta(placed: Placed) -> Delta | None:
    """The first start of a stream in a cell; without one, its last delta."""
    starts = starts_in(placed)
    if starts:
        return starts[0]
    steps = [
        Delta(placed.label, number, step)
        for number, segment in enumerate(json_cell(placed).segments)
        if segment.record is not None
        for step in segment.record.steps
    ]
    return steps[-1] if steps else None


def _why(conversation: Conversation) -> str:
    losses = conversation.losses
    return _in_words(losses[0]) if losses else Phrase("it contains none")


def _in_words(loss: Loss) -> str:
    if loss.line is None:
        return loss.what
    return Phrase("line {line}: {what}", line=loss.line + 1, what=as_phrase(loss.what))


def _start_of(placed: Placed) -> int:
    segments = json_cell(placed).segments
    return placed.start_offset + (segments[0].span.start if segments else 0)


def _go_to(kinds: tuple[MentionKind, ...], refusal: Phrase) -> Run:
    def go(call: Call) -> CellChange:
        for said in mentions_at(call.document, call.offset):
            for other in occurrences(call.document, said.mention.call, said.mention.run, kinds):
                if other != said:
                    placed, span = holder_of(call.document, other)
                    return CellChange((), placed.start_offset + span.start)
        raise RefusedError(refusal)

    return go


def mentions_at(document: Document, offset: int) -> list[PlacedMention]:
    """The mention of a tool call under the cursor, else all those in its line or element."""
    said = mention_at(document, offset)
    if said is not None:
        return [said]
    placed = document.cell_at_offset(offset)
    if placed is None:
        return []
    return [
        PlacedMention(placed.label, number, mention)
        for number, segment in enumerate(json_cell(placed).segments)
        if segment.record is not None
        for mention in segment.record.mentions
    ]


RUNS: Mapping[Command, Run] = {
    **go_beside(Phrase("there is no other line or element"), _start_of),
    table.GO_TO_PARENT: _go_to(CALLS, Phrase("there is no call here")),
    table.GO_TO_CHILD: _go_to(RESULTS, Phrase("there is no result of a call here")),
    table.OPEN_AS: open_as,
    table.CONVERT_TO: convert_to,
}


# -- Code actions in messages and deltas: open as a message file, and go to a tool call or result.
# JSON has no comments, so no rule is suppressed in the file itself.

# A message may call a hundred tools; the first ones show which commands apply.
_MOST_CALLS = 8


def cell_actions(snapshot: Snapshot, offset: int) -> Iterator[CommandAction]:
    """The actions for the line or element at ``offset``, and for the file."""
    document = snapshot.document
    if stream_at(document, offset) is not None:
        yield CommandAction(
            table.OPEN_AS, Phrase("Open this stream as message file"), {STREAM: True}
        )
    yield CommandAction(table.OPEN_AS)
    kinds = set()
    for said in mentions_at(document, offset)[:_MOST_CALLS]:
        found = occurrences(document, said.mention.call, said.mention.run, (*CALLS, *RESULTS))
        kinds |= {other.mention.kind for other in found if other != said}
    if kinds & {*RESULTS}:
        yield CommandAction(table.GO_TO_CHILD, Phrase("Go to the first result"))
    if kinds & {*CALLS}:
        yield CommandAction(table.GO_TO_PARENT, Phrase("Go to the call"))
