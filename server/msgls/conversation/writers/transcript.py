"""Writes a transcript as a message file: its head, then cell by cell.

Owns the mapping of a draft to cells, and the update of a file that was imported before: changes
that a person made in it are kept. Cells are written one at a time, so that memory depends on
the longest record and not on the transcript.
"""

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from typing import IO, Any, NamedTuple

from msgls.conversation.conversation import EPOCH
from msgls.conversation.messages import Message
from msgls.conversation.parts import Wire, dict_of, text_of, text_part
from msgls.conversation.readers.transcripts import (
    About,
    Draft,
    Ids,
    short_title,
)
from msgls.conversation.writers.msgmd_cells import Writer, with_agents
from msgls.formats.msgmd.content import BLANK
from msgls.formats.msgmd.lexer import START, lex, split
from msgls.formats.msgmd.toolcalls import render_tool_xml
from msgls.text.patterns import HALVES

_RUN = "imported"
_MENTIONED = re.compile(r"\[\^([^\[\]\s]+)\]")
_DEEPEST = 5
_BLOCK = 1 << 18
_SUB_AGENT = "###"
_NOT_IN_TAGS = re.compile(r"[^A-Za-z0-9_-]+")
_NO_MARGIN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
# These rules report mistakes of authors; agents quote such text on purpose.
_QUOTED = ("MSG102", "MSG105", "MSG106", "MSG109", "MSG112", "MSG605")
_HEAD = re.compile(
    r"---\n(?:title: .*\n)?imported:\n(?:  (?:from|session|project): .*\n)+"
    r"(?:agents:\n(?:  \S.*\n(?:    models: .*\n)?)*default_agent: .*\n)?---\n\n"
    r"<!-- msgls: ignore [A-Z0-9 ]+ -->\n*"
)
_HISTORY = re.compile(r"^(\[\^[^\[\]\n]*\]: \[[^\]\n]*\].*?) history=none", re.MULTILINE)


def head_of(kind: str, about: About) -> str:
    """The text before the cells: the source of the transcript, and the agents."""
    lines = ["---"]
    lines += [f"title: {_quoted(about.title)}"] if about.title else []
    lines += ["imported:", f"  from: {kind}"]
    lines += [f"  session: {_quoted(about.session)}"] if about.session else []
    lines += [f"  project: {_quoted(about.project)}"] if about.project else []
    if about.models:
        lines.append("agents:")
        for agent, models in about.models.items():
            if models:
                named = ", ".join(map(_quoted, models))
                lines += [f"  {_plain(agent)}:", f"    models: [{named}]"]
            else:
                lines.append(f"  {_plain(agent)}: {{}}")
        lines.append(f"default_agent: {_plain(next(iter(about.models)))}")
    lines += ["---", "", f"<!-- msgls: ignore {' '.join(_QUOTED)} -->", ""]
    return _encodable("\n".join(lines))


def _quoted(text: str) -> str:
    return json.dumps(_NO_MARGIN.sub(" ", text), ensure_ascii=False)


def _plain(name: str) -> str:
    return name if _SIMPLE.fullmatch(name) else _quoted(name)


def _encodable(text: str) -> str:
    return HALVES.sub("\ufffd", text)


