"""The outline of ``agents.json``: agents, boot messages, tasks."""

import pytest

from msgls.features.outline import OutlineNode, outline
from tests.features.agentsjson.support import HOST, MINIFIED, opened
from tests.snapshots import snapshot_of


def drawn(nodes: list[OutlineNode], text: str, depth: int = 0) -> list[str]:
    """A line for each node: what it is called, what is said of it, what is selected."""
    lines = []
    for node in nodes:
        assert node.end[1] >= node.selection.end
        selected = node.selection.of(text)
        lines.append(f"{'  ' * depth}{node.kind.value} {node.name} | {node.detail} | {selected}")
        lines += drawn(node.children, text, depth + 1)
    return lines


def test_agents_greet_and_offer_tasks() -> None:
    assert drawn(outline(snapshot_of(opened())), HOST) == [
        "agent guide | ./agents/guide.js | guide",
        '  message boot message | Where would you like to *go*? 🦊 Say it. | "bootMessage"',
        "    call Plan a weekend | Plan · action | Plan a weekend",
        "    call Plan |  | {",
        "    call ShowMap | message | ShowMap",
        "agent translator | /opt/translator.js | translator",
    ]


def test_on_one_line() -> None:
    assert drawn(outline(snapshot_of(opened(MINIFIED))), MINIFIED) == [
        "agent a | b/c.js | a",
        '  message boot message | Hi | "bootMessage"',
        "    call T | t · action | T",
        "agent a |  | a",
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{"agents": []}', []),
        ('{"agents": [1, {}, {"name": ""}]}', ["agent agent 2 |  | {", "agent agent 3 |  | {"]),
        ('{"agents": [{"name": 7}]}', ["agent agent 1 |  | {"]),
        ('{"agents": [{"name": "a", "metadata": {"bootMessage": "Hi"}}]}', ["agent a |  | a"]),
        ('{"agents": [{"name": "a\\nb"}]}', ["agent a b |  | a\\nb"]),
        ('{"agents": [{"name": "a", "pa', ["agent a |  | a"]),
        ('{"agents": [{"name": "a"}, {"name": "b', ["agent a |  | a", "agent agent 2 |  | {"]),
        ("\ufeff" + '{"agents": [{"name": "a"}]}', ["agent a |  | a"]),
        (
            '{"agents": [{"name": "a", "metadata": {"bootMessage": {"message": "Hi", "x": ',
            ["agent a |  | a", '  message boot message | Hi | "bootMessage"'],
        ),
    ],
)
def test_what_can_still_be_made_out(text: str, lines: list[str]) -> None:
    assert drawn(outline(snapshot_of(opened(text))), text) == lines


def test_what_is_said_is_short() -> None:
    (node,) = outline(
        snapshot_of(opened('{"agents": [{"name": "a", "path": "' + "x" * 500 + '"}]}'))
    )
    assert len(node.detail) == 80
    assert node.detail.endswith("x…")
