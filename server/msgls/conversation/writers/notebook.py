"""Writes Jupyter notebooks, which ``readers/notebook.py`` reads back.

Owns the mapping of each message: code with the outputs of its last run, Markdown, or a raw cell.
Other data of a message is in the metadata of its cell, under ``msgls``.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from msgls.conversation.agents_in_json import agents_to_wire
from msgls.conversation.cell_visibility import first_paragraph
from msgls.conversation.comparison import canonical, matches, merged_losses, with_messages
from msgls.conversation.context import RESULTS
from msgls.conversation.conversation import EPOCH, Conversation, Loss, Written
from msgls.conversation.losses import metadata_names
from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import ImagePart, Message, ToolResultPart
from msgls.conversation.notebook_outputs import (
    ALTERNATIVE,
    BLANKS,
    ENCODING,
    ERROR,
    MIME_TYPE,
    RESULT,
    error_of,
    parse_streams,
    stream_runs,
    value_of,
    with_blanks,
)
from msgls.conversation.parts import Wire, dict_of, list_of, text_of
from msgls.conversation.readers.drafts import Places
from msgls.conversation.readers.notebook import (
    JUPYTER,
    OWN,
    RESULT_COUNT,
    file_of,
    language_of,
    markdown_parts,
    read,
)
from msgls.conversation.requests import NO_OPTIONS, RequestOptions
from msgls.conversation.visibility import SUMMARY, Sight
from msgls.conversation.writers.msgmd import without_stray_results
from msgls.formats.images import ALT
from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE
from msgls.formats.msgmd.content import fences_of
from msgls.formats.msgmd.yamltree import read_mapping
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span

_CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BLOCK = re.compile(rf"^{JUPYTER}:.*\n(?:[ \t].*\n|\n)*", re.MULTILINE)
_PROSE = "reasoning"
# Attributes and metadata that follow from the outputs of a run.
_OF_OUTPUTS = ("mime_type", "output", "alt", "newline", "execution_count")
_OF_RUNS = ("id", "executionOf", "executionCount", "n", "m", "status", "attributes", "metadata",
            "ename", "evalue", BLANKS, ENCODING, MIME_TYPE, RESULT_COUNT)  # fmt: skip


def write(conversation: Conversation, options: RequestOptions = NO_OPTIONS) -> Written:
    """The notebook, of nbformat 4.5."""
    writer = _Writer(conversation.messages)
    for index, message in enumerate(conversation.messages):
        writer.add(index, message)
    cells = writer.finished()
    agents = agents_to_wire(conversation.agents, conversation.default_agent)
    if agents:
        writer.metadata[OWN] = {**writer.metadata.get(OWN, {}), **agents}
    notebook = {
        "cells": cells,
        "metadata": writer.metadata,
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    losses = merged_losses(writer.losses, _changed(conversation.messages, notebook))
    return Written(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", tuple(losses))


def fitted(conversation: Conversation, whole: Sequence[Message]) -> Conversation:
    """What the model sees of ``whole``, without metadata that the model does not see.

    That is the head of the file, except the notebook's own metadata, and prose beside code.
    """
    messages: list[Message] = []
    losses: list[Loss] = []
    shown, all_numbers = _result_numbers(conversation.messages), _result_numbers(whole)
    agents = agents_to_wire(conversation.agents, conversation.default_agent)
    for index, message in enumerate(conversation.messages):
        meta = dict(message.meta or {})
        losses += _not_written(index, [_PROSE] if meta.pop(_PROSE, None) is not None else [])
        if index == 0:
            head = dict_of(meta.pop("file", None))
            metadata = _metadata(head)
            # If there is a frontmatter, it contains the agents.
            losses += _not_written(None, metadata.pop(OWN, {}) or agents)
            file = file_of(metadata, " " if _was_notebook(head) else "")
            meta |= {"file": file} if file else {}
        if any(all_numbers[call] != shown[call] for call in _result_numbers([message])):
            # Some results are hidden: the others are renumbered.
            meta[RESULTS] = [{**about, "n": n} for n, about in enumerate(_abouts_of(message), 1)]
        messages.append(message.model_copy(update={"meta": meta or None}))
    without_stray_results(messages, losses)
    bare = replace(
        conversation, losses=(*conversation.losses, *losses), agents=(), default_agent=None
    )
    return with_messages(bare, messages)


def _not_written(index: int | None, keys: Iterable[str]) -> list[Loss]:
    """The loss of metadata that the model does not see, of a message or of the file."""
    names = dict.fromkeys(name for key in keys for name in metadata_names(key, None))
    what = Phrase("not written, because the model does not see it: {things}", things=joined(names))
    return [Loss(what, None, index)] if names else []


def _abouts_of(message: Message) -> list[Wire]:
    """The ``meta`` of the cells of a result."""
    return [dict_of(about) for about in list_of((message.meta or {}).get(RESULTS))]


def _result_numbers(messages: Iterable[Message]) -> dict[str, set[str]]:
    """The numbers of the results of each call, if they are in ``meta``."""
    numbers: dict[str, set[str]] = {}
    for message in messages:
        found = {str(about["n"]) for about in _abouts_of(message) if "n" in about}
        for part in message.parts if found else ():
            if isinstance(part, ToolResultPart):
                numbers.setdefault(part.payload.tool_call_id, set()).update(found)
    return numbers


def _changed(messages: Sequence[Message], notebook: Wire) -> list[Loss]:
    """Losses for messages that are not read back unchanged."""
    found = read(notebook, Places("")).messages
    keys = [
        [canonical(message.to_wire()["parts"]) for message in some] for some in (messages, found)
    ]
    same = {index for index, _ in matches(*keys)}
    what = Phrase("its content is written in another way")
    return [Loss(what, message_index=n) for n in range(len(messages)) if n not in same]


def keeps_metadata(_message: Message, _key: str) -> bool:
    """Every key of ``meta`` is kept."""
    return True


def keeps_extra(_kind: str, _key: str) -> bool:
    """Every additional key of a part is kept."""
    return True


class _Source(NamedTuple):
    """The code of a message."""

    code: str
    language: str
    rest: str
    """The info string after the language."""


class _Code:
    """A code cell, and its runs by number: each the messages of its outputs."""

    def __init__(self, cell: Wire, language: str) -> None:
        self.cell = cell
        self.language = language
        self.runs: dict[Any, list[tuple[int, Message]]] = {}


class _Writer:
    def __init__(self, messages: Sequence[Message]) -> None:
        self.losses: list[Loss] = []
        self.metadata: Wire = {}
        self._cells: list[Wire] = []
        self._codes: dict[str, _Code] = {}
        given = [_id_of(message) for message in messages]
        self._free = {cell_id for cell_id in given if _CELL_ID.fullmatch(cell_id)}
        self._taken: set[str] = set()
        self._number = 0
        self._language = ""
        self._was_notebook = False
        """Whether the head of the file has a `jupyter` key, even an empty one."""

    def _lose(self, index: int, what: Phrase) -> None:
        self.losses.append(Loss(what, message_index=index))

    def add(self, index: int, message: Message) -> None:
        """Add the cell for a message; an output is added to its code cell."""
        meta = dict(message.meta or {})
        file = meta.pop("file", None)
        if isinstance(file, Mapping) and not self.metadata:
            self._was_notebook = _was_notebook(file)
            self.metadata, invalid = _valid(_metadata(file))
            for key in invalid:
                self._lose(index, Phrase("`{key}` is not kept: it has no `name`", key=key))
            self._language = language_of(self.metadata) if self.metadata.keys() - {OWN} else ""
        code = self._codes.get(str(meta.get("executionOf")))
        if code is not None and message.role == "user":
            code.runs.setdefault(meta.get("n"), []).append((index, message))
            return
        own: Wire = {"role": message.role} if message.role != "user" else {}
        if message.timestamp != EPOCH:
            own["timestamp"] = message.timestamp
        metadata = meta.pop("metadata", {})
        cell_id = self._cell_id(meta)
        cell: Wire = {"cell_type": "markdown", "id": cell_id, "metadata": metadata}
        source = _code_of(message) if meta.get("type") == "code" else None
        if source is not None:
            self._add_code(cell, meta, index, _id_of(message), source)
        else:
            if meta.get("type") == "raw" and message.role == "user":
                cell["cell_type"] = "raw"
            if meta.get("type") == cell["cell_type"]:
                del meta["type"]
            self._add_text(cell, own, message, meta.pop(BLANKS, None))
        own |= {"meta": meta} if meta else {}
        if own:
            cell["metadata"] = {**metadata, OWN: own}
        self._cells.append(cell)

    def _cell_id(self, meta: Wire) -> str:
        """A valid cell id; if that of the message is not valid, it stays in ``meta``."""
        given = text_of(meta.get("id"))
        if given in self._free:
            self._free.remove(given)
            self._taken.add(given)
            del meta["id"]
            return given
        self._number += 1
        while f"c{self._number}" in self._free | self._taken:
            self._number += 1
        return f"c{self._number}"

    # -- text

    def _add_text(self, cell: Wire, own: Wire, message: Message, blanks: object) -> None:
        texts: list[str] = []
        attached: Wire = {}
        for part in message.parts:
            name = part.to_wire()["payload"].get(ALT)
            if isinstance(part, ImagePart) and name and f"attachment:{name}" in "".join(texts):
                attached[name] = {part.payload.mime_type: part.payload.data or ""}
            else:
                texts.append(as_markdown(part))
        source = with_blanks(texts, blanks)
        cell["source"] = _lines(source)
        if attached:
            cell["attachments"] = attached
            return
        may_show = message.role == "user" and cell["cell_type"] == "markdown"
        parts = [part.to_wire() for part in message.parts]
        if parts != markdown_parts(source, may_show=may_show).parts:
            # The Markdown is not read back as the same parts.
            own["parts"] = parts

    # -- code

    def _add_code(self, cell: Wire, meta: Wire, index: int, cell_id: str, source: _Source) -> None:
        code, language, rest = source
        if rest:
            what = Phrase("not kept: `{text}` after the language of the code", text=rest)
            self._lose(index, what)
        self._language = self._language or language
        if language != self._language:
            # This is how VS Code records another language than that of the notebook.
            vscode = {**cell["metadata"].get("vscode", {}), "languageId": language}
            cell["metadata"]["vscode"] = vscode
        del meta["type"]
        meta.pop("language", None)
        cell |= {"cell_type": "code", "source": _lines(code), "outputs": []}
        cell["execution_count"] = meta.pop("executionCount", None)
        self._codes[cell_id] = _Code(cell, language)

    def finished(self) -> list[Wire]:
        """All cells, with the outputs of the last run of each."""
        if self._language and not self._was_notebook:
            self.metadata["language_info"] = {"name": self._language}
        for code in self._codes.values():
            if code.runs:
                *earlier, last = code.runs
                for n in earlier:
                    index, _ = code.runs[n][0]
                    what = Phrase("the run {id} is not kept, only the last one")
                    self._lose(index, Phrase(what, id=f"`{_id_of(code.runs[n][0][1])}`"))
                self._add_run(code, last, code.runs[last])
        return self._cells

    def _add_run(self, code: _Code, n: Any, messages: Sequence[tuple[int, Message]]) -> None:
        first = _attributes(messages[0][1])
        count = _number(first.get("execution_count"), n)
        meta = messages[0][1].meta or {}
        if "executionCount" in meta:
            count = meta["executionCount"]
        code.cell["execution_count"] = count
        outputs: list[Wire] = []
        abouts: list[Wire] = []
        for index, message in messages:
            if not self._add_output(outputs, message, count):
                file = _attributes(message).get("output_file")
                what = Phrase(
                    "the content of the file `{file}` is not in the notebook", file=str(file)
                )
                self._lose(index, what)
            abouts.append(_about(message, code.language))
        code.cell["outputs"] = outputs
        has_error = any(output["output_type"] == "error" for output in outputs)
        for number, (about, (_, message)) in enumerate(zip(abouts, messages, strict=True)):
            is_bad = _attributes(message).get("output") == ERROR or (number == 0 and has_error)
            status = _attributes(message).get("status")
            if status != ("failure" if is_bad else "success"):
                about["attributes"] = {"status": status} | about.get("attributes", {})
        while abouts and not abouts[-1] and outputs:
            abouts.pop()
        # Without this metadata, a run is read back with these numbers and no other attributes.
        if abouts or n != (count or 1):
            run = {"count": count, "n": n, "outputs": abouts}
            own = {**code.cell["metadata"].get(OWN, {}), "run": run}
            code.cell["metadata"] = {**code.cell["metadata"], OWN: own}

    def _add_output(self, outputs: list[Wire], message: Message, count: int | None) -> bool:
        """Add the output of a cell; returns false if part of it is in a file."""
        meta, attributes = message.meta or {}, _attributes(message)
        mime = meta.get(MIME_TYPE) or attributes.get("mime_type", DEFAULT_MIME_TYPE)
        kind = attributes.get("output")
        content = _content(message)
        if kind == ERROR:
            lines = [line for _, line in parse_streams(content)]
            name, value = error_of(lines)
            name, value = str(meta.get("ename", name)), str(meta.get("evalue", value))
            outputs.append({"output_type": "error", "ename": name, "evalue": value,
                            "traceback": lines})  # fmt: skip
        elif kind is None and mime == DEFAULT_MIME_TYPE:
            outputs += _streams(content, is_ended=attributes.get("newline") != "0")
        else:
            if not content and attributes.get("output_file"):
                return False
            shows = content or mime != DEFAULT_MIME_TYPE
            bundle = {mime: _data(mime, value_of(mime, content, meta))} if shows else {}
            if kind == ALTERNATIVE and outputs and "data" in outputs[-1]:
                outputs[-1]["data"] |= bundle
                return True
            if "alt" in attributes:
                bundle[DEFAULT_MIME_TYPE] = _lines(str(attributes["alt"]))
            output: Wire = {"output_type": "display_data", "data": bundle}
            output["metadata"] = meta.get("metadata", {})
            if kind == RESULT:
                own = meta.get(RESULT_COUNT, count)
                output |= {"output_type": "execute_result", "execution_count": own}
            outputs.append(output)
        return not attributes.get("output_file")


# -- messages ----------------------------------------------------------------------


def _id_of(message: Message) -> str:
    return text_of((message.meta or {}).get("id"))


def _attributes(message: Message) -> Mapping[str, Any]:
    given = (message.meta or {}).get("attributes")
    return given if isinstance(given, Mapping) else {}


def _content(message: Message) -> str:
    return "\n\n".join(
        [
            (part.payload.data or "") if isinstance(part, ImagePart) else as_markdown(part)
            for part in message.parts
        ]
    )


def _number(text: object, other: object) -> int | None:
    for value in (text, other):
        if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()):
            return int(value)
    return None


def _about(message: Message, language: str) -> Wire:
    """The ``meta`` of an output's message that a notebook's output cannot hold."""
    meta = dict(message.meta or {})
    attributes = {
        key: value
        for key, value in _attributes(message).items()
        if key not in (*_OF_OUTPUTS, "status")
    }
    about = {key: value for key, value in meta.items() if key not in _OF_RUNS}
    if about.get("type") == language:
        del about["type"]
    if message.visibility.sight is Sight.SUMMARY:
        # The default is the first paragraph, and stream outputs have no paragraphs.
        about[SUMMARY] = message.visibility.summary or first_paragraph(_content(message))
    return about | ({"attributes": attributes} if attributes else {})


def _code_of(message: Message) -> _Source | None:
    """The code of a message, if it consists of a single fenced block."""
    text = "\n\n".join([as_markdown(part) for part in message.parts])
    for fence in fences_of(text)[:1]:
        if fence.span == Span(0, len(text)):
            code = fence.content.of(text).removesuffix("\n")
            language, _, rest = fence.info.of(text).partition(" ")
            return _Source(code, language, rest)
    return None


# -- notebooks ------------------------------------------------------------------------------


def _metadata(file: Mapping[str, Any]) -> Wire:
    """The metadata of a notebook, from the head of a message file."""
    rest = dict(file)
    metadata = _jupyter(file)
    if metadata is not None:
        rest["frontmatter"] = _BLOCK.sub("", str(file["frontmatter"]), count=1)
        if rest["frontmatter"].split() == ["---", "---"]:
            del rest["frontmatter"]
    return {**(metadata or {}), OWN: rest} if rest else {**(metadata or {})}


def _jupyter(file: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The `jupyter` key of the frontmatter; ``None`` if there is none."""
    frontmatter = str(file.get("frontmatter", ""))
    data = read_mapping(frontmatter.strip().removeprefix("---").removesuffix("---"), 0).data
    said = data.get(JUPYTER) if isinstance(data, Mapping) else None
    return said if isinstance(said, Mapping) else None


