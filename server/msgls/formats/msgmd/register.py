"""Registering an agent, in the frontmatter or in a cell, by an edit of spans.

Owns the text of a temporary agent's cell, and the places where a name can be written in
the frontmatter: no frontmatter yet, no ``agents:`` in it, a mapping or a list, in block or
in flow style. YAML is never dumped, so comments, order and quoting stay as they are; what
comes out is read again before it is offered, so that a frontmatter which this module does
not understand is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgls.formats.base import View
from msgls.formats.msgmd.definitions import quote_value
from msgls.formats.msgmd.meaning import DEFAULT_AGENT, next_free_id
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span, apply_edits

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import Frontmatter
    from msgls.formats.msgmd.yamltree import YamlNode

_BOM = "\ufeff"
_PLAIN_NAME = lazy_pattern(r"[^\W\d_][\w.-]*")
# Words that YAML reads as something else than text.
_YAML_WORD = lazy_pattern(r"(?i:null|true|false|yes|no|on|off|y|n)")
_INDENT = lazy_pattern(r"[ ]*(?=\Z|[^ ])")


def temporary_agent(view: View, name: str, models: Sequence[str] = ()) -> str:
    """The cell that defines ``name``; without ``models``, its name is its model."""
    newline = view.newline
    cell_id = next_free_id(view, "agent-")
    # Quoted in any case: a name may look like a number.
    quoted = quote_value(name) if quote_value(name) != name else f'"{name}"'
    lines = [f"# %% {_title(name)}[^{cell_id}]", ""]
    lines.append(f'[^{cell_id}]: [markdown] definition="agent" name={quoted}')
    if models:
        lines += ["", "---", f"models: {_list(models)}", "---"]
    return newline.join([*lines, ""])


def _title(name: str) -> str:
    """The name as a title; nothing where it would be read as more than text."""
    return f"{name} " if _PLAIN_NAME.fullmatch(name) else ""


def register_agent(view: View, name: str, models: Sequence[str] = ()) -> Edit | None:
    """The edit that registers ``name``; nothing where the frontmatter does not allow it.

    If it is the first one, who answered without being registered is registered with it.
    """
    new: list[_New] = [(name, models)]
    if name != DEFAULT_AGENT and _answers_by_default(view):
        new.insert(0, (DEFAULT_AGENT, ()))
    first = view.first_cell()
    newline = view.newline
    if first is None or first.cell.frontmatter is None:
        at = 1 if first is not None and first.cell.text.startswith(_BOM) else 0
        members = [f"  {_member(one)}" for one in new]
        lines = ["---", "agents:", *members, "---", "", ""]
        return Edit(Span(at, at), newline.join(lines))
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    start = first.start_offset + first.cell.frontmatter.start
    before = text = first.cell.frontmatter.of(first.cell.text)
    edit = None
    for one in new:
        frontmatter = parse_frontmatter(text, first.cell.frontmatter_closed)
        if not (frontmatter.closed and frontmatter.complete):
            return None
        edit = _edit(text, frontmatter, one, newline)
        if edit is None or not _registers(text, frontmatter, edit, one[0]):
            return None
        text = apply_edits(text, [edit])
    if edit is None or len(new) > 1:
        edit = Edit(Span(0, len(before)), text)
    return Edit(edit.span.shift(start), edit.text)


def register_default(view: View) -> list[Edit]:
    """The edit that registers who answered without being registered, before another agent is."""
    edit = register_agent(view, DEFAULT_AGENT) if _answers_by_default(view) else None
    return [] if edit is None else [edit]


def _answers_by_default(view: View) -> bool:
    """Whether no agent is registered, and the one that need not be has answered."""
    if view.agents_around or view.entries("agents", ""):
        return False
    return any(None not in entry.payloads for entry in view.entries("typed", DEFAULT_AGENT))


def _registers(text: str, before: Frontmatter, edit: Edit, name: str) -> bool:
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    after = parse_frontmatter(apply_edits(text, [edit]), True)
    names = [agent.name for agent in after.agents]
    kept = [agent.name for agent in before.agents]
    clean = len(after.problems) <= len(before.problems)
    clean = clean and len(after.agent_problems) <= len(before.agent_problems)
    return clean and after.closed and names == [*kept, name]


_New = tuple[str, Sequence[str]]
"""The name of an agent and its models."""


def _value(models: Sequence[str]) -> str:
    """The attributes of a new agent, in one line."""
    return f"{{models: {_list(models)}}}" if models else "{}"


def _list(names: Sequence[str]) -> str:
    return f"[{', '.join(map(_yaml_name, names))}]"


def _member(new: _New) -> str:
    return f"{_yaml_name(new[0])}: {_value(new[1])}"


def _item(new: _New) -> str:
    """A new agent in a list of them, without what opens and closes it."""
    name, models = new
    listed = f", models: {_list(models)}" if models else ""
    return f"name: {_yaml_name(name)}{listed}"


def _edit(text: str, frontmatter: Frontmatter, new: _New, newline: str) -> Edit | None:
    entry = next((entry for entry in frontmatter.entries if entry.key == "agents"), None)
    if entry is None:
        at = frontmatter.body.end
        apart = "" if text[:at].endswith(("\n", "\r")) else newline
        line = f"{apart}agents:{newline}  {_member(new)}{newline}"
        return Edit(Span(at, at), line)
    agents = entry.value
    if agents.is_alias or agents.merges:
        return None
    if agents.is_null:
        indent = " " * (_column(text, entry.key_span.start) + 2)
        line = f"{newline}{indent}{_member(new)}"
        if agents.span.end > agents.span.start:
            return Edit(Span(entry.key_span.end + 1, agents.span.end), line)
        at = line_bounds(text, entry.key_span.end)[1]
        return Edit(Span(at, at), line)
    if text[agents.span.start : agents.span.start + 1] in ("{", "["):
        return _in_flow(text, agents, new)
    return _in_block(text, agents, new, newline)


def _in_flow(text: str, agents: YamlNode, new: _New) -> Edit:
    """Before the closing bracket, after the last member."""
    member = _member(new) if agents.kind == "mapping" else f"{{{_item(new)}}}"
    inside = text[agents.span.start + 1 : agents.span.end - 1].rstrip(" \t\r\n")
    at = agents.span.start + 1 + len(inside)
    apart = "" if not inside.strip(" \t\r\n") else " " if inside.endswith(",") else ", "
    return Edit(Span(at, at), apart + member)


def _in_block(text: str, agents: YamlNode, new: _New, newline: str) -> Edit | None:
    """On a line of its own after the last member, indented like the first one."""
    if agents.kind == "mapping":
        if not agents.items:
            return None
        indent = " " * _column(text, agents.items[0][0].span.start)
        key, value = agents.items[-1]
        end, line = max(key.span.end, value.span.end), f"{indent}{_member(new)}"
    else:
        if not agents.elements:
            return None
        start = line_bounds(text, agents.elements[0].span.start)[0]
        indent = text[start : len(text)][: _indentation(text, start)]
        end, line = (
            agents.elements[-1].span.end,
            f"{indent}- {_item(new) if not new[1] else '{' + _item(new) + '}'}",
        )
    at = line_bounds(text, end)[1]
    return Edit(Span(at, at), newline + line)


def _column(text: str, offset: int) -> int:
    return offset - line_bounds(text, offset)[0]


def _indentation(text: str, start: int) -> int:
    match = _INDENT.match(text, start)
    return 0 if match is None else match.end() - start


def _yaml_name(name: str) -> str:
    """``name`` as YAML reads it: plain where it is nothing but a word, else in quotes."""
    is_plain = _PLAIN_NAME.fullmatch(name) and not _YAML_WORD.fullmatch(name)
    return name if is_plain else json.dumps(name, ensure_ascii=False)
