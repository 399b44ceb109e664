"""The YAML of a message file: its frontmatter, and the block of a temporary agent.

Owns the reading of that YAML into data, places and problems. The data is
python-frontmatter's; the places come from the very same parse, because what is
handed to python-frontmatter as its loader composes the tree and keeps it. So the
two cannot disagree, and nothing is parsed twice.

Nothing here raises, whatever the text. Aliases, nesting and size are bounded while
the tree is composed, before any data is made. YAML is never written here: an edit
is an edit of spans. Codes, severities and sentences belong to the rules.

PyYAML is imported on first use: most files have no frontmatter, and it is a good part of
the start-up time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgls.formats.agents import AGENT_ATTRIBUTES, AgentSettings, read_agent_settings
from msgls.formats.msgmd.yamltree import FrontmatterProblem, YamlNode, merged_items, read_mapping
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

DEFAULT_SECTION = "Discussion"

AgentProblemKind = Literal[
    "invalid-value",
    "unknown-attribute",
    "duplicate-agent",
    "missing-name",
    "not-a-mapping",
    "system-prompt-not-allowed",
]


# ---------------------------------------------------------------------------
# The results


@dataclass(frozen=True, slots=True)
class YamlEntry:
    """A key of a mapping, as text, with its value."""

    key: str
    key_span: Span
    value: YamlNode

    @property
    def value_span(self) -> Span:
        """Where the value is; empty, right after the colon, where there is none."""
        return self.value.span

    @property
    def span(self) -> Span:
        """From the key to the end of the value."""
        return Span(self.key_span.start, max(self.key_span.end, self.value.span.end))


class LocatedText(NamedTuple):
    """A text and its place."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class AgentProblem:
    """A problem of an agent, or of the list of agents."""

    kind: AgentProblemKind
    span: Span
    key: str = ""
    """The attribute, or the agent's name for ``duplicate-agent``."""
    expected: str = ""
    related: Span | None = None
    """The name of the first of two equal agents."""


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """An agent that the frontmatter registers."""

    name: str
    name_span: Span
    span: Span
    attributes: tuple[YamlEntry, ...]
    values: AgentSettings
    """The valid attributes, merged-in ones included."""
    problems: tuple[AgentProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The contents of a frontmatter; spans are relative to the start of its text."""

    body: Span
    """The YAML, between the two lines of dashes."""
    closed: bool
    complete: bool = True
    """Whether ``root`` holds the whole block, and is not cut where the YAML breaks."""
    data: Mapping[str, object] = field(default_factory=dict)
    """What python-frontmatter reads; empty where the YAML is invalid. Not to be changed."""
    root: YamlNode | None = None
    entries: tuple[YamlEntry, ...] = ()
    problems: tuple[FrontmatterProblem, ...] = ()
    agents: tuple[AgentEntry, ...] = ()
    loose_agent_problems: tuple[AgentProblem, ...] = ()
    """Problems of ``agents`` and ``default_agent`` that do not belong to one agent."""
    default_agent: LocatedText | None = None
    message_section: str | None = None
    message_section_span: Span | None = None
    names_no_section: bool = False
    """Whether ``message_section`` is ``true`` or has no value: the name is the default one."""

    @property
    def default_agent_name(self) -> str | None:
        """The agent that is named as the default, else the first one."""
        if self.default_agent is not None:
            return self.default_agent.text
        return self.agents[0].name if self.agents else None

    @property
    def agent_problems(self) -> tuple[AgentProblem, ...]:
        """Every problem of agents, those of no one agent first."""
        own = tuple(problem for agent in self.agents for problem in agent.problems)
        return self.loose_agent_problems + own


@dataclass(frozen=True, slots=True)
class AgentBlock:
    """The attributes of a temporary agent; spans are relative to the block's text."""

    attributes: tuple[YamlEntry, ...]
    values: AgentSettings
    problems: tuple[FrontmatterProblem, ...] = ()
    agent_problems: tuple[AgentProblem, ...] = ()


# ---------------------------------------------------------------------------
# Reading


# Typing elsewhere in the file asks again for the same block at each key.
@lru_cache(maxsize=32)
def parse_frontmatter(text: str, closed: bool = True) -> Frontmatter:
    """Read a frontmatter block: ``text`` from its opening line to its closing one.

    ``closed`` says whether the last line is the closing one. An unclosed block is
    still read as far as it is YAML, but its one problem is that it is not closed.
    """
    body = _body_span(text, closed)
    reading = read_mapping(body.of(text), body.start)
    top = _effective_items(reading.root)
    agents, agents_problems = _read_agents(top.get("agents"))
    default_agent, default_problems = _default_agent(top.get("default_agent"))
    section = top.get("message_section")
    problems = _without_agent_names(reading.problems, top.get("agents"))
    if not closed:
        problems = [problem for problem in problems if problem.kind == "duplicate-key"]
        problems.insert(0, _not_closed(text))
    return Frontmatter(
        body=body,
        closed=closed,
        complete=reading.complete,
        data=MappingProxyType(_text_keys(reading.data, reading.root)),
        root=reading.root,
        entries=_entries(reading.root),
        problems=tuple(problems),
        agents=agents,
        loose_agent_problems=agents_problems + default_problems,
        default_agent=default_agent,
        message_section=_section_name(section),
        message_section_span=_section_span(section, _entries(reading.root)),
        names_no_section=section is not None and (section.value is True or section.is_null),
    )


@lru_cache(maxsize=32)
def parse_agent_block(text: str) -> AgentBlock:
    """Read a temporary agent's YAML: ``text`` is what is between the ``---`` lines."""
    reading = read_mapping(text, 0)
    attributes = _entries(reading.root)
    refused = [
        AgentProblem("system-prompt-not-allowed", span=a.key_span, key=a.key)
        for a in attributes
        if a.key == "system_prompt"
    ]
    values, invalid = _check_attributes(reading.root, frozenset({"system_prompt"}))
    return AgentBlock(
        attributes=attributes,
        values=values,
        problems=tuple(reading.problems),
        agent_problems=tuple(sorted([*refused, *invalid], key=lambda problem: problem.span)),
    )


# ---------------------------------------------------------------------------
# The block and its keys

_FIRST_LINE = lazy_pattern(r"[^\r\n]*(?:\r\n|\r|\n)?")


def _body_span(text: str, closed: bool) -> Span:
    first_line = _FIRST_LINE.match(text)
    start = first_line.end() if first_line else 0
    if not closed:
        return Span(start, len(text))
    with_dashes = text.rstrip(" \t\r\n")
    before = with_dashes.rstrip("-")
    is_closing_line = len(with_dashes) - len(before) == 3 and before.endswith(("\r", "\n"))
    end = len(before) if is_closing_line else len(text)
    return Span(start, max(start, end))


def _not_closed(text: str) -> FrontmatterProblem:
    line = _FIRST_LINE.match(text)
    end = len(line.group().rstrip(" \t\r\n")) if line else 0
    start = 1 if text.startswith("\ufeff") else 0
    return FrontmatterProblem("not-closed", Span(start, max(start, end)))


def _text_keys(data: object, root: YamlNode | None) -> dict[str, object]:
    """``data`` with the keys as they are written: YAML takes ``on`` for true."""
    if not isinstance(data, dict):
        return {}
    written = {key.value: key.text for key, _ in root.items if key.kind == "scalar"} if root else {}
    return {
        key if isinstance(key, str) else written.get(key, str(key)): value
        for key, value in data.items()
    }


def _entries(mapping: YamlNode | None) -> tuple[YamlEntry, ...]:
    if mapping is None:
        return ()
    return tuple(
        YamlEntry(key.text, key.span, value) for key, value in mapping.items if key.kind == "scalar"
    )


def _effective_items(mapping: YamlNode | None) -> dict[str, YamlNode]:
    """The values that count, by key: own ones before merged ones, later before earlier."""
    if mapping is None:
        return {}
    pairs = [*merged_items(mapping), *mapping.items]
    return {key.text: value for key, value in pairs if key.kind == "scalar"}


def _default_agent(node: YamlNode | None) -> tuple[LocatedText | None, tuple[AgentProblem, ...]]:
    if node is None or node.is_null or node.is_cut:
        return None, ()
    if node.kind != "scalar":
        expected = "the name of an agent"
        return None, (AgentProblem("invalid-value", node.span, "default_agent", expected),)
    return (LocatedText(node.text, node.span) if node.text.strip() else None), ()


def _section_name(node: YamlNode | None) -> str | None:
    if node is None or node.kind != "scalar" or node.value is False:
        return None
    if node.value is True or node.is_null:
        return DEFAULT_SECTION
    return node.text.strip() or None


def _section_span(node: YamlNode | None, entries: Sequence[YamlEntry]) -> Span | None:
    """The name of the section; where there is none, the key."""
    if node is None or node.span.end > node.span.start:
        return None if node is None else node.span
    return next(entry.key_span for entry in entries if entry.key == "message_section")


# ---------------------------------------------------------------------------
# Agents


def _read_agents(
    node: YamlNode | None,
) -> tuple[tuple[AgentEntry, ...], tuple[AgentProblem, ...]]:
    """The agents below ``agents:``, and the problems that do not belong to one agent."""
    if node is None or node.is_null:
        return (), ()
    if node.kind == "scalar":
        expected = "a mapping of names to attributes"
        return (), (AgentProblem("not-a-mapping", node.span, "agents", expected),)
    members = _listed_agents(node) if node.kind == "sequence" else _mapped_agents(node)
    agents: list[AgentEntry] = []
    loose: list[AgentProblem] = []
    first_spans: dict[str, Span] = {}
    for member in members:
        if isinstance(member, AgentProblem):
            loose.append(member)
            continue
        first = first_spans.setdefault(member.name, member.name_span)
        if first != member.name_span:
            problem = AgentProblem("duplicate-agent", member.name_span, member.name, related=first)
            member = replace(member, problems=(problem, *member.problems))
        agents.append(member)
    return tuple(agents), tuple(loose)


def _mapped_agents(agents: YamlNode) -> Iterator[AgentEntry | AgentProblem]:
    own_names = {key.text for key, _ in agents.items}
    merged = {k.text: (k, v) for k, v in merged_items(agents) if k.text not in own_names}
    for key, value in [*merged.values(), *agents.items]:
        if key.kind != "scalar":
            continue  # A collection as a key is invalid YAML already.
        entry = YamlEntry(key.text, key.span, value)
        if key.text.strip():
            yield _agent(LocatedText(key.text, key.span), entry.span, value)
        else:
            yield AgentProblem("missing-name", entry.span)


def _listed_agents(agents: YamlNode) -> Iterator[AgentEntry | AgentProblem]:
    for element in agents.elements:
        if element.kind != "mapping":
            expected = "a mapping with a name"
            yield AgentProblem("not-a-mapping", element.span, "agents", expected)
            continue
        name = _effective_items(element).get("name")
        if name and name.kind == "scalar" and not name.is_null and name.text.strip():
            yield _agent(LocatedText(name.text, name.span), element.span, element, listed=True)
        elif not element.is_cut:
            yield AgentProblem("missing-name", element.span)


def _agent(name: LocatedText, span: Span, node: YamlNode, listed: bool = False) -> AgentEntry:
    ignored = frozenset({"name"}) if listed else frozenset[str]()
    values, problems = _check_attributes(node if node.kind == "mapping" else None, ignored)
    if node.kind != "mapping" and not node.is_null:
        problems = (AgentProblem("not-a-mapping", node.span, name.text, "a mapping"),)
    attributes = tuple(entry for entry in _entries(node) if entry.key not in ignored)
    return AgentEntry(name.text, name.span, span, attributes, values, problems)


def _check_attributes(
    mapping: YamlNode | None, ignored: frozenset[str]
) -> tuple[AgentSettings, tuple[AgentProblem, ...]]:
    """The settings that ``mapping`` says, and what is wrong with its attributes.

    A merged-in value is reported on the merge: there, each agent has its own place.
    Nothing is said about attributes that are cut off.
    """
    if mapping is None:
        return AgentSettings(), ()
    effective = {k: v for k, v in _effective_items(mapping).items() if k not in ignored}
    values, invalid = read_agent_settings({key: node.plain() for key, node in effective.items()})
    if mapping.is_cut:
        return values, ()
    own = {entry.key: entry for entry in _entries(mapping)}
    problems = [
        AgentProblem("unknown-attribute", entry.key_span, key)
        for key, entry in own.items()
        if key not in AGENT_ATTRIBUTES and key not in ignored
    ]
    for setting in invalid:
        entry = own.get(setting.key)
        if entry is None:
            span = mapping.merges[-1].span
        else:
            span = _node_at(entry.value, setting.path[1:]).span
            if span.start == span.end:
                span = entry.key_span
        problems.append(AgentProblem("invalid-value", span, setting.key, setting.expected))
    return values, tuple(sorted(problems, key=lambda problem: problem.span))


def _node_at(node: YamlNode, path: tuple[str | int, ...]) -> YamlNode:
    for index in path:
        # What follows an alias is shared: only the alias is this agent's own.
        if node.is_alias or not isinstance(index, int):
            break
        node = node.elements[index]
    return node


def _without_agent_names(
    problems: list[FrontmatterProblem], agents: YamlNode | None
) -> list[FrontmatterProblem]:
    """Without the duplicate keys that are reported as duplicate agents."""
    names = {key.span for key, _ in agents.items} if agents else set[Span]()
    return [p for p in problems if p.kind != "duplicate-key" or p.span not in names]
