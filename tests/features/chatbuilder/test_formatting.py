"""The formatter of messages."""

from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.readers.chatbuilder import read
from msgls.document.document import Document
from msgls.features.chatbuilder.formatting import format_document, format_range
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.text.spans import apply_edits
from tests.features.chatbuilder.support import MESSAGE, opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of


@table(
    "text, expected",
    {
        "tidy already": (MESSAGE, MESSAGE),
        "blanks": (
            ";Version:1.0.0  \n;   Component   :  x y\n; \n;\trole:\tuser\n\n\nHi  \n",
            "; Version: 1.0.0\n; Component: x y\n;\n; role: user\n\n\nHi  \n",
        ),
        "comments": (";a comment \n; role: user\n\n\nHi", "; a comment\n; role: user\n\n\nHi"),
        "no value": ("; Version:  \n; role: user\n\n\nHi\n", "; Version:\n; role: user\n\n\nHi\n"),
        "too many empty lines": ("; role: user\n\n\n\n\n\nHi\n", "; role: user\n\n\nHi\n"),
        "too few": ("; role: user\nHi\n\n\n\nHo\n", "; role: user\n\n\nHi\n\n\n\nHo\n"),
        "blanks in empty lines": ("; role: user\n \n\t\nHi\n", "; role: user\n\n\nHi\n"),
        "no body": (";role: user\n", "; role: user\n"),
        "no body yet": ("; role: user\n\n\n\n\n", "; role: user\n\n\n\n\n"),
        "no mark: not ours to mend": ("; a: b\nrole:user\n\n\nHi\n", "; a: b\nrole:user\n\n\nHi\n"),
        "CRLF": (";role: user\r\n\r\nHi\r\n", "; role: user\r\n\r\n\r\nHi\r\n"),
        "a byte-order mark": ("\ufeff;role:user\n\n\nHi\n", "\ufeff; role: user\n\n\nHi\n"),
        "no header": (";\n\n\nHi\n", ";\n\n\nHi\n"),
    },
)
def test_formatting(text: str, expected: str) -> None:
    assert apply_edits(text, format_document(snapshot_of(opened(text)))) == expected
    assert format_document(snapshot_of(opened(expected))) == []


def test_only_what_a_range_touches() -> None:
    marked = unmark(";a:b\n«;c:d»\n;e:f\n\n\n\nHi\n")
    document = opened(marked.text)
    edits = format_range(snapshot_of(document), marked.span())
    assert apply_edits(marked.text, edits) == ";a:b\n; c: d\n;e:f\n\n\n\nHi\n"


LINE = st.sampled_from(
    ["; role: user", ";role:me", ";", "; ", "Version: 1", "; x", " ; a: b", "", " ", "words", "# A"]
)


@given(st.lists(LINE, max_size=8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_message_stays_the_same(lines: list[str], newline: str) -> None:
    text = newline.join(lines)
    document = Document.open("messages/notes/1.md", text, CHATBUILDER)
    after = document.apply(format_document(snapshot_of(document)))
    assert read(after).messages == read(document).messages
    assert format_document(snapshot_of(after)) == []
