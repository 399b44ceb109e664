"""A body less its definitions, wherever those stand."""

import pytest

from msgls.conversation.cell_visibility import plain_content
from msgls.formats.msgmd.meaning import meaning_of
from tests.conversation.writers.test_msgmd import opened

OWN, B, C = "[^a]: [bot]\n", "[^b]: [bot]\n", "[^c]: [bot]\n"


@pytest.mark.parametrize(
    ("body", "content"),
    [
        ("", ""),
        ("text\n", "text"),
        (OWN + "text\n", "text"),
        ("\n" + OWN + "\ntext\n", "text"),
        # Those of other cells, at the very start of the body or after the own one.
        (B + C + "text\n", "text"),
        (OWN + B + C + "text\n", "text"),
        (OWN + "one\n" + B + "two\n" + C, "one\n\ntwo"),
        # A footnote is content.
        (OWN + "text\n\n[^n]: A note.\n", "text\n\n[^n]: A note."),
        (OWN + B + "text\n\n[^n]: A note.\n", "text\n\n[^n]: A note."),
    ],
)
def test_the_content_of_a_body(body: str, content: str) -> None:
    document = opened("# %%% A[^a]\n" + body)
    (placed,) = document.cells()
    meaning = meaning_of(document, placed)
    assert plain_content(meaning) == content