class CellWriter:
    """Writes drafts as cells, one after the other."""

    def __init__(self, nonces: Ids) -> None:
        self._nonces = nonces
        self._taken: set[str] = set()
        self._calls: dict[str, str] = {}
        """The id of each call's cell, by its id in the transcript."""
        self._results: dict[str, int] = {}
        """The number of results of each call, by the id of its cell."""
        self._models: dict[str, str] = {}

    def cells(self, draft: Draft) -> str:
        """The text of a draft's cells, a blank line before each."""
        if draft.role == "tool":
            wire = self._result(draft)
        elif draft.answer:
            wire = self._call(draft)
        else:
            wire = self._message(draft)
        message = Message.from_wire({"runId": _RUN, "timestamp": EPOCH, **wire})
        # Only ids that occur in the draft: the writer goes through all that it gets.
        mentioned = self._taken.intersection(_MENTIONED.findall(repr(draft.parts)))
        writer = Writer([message], frozenset({_RUN}), mentioned)
        writer.add(0)
        pieces = writer.take_pieces(ends_file=False)
        return _encodable("".join([f"\n{_ended(piece.text)}" for piece in pieces]))

    def _message(self, draft: Draft) -> Wire:
        self._taken.add(draft.id)
        attributes = self._attributes(draft)
        meta: Wire = {"id": draft.id, "depth": _depth(draft, 0), "attributes": attributes}
        if draft.role == "assistant":
            meta["agent"] = draft.agent
            if draft.model and self._models.get(draft.agent) != draft.model:
                self._models[draft.agent] = attributes["model"] = draft.model
        else:
            meta["type"] = "markdown"
        if draft.title:
            meta["title"] = draft.title.replace("[^", "[ ^")
        return {"role": draft.role, "parts": list(draft.parts), "meta": meta}

    def _attributes(self, draft: Draft) -> dict[str, str]:
        time = {"time": draft.time} if draft.time else {}
        return time | _visibility(draft)

    def _call(self, draft: Draft) -> Wire:
        (part,) = draft.parts
        payload = part["payload"]
        given = payload["toolCallId"]
        call_id = f"{draft.answer}.{self._nonces.nonce(given)}"
        self._calls[given] = call_id
        self._taken.add(call_id)
        arguments = payload.get("arguments")
        if arguments is None:
            arguments = {"raw": payload.get("rawArgsText", "")}
        name = _tool_name(text_of(payload["toolName"]), dict_of(arguments))
        attributes = {"name": name, **self._attributes(draft)}
        about: Wire = {"id": call_id, "depth": _depth(draft, 1), "attributes": attributes}
        if name != payload["toolName"]:
            about["title"] = short_title(text_of(payload["toolName"])).replace("[^", "[ ^")
        call = {"toolCallId": call_id, "toolName": name, "arguments": arguments}
        wire: Wire = {"role": "assistant", "parts": [{"kind": "tool_call", "payload": call}]}
        return wire | {"meta": {"orphan": True, "calls": [about]}}

    def _result(self, draft: Draft) -> Wire:
        (part,) = draft.parts
        payload = dict_of(part["payload"])
        call_id = self._calls.get(text_of(payload.get("toolCallId")))
        content = payload.get("content")
        if call_id is None:
            return self._stray(draft, content)
        count = len(content) if isinstance(content, list) else 1
        first = self._results.get(call_id, 0) + 1
        self._results[call_id] = first + max(1, count) - 1
        status = "failure" if payload.get("isError") else "success"
        depth = _depth(draft, 1)
        attributes = {"status": status, **_visibility(draft)}
        abouts: list[Wire] = [
            {"n": first + number, "depth": depth, "attributes": dict(attributes)}
            for number in range(max(1, count))
        ]
        self._taken.update([f"{call_id}.{about['n']}" for about in abouts])
        if draft.time:
            abouts[0]["attributes"]["time"] = draft.time
        result = {**payload, "toolCallId": call_id}
        return {
            "role": "tool",
            "parts": [{"kind": "tool_result", "payload": result}],
            "meta": {"results": abouts},
        }

    def _stray(self, draft: Draft, content: object) -> Wire:
        """A result whose call is not in the transcript, as a user message."""
        parts: list[Wire] = content if isinstance(content, list) else [text_part(text_of(content))]
        if all(_is_blank(part) for part in parts):
            parts = [text_part("(nothing)")]
        title = "Result of a call that is not in the transcript"
        stray = draft._replace(role="user", id=self._nonces.next(), title=title, parts=tuple(parts))
        return self._message(stray)


def _visibility(draft: Draft) -> dict[str, str]:
    """The attributes of a cell for the visibility of a draft."""
    attributes = {"history": "none"} if draft.is_hidden else {}
    attributes |= {"virtual": "1"} if draft.is_virtual else {}
    return attributes | ({"reset": "1"} if draft.is_reset else {})


def _is_blank(part: Wire) -> bool:
    text = text_of(dict_of(part["payload"]).get("text"))
    return part["kind"] == "text" and not text.strip(BLANK)


def _depth(draft: Draft, below: int) -> int:
    return min(1 + 2 * draft.depth + below, _DEEPEST)


