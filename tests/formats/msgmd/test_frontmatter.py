"""Frontmatter and agent blocks: data, places, agents, problems, and limits."""

import datetime
import subprocess
import sys
from collections.abc import Iterator

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from msgls.formats.agents import AgentSettings
from msgls.formats.msgmd.frontmatter import (
    AgentEntry,
    Frontmatter,
    parse_agent_block,
    parse_frontmatter,
)
from msgls.formats.msgmd.yamltree import MAX_DEPTH, MAX_NODES, YamlNode
from msgls.text.spans import Span
from tests.measure import seconds

_LINEAR_SECONDS = 5.0
"""Far above what linear time takes here, far below what quadratic time would."""


def block(body: str) -> str:
    return f"---\n{body}---\n"


def read(body: str) -> Frontmatter:
    return parse_frontmatter(block(body), True)


def piece(body: str, text: str, nth: int = 0) -> Span:
    """Where ``text`` stands in ``block(body)``, for the ``nth`` time."""
    start = -1
    for _ in range(nth + 1):
        start = block(body).index(text, start + 1)
    return Span(start, start + len(text))


def problems(body: str) -> list[tuple[str, str]]:
    return [(p.kind, p.span.of(block(body))) for p in read(body).problems]


def only_agent(body: str) -> AgentEntry:
    (agent,) = read(body).agents
    return agent


def agent_problems(body: str) -> list[tuple[str, str, str]]:
    return [(p.kind, p.key, p.span.of(block(body))) for p in read(body).agent_problems]


def nodes(node: YamlNode) -> Iterator[YamlNode]:
    yield node
    for key, value in node.items:
        yield from nodes(key)
        yield from nodes(value)
    for child in (*node.merges, *node.elements):
        yield from nodes(child)


# ---------------------------------------------------------------------------
# The block


@pytest.mark.parametrize(
    ("text", "closed", "body"),
    [
        ("---\n---", True, (4, 4)),
        ("---\n---\n", True, (4, 4)),
        ("---\na: 1\n---", True, (4, 9)),
        ("---\na: 1\n---  \n", True, (4, 9)),
        ("---\na: 1\n---\t\r\n", True, (4, 9)),
        ("---  \na: 1\n---", True, (6, 11)),
        ("--- \t\na: 1\n---", True, (6, 11)),
        ("\ufeff---\na: 1\n---\n", True, (5, 10)),
        ("---\r\na: 1\r\n---\r\n", True, (5, 11)),
        ("---\ra: 1\r---\r", True, (4, 9)),
        ("---\n😀: 中\n---\n", True, (4, 9)),
        ("---\na: 1\n", False, (4, 9)),
        ("---\na: 1", False, (4, 8)),
        ("---", False, (3, 3)),
        ("---", True, (3, 3)),
        ("", False, (0, 0)),
        ("", True, (0, 0)),
        ("---\na: b---", True, (4, 11)),
    ],
)
def test_the_yaml_is_what_stands_between_the_dashes(
    text: str, closed: bool, body: tuple[int, int]
) -> None:
    assert parse_frontmatter(text, closed).body == body


@pytest.mark.parametrize("body", ["", "\n", "  \n\t\n", "# a comment\n", "~\n", "null\n"])
def test_an_empty_block_is_fine(body: str) -> None:
    read_block = read(body)
    assert read_block.problems == ()
    assert (dict(read_block.data), read_block.root, read_block.entries) == ({}, None, ())
    assert read_block.default_agent_name is None


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("---\na: 1\n", (0, 3)),
        ("\ufeff---  \na: 1\n", (1, 4)),
        ("---\t", (0, 3)),
        ("", (0, 0)),
        ("---\r\nagents: {a: {models: [x]}}\r\n\r\nText: that\r\nis no YAML\r\n", (0, 3)),
        ("---\n- just\n- a list\n", (0, 3)),
        ("---\njust text\n", (0, 3)),
    ],
)
def test_not_closed_is_the_one_problem(text: str, span: tuple[int, int]) -> None:
    read_block = parse_frontmatter(text, False)
    assert [(p.kind, p.span) for p in read_block.problems] == [("not-closed", span)]
    assert not read_block.closed


def test_an_unclosed_block_is_read_as_far_as_it_is_yaml() -> None:
    text = (
        "---\ndefault_agent: b\nagents:\n  a: {models: [x]}\n  b:\n"
        "\n# %% Hi\n\nHello you\nthere: *x\n"
    )
    read_block = parse_frontmatter(text, False)
    assert [agent.name for agent in read_block.agents] == ["a", "b"]
    assert read_block.default_agent_name == "b"
    assert not read_block.complete
    assert dict(read_block.data) == {}


def test_an_unclosed_block_that_is_yaml_is_complete() -> None:
    read_block = parse_frontmatter("---\na: 1\na: 2\n", False)
    assert read_block.complete
    assert dict(read_block.data) == {"a": 2}
    assert [p.kind for p in read_block.problems] == ["not-closed", "duplicate-key"]


