"""Verifies written text by reading it back: every difference is a loss.

Owns the comparison of the messages that were to be written with those that are read from the
written text, so that every difference is reported, whatever detail of a format it comes from.
Knows no format by name.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, NamedTuple

from msgls.conversation.conversation import EPOCH, Conversation, Loss, derived_run_of
from msgls.conversation.losses import (
    Unplaced,
    extras_of,
    is_unplaced,
    lost_part_phrases,
    metadata_names,
    unplaced_losses,
)
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.visibility import VISIBILITY_META
from msgls.document.document import Document
from msgls.formats.base import Format
from msgls.text.phrases import Phrase

# Beyond this many messages, comparing each with every other one takes too long.
_MOST_COMPARED = 2_000
_BOM = "\ufeff"


class Piece(NamedTuple):
    """A piece of written text, and the message that it belongs to."""

    text: str
    message_index: int | None = None


class Wanted(NamedTuple):
    """What a written text should contain."""

    messages: Sequence[Message]
    file: Mapping[str, Any]
    """The contents of the file outside its cells."""
    derived_runs: frozenset[str]
    """Run ids that were derived from the content because the source has none."""
    kept: frozenset[int] = frozenset()
    """Messages whose text was not changed: values that they inherit from others may differ."""
    named: frozenset[int] = frozenset()
    """Messages whose lost metadata is already among the losses."""


def derived_runs_of(messages: Sequence[Message]) -> frozenset[str]:
    """The run id that is derived for these messages if their source has none; at most one."""
    return frozenset({derived_run_of(messages)} - {""})


def with_derived_run(
    changed: Sequence[Message], original: Sequence[Message]
) -> tuple[Message, ...]:
    """Changed messages with a derived run id that fits their new content, so that it is no loss."""
    before, after = derived_runs_of(original), derived_runs_of(changed)
    if before == after or not after:
        return tuple(changed)
    update = {"run_id": next(iter(after))}
    return tuple([m.model_copy(update=update) if m.run_id in before else m for m in changed])


def with_messages(
    conversation: Conversation, messages: Sequence[Message], losses: Iterable[Loss] = ()
) -> Conversation:
    """A conversation with changed messages, and further losses."""
    if list(messages) == list(conversation.messages):
        return conversation
    fit = with_derived_run(messages, conversation.messages)
    return replace(conversation, messages=fit, losses=(*conversation.losses, *losses))


def keys_of(messages: Sequence[Message], derived_runs: frozenset[str]) -> list[str]:
    """Keys that are equal for equal messages; a derived run and ``meta.file`` are not compared."""
    keys = []
    for message in messages:
        wire = message.to_wire()
        if wire["runId"] in derived_runs:
            del wire["runId"]
        meta = wire.pop("meta", {})
        if isinstance(meta.get("file"), Mapping):
            del meta["file"]
        keys.append(canonical([wire, meta]))
    return keys


def with_byte_order_mark(pieces: list[Piece], like: Document) -> list[Piece]:
    """The pieces of a file; if ``like`` starts with a byte-order mark, so do they."""
    if not pieces or not like.text.startswith(_BOM):
        return pieces
    bare = [piece._replace(text=piece.text.removeprefix(_BOM)) for piece in pieces]
    return [bare[0]._replace(text=_BOM + bare[0].text), *bare[1:]]


def merged_losses(named: Iterable[Loss], found: Iterable[Loss]) -> list[Loss]:
    """The losses named while writing, and those found by comparison about other messages."""
    losses = list(named)
    indices = {loss.message_index for loss in losses}
    return losses + [
        loss for loss in found if loss.message_index not in indices or is_unplaced(loss)
    ]


def find_losses(wanted: Wanted, pieces: Sequence[Piece], path: str, format: Format) -> list[Loss]:
    """The losses in the text of ``pieces``, read as a file of that format."""
    text = "".join([piece.text for piece in pieces])
    return compare(wanted, pieces, read_document(Document.open(path, text, format)))


def compare(wanted: Wanted, pieces: Sequence[Piece], found: Conversation) -> list[Loss]:
    """The differences between wanted and found messages."""
    starts = accumulate([len(piece.text) for piece in pieces], initial=0)
    owners = dict(zip(starts, [piece.message_index for piece in pieces], strict=False))
    found_by_owner: dict[int | None, list[Message]] = {}
    order: list[int] = []
    for message, sources in zip(found.messages, found.sources, strict=True):
        owner = owners.get(sources[0].start)
        found_by_owner.setdefault(owner, []).append(message)
        order += [] if owner is None else [owner]
    losses: list[Loss] = []
    unplaced: list[Unplaced] = []
    for index, message in enumerate(wanted.messages):
        got = found_by_owner.get(index, [])
        try:
            differences = _differences(message, got)
            unplaced += [(index, name) for name in _unplaced(wanted, index, message, got)]
        except RecursionError:
            differences = [Phrase("it is nested too deeply to be compared")]
        losses += [Loss(what, message_index=index) for what in differences]
    if not losses and (None in found_by_owner or order != sorted(order)):
        losses.append(Loss(Phrase("the messages are different, or in another order"), None, 0))
    file = _meta(found.messages[0]).get("file", {}) if found.messages else {}
    left = {key: value for key, value in wanted.file.items() if not _covers(file, wanted.file, key)}
    if found.messages:
        unplaced += [(None, name) for name in metadata_names("file", left)]
    return losses + unplaced_losses(unplaced)


def _differences(message: Message, found: Sequence[Message]) -> list[Phrase]:
    """The content of a message that is missing or different."""
    if list(found) == [message]:
        return []
    differences: list[Phrase] = []
    if not found:
        return [Phrase("the message was left out")]
    if len(found) > 1:
        differences.append(Phrase("the message becomes {count} messages", count=len(found)))
    role = found[0].role
    if role != message.role:
        what = Phrase("the role `{role}` becomes `{other}`", role=message.role, other=role)
        differences.append(what)
    if any(one.visibility.sight is not message.visibility.sight for one in found):
        differences.append(Phrase("the model would see it differently"))
    parts = [part for one in found for part in one.parts]
    if len(found) > 1 or found[0].parts != message.parts:
        lost = lost_part_phrases(message.parts, parts)
        is_moved = [part.kind for part in parts] != [part.kind for part in message.parts]
        if not lost and len(found) == 1 and (is_moved or not any(extras_of(message.parts))):
            lost = [Phrase("its content is in another order")]
        differences += lost
    return differences


def _unplaced(
    wanted: Wanted, index: int, message: Message, found: Sequence[Message]
) -> Iterator[Phrase]:
    """The names of the metadata that is lost when a message is read back."""
    if not found or index in wanted.named or list(found) == [message]:
        return
    got_meta, want_meta = dict(_meta(found[0])), dict(_meta(message))
    for one in found[1:]:
        got_meta = {**_meta(one), **got_meta}
    if isinstance(want_meta.get("file"), Mapping):
        del want_meta["file"]
    if isinstance(got_meta.get("id"), str):
        # A changed id is named where it is assigned.
        want_meta.pop("id", None)
    for key, value in want_meta.items():
        if key not in VISIBILITY_META and not _covers(got_meta, want_meta, key):
            yield from metadata_names(key, value)
    got, want = found[0], message
    kept = {extra for one in found for extra in extras_of(one.parts)}
    for kind, key in dict.fromkeys(extras_of(message.parts)):
        if (kind, key) not in kept:
            yield from metadata_names(key, None)
    for name, value in (want.model_extra or {}).items():
        if not _covers(got.model_extra or {}, {name: value}):
            yield from metadata_names(name, None)
    if index not in wanted.kept:
        if got.run_id != want.run_id and want.run_id not in wanted.derived_runs:
            yield from metadata_names("runId", None)
        if want.timestamp not in (EPOCH, got.timestamp):
            yield from metadata_names("timestamp", None)


def _covers(found: Any, wanted: Any, key: str | None = None) -> bool:
    """Whether ``found`` contains everything in ``wanted``, and perhaps more."""
    if key is not None:
        return key in found and _covers(found[key], wanted[key])
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return all(_covers(found, wanted, name) for name in wanted)
    if isinstance(wanted, (list, tuple)) and isinstance(found, (list, tuple)):
        pairs = zip(found, wanted, strict=False)
        return len(found) == len(wanted) and all(_covers(f, w) for f, w in pairs)
    return type(found) is type(wanted) and bool(found == wanted)


def _meta(message: Message) -> Mapping[str, Any]:
    return message.meta or {}


def canonical(wire: object) -> str:
    """A text that is equal for equal values on the wire."""
    try:
        return json.dumps(wire, sort_keys=True)
    except (ValueError, TypeError, RecursionError):
        return f"not JSON: {id(wire)}"


def matches(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of indices of equal keys, increasing in both sequences."""
    shorter = min(len(old), len(new))
    head = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    most = shorter - head
    tail = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    yield from ((n, n) for n in range(head))
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(map(len, middle)) <= _MOST_COMPARED:
        matcher = SequenceMatcher(None, *middle, autojunk=False)
        for block in matcher.get_matching_blocks():
            yield from ((head + block.a + n, head + block.b + n) for n in range(block.size))
    yield from ((len(old) - n, len(new) - n) for n in range(tail, 0, -1))
