"""Which format a file is of, by its name and its first characters."""

import pytest

from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.document.document import Document
from msgls.formats.base import Format
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD
from msgls.formats.plain import PLAIN
from msgls.formats.registry import FORMATS, HEAD_LENGTH, detect
from msgls.text.spans import Span
from tests.notation import table

ACTIVE = "---\nmessage_section: true\n---\n"

FILES: dict[str, tuple[str, str, Format]] = {
    # *.msg.md
    "a message file": ("chat.msg.md", "# %% a\n", MSGMD),
    "an empty message file": ("chat.msg.md", "", MSGMD),
    "whatever is in it": ("chat.msg.md", "Just text.\n", MSGMD),
    "in a folder": ("a.b/c/chat.msg.md", "", MSGMD),
    "in capitals": ("CHAT.MSG.MD", "", MSGMD),
    "nothing but the ending": (".msg.md", "", MSGMD),
    "a message file that names a section": ("chat.msg.md", ACTIVE, MSGMD),
    "a folder with that ending": ("chat.msg.md/notes.txt", "", PLAIN),
    "another ending": ("chat.msg.markdown", "", PLAIN),
    "the ending without its dot": ("msg.md", "", PLAIN),
    # *.md with message_section
    "an activated file": ("notes.md", ACTIVE + "# Discussion\n", SECTIONED_MSGMD),
    "an activated file in capitals": ("NOTES.MD", ACTIVE, SECTIONED_MSGMD),
    "a name": ("notes.md", "---\nmessage_section: Talk\n---\n", SECTIONED_MSGMD),
    "among other keys": ("a.md", "---\na: 1\nmessage_section: Talk\nb: 2\n---\n", SECTIONED_MSGMD),
    "with CRLF": ("a.md", ACTIVE.replace("\n", "\r\n"), SECTIONED_MSGMD),
    "with CR": ("a.md", ACTIVE.replace("\n", "\r"), SECTIONED_MSGMD),
    "after a byte-order mark": ("a.md", "\ufeff" + ACTIVE, SECTIONED_MSGMD),
    "at the end of the file": ("a.md", "---\nmessage_section: true\n---", SECTIONED_MSGMD),
    "a quoted key": ("a.md", '---\n"message_section": Talk\n---\n', SECTIONED_MSGMD),
    # Any other *.md
    "no frontmatter": ("notes.md", "# Discussion\n\n# %% a\n", PLAIN),
    "a frontmatter without the key": ("notes.md", "---\ntitle: x\n---\n# %% a\n", PLAIN),
    "the key in prose": ("notes.md", "---\na: message_section\n---\n", PLAIN),
    "the key in a comment": ("notes.md", "---\n# message_section: true\n---\n", PLAIN),
    "the key further in": ("notes.md", "---\na:\n  message_section: true\n---\n", PLAIN),
    "the key below the frontmatter": ("notes.md", "---\na: 1\n---\nmessage_section: true\n", PLAIN),
    "a frontmatter that is not closed": ("notes.md", "---\nmessage_section: true\n", PLAIN),
    "a frontmatter that a marker ends": (
        "notes.md",
        "---\nmessage_section: true\n# %% a\n---\n",
        PLAIN,
    ),
    "not at the very start": ("notes.md", "\n" + ACTIVE, PLAIN),
    "broken YAML": ("notes.md", "---\nmessage_section: [\n---\n", PLAIN),
    "no mapping": ("notes.md", "---\n- message_section\n---\n", PLAIN),
    "an empty file": ("notes.md", "", PLAIN),
    "another ending with the key": ("notes.txt", ACTIVE, PLAIN),
    "no name": ("", "", PLAIN),
}


@table("row", FILES)
def test_detect(row: tuple[str, str, Format]) -> None:
    path, head, format = row
    assert detect(path, head) is format
    assert Document.open(path, head).format is format


def test_a_long_frontmatter_is_still_seen() -> None:
    filler = "".join(f"key{number}: value\n" for number in range(2_000))
    text = f"---\n{filler}message_section: true\n---\n"
    assert 16_384 < len(text) < HEAD_LENGTH
    assert detect("a.md", text) is SECTIONED_MSGMD


def test_names() -> None:
    assert {format.language_id for format in (MSGMD, SECTIONED_MSGMD)} == {"msgmd"}
    assert PLAIN not in FORMATS


PLAIN_TEXTS = [
    "",
    "# %% a [^a]\n\n[^a]: [code] ...\n```\n",
    "---\na: 1\n---\n#%% b\n",
    "\ufeff# %%",
]


@pytest.mark.parametrize("text", PLAIN_TEXTS)
def test_plain_text_is_held_and_never_judged(text: str) -> None:
    document = Document.open("notes.md", text)
    assert document.text == text
    assert "".join(placed.cell.text for placed in document.cells()) == text
    for placed in document.cells():
        cell = placed.cell
        assert cell.header is None
        assert cell.frontmatter is None
        assert not cell.frontmatter_closed
        assert cell.agent_block is None
        assert cell.body == Span(0, len(text))
        for part in ("definitions", "fences", "headings", "references", "near_misses"):
            assert getattr(cell, part) == ()
        for part in ("conflicts", "suppressions", "hidden_markers"):
            assert getattr(cell, part) == ()
        assert cell.facts == {}


def test_plain_text_holds_no_conversation() -> None:
    document = Document.open("notes.md", "# %% a\n")
    conversation = read_document(document)
    assert conversation.messages == ()
    assert write_as(PLAIN, conversation, document)[0] == "# %% a\n"
    assert write_as(PLAIN, conversation)[0] == ""


def test_plain_text_follows_edits() -> None:
    text = "word\n" * 10_000
    document = Document.open("notes.txt", text)
    assert document.cell_count == 1
    edited = document.edit(Span(25_000, 25_005), "# %% a\r\n")
    assert edited.cell_count == 1
    assert edited.text == text[:25_000] + "# %% a\r\n" + text[25_005:]


def test_an_edit_activates_a_plain_file() -> None:
    document = Document.open("notes.md", "---\ntitle: x\n---\n# Discussion\n# %% a\n")
    assert document.format is PLAIN
    active = document.edit(Span(4, 12), "message_section: true")
    assert active.format is SECTIONED_MSGMD
    assert active.cell_count == 2
    assert active.edit(Span(4, 25), "title: x").format is PLAIN
