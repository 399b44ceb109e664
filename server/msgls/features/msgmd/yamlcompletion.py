"""Completion in YAML: the frontmatter, and the block of a temporary agent.

Owns the reading of half-written YAML by its indentation, which is all that can be relied on while
the user types. Knows lines, not documents.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from msgls.features.msgmd.describe import FRONTMATTER_KEYS
from msgls.features.snippets import literal
from msgls.formats.agents import AGENT_ATTRIBUTES
from msgls.formats.msgmd.yamledits import yaml_scalar
from msgls.text.lines import line_starts, without_break

_KEY = re.compile(r"([ ]*)((?:-[ ]+)?)([A-Za-z_][A-Za-z0-9_]*)?\Z")
_VALUE = re.compile(r"([ ]*)((?:-[ ]+)?)([A-Za-z_][A-Za-z0-9_]*):[ ]+([^#\r\n]*)\Z")
_LINE = re.compile(r"([ ]*)((?:-[ ]+)?)(?:([^\s:#'\"\[{-][^:#]*|\"[^\"]*\"|'[^']*'):(?:[ ]|\Z))?")
_REST_OF_KEY = re.compile(r"[A-Za-z0-9_]*")

_TOP_TEXTS = {"agents": "agents:\n  ${1:name}:\n    models: [${2:model}]$0"}
_ATTRIBUTE_TEXTS = {"models": "models: [$1]$0"}
_SWITCHES = ("reasoning", "use_temperature")


class YamlItem(NamedTuple):
    """A key or a value."""

    label: str
    text: str
    """A snippet."""
    typed: str
    """The part of it before the cursor."""
    rest: str
    """The part after the cursor that is replaced too."""
    is_key: bool
    topic: tuple[str, str] | None


class _Row(NamedTuple):
    """A line: where its key starts, whether a dash is before it, and the key."""

    column: int
    is_listed: bool
    key: str | None
    is_blank: bool


def yaml_items(
    before: str,
    after: str,
    above: str,
    below: str,
    agents: Collection[str] = (),
    agent_block: bool = False,
    sectioned: bool = False,
) -> Iterator[YamlItem]:
    """The suggestions on a line, between ``before`` and ``after``.

    ``above`` and ``below`` are the lines around it. ``agent_block``: in the block of a temporary
    agent. ``sectioned``: in a plain Markdown file, where a section can be named.
    """
    rows = _rows(above)
    value = _VALUE.match(before)
    if value is not None:
        blanks, dash, key, typed = value.groups()
        path, _ = _path(rows, len(blanks + dash), bool(dash))
        if not after.strip(" \t"):
            yield from _values(key, typed, path, agents, agent_block)
        return
    match = _KEY.match(before)
    if match is None:
        return
    blanks, dash, typed = match.group(1), match.group(2), match.group(3) or ""
    column = len(blanks + dash)
    path, is_listed = _path(rows, column, bool(dash))
    names = _names(path, is_listed, agent_block, sectioned)
    rest = _REST_OF_KEY.match(after)
    word = "" if rest is None else rest.group()
    present = _siblings(rows, column, bool(dash)) | _siblings_below(_rows(below)[1:], column)
    for name in names:
        if name in present and name != typed + word:
            continue
        topic = ("frontmatter" if not path and not agent_block else "agent-attribute", name)
        texts = _TOP_TEXTS if topic[0] == "frontmatter" else _ATTRIBUTE_TEXTS
        is_whole = not after[len(word) :].strip(" \t")
        text = texts.get(name, f"{name}: $0") if is_whole else name
        if is_whole and column:
            text = text.replace("\n", "\n" + " " * column)
        yield YamlItem(name, text, typed, after if is_whole else word, True, topic)


def _names(path: list[str], is_listed: bool, agent_block: bool, sectioned: bool) -> tuple[str, ...]:
    if agent_block:
        own = tuple(name for name in AGENT_ATTRIBUTES if name != "system_prompt")
        return own if not path else ()
    if not path and not is_listed:
        return tuple(key for key in FRONTMATTER_KEYS if sectioned or key != "message_section")
    if path == ["agents"] and is_listed:
        return ("name", *AGENT_ATTRIBUTES)
    return AGENT_ATTRIBUTES if len(path) == 2 and path[0] == "agents" else ()


def _values(
    key: str, typed: str, path: list[str], agents: Collection[str], agent_block: bool
) -> Iterator[YamlItem]:
    values: list[str] = []
    if not path and not agent_block:
        if key == "default_agent":
            values = [yaml_scalar(name) for name in agents]
        elif key == "message_section":
            values = ["true", "Discussion"]
    elif key in _SWITCHES:
        values = ["true", "false"]
    for value in values:
        yield YamlItem(value, literal(value), typed, "", False, None)


def _rows(text: str) -> list[_Row]:
    starts = [*line_starts(text), len(text)]
    rows = []
    for number in range(len(starts) - 1):
        line = without_break(text[starts[number] : starts[number + 1]])
        match = _LINE.match(line)
        blanks, dash, key = match.groups() if match is not None else ("", "", None)
        is_blank = not line.strip(" \t") or line.lstrip(" ").startswith("#")
        said = None if key is None else key.strip("\"'")
        rows.append(_Row(len(blanks + dash), bool(dash), said, is_blank))
    return rows


def _path(rows: list[_Row], column: int, is_listed: bool) -> tuple[list[str], bool]:
    """The keys above a line, the outermost first, and whether it is in an item of a list."""
    path: list[str] = []
    # A dash may be in the column of its parent's key.
    low = column - 2 if is_listed else column
    at_same_level = True
    for row in reversed(rows):
        if row.is_blank:
            continue
        is_parent = row.column < column and row.key is not None and not row.is_listed
        if at_same_level and row.column == column and row.is_listed:
            is_listed, low = True, column - 2
        elif is_parent and (row.column < low or (is_listed and row.column <= low)):
            path.insert(0, row.key or "")
            column = low = row.column
            at_same_level = False
        if not column:
            break
    return path, is_listed


def _siblings(rows: list[_Row], column: int, starts_item: bool) -> set[str]:
    """The keys above a line in the same mapping."""
    found: set[str] = set()
    for row in reversed(rows) if not starts_item else ():
        if row.is_blank:
            continue
        if row.column < column:
            break
        if row.column == column and row.key is not None:
            found.add(row.key)
            if row.is_listed:
                break
    return found


def _siblings_below(rows: list[_Row], column: int) -> set[str]:
    found: set[str] = set()
    for row in rows:
        if row.is_blank:
            continue
        if row.column < column or (row.column == column and row.is_listed):
            break
        if row.column == column and row.key is not None:
            found.add(row.key)
    return found
