"""Hover in a message."""

from msgls.document.snapshot import Surroundings
from msgls.features.hover import hover
from msgls.features.markup import plain
from tests.features.chatbuilder.support import FOLDER, OTHER_UUID, UUID, around, opened
from tests.notation import mark, table, unmark
from tests.snapshots import snapshot_of


def said(source: str, surroundings: Surroundings | None = None) -> tuple[str, str]:
    """What the hover is of, marked, and what it says."""
    marked = unmark(source)
    found = hover(snapshot_of(opened(marked.text), surroundings or around()), marked.cursor)
    if found is None:
        return "", ""
    return mark(marked.text, [("", found.span)]), plain(found.parts)


@table(
    "source, expected, words",
    {
        "a field, on its name": (
            "; «Ver¦sion: 1.0.0»\n; role: user\n\n\nHi\n",
            None,
            "a semantic version",
        ),
        "a field, on its value": (
            "; «Authors: Vis¦itor»\n; role: user\n\n\nHi\n",
            None,
            "Value: Name (vX.Y.Z), several with commas",
        ),
        "what every message should have": ("; «Component¦:»\n", None, "every message should"),
        "what it may have": ("; «Parent¦-UUID: N/A»\n", None, "comes from"),
        "the role": ("; «ro¦le: user»\n", None, "Value: user, assistant, system"),
        "a role": ("; role: «assist¦ant»\n", None, "The model that answers."),
        "a role that is none": ("; «role: me¦»\n", None, "The author of the message."),
        "a rule": ("; msgls: ignore CBM005, «cbm0¦09»\n", None, "CBM009: unescaped-fence"),
        "our own field": ("; «msgls: ig¦nore CBM005»\n", None, "Rules that are suppressed"),
        "a field that nobody knows": ("; Mo¦od: good\n", "", ""),
        "a comment": ("; some wo¦rds\n", "", ""),
        "a field in the body": ("; role: user\n\n\nVersion¦: 1.0.0\n", "", ""),
    },
)
def test_fields(source: str, expected: str | None, words: str) -> None:
    where, text = said(source)
    assert where == (source.replace("¦", "") if expected is None else expected)
    assert words in text


HEADS = {
    ("Block-UUID", OTHER_UUID): (f"{FOLDER}/2.md", "/chats/messages/old/7.md"),
    ("Parent-UUID", UUID): (f"{FOLDER}/3.md",),
}


@table(
    "source, words",
    {
        "its own": (
            f"; Block-UUID: «{UUID[:5]}¦{UUID[5:]}»\n; role: user\n",
            ["This message has it.", "1 message comes from it:", "3.md"],
        ),
        "in other letters": (
            f"; Block-UUID: «{UUID.upper()}¦»\n; role: user\n",
            ["This message has it.", "3.md"],
        ),
        "one that others have too": (
            f"; Block-UUID: «¦{OTHER_UUID}»\n; role: user\n",
            ["2 other messages do:", "2.md", "../old/7.md"],
        ),
        "of another message": (
            f"; Parent-UUID: «¦{OTHER_UUID}»\n; role: user\n",
            ["2 other messages have it:", "2.md", "../old/7.md"],
        ),
        "of nobody": (
            "; Parent-UUID: «¦00000000-0000-0000-0000-000000000000»\n; role: user\n",
            ["No message has it here."],
        ),
        "in the body": (
            f"; role: user\n\n\nSee ({OTHER_UUID}) and («{UUID}¦»).\n",
            ["No message has it here.", "1 message comes from it:"],
        ),
    },
)
def test_uuids(source: str, words: list[str]) -> None:
    where, text = said(source, around((), HEADS))
    assert where == source.replace("¦", "")
    assert [word for word in words if word not in text] == []


def test_many_files_are_not_all_named() -> None:
    heads = {("Block-UUID", UUID): tuple([f"{FOLDER}/{n}.md" for n in range(2, 30)])}
    _, text = said(f"; Parent-UUID: ¦{UUID}\n", around((), heads))
    assert "9.md" in text
    assert "10.md" not in text
    assert "and 20 more" in text


def test_a_longer_word_is_not_a_uuid() -> None:
    assert said(f"; role: user\n\n\nx{UUID}¦\n") == ("", "")
    assert said(f"; role: user\n\n\n{UUID}¦-1\n") == ("", "")
