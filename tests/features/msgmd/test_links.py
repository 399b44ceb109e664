"""Links: which places name a file beside the document."""

import pytest

from msgls.document.document import Document
from msgls.features.links import links
from msgls.lsp.handlers.links import resolve
from tests.rules.support import unmark
from tests.snapshots import snapshot_of

DEFINITION = "# %%% O[^c.1]\n\n[^c.1]: [python] "


@pytest.mark.parametrize(
    "marked",
    [
        DEFINITION + 'output_file="«out/plot.png»"\n',
        DEFINITION + "output_file=«plot.png»\n",
        '# %% Q\n\nSee [the docs](«docs/a.md») and ![a](«b.png» "title").\n',
        "Before any cell: [x](«../up.md»)\n",
        # No link: elsewhere, absolute, or in a fence.
        "# %% Q\n\n[a](https://example.org/x) [b](#top) [c](/etc/passwd) [d](mailto:x)\n",
        "# %% Q\n\n```\n[a](b.md)\n```\n",
        DEFINITION + 'output_file=""\n',
    ],
)
def test_where_links_stand(marked: str) -> None:
    text, spans = unmark(marked)
    document = Document.open("a.msg.md", text)
    found = [link.span.shift(placed.start_offset) for placed, link in links(snapshot_of(document))]
    assert sorted(found) == spans


@pytest.mark.parametrize(
    ("target", "uri"),
    [
        ("plot.png", "file:///project/chats/plot.png"),
        ("../a b.md", "file:///project/a%20b.md"),
        ("图.png", "file:///project/chats/%E5%9B%BE.png"),
        ("a.md#part", "file:///project/chats/a.md#part"),
        ("out\\plot.png", "file:///project/chats/out/plot.png"),
    ],
)
def test_where_links_lead(target: str, uri: str) -> None:
    assert resolve("file:///project/chats/a.msg.md", target) == uri
