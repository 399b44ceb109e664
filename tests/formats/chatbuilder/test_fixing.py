"""Fixing a message: what is safe, what is left, and that a second time changes nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.readers.chatbuilder import read
from msgls.document.document import Document
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.rules.checker import Checker
from msgls.rules.fixing import fix_all
from msgls.rules.registry import RULES
from tests.formats.chatbuilder.test_incremental import FRAGMENTS
from tests.snapshots import snapshot_of

PATH = "messages/notes/1.md"
CHECKED = [rule for rule in RULES if rule.is_for(CHATBUILDER)]
UUID = "32d9afc7-aeac-4a67-ba94-0c92678604a1"


def fixed(text: str, unsafe: bool = False) -> str:
    document = Document.open(PATH, text)
    return fix_all(snapshot_of(document), CHECKED, lambda _: True, unsafe).document.text


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_all_that_is_safe(newline: str) -> None:
    before = f"{UUID}\n; Component: X\nrole: user\n\nHello\n```\nx\n```\n"
    after = f"; Block-UUID: {UUID}\n; Component: X\n;\n; role: user\n\n\nHello\n\\```\nx\n\\```\n"
    assert fixed(before.replace("\n", newline)) == after.replace("\n", newline)


def test_what_is_not_safe_is_left() -> None:
    for text in (
        "; role: usr\n\n\nx\n",
        "; A: b\n\n\nx\n",
        "; Verison: 1\n;\n; role: user\n\n\nx\n",
    ):
        assert fixed(text) == text


def test_a_header_that_says_all_nothing_is_wrong_with() -> None:
    text = fixed("; role: assisant\n\n\n# Hello\n", unsafe=True)
    assert "; role: assistant\n\n\n# Hello\n" in text
    assert Checker(snapshot_of(Document.open(PATH, text)), CHECKED).problems() == []


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join))
def test_a_second_time_changes_nothing_and_the_message_stays(text: str) -> None:
    once = fixed(text)
    assert fixed(once) == once
    before, after = Document.open(PATH, text), Document.open(PATH, once)
    if before.format.name == "chatbuilder":
        assert read(after).messages == read(before).messages


def test_a_comment_silences_a_rule_in_the_file() -> None:
    text = "; msgls: ignore CBM005, unescaped-fence\n;\n; role: user\n\n\n# A\n```\nx\n```\n"
    document = Document.open(PATH, text)
    assert Checker(snapshot_of(document), CHECKED).problems() == []
    heard = text.replace("CBM005, ", "")
    found = Checker(snapshot_of(Document.open(PATH, heard)), CHECKED).problems()
    assert [problem.code for problem in found] == ["CBM005"]