def _tool_name(given: str, arguments: Wire) -> str:
    """The name of a tool, with characters replaced that an XML element cannot have."""
    name = " ".join(given.split()) or "tool"
    if render_tool_xml(name, arguments) is not None:
        return name
    return _NOT_IN_TAGS.sub("_", name).strip("_-0123456789") or "tool"


# -- updating a file -----------------------------------------------------------


class _Place(NamedTuple):
    """The location of a cell in a file, in bytes."""

    id: str
    start: int
    end: int


class CellFile:
    """A message file, whose cells are read on demand."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.head = ""
        """The text before the cells."""
        self.cells: list[_Place] = []
        at, state = 0, START
        head: list[str] = []
        for piece in _pieces(file):
            lexed = lex(piece)
            end = at + len(piece.encode("utf-8"))
            if lexed.has_header(state):
                opening, closing = lexed.id_brackets or (0, 3)
                self.cells.append(_Place(piece[opening + 2 : closing - 1], at, end))
            elif self.cells:
                self.cells[-1] = self.cells[-1]._replace(end=end)
            else:
                head.append(piece)
            at, state = end, lexed.exit(state)
        self.head = "".join(head)

    def text(self, place: _Place) -> str:
        """The text of a cell."""
        self._file.seek(place.start)
        return self._file.read(place.end - place.start).decode("utf-8")


def _pieces(file: IO[bytes]) -> Iterator[str]:
    """The pieces of a file, read in blocks: a piece is complete when the next one begins."""
    decoder = getincrementaldecoder("utf-8")()
    file.seek(0)
    rest = ""
    while data := file.read(max(_BLOCK, len(rest))):
        *whole, rest = split(rest + decoder.decode(data)) or [""]
        yield from whole
    yield from split(rest + decoder.decode(b"", final=True))


def updated(old: CellFile, head: str, new: CellFile, agents: Iterable[str]) -> Iterator[str]:
    """``old`` with the additional cells of ``new``, in pieces; changes by a person are kept.

    ``head`` is that of ``new``, and ``agents`` are the agents in it. A transcript grows only
    at its end, and at the end of a running sub-agent: a cell that is missing elsewhere was
    deleted by a person.
    """
    old_ids = {cell.id for cell in old.cells}
    fresh = {cell.id: cell for cell in new.cells if cell.id in old_ids}
    known = [number for number, cell in enumerate(new.cells) if cell.id in old_ids]
    end = known[-1] if known else -1
    after: dict[str, list[_Place]] = {}
    last = ""
    for number, cell in enumerate(new.cells):
        if cell.id in old_ids:
            last = cell.id
        elif number > end or new.text(cell).startswith(_SUB_AGENT):
            after.setdefault(last, []).append(cell)
    yield _ended(head if _HEAD.fullmatch(old.head) else _registered(old.head, agents))
    for added in after.pop("", ()):
        yield "\n" + _ended(new.text(added))
    for cell in old.cells:
        text = old.text(cell)
        if cell.id in fresh:
            text = _newer(text, new.text(fresh[cell.id]))
        yield "\n" + _ended(text)
        for added in after.pop(cell.id, ()) if cell.id else ():
            yield "\n" + _ended(new.text(added))


def _registered(head: str, agents: Iterable[str]) -> str:
    """A head that was edited by hand, with new agents registered."""
    frontmatter, closing, rest = head.partition("\n---")
    if not head.startswith("---") or not closing:
        return head
    return with_agents(frontmatter + closing, agents) + rest


def _newer(old: str, new: str) -> str:
    """The new cell; or the old one, if a person changed it."""
    is_same = _HISTORY.sub(r"\1", new, count=1).rstrip() == old.rstrip()
    return new if is_same else old


def _ended(text: str) -> str:
    return text.rstrip("\n") + "\n"


def imported_from(text: str) -> dict[str, Any]:
    """The source of an imported file, from its frontmatter; empty if it was not imported."""
    found = _IMPORTED.match(text)
    if found is None:
        return {}
    source = {}
    for line in found.group(1).splitlines():
        key, _, value = line.strip().partition(": ")
        try:
            source[key] = json.loads(value)
        except ValueError:
            source[key] = value
    return source


_IMPORTED = re.compile(r"(?:\ufeff)?---\n(?:(?!---\n).*\n)*?imported:\n((?:  \w+: .*\n)+)")
