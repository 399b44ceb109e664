r"""Whether a text has a ``\r`` that no ``\n`` follows."""

import pytest

from msgls.text.lines import has_lone_carriage_return


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        ("a\nb", False),
        ("a\r\nb\r\n", False),
        ("a\rb", True),
        ("\r", True),
        ("a\r\r\n", True),
        ("a\r\nb\r", True),
        ("\n\r\n\n", False),
    ],
)
def test_lone_carriage_returns(text: str, expected: bool) -> None:
    assert has_lone_carriage_return(text) is expected