# ---------------------------------------------------------------------------
# Places


@pytest.mark.parametrize(
    ("body", "key", "key_span", "value_span"),
    [
        ("a: 1\n", "a", (4, 5), (7, 8)),
        ("a:    1   # c\n", "a", (4, 5), (10, 11)),
        ('"a b": "c d"\n', "a b", (4, 9), (11, 16)),
        ("é😀: 中😀 x\n", "é😀", (4, 6), (8, 12)),
        ("x: 😀\r\nb: 2\r\n", "b", (10, 11), (13, 14)),
        ("x: 😀\rb: 2\r", "b", (9, 10), (12, 13)),
        ("x: 1\u2028y\nb: 2\n", "b", (11, 12), (14, 15)),
        ("x: '\x85\u2029'\nb: 2\n", "b", (12, 13), (15, 16)),
        ("x: \ufeff\nb: 2\n", "b", (9, 10), (12, 13)),
        ("\ufeffa: 1\n", "\ufeffa", (4, 6), (8, 9)),
        ("a:\nb: 2\n", "a", (4, 5), (6, 6)),
        ("a:   # none\nb: 2\n", "a", (4, 5), (6, 6)),
        ("a:\n\n# c\nb: 2\n", "b", (12, 13), (15, 16)),
        ("a: |\n  x\n  y\n\n\nb: 2\n", "a", (4, 5), (7, 16)),
        ("a: >-  # c\n  x\n\n# d\nb: 2\n", "a", (4, 5), (7, 18)),
        ("a: |\n\nb: 2\n", "a", (4, 5), (7, 8)),
        ("a: |+\n  x\n\n", "a", (4, 5), (7, 13)),
        ("a: one\n  two\n\nb: 2\n", "a", (4, 5), (7, 16)),
        ("a: [1,\n  2 ]  # c\n", "a", (4, 5), (7, 16)),
        ("a: {}\n", "a", (4, 5), (7, 9)),
        ("a:\n  - 1\n  - 2\n\n# c\nb: 2\n", "a", (4, 5), (9, 18)),
        ("a:\n- 1\n- 2\nb: 2\n", "a", (4, 5), (7, 14)),
        ("a:\n  x: 1\n  y:\n\nb: 2\n", "a", (4, 5), (9, 18)),
        ("a: &n 1\nb: *n\n", "a", (4, 5), (7, 11)),
        ("a: &n 1\nb: *n\n", "b", (12, 13), (15, 17)),
        ("? a\n: 1\n", "a", (6, 7), (10, 11)),
        ("{a: 1, b: 2}\n", "b", (11, 12), (14, 15)),
        ("on: 1\n", "on", (4, 6), (8, 9)),
        ("007: 1\n", "007", (4, 7), (9, 10)),
    ],
)
def test_places_of_keys_and_values(
    body: str, key: str, key_span: tuple[int, int], value_span: tuple[int, int]
) -> None:
    read_block = read(body)
    assert read_block.problems == ()
    (entry,) = [entry for entry in read_block.entries if entry.key == key]
    assert (entry.key_span, entry.value_span) == (key_span, value_span)
    assert entry.span == (key_span[0], value_span[1])


def test_places_after_a_byte_order_mark() -> None:
    text = "\ufeff---\r\nmessage_section: Besprechung\r\n---\r\n"
    read_block = parse_frontmatter(text, True)
    assert read_block.problems == ()
    assert read_block.message_section_span is not None
    assert read_block.message_section_span.of(text) == "Besprechung"


def test_places_are_the_same_without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "é😀: 中😀 x\r\nb: [1, 😀,\r\n 2]\r\nc:\rd: >\r  x\r\r\r\ne:\n- 1\n-\n# c\nf: &n {}\n"
    with_libyaml = read(body)
    monkeypatch.delattr(yaml, "CSafeLoader")
    # Another text, so that it is parsed again.
    without = read(body + "# pure\n")
    assert with_libyaml.problems == without.problems == ()
    assert without.root == with_libyaml.root


def test_entries_keep_their_order_and_all_duplicates() -> None:
    assert [entry.key for entry in read("b: 1\na: 2\nb: 3\n").entries] == ["b", "a", "b"]


def test_an_alias_has_its_own_place_and_the_contents_of_its_anchor() -> None:
    body = "a: &m [x, y]\nb: *m\n"
    original, alias = (entry.value for entry in read(body).entries)
    assert not original.is_alias
    assert alias.is_alias
    assert alias.span == piece(body, "*m")
    assert alias.elements == original.elements
    assert [element.span for element in alias.elements] == [piece(body, "x"), piece(body, "y")]


# ---------------------------------------------------------------------------
# Data


