"""Edits of the frontmatter's YAML: spans only, so that comments, order and quotes stay.

Owns how a name or a text is written as YAML, and where an agent or an attribute of one
goes: into a new frontmatter, below ``agents:`` or to the agent itself, in a mapping or a
list, in block or in flow style. Where the YAML is broken, or built of aliases, there is no
edit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from msgls.formats.base import View
from msgls.formats.msgmd.meaning import frontmatter_of
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span, apply_edits

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import Frontmatter, YamlEntry
    from msgls.formats.msgmd.yamltree import YamlNode

_PLAIN = lazy_pattern(r"[^\W\d_](?:[\w ./()+-]*[\w.()+])?")
_RESERVED = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
# JSON leaves these as they are, and YAML takes some for line ends and refuses others.
_UNSAFE_IN_YAML = lazy_pattern(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LITERAL = lazy_pattern(r"[^\s](?:[^\r]*[^\s])?\n?")
_DASH = lazy_pattern(r"([ ]*)-[ ]+\Z")


def yaml_scalar(text: str) -> str:
    """``text`` on one line: plain where that is unambiguous, otherwise in double quotes."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _RESERVED and "\n" not in text:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNSAFE_IN_YAML.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)


def yaml_value(text: str, indent: int, newline: str) -> str:
    """``text`` as the value of a key in a block: several lines as a literal one, if they can."""
    if "\n" not in text or not _LITERAL.fullmatch(text) or _UNSAFE_IN_YAML.search(text):
        return yaml_scalar(text)
    lines = text.removesuffix("\n").split("\n")
    blanks = " " * indent
    body = newline.join([blanks + line if line else "" for line in lines])
    return ("|" if text.endswith("\n") else "|-") + newline + body


def add_agent_attribute(view: View, name: str, key: str, value: str) -> list[Edit] | None:
    """Give the frontmatter's agent ``name`` an attribute; a missing agent is created.

    Nothing if that is not possible for certain. The agent must not have the attribute.
    """
    first = view.first_cell()
    frontmatter = frontmatter_of(view)
    if first is None:
        return None
    text, newline = first.cell.text, view.newline
    new = _NewAttribute(name, key, value, newline)
    if frontmatter is None:
        return [new_frontmatter(text, newline, new.member(2))]
    kinds = {problem.kind for problem in frontmatter.problems}
    if not frontmatter.closed or not frontmatter.complete or kinds - {"duplicate-key"}:
        return None
    entry, block = agents_entry(frontmatter), first.cell.frontmatter
    if entry is not None and any(agent.name == name for agent in frontmatter.agents):
        is_alias = entry.value.is_alias
        edit = None if is_alias else _into_agent(_Place(text, newline), entry.value, name, new)
    else:
        edit = insert_agent(text, newline, frontmatter, new)
    # What comes out is read again: a block that does not read as expected is left alone.
    if edit is None or block is None or not _has_attribute(block.of(text), [edit], name, value):
        return None
    return [edit]


def _has_attribute(text: str, edits: list[Edit], name: str, value: str) -> bool:
    # Late, like all that brings YAML along.
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    after = parse_frontmatter(apply_edits(text, edits))
    before = parse_frontmatter(text)
    told = [a for agent in after.agents if agent.name == name for a in agent.attributes]
    return (
        any(attribute.value.text == value for attribute in told)
        and len(after.problems) <= len(before.problems)
        and {agent.name for agent in after.agents} == {a.name for a in before.agents} | {name}
    )


class NewAgent(Protocol):
    """An agent, or what is new of it, as YAML."""

    def member(self, indent: int) -> list[str]:
        """The lines of it in a mapping, indented so far."""

    def item(self, indent: int) -> list[str]:
        """The lines of it in a list, whose dashes are indented so far."""

    def flow_member(self) -> str:
        """What it is in braces."""

    def flow_item(self) -> str:
        """What it is in brackets."""


def insert_agent(text: str, newline: str, frontmatter: Frontmatter, new: NewAgent) -> Edit | None:
    """Put an agent below ``agents:``; nothing where that key cannot be extended."""
    place = _Place(text, newline)
    root, entry = frontmatter.root, agents_entry(frontmatter)
    if entry is None:
        if (root is not None and place.is_flow(root)) or frontmatter.agents:
            return None
        indent = 0 if root is None else place.column(root.span.start)
        lines = [" " * indent + "agents:", *new.member(indent + 2), ""]
        return Edit(Span(frontmatter.body.end, frontmatter.body.end), newline.join(lines))
    agents = entry.value
    if agents.is_alias:
        return None
    if agents.is_null:
        return place.at_null(agents, new.member(place.column(entry.key_span.start) + 2))
    if place.is_flow(agents):
        is_mapping = agents.kind == "mapping"
        return place.in_flow(agents, new.flow_member() if is_mapping else new.flow_item())
    if agents.kind == "mapping" and agents.items:
        return place.below(agents, new.member(place.column(agents.items[0][0].span.start)))
    start = agents.elements[0].span.start if agents.elements else 0
    dash = _DASH.match(text[line_bounds(text, start)[0] : start])
    return None if dash is None else place.below(agents, new.item(len(dash.group(1))))


