"""Objects that are broken in the middle: what stands around the break is still read."""

import pytest

from msgls.formats.jsontree import parse
from msgls.formats.msgjson.pieces import NO_INDENT, Frame, walk


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('{"a" @:}', ["a"]),
        ('{"a" @: 1}', ["a"]),
        ('{"a" @:, "b": 2}', ["a", "b"]),
        ('{"a": , "b": 2}', ["a", "b"]),
    ],
)
def test_each_key_is_read_once(text: str, keys: list[str]) -> None:
    tree = parse(text)
    assert tree.root is not None
    assert [member.key for member in tree.root.members] == keys
    assert tree.errors


def test_every_break_is_told() -> None:
    tree = parse('{"a" @:}x')
    assert {error.span.of(tree.text) for error in tree.errors} == {"@", "x"}


def test_what_stands_in_a_value_of_a_broken_object() -> None:
    tree = parse('[{a: 1, "@b": {"c": [1]}}, "d": {}}]')
    found = tree.find((0, "@b", "c", 0))
    assert found is not None
    assert found.value.span.of(tree.text) == "1"


@pytest.mark.parametrize(
    ("text", "indent"),
    [
        ('{"a": 1,\n', "0"),
        ('  {"a": 1,\n', "2"),
        ('\t{"a":\n', "t"),
        ('\n    {"a":\n', "4"),
        ('\r\n  {"a"\r\n', "2"),
        # Too deep, or not at the start of its line.
        ('     {"a":\n', NO_INDENT),
        (', {"a":\n', NO_INDENT),
        ('1, {"a":\n', NO_INDENT),
    ],
)
def test_an_open_element_remembers_how_it_is_indented(text: str, indent: str) -> None:
    found = walk(text, Frame(in_array=True, expects=","))
    assert (found.frame.depth, found.frame.indent) == (1, indent)
