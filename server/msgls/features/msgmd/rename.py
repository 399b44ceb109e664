"""Rename in a message file: an id with its children and definitions, an agent, a tool.

Owns what may be renamed to what, and the reasons why not. Of a dotted id the segment under
the cursor is renamed: the first one takes the whole family along, a nonce the results of
its call, a number nothing else. A refusal is raised with a reason that a person can read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from msgls.document.document import Document
from msgls.features.elsewhere import Elsewhere
from msgls.features.msgmd.naming import (
    agent_names,
    agents_with_model,
    calls,
    registrations,
    shared,
)
from msgls.features.msgmd.occurrences import (
    Name,
    NameKind,
    Occurrence,
    OccurrenceKind,
    agent_occurrences,
    descendants,
    name_at,
    occurrences,
)
from msgls.features.msgmd.places import PlaceKind
from msgls.features.rename import Renamable, RenameRefused
from msgls.formats.base import Placed
from msgls.formats.msgmd.attributes import as_written
from msgls.formats.msgmd.edits import rename_id
from msgls.formats.msgmd.mapped import mapped_call
from msgls.formats.msgmd.meaning import TOOL, CellRole, frontmatter_of, meaning_of
from msgls.formats.msgmd.yamledits import yaml_scalar
from msgls.rules.base import ALONE, Surroundings
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

_SEGMENT = re.compile(r"[^\s.\[\]^]+")
_NONCE = re.compile(r"[A-Za-z0-9_-]+")
_NUMBER = re.compile(r"[1-9][0-9]*")
_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_AGENT_NAME = re.compile(r"[^\[\]\r\n=\"]+")

_NOTHING = Phrase("nothing to rename here: put the cursor on an id, an agent or the name of a tool")


def prepare_rename(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> Renamable:
    """What a rename at ``offset`` would change. Raises ``RenameRefused``."""
    name = _renamable(document, offset, other_agents)
    if name.kind is NameKind.CELL:
        return Renamable(name.span, name.text.rpartition(".")[2])
    return Renamable(name.span, name.text)


def rename(
    document: Document, offset: int, new: str, other_agents: Collection[str] = ()
) -> list[Edit]:
    """The edits that give the name at ``offset`` as ``new``. Raises ``RenameRefused``."""
    name = _renamable(document, offset, other_agents)
    if name.kind is NameKind.CELL:
        return _rename_cell(document, name, new, other_agents)
    if name.kind is NameKind.AGENT:
        return _rename_agent(document, name, new, other_agents)
    return _rename_tool(document, name, new)


def _renamable(document: Document, offset: int, others: Collection[str]) -> Name:
    name = name_at(document, offset, others)
    if name is None or not name.text or name.span.start == name.span.end:
        raise RenameRefused(_NOTHING)
    if name.kind is NameKind.AGENT:
        _check_agent(document, name)
    return name


def renamed_with(
    document: Document, offset: int, surroundings: Surroundings = ALONE
) -> Iterable[Elsewhere]:
    """The files that say the name of an agent, where ``agents.json`` registers it."""
    name = name_at(document, offset, surroundings.other_agents)
    if name is None or name.kind is not NameKind.AGENT:
        return ()
    return shared(document, name.text, surroundings)


def renamed(document: Document, name: str, new: str) -> list[Edit]:
    """The edits that give an agent of ``agents.json`` another name. Raises ``RenameRefused``."""
    places = agent_occurrences(document, name, (name,))
    if not places:
        return []
    if agents_with_model(document, name) and not registrations(document, name):
        raise RenameRefused("`{name}` is a model there, and a model keeps its name", name=name)
    return _edits_of_agent(document, places, new, (name,))


# ---------------------------------------------------------------------------
# Ids


def _rename_cell(document: Document, name: Name, new: str, others: Collection[str]) -> list[Edit]:
    if new == name.text.rpartition(".")[2]:
        return []
    name, segment = _asked(name, new)
    if segment == name.text.rpartition(".")[2]:
        return []
    _check_segment(document, name, segment, others)
    parent = name.text.rpartition(".")[0]
    new_id = f"{parent}.{segment}" if parent else segment
    placed = _cell_of(document, name)
    if placed is not None:
        edits = rename_id(document, placed, new_id)
        is_alone = len(document.entries("header", name.text)) == 1
        moved = [name.text, *(descendants(document, name.text) if is_alone else ())]
    else:
        edits = [
            Edit(occurrence.span, new_id) for occurrence in occurrences(document, name, others)
        ]
        moved = [name.text, *descendants(document, name.text)]
    _check_clashes(document, name.text, new_id, moved)
    _check_result(document, edits, placed, new_id)
    return edits


def _asked(name: Name, new: str) -> tuple[Name, str]:
    """Which segment becomes what.

    Editors that cannot ask first offer the whole id: then the one segment that differs.
    """
    new = new.strip(" \t").removeprefix("[^").removesuffix("]")
    segments, olds = new.split("."), name.place.text.split(".")
    if len(segments) == 1:
        return name, new
    pairs = zip(segments, olds, strict=False)
    different = [number for number, (one, other) in enumerate(pairs) if one != other]
    if len(segments) not in (len(olds), name.segment + 1):
        raise RenameRefused("`{new}` has a dot: an id is renamed one segment at a time", new=new)
    if not different:
        return name, name.text.rpartition(".")[2]
    if len(different) > 1:
        raise RenameRefused("`{new}` differs in several segments: rename one at a time", new=new)
    number = different[0]
    return name._replace(text=name.place.prefix(number), segment=number), segments[number]


def _check_segment(document: Document, name: Name, new: str, others: Collection[str]) -> None:
    if not new:
        raise RenameRefused("an id cannot be empty")
    if not _SEGMENT.fullmatch(new):
        raise RenameRefused("`{new}` is no id: no blanks, dots, brackets or carets", new=new)
    if not name.segment:
        return
    role = _role(document, name, others)
    if name.segment == 1 and role in (CellRole.CALL, CellRole.RESULT):
        if not _NONCE.fullmatch(new):
            raise RenameRefused("`{new}` is no nonce: letters, digits, `_` and `-` only", new=new)
    elif role in (CellRole.RESULT, CellRole.RUN) and not _NUMBER.fullmatch(new):
        raise RenameRefused("`{new}` is no number: 1, 2, 3, …", new=new)


def _role(document: Document, name: Name, others: Collection[str]) -> CellRole | None:
    """The role of the cell whose id is under the cursor, as far as it is in the file."""
    for cell_id in (name.place.text, name.text):
        for entry in document.entries("header", cell_id):
            return meaning_of(document, document.cell(entry.order)).role
    return None


def _cell_of(document: Document, name: Name) -> Placed | None:
    """The cell that has the id. Where two have it, the one that the cursor stands in."""
    entries = document.entries("header", name.text)
    own = name.place.placed
    is_own = name.place.kind is not PlaceKind.REFERENCE and own.cell.id == name.text
    if is_own and name.place.text == name.text:
        return own
    if len(entries) > 1:
        raise RenameRefused(
            "{count} cells have the id `{id}`: rename one of them at its header",
            count=len(entries),
            id=name.text,
        )
    return document.cell(entries[0].order) if entries else None


def _check_clashes(document: Document, old: str, new_id: str, moved: list[str]) -> None:
    own = set(moved)
    for before in moved:
        after = new_id + before.removeprefix(old)
        if after in own:
            continue
        for relation, what in (
            ("header", Phrase("a cell")),
            ("definition", Phrase("a definition")),
            ("footnote", Phrase("a footnote")),
        ):
            if document.entries(relation, after):
                raise RenameRefused(
                    "`{after}` is taken: {what} has that id already", after=after, what=what
                )
        if document.entries("child", after):
            raise RenameRefused(
                "`{after}` is taken: cells below that id are there already", after=after
            )
    segments = new_id.split(".")
    if len(segments) == 2 and document.entries("nonce", old.split(".")[-1]):
        entries = document.entries("nonce", segments[1])
        if any(cell_id not in own for entry in entries for cell_id in entry.payloads):
            raise RenameRefused("another call has the nonce `{nonce}` already", nonce=segments[1])


def _check_result(
    document: Document, edits: list[Edit], placed: Placed | None, new_id: str
) -> None:
    """What was written must be read as the id: a backtick in a header may open code."""
    if placed is not None and not document.apply(edits).entries("header", new_id):
        raise RenameRefused("`{new_id}` would not be read as an id", new_id=new_id)


# ---------------------------------------------------------------------------
# Agents


def _check_agent(document: Document, name: Name) -> None:
    if registrations(document, name.text):
        return
    owners = agents_with_model(document, name.text)
    if owners or name.place.kind is PlaceKind.MODEL:
        named = f"`{owners[0]}`" if owners else Phrase("an agent")
        raise RenameRefused(
            "`{name}` is a model of {named}, and a model keeps its name",
            name=name.text,
            named=named,
        )


def _rename_agent(document: Document, name: Name, new: str, others: Collection[str]) -> list[Edit]:
    if new == name.text:
        return []
    return _edits_of_agent(document, occurrences(document, name, others), new, others)


def check_agent_name(new: str) -> str:
    """What an agent shall be called, without blanks around it. Raises ``RenameRefused``."""
    new = new.strip(" \t")
    if not new or not _AGENT_NAME.fullmatch(new):
        raise RenameRefused('`{new}` is no name for an agent: no brackets, no `=`, no `"`', new=new)
    if new == TOOL:
        raise RenameRefused(
            "`{type}` is the type of tool calls, and no name for an agent", type=TOOL
        )
    return new


def _edits_of_agent(
    document: Document, places: Iterable[Occurrence], new: str, others: Collection[str]
) -> list[Edit]:
    new = check_agent_name(new)
    if new in agent_names(document, others) or agents_with_model(document, new):
        raise RenameRefused("`{new}` is taken: an agent or a model has that name already", new=new)
    in_yaml = _yaml_end(document)
    edits = []
    for span, kind in places:
        if kind is not OccurrenceKind.MODEL:
            text = yaml_scalar(new) if span.end <= in_yaml else _in_quotes(document, span, new)
            edits.append(Edit(span, text))
    return edits


def _yaml_end(document: Document) -> int:
    first = document.first_cell()
    if frontmatter_of(document) is None or first is None or first.cell.frontmatter is None:
        return -1
    return first.cell.frontmatter.end


def _in_quotes(document: Document, span: Span, new: str) -> str:
    """A name as it is written in a value: what stands around it says how."""
    before = document.store.slice(Span(max(span.start - 1, 0), span.start))
    if before == "[":
        return new
    if before in ('"', "'"):
        return new.replace("\\", "\\\\").replace(before, "\\" + before)
    return f'"{new}"' if re.search(r"[ \t']", new) else new


# ---------------------------------------------------------------------------
# Tools


def _rename_tool(document: Document, name: Name, new: str) -> list[Edit]:
    if new == name.text:
        return []
    if not new.strip(" \t") or "\n" in new or "\r" in new:
        raise RenameRefused("the name of a tool cannot be empty or have several lines")
    if calls(document, new):
        raise RenameRefused("`{new}` is taken: another tool has that name already", new=new)
    edits: dict[Span, Edit] = {}
    for held, attribute in calls(document, name.text):
        span = attribute.value_span.shift(held.holder.start_offset)
        edits[span] = Edit(span, as_written(attribute, new))
        if _XML_NAME.fullmatch(new):
            for tag in _root_tags(document, held.definition.id.text, name.text):
                edits[tag] = Edit(tag, new)
    return list(edits.values())


def _root_tags(document: Document, call_id: str, tool: str) -> Iterator[Span]:
    """Where the XML of a call names its tool: its first tag and its last, if they do."""
    pattern = re.compile(rf"<({re.escape(tool)})(?=[ \t\r\n/>])")
    closing = re.compile(rf"</({re.escape(tool)})[ \t\r\n]*>\Z")
    for entry in document.entries("header", call_id):
        placed = document.cell(entry.order)
        body = mapped_call(document, placed)
        for match in (pattern.match(body.text), closing.search(body.text)):
            if match is not None:
                yield body.in_cell(Span(*match.span(1))).shift(placed.start_offset)
