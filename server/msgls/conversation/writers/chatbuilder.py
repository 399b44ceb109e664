"""From a conversation to files: one message a file, several of them a folder.

Owns the writing of a header and a body. What these files cannot say (a call of a tool,
an image, more than one part) is written as near as Markdown can, and named as a loss.
Where a document is given, what is unchanged in it stays byte by byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgls.conversation.comparison import with_derived_run
from msgls.conversation.conversation import EPOCH, Conversation, Loss, Written, derived_run_of
from msgls.conversation.losses import (
    Unplaced,
    extras_of,
    named,
    said_of,
    things_said,
    without_place,
)
from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import Message
from msgls.conversation.readers.chatbuilder import COMMENTS, FIELDS, content, header_of, read
from msgls.document.document import Document
from msgls.formats.base import Format
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.formats.chatbuilder.escapes import can_be_escaped, escape
from msgls.formats.chatbuilder.fields import (
    CREATED,
    KNOWN,
    REQUIRED,
    ROLE,
    ROLES,
    UUID,
    author,
    derived_uuid,
    is_time,
    new_value,
)
from msgls.formats.chatbuilder.header import MessageHeader, parse_header
from msgls.formats.images import ALT
from msgls.text.lines import newline_of
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase

_FIELD_KEY = lazy_pattern(r"[A-Za-z][A-Za-z0-9_-]*")
_BREAKS = lazy_pattern(r"[\r\n]+")
_LEADING_BREAKS = lazy_pattern(r"[\r\n]+")

_FALLBACK_ROLE = "user"
_SAID_IN_FIELDS = ("agent", "language", "name", "time", "title")
_EXCERPT = 70


def write(
    conversation: Conversation, like: Document | None = None, format: Format = CHATBUILDER
) -> Written:
    """The file of the one message; of several, that of the first, and the others are lost."""
    if like is not None and read(like).messages == conversation.messages:
        return Written(like.text)
    if not conversation.messages:
        return Written("")
    first, *others = conversation.messages
    writing = _Writing(first, 0, derived_run_of(conversation.messages))
    text = writing.text() if like is None else writing.text_like(like)
    losses = [
        *writing.losses,
        *without_place(writing.unplaced),
        *[
            Loss(Phrase("a file holds one message"), None, index)
            for index in range(1, len(others) + 1)
        ],
    ]
    return Written(text, tuple(losses))


def write_folder(conversation: Conversation) -> tuple[Mapping[str, str], tuple[Loss, ...]]:
    """The files by their names, from ``1.md`` on, and what is lost."""
    files: dict[str, str] = {}
    losses: list[Loss] = []
    unplaced: list[Unplaced] = []
    derived_run = derived_run_of(conversation.messages)
    for index, message in enumerate(conversation.messages):
        writing = _Writing(message, index, derived_run)
        files[f"{index + 1}.md"] = writing.text()
        losses += writing.losses
        unplaced += writing.unplaced
    losses += without_place(unplaced)
    return files, tuple(losses)


class _Writing:
    """One message on its way to a file."""

    def __init__(self, message: Message, index: int, derived_run: str) -> None:
        self.message = message
        self.index = index
        self.losses: list[Loss] = []
        self.unplaced: list[Unplaced] = []
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

    def text_like(self, like: Document) -> str:
        """The file, with the header and the body of ``like`` where they say the same."""
        header, old = header_of(like), read(like).messages
        if header is None or not old:
            return self.text()
        before, body = like.text[: header.body_start], like.text[header.body_start :]
        if not self._is_same_header(header, old[0]):
            newline = newline_of(before)
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
        """The body with a line break at its end, which is not content."""
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
        has_results = bool(message.parts) and all(p.kind == "tool_result" for p in message.parts)
        if message.role not in ROLES and not has_results:
            self.lose(
                Phrase(
                    "unknown role `{role}`: it is written as `{other}`",
                    role=message.role,
                    other=_FALLBACK_ROLE,
                )
            )
        others = [key for key in self.meta if key not in (FIELDS, COMMENTS)]
        self.unplaced += said_of(self.index, message, others)
        own = [key for _, key in dict.fromkeys(extras_of(message.parts)) if key != ALT]
        if message.timestamp not in (EPOCH, self.fields.get(CREATED)):
            own.insert(0, "timestamp")
        if message.run_id != derived_run:
            own.append("runId")
        self.unplaced += [(self.index, thing) for key in own for thing in things_said(key, None)]

    def _said(self) -> str:
        texts = []
        parts = self.message.parts
        for part in parts:
            if part.kind == "tool_result" and self.message.role == "tool":
                self.lose(Phrase("{what} becomes a message of the user's", what=named(part)))
            elif part.kind != "text":
                self.lose(Phrase("{what} is written as text", what=named(part)))
            texts.append(as_markdown(part))
        if sum(part.kind == "text" for part in parts) > 1:
            self.lose(Phrase("separate texts are joined"))
        said = "\n\n".join(texts)
        leading = _LEADING_BREAKS.match(said)
        if leading is not None:
            self.lose(Phrase("the empty lines at its start are not written"))
            said = said[leading.end() :]
        if not can_be_escaped(said):
            self.lose(
                Phrase("a backslash before backticks at the start of a line is read as an escape")
            )
        if self.message.parts and not said:
            self.lose(Phrase("an empty text is left out"))
        return said


def _on_one_line(text: str) -> str:
    return " ".join([line.strip(" \t") for line in _BREAKS.split(text)]).strip(" ")


def _rank(key: str) -> int:
    """Where a field stands in a header: the known ones first, the others as they come."""
    return KNOWN.index(key) if key in KNOWN else len(KNOWN)


# -- messages from elsewhere ------------------------------------------------------------------


def fitted(conversation: Conversation) -> Conversation:
    """A conversation whose messages have the seven fields, unless they have any already."""
    messages = [_with_fields(n, message) for n, message in enumerate(conversation.messages)]
    return replace(conversation, messages=with_derived_run(messages, conversation.messages))


def _with_fields(index: int, message: Message) -> Message:
    meta: Mapping[str, Any] = message.meta or {}
    if FIELDS in meta:
        return message
    role = message.role if message.role != "tool" else "user"
    said = "\n\n".join(map(as_markdown, message.parts))
    names = [n for key in ("agent", "name") if isinstance(n := meta.get(key), str) and n]
    lines = [line.strip(" \t#") for line in _BREAKS.split(said)]
    known = {
        UUID: derived_uuid(f"{index} {role} {message.timestamp} {said}"),
        "Component": _text(meta, "title"),
        "Description": _first(lines)[:_EXCERPT].strip(),
        "Language": _text(meta, "language"),
        # An unknown time is written as the one that stands for none.
        CREATED: message.timestamp if is_time(message.timestamp) else EPOCH,
        "Authors": author(names[0] if names else ""),
    }
    default = f"A message of the role {role}"
    fields = {key: known.get(key) or new_value(key, role, default) for key in REQUIRED}
    rest = {key: value for key, value in meta.items() if key not in _SAID_IN_FIELDS}
    return message.model_copy(update={"meta": {**rest, FIELDS: fields}})


def _text(meta: Mapping[str, Any], key: str) -> str:
    value = meta.get(key)
    return _BREAKS.sub(" ", value).strip() if isinstance(value, str) else ""


def _first(lines: Sequence[str]) -> str:
    return next((line for line in lines if line), "")
