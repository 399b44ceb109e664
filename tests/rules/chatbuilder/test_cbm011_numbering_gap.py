"""CBM011: the numbers of a folder have no gaps."""

import pytest

from msgls.document.snapshot import Surroundings
from tests.rules.chatbuilder.support import WHOLE
from tests.rules.support import expect, expect_nothing, fixes

CODE = "CBM011"
SOURCE = "; role: user\n\n\nHello\n"
MARKED = "«; role: user»\n\n\nHello\n"


def folder(*names: str) -> Surroundings:
    return Surroundings(neighbours=frozenset(names))


@pytest.mark.parametrize(
    ("own", "names", "message"),
    [
        (
            "3.md",
            ("1.md", "3.md"),
            "the message before this one is missing: there is no `2.md` here",
        ),
        (
            "5.md",
            ("1.md", "2.md", "5.md", "9.md"),
            "the messages before this one are missing: `3.md` to `4.md` are not here",
        ),
        ("2.md", ("2.md",), "the message before this one is missing: there is no `1.md` here"),
        ("10.md", ("8.md", "10.md", "11.md"), None),
        # Other names are not numbers.
        ("2.md", ("1.txt", "1.md.bak", "a1.md", "2.md"), None),
    ],
)
def test_found(own: str, names: tuple[str, ...], message: str | None) -> None:
    messages = [message] if message else []
    path = f"messages/notes/{own}"
    expect(CODE, MARKED, *messages, path=path, surroundings=folder(*names))


@pytest.mark.parametrize(
    ("own", "names"),
    [
        ("1.md", ("1.md", "3.md")),
        ("2.md", ("1.md", "2.md", "3.md")),
        ("10.md", ("9.md", "10.md")),
        ("02.md", ("01.md", "02.md")),
        ("0.md", ("0.md",)),
        ("1.md", ("0.md", "1.md")),
        # What lies around is not known.
        ("7.md", ()),
    ],
)
def test_nothing_is_found(own: str, names: tuple[str, ...]) -> None:
    path = f"messages/notes/{own}"
    expect_nothing(CODE, SOURCE, path=path, surroundings=folder(*names))


def test_only_the_later_one_of_two_tells() -> None:
    around = folder("1.md", "3.md")
    expect_nothing(CODE, WHOLE, path="messages/notes/1.md", surroundings=around)


def test_a_message_without_a_header() -> None:
    around, path = folder("3.md"), "messages/notes/3.md"
    expect(CODE, "«»Hello\n; x\n", path=path, surroundings=around)


def test_no_fix_knows_what_is_missing() -> None:
    assert fixes(CODE, SOURCE, path="messages/notes/3.md", surroundings=folder("3.md")) == []
