"""The kinds of text that a conversation can be read from: our formats and foreign ones.

Owns the list of kinds, the detection of the kind of a text, and the reading of each into
conversations with the locations of their messages. A text can hold several
conversations: an export does.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from json import JSONDecodeError
from typing import Any, NamedTuple

from msgls.conversation.conversation import Conversation, Loss
from msgls.conversation.parts import BROKEN, dict_of, json_value, list_of, text_of
from msgls.conversation.readers import (
    JsonReader,
    anthropic,
    chatgpt,
    claude,
    notebook,
    openai,
    read_document,
    responses,
    sessions,
)
from msgls.conversation.readers.drafts import Places
from msgls.document.document import Document
from msgls.formats.agentsjson import AGENTS
from msgls.formats.base import Format
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.formats.jsontree import Path
from msgls.formats.msgjson import DELTAS_JSONL, MESSAGES_JSON, MESSAGES_JSONL, SESSION_JSONL
from msgls.formats.msgmd import MSGMD
from msgls.formats.msgmd.lexer import MARKS
from msgls.formats.plain import PLAIN
from msgls.formats.registry import HEAD_LENGTH, may_hold
from msgls.formats.stf import STF
from msgls.formats.strictjson import invalid_json, strict_loads
from msgls.text.lines import line_starts
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase, PhrasedError, as_phrase, joined

MESSAGES = "messages"
OUR_KINDS: Mapping[str, Format] = {
    "msgmd": MSGMD,
    "stf": STF,
    "chatbuilder": CHATBUILDER,
    MESSAGES: MESSAGES_JSON,
    "agents": AGENTS,
}
JSON_KINDS = ("openai", "responses", "anthropic", "chatgpt", "claude", "notebook")
_EXPORTS = ("chatgpt", "claude")
KINDS = (*OUR_KINDS, *JSON_KINDS, *sessions.KINDS)

_MARKER = lazy_pattern(r"(?:\A|[\r\n])" + MARKS)
_CHATBUILDER_ROLE = lazy_pattern(r"(?:\A|[\r\n]);[ \t]*role[ \t]*:")
_ANTHROPIC_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "image"})
_ANTHROPIC_KEYS = frozenset({"system", "anthropic_version", "stop_sequences", "top_k"})
# This many messages are enough to recognise a list.
_MOST_LOOKED_AT = 50

Opener = Callable[[str, str, Format | None], Document]


class Unreadable(PhrasedError):
    """Raised for a text that no conversation can be read from; says why."""


class FileLine(NamedTuple):
    """A file and a line, from 0; ``None`` for the whole file."""

    file: str
    line: int | None


class Incoming(NamedTuple):
    """A conversation that was read, and its source."""

    kind: str
    conversation: Conversation
    file: str
    places: tuple[FileLine, ...]
    """The location of each message."""
    title: str = ""
    document: Document | None = None
    """The document that it was read from, if it is in one of our formats."""

    def place_of(self, loss: Loss) -> FileLine:
        """The location of a loss in the source: the first line, if it is about no message."""
        index = loss.message_index
        place = FileLine(self.places[0].file if self.places else self.file, 0)
        if index is not None and index < len(self.places):
            place = self.places[index]
        return place if loss.line is None else FileLine(place.file, loss.line)


def read(
    file: str,
    text: str,
    kind: str | None = None,
    opener: Opener = Document.open,
    path: str | None = None,
) -> list[Incoming]:
    """The conversations in a text: one, except in exports. Raises ``Unreadable``.

    ``file`` is its name in messages; the format is detected by ``path``, or else by ``file``.
    """
    path = file if path is None else path
    if kind is not None and kind in OUR_KINDS:
        return [read_ours(kind, file, opener(path, text, _format(kind, text)))]
    if kind is None and may_hold(path):
        document = opener(path, text, None)
        if document.format is not PLAIN:
            return [read_ours(kind_of(document.format), file, document)]
    session = kind if kind in sessions.KINDS else None if kind else sessions.kind_of(text)
    if session is not None:
        return _read_session(file, text, session)
    value = _json_value(text, is_expected=kind is not None)
    kind = kind or (_guess(text) if value is None else kind_of_json(value))
    if kind is None:
        what = (
            Phrase("its format is not recognized")
            if value is None
            else Phrase("this JSON is not a conversation")
        )
        raise Unreadable("{what}; --from says what it is: {kinds}", what=what, kinds=joined(KINDS))
    if kind in OUR_KINDS:
        return [read_ours(kind, file, opener(path, text, _format(kind, text)))]
    return _read_json(file, text, value, kind)


# -- our formats ----------------------------------------------------------------------------


def of_document(document: Document) -> Incoming:
    """The conversation of a document that is in one of our formats."""
    return read_ours(kind_of(document.format), document.path, document)


def kind_of(format: Format) -> str:
    """The kind of a format."""
    for kind, known in OUR_KINDS.items():
        if known.name == format.name:
            return kind
    raise Unreadable("a file of the format {name} cannot be converted", name=format.name)


def _format(kind: str, text: str) -> Format:
    """The format of a kind; for messages in JSON it depends on the text."""
    if kind != MESSAGES:
        return OUR_KINDS[kind]
    if json_value(text) is not BROKEN:
        return MESSAGES_JSON
    first = _first_line(text)
    value = json_value(first)
    if value is BROKEN:
        # Either the array or one of the lines is broken.
        return MESSAGES_JSON if first.lstrip("\ufeff \t").startswith("[") else MESSAGES_JSONL
    wire = dict_of(value)
    if "payload" in wire and "type" in wire:
        return SESSION_JSONL
    return DELTAS_JSONL if "kind" in wire and "role" not in wire else MESSAGES_JSONL


def read_ours(kind: str, file: str, document: Document) -> Incoming:
    """The conversation that a document holds."""
    conversation = read_document(document)
    if not conversation.messages and conversation.losses:
        raise _nothing_read(kind, document.text, conversation.losses[0])
    places = _places(file, document.text, conversation)
    return Incoming(kind, conversation, file, places, document=document)


def _nothing_read(kind: str, text: str, loss: Loss) -> Unreadable:
    """Why no message was read, with the right option where that is known."""
    real_kind = kind_of_json(json_value(text)) if kind == MESSAGES else None
    if real_kind in JSON_KINDS:
        return Unreadable(
            "its JSON is a conversation in another format: use --from {kind}", kind=real_kind
        )
    reason = as_phrase(loss.what)
    if loss.line is None:
        return Unreadable("no message can be read: {reason}", reason=reason)
    line = str(loss.line + 1)
    return Unreadable("no message can be read; line {line}: {reason}", line=line, reason=reason)


def read_folder(name: str, documents: Sequence[tuple[str, Document]]) -> Incoming:
    """The conversation of a folder of ChatBuilder messages, each with the name of its file."""
    from msgls.conversation.readers.chatbuilder import header_of, in_order
    from msgls.conversation.readers.chatbuilder import read_folder as read_messages

    files = {document.path: file for file, document in documents}
    messages = in_order([document for _, document in documents])
    # As the reader does: an empty file holds no message.
    filled = [v for v in messages if header_of(v) is not None and v.text.removeprefix("\ufeff")]
    places = tuple([FileLine(files[document.path], 0) for document in filled])
    return Incoming("chatbuilder", read_messages(filled), name, places)


def _places(file: str, text: str, conversation: Conversation) -> tuple[FileLine, ...]:
    starts = line_starts(text)
    return tuple(
        FileLine(file, bisect_right(starts, spans[0].start) - 1 if spans else None)
        for spans in conversation.sources
    )


# -- foreign formats ----------------------------------------------------------------------


def _json_value(text: str, is_expected: bool) -> Any:
    """The JSON value of a text; ``None`` if it is not JSON, unless JSON is expected."""
    start = text.removeprefix("\ufeff").lstrip(" \t\r\n")[:1]
    if start not in ("{", "[") and not is_expected:
        return None
    try:
        return strict_loads(text)
    except ValueError as error:
        if is_expected or not isinstance(error, JSONDecodeError) or _guess(text) is None:
            raise Unreadable(invalid_json(error)) from None
    except RecursionError:
        raise Unreadable("its JSON is nested too deeply") from None
    return None


def _read_json(file: str, text: str, value: Any, kind: str) -> list[Incoming]:
    places = Places(text)
    incoming = []
    for path, one in _conversations(kind, value):
        conversation = _READERS[kind].read(one, places, path)
        lines = _places(file, text, conversation)
        title = text_of(dict_of(one).get("title")) or text_of(dict_of(one).get("name"))
        incoming.append(Incoming(kind, conversation, file, lines, title))
    return incoming


def _read_session(file: str, text: str, kind: str) -> list[Incoming]:
    found = []
    for session, conversation in sessions.read(text, kind):
        places = _places(file, text, conversation)
        title = session.about.title
        found.append(Incoming(kind, conversation, file, places, title))
    if not found:
        raise Unreadable("this is not {what}", what=sessions.PROGRAMS[kind].writes)
    return found


_READERS: Mapping[str, JsonReader] = {
    "openai": openai,
    "responses": responses,
    "anthropic": anthropic,
    "chatgpt": chatgpt,
    "claude": claude,
    "notebook": notebook,
}


def _conversations(kind: str, value: Any) -> list[tuple[Path, Any]]:
    """The conversations in a value, each with the path to it."""
    reader = _READERS[kind]
    found: list[tuple[Path, Any]] = []
    if reader.is_conversation(value):
        found = [((), value)]
    elif kind in _EXPORTS:
        found = [((n,), one) for n, one in enumerate(list_of(value)) if reader.is_conversation(one)]
    if not found:
        raise Unreadable("this is not {what}", what=reader.WHAT)
    return found


def kind_of_json(value: object) -> str | None:
    """The kind of a JSON value; ``None`` if it is not a conversation."""
    if notebook.is_conversation(value):
        return "notebook"
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, dict):
        return None
    if chatgpt.is_conversation(first):
        return "chatgpt"
    if claude.is_conversation(first):
        return "claude"
    if "runId" in first or isinstance(first.get("parts"), list) or "payload" in first:
        return MESSAGES
    if isinstance(dict_of(value).get("agents"), list):
        return "agents"
    if anthropic.is_response(value):
        return "anthropic"
    if responses.is_conversation(value) and "messages" not in dict_of(value):
        return "responses"
    if openai.is_response(value):
        return "openai"
    messages = first.get("messages") if isinstance(value, dict) else value
    if not isinstance(messages, list):
        return None
    if messages and not any("role" in dict_of(message) for message in messages):
        return None
    is_anthropic = _is_anthropic(dict_of(value), [dict_of(message) for message in messages])
    return "anthropic" if is_anthropic else "openai"


def _is_anthropic(request: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> bool:
    if request.keys() & _ANTHROPIC_KEYS:
        return True
    for message in messages[:_MOST_LOOKED_AT]:
        if message.get("role") in ("tool", "developer", "function") or "tool_calls" in message:
            return False
        blocks = list_of(message.get("content"))
        if any(dict_of(block).get("type") in _ANTHROPIC_BLOCKS for block in blocks):
            return True
    return False


def _guess(text: str) -> str | None:
    """The likely kind of a text, by its content alone."""
    head = text.removeprefix("\ufeff")[:HEAD_LENGTH]
    if _MARKER.search(head):
        return "msgmd"
    start = head.lstrip(" \t\r\n")[:1]
    if start == ";" and _CHATBUILDER_ROLE.search(head):
        return "chatbuilder"
    if start in ("@", ";"):
        return "stf"
    if start == "{":
        first = dict_of(json_value(_first_line(head)))
        return MESSAGES if {"runId", "payload"} & first.keys() else None
    return None


def _first_line(text: str) -> str:
    """The first line that is not blank."""
    return next((line for line in text.split("\n") if line.strip()), "")
