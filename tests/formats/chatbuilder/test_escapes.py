r"""The one escape: a backslash before three or more backticks that start a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.formats.chatbuilder.escapes import can_be_escaped, escape, masked, unescape

TEXTS = [
    ("\\```py\nx\n\\```", "```py\nx\n```"),
    ("\\`````", "`````"),
    ("a\r\\```\r\\```\r\n\\```", "a\r```\r```\r\n```"),
    ("~~~", "~~~"),
    ("``\n`", "``\n`"),
    # Nothing else is one.
    ("say \\```", "say \\```"),
    (" \\```", " \\```"),
    ("\\``", "\\``"),
    ("\\~~~", "\\~~~"),
    ("\\*a\\*", "\\*a\\*"),
    ("  ```", "  ```"),
    ("a\u2028\\```", "a\u2028\\```"),
    ("\\\\```", "\\\\```"),
]


@pytest.mark.parametrize(("written", "said"), TEXTS)
def test_reading_and_writing(written: str, said: str) -> None:
    assert unescape(written) == said
    assert escape(said) == written
    assert len(masked(written)) == len(written)


@pytest.mark.parametrize(("written", "said"), [("```", "```"), ("a\n```\n\\```", "a\n```\n```")])
def test_what_is_not_escaped_is_read_as_it_is(written: str, said: str) -> None:
    assert unescape(written) == said


@pytest.mark.parametrize("text", ["\\```", "a\n\\````", "a\r\\```"])
def test_a_backslash_of_its_own_cannot_be_said(text: str) -> None:
    assert not can_be_escaped(text)
    assert unescape(escape(text)) != text


@given(st.text("`\\\r\n a\u2028", max_size=30))
def test_whatever_can_be_said_comes_back(text: str) -> None:
    assert (unescape(escape(text)) == text) is can_be_escaped(text)