@pytest.mark.parametrize(
    ("body", "data"),
    [
        ("a: 1\nb: [x, 2.5, true, ~]\n", {"a": 1, "b": ["x", 2.5, True, None]}),
        ("a: {b: {c: d}}\n", {"a": {"b": {"c": "d"}}}),
        ("a: 2025-05-30\n", {"a": datetime.date(2025, 5, 30)}),
        ("a: '2025-05-30'\n", {"a": "2025-05-30"}),
        ("a: |\n  x\n  y\n", {"a": "x\ny\n"}),
        ("a: one\n  two\n", {"a": "one two"}),
        ("on: 1\n007: 2\nnull: 3\n", {"on": 1, "007": 2, "null": 3}),
        ("a: 1\na: 2\n", {"a": 2}),
        ("content: x\nhandler: y\n", {"content": "x", "handler": "y"}),
        ("a: &n [1]\nb: *n\n", {"a": [1], "b": [1]}),
        ("a: &n {x: 1}\nb:\n  <<: *n\n  y: 2\n", {"a": {"x": 1}, "b": {"x": 1, "y": 2}}),
        ("a: <<\nb: =\n=: [<<]\n", {"a": "<<", "b": "=", "=": ["<<"]}),
        ("a: &n 1\nb: &n 2\nc: *n\n", {"a": 1, "b": 2, "c": 2}),
        ("a: x\u2028y\n", {"a": "x\u2028y"}),
        ("a: x # c\u2028b: y\n", {"a": "x"}),
        ("a: 'x\x85\u2029y'\n", {"a": "x\x85\u2029y"}),
        ('a: "\\L\\u2029"\n', {"a": "\u2028\u2029"}),
        ("a: !!binary aGk=\n", {"a": b"hi"}),
        ("a: !!str 5\n", {"a": "5"}),
        ("a: 中文 😀\r\nb: |\r\n  x\r\n  y\r\n", {"a": "中文 😀", "b": "x\ny\n"}),
    ],
)
def test_data(body: str, data: dict[str, object]) -> None:
    read_block = read(body)
    assert dict(read_block.data) == data
    assert not [p for p in read_block.problems if p.kind == "invalid-yaml"]
    assert read_block.complete


def test_data_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        read("a: 1\n").data["a"] = 2  # type: ignore[index]


def test_objects_are_never_constructed() -> None:
    read_block = read("a: !!python/object/apply:os.getcwd []\nb: !!python/name:os.system x\n")
    assert dict(read_block.data) == {}
    assert read_block.problems[0].detail == "the tag `!!python/name:os.system` is not known"


# ---------------------------------------------------------------------------
# Problems of the YAML


@pytest.mark.parametrize(
    ("body", "span"),
    [
        ("a: b: c\n", (8, 9)),
        ("a: [1, 2\n", (7, 8)),
        ("😀: 'x\nb: 1\n", (7, 8)),
        ("a: 1\nfoo\n", (9, 10)),
        ("a: 1\nfoo\n\nb: 2\n", (9, 10)),
        ("\ta: 1\n", (4, 5)),
        ("- a\nb: 1\n", (8, 9)),
        ("😀: *nope\n", (7, 12)),
        ("a: &a [*a]\n", (11, 13)),
        ("a: &a {b: *a}\n", (14, 16)),
        ("a: 1\n...\nb: 2\n", (13, 14)),
        ("a: 1\n--- b\n", (9, 10)),
        ("a: @x\n", (7, 8)),
        ("a: `x`\n", (7, 8)),
        ("a: %x\n", (7, 8)),
        ("%TAG\na: 1\n", (4, 5)),
        ("😀: x\x00\n", (8, 9)),
        ("😀: x\x0cy\n", (8, 9)),
        ("😀: \ud800\n", (7, 8)),
        ("a: \ufffe\n", (7, 8)),
        ("a: 2025-13-40\n", (7, 17)),
        ("a: 0b_\n", (7, 10)),
        ("a: !!int x\n", (7, 14)),
        ("a: !!int ''\n", (7, 15)),
        ("a: !!bool x\n", (7, 15)),
        ("a: !!timestamp x\n", (7, 20)),
        ("a: !unknown x\n", (7, 17)),
        ("a: !!map x\n", (7, 8)),
        ("a: !%ff x\n", (7, 8)),
        ("a: !%ED%A0%80 x\n", (4, 19)),
        ("? [x]\n: 1\n", (6, 7)),
        ("<<: 5\n", (8, 9)),
    ],
)
def test_invalid_yaml(body: str, span: tuple[int, int]) -> None:
    read_block = read(body)
    (problem,) = read_block.problems
    assert (problem.kind, problem.span) == ("invalid-yaml", span)
    assert problem.detail
    assert "\n" not in problem.detail
    assert dict(read_block.data) == {}


