"""Folding: messages, blocks and comments."""

from msgls.features.folding import folding
from msgls.syntax.nodes import FoldKind
from tests.features.stf.sample import opened
from tests.notation import table
from tests.snapshots import snapshot_of

FOLDS = {
    "messages": ("@user\nHi\n\n@ai\nHo\nHo\n", [(0, 1, "region"), (3, 5, "region")]),
    "a message of one line": ("@user\n\n@ai\n", []),
    "a block": ("@raw\n{\n}\n@end\n", [(0, 3, "region")]),
    "a block in a message": (";user\nHi\n;extra\n{}\n;end\n", [(0, 4, "region"), (2, 4, None)]),
    "a block that is not closed": (";user\n;extra\n{\n\n", [(0, 2, "region"), (1, 2, None)]),
    "a comment": ("@user\n@/* a\n@/* b\n@*/\n@*/\nHi\n", [(0, 5, "region"), (1, 4, "comment")]),
    "comments of a line": (
        "@# a\n@# b\n@user\nHi\n@# c\nHo\n@# d\n",
        [(0, 1, "comment"), (2, 6, "region")],
    ),
    "a comment that is not closed": ("@/*\nx\n\n", [(0, 1, "comment")]),
    "before the first message": (";meta\n{}\n;end\n;user\n", [(0, 2, None)]),
    "another line break": ("@user\r\nHi\r\n@ai\r\nHo", [(0, 1, "region"), (2, 3, "region")]),
    "nothing": ("", []),
}


@table("text, expected", FOLDS)
def test_folding(text: str, expected: list[tuple[int, int, str | None]]) -> None:
    found = folding(snapshot_of(opened(text)))
    kinds: dict[FoldKind | None, str | None] = {kind: kind.value for kind in FoldKind}
    kinds[None] = None
    assert [(fold.start_line, fold.end_line, kinds[fold.kind]) for fold in found] == expected
