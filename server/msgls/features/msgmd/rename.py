"""Rename in a message file: an id with its children and definitions, an agent, a tool.

Owns what may be renamed to what, and the reasons why not. In an id with dots, the segment under
the cursor is renamed: the first one renames the whole family, a nonce the results of its call, a
number nothing else. A rename is refused with a reason for the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.features.msgmd.names import in_frontmatter, whole
from msgls.features.msgmd.naming import agent_names, agents_with_model, registrations
from msgls.features.msgmd.places import at_offset
from msgls.features.names import PlacedName, bare_name, places, places_of, shared_places
from msgls.features.rename import RenameRefused
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.attributes import as_written
from msgls.formats.msgmd.edits import descendant_ids, rename_id
from msgls.formats.msgmd.mapped import mapped_call
from msgls.formats.msgmd.meaning import TOOL, meaning_of
from msgls.formats.msgmd.yamledits import yaml_scalar
from msgls.syntax.ids import CellId
from msgls.syntax.names import NameKind, Use
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

_SEGMENT = re.compile(r"[^\s.\[\]^]+")
_NONCE = re.compile(r"[A-Za-z0-9_-]+")
_NUMBER = re.compile(r"[1-9][0-9]*")
_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_AGENT_NAME = re.compile(r"[^\[\]\r\n=\"]+")

NOTHING = Phrase("nothing to rename here: put the cursor on an id, an agent or the name of a tool")


def renamable(document: Document, found: PlacedName) -> tuple[Span, str]:
    """The part of a name that would be renamed. Raises ``RenameRefused``."""
    if found.name.kind.family is NameKind.AGENT:
        _check_agent(document, found)
    return found.segment, CellId(found.name.text).last if _is_id(found) else found.name.text


def rename(document: Document, found: PlacedName, new: str) -> list[Edit]:
    """The edits that rename a name in this document. Raises ``RenameRefused``."""
    if _is_id(found):
        return _rename_cell(document, found, new)
    if found.name.kind is NameKind.TOOL:
        return _rename_tool(document, found, new)
    return _edits_of_agent(document, places(document, found), new)


def _is_id(found: PlacedName) -> bool:
    return found.name.kind is NameKind.CELL


def rename_shared(document: Document, name: str, new: str) -> list[Edit]:
    """The edits that rename an agent of ``agents.json``. Raises ``RenameRefused``."""
    said = shared_places(document, name)
    if not said:
        return []
    if agents_with_model(document, name) and not registrations(document, name):
        raise RenameRefused("`{name}` is a model there, and models cannot be renamed", name=name)
    return _edits_of_agent(document, said, new)


# ---------------------------------------------------------------------------
# Ids


def _rename_cell(document: Document, found: PlacedName, new: str) -> list[Edit]:
    name, segment = _requested(found, new)
    if segment == name.last:
        return []
    _check_segment(document, found, name, segment)
    new_id = f"{name.parent}.{segment}" if name.parent else segment
    placed = _cell_of(document, found, name)
    moved = [name, *descendant_ids(document, name)]
    if placed is not None:
        edits = rename_id(document, placed, new_id)
        moved = moved if len(document.entries("header", name)) == 1 else [name]
    else:
        said = places_of(document, bare_name(NameKind.CELL, name))
        edits = [Edit(place.span, new_id) for place in said]
    _check_clashes(document, name, new_id, moved)
    _check_result(document, edits, placed, new_id)
    return edits


def _requested(found: PlacedName, new: str) -> tuple[CellId, str]:
    """The id to rename, and its new last segment.

    An editor without ``prepareRename`` offers the whole id: then the one segment that differs.
    """
    name, own = CellId(found.name.text), CellId(whole(found).text)
    new = new.strip(" \t").removeprefix("[^").removesuffix("]")
    segments, olds = CellId(new).segments, own.segments
    if len(segments) == 1:
        return name, new
    pairs = zip(segments, olds, strict=False)
    different = [number for number, (one, other) in enumerate(pairs) if one != other]
    if len(segments) not in (len(olds), len(name.segments)):
        raise RenameRefused(
            "`{new}` contains a dot: an id is renamed one segment at a time", new=new
        )
    if not different:
        return name, name.last
    if len(different) > 1:
        raise RenameRefused("`{new}` differs in several segments: rename one at a time", new=new)
    number = different[0]
    return CellId(".".join(olds[: number + 1])), segments[number]


def _check_segment(document: Document, found: PlacedName, name: CellId, new: str) -> None:
    if not new:
        raise RenameRefused("an id cannot be empty")
    if not _SEGMENT.fullmatch(new):
        raise RenameRefused(
            "`{new}` is not a valid id: spaces, dots, brackets and carets are not allowed",
            new=new,
        )
    number = name.count(".")
    if not number:
        return
    role = _role(document, (whole(found).text, name))
    if number == 1 and role in (CellRole.CALL, CellRole.RESULT):
        if not _NONCE.fullmatch(new):
            raise RenameRefused(
                "`{new}` is not a valid nonce: use only letters, digits, `_` and `-`", new=new
            )
    elif role in (CellRole.RESULT, CellRole.RUN) and not _NUMBER.fullmatch(new):
        raise RenameRefused("`{new}` is not a valid number: 1, 2, 3, …", new=new)


def _role(document: Document, ids: tuple[str, ...]) -> CellRole | None:
    """The role of the first cell with one of the ids; ``None`` if there is none."""
    for cell_id in ids:
        for entry in document.entries("header", cell_id):
            return meaning_of(document, document.cell(entry.label)).role
    return None


def _cell_of(document: Document, found: PlacedName, name: str) -> Placed | None:
    """The cell with the id; if it is not unique, the one that the cursor is in."""
    entries = document.entries("header", name)
    own = whole(found)
    if own.use is not Use.USES and found.placed.cell.id == own.text == name:
        return found.placed
    if len(entries) > 1:
        raise RenameRefused(
            "{count} cells have the id `{id}`: rename one of them at its header",
            count=len(entries),
            id=name,
        )
    return document.cell(entries[0].label) if entries else None


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
                    "`{after}` is taken: {what} already has that id", after=after, what=what
                )
        if document.entries("child", after):
            raise RenameRefused(
                "`{after}` is taken: there are already cells below that id", after=after
            )
    segments = CellId(new_id).segments
    if len(segments) == 2 and document.entries("nonce", CellId(old).last):
        entries = document.entries("nonce", segments[1])
        if any(cell_id not in own for entry in entries for cell_id in entry.payloads):
            raise RenameRefused("another call has the nonce `{nonce}` already", nonce=segments[1])


def _check_result(
    document: Document, edits: list[Edit], placed: Placed | None, new_id: str
) -> None:
    """Check that the new id is parsed as one: a backtick in a header may open code."""
    if placed is not None and not document.apply(edits).entries("header", new_id):
        raise RenameRefused("`{new_id}` is not a valid id", new_id=new_id)


# ---------------------------------------------------------------------------
# Agents


def _check_agent(document: Document, found: PlacedName) -> None:
    name = found.name
    if registrations(document, name.text):
        return
    owners = agents_with_model(document, name.text)
    if owners or name.kind is NameKind.MODEL:
        named = f"`{owners[0]}`" if owners else Phrase("an agent")
        raise RenameRefused(
            "`{name}` is a model of {named}, and models cannot be renamed",
            name=name.text,
            named=named,
        )


def check_agent_name(new: str) -> str:
    """The new name of an agent, without spaces around it. Raises ``RenameRefused``."""
    new = new.strip(" \t")
    if not new or not _AGENT_NAME.fullmatch(new):
        raise RenameRefused(
            '`{new}` is not a valid agent name: brackets, `=` and `"` are not allowed', new=new
        )
    if new == TOOL:
        raise RenameRefused(
            "`{type}` is the type of tool calls and cannot be the name of an agent", type=TOOL
        )
    return new


def _edits_of_agent(document: Document, said: Iterable[PlacedName], new: str) -> list[Edit]:
    new = check_agent_name(new)
    if new in agent_names(document) or agents_with_model(document, new):
        raise RenameRefused("`{new}` is taken: an agent or a model already has that name", new=new)
    edits = []
    for place in said:
        if place.name.kind is not NameKind.MODEL:
            in_yaml = in_frontmatter(place)
            text = yaml_scalar(new) if in_yaml else _in_quotes(document, place.span, new)
            edits.append(Edit(place.span, text))
    return edits


def _in_quotes(document: Document, span: Span, new: str) -> str:
    """A name, quoted or escaped for the place that it is in."""
    before = document.store.slice(Span(max(span.start - 1, 0), span.start))
    if before == "[":
        return new
    if before in ('"', "'"):
        return new.replace("\\", "\\\\").replace(before, "\\" + before)
    return f'"{new}"' if re.search(r"[ \t']", new) else new


# ---------------------------------------------------------------------------
# Tools


def _rename_tool(document: Document, found: PlacedName, new: str) -> list[Edit]:
    if not new.strip(" \t") or "\n" in new or "\r" in new:
        raise RenameRefused("the name of a tool cannot be empty or have several lines")
    if places_of(document, bare_name(NameKind.TOOL, new)):
        raise RenameRefused("`{new}` is taken: another tool already has that name", new=new)
    edits: dict[Span, Edit] = {}
    for place in places(document, found):
        base = place.placed.start_offset
        definition = at_offset(place.placed.cell.definitions, place.name.span.start)
        attribute = None if definition is None else definition.get("name")
        if definition is None or attribute is None:
            continue
        span = attribute.value_span.shift(base)
        edits[span] = Edit(span, as_written(attribute, new))
        if _XML_NAME.fullmatch(new):
            for tag in _root_tags(document, definition.id.text, found.name.text):
                edits[tag] = Edit(tag, new)
    return list(edits.values())


def _root_tags(document: Document, call_id: str, tool: str) -> Iterator[Span]:
    """The names in the first and the last tag of a call's XML, if they are the tool's."""
    pattern = re.compile(rf"<({re.escape(tool)})(?=[ \t\r\n/>])")
    closing = re.compile(rf"</({re.escape(tool)})[ \t\r\n]*>\Z")
    for entry in document.entries("header", call_id):
        placed = document.cell(entry.label)
        body = mapped_call(document, placed)
        for match in (pattern.match(body.text), closing.search(body.text)):
            if match is not None:
                yield body.in_cell(Span(*match.span(1))).shift(placed.start_offset)
