"""Which lines are fences: as markdown-it says, but for what stands in a container or in HTML.

SPEC: the fence is indented by up to three spaces. Containers (block quotes, list items) are not
followed, but for the item that a fence opens; docs/decisions/004 says why. The exceptions are
named here. Of the 655 examples in CommonMark's specification (March 2026; 652 of them are in
0.31.2), as bodies of cells, four give other fences: the first four of ``EXCEPTIONS``.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from msgls.document.document import Document

_MARKDOWN = MarkdownIt("commonmark")
_HEADER = "# %% Title[^a]\n\n[^a]: [markdown]\n\n"
Fences = list[tuple[int, int]]

# Without a list, a block quote or HTML.
LINES = [
    "",
    "text",
    "   text",
    "    text",
    "\ttext",
    *("```", "````", "~~~", "~~~~~", "```py", "``` py x", "~~~ a`b", "```a`b"),
    *(" ```", "  ~~~", "   ```", "    ```", "\t```", "  \t~~~"),
    *("``` ", "~~~\t", "``", "~~", "```~~~", "~~~```", "`` ```", "\\```"),
    *("---", "===", "***", "# heading", "[a]: b"),
]

# A text, the lines of its fences as markdown-it has them, and as we do.
EXCEPTIONS: dict[str, tuple[str, Fences, Fences]] = {
    "in a block quote": ("> ```\n> a\n> ```\n", [(0, 3)], []),
    "a block quote ends it": ("> ```\nfoo\n```\n", [(0, 1), (2, 3)], [(2, 3)]),
    "right after HTML": ("<div></div>\n``` c\nint x = 33;\n```\n", [], [(1, 4)]),
    "in an item, by four or more": ("1.  a\n\n    ```\n    b\n    ```\n", [(2, 5)], []),
    "in an item, by a tab": ("- a\n\t```\n\tb\n\t```\n", [(1, 4)], []),
    "an item ends what a line below its first opened": ("- a\n  ```\n\nb\n", [(1, 3)], [(1, 4)]),
    "an item that cannot interrupt a paragraph": ("a\n10) ```\n    b\n", [], [(1, 3)]),
}


def _theirs(text: str) -> Fences:
    fences = [token.map for token in _MARKDOWN.parse(text) if token.type == "fence"]
    return [(lines[0], lines[1]) for lines in fences if lines is not None]


def _ours(text: str) -> Fences:
    document = Document.open("a.msg.md", _HEADER + text)
    found = []
    for placed in document.cells():
        for fence in placed.cell.fences:
            start, end = fence.span.shift(placed.start_offset)
            found.append(_lines(document.text, start, end))
    return found


def _lines(text: str, start: int, end: int) -> tuple[int, int]:
    above = _HEADER.count("\n")
    after = text.count("\n", 0, end) + (text[end - 1] != "\n")
    return text.count("\n", 0, start) - above, after - above


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=12))
def test_fences_are_those_of_markdown_it(lines: list[str]) -> None:
    text = "\n".join([*lines, ""])
    assert _ours(text) == _theirs(text)


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exceptions_are_these(name: str) -> None:
    text, theirs, ours = EXCEPTIONS[name]
    assert _theirs(text) == theirs
    assert _ours(text) == ours


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_a_fence_that_only_markdown_it_sees_can_hide_no_marker(name: str) -> None:
    """A marker starts its line, and so ends every container: nothing there is taken for a cell."""
    text, theirs, ours = EXCEPTIONS[name]
    lines = text.split("\n")
    for start in {start for start, _ in theirs} - {start for start, _ in ours}:
        marked = "\n".join([*lines[: start + 1], "# %% Marker", *lines[start + 1 :]])
        opened = [end for first, end in _theirs(marked) if first == start]
        assert opened == [start + 1]
