"""Which line break a file uses: the first one, even where it is the first character."""

from __future__ import annotations

import pytest

from msgls.formats.msgmd.edits import line_break_of
from tests.conversation.writers.test_msgmd import opened


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
    assert line_break_of(opened(text)) == line_break
