"""Messages and deltas as a message file: of a whole file, or of one stream.

A stream that has not ended is opened as it is so far: whoever looks at one while a model
writes it wants to read it. Of a whole file only what is complete is taken, and what is not
is named as a loss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.features.commands import Call, LossPlace, RefusedError, ShownText
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
from msgls.text.phrases import Phrase, as_phrase

if TYPE_CHECKING:
    from msgls.conversation.conversation import Conversation, Loss

STREAM = "stream"
"""The switch of the command: only the stream at the place."""

_MSGMD = "msgmd"
_ENDING = ".msg.md"


def open_as(call: Call) -> ShownText:
    """The message file that a document, or the stream at a place, says."""
    # With pydantic and every format behind them.
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
    return ShownText(_name(document), _MSGMD, written.text, losses)


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
        delta = delta_at(here.cell, here.placed.order, here.segment, here.path)
    if delta is None:
        placed = document.cell_at_offset(offset)
        delta = None if placed is None else last_delta(placed)
    return None if delta is None else stream_of(document, delta)


def last_delta(placed: Placed) -> Delta | None:
    """The last delta of a cell, but the first start where it has one."""
    starts = starts_in(placed)
    if starts:
        return starts[0]
    cell = json_cell(placed)
    steps = [
        Delta(placed.order, number, step)
        for number, segment in enumerate(() if cell is None else cell.segments)
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


def _name(document: Document) -> str:
    """How the message file is called: as the document, with another ending."""
    own = document.path.replace("\\", "/").rpartition("/")[2]
    for ending in document.format.endings:
        if own.lower().endswith(ending):
            own = own[: -len(ending)]
    return (own or "messages") + _ENDING