@pytest.mark.parametrize(
    ("body", "keys", "complete"),
    [
        ("a: 1\nb: 2\nc: [\n", ["a", "b", "c"], False),
        ("a: 1\nb:\nthis is\nno: yaml\n", ["a", "b"], False),
        ("a: 1\nb: [2, \n", ["a", "b"], False),
        ("a: 1\nb: {c: 2, d\n", ["a", "b"], False),
        ("a: 1\nb\n", ["a"], False),
        ("a: \x00\nb: 2\n", ["a", "b"], True),
        ("a: 2025-13-40\nb: 2\n", ["a", "b"], True),
        ("a: 1\n...\nb: 2\n", ["a"], False),
    ],
)
def test_what_can_be_read_is_kept(body: str, keys: list[str], complete: bool) -> None:
    read_block = read(body)
    assert [entry.key for entry in read_block.entries] == keys
    assert read_block.complete is complete


@pytest.mark.parametrize(
    ("body", "span"),
    [
        ("- a\n- b\n\n", (4, 11)),
        ("just text\n", (4, 13)),
        ("😀\n", (4, 5)),
        ("5\n", (4, 5)),
        ("[a, {b: c}]\n", (4, 15)),
    ],
)
def test_not_a_mapping(body: str, span: tuple[int, int]) -> None:
    read_block = read(body)
    assert [(p.kind, p.span) for p in read_block.problems] == [("not-a-mapping", span)]
    assert (read_block.root, read_block.entries, dict(read_block.data)) == (None, (), {})


@pytest.mark.parametrize(
    ("body", "later", "first", "key"),
    [
        ("a: 1\nb: 2\na: 3\n", (14, 15), (4, 5), "a"),
        ("a: 1\n'a': 3\n", (9, 12), (4, 5), "a"),
        ("😀: 1\r\n😀: 2\r\n", (10, 11), (4, 5), "😀"),
        ("x:\n  a: 1\n  a: 3\n", (16, 17), (9, 10), "a"),
        ("x: [{a: 1, a: 2}]\n", (15, 16), (9, 10), "a"),
        (
            "agents:\n  n:\n    reasoning: true\n    reasoning: no\n",
            (41, 50),
            (21, 30),
            "reasoning",
        ),
        ("1: a\n0x1: b\n", (9, 12), (4, 5), "0x1"),
    ],
)
def test_duplicate_keys(
    body: str, later: tuple[int, int], first: tuple[int, int], key: str
) -> None:
    (problem,) = read(body).problems
    assert (problem.kind, problem.detail) == ("duplicate-key", key)
    assert (problem.span, problem.related) == (later, first)


def test_each_later_key_is_a_duplicate_of_the_first() -> None:
    found = read("a: 1\na: 2\nb:\n  c: 1\n  c: 2\na: 3\n").problems
    assert [(p.span, p.related) for p in found] == [
        ((9, 10), (4, 5)),
        ((26, 27), (19, 20)),
        ((31, 32), (4, 5)),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "1: a\n'1': b\n",
        "a: {x: 1}\nb: {x: 1}\n",
        "a: &n {x: 1}\nb:\n  <<: *n\n  x: 2\n",
        "a: &n {x: 1}\nb: *n\nc: *n\n",
        "a: &n {x: 1}\nb: {<<: *n, <<: *n}\n",
        "A: 1\na: 2\n",
    ],
)
def test_no_duplicates(body: str) -> None:
    assert problems(body) == []


# ---------------------------------------------------------------------------
# Agents

TWO = """\
default_agent: critic
agents:
  helper:
    models: [gpt-4o, claude]
    context_window: 128_000
    max_output_tokens: 4096
    reasoning: yes
    temperature: 1
    system_prompt: |
      You help. 😀

  critic:
"""


def test_agents_as_a_mapping() -> None:
    read_block = read(TWO)
    helper, critic = read_block.agents
    assert (helper.name, helper.name_span) == ("helper", piece(TWO, "helper"))
    assert helper.span == Span(piece(TWO, "helper").start, piece(TWO, "😀").end)
    assert helper.values == AgentSettings(
        models=("gpt-4o", "claude"),
        context_window=128_000,
        max_output_tokens=4096,
        reasoning=True,
        temperature=1.0,
        system_prompt="You help. 😀\n",
    )
    assert [attribute.key for attribute in helper.attributes] == [
        "models",
        "context_window",
        "max_output_tokens",
        "reasoning",
        "temperature",
        "system_prompt",
    ]
    assert helper.attributes[3].key_span == piece(TWO, "reasoning")
    assert helper.attributes[3].value_span == piece(TWO, "yes")
    assert (critic.name, critic.attributes, critic.values) == ("critic", (), AgentSettings())
    assert critic.span == piece(TWO, "critic:")
    assert read_block.agent_problems == ()


def test_agents_as_a_list() -> None:
    body = "agents:\n- name: a\n  models: [x]\n- {temperature: 0.5, name: 'b c'}\n"
    first, second = read(body).agents
    assert (first.name, first.name_span) == ("a", Span(20, 21))
    assert first.span == piece(body, "name: a\n  models: [x]")
    assert [attribute.key for attribute in first.attributes] == ["models"]
    assert (second.name, second.name_span) == ("b c", piece(body, "'b c'"))
    assert second.values.temperature == 0.5
    assert read(body).agent_problems == ()