def _was_notebook(file: Mapping[str, Any]) -> bool:
    return _jupyter(file) is not None


def _valid(metadata: Wire) -> tuple[Wire, list[str]]:
    """The metadata that Jupyter accepts, and the keys of the rest."""
    invalid: list[str] = [
        key
        for key in ("kernelspec", "language_info")
        if key in metadata and not isinstance(dict_of(metadata[key]).get("name"), str)
    ]
    found = {key: value for key, value in metadata.items() if key not in invalid}
    if invalid and text_of(dict_of(metadata.get("kernelspec")).get("language")):
        found.setdefault("language_info", {"name": language_of(metadata)})
    if "kernelspec" in found and not isinstance(found["kernelspec"].get("display_name"), str):
        kernel = found["kernelspec"]
        found["kernelspec"] = {**kernel, "display_name": kernel["name"]}
    return found, invalid


def _lines(text: str) -> list[str]:
    """A text as in notebooks: a list of lines."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _data(mime: str, value: Any) -> Any:
    is_text = isinstance(value, str) and not mime.endswith("json")
    return _lines(value) if is_text and mime.startswith("text/") else value


def _streams(content: str, *, is_ended: bool) -> list[Wire]:
    """Stream outputs for prefixed lines: one for each run of lines from the same stream."""
    found = [(name, [f"{line}\n" for line in lines]) for name, lines in stream_runs(content)]
    if found and not is_ended:
        found[-1][1][-1] = found[-1][1][-1].removesuffix("\n")
    return [{"output_type": "stream", "name": name, "text": lines} for name, lines in found]
