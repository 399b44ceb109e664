"""Growing selections: each one larger than the one before it."""

from itertools import pairwise

from msgls.document.document import Document
from msgls.features.selection import selection_spans
from tests.snapshots import snapshot_of

TEXT = """\
# %% Question[^q1]

[^q1]: [markdown] history="exclude"

One paragraph here.

# %%% Answer[^a1]

[^a1]: [gpt]

Text.

# %% Next[^q2]
"""


def grown(text: str, at: str, path: str = "a.msg.md") -> list[str]:
    """What is selected, step by step, with the cursor at the start of ``at``."""
    document = Document.open(path, text)
    return [span.of(text) for span in selection_spans(snapshot_of(document), text.index(at) + 1)]


def test_a_word_an_attribute_a_line_a_cell_a_turn_and_all() -> None:
    steps = grown(TEXT, "exclude")
    assert steps[0] == "exclude"
    assert steps[1] == '"exclude"'
    assert steps[2] == 'history="exclude"'
    assert steps[3] == '[^q1]: [markdown] history="exclude"'
    assert steps[-3] == TEXT[: TEXT.index("# %%% Answer")]
    assert steps[-2] == TEXT[: TEXT.index("# %% Next")]
    assert steps[-1] == TEXT


def test_every_step_covers_the_one_before_it() -> None:
    document = Document.open("a.msg.md", TEXT)
    for offset in range(len(TEXT) + 1):
        spans = selection_spans(snapshot_of(document), offset)
        assert all(span.contains(offset) for span in spans)
        for inner, outer in pairwise(spans):
            assert outer.covers(inner)
            assert outer != inner


def test_a_fenced_block_grows_from_its_content() -> None:
    text = "# %% Q\n\nBefore.\n\n```py\none\n\ntwo\n```\n"
    steps = grown(text, "one")
    assert "one\n\ntwo\n" in steps
    assert "```py\none\n\ntwo\n```" in steps


def test_an_empty_document_has_one_empty_selection() -> None:
    assert selection_spans(snapshot_of(Document.open("a.msg.md", "")), 0) == [(0, 0)]