def test_no_agents() -> None:
    for body in ("a: 1\n", "agents:\n", "agents: {}\n", "agents: []\n"):
        assert (read(body).agents, read(body).agent_problems) == ((), ())


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("agents: text\n", [("not-a-mapping", "agents", "text")]),
        ("agents: 5\n", [("not-a-mapping", "agents", "5")]),
        ("agents: {a: text}\n", [("not-a-mapping", "a", "text")]),
        ("agents: {a: [x]}\n", [("not-a-mapping", "a", "[x]")]),
        ("agents: [text, {name: a}]\n", [("not-a-mapping", "agents", "text")]),
        ("agents: [{models: [x]}]\n", [("missing-name", "", "{models: [x]}")]),
        ("agents: [{name: }]\n", [("missing-name", "", "{name: }")]),
        ("agents: [{name: ' '}]\n", [("missing-name", "", "{name: ' '}")]),
        ("agents: [{name: [x]}]\n", [("missing-name", "", "{name: [x]}")]),
        ("agents: {'': {}}\n", [("missing-name", "", "'': {}")]),
        ("agents: {a: {models: x}}\n", [("invalid-value", "models", "x")]),
        ("agents: {a: {models: []}}\n", [("invalid-value", "models", "[]")]),
        ("agents: {a: {models: [x, 4.1]}}\n", [("invalid-value", "models", "4.1")]),
        ("agents: {a: {models: [x, [y]]}}\n", [("invalid-value", "models", "[y]")]),
        ("agents: {a: {models: [x, ]}}\n", []),
        ("agents:\n  a:\n    models:\n", [("invalid-value", "models", "models")]),
        ("agents: {a: {temperature: 2.1}}\n", [("invalid-value", "temperature", "2.1")]),
        ("agents: {a: {temperature: yes}}\n", [("invalid-value", "temperature", "yes")]),
        ("agents: {a: {temperature: .nan}}\n", [("invalid-value", "temperature", ".nan")]),
        ("agents: {a: {context_window: 0}}\n", [("invalid-value", "context_window", "0")]),
        ("agents: {a: {context_window: on}}\n", [("invalid-value", "context_window", "on")]),
        ("agents: {a: {context_window: 1.0}}\n", [("invalid-value", "context_window", "1.0")]),
        ("agents: {a: {reasoning: 1}}\n", [("invalid-value", "reasoning", "1")]),
        ("agents: {a: {system_prompt: 5}}\n", [("invalid-value", "system_prompt", "5")]),
        ("agents: {a: {system_prompt: [b]}}\n", [("invalid-value", "system_prompt", "[b]")]),
        ("agents: {a: {temprature: 1}}\n", [("unknown-attribute", "temprature", "temprature")]),
        ("agents: {a: {name: b}}\n", [("unknown-attribute", "name", "name")]),
        (
            "agents: {a: {x: 1, models: y, z: 2}}\n",
            [
                ("unknown-attribute", "x", "x"),
                ("invalid-value", "models", "y"),
                ("unknown-attribute", "z", "z"),
            ],
        ),
        ("default_agent: [a]\n", [("invalid-value", "default_agent", "[a]")]),
        ("default_agent: {a: b}\n", [("invalid-value", "default_agent", "{a: b}")]),
    ],
)
def test_problems_of_agents(body: str, found: list[tuple[str, str, str]]) -> None:
    assert agent_problems(body) == found
    assert problems(body) == []


def test_an_invalid_value_says_what_is_expected_and_the_rest_counts() -> None:
    body = "agents: {a: {temperature: hot, models: [x]}}\n"
    agent = only_agent(body)
    (problem,) = agent.problems
    assert problem.expected == "a number from 0 to 2"
    assert agent.values == AgentSettings(models=("x",))


@pytest.mark.parametrize(
    ("body", "spans"),
    [
        ("agents:\n  a:\n  b:\n  a:\n", [(24, 25)]),
        ("agents: [{name: a}, {name: b}, {name: a}, {name: a}]\n", [(42, 43), (53, 54)]),
        ("agents: {1: , '1': }\n", [(18, 21)]),
    ],
)
def test_duplicate_agents(body: str, spans: list[tuple[int, int]]) -> None:
    read_block = read(body)
    found = read_block.agent_problems
    assert [(p.kind, p.span) for p in found] == [("duplicate-agent", span) for span in spans]
    first = read_block.agents[0]
    assert {(p.key, p.related) for p in found} == {(first.name, first.name_span)}
    # One mistake, one report: it is not a duplicate key besides.
    assert read_block.problems == ()


