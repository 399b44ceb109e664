"""A document is a snapshot: nothing of it can be set, and an edit leaves it as it is."""

import pytest

from msgls.document.document import Document
from msgls.text.spans import Span

TEXT = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\nText.\n"


@pytest.mark.parametrize("name", Document.__slots__)
def test_nothing_of_it_can_be_set_or_taken_away(name: str) -> None:
    document = Document.open("a.msg.md", TEXT)
    with pytest.raises(AttributeError, match="frozen"):
        setattr(document, name, None)
    with pytest.raises(AttributeError, match="frozen"):
        delattr(document, name)
    assert document.text == TEXT


def test_an_edit_gives_the_next_one() -> None:
    document = Document.open("a.msg.md", TEXT, version=1)
    after = document.edit(Span(0, 0), "x", 2)
    assert (document.text, document.version) == (TEXT, 1)
    assert (after.text, after.version) == ("x" + TEXT, 2)
