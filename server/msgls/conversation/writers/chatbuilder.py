"""Writes ChatBuilder files: one file for each message, several in a folder.

Owns the writing of header and body. What the format does not have (tool calls, images, more
than one part) is written as Markdown, and reported as a loss. If a document is given, what is
unchanged is kept byte by byte.
"""

from collections.abc import Mapping
from typing import Any

from msgls.conversation.comparison import with_messages
from msgls.conversation.conversation import EPOCH, Conversation, Loss, Written, derived_run_of
from msgls.conversation.losses import (
    Unplaced,
    extras_of,
    metadata_names,
    named,
    unplaced_keys,
    unplaced_losses,
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
_META_IN_FIELDS = ("agent", "language", "name", "time", "title")
_EXCERPT = 70


def write(
    conversation: Conversation, like: Document | None = None, format: Format = CHATBUILDER
) -> Written:
    """The file for a single message; of several messages, only the first is written."""
    if like is not None and read(like).messages == conversation.messages:
        return Written(like.text)
    if not conversation.messages:
        return Written("")
    first, *others = conversation.messages
    writer = _Writer(first, 0, derived_run_of(conversation.messages))
    text = writer.text() if like is None else writer.text_like(like)
    losses = [
        *writer.losses,
        *unplaced_losses(writer.unplaced),
        *[
            Loss(Phrase("a file holds one message"), None, index)
            for index in range(1, len(others) + 1)
        ],
    ]
    return Written(text, tuple(losses))


def write_folder(conversation: Conversation) -> tuple[Mapping[str, str], tuple[Loss, ...]]:
    """The files by name, starting with ``1.md``, and the losses."""
    files: dict[str, str] = {}
    losses: list[Loss] = []
    unplaced: list[Unplaced] = []
    derived_run = derived_run_of(conversation.messages)
    for index, message in enumerate(conversation.messages):
        writer = _Writer(message, index, derived_run)
        files[f"{index + 1}.md"] = writer.text()
        losses += writer.losses
        unplaced += writer.unplaced
    losses += unplaced_losses(unplaced)
    return files, tuple(losses)


class _Writer:
    """Writes one message to a file."""

    def __init__(self, message: Message, index: int, derived_run: str) -> None:
        self.message = message
        self.index = index
        self.losses: list[Loss] = []
        self.unplaced: list[Unplaced] = []
        """Metadata that a header cannot hold."""
        self.meta: Mapping[str, Any] = message.meta or {}
        given = self.meta.get(FIELDS)
        self.fields = self._fields(given if isinstance(given, Mapping) else {})
        self.comments = self._comments()
        self._find_losses(derived_run)
        self.content = self._content()

    def lose(self, what: str) -> None:
        self.losses.append(Loss(what, None, self.index))

    # -- the file

    def text(self) -> str:
        return self._header("\n") + "\n\n\n" + self._body()

    def text_like(self, like: Document) -> str:
        """The file, with the header and the body of ``like`` if they are unchanged."""
        header, old = header_of(like), read(like).messages
        if header is None or not old:
            return self.text()
        before, body = like.text[: header.body_start], like.text[header.body_start :]
        if not self._is_same_header(header, old[0]):
            newline = newline_of(before)
            before = self._header(newline) + newline * 3
            before = "\ufeff" + before if like.text.startswith("\ufeff") else before
        return before + (body if content(body) == self.content else self._body())

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
        """The body with a final line break, which is not content."""
        if not self.content:
            return ""
        return escape(self.content) + ("\r" if self.content.endswith("\r") else "\n")

    # -- the contents

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

    def _find_losses(self, derived_run: str) -> None:
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
        self.unplaced += unplaced_keys(self.index, message, others)
        own = [key for _, key in dict.fromkeys(extras_of(message.parts)) if key != ALT]
        if message.timestamp not in (EPOCH, self.fields.get(CREATED)):
            own.insert(0, "timestamp")
        if message.run_id != derived_run:
            own.append("runId")
        self.unplaced += [(self.index, name) for key in own for name in metadata_names(key, None)]

    def _content(self) -> str:
        texts = []
        parts = self.message.parts
        for part in parts:
            if part.kind == "tool_result" and self.message.role == "tool":
                self.lose(Phrase("{what} becomes a user message", what=named(part)))
            elif part.kind != "text":
                self.lose(Phrase("{what} is written as text", what=named(part)))
            texts.append(as_markdown(part))
        if sum(part.kind == "text" for part in parts) > 1:
            self.lose(Phrase("separate texts are joined"))
        text = "\n\n".join(texts)
        leading = _LEADING_BREAKS.match(text)
        if leading is not None:
            self.lose(Phrase("the empty lines at its start are not written"))
            text = text[leading.end() :]
        if not can_be_escaped(text):
            self.lose(
                Phrase("a backslash before backticks at the start of a line is read as an escape")
            )
        if self.message.parts and not text:
            self.lose(Phrase("an empty text is left out"))
        return text


def _on_one_line(text: str) -> str:
    return " ".join([line.strip(" \t") for line in _BREAKS.split(text)]).strip(" ")


def _rank(key: str) -> int:
    """A sort key for fields: known fields first, in their order."""
    return KNOWN.index(key) if key in KNOWN else len(KNOWN)


# -- conversations from other formats -------------------------------------------------------


def fitted(conversation: Conversation) -> Conversation:
    """A conversation whose messages have the seven fields, except those that already have some."""
    messages = [_with_fields(n, message) for n, message in enumerate(conversation.messages)]
    return with_messages(conversation, messages)


def _with_fields(index: int, message: Message) -> Message:
    meta: Mapping[str, Any] = message.meta or {}
    if FIELDS in meta:
        return message
    role = message.role if message.role != "tool" else "user"
    text = "\n\n".join(map(as_markdown, message.parts))
    names = [n for key in ("agent", "name") if isinstance(n := meta.get(key), str) and n]
    lines = [line.strip(" \t#") for line in _BREAKS.split(text)]
    known = {
        UUID: derived_uuid(f"{index} {role} {message.timestamp} {text}"),
        "Component": _text(meta, "title"),
        "Description": next(filter(None, lines), "")[:_EXCERPT].strip(),
        "Language": _text(meta, "language"),
        # The field is required: an unknown time becomes the epoch.
        CREATED: message.timestamp if is_time(message.timestamp) else EPOCH,
        "Authors": author(names[0] if names else ""),
    }
    default = f"A message of the role {role}"
    fields = {key: known.get(key) or new_value(key, role, default) for key in REQUIRED}
    rest = {key: value for key, value in meta.items() if key not in _META_IN_FIELDS}
    return message.model_copy(update={"meta": {**rest, FIELDS: fields}})


def _text(meta: Mapping[str, Any], key: str) -> str:
    value = meta.get(key)
    return _BREAKS.sub(" ", value).strip() if isinstance(value, str) else ""
