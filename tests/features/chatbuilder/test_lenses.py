"""Code lenses of a message: which of how many it is, and the way to the others."""

from msgls.document.document import Document
from msgls.document.snapshot import Surroundings
from msgls.features.actions import cell_actions
from msgls.features.command_table import BY_ID
from msgls.features.lenses import lens_text, lenses
from msgls.formats.chatbuilder import CHATBUILDER
from tests.features.chatbuilder.support import around, opened
from tests.notation import table
from tests.snapshots import snapshot_of

USER = "; role: user\n\n\nHi\n"
SEVEN = [f"{number}.md" for number in range(1, 8)]
PREVIOUS, NEXT, NEW = "Previous message", "Next message", "Create the next message"


def said(document: Document, surroundings: Surroundings) -> list[str]:
    titles: list[str] = []
    for lens in lenses(snapshot_of(document, surroundings)):
        placed = document.cell(lens.label)
        assert lens.line == placed.start_line == 0
        title, command, _ = lens_text(snapshot_of(document, surroundings), placed, lens.what)
        twins = {action.command for action in cell_actions(snapshot_of(document, surroundings), 0)}
        assert not command or (command in twins and command in BY_ID)
        titles.append(title)
    return titles


@table(
    "name, text, names, expected",
    {
        "in the middle": ("3.md", USER, SEVEN, ["message 3 of 7 · user", PREVIOUS, NEXT]),
        "the first": ("1.md", USER, SEVEN, ["message 1 of 7 · user", NEXT]),
        "the last": ("7.md", USER, SEVEN, ["message 7 of 7 · user", PREVIOUS, NEW]),
        "the only one": ("1.md", USER, ["1.md"], ["message 1 of 1 · user", NEW]),
        "by number, not by name": (
            "10.md",
            USER,
            ["1.md", "2.md", "10.md", "11.md"],
            ["message 3 of 4 · user", PREVIOUS, NEXT],
        ),
        "after a gap": ("4.md", USER, ["1.md", "4.md"], ["message 2 of 2 · user", PREVIOUS, NEW]),
        "other files do not count": (
            "2.md",
            USER,
            ["1.md", "2.md", "notes.md", "3.txt", "4.md.bak", "x5.md"],
            ["message 2 of 2 · user", PREVIOUS, NEW],
        ),
        "not saved yet": ("3.md", USER, ["1.md", "2.md"], ["message 3 of 3 · user", PREVIOUS, NEW]),
        "without a role": ("1.md", "; role: me\n\n\nHi\n", SEVEN, ["message 1 of 7", NEXT]),
        "outside of the workspace": ("3.md", USER, [], ["message 3 · user"]),
    },
)
def test_what_they_say(name: str, text: str, names: list[str], expected: list[str]) -> None:
    assert said(opened(text, name), around(names)) == expected


def test_a_file_without_a_number_has_none() -> None:
    document = Document.open("untitled:Untitled-1", USER, CHATBUILDER)
    assert said(document, around(SEVEN)) == []


def test_a_lens_whose_folder_has_changed_says_nothing() -> None:
    document = opened(USER, "2.md")
    found = list(lenses(snapshot_of(document, around(["1.md", "2.md", "3.md"]))))
    now = around(["2.md"])
    titles = [
        lens_text(snapshot_of(document, now), document.cell(lens.label), lens.what)[:2]
        for lens in found
    ]
    assert titles == [("message 1 of 1 · user", ""), ("", ""), ("", "")]
