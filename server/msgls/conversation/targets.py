"""The targets of a conversion: our formats, requests, notebooks, and Markdown to read.

Owns the list of targets and the writing of each. The text can be encoded as UTF-8: lone
surrogates are replaced, and reported as a loss.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from msgls.conversation.agents import agent_in
from msgls.conversation.context import Context, Hidden, context_of, why_hidden
from msgls.conversation.conversation import Conversation, Loss, Written
from msgls.conversation.losses import named
from msgls.conversation.messages import Message
from msgls.conversation.requests import RequestOptions
from msgls.conversation.sources import MESSAGES, Incoming
from msgls.conversation.visibility import Sight
from msgls.conversation.writers import (
    ServiceWriter,
    anthropic,
    chatbuilder,
    markdown,
    msgmd,
    notebook,
    openai,
    stf,
    write_as,
)
from msgls.conversation.writers.turns import unplaced_meta
from msgls.formats.base import Format
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.formats.msgjson import MESSAGES_JSON
from msgls.formats.msgmd import MSGMD, SectionedMessageFile
from msgls.formats.plain import PLAIN
from msgls.formats.stf import SimpleTextFile
from msgls.formats.stf.commands import AT, SEMICOLON
from msgls.text.patterns import HALVES
from msgls.text.phrases import EMPTY, Phrase

_REPLACEMENT = "\ufffd"

NOTEBOOK = "notebook"


class Target(NamedTuple):
    """A target of conversions: one of our formats, or a text for another program."""

    ending: str
    """The ending of its files."""
    format: Format = PLAIN
    """Plain, if it is not one of our formats."""
    service: ServiceWriter | None = None
    name: Phrase = EMPTY
    """Its name for users, if it is always a single text, which an editor can show."""
    language_id: str = ""


TARGETS: Mapping[str, Target] = {
    "msgmd": Target(".msg.md", MSGMD, None, Phrase("message file"), "msgmd"),
    "stf": Target(".stf", SimpleTextFile(AT), None, Phrase("Simple Text Format (@)"), "stf"),
    "stf-semicolon": Target(
        ".stf", SimpleTextFile(SEMICOLON), None, Phrase("Simple Text Format (;)"), "stf"
    ),
    "chatbuilder": Target(".md", CHATBUILDER),
    MESSAGES: Target(".messages.json", MESSAGES_JSON, None, Phrase("messages in JSON"), "json"),
    "openai": Target(".openai.json", PLAIN, openai, Phrase("OpenAI request"), "json"),
    "anthropic": Target(".anthropic.json", PLAIN, anthropic, Phrase("Anthropic request"), "json"),
    NOTEBOOK: Target(".ipynb", PLAIN, notebook, Phrase("Jupyter notebook"), "json"),
    "markdown": Target(".md", PLAIN, markdown, Phrase("Markdown to read"), "markdown"),
}
ENDINGS = {name: target.ending for name, target in TARGETS.items()}
SHOWN = tuple([name for name, target in TARGETS.items() if target.name])
"""The targets that are always a single text."""
REQUESTS = ("openai", "anthropic")
SHARED = (*REQUESTS, "markdown")
"""Targets that are sent or shared: secrets are hidden in them."""
_STF = ("stf", "stf-semicolon")
SAYS_VISIBILITY = ("msgmd", MESSAGES)
"""The targets that can mark what the model does not see."""
# A document is not converted to its own format, except between the dialects of STF.
_SAME = ("msgmd", MESSAGES)


class Output(NamedTuple):
    """A written conversation: one text, or the files of a folder."""

    text: str
    losses: tuple[Loss, ...]
    files: Mapping[str, str] | None = None
    """Texts by file name, if it is a folder; then ``text`` is that of the first file."""


def targets_of(kind: str) -> dict[str, Phrase]:
    """The targets for a conversation of that kind, with their names for users."""
    return {name: TARGETS[name].name for name in SHOWN if name != kind or name not in _SAME}


def write(
    incoming: Incoming, target: str, model: str | None = None, everything: bool = False
) -> Output:
    """Write a conversation; returns the losses of reading and of writing.

    A target that cannot mark hidden messages contains what the model sees, or all of it with
    ``everything``; the losses say what that hides or exposes. A request always contains what
    the model sees.
    """
    conversation = incoming.conversation
    if target in SAYS_VISIBILITY:
        if target == "msgmd" and incoming.kind != target:
            conversation = msgmd.fitted(conversation)
        written = _written(incoming, conversation, target, conversation.losses)
        return _once(_encoded(written, conversation))
    agent = agent_in(conversation)
    found = context_of(conversation, agent, everything and target not in REQUESTS)
    if target == "chatbuilder" and incoming.kind != target:
        found = found._replace(conversation=chatbuilder.fitted(found.conversation))
    elif target in _STF and incoming.kind != "stf":
        found = found._replace(conversation=stf.fitted(found.conversation))
    elif target == NOTEBOOK and everything:
        # Jupyter shows every cell; visibility is in the metadata of the cells.
        indices = tuple(range(len(conversation.messages)))
        found = found._replace(conversation=conversation, indices=indices)
    elif target == NOTEBOOK:
        fit = notebook.fitted(found.conversation, conversation.messages)
        found = found._replace(conversation=fit)
    fitting = found.conversation.losses[len(conversation.losses) :]
    if target == "chatbuilder" and len(found.conversation.messages) > 1:
        output = _write_folder(found.conversation)
    elif TARGETS[target].service is None:
        output = _encoded(_written(incoming, found.conversation, target), found.conversation)
    else:
        options = agent.options if model is None else agent.options._replace(model=model)
        output = _write_service(found.conversation, target, options)
    own = [traced(loss, found) for loss in (*fitting, *output.losses)]
    hidden = [_hidden_loss(conversation, one, everything, target) for one in found.hidden]
    return _once(output._replace(losses=(*conversation.losses, *hidden, *own)))


def _once(output: Output) -> Output:
    """The output with each loss once: two calls of one tool in a message make the same sentence."""
    return output._replace(losses=tuple(dict.fromkeys(output.losses)))


def _write_service(conversation: Conversation, target: str, options: RequestOptions) -> Output:
    """A conversation as a target that is not one of our formats."""
    service = _service(target)
    unplaced = unplaced_meta(conversation.messages, service.keeps_metadata, service.keeps_extra)
    output = _encoded(service.write(conversation, options), conversation)
    return output._replace(losses=(*output.losses, *unplaced))


def _service(target: str) -> ServiceWriter:
    service = TARGETS[target].service
    assert service is not None
    return service


def _encoded(written: Written, conversation: Conversation) -> Output:
    """The written text, with characters that UTF-8 cannot encode replaced."""
    text, lost = _encodable(written.text)
    if lost:
        first = next((n for n, m in enumerate(conversation.messages) if _has_halves(m)), None)
        lost = [replace(loss, message_index=first) for loss in lost]
    return Output(text, (*written.losses, *lost))


def _has_halves(message: Message) -> bool:
    return HALVES.search(json.dumps(message.to_wire(), ensure_ascii=False)) is not None


def traced(loss: Loss, found: Context) -> Loss:
    """A loss of writing, with the index of its message in the whole conversation."""
    if loss.message_index is None:
        return loss
    return replace(loss, message_index=found.indices[loss.message_index])


def _hidden_loss(conversation: Conversation, hidden: Hidden, everything: bool, target: str) -> Loss:
    """The loss for a message that the model does not see, or not in full."""
    index, sight = hidden
    message = conversation.messages[index]
    name = (message.meta or {}).get("id")
    what = Phrase("the message")
    if isinstance(name, str):
        what = Phrase("the message `{id}`", id=name)
    elif message.parts and message.parts[0].kind in ("tool_call", "tool_result"):
        what = named(message.parts[0])
    why = why_hidden(message, sight)
    if everything and target not in REQUESTS:
        text = Phrase("{what} is visible now, though the model does not see it: {why}")
        if sight is Sight.SUMMARY:
            text = Phrase("{what} is written in full, though the model sees only its beginning")
            if message.visibility.summary:
                text = Phrase("{what} is written in full, without the summary that the model sees")
    elif sight is Sight.SUMMARY:
        text = Phrase("only the summary of {what} is written")
    else:
        text = Phrase("{what} is not written, because the model does not see it: {why}")
    return Loss(Phrase(text, what=what, why=why), None, index)


def write_request(conversation: Conversation, service: str, options: RequestOptions) -> Written:
    """A request's JSON, with the losses of reading and of writing."""
    text, losses = _service(service).write(conversation, options)
    return Written(text, (*conversation.losses, *losses))


