"""The section of a plain Markdown file that holds the record."""

from collections.abc import Iterator

import pytest

from msgls.conversation.cell_visibility import cell_sights
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.formats.msgmd import MSGMD, SectionedMessageFile
from msgls.formats.msgmd.section import (
    Section,
    count_headings_after,
    headings_after,
    section_headings,
    section_label,
    section_of,
)
from msgls.formats.registry import detect
from msgls.text.spans import Span
from msgls.text.tokens import ESTIMATE
from tests.formats.msgmd.reading import documents, with_every_line_end
from tests.notation import mark, normal, table, unmark

HEAD = "---\nmessage_section: Talk\n---\n"

# The section's headings, the headings that misplace it, and what is recorded.
SECTIONS = {
    # The heading
    "an ATX heading": HEAD + "\n# Notes\n\n«section|# Talk»«record|\n\n# %% a\n»",
    "any level": HEAD + "«section|###### Talk»«record|\n\n# %% a\n»",
    "a setext heading": HEAD + "«section|Talk\n====»«record|\n\n# %% a\n»",
    "a setext heading of level two": HEAD + "«section|Talk\n-»«record|\n\n# %% a\n»",
    "whatever the case": HEAD + "«section|## tALK»«record|\n»",
    "emphasis aside": HEAD + "«section|## **Talk**»«record|\n\n# %% a\n»",
    "underlined emphasis aside": HEAD + "«section|## _Ta lk_»«record|\n\n# %% a\n»",
    "trimmed": HEAD + "«section|##   Talk  ##  »«record|\n»",
    "a setext heading, trimmed": HEAD + "«section|   Talk \n==== »«record|\n»",
    "at the end of the file": HEAD + "«section|# Talk»«record|»",
    "another heading": HEAD + "# Talks\n\n# Our talk\n«record|»",
    "no heading": HEAD + "Talk\n\n# %% a\n«record|»",
    "no text": "---\nmessage_section: Talk\n---«record|»",
    "a heading in a fence does not count": HEAD + "```\n# Talk\n```\n«record|»",
    "an escaped heading does not count": HEAD + "\\# Talk\n> # Talk\n    # Talk\n«record|»",
    "a title does not count": HEAD + "# %% Talk\n«record|»",
    "a comment in the frontmatter does not count": (
        "---\n# Talk\nmessage_section: Talk\n---\n«record|»"
    ),
    # Two of them
    "two headings": HEAD + "«section|# Talk»«record|\n\n«section|# Talk»\n\n# %% a\n»",
    "two headings of different levels": (
        HEAD + "«section|# Talk»«record|\n\n«section|## talk»\n\n# %% a\n»"
    ),
    "a second one in an answer": HEAD
    + "«section|# Talk»«record|\n\n# %%% a\n\n«section|# Talk»\n»",
    "a second one in a fence": HEAD + "«section|# Talk»«record|\n\n# %%% a\n\n```\n# Talk\n```\n»",
    "a second one as a title": HEAD + "«section|# Talk»«record|\n\n# %%% Talk\n»",
    "two in one cell": (
        HEAD + "«section|# Talk»«record|\n# %% a\n«section|# Talk»\n\n«section|Talk\n---»\n»"
    ),
    # Misplaced, and no marker follows
    "a heading that looks like another section": (
        HEAD + "«section|# Talk»«record|\n\n# %% a\n\n«follower|# Later»\n\ntext\n»"
    ),
    "one of a higher level than the section": (
        HEAD + "«section|## Talk»«record|\n\n# %% a\n\n«follower|# Later»\n»"
    ),
    "a setext heading in a cell": (
        HEAD + "«section|## Talk»«record|\n\n## %% a\n\n«follower|Later\n---»\n»"
    ),
    "headings that are deeper than their cell are part of it": (
        HEAD + "«section|## Talk»«record|\n\n# %%% a\n\n## Step 1\n\nStep 2\n---\n»"
    ),
    "as deep as their cell, and deeper than the section": (
        HEAD + "«section|# Talk»«record|\n\n## %%% a\n\n## Step 1\n»"
    ),
    "another section after an empty one": (
        HEAD + "«section|# Talk»«record|\n\n»«follower|# Later»\n"
    ),
    "several after it": (
        HEAD + "«section|# Talk»«record|\n# %% a\n«follower|# B»\n## C\n«follower|# D»\n»"
    ),
    "deeper headings do not misplace it": (
        HEAD + "«section|# Talk»«record|\n\n## About\n\n# %% a\n\n## Plan\n\nx\n---\n»"
    ),
    "headings before it do not misplace it": (
        HEAD + "# A\n\n# B\n\n«section|# Talk»«record|\n\n# %% a\n»"
    ),
    "headings in fences do not misplace it": (
        HEAD + "«section|# Talk»«record|\n\n# %%% a\n\n```\n# Later\n```\n»"
    ),
    "what is nearly a marker does not misplace it": (
        HEAD + "«section|###### Talk»«record|\n\n#%% a\n\n###### %% a\n»"
    ),
    "what an unclosed fence hides does not misplace it": (
        HEAD + "«section|# Talk»«record|\n\n# %%% a\n\n```\n# Later\n# %% b\n»"
    ),
    # Misplaced, and markers follow
    "a heading in an answer that markers follow": (
        HEAD + "«section|# Talk»«record|\n# %%% a\n\n«follower|# Plan»\n\ntext\n\n# %% b\n»"
    ),
    "one that markers follow, and one that none follows": (
        HEAD + "«section|# Talk»«record|\n# %%% a\n«follower|# Plan»\n# %% b\n"
        "«follower|# Later»\ntext\n»"
    ),
    "before the first marker of the section": (
        HEAD + "«section|# Talk»«record|\n\n«follower|# Other»\n\n# %% a\n»"
    ),
    "a temporary agent's block does not misplace it": (
        HEAD + "«section|## Talk»«record|\n\n# %% [^a]\n\n"
        "[^a]: [raw] definition=agent name=x\n\n---\n# Note\nmodels: [m]\n---\n»"
    ),
    # Markers before it
    "a marker before it": HEAD + "# %% a\n\n«section|# Talk»«record|\n\n# %% b\n»",
    "only markers before it": HEAD + "# %% a\n\n# %%% b\n\n«section|# Talk»«record|\n»",
    "a marker before it, a section after it": (
        HEAD + "# %% a\n\n«section|# Talk»«record|\n\n»«follower|# Later»\n"
    ),
    # Names
    "true means Discussion": (
        "---\nmessage_section: true\n---\n# true\n\n«section|# Discussion»«record|\n»"
    ),
    "no value means Discussion": (
        "---\nmessage_section:\n---\n«section|# Discussion»«record|\n\n# %% a\n»"
    ),
    "null means Discussion": (
        "---\nmessage_section: ~\n---\n«section|# Discussion»«record|\n\n# %% a\n»"
    ),
    "the name is trimmed": "---\nmessage_section: '  Talk '\n---\n«section|# Talk»«record|\n»",
    "another script": "---\nmessage_section: 讨论\n---\n«section|## 讨论»«record|\n\n# %% a\n»",
    "case beyond ASCII": "---\nmessage_section: STRASSE\n---\n«section|## Straße»«record|\n»",
    "a number": "---\nmessage_section: 2025\n---\n«section|## 2025»«record|\n»",
    "after a byte-order mark": "\ufeff" + HEAD + "«section|# Talk»«record|\n»",
}


