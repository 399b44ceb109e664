"""Which files are ChatBuilder messages, and what they are called."""

from msgls.document.document import Document
from msgls.formats.base import Format
from msgls.formats.chatbuilder import CHATBUILDER, message_number
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD
from msgls.formats.plain import PLAIN
from msgls.formats.registry import detect, format_of_language, may_hold
from msgls.text.spans import Span
from tests.notation import table

UUID = "32d9afc7-aeac-4a67-ba94-0c92678604a1"

FILES: dict[str, tuple[str, str, Format]] = {
    # A number, and a first line with a semicolon, wherever it lies.
    "a message": ("1.md", "; role: user\n\n\nHello\n", CHATBUILDER),
    "in a folder": ("analyzers/default/12.md", ";\n", CHATBUILDER),
    "nothing but a semicolon": ("1.md", ";", CHATBUILDER),
    "after a byte-order mark": ("1.md", "\ufeff; role: user", CHATBUILDER),
    "in capitals": ("1.MD", "; role: user", CHATBUILDER),
    "with zeros": ("007.md", "; role: user", CHATBUILDER),
    "with backslashes": ("a\\b\\1.md", "; role: user", CHATBUILDER),
    "no number": ("notes.md", "; role: user", PLAIN),
    "a letter in it": ("1a.md", "; role: user", PLAIN),
    "another ending": ("1.txt", "; role: user", PLAIN),
    "other digits": ("١.md", "; role: user", PLAIN),
    "not in the first line": ("1.md", "Hello\n; role: user\n", PLAIN),
    "an indented semicolon": ("1.md", " ; role: user\n", PLAIN),
    "an empty file": ("1.md", "", PLAIN),
    "a number with a message file's ending": ("1.msg.md", "; role: user", MSGMD),
    "a numbered file that names a section": (
        "1.md",
        "---\nmessage_section: true\n---\n; role: user\n",
        SECTIONED_MSGMD,
    ),
    # In messages/<kind>/ a telling line does, among the first 20.
    "a role": ("messages/notes/1.md", "Hello\nrole: user\n", CHATBUILDER),
    "a semicolon": ("a/messages/notes/1.md", "Hello\n; x\n", CHATBUILDER),
    "a UUID": ("messages/notes/1.md", f"<!--\nBlock-UUID: {UUID}\n-->\n", CHATBUILDER),
    "in line 20": ("messages/notes/1.md", "x\n" * 19 + "; role: user", CHATBUILDER),
    "in line 21": ("messages/notes/1.md", "x\n" * 20 + "; role: user", PLAIN),
    "with CRLF, in line 20": ("messages/n/1.md", "x\r\n" * 19 + "role: user", CHATBUILDER),
    "with CR, in line 21": ("messages/n/1.md", "x\r" * 20 + "role: user", PLAIN),
    "with backslashes too": ("a\\messages\\notes\\1.md", "role: user", CHATBUILDER),
    "no telling line": ("messages/notes/1.md", "Hello\nmy role: user\n", PLAIN),
    "no kind": ("messages/1.md", "Hello\nrole: user\n", PLAIN),
    "too deep": ("messages/notes/more/1.md", "Hello\nrole: user\n", PLAIN),
    "another folder": ("message/notes/1.md", "Hello\nrole: user\n", PLAIN),
    "not a line's start": ("messages/notes/1.md", "a; b\u2028; role: user\n", PLAIN),
    # Never below trees/.
    "trees": ("trees/help/1.md", "; role: user\n", PLAIN),
    "deep below trees": ("a/trees/b/c/1.md", "; role: user\n", PLAIN),
    "messages below trees": ("trees/messages/notes/1.md", "; role: user\n", PLAIN),
    "nearly trees": ("trees2/help/1.md", "; role: user\n", CHATBUILDER),
}


@table("row", FILES)
def test_detect(row: tuple[str, str, Format]) -> None:
    path, head, format = row
    assert detect(path, head) is format
    assert Document.open(path, head).format is format


def test_names() -> None:
    assert format_of_language("chatbuilder") is CHATBUILDER
    assert may_hold("1.md")
    assert not CHATBUILDER.is_certain("1.md")


def test_an_edit_makes_it_one_and_none_again() -> None:
    document = Document.open("1.md", "role: user\n\n\n# Hello\n")
    assert document.format is PLAIN
    message = document.edit(Span(0, 0), "; ")
    assert message.format is CHATBUILDER
    assert message.cell_count == 2
    assert message.edit(Span(0, 1), "").format is PLAIN


def test_numbers() -> None:
    assert [message_number(path) for path in ("a/3.md", "b\\04.MD", "x.md", "3.md/x")] == [
        3,
        4,
        None,
        None,
    ]
    assert message_number("1" * 250 + ".md") == int("1" * 250)
    assert message_number("1" * 5000 + ".md") is None
