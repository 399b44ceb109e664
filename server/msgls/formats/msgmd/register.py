"""Registering an agent, in the frontmatter or in a cell, by an edit of spans.

Owns the text of a temporary agent's cell, and who is registered along with the first agent.
``yamledits`` knows where an agent goes in the frontmatter. What comes out is read again before
it is offered, so that a frontmatter which is not understood is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgls.formats.base import View
from msgls.formats.msgmd.definitions import quote_value
from msgls.formats.msgmd.meaning import DEFAULT_AGENT, next_free_id
from msgls.formats.msgmd.yamledits import insert_agent, new_frontmatter, yaml_scalar
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span, apply_edits

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import Frontmatter

_PLAIN_NAME = lazy_pattern(r"[^\W\d_][\w.-]*")


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
    new = [_New(name, models)]
    if name != DEFAULT_AGENT and _answers_by_default(view):
        new.insert(0, _New(DEFAULT_AGENT))
    first = view.first_cell()
    newline = view.newline
    if first is None or first.cell.frontmatter is None:
        members = [line for one in new for line in one.member(2)]
        return new_frontmatter("" if first is None else first.cell.text, newline, members)
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    start = first.start_offset + first.cell.frontmatter.start
    before = text = first.cell.frontmatter.of(first.cell.text)
    edit = None
    for one in new:
        frontmatter = parse_frontmatter(text, first.cell.frontmatter_closed)
        if not (frontmatter.closed and frontmatter.complete):
            return None
        edit = insert_agent(text, newline, frontmatter, one)
        if edit is None or not _registers(text, frontmatter, edit, one.name):
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


class _New(NamedTuple):
    """An agent to be registered, on one line; a ``NewAgent``."""

    name: str
    models: Sequence[str] = ()

    def _in_list(self) -> str:
        models = f", models: {_list(self.models)}" if self.models else ""
        return f"name: {yaml_scalar(self.name)}{models}"

    def flow_member(self) -> str:
        return f"{yaml_scalar(self.name)}: " + (
            f"{{models: {_list(self.models)}}}" if self.models else "{}"
        )

    def flow_item(self) -> str:
        return f"{{{self._in_list()}}}"

    def member(self, indent: int) -> list[str]:
        return [" " * indent + self.flow_member()]

    def item(self, indent: int) -> list[str]:
        written = self.flow_item() if self.models else self._in_list()
        return [f"{' ' * indent}- {written}"]


def _list(names: Sequence[str]) -> str:
    return f"[{', '.join(map(yaml_scalar, names))}]"
