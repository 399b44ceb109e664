"""The formatter: what it tidies, what it leaves alone, and that the sense stays the same."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.features.msgmd.formatting import format_document, format_range
from msgls.text.spans import Span
from msgls.text.work import done
from tests.document.tracked import FRAGMENTS
from tests.features.msgmd.sample import CONVERSATION
from tests.formats.msgmd.made_up import message_files
from tests.snapshots import snapshot_of


def formatted(text: str, path: str = "chat.msg.md") -> str:
    document = Document.open(path, text)
    return document.apply(done(format_document(snapshot_of(document)))).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Headers.
        ("#   %%\tTitle   [^1]  \n", "# %% Title[^1]\n"),
        ("# %%[^1]\n", "# %% [^1]\n"),
        ("## %%%   [^1]\n", "## %%% [^1]\n"),
        ("# %% Two  blanks stay   \n", "# %% Two  blanks stay\n"),
        ("# %% a\\ [^1]\n", "# %% a\\ [^1]\n"),
        # The definition.
        ("# %% T[^1]\n[^1]: [markdown]\nHi\n", "# %% T[^1]\n\n[^1]: [markdown]\n\nHi\n"),
        ("# %% T[^1]\n\n\n  [^1]:[raw]\n\n\nHi\n", "# %% T[^1]\n\n[^1]: [raw]\n\nHi\n"),
        (
            "# %%% [^1]\n\n[^1]: [gpt]   reasoning='1'  time=2025-01-01T00:00:00Z name='a \"b\"'\n",
            '# %%% [^1]\n\n[^1]: [gpt] reasoning=1 time="2025-01-01T00:00:00Z" name="a \\"b\\""\n',
        ),
        ('# %% [^1]\n\n[^1]: [raw] a="C:\\x"\n', '# %% [^1]\n\n[^1]: [raw] a="C:\\\\x"\n'),
        # A definition that is away from home.
        (
            "# %% A[^1]\n\nHi\n\n# %% B[^2]\n\nYo\n\n[^1]: [raw]\n[^2]: [markdown]\n",
            "# %% A[^1]\n\n[^1]: [raw]\n\nHi\n\n# %% B[^2]\n\n[^2]: [markdown]\n\nYo\n",
        ),
        ("# %% A[^1]\n\nHi\n\n[^1]: [raw]\n\nYo\n", "# %% A[^1]\n\n[^1]: [raw]\n\nHi\n\n\nYo\n"),
        ("Words.\n\n[^1]: [raw]\n\n# %% A[^1]\n", "Words.\n\n# %% A[^1]\n\n[^1]: [raw]\n"),
        ("[^a]: [raw]\n# %% [^a]\n\nhi\n", "# %% [^a]\n\n[^a]: [raw]\n\nhi\n"),
        ("\ufeff[^a]: [raw]\n\n# %% [^a]\n", "\ufeff# %% [^a]\n\n[^a]: [raw]\n"),
        # Blank lines.
        ("# %% A\nHi\n# %% B\nYo", "# %% A\n\nHi\n\n# %% B\n\nYo\n"),
        ("# %% A\n\n\n\nHi\n \t\n\n# %% B\n\n\n", "# %% A\n\nHi\n\n# %% B\n"),
        ("---\na: 1\n---\n# %% A\n", "---\na: 1\n---\n\n# %% A\n"),
        ("Words\n\n\n\n# %% A\n", "Words\n\n# %% A\n"),
        # Line ends and the byte-order mark stay.
        (
            "\ufeff# %%  A[^1]\r\n[^1]:  [raw]\r\nHi\r\n",
            "\ufeff# %% A[^1]\r\n\r\n[^1]: [raw]\r\n\r\nHi\r\n",
        ),
        ("# %% A\rHi\r# %% B\r", "# %% A\r\rHi\r\r# %% B\r"),
        ("# %% A\nHi\nHo\r\n# %% B\r\nYo", "# %% A\n\nHi\nHo\r\n\r\n# %% B\r\n\r\nYo\r\n"),
    ],
)
def test_what_is_tidied(before: str, after: str) -> None:
    assert formatted(before) == after
    assert formatted(after) == after


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\nJust words, and no cell.\n\n\n",
        # Blank lines before dashes keep them from being a frontmatter.
        "\n\n---\na: 1\n---\n\n# %% A\n",
        # Line ends that are not all alike.
        "# %% A[^1]\r\n\n[^1]: [raw]\n\r\nHi\r\n\n# %% B\n\r\nYo\r\n",
        "Words\r\n\n# %% A\n",
        # Content.
        "# %% A\n\n  indented  \n\n\n\n* a\n\n\n| b |  c |\n",
        "# %% A\n\n```\n\n\n# %%   no header   [^1]\n[^1]:   [x]\n\n\n```\n",
        "# %% A\n\n```\nopen\n\n\n",
        "# %% A\n\n\\# %%   escaped\n",
        # Footnotes of the prose, definitions of nobody, damaged ones.
        "# %% A\n\nText[^n]\n\n[^n]:   a note\n\n[^zz]:   [raw]   a = 1\n",
        # What cannot be read in full is not written again.
        '# %% A[^1]\n\n[^1]: [raw]   a = 1   b="open\n\nHi\n',
        # Two definitions: which of them is meant?
        "# %% A[^1]\n\nHi\n\n[^1]: [raw]\n\n[^1]: [markdown]\n",
        # A frontmatter that is not closed.
        "---\na: 1\n\n\n\n# %% A\n",
        CONVERSATION,
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert formatted(text) == text


def test_other_files_are_left_alone() -> None:
    assert formatted("# %%   A\n", "notes.md") == "# %%   A\n"


def test_in_a_section_only_the_record_is_tidied() -> None:
    before = (
        "---\nmessage_section: Talk\n---\n\n#  %%  before\n\n# Talk\n\n#  %%  A[^1]\n[^1]: [raw]\n"
    )
    after = before.replace("#  %%  A[^1]\n", "# %% A[^1]\n\n")
    assert formatted(before, "notes.md") == after


def test_a_definition_that_ends_a_list_stays_where_it_is() -> None:
    # Without the line, the fence in the list item would go on.
    text = "# %% A[^1]\n\n- ```\n  a\n[^2]: [raw]\n  # b\n\n# %% B[^2]\n\nHi\n"
    assert messages(formatted(text)) == messages(text)


def messages(text: str, path: str = "chat.msg.md") -> object:
    document = Document.open(path, text)
    return read_document(document).messages


_fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)
_texts = message_files() | _fragments


@given(_texts, st.sampled_from(["chat.msg.md", "notes.md"]))
@example("# %% [^m1]\n[^m1]: [gpt]\nx\n", "chat.msg.md")
def test_formatting_keeps_the_messages_and_is_idempotent(text: str, path: str) -> None:
    once = formatted(text, path)
    assert messages(once, path) == messages(text, path)
    assert formatted(once, path) == once


@given(_texts)
def test_only_blanks_headers_and_definitions_change(text: str) -> None:
    def words(source: str) -> list[str]:
        document = Document.open("chat.msg.md", source)
        kept = []
        for placed in document.cells():
            lines = placed.cell.text[placed.cell.body.start :].replace("\r", "\n").split("\n")
            kept += [line for line in lines if line.strip(" \t") and "[^" not in line]
        return kept

    assert words(formatted(text)) == words(text)


def tidied(text: str, start: int, end: int) -> str:
    document = Document.open("chat.msg.md", text)
    return document.apply(format_range(snapshot_of(document), Span(start, end))).text


def test_a_range_tidies_the_cells_that_it_touches() -> None:
    one, two, three = "# %%  A\nHi\n", "#  %% B\n\n\nHo\n\n", "#  %%  C\n"
    tidy = "# %% A\n\nHi\n\n", "# %% B\n\nHo\n\n", "# %% C\n"
    text = one + two + three
    first, second = len(one), len(one + two)
    assert tidied(text, 0, 0) == tidy[0] + two + three
    assert tidied(text, first - 1, first) == tidy[0] + two + three
    assert tidied(text, first, first) == one + tidy[1] + three
    assert tidied(text, first + 1, second + 1) == one + tidy[1] + tidy[2]
    assert tidied(text, 0, len(text)) == formatted(text)


def test_a_range_moves_no_definition() -> None:
    text = "# %% A[^1]\n\nHi\n\n# %%  B[^2]\n\nHo\n\n[^1]: [raw]\n"
    assert tidied(text, 0, len(text)) == text.replace("%%  B", "%% B")
    assert format_range(snapshot_of(Document.open("notes.md", "#  %% A\n")), Span(0, 8)) == []


@given(_texts, st.floats(0, 1), st.floats(0, 1))
def test_a_range_keeps_the_messages(text: str, one: float, other: float) -> None:
    start, end = sorted((int(one * len(text)), int(other * len(text))))
    assert messages(tidied(text, start, end)) == messages(text)