@pytest.mark.parametrize("name", ["007", "on", "1.5", "中文", "a b", "😀"])
def test_an_agent_is_named_as_it_is_written(name: str) -> None:
    assert only_agent(f"agents: {{{name}: }}\n").name == name
    assert only_agent(f"agents: [{{name: {name}}}]\n").name == name
    assert read(f"default_agent: {name}\n").default_agent_name == name


def test_attributes_can_be_merged_in() -> None:
    body = (
        "base: &base {temperature: 0.5, models: [x], note: y}\n"
        "more: &more {temperature: 0.9, reasoning: true}\n"
        "agents:\n"
        "  a: {<<: *base, temperature: 1}\n"
        "  b: {<<: [*base, *more]}\n"
    )
    a, b = read(body).agents
    assert a.values == AgentSettings(models=("x",), temperature=1.0)
    assert [attribute.key for attribute in a.attributes] == ["temperature"]
    assert b.values == AgentSettings(models=("x",), temperature=0.5, reasoning=True)
    assert read(body).agent_problems == ()


def test_a_merged_value_is_reported_on_the_merge() -> None:
    body = "base: &base {temperature: 9}\nagents:\n  a: {<<: *base}\n  b: {<<: *base}\n"
    assert [p.span for p in read(body).agent_problems] == [
        piece(body, "*base", 0),
        piece(body, "*base", 1),
    ]


def test_whole_agents_can_be_merged_in() -> None:
    body = "base: &base {a: {models: [x]}, b: }\nagents:\n  <<: *base\n  b: {models: [y]}\n"
    assert [(agent.name, agent.values.models) for agent in read(body).agents] == [
        ("a", ("x",)),
        ("b", ("y",)),
    ]
    assert read(body).agent_problems == ()


def test_a_value_after_an_alias_is_reported_on_the_alias() -> None:
    body = "m: &m [x, 5]\nagents: {a: {models: *m}}\n"
    assert agent_problems(body) == [("invalid-value", "models", "*m")]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("agents:\n  a: {models: x}\n  b:\n    models: [\ndefault_agent: b\n", ["a", "b"]),
        ("agents:\n  a: {models: x}\n  b: {foo: \n", ["a", "b"]),
        ("agents:\n  a: {models: x}\n  b:\nthis is\nno: yaml\n", ["a", "b"]),
        ("agents:\n  a: {models: x}\n  b\n", ["a"]),
        ("agents:\n  - {name: a, models: x}\n  - models: [y]\n    name\n", ["a"]),
        ("agents:\n  - {name: a, models: x}\ndefault_agent: [\n", ["a"]),
    ],
)
def test_where_yaml_breaks_agents_stay_and_the_broken_one_is_not_judged(
    body: str, names: list[str]
) -> None:
    read_block = read(body)
    assert [agent.name for agent in read_block.agents] == names
    assert [p.kind for p in read_block.problems] == ["invalid-yaml"]
    assert agent_problems(body) == [("invalid-value", "models", "x")]


# ---------------------------------------------------------------------------
# The two other keys


@pytest.mark.parametrize(
    ("body", "explicit", "name"),
    [
        ("default_agent: b\nagents: {a: , b: }\n", ("b", (19, 20)), "b"),
        ("agents: {a: , b: }\n", None, "a"),
        ("agents: [{name: b}, {name: a}]\n", None, "b"),
        ("default_agent:\nagents: {a: }\n", None, "a"),
        ("default_agent: ''\nagents: {a: }\n", None, "a"),
        ("default_agent: 'b c'\n", ("b c", (19, 24)), "b c"),
        ("default_agent: a\ndefault_agent: b\n", ("b", (36, 37)), "b"),
        ("default_agent: [b]\nagents: {a: }\n", None, "a"),
        ("a: 1\n", None, None),
    ],
)
def test_default_agent(
    body: str, explicit: tuple[str, tuple[int, int]] | None, name: str | None
) -> None:
    assert (read(body).default_agent, read(body).default_agent_name) == (explicit, name)


@pytest.mark.parametrize(
    ("value", "section"),
    [
        ("true", "Discussion"),
        ("yes", "Discussion"),
        ("'true'", "true"),
        ("false", None),
        ("off", None),
        ("", "Discussion"),
        ("~", "Discussion"),
        ("''", None),
        ("'  '", None),
        ("Besprechung 😀", "Besprechung 😀"),
        ("' Talk '", "Talk"),
        ("2025", "2025"),
        ("2025-05-30", "2025-05-30"),
        ("[a]", None),
        ("{a: b}", None),
    ],
)
def test_message_section(value: str, section: str | None) -> None:
    read_block = read(f"message_section: {value}\n")
    assert read_block.message_section == section
    assert read_block.message_section_span is not None
    shown = read_block.message_section_span.of(block(f"message_section: {value}\n"))
    assert shown == (value or "message_section")


def test_no_message_section() -> None:
    read_block = read("messagesection: x\nMessage_section: y\n")
    assert (read_block.message_section, read_block.message_section_span) == (None, None)


