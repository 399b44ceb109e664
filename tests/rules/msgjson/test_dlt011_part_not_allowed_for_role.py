"""DLT011: parts that do not suit the role."""

import pytest

from tests.formats.msgjson.made_up import call, entry, message, part, result, said
from tests.rules.msgjson.marked import DELTAS, SESSION, at, expect_lines, expect_no_lines
from tests.rules.support import expect, expect_follows

CODE = "DLT011"
PARTS = {
    "text": said("x"),
    "thinking": part("thinking", text="x"),
    "tool_call": call(),
    "tool_result": result(),
    "image": part("image", mimeType="image/png", url="u"),
    "file_ref": part("file_ref", path="p"),
}
ALLOWED = {
    "system": {"text", "thinking"},
    "user": {"text", "image", "file_ref"},
    "assistant": {"text", "thinking", "tool_call"},
    "tool": {"tool_result"},
}


@pytest.mark.parametrize("role", ALLOWED)
@pytest.mark.parametrize("kind", PARTS)
def test_which_parts_suit_which_role(role: str, kind: str) -> None:
    wire = message(role, PARTS[kind])
    if kind in ALLOWED[role]:
        expect_no_lines(CODE, wire)
    else:
        expect_lines(CODE, at(wire, kind))


def test_the_text_names_both_and_entries_are_looked_into() -> None:
    expect(
        CODE,
        at(entry("message", message("user", call())), "tool_call"),
        "a message with the role `user` cannot have a part of kind `tool_call`",
        path=SESSION,
    )


def test_what_is_in_a_result_may_be_anything() -> None:
    expect_no_lines(CODE, message("tool", result("c1", [said("x"), call()])))


def test_it_follows_edits() -> None:
    source = at(message("user", call()))
    assert expect_follows(CODE, source, ('"user"', '"assistant"'), path=DELTAS) == [1, 0]
