"""Registering an agent in the frontmatter, by an edit of spans.

Owns the places where a name can be written: no frontmatter yet, no ``agents:`` in it,
a mapping or a list, in block or in flow style. YAML is never dumped, so comments,
order and quoting stay as they are; what comes out is read again before it is
offered, so that a frontmatter which this module does not understand is left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgls.formats.base import View
from msgls.formats.msgmd.edits import line_break_of
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span, apply_edits

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import Frontmatter
    from msgls.formats.msgmd.yamltree import YamlNode

_BOM = "\ufeff"
_PLAIN_NAME = lazy_pattern(r"[^\W\d_][\w.-]*")
_INDENT = lazy_pattern(r"[ ]*(?=\Z|[^ ])")


def register_agent(view: View, name: str) -> Edit | None:
    """The edit that registers ``name``; nothing where the frontmatter does not allow it."""
    first = view.first_cell()
    newline = line_break_of(view)
    if first is None or first.cell.frontmatter is None:
        at = 1 if first is not None and first.cell.text.startswith(_BOM) else 0
        lines = ["---", "agents:", f"  {_yaml_name(name)}: {{}}", "---", "", ""]
        return Edit(Span(at, at), newline.join(lines))
    text = first.cell.frontmatter.of(first.cell.text)
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    before = parse_frontmatter(text, first.cell.frontmatter_closed)
    edit = _edit(text, before, name, newline) if before.closed and before.complete else None
    if edit is None or not _registers(text, before, edit, name):
        return None
    return Edit(edit.span.shift(first.start_offset + first.cell.frontmatter.start), edit.text)


def _registers(text: str, before: Frontmatter, edit: Edit, name: str) -> bool:
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    after = parse_frontmatter(apply_edits(text, [edit]), True)
    names = [agent.name for agent in after.agents]
    kept = [agent.name for agent in before.agents]
    clean = len(after.problems) <= len(before.problems)
    clean = clean and len(after.agent_problems) <= len(before.agent_problems)
    return clean and after.closed and names == [*kept, name]


def _edit(text: str, frontmatter: Frontmatter, name: str, newline: str) -> Edit | None:
    entry = next((entry for entry in frontmatter.entries if entry.key == "agents"), None)
    if entry is None:
        at = frontmatter.body.end
        apart = "" if text[:at].endswith(("\n", "\r")) else newline
        line = f"{apart}agents:{newline}  {_yaml_name(name)}: {{}}{newline}"
        return Edit(Span(at, at), line)
    agents = entry.value
    if agents.is_alias or agents.merges:
        return None
    if agents.is_null:
        indent = " " * (_column(text, entry.key_span.start) + 2)
        line = f"{newline}{indent}{_yaml_name(name)}: {{}}"
        if agents.span.end > agents.span.start:
            return Edit(Span(entry.key_span.end + 1, agents.span.end), line)
        at = line_bounds(text, entry.key_span.end)[1]
        return Edit(Span(at, at), line)
    if text[agents.span.start : agents.span.start + 1] in ("{", "["):
        return _in_flow(text, agents, name)
    return _in_block(text, agents, name, newline)


def _in_flow(text: str, agents: YamlNode, name: str) -> Edit:
    """Before the closing bracket, behind the last member."""
    quoted = _yaml_name(name)
    member = f"{quoted}: {{}}" if agents.kind == "mapping" else f"{{name: {quoted}}}"
    inside = text[agents.span.start + 1 : agents.span.end - 1].rstrip(" \t\r\n")
    at = agents.span.start + 1 + len(inside)
    apart = "" if not inside.strip(" \t\r\n") else " " if inside.endswith(",") else ", "
    return Edit(Span(at, at), apart + member)


def _in_block(text: str, agents: YamlNode, name: str, newline: str) -> Edit | None:
    """On a line of its own behind the last member, indented like the first one."""
    quoted = _yaml_name(name)
    if agents.kind == "mapping":
        if not agents.items:
            return None
        indent = " " * _column(text, agents.items[0][0].span.start)
        key, value = agents.items[-1]
        end, line = max(key.span.end, value.span.end), f"{indent}{quoted}: {{}}"
    else:
        if not agents.elements:
            return None
        start = line_bounds(text, agents.elements[0].span.start)[0]
        indent = text[start : len(text)][: _leading_blanks(text, start)]
        end, line = agents.elements[-1].span.end, f"{indent}- name: {quoted}"
    at = line_bounds(text, end)[1]
    return Edit(Span(at, at), newline + line)


def _column(text: str, offset: int) -> int:
    return offset - line_bounds(text, offset)[0]


def _leading_blanks(text: str, start: int) -> int:
    match = _INDENT.match(text, start)
    return 0 if match is None else match.end() - start


def _yaml_name(name: str) -> str:
    """``name`` as YAML reads it: plain where it is nothing but a word, else in quotes."""
    import json

    return name if _PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)