# ---------------------------------------------------------------------------
# The block of a temporary agent


def test_agent_block() -> None:
    text = "models: [😀]\r\ntemperature: 0.2\r\n"
    agent = parse_agent_block(text)
    assert agent.values == AgentSettings(models=("😀",), temperature=0.2)
    assert [a.key_span.of(text) for a in agent.attributes] == ["models", "temperature"]
    assert [a.value_span.of(text) for a in agent.attributes] == ["[😀]", "0.2"]
    assert (agent.problems, agent.agent_problems) == ((), ())


def test_agent_block_has_no_system_prompt() -> None:
    text = "models: x\nsystem_prompt: |\n  You are.\n\nfoo: 1\n"
    agent = parse_agent_block(text)
    first, second, third = agent.agent_problems
    assert (first.kind, first.key, first.span.of(text)) == ("invalid-value", "models", "x")
    assert (second.kind, second.span) == ("system-prompt-not-allowed", Span(10, 23))
    assert (third.kind, third.key) == ("unknown-attribute", "foo")
    assert agent.values.system_prompt is None


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", []),
        ("\n", []),
        ("# c\n", []),
        ("- a\n", ["not-a-mapping"]),
        ("a: [\n", ["invalid-yaml"]),
        ("reasoning: true\nreasoning: false\n", ["duplicate-key"]),
    ],
)
def test_agent_block_problems(text: str, kinds: list[str]) -> None:
    assert [p.kind for p in parse_agent_block(text).problems] == kinds


# ---------------------------------------------------------------------------
# Limits


def _bomb(opening: str, closing: str, levels: int = 40) -> str:
    lines = ["a0: &a0 {x: 1}\n"]
    for level in range(1, levels):
        aliases = ", ".join([f"*a{level - 1}"] * 9)
        lines.append(f"a{level}: &a{level} {opening}{aliases}{closing}\n")
    return "".join(lines)


@pytest.mark.parametrize("body", [_bomb("[", "]"), _bomb("{<<: [", "]}")])
def test_an_alias_bomb_is_stopped(body: str) -> None:
    read_block = read(body)
    (problem,) = read_block.problems
    assert problem.detail == f"more than {MAX_NODES} values, with aliases expanded"
    assert problem.span.of(block(body)) == "*a3"
    assert dict(read_block.data) == {}


def test_aliases_count_as_depth() -> None:
    def chain(levels: int) -> str:
        links = "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, levels))
        return "a0: &a0 x\n" + links

    assert problems(chain(MAX_DEPTH - 1)) == []
    (problem,) = read(chain(MAX_DEPTH + 1)).problems
    assert problem.detail == f"nested deeper than {MAX_DEPTH} levels"


def test_depth_is_bounded() -> None:
    fitting = "a: " + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1) + "\n"
    assert problems(fitting) == []
    too_deep = "a: " + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "\n"
    (problem,) = read(too_deep).problems
    assert problem.detail == f"nested deeper than {MAX_DEPTH} levels"
    assert problem.span == Span(4 + 3 + MAX_DEPTH - 1, 4 + 3 + MAX_DEPTH)


def test_size_is_bounded() -> None:
    body = "a: [" + "x, " * MAX_NODES + "]\n"
    (problem,) = read(body).problems
    assert problem.detail == f"more than {MAX_NODES} values, with aliases expanded"
    assert problems("a: [" + "x, " * (MAX_NODES - 10) + "]\n") == []


HOSTILE = pytest.mark.parametrize(
    "body",
    [
        "[" * 50_000,
        "a: " + "[" * 50_000 + "]" * 50_000 + "\n",
        "a: " + "[\n" * 50_000,
        "{a: " * 50_000,
        "{" * 50_000,
        "- " * 50_000,
        "? " * 50_000,
        "".join(" " * n + "a:\n" for n in range(1_000)),
        "a: 1" + ":00" * 100_000 + "\n",
        "a: !!int 1" + ":00" * 100_000 + "\n",
        "a: " + "9" * 100_000 + "\n",
        "a: 1\n" * 5_000,
        "a: |\n" + "  text 中\n" * 100_000,
        "a: '" + "\u2028" * 100_000 + "'\n",
        "&a " * 50_000 + "\n",
        "!" * 50_000 + "\n",
        "agents: {" + "a: {models: 1}, " * 2_000 + "}\n",
        "".join(map(chr, range(0x3000))) * 20,
    ],
)


@HOSTILE
def test_hostile_blocks_are_read(body: str) -> None:
    frontmatter = read(body)
    assert frontmatter.entries or frontmatter.problems
    parse_agent_block(body)


@pytest.mark.fuzz
@HOSTILE
def test_hostile_blocks_take_linear_time(body: str) -> None:
    assert seconds(lambda: (read(body), parse_agent_block(body))) < _LINEAR_SECONDS


