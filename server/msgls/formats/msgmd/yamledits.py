"""Edits of the frontmatter's YAML: spans only, so that comments and order stay.

Owns how a name or a text is written as YAML, and where an agent's attribute
goes. Where the YAML is broken, or built of aliases, it says nothing rather than
guess.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgls.formats.base import View
from msgls.formats.msgmd.meaning import frontmatter_of
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span, apply_edits

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import Frontmatter
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
    writer = _Writer(first.cell.text, view.newline, name, key, value)
    if frontmatter is None:
        return writer.new_frontmatter()
    kinds = {problem.kind for problem in frontmatter.problems}
    if not frontmatter.closed or not frontmatter.complete or kinds - {"duplicate-key"}:
        return None
    edits = writer.into(frontmatter)
    # What comes out is read again: a block that does not read as expected is left alone.
    block = first.cell.frontmatter
    if (
        edits is None
        or block is None
        or not _has_attribute(block.of(first.cell.text), edits, name, value)
    ):
        return None
    return edits


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


class _Writer:
    """Writes one attribute of one agent into the text of a frontmatter."""

    def __init__(self, text: str, newline: str, name: str, key: str, value: str) -> None:
        self.text = text
        self.newline = newline
        self.name = yaml_scalar(name)
        self.plain_name = name
        self.key = key
        self.value = value

    def new_frontmatter(self) -> list[Edit]:
        lines = ["---", "agents:", *self._agent_lines(2), "---", "", ""]
        at = 1 if self.text.startswith("\ufeff") else 0
        return [Edit(Span(at, at), self.newline.join(lines))]

    def into(self, frontmatter: Frontmatter) -> list[Edit] | None:
        root = frontmatter.root
        entries = [entry for entry in frontmatter.entries if entry.key == "agents"]
        if not entries:
            if (root is not None and self._is_flow(root)) or frontmatter.agents:
                return None
            indent = 0 if root is None else self._column(root.span.start)
            lines = [" " * indent + "agents:", *self._agent_lines(indent + 2), ""]
            return [Edit(Span(frontmatter.body.end, frontmatter.body.end), self._join(lines))]
        entry = entries[-1]
        agents = entry.value
        own = [agent for agent in frontmatter.agents if agent.name == self.plain_name]
        if agents.is_alias:
            return None
        if own:
            return self._into_agent(agents)
        if agents.is_null:
            lines = self._agent_lines(self._column(entry.key_span.start) + 2)
            return self._below_null(agents, lines)
        if agents.kind == "mapping":
            return self._into_mapping(agents)
        return self._into_list(agents) if agents.kind == "sequence" else None

    def _into_mapping(self, agents: YamlNode) -> list[Edit] | None:
        if self._is_flow(agents):
            return self._into_flow(agents, f"{self.name}: {{{self._pair()}}}")
        if not agents.items:
            return None
        return self._below(agents, self._agent_lines(self._column(agents.items[0][0].span.start)))

    def _into_list(self, agents: YamlNode) -> list[Edit] | None:
        if self._is_flow(agents):
            return self._into_flow(agents, f"{{name: {self.name}, {self._pair()}}}")
        start = agents.elements[0].span.start if agents.elements else 0
        dash = _DASH.match(self.text[line_bounds(self.text, start)[0] : start])
        if dash is None:
            return None
        blanks = dash.group(1)
        return self._below(
            agents, [f"{blanks}- name: {self.name}", self._pair_line(len(blanks) + 2)]
        )

    def _into_agent(self, agents: YamlNode) -> list[Edit] | None:
        """The agent is there already: its own mapping gets one more key."""
        if agents.kind == "sequence":
            nodes = [
                element
                for element in agents.elements
                for key, value in element.items
                if key.text == "name" and value.text == self.plain_name
            ]
            keys: list[YamlNode] = []
        else:
            pairs = [(k, v) for k, v in agents.items if k.text == self.plain_name]
            keys, nodes = [k for k, _ in pairs], [v for _, v in pairs]
        if len(nodes) != 1 or nodes[0].is_alias:
            return None
        node = nodes[0]
        if node.is_null and keys and not self._is_flow(agents):
            return self._below_null(node, [self._pair_line(self._column(keys[0].span.start) + 2)])
        if node.kind != "mapping":
            return None
        if self._is_flow(node):
            return self._into_flow(node, self._pair())
        if not node.items:
            return None
        return self._below(node, [self._pair_line(self._column(node.items[0][0].span.start))])

    # -- lines and places

    def _join(self, lines: list[str]) -> str:
        return self.newline.join(lines)

    def _pair(self) -> str:
        return f"{self.key}: {yaml_scalar(self.value)}"

    def _pair_line(self, indent: int) -> str:
        value = yaml_value(self.value, indent + 2, self.newline)
        return f"{' ' * indent}{self.key}: {value}"

    def _agent_lines(self, indent: int) -> list[str]:
        return [f"{' ' * indent}{self.name}:", self._pair_line(indent + 2)]

    def _column(self, offset: int) -> int:
        return offset - line_bounds(self.text, offset)[0]

    def _is_flow(self, node: YamlNode) -> bool:
        return node.kind != "scalar" and self.text[node.span.start : node.span.start + 1] in "{["

    def _below(self, node: YamlNode, lines: list[str]) -> list[Edit]:
        """After the last line of a block: what is on that line, a comment too, stays."""
        end = line_bounds(self.text, node.span.end)[1]
        return [Edit(Span(end, end), self._join(["", *lines]))]

    def _below_null(self, node: YamlNode, lines: list[str]) -> list[Edit]:
        written = [Edit(node.span, "")] if node.span.end > node.span.start else []
        return [*written, *self._below(node, lines)]

    def _into_flow(self, node: YamlNode, item: str) -> list[Edit] | None:
        """Before the closing bracket."""
        at = node.span.end - 1
        if self.text[at : at + 1] not in ("}", "]"):
            return None
        before = self.text[node.span.start + 1 : at].rstrip(" \t\r\n")
        separator = "" if not before else " " if before.endswith(",") else ", "
        at -= len(self.text[node.span.start + 1 : at]) - len(before)
        return [Edit(Span(at, at), separator + item)]
