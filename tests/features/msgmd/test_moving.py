"""Links that follow the files that they lead to."""

import pytest

from msgls.document.document import Document
from msgls.features.moving import moved_links, mover
from msgls.text.spans import apply_edits
from tests.snapshots import snapshot_of

HEAD = "# %% [^q1]\n\n[^q1]: [markdown]\n\n"


@pytest.mark.parametrize(
    ("link", "moves", "expected"),
    [
        ("a.txt", [("/w/a.txt", "/w/b.txt")], "b.txt"),
        ("./a.txt", [("/w/a.txt", "/w/b.txt")], "./b.txt"),
        ("./a.txt", [("/w/a.txt", "/b.txt")], "../b.txt"),
        ("d/a.txt", [("/w/d", "/w/e")], "e/a.txt"),
        ("d/", [("/w/d", "/w/e")], "e/"),
        ("d/a.txt", [("/w/d", "/w/e"), ("/w/d/a.txt", "/w/x.txt")], "x.txt"),
        ("../a.txt", [("/a.txt", "/w/a.txt")], "a.txt"),
        ("a%20b.txt", [("/w/a b.txt", "/w/c d.txt")], "c%20d.txt"),
        ("a.txt", [("/w/a.txt", "/w/a(1).txt")], "a%281%29.txt"),
        ("图.png", [("/w/图.png", "/w/画.png")], "画.png"),
        ("a.txt#top", [("/w/a.txt", "/w/b.txt")], "b.txt#top"),
        # Untouched: another file, a longer name, a fragment alone, an address.
        ("a.txt", [("/w/b.txt", "/w/c.txt")], "a.txt"),
        ("dd/a.txt", [("/w/d", "/w/e")], "dd/a.txt"),
        ("#top", [("/w", "/v")], "#top"),
        ("https://example.org/a.txt", [("/w/a.txt", "/w/b.txt")], "https://example.org/a.txt"),
        # The document moves as well.
        ("a.txt", [("/w/chat.msg.md", "/v/chat.msg.md")], "../w/a.txt"),
        ("a.txt", [("/w", "/v")], "a.txt"),
        ("../a.txt", [("/w", "/v/w")], "../../a.txt"),
    ],
)
def test_a_link_in_the_prose(link: str, moves: list[tuple[str, str]], expected: str) -> None:
    text = f"{HEAD}See [it]({link}).\n"
    document = Document.open("/w/chat.msg.md", text)
    edits = list(moved_links(snapshot_of(document), "/w/chat.msg.md", mover(moves)))
    assert apply_edits(text, edits) == f"{HEAD}See [it]({expected}).\n"


def test_an_output_file_is_written_as_it_is() -> None:
    text = '# %%% [^c1.1]\n\n[^c1.1]: [python] status="success" output_file="a.txt"\n'
    document = Document.open("/w/chat.msg.md", text)
    edits = list(
        moved_links(snapshot_of(document), "/w/chat.msg.md", mover([("/w/a.txt", "/w/b c.txt")]))
    )
    assert apply_edits(text, edits) == text.replace("a.txt", "b c.txt")
