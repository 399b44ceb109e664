"""Folding in a message."""

from msgls.features.folding import folding
from tests.features.chatbuilder.support import MESSAGE, opened
from tests.notation import table
from tests.snapshots import snapshot_of


def folds(text: str) -> list[tuple[int, int, str | None]]:
    """First and last line, from 1, and what is shown."""
    return [(f.start_line + 1, f.end_line + 1, f.text) for f in folding(snapshot_of(opened(text)))]


def test_header_sections_and_fences() -> None:
    assert folds(MESSAGE) == [
        (1, 10, "header · user"),
        (15, 23, None),
        (17, 19, None),
        (21, 23, None),
    ]


@table(
    "text, expected",
    {
        "a header of one line": ("; role: user\n\n\nHi\n", []),
        "a header without a role": ("; a: b\n; c: d\n\n\nHi\n", [(1, 2, "header")]),
        "a fence that nothing closes": ("; role: user\n\n\n```\na\nb\n", [(4, 6, None)]),
        "two headings in one cell": (
            "; role: user\n\n\nA\n=\na\n\nB\n=\nb\n",
            [(4, 6, None), (8, 10, None)],
        ),
        "a section with nothing in it": ("; role: user\n\n\n# A\n\n# B\n", []),
        "lines that end in CR": ("; a: b\r; role: user\r\r\r# A\rtext\r", None),
    },
)
def test_near_misses(text: str, expected: list[tuple[int, int, str | None]] | None) -> None:
    if expected is None:
        expected = folds(text.replace("\r", "\n"))
        assert expected
    assert folds(text) == expected
