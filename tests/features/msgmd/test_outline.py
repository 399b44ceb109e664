"""The outline: what cells are called, how they nest, and what stands beside them."""

from datetime import datetime, timedelta, timezone

from msgls.document.document import Document
from msgls.features.outline import OutlineNode, outline, short_time
from tests.notation import table
from tests.snapshots import snapshot_of

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
        tail = f" ({node.beside()})" if node.beside() else ""
        lines.append("  " * depth + f"{node.kind.value}: {node.name}{tail}")
        lines += drawn(node.children, depth + 1)
    return lines


def test_cells_nest_by_depth_with_their_headings_below_them() -> None:
    assert drawn(outline(snapshot_of(Document.open("a.msg.md", TEXT)))) == [
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
    answer = outline(snapshot_of(document))[3]
    assert answer.name == "An answer without a title."
    last, offset = answer.end
    assert last.cell.id == "a1.9f3c.1"
    assert offset == last.cell.length


def test_what_is_selected_is_the_header() -> None:
    document = Document.open("a.msg.md", TEXT)
    question = outline(snapshot_of(document))[2]
    assert question.selection.of(question.placed.cell.text) == "# %% Question[^q1]"


def test_a_file_without_cells_has_its_headings() -> None:
    assert drawn(outline(snapshot_of(Document.open("a.msg.md", "# One\n\n## Two\n")))) == [
        "heading: One",
        "  heading: Two",
    ]
    assert outline(snapshot_of(Document.open("a.msg.md", ""))) == []


def test_runs_are_below_their_code_and_have_names() -> None:
    run = "# %%% [^c1.{}]\n\n[^c1.{}]: [python] status=success{}\n\nstdout> x\n\n"
    text = "# %% Code[^c1]\n\n[^c1]: [code]\n\n```python\n1\n```\n\n"
    text += run.format(1, 1, "") + run.format(2, 2, ' mime_type="image/png"')
    text += run.format(3, 3, ' mime_type="application/json"')
    text += "# %%% Drawn[^c1.4]\n\n[^c1.4]: [python] status=failure\n\n# %% Next\n"
    assert drawn(outline(snapshot_of(Document.open("a.msg.md", text)))) == [
        "code: Code (c1 · code)",
        "  run: Out 1 · text (c1.1 · python · success)",
        "  run: Out 2 · image/png (c1.2 · python · success)",
        "  run: Out 3 · application/json (c1.3 · python · success)",
        "  run: Drawn (c1.4 · python · failure)",
        "message: Next",
    ]


def test_a_call_without_a_title_is_called_by_its_tool_and_a_result_by_its_first_words() -> None:
    text = "# %%% [^a1]\n\n[^a1]: [a]\n\n"
    text += '## %%% [^a1.x]\n\n[^a1.x]: [tool] name="read_file"\n\n<read_file/>\n\n'
    text += "## %%% [^a1.x.1]\n\n[^a1.x.1]: [tool] status=success\n\n```csv\nshop,price\n```\n\n"
    text += "## %%% [^a1.y]\n\n[^a1.y]: [tool]\n\n~~~\n\n> <look/>\n~~~\n"
    assert drawn(outline(snapshot_of(Document.open("a.msg.md", text)))) == [
        "answer: (answer) (a1 · a)",
        "  call: read_file (a1.x · tool)",
        "  result: shop,price (a1.x.1 · tool · success)",
        "  call: <look/> (a1.y · tool)",
    ]


def test_a_record_is_below_the_heading_of_its_section() -> None:
    text = "---\nmessage_section: true\n---\n\n# Plan\n\n## Discussion\n\n"
    text += "# %% A\n\n## %% B\n\n# %% C\n"
    document = Document.open("notes.md", text)
    found = outline(snapshot_of(document))
    assert drawn(found) == [
        "frontmatter: frontmatter",
        "heading: Plan",
        "  heading: Discussion",
        "    message: A",
        "      message: B",
        "    message: C",
    ]
    # An editor looks for the node of a line in those that reach over it.
    last, offset = found[1].end
    assert last.start_offset + offset == len(text)


@table(
    "written, shown",
    {
        "today, elsewhere": ("2025-05-30T00:10:00+08:00", "18:10"),
        "this year": ("2025-02-03T04:05:06Z", "02-03 06:05"),
        "long ago": ("2024-05-30T12:00:00+02:00", "2024-05-30"),
        "no time": ("soon", "soon"),
    },
)
def test_times_are_short_and_local(written: str, shown: str) -> None:
    now = datetime(2025, 5, 29, 20, 0, tzinfo=timezone(timedelta(hours=2)))
    assert short_time(written, now) == shown
