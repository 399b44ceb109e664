"""Reads Jupyter notebooks into a conversation.

Owns the mapping of cells and outputs: a Markdown cell becomes a user message, a code cell becomes
one as in message files, and each output becomes an execution output as ``msgls run`` writes it.
Metadata of the notebook goes into the frontmatter (`jupyter`), that of a cell or an output into
``meta.metadata`` of its message. Metadata under ``msgls`` was written by us, and restores what
a notebook cannot hold.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from msgls.conversation.agents_in_json import AGENTS, DEFAULT_AGENT, agents_from_wire
from msgls.conversation.conversation import EPOCH, Conversation
from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import Message
from msgls.conversation.notebook_outputs import (
    BETWEEN,
    BLANKS,
    DISPLAY,
    ERROR,
    NO_NEWLINE,
    RESULT,
    Content,
    alt_of,
    content_of,
    data_attributes,
    error_of,
    joined_text,
    prefixed,
    prefixed_text,
    sorted_types,
    terminal_lines,
    without_blanks,
)
from msgls.conversation.parts import (
    Wire,
    dict_of,
    image_part,
    list_of,
    remaining,
    text_of,
    text_part,
    text_parts,
)
from msgls.conversation.readers import old_notebooks
from msgls.conversation.readers.drafts import Drafts, Places
from msgls.conversation.readers.msgmd import is_image_type, shown_parts
from msgls.formats.images import ALT, image_line
from msgls.formats.jsontree import Path
from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE
from msgls.formats.msgmd.yamltree import read_mapping
from msgls.text.phrases import Phrase, as_code
from msgls.text.streams import plain

OWN = "msgls"
"""The key of metadata for what a notebook has no other place for."""
RESULT_COUNT = "resultCount"
"""The key of an output's ``meta`` with its execution count, if that of its cell differs."""
JUPYTER = "jupyter"
"""The key of the frontmatter with the metadata of a notebook."""
_ROLES = ("system", "user", "assistant", "tool")

_BACKTICKS = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
_CELL_ID = re.compile(r"[A-Za-z0-9_-]+")
_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
_STREAMS = ("stdout", "stderr")
_KEYS = ("cells", "worksheets", "nbformat", "nbformat_minor", "orig_nbformat",
         "orig_nbformat_minor", "metadata")  # fmt: skip
_CELL_KEYS = ("cell_type", "source", "id", "outputs", "execution_count", "metadata", "attachments")

# The attributes that come first, in the order in which `msgls run` writes them.
_ORDER = ("time", "status", "duration", "execution_count")

WHAT = Phrase("a notebook of nbformat 4, with `cells`, or of nbformat 3")


def is_conversation(value: object) -> bool:
    """Whether a value looks like a notebook."""
    if not isinstance(value, dict) or "nbformat" not in value:
        return False
    return isinstance(value.get("cells"), list) or old_notebooks.is_old(value)


def read(value: Wire, places: Places, path: Path = ()) -> Conversation:
    """The conversation in a notebook."""
    drafts = Drafts(places)
    if old_notebooks.is_old(value):
        metadata = old_notebooks.metadata_of(value)
        cells = [*old_notebooks.cells_of(value, path)]
    else:
        metadata = dict_of(value.get("metadata"))
        cells = [
            (dict_of(cell), (*path, "cells", number)) for number, cell in enumerate(value["cells"])
        ]
    reader = _Reader(drafts, language_of(metadata))
    reader.take_ids([cell for cell, _ in cells])
    for cell, place in cells:
        reader.cell(cell, place)
    left = [*reader.unknown, *remaining(value, _KEYS)]
    file = file_of(metadata, reader.first_language)
    if (file is None and metadata) or (file and not drafts.carry("file", file)):
        left.append("metadata")
    drafts.lose_keys(Phrase("not kept: {keys} of the notebook"), left, path)
    conversation = drafts.conversation()
    agents = agents_from_wire(dict_of(metadata.get(OWN)))
    if agents is None:
        return conversation
    return replace(conversation, agents=agents[0], default_agent=agents[1])


def language_of(metadata: Wire) -> str:
    """The language of a notebook's code, by its metadata: one word."""
    named = dict_of(metadata.get("language_info")).get("name")
    kernel = dict_of(metadata.get("kernelspec")).get("language")
    # Notebooks of nbformat 3 have it here.
    old = metadata.get("language")
    return "-".join((text_of(named) or text_of(kernel) or text_of(old)).split()) or "python"


