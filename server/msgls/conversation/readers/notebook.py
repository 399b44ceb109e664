"""Jupyter notebooks: cells and what came of running them, as a conversation.

Owns what each cell and each output becomes: text of the user's, a code cell as message
files have it, and one execution output for each thing that a run shows, as ``msgls run`` writes
it. What a notebook says besides that goes with it: metadata of the notebook into the frontmatter
(`jupyter`), that of a cell or an output into the meta of its message (``metadata``). Under
``msgls``, a notebook that we wrote has there what its cells were before.
"""

from __future__ import annotations

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
    in_order,
    joined_text,
    marked,
    marked_text,
    printed,
    without_blanks,
)
from msgls.conversation.readers import old_notebooks
from msgls.conversation.readers.drafts import (
    Drafts,
    Places,
    Wire,
    dict_of,
    image_part,
    list_of,
    quoted,
    said,
    text_of,
    text_part,
)
from msgls.conversation.readers.msgmd import is_image_type, shown_parts
from msgls.formats.images import ALT, image_line
from msgls.formats.jsontree import Path
from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE
from msgls.formats.msgmd.yamltree import read_mapping
from msgls.text.phrases import Phrase, as_code
from msgls.text.streams import plain

OWN = "msgls"
"""The key of metadata that holds what a notebook has no other place for."""
RESULT_COUNT = "resultCount"
"""The key of an output's meta with its execution count, where its cell has another."""
JUPYTER = "jupyter"
"""The key of the frontmatter that holds the metadata of a notebook."""
_ROLES = ("system", "user", "assistant", "tool")

_BACKTICKS = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
_CELL_ID = re.compile(r"[A-Za-z0-9_-]+")
_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
_STREAMS = ("stdout", "stderr")
_KEYS = ("cells", "worksheets", "nbformat", "nbformat_minor", "orig_nbformat",
         "orig_nbformat_minor", "metadata")  # fmt: skip
_CELL_KEYS = ("cell_type", "source", "id", "outputs", "execution_count", "metadata", "attachments")

# As `msgls run` writes them; what follows is about what is shown.
_ORDER = ("time", "status", "duration", "execution_count")

WHAT = Phrase("a notebook of nbformat 4, with `cells`, or of nbformat 3")


def is_conversation(value: object) -> bool:
    """Whether a value looks like a notebook."""
    if not isinstance(value, dict) or "nbformat" not in value:
        return False
    return isinstance(value.get("cells"), list) or old_notebooks.is_old(value)


def read(value: Wire, places: Places, path: Path = ()) -> Conversation:
    """The conversation that a notebook holds."""
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
    left = [*reader.unknown, *said(value, _KEYS)]
    file = file_of(metadata, reader.first_language)
    if (file is None and metadata) or (file and not drafts.carry("file", file)):
        left.append("metadata")
    if left:
        drafts.lose(Phrase("not kept: {keys} of the notebook", keys=quoted(left)), path)
    conversation = drafts.conversation()
    agents = agents_from_wire(dict_of(metadata.get(OWN)))
    if agents is None:
        return conversation
    return replace(conversation, agents=agents[0], default_agent=agents[1])


def language_of(metadata: Wire) -> str:
    """The language of a notebook's code, by its metadata: one word."""
    named = dict_of(metadata.get("language_info")).get("name")
    kernel = dict_of(metadata.get("kernelspec")).get("language")
    # So notebooks of nbformat 3 said it.
    old = metadata.get("language")
    return "-".join((text_of(named) or text_of(kernel) or text_of(old)).split()) or "python"


def file_of(metadata: Wire, first_language: str = "") -> Wire | None:
    """What a notebook says of itself, as the head of a message file; nothing where it cannot.

    Of a notebook that does not even name a language, that is said.
    """
    import yaml

    metadata = dict(metadata)
    own = dict_of(metadata.pop(OWN, None))
    file = {key: value for key, value in own.items() if key not in (AGENTS, DEFAULT_AGENT)}
    if metadata == {"language_info": {"name": first_language}} or not (metadata or first_language):
        # That much is said by the code.
        return file
    block = yaml.safe_dump({JUPYTER: metadata}, sort_keys=False, allow_unicode=True)
    if read_mapping(block, 0).data != {JUPYTER: metadata}:
        return None
    head = text_of(file.get("frontmatter")) or "---\n---"
    start, _, end = head.rpartition("---")
    return {**file, "frontmatter": f"{start}{block}---{end}"}


def _joined(value: object) -> str:
    """A text that may be written as the list of its lines."""
    text = joined_text(value)
    return "".join(map(text_of, list_of(value))) if text is None else text


class Parted(NamedTuple):
    """The Markdown of a cell as a message has it."""

    parts: list[Wire]
    """Texts and images, as a message file with the same text has them."""
    about: Mapping[str, Any]
    """The blanks before, between and after them, where they are not the usual ones."""


def parted(source: str, *, may_show: bool) -> Parted:
    """The parts of a text, which may show images if it is Markdown of the user's."""
    content, about = without_blanks(source)
    parts = shown_parts(content) if may_show else []
    if all(part["kind"] == "text" for part in parts):
        return Parted([text_part(content)] if content else [], about)
    blanks: list[str] = []
    at = 0
    for part in parts:
        payload = part["payload"]
        piece = image_line(payload) if part["kind"] == "image" else payload["text"]
        start = source.find(piece, at)
        if start < 0 or source[at:start].strip():
            return Parted([text_part(content)], about)
        blanks.append(source[at:start])
        at = start + len(piece)
    blanks.append(source[at:])
    if blanks[-1].strip():
        return Parted([text_part(content)], about)
    is_usual = blanks == ["", *[BETWEEN] * (len(parts) - 1), ""]
    return Parted(parts, {} if is_usual else {BLANKS: blanks})


