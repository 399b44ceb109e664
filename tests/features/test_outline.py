"""The outline: what cells are called, how they nest, and what stands beside them."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.outline import OutlineNode, outline

TEXT = """\
---
default_agent: b
agents:
  a: {models: [x, y]}
  b: {}
---

# Notes

# %% Question[^q1]

[^q1]: [markdown]

## Plan

### Detail

# %%% [^a1]

[^a1]: [a] time="2025-05-30T00:00:00Z"

An answer without a title.

## %%% Read[^a1.9f3c]

[^a1.9f3c]: [tool] name="read"

## %%% Done[^a1.9f3c.1]

[^a1.9f3c.1]: [tool] status="success"

# %% Half-written [^
"""


def drawn(nodes: list[OutlineNode], depth: int = 0) -> list[str]:
    """The outline as lines of text."""
    lines = []
    for node in nodes:
        tail = f" ({node.detail})" if node.detail else ""
        lines.append("  " * depth + f"{node.kind.value}: {node.name}{tail}")
        lines += drawn(node.children, depth + 1)
    return lines


def test_cells_nest_by_depth_with_their_headings_below_them() -> None:
    assert drawn(outline(Document.open("a.msg.md", TEXT))) == [
        "frontmatter: frontmatter",
        "  agent: a (x, y)",
        "  agent: b (default)",
        "heading: Notes",
        "message: Question (q1 · markdown)",
        "  heading: Plan",
        "    heading: Detail",
        "answer: An answer without a title. (a1 · a · 2025-05-30T00:00:00Z)",
        "  call: Read (a1.9f3c · tool · read)",
        "  result: Done (a1.9f3c.1 · tool · success)",
        "message: Half-written [^",
    ]


def test_a_node_reaches_to_the_end_of_what_is_below_it() -> None:
    document = Document.open("a.msg.md", TEXT)
    answer = outline(document)[3]
    assert answer.name == "An answer without a title."
    last, offset = answer.end
    assert last.cell.id == "a1.9f3c.1"
    assert offset == last.cell.length


def test_what_is_selected_is_the_header() -> None:
    document = Document.open("a.msg.md", TEXT)
    question = outline(document)[2]
    assert question.selection.of(question.placed.cell.text) == "# %% Question[^q1]"


def test_a_file_without_cells_has_its_headings() -> None:
    assert drawn(outline(Document.open("a.msg.md", "# One\n\n## Two\n"))) == [
        "heading: One",
        "  heading: Two",
    ]
    assert outline(Document.open("a.msg.md", "")) == []