def _parts(section: Section) -> Iterator[tuple[str, Span]]:
    for heading in section.headings:
        yield "section", heading.span
    for heading in section.followers:
        yield "follower", heading.span
    yield "record", section.record


@with_every_line_end
@table("source", SECTIONS)
def test_sections(source: str, line_end: str) -> None:
    source = source.replace("\n", line_end)
    text = unmark(source).text
    for document in documents(text, "notes.md"):
        section = section_of(document)
        assert section is not None
        assert mark(text, _parts(section)) == normal(source)


@table("source", SECTIONS)
def test_the_short_ways_agree(source: str) -> None:
    """What a rule asks at each key is answered by the index, and must be the same."""
    for document in documents(unmark(source).text, "notes.md"):
        section = section_of(document)
        assert section is not None
        assert section_headings(document) == list(section.headings)
        if not section.headings:
            assert section_label(document) == -1
            continue
        first = section.headings[0]
        assert list(headings_after(document, first)) == list(section.followers)
        assert count_headings_after(document, first) == len(section.followers)
        inside = [cell for cell in document.cells() if cell.label > section_label(document)]
        starts = [cell for cell in document.cells() if cell.start_offset >= section.record.start]
        assert inside == starts


def test_the_name_of_the_section() -> None:
    for written, name in {"Talk": "Talk", "true": "Discussion", "' Our talk '": "Our talk"}.items():
        document = Document.open("a.md", f"---\nmessage_section: {written}\n---\n")
        section = section_of(document)
        assert section is not None
        assert section.name == name


def test_the_name_where_none_is_written_can_be_another() -> None:
    format = SectionedMessageFile("Gespräch")
    for written, name in {"true": "Gespräch", "Discussion": "Discussion"}.items():
        text = f"---\nmessage_section: {written}\n---\n# Gespräch\n# Discussion\n"
        document = Document.open("a.md", text, format).edit(Span(len(text), len(text)), "# %% a\n")
        section = section_of(document)
        assert section is not None
        assert section.name == name
        assert [placed.heading.text for placed in section.headings] == [name]


# Where all of the file is the record, or nothing is.
NO_SECTIONS = {
    "a message file": ("a.msg.md", HEAD + "# Talk\n\n# %% a\n"),
    "a message file in capitals": ("A.MSG.MD", HEAD + "# Talk\n"),
    "a plain file": ("a.md", "# Discussion\n\n# %% a\n"),
    "a plain file with a frontmatter": ("a.md", "---\ntitle: x\n---\n# Discussion\n"),
    "switched off": ("a.md", "---\nmessage_section: false\n---\n# Discussion\n"),
    "an empty file": ("a.md", ""),
}


@table("row", NO_SECTIONS)
def test_files_without_a_section(row: tuple[str, str]) -> None:
    path, text = row
    for document in documents(text, path):
        assert section_of(document) is None


def test_a_message_file_without_a_name_has_no_section() -> None:
    """As in an editor, before it is saved: its format is given, and all of it is the record."""
    text = "---\nmessage_section: Talk\n---\n\n# %% Hi [^m1]\n\n[^m1]: [markdown]\n"
    document = Document.open("Untitled-1", text, MSGMD)
    assert section_of(document) is None
    assert [cell.sight for cell in cell_sights(document, ESTIMATE)] == [Sight.SEEN]


@pytest.mark.parametrize("edit", ["# Later\n", "# Talk\n", "text\n", "# %% b\n"])
def test_the_section_after_an_edit(edit: str) -> None:
    """What the index keeps of headings follows the text."""
    text = HEAD + "# Talk\n\n# %% a\n\n"
    edited = Document.open("a.md", text).edit(Span(len(text), len(text)), edit)
    fresh = Document.open("a.md", text + edit)
    assert detect("a.md", text).name == "msgmd"
    found, expected = section_of(edited), section_of(fresh)
    assert found is not None
    assert expected is not None
    assert mark(fresh.text, _parts(found)) == mark(fresh.text, _parts(expected))