def file_of(metadata: Wire, first_language: str = "") -> Wire | None:
    """The metadata of a notebook as ``meta.file`` of a message; ``None`` if it cannot be kept.

    If there is code, and the metadata does not name its language, the `jupyter` key is empty.
    """
    import yaml

    metadata = dict(metadata)
    own = dict_of(metadata.pop(OWN, None))
    file = {key: value for key, value in own.items() if key not in (AGENTS, DEFAULT_AGENT)}
    if metadata == {"language_info": {"name": first_language}} or not (metadata or first_language):
        # The language is in the code cells.
        return file
    block = yaml.safe_dump({JUPYTER: metadata}, sort_keys=False, allow_unicode=True)
    if read_mapping(block, 0).data != {JUPYTER: metadata}:
        return None
    head = text_of(file.get("frontmatter")) or "---\n---"
    start, _, end = head.rpartition("---")
    return {**file, "frontmatter": f"{start}{block}---{end}"}


def _joined(value: object) -> str:
    """A text that may be a list of lines."""
    text = joined_text(value)
    return "".join(map(text_of, list_of(value))) if text is None else text


class MarkdownParts(NamedTuple):
    """The Markdown of a cell as parts of a message."""

    parts: list[Wire]
    """Texts and images, as in a message file with the same text."""
    about: Mapping[str, Any]
    """The blanks before, between and after them, if they are not the usual ones."""


def markdown_parts(source: str, *, may_show: bool) -> MarkdownParts:
    """The parts of a text; with ``may_show`` there may be images."""
    content, about = without_blanks(source)
    parts = shown_parts(content) if may_show else []
    if all(part["kind"] == "text" for part in parts):
        return MarkdownParts(text_parts(content), about)
    blanks: list[str] = []
    at = 0
    for part in parts:
        payload = part["payload"]
        piece = image_line(payload) if part["kind"] == "image" else payload["text"]
        start = source.find(piece, at)
        if start < 0 or source[at:start].strip():
            return MarkdownParts([text_part(content)], about)
        blanks.append(source[at:start])
        at = start + len(piece)
    blanks.append(source[at:])
    if blanks[-1].strip():
        return MarkdownParts([text_part(content)], about)
    is_usual = blanks == ["", *[BETWEEN] * (len(parts) - 1), ""]
    return MarkdownParts(parts, {} if is_usual else {BLANKS: blanks})


class _Reader:
    def __init__(self, drafts: Drafts, language: str) -> None:
        self.drafts = drafts
        self.language = language
        self.first_language = ""
        """The language of the first code cell."""
        self.unknown: dict[str, None] = {}
        self.taken: set[str] = set()
        """The ids of all cells."""
        self.used: set[str] = set()
        """The ids of the cells so far."""
        self.number = 0

    def take_ids(self, cells: list[object]) -> None:
        self.taken = {text_of(dict_of(cell).get("id")) for cell in cells}

    def id_of(self, cell: Wire) -> str:
        """The cell's own id, or else the next free one.

        If several cells have the same id, only the first keeps it, as in Jupyter.
        """
        given = text_of(cell.get("id"))
        if _CELL_ID.fullmatch(given) and given not in self.used:
            self.used.add(given)
            return given
        self.number += 1
        while f"c{self.number}" in self.taken:
            self.number += 1
        return f"c{self.number}"

    def cell(self, cell: Wire, path: Path) -> None:
        kind = cell.get("cell_type")
        self.unknown |= dict.fromkeys([f"cells.{key}" for key in remaining(cell, _CELL_KEYS)])
        metadata = dict(dict_of(cell.get("metadata")))
        own = dict_of(metadata.pop(OWN, None))
        meta: Wire = {"id": self.id_of(cell)} | dict_of(own.get("meta"))
        if metadata:
            meta["metadata"] = metadata
        source = _joined(cell.get("source"))
        if kind == "code":
            self.code(cell, source, path, meta, dict_of(own.get("run")))
            return
        if kind not in ("markdown", "raw"):
            self.drafts.lose(
                Phrase("a cell of the type {kind} is treated as Markdown", kind=as_code(kind)), path
            )
            kind = "markdown"
        role = own["role"] if own.get("role") in _ROLES else "user"
        parts = _own_parts(own, role, source)
        if parts is None:
            may_show = role == "user" and kind == "markdown"
            parts, about = markdown_parts(source, may_show=may_show)
            meta |= about
            parts += self.attachments(dict_of(cell.get("attachments")), path)
        if role in ("system", "user"):
            meta.setdefault("type", kind)
        self.drafts.add(role, parts, path, meta, text_of(own.get("timestamp")))

    def attachments(self, attached: Wire, path: Path) -> Iterator[Wire]:
        for name, bundle in attached.items():
            images = [kind for kind in _IMAGES if _joined(dict_of(bundle).get(kind))]
            if images:
                part = image_part(images[0], data="".join(_joined(bundle[images[0]]).split()))
                part["payload"][ALT] = name
                yield part
            if len(images) != 1 or len(bundle) != 1:
                self.drafts.lose(
                    _left_of(name, images),
                    (*path, "attachments", name),
                )

    # -- code

    def code(self, cell: Wire, source: str, path: Path, meta: Wire, run: Wire) -> None:
        language = _own_language(meta, self.language) or self.language
        self.first_language = self.first_language or language
        meta |= {"type": "code", "language": language}
        count = cell.get("execution_count")
        outputs = _Outputs(self.drafts, count)
        outputs.take(list_of(cell.get("outputs")), (*path, "outputs"))
        known = outputs.cells
        is_counted = isinstance(count, int) and count > 0
        number = count if is_counted else 1
        abouts: list[Any] = []
        if run.get("count") == count:
            number = run.get("n", number)
            abouts = list_of(run.get("outputs"))
            # A run without outputs has a cell, too.
            known = known or [([], {}, {}, path)] * bool(abouts)
        if count is not None and not known:
            # Without an output, no id contains it.
            meta["executionCount"] = count
        self.drafts.add("user", [text_part(_fenced(source, language))], path, meta)
        for place_in_run, (parts, attributes, extra, place) in enumerate(known, 1):
            about = dict(dict_of(abouts[place_in_run - 1])) if place_in_run <= len(abouts) else {}
            is_first = place_in_run == 1
            is_bad = attributes.get("output") == ERROR or (is_first and outputs.has_error)
            shown: Wire = {"id": f"{meta['id']}.{number}", "type": language}
            shown |= {"executionOf": meta["id"], "n": number}
            if not is_first:
                shown |= {"id": f"{shown['id']}.{place_in_run}", "m": place_in_run}
            elif is_counted:
                attributes = attributes | (
                    {"execution_count": str(count)} if count != number else {}
                )
            else:
                shown["executionCount"] = count
            attributes = {"status": "failure" if is_bad else "success"} | attributes
            attributes |= dict_of(about.pop("attributes", None))
            attributes = {key: attributes[key] for key in _ORDER if key in attributes} | attributes
            shown |= extra | about | {"status": attributes["status"], "attributes": attributes}
            self.drafts.add("user", parts, place, shown, text_of(attributes.get("time")))


