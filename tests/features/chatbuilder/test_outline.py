"""The outline of a message."""

from msgls.document.document import Document
from msgls.features.outline import OutlineNode, outline
from tests.features.chatbuilder.support import MESSAGE, OTHER_UUID, UUID, opened
from tests.notation import table
from tests.snapshots import snapshot_of


def lines(document: Document) -> list[str]:
    """Each node with its level, its kind and what of the text it takes, on a line."""
    found: list[str] = []

    def walk(nodes: list[OutlineNode], level: int) -> None:
        for node in nodes:
            start = node.placed.start_offset + node.selection.start
            last, offset = node.end
            end = last.start_offset + offset
            rows = [document.position_of(at).line + 1 for at in (start, max(start, end))]
            detail = f" ({node.detail})" if node.detail else ""
            kind = node.kind.value
            found.append(f"{'  ' * level}{kind} {node.name}{detail} {rows[0]}-{rows[1]}")
            walk(node.children, level + 1)

    walk(outline(snapshot_of(document)), 0)
    return found


def test_header_fields_and_headings() -> None:
    assert lines(opened(MESSAGE)) == [
        "message user: A question 1-10",
        f"  field Block-UUID ({UUID}) 1-1",
        "  field Component (UserMessage) 2-2",
        "  field Version (1.0.0) 3-3",
        "  field Description (A question) 4-4",
        "  field Language (markdown) 5-5",
        "  field Created-at (2025-04-22T00:56:02.060Z) 6-6",
        "  field Authors (Visitor (v1.0.0)) 7-7",
        f"  field Parent-UUID ({OTHER_UUID}) 8-8",
        "  field role (user) 10-10",
        "heading Example 15-25",
        "  heading Deeper 21-25",
        "heading End 25-26",
    ]


@table(
    "text, expected",
    {
        "no description: the first words": (
            "; role: user\n\n\n## How?\n",
            ["message user: How? 1-1", "  field role (user) 1-1", "heading How? 4-5"],
        ),
        "no role": ("; Version: 1\n\n\nHi\n", ["message message: Hi 1-1"]),
        "an answer": (
            "; role: assistant\n\n\nHi\n",
            ["answer assistant: Hi 1-1", "  field role (assistant) 1-1"],
        ),
        "a UUID alone": (f"; role: user\n{UUID}\n\n\nHi\n", ["message user: Hi 1-2"]),
        "an underlined heading in front of another": (
            "; role: user\n\n\nOne\n===\ntext\n\nTwo\n===\nmore\n",
            ["message user: One 1-1", "heading One 4-8", "heading Two 8-11"],
        ),
        "a heading in a fence is none": (
            "; role: user\n\n\n\\```\n# no\n\\```\n# yes\n",
            ["message user: no 1-1", "heading yes 7-8"],
        ),
        "nothing is said yet": (
            "; role: user\n\n\n",
            ["message user 1-1", "  field role (user) 1-1"],
        ),
        "nor by whom": ("; Block-UUID: x\n", ["message message 1-1"]),
        "a heading without words": ("; role: user\n\n\n#\n", ["heading (empty heading) 4-5"]),
    },
)
def test_names(text: str, expected: list[str]) -> None:
    found = lines(opened(text))
    assert [line for line in found if line in expected] == expected


def test_a_long_name_is_cut() -> None:
    document = opened(f"; Description: {'x' * 300}\n; role: user\n\n\nHi\n")
    (message,) = outline(snapshot_of(document))
    assert len(message.name) == 80
    assert len(message.children[0].detail) == 80
