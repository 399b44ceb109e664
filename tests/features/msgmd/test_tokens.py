"""Semantic tokens: which piece of a cell is what, and how little is sent when it changes."""

import pytest

from msgls.document.document import Document
from msgls.features.legend import MODIFIERS, TYPES
from msgls.features.tokens import tokens as found_tokens
from msgls.lsp.handlers.tokens import difference
from tests.snapshots import snapshot_of


def tokens(text: str) -> list[tuple[str, str]]:
    """Each token's text and type, with its modifiers."""
    document = Document.open("a.msg.md", text)
    found = []
    for placed, cell_tokens in found_tokens(snapshot_of(document)):
        for token in cell_tokens:
            names = [name for bit, name in enumerate(MODIFIERS) if token.modifiers >> bit & 1]
            kind = ".".join([TYPES[token.type], *names])
            found.append((placed.cell.text[token.start : token.end], kind))
    return found


def test_a_header_and_its_definition() -> None:
    text = '## %%% T[^a1.9f3c.1]\n\n[^a1.9f3c.1]: [tool] status="success" duration=5\n'
    assert tokens(text) == [
        ("## %%%", "keyword.modification"),
        ("a1", "variable.declaration"),
        ("9f3c", "enumMember.declaration"),
        ("1", "number.declaration"),
        ("a1", "variable.definition"),
        ("9f3c", "enumMember.definition"),
        ("1", "number.definition"),
        ("tool", "type"),
        ("status", "property"),
        ('"success"', "string"),
        ("duration", "property"),
        ("5", "number"),
    ]


def test_streams_references_and_pragmas() -> None:
    text = "# %% Q[^c]\n\n[^c]: [code]\n\nsee[^x]\n<!-- msgls: ignore MSG105 -->\n"
    assert ("x", "variable") in tokens(text)
    assert ("<!-- msgls: ignore MSG105 -->", "comment") in tokens(text)
    run = '# %%% O[^c.1]\n\n[^c.1]: [python] status="success"\n\nstdout> a\nstderr> b\n'
    assert tokens(run)[-2:] == [("stdout>", "macro"), ("stderr>", "macro.deprecated")]


def test_nothing_in_a_fence_is_coloured() -> None:
    assert tokens("# %% Q\n\n```\n# %% R[^r]\n\n[^r]: [markdown]\n```\n") == [("# %%", "keyword")]


@pytest.mark.parametrize(
    ("before", "now", "edits"),
    [
        ([1, 2, 3], [1, 2, 3], []),
        ([], [1, 2], [(0, 0, [1, 2])]),
        ([1, 2, 3], [1, 9, 3], [(1, 1, [9])]),
        ([1, 1, 1], [1, 1], [(2, 1, [])]),
        ([1, 2], [0, 1, 2], [(0, 0, [0])]),
    ],
)
def test_only_what_differs_is_sent(
    before: list[int], now: list[int], edits: list[tuple[int, int, list[int]]]
) -> None:
    found = difference(before, now)
    assert [(e["start"], e["deleteCount"], e["data"]) for e in found] == edits
    for edit in found:
        before = [
            *before[: edit["start"]],
            *edit["data"],
            *before[edit["start"] + edit["deleteCount"] :],
        ]
    assert before == now
