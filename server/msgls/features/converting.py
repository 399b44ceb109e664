"""Conversion in an editor: a document in another format, shown as a document of its own.

Owns which targets are offered, and how losses are reported. ``conversation`` does the conversion;
no file is written here. A folder of messages is converted by the command line only.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgls.document.document import Document
from msgls.features.commands import Call, InvalidArgument, LossPlace, RefusedError, ShownText
from msgls.text.phrases import Phrase, as_phrase, joined
from msgls.text.redaction import Hidden, Redactor

TARGET = "target"
"""The argument of the command."""


def targets_of(document: Document) -> Mapping[str, Phrase]:
    """The formats that a document can be converted to, with their names for users."""
    # These load pydantic and every format.
    from msgls.conversation import targets
    from msgls.conversation.sources import kind_of

    return targets.targets_of(kind_of(document.format))


def convert_to(call: Call) -> ShownText:
    """The document in another format."""
    from msgls.conversation.requests import NO_MODEL, has_no_model
    from msgls.conversation.sources import Unreadable, of_document
    from msgls.conversation.targets import ENDINGS, REQUESTS, SHARED, SHOWN, TARGETS, write

    document, target = call.document, call.text(TARGET)
    if target is None or target not in SHOWN:
        raise InvalidArgument("`{name}` must be one of: {all}", name=TARGET, all=joined(SHOWN))
    hidden: list[Hidden] = []
    if target in SHARED:
        document, hidden = redacted(document)
    try:
        incoming = of_document(document)
    except Unreadable as problem:
        raise RefusedError(problem.phrase) from None
    if not incoming.conversation.messages:
        raise RefusedError("this file has no messages")
    written = write(incoming, target)
    losses = [
        LossPlace(as_phrase(loss.what), incoming.place_of(loss).line) for loss in written.losses
    ]
    if target in REQUESTS and has_no_model(written.text):
        missing = Phrase("no model is named: `{model}` is used", model=NO_MODEL)
        losses.append(LossPlace(missing))
    losses += [
        LossPlace(Phrase("hidden: {what}", what=one.placeholder), one.line) for one in hidden
    ]
    name = stem_of(document) + ENDINGS[target]
    return ShownText(name, TARGETS[target].language_id, written.text, tuple(losses))


def redacted(document: Document) -> tuple[Document, list[Hidden]]:
    """A document without its secrets, so that it can be shared; and what was hidden."""
    text, hidden = Redactor().redact(document.text)
    if not hidden:
        return document, hidden
    return document.with_text(text), hidden


def stem_of(document: Document) -> str:
    """The name of a document without its ending."""
    own = document.path.replace("\\", "/").rpartition("/")[2]
    for ending in document.format.endings:
        if own.lower().endswith(ending):
            own = own[: -len(ending)]
    return own.removesuffix(".md") or "conversation"