def _written(
    incoming: Incoming, conversation: Conversation, target: str, before: tuple[Loss, ...] = ()
) -> Written:
    """Write one of our formats: into the original document, if it has that format."""
    document = incoming.document
    if document is None or not _is_written_as(incoming, target):
        written = write_as(TARGETS[target].format, conversation)
    else:
        written = write_as(document.format, conversation, document)
        # Nothing can be lost if the text is unchanged.
        if written.text == document.text:
            return Written(written.text)
    return written._replace(losses=(*before, *written.losses))


def _is_written_as(incoming: Incoming, target: str) -> bool:
    kind, document = incoming.kind, incoming.document
    messages = incoming.conversation.messages
    if kind == "stf" and messages:
        file = (messages[0].meta or {}).get("file")
        if isinstance(file, Mapping) and file.get("dialect") == SEMICOLON:
            kind = "stf-semicolon"
    if kind == MESSAGES and document is not None:
        return target == MESSAGES and document.format is MESSAGES_JSON
    if document is not None and isinstance(document.format, SectionedMessageFile):
        # A `.msg.md` records every cell, so that cells outside the section must not be kept.
        return target == kind and not incoming.conversation.losses
    return kind == target


def _write_folder(conversation: Conversation) -> Output:
    texts, losses = chatbuilder.write_folder(conversation)
    files: dict[str, str] = {}
    lost: list[Loss] = []
    for index, (name, text) in enumerate(texts.items()):
        files[name], problems = _encodable(text)
        lost += [replace(loss, message_index=index) for loss in problems]
    return Output(next(iter(files.values()), ""), (*losses, *lost), files)


def _encodable(text: str) -> tuple[str, list[Loss]]:
    """A text that UTF-8 can encode, and the losses."""
    if text.isascii() or not HALVES.search(text):
        return text, []
    count = len(HALVES.findall(text))
    what = Phrase("{count} lone surrogates are replaced by U+FFFD", count=count)
    if count == 1:
        what = Phrase("a lone surrogate is replaced by U+FFFD")
    return HALVES.sub(_REPLACEMENT, text), [Loss(what)]
