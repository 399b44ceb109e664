"""Which line break a file uses: the first one, even where it is the first character."""

import pytest

from msgls.document.document import Document


@pytest.mark.parametrize(
    ("text", "line_break"),
    [
        ("", "\n"),
        ("# %% a", "\n"),
        ("a\nb\r\n", "\n"),
        ("a\r\nb\n", "\r\n"),
        ("a\rb\n", "\r"),
        ("\nb\r", "\n"),
        ("\r\nb\n", "\r\n"),
        ("\rb\n", "\r"),
        ("\u2028a\r", "\r"),
    ],
)
def test_the_first_line_break(text: str, line_break: str) -> None:
    assert Document.open("a.msg.md", text).newline == line_break
