"""From a conversation to files: one message a file, several of them a folder.

Owns the writing of a header and a body. What these files cannot say (a call of a tool,
an image, more than one part) is written as near as Markdown can, and named as a loss.
Where a document is given, what is unchanged in it stays byte by byte.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgls.conversation.conversation import EPOCH, Conversation, Loss, derive_run_id
from msgls.conversation.losses import said_of, things_said, without_place
from msgls.conversation.messages import Message, MessagePart
from msgls.conversation.readers.chatbuilder import COMMENTS, FIELDS, content, header_of, lower
from msgls.formats.base import View
from msgls.formats.chatbuilder.escapes import can_be_escaped, escape
from msgls.formats.chatbuilder.fields import CREATED, KNOWN, ROLE, ROLES, is_time
from msgls.formats.chatbuilder.header import MessageHeader, parse_header
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase

_FIELD_KEY = lazy_pattern(r"[A-Za-z][A-Za-z0-9_-]*")
_BREAKS = lazy_pattern(r"[\r\n]+")
_LEADING_BREAKS = lazy_pattern(r"[\r\n]+")
_BACKTICKS = lazy_pattern(r"`{3,}")

_FALLBACK_ROLE = "user"


def render(conversation: Conversation, like: View | None = None) -> tuple[str, Conversation]:
    """The file of the one message; of several, that of the first, and the others are lost."""
    if like is not None and lower(like).messages == conversation.messages:
        return like.text, conversation
    if not conversation.messages:
        return "", conversation
    first, *others = conversation.messages
    writing = _Writing(first, 0, _derived_run(conversation.messages))
    text = writing.text() if like is None else writing.text_like(like)
    losses = [
        *writing.losses,
        *without_place([(0, thing) for thing in writing.unplaced]),
        *[
            Loss(Phrase("a file holds one message"), None, index)
            for index in range(1, len(others) + 1)
        ],
    ]
    return text, replace(conversation, losses=(*conversation.losses, *losses))


def render_folder(conversation: Conversation) -> tuple[Mapping[str, str], Conversation]:
    """The files by their names, from ``1.md`` on, and the conversation with the losses added."""
    files: dict[str, str] = {}
    losses: list[Loss] = []
    unplaced: list[tuple[int, Phrase]] = []
    derived_run = _derived_run(conversation.messages)
    for index, message in enumerate(conversation.messages):
        writing = _Writing(message, index, derived_run)
        files[f"{index + 1}.md"] = writing.text()
        losses += writing.losses
        unplaced += [(index, thing) for thing in writing.unplaced]
    losses += without_place(unplaced)
    return files, replace(conversation, losses=(*conversation.losses, *losses))


class _Writing:
    """One message on its way to a file."""

    def __init__(self, message: Message, index: int, derived_run: str) -> None:
        self.message = message
        self.index = index
        self.losses: list[Loss] = []
        self.unplaced: list[Phrase] = []
        """What the message says of itself and a header has no place for."""
        self.meta: Mapping[str, Any] = message.meta or {}
        given = self.meta.get(FIELDS)
        self.fields = self._fields(given if isinstance(given, Mapping) else {})
        self.comments = self._comments()
        self._name_what_is_left(derived_run)
        self.said = self._said()

    def lose(self, what: str) -> None:
        self.losses.append(Loss(what, None, self.index))

    # -- the file

    def text(self) -> str:
        return self._header("\n") + "\n\n\n" + self._body()

    def text_like(self, like: View) -> str:
        """The file, with the header and the body of ``like`` where they say the same."""
        header, old = header_of(like), lower(like).messages
        if header is None or not old:
            return self.text()
        before, body = like.text[: header.body_start], like.text[header.body_start :]
        if not self._is_same_header(header, old[0]):
            newline = _newline(before)
            before = self._header(newline) + newline * 3
            before = "\ufeff" + before if like.text.startswith("\ufeff") else before
        return before + (body if content(body) == self.said else self._body())

    def _is_same_header(self, header: MessageHeader, old: Message) -> bool:
        meta = old.meta or {}
        return (
            header.separated
            and header.known_role == self._role()
            and meta.get(FIELDS, {}) == self.fields
            and list(meta.get(COMMENTS, ())) == self.comments
        )

    def _header(self, newline: str) -> str:
        lines = [f"; {key}: {value}".rstrip(" ") for key, value in self.fields.items()]
        lines += [f"; {comment}" for comment in self.comments]
        if lines:
            lines.append(";")
        return newline.join([*lines, f"; {ROLE}: {self._role()}"])

    def _body(self) -> str:
        """The body with a line break at its end, which is no content."""
        if not self.said:
            return ""
        return escape(self.said) + ("\r" if self.said.endswith("\r") else "\n")

    # -- what is said

    def _role(self) -> str:
        return self.message.role if self.message.role in ROLES else _FALLBACK_ROLE

    def _fields(self, given: Mapping[str, Any]) -> dict[str, str]:
        fields: dict[str, str] = {}
        for key, value in given.items():
            if not isinstance(value, str) or not _FIELD_KEY.fullmatch(key) or key == ROLE:
                self.lose(Phrase("the field `{key}` cannot be written in a header", key=key))
                continue
            line = _on_one_line(value)
            if line != value:
                self.lose(Phrase("the field `{key}` is written on one line", key=key))
            fields[key] = line
        time = self.message.timestamp
        if CREATED not in fields and time != EPOCH and is_time(time):
            fields[CREATED] = time
        return {key: fields[key] for key in sorted(fields, key=_rank)}

    def _comments(self) -> list[str]:
        given = self.meta.get(COMMENTS)
        comments = []
        for comment in given if isinstance(given, (list, tuple)) else ():
            line = _on_one_line(str(comment))
            read = parse_header(f"; {line}", False).lines
            if line and read[0].comment == line:
                comments.append(line)
            else:
                self.lose(Phrase("a comment of the header cannot be written as one"))
        return comments

    def _name_what_is_left(self, derived_run: str) -> None:
        message = self.message
        if message.role not in ROLES:
            self.lose(
                Phrase(
                    "there is no role `{role}`: it is written as `{other}`",
                    role=message.role,
                    other=_FALLBACK_ROLE,
                )
            )
        others = [key for key in self.meta if key not in (FIELDS, COMMENTS)]
        self.unplaced += said_of(message, others)
        if message.timestamp not in (EPOCH, self.fields.get(CREATED)):
            self.unplaced += things_said("timestamp", None)
        if message.run_id != derived_run:
            self.unplaced += things_said("runId", None)

    def _said(self) -> str:
        texts = []
        for part in self.message.parts:
            if part.kind != "text":
                self.lose(Phrase("a part of kind `{kind}` is written as text", kind=part.kind))
            texts.append(as_markdown(part))
        if len(texts) > 1:
            self.lose(Phrase("several parts are written as one text"))
        said = "\n\n".join(texts)
        leading = _LEADING_BREAKS.match(said)
        if leading is not None:
            self.lose(Phrase("the empty lines that it begins with are not written"))
            said = said[leading.end() :]
        if not can_be_escaped(said):
            self.lose(
                Phrase("a backslash before backticks at the start of a line is read as an escape")
            )
        if self.message.parts and not said:
            self.lose(Phrase("an empty text is written as none"))
        return said


def _on_one_line(text: str) -> str:
    return " ".join([line.strip(" \t") for line in _BREAKS.split(text)]).strip(" ")


def _rank(key: str) -> int:
    """Where a field stands in a header: the known ones first, the others as they come."""
    return KNOWN.index(key) if key in KNOWN else len(KNOWN)


def _newline(text: str) -> str:
    """The line break that a text uses."""
    if "\r\n" in text:
        return "\r\n"
    return "\r" if "\r" in text and "\n" not in text else "\n"


def _derived_run(messages: Sequence[Message]) -> str:
    """The run id that a source without one gives to these messages."""
    wires = [message.to_wire() for message in messages]
    for wire in wires:
        del wire["runId"], wire["timestamp"]
    try:
        return derive_run_id(wires)
    except (RecursionError, ValueError, TypeError):
        return ""  # No source of text has made such messages.


# -- parts that are no text ---------------------------------------------------------------------


def as_markdown(part: MessagePart) -> str:
    """A part as a person reads it in Markdown."""
    match part.kind:
        case "text" | "thinking":
            return part.payload.text
        case "tool_call":
            call = part.payload
            arguments = call.raw_args_text if call.arguments is None else call.arguments
            return f"`{call.tool_name}` ({call.tool_call_id}):\n\n" + _fenced(arguments)
        case "tool_result":
            result = part.payload.content
            if isinstance(result, str):
                return result
            if isinstance(result, Mapping):
                return _fenced(result)
            return "\n\n".join([as_markdown(inner) for inner in result])
        case "image":
            image = part.payload
            return f"![]({image.url or f'data:{image.mime_type};base64,{image.data}'})"
        case "file_ref":
            return f"[{part.payload.path}]({part.payload.path})"


def _fenced(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    runs = [len(run) for run in _BACKTICKS.findall(text)]
    fence = "`" * max([3, *[length + 1 for length in runs]])
    return f"{fence}json\n{text}\n{fence}"