def test_characters_that_need_a_stand_in_when_there_is_none_left() -> None:
    everything = "".join(map(chr, [*range(0xF0000, 0xFFFFE), *range(0x100000, 0x10FFFE)]))
    read_block = read(f"a: 😀{everything}\x00\ud800\u2028\n")
    assert [p.kind for p in read_block.problems] == ["invalid-yaml"]
    assert [entry.key for entry in read_block.entries] == ["a"]


def test_the_same_block_is_parsed_once() -> None:
    assert read(TWO) is read(TWO)


def test_what_is_costly_is_imported_on_first_use() -> None:
    script = (
        "import sys\n"
        "import msgls.formats.msgmd.frontmatter as f\n"
        "costly = ('yaml', 'frontmatter', 'pydantic')\n"
        "loaded = lambda: [module for module in costly if module in sys.modules]\n"
        "assert loaded() == [], loaded()\n"
        "f.parse_frontmatter('---\\n---\\n', True)\n"
        "assert loaded() == [], loaded()\n"
        "f.parse_frontmatter('---\\na: 1\\n---\\n', True)\n"
        "assert loaded() == ['yaml', 'frontmatter'], loaded()\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


# ---------------------------------------------------------------------------
# Properties

_PIECES = [
    *("a", "b", "agents", "models", "name", "default_agent", "1", "1.5", "true", "~", "on"),
    *(": ", ":", "\n", "\n  ", "\n    ", "- ", "[", "]", "{", "}", ", ", "? ", "# c"),
    *("&x ", "*x", "<<", "<<: *x\n", "=", "|\n  ", ">-\n  ", "|+\n", "'", '"', "\\", "\\L"),
    *("!!int ", "!%ff ", "!%ED%A0%80 ", "!<", "!foo ", "!!set ", "!!omap ", "!!binary "),
    *("!!timestamp ", "!!bool ", "!!null ", "!!float ", "!!map ", "2025-13-40", "0b", "1:2"),
    *("\t", "\r", "\r\n", "\u2028", "\x85", "\ufeff", "\x0c", "\x00", "\ud800", "😀", "中"),
    *("%", "@", "`", "---", "..."),
]
_bodies = st.lists(st.sampled_from(_PIECES), max_size=25).map("".join) | st.text()


def _spans(read_block: Frontmatter) -> Iterator[Span]:
    yield read_block.body
    for problem in read_block.problems:
        yield from (problem.span, problem.related or problem.span)
    for agent_problem in read_block.agent_problems:
        yield from (agent_problem.span, agent_problem.related or agent_problem.span)
    if read_block.root is not None:
        yield from (node.span for node in nodes(read_block.root))
    for entry in read_block.entries:
        yield from (entry.key_span, entry.span)
    for agent in read_block.agents:
        yield from (agent.name_span, agent.span)


@given(_bodies, st.booleans())
def test_nothing_raises_and_every_span_lies_in_the_text(body: str, closed: bool) -> None:
    text = block(body) if closed else f"---\n{body}"
    for start, end in _spans(parse_frontmatter(text, closed)):
        assert 0 <= start <= end <= len(text)
    agent = parse_agent_block(body)
    spans = [p.span for p in agent.problems] + [p.span for p in agent.agent_problems]
    assert all(0 <= start <= end <= len(body) for start, end in spans)


@given(st.text(), st.booleans())
def test_any_text_at_all(text: str, closed: bool) -> None:
    for start, end in _spans(parse_frontmatter(text, closed)):
        assert 0 <= start <= end <= len(text)


_keys = st.text(alphabet="abé中😀 -:#'\"\n", min_size=1, max_size=5)
# PyYAML also writes these three as if they ended lines.
_texts = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029"))
_scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _texts
_documents = st.dictionaries(
    _keys,
    st.recursive(
        _scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3),
        max_leaves=10,
    ),
    min_size=1,
    max_size=4,
)


@given(_documents, st.booleans(), st.sampled_from(["\n", "\r\n", "\r"]))
def test_what_yaml_writes_is_read_back_by_data_and_tree(
    document: dict[str, object], flow: bool, line_end: str
) -> None:
    dumped = yaml.safe_dump(document, allow_unicode=True, default_flow_style=flow)
    text = f"---\n{dumped}---\n".replace("\n", line_end)
    read_block = parse_frontmatter(text, True)
    assert read_block.problems == ()
    assert read_block.root is not None
    assert dict(read_block.data) == read_block.root.plain() == yaml.safe_load(dumped)


@given(_bodies)
def test_data_and_tree_agree(body: str) -> None:
    read_block = read(body)
    # A tag may make something else of a collection than lists and dicts.
    if read_block.data and read_block.root is not None and "!" not in body:
        plain = read_block.root.plain()
        assert isinstance(plain, dict)
        # By text, since a NaN is not equal to itself.
        assert repr(list(read_block.data.values())) == repr(list(plain.values()))