def _own_parts(own: Wire, role: str, source: str) -> list[Wire] | None:
    """The original parts of a cell, unless its Markdown was changed since."""
    parts = list_of(own.get("parts"))
    wire = {"runId": "", "role": role, "timestamp": EPOCH, "parts": parts}
    try:
        message = Message.from_wire(wire)
    except ValueError:
        return None
    is_same = parts and "\n\n".join([as_markdown(part) for part in message.parts]) == source
    return parts if is_same else None


def _own_language(meta: Wire, usual: str) -> str:
    """The language that VS Code has recorded for a cell, if it is not that of the notebook.

    It is removed from the metadata, because a code cell of a message file contains it.
    """
    metadata = dict_of(meta.get("metadata"))
    vscode = dict(dict_of(metadata.get("vscode")))
    language = text_of(vscode.pop("languageId", None))
    if not language or language == usual:
        return ""
    others = {key: value for key, value in metadata.items() if key != "vscode"}
    others |= {"vscode": vscode} if vscode else {}
    del meta["metadata"]
    meta |= {"metadata": others} if others else {}
    return language


class _Outputs:
    """The outputs of a run as cells: parts, attributes, other ``meta``, and the place."""

    def __init__(self, drafts: Drafts, count: object) -> None:
        self._count = count
        self.cells: list[tuple[list[Wire], Wire, Wire, Path]] = []
        self.has_error = False
        self._drafts = drafts
        self._is_text = False
        """Whether more text from a stream is added to the last cell."""

    def take(self, outputs: list[object], path: Path) -> None:
        for number, output in _merged_streams(outputs):
            place = (*path, number)
            match output.get("output_type"):
                case "stream":
                    self._stream(output, place)
                    continue
                case "error":
                    self._error(output, place)
                case "execute_result":
                    self._data(output, RESULT, place)
                case "display_data":
                    self._data(output, DISPLAY, place)
                case kind:
                    what = Phrase("an output of the type {kind} was left out", kind=as_code(kind))
                    self._drafts.lose(what, place)
            self._is_text = False

    def _add(self, text: str, attributes: Wire, extra: Wire, place: Path) -> None:
        self.cells.append((text_parts(text), attributes, extra, place))

    def _stream(self, output: Wire, place: Path) -> None:
        """Add text from a stream; adjacent stream outputs are one text."""
        text = _joined(output.get("text"))
        name = text_of(output.get("name"))
        if text and name not in _STREAMS:
            what = Phrase("the stream `{name}` is written as output", name=name)
            self._drafts.lose(what, place)
        lines, is_ended = terminal_lines(text)
        if "\n".join([*lines, ""] if is_ended else lines) != text:
            what = Phrase("not kept: colours, and text that was overwritten")
            self._drafts.lose(what, place)
        new = "\n".join(prefixed(lines, name))
        if not new:
            if not text:
                self._drafts.lose(Phrase("an empty output was left out"), place)
            return
        before: list[str] = []
        if self._is_text:
            (part,), _, _, place = self.cells.pop()
            before = [part["payload"]["text"]]
        self._add("\n".join([*before, new]), {} if is_ended else dict(NO_NEWLINE), {}, place)
        # After a line without an end, another cell begins.
        self._is_text = is_ended

    def _error(self, output: Wire, place: Path) -> None:
        self.has_error = True
        written = "\n".join(map(text_of, list_of(output.get("traceback"))))
        named = text_of(output.get("ename")), text_of(output.get("evalue"))
        text = plain(written)
        if text != written:
            self._drafts.lose(Phrase("the colours of a traceback are not kept"), place)
        if "\r" in text:
            self._drafts.lose(Phrase("the carriage returns of a traceback are not kept"), place)
        lines = (text or ": ".join(named)).replace("\r", "").split("\n")
        extra = {} if error_of(lines) == named else {"ename": named[0], "evalue": named[1]}
        self._add("\n".join(prefixed(lines, "stderr")), {"output": ERROR}, extra, place)

    def _data(self, output: Wire, kind: str, place: Path) -> None:
        bundle = dict_of(output.get("data"))
        contents = {mime: self._content(mime, bundle[mime], place) for mime in sorted_types(bundle)}
        # An empty output, such as a display before its first update, has a cell, too.
        contents = contents or {DEFAULT_MIME_TYPE: Content("")}
        metadata = dict_of(output.get("metadata"))
        alt = alt_of({mime: content.text for mime, content in contents.items()})
        if alt is not None:
            del contents[DEFAULT_MIME_TYPE]
        for number, (mime, (content, about)) in enumerate(contents.items()):
            attributes: Wire = data_attributes(kind, mime, number)
            extra: Wire = {**about}
            if number == 0:
                attributes |= {} if alt is None else {"alt": alt}
                extra |= {"metadata": metadata} if metadata else {}
                if kind == RESULT and (count := output.get("execution_count")) != self._count:
                    extra[RESULT_COUNT] = count
            if is_image_type(mime) and content:
                parts = [image_part(mime, data=content)]
                self.cells.append((parts, attributes, extra, place))
            elif mime == DEFAULT_MIME_TYPE and bundle:
                self._add("\n".join(prefixed_text(content)), attributes, extra, place)
            else:
                self._add(content, attributes, extra, place)

    def _content(self, mime: str, value: Any, place: Path) -> Content:
        text = joined_text(value)
        if text is not None and not mime.endswith("json") and plain(text) != text:
            self._drafts.lose(Phrase("the colours of a text are not kept"), place)
        if text is not None and mime == DEFAULT_MIME_TYPE and "\r" in text:
            self._drafts.lose(Phrase("the carriage returns of a text are not kept"), place)
        return content_of(mime, value)


def _merged_streams(outputs: Sequence[object]) -> Iterator[tuple[int, Wire]]:
    """Outputs with their numbers; adjacent outputs of the same stream are merged, as in Jupyter."""
    before: tuple[int, Wire] | None = None
    for number, output in enumerate(map(dict_of, outputs)):
        key = output.get("output_type"), output.get("name")
        if before is not None:
            number_before, other = before
            if key == ("stream", other.get("name")):
                text = _joined(other.get("text")) + _joined(output.get("text"))
                before = number_before, {**other, "text": text}
                continue
            yield before
            before = None
        if key[0] == "stream":
            before = number, output
        else:
            yield number, output
    if before is not None:
        yield before


def _left_of(name: str, kinds: Sequence[str]) -> Phrase:
    """The loss of an attachment that is not kept, or not completely."""
    if not kinds:
        return Phrase("the attachment `{name}` was left out", name=name)
    what = Phrase("only the {kind} of the attachment `{name}` is kept", name=name, kind=kinds[0])
    return what


def _fenced(source: str, language: str) -> str:
    longest = max((len(run) for run in _BACKTICKS.findall(source)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{source}{chr(10) if source else ''}{fence}"