def new_frontmatter(text: str, newline: str, members: Iterable[str]) -> Edit:
    """A frontmatter with these lines below ``agents:``, at the start of a text that has none."""
    at = 1 if text.startswith("\ufeff") else 0
    return Edit(Span(at, at), newline.join(["---", "agents:", *members, "---", "", ""]))


def agents_entry(frontmatter: Frontmatter) -> YamlEntry | None:
    """The key ``agents``; of two, the last one counts."""
    return next((entry for entry in reversed(frontmatter.entries) if entry.key == "agents"), None)


class _NewAttribute:
    """An agent that is new with one attribute, or that attribute of one which is there."""

    def __init__(self, name: str, key: str, value: str, newline: str) -> None:
        self.name = yaml_scalar(name)
        self.key = key
        self.value = value
        self.newline = newline

    def pair(self) -> str:
        return f"{self.key}: {yaml_scalar(self.value)}"

    def pair_line(self, indent: int) -> str:
        value = yaml_value(self.value, indent + 2, self.newline)
        return f"{' ' * indent}{self.key}: {value}"

    def member(self, indent: int) -> list[str]:
        return [f"{' ' * indent}{self.name}:", self.pair_line(indent + 2)]

    def item(self, indent: int) -> list[str]:
        return [f"{' ' * indent}- name: {self.name}", self.pair_line(indent + 2)]

    def flow_member(self) -> str:
        return f"{self.name}: {{{self.pair()}}}"

    def flow_item(self) -> str:
        return f"{{name: {self.name}, {self.pair()}}}"


def _into_agent(place: _Place, agents: YamlNode, name: str, new: _NewAttribute) -> Edit | None:
    """The agent is there already: its own mapping gets one more key."""
    keys: list[YamlNode] = []
    if agents.kind == "sequence":
        nodes = [
            element
            for element in agents.elements
            for key, value in element.items
            if key.text == "name" and value.text == name
        ]
    else:
        pairs = [(k, v) for k, v in agents.items if k.text == name]
        keys, nodes = [k for k, _ in pairs], [v for _, v in pairs]
    if len(nodes) != 1 or nodes[0].is_alias:
        return None
    node = nodes[0]
    if node.is_null and keys and not place.is_flow(agents):
        return place.at_null(node, [new.pair_line(place.column(keys[0].span.start) + 2)])
    if node.kind != "mapping":
        return None
    if place.is_flow(node):
        return place.in_flow(node, new.pair())
    if not node.items:
        return None
    return place.below(node, [new.pair_line(place.column(node.items[0][0].span.start))])


class _Place:
    """Where lines and members go in the text of a frontmatter."""

    def __init__(self, text: str, newline: str) -> None:
        self.text = text
        self.newline = newline

    def column(self, offset: int) -> int:
        return offset - line_bounds(self.text, offset)[0]

    def is_flow(self, node: YamlNode) -> bool:
        return node.kind != "scalar" and self.text[node.span.start : node.span.start + 1] in "{["

    def below(self, node: YamlNode, lines: list[str]) -> Edit:
        """After the last line of a block: what is on that line, a comment too, stays."""
        end = line_bounds(self.text, node.span.end)[1]
        return Edit(Span(end, end), self.newline.join(["", *lines]))

    def at_null(self, node: YamlNode, lines: list[str]) -> Edit:
        """In place of a null, which may be written or not; a comment after it stays."""
        start = len(self.text[: node.span.start].rstrip(" \t"))
        end = line_bounds(self.text, node.span.end)[1]
        comment = self.text[node.span.end : end]
        return Edit(Span(start, end), comment + self.newline.join(["", *lines]))

    def in_flow(self, node: YamlNode, member: str) -> Edit | None:
        """Before the closing bracket, after the last member."""
        end = node.span.end - 1
        if self.text[end : end + 1] not in ("}", "]"):
            return None
        before = self.text[node.span.start + 1 : end].rstrip(" \t\r\n")
        at = node.span.start + 1 + len(before)
        separator = "" if not before else " " if before.endswith(",") else ", "
        return Edit(Span(at, at), separator + member)