class _Reader:
    def __init__(self, drafts: Drafts, language: str) -> None:
        self.drafts = drafts
        self.language = language
        self.first_language = ""
        """That of the first code."""
        self.unknown: dict[str, None] = {}
        self.taken: set[str] = set()
        self.given: set[str] = set()
        """The ids that cells have had so far."""
        self.number = 0

    def take_ids(self, cells: list[object]) -> None:
        self.taken = {text_of(dict_of(cell).get("id")) for cell in cells}

    def id_of(self, cell: Wire) -> str:
        """The cell's own id, else the next that no cell has.

        Of several cells with one id, which Jupyter renames too, the first one keeps it.
        """
        given = text_of(cell.get("id"))
        if _CELL_ID.fullmatch(given) and given not in self.given:
            self.given.add(given)
            return given
        self.number += 1
        while f"c{self.number}" in self.taken:
            self.number += 1
        return f"c{self.number}"

    def cell(self, cell: Wire, path: Path) -> None:
        kind = cell.get("cell_type")
        self.unknown |= dict.fromkeys([f"cells.{key}" for key in said(cell, _CELL_KEYS)])
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
            parts, about = parted(source, may_show=may_show)
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
            # A run that shows nothing has a cell, too.
            known = known or [([], {}, {}, path)] * bool(abouts)
        if count is not None and not known:
            # No id of a run says it.
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
    """What a cell was before, unless its Markdown says something else by now."""
    parts = list_of(own.get("parts"))
    wire = {"runId": "", "role": role, "timestamp": EPOCH, "parts": parts}
    try:
        message = Message.from_wire(wire)
    except ValueError:
        return None
    is_same = parts and "\n\n".join([as_markdown(part) for part in message.parts]) == source
    return parts if is_same else None


def _own_language(meta: Wire, usual: str) -> str:
    """The language that VS Code says a cell is in, if it is not that of the notebook.

    The code of a message file says it itself, so it goes from the metadata.
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
    """The outputs of a run as cells: parts, attributes, what else is said, and the place."""

    def __init__(self, drafts: Drafts, count: object) -> None:
        self._count = count
        self.cells: list[tuple[list[Wire], Wire, Wire, Path]] = []
        self.has_error = False
        self._drafts = drafts
        self._is_text = False
        """Whether the last cell takes what the program prints."""

    def take(self, outputs: list[object], path: Path) -> None:
        for number, output in _in_one(outputs):
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
        parts = [text_part(text)] if text else []
        self.cells.append((parts, attributes, extra, place))

    def _stream(self, output: Wire, place: Path) -> None:
        """More of what the program prints; streams in a row are one text."""
        text = _joined(output.get("text"))
        name = text_of(output.get("name"))
        if text and name not in _STREAMS:
            what = Phrase("the stream `{name}` is written as output", name=name)
            self._drafts.lose(what, place)
        lines, is_ended = printed(text)
        if "\n".join([*lines, ""] if is_ended else lines) != text:
            what = Phrase("not kept: colours, and text that was overwritten")
            self._drafts.lose(what, place)
        new = "\n".join(marked(lines, name))
        if not new:
            if not text:
                self._drafts.lose(Phrase("an output that shows nothing was left out"), place)
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
        self._add("\n".join(marked(lines, "stderr")), {"output": ERROR}, extra, place)

    def _data(self, output: Wire, kind: str, place: Path) -> None:
        bundle = dict_of(output.get("data"))
        ways = {mime: self._content(mime, bundle[mime], place) for mime in in_order(bundle)}
        # What shows nothing, such as a display before its first update, has its place.
        ways = ways or {DEFAULT_MIME_TYPE: Content("")}
        metadata = dict_of(output.get("metadata"))
        alt = alt_of({mime: content.text for mime, content in ways.items()})
        if alt is not None:
            del ways[DEFAULT_MIME_TYPE]
        for number, (mime, (content, about)) in enumerate(ways.items()):
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
                self._add("\n".join(marked_text(content)), attributes, extra, place)
            else:
                self._add(content, attributes, extra, place)

    def _content(self, mime: str, value: Any, place: Path) -> Content:
        text = joined_text(value)
        if text is not None and not mime.endswith("json") and plain(text) != text:
            self._drafts.lose(Phrase("the colours of a text are not kept"), place)
        if text is not None and mime == DEFAULT_MIME_TYPE and "\r" in text:
            self._drafts.lose(Phrase("the carriage returns of a text are not kept"), place)
        return content_of(mime, value)


def _in_one(outputs: Sequence[object]) -> Iterator[tuple[int, Wire]]:
    """Outputs with their numbers; what continues the same stream is one, as in Jupyter."""
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
    """What is said of an attachment of which not all is kept."""
    if not kinds:
        return Phrase("the attachment `{name}` was left out", name=name)
    what = Phrase("of the attachment `{name}`, only {kind} is kept", name=name, kind=kinds[0])
    return what


def _fenced(source: str, language: str) -> str:
    longest = max((len(run) for run in _BACKTICKS.findall(source)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{source}{chr(10) if source else ''}{fence}"
