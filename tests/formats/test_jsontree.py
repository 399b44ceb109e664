"""JSON with positions: paths and spans, on good, broken and hostile texts."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.formats.jsontree import DEEPEST, JsonTree, JsonValue, parse, source_offset, strict_error
from tests.notation import each
from tests.rules.support import unmark
from tests.strategies import json_values


def spans(tree: JsonTree) -> list[str]:
    return [value.span.of(tree.text) for value in tree.walk()]


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), '{"a": {"b": [1, "x"]}, "é": null}', None),
        (("a",), '{"b": [1, "x"]}', '"a"'),
        (("a", "b"), '[1, "x"]', '"b"'),
        (("a", "b", 0), "1", None),
        (("a", "b", 1), '"x"', None),
        (("é",), "null", '"é"'),
    ],
)
@each("before", ["", "\ufeff", " \n\t", "\r\n"])
def test_a_path_leads_to_key_and_value(
    path: tuple[str | int, ...], value: str, key: str | None, before: str
) -> None:
    tree = parse(before + '{"a": {"b": [1, "x"]}, "é": null}')
    found = tree.find(path)
    assert found is not None
    assert found.value.span.of(tree.text) == value
    assert (found.key_span.of(tree.text) if found.key_span else None) == key
    assert tree.span_of(path).of(tree.text) == value
    assert tree.errors == ()


@pytest.mark.parametrize("path", [("x",), (0,), ("a", 0), ("a", "b", 2), ("a", "b", -1)])
def test_a_path_that_leads_nowhere_points_at_the_opening(path: tuple[str | int, ...]) -> None:
    tree = parse('{"a": {"b": [1, 2]}}')
    assert tree.find(path) is None
    assert tree.span_of(path).of(tree.text) in "{["


def test_a_key_is_read_with_its_escapes() -> None:
    tree = parse(r'{"a\u0062\n": 1, "\ud83d\ude00": 2, "\ud800": 3}')
    assert tree.root is not None
    assert [member.key for member in tree.root.members] == ["ab\n", "😀", "\ud800"]


def test_of_two_keys_the_last_one_counts() -> None:
    tree = parse('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}')
    assert tree.span_of(("a",)).of(tree.text) == "3"
    assert tree.span_of(("b", "c")).of(tree.text) == "2"


def test_characters_beyond_ascii_are_one_each() -> None:
    tree = parse('{"😀é": ["\u2028", "文"], "b": "\ud800 lone", "c": 7}')
    assert tree.span_of(("😀é", 1)).of(tree.text) == '"文"'
    assert tree.span_of(("b",)).of(tree.text) == '"\ud800 lone"'
    assert tree.span_of(("c",)).of(tree.text) == "7"


@pytest.mark.parametrize(
    ("marked", "path"),
    [
        ('{"a": «|1», "b": 2}', ("a",)),
        ('{"a|": 1}', ("a",)),
        ('{"a": [1, {"b": |2}]}', ("a", 1, "b")),
        ("|{}", ()),
        ('{"a": 1|', ("a",)),
        ('{"a": {"b": "x|', ("a", "b")),
    ],
)
def test_a_cursor_is_at_a_path(marked: str, path: tuple[str | int, ...]) -> None:
    text = marked.replace("«", "").replace("»", "")
    offset = text.index("|")
    tree = parse(text.replace("|", ""))
    found = tree.path_at(offset)
    # What is not closed is not a value yet: the cursor is in the object around it.
    assert found == path or found == path[:-1]


# -- broken ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "marked",
    [
        '{"a": «}»',
        '{"a" «1»}',
        '{"a": «tru»}',
        '{"a": «"»x',
        '{"a": 1 «"»b": 2}',
        "[1 «2»]",
        '{"a": 1} «x»',
        "«/»/ no\n{}",
        '{"a": "x«\n»"}',
        "[«NaN»]",
        '{"NaN": "NaN", "a": «-Infinity»}',
        '{"a": 0«1»}',
        "\ufeff[«x»]",
        '["é😀" «2»]',
        '{"a": [1, 2«]»',
    ],
)
def test_the_first_error_is_where_strict_json_ends(marked: str) -> None:
    text, expected = unmark(marked)
    error = strict_error(text)
    assert error is not None
    assert error.span == expected[0]
    assert error.reason
    assert parse(text).errors[0] == error


def test_later_errors_are_found_too() -> None:
    tree = parse('{"a": , "b": [1 2], "c": }')
    assert len(tree.errors) >= 2
    assert tree.span_of(("b", 1)).of(tree.text) in "12"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('{"a": 1, "b": ', ["a", "b"]),
        ('{"a": 1, "b', ["a"]),
        ('{"a": {"b": [1, {"c": "x', ["a", "b", "c"]),
        ('{"agents": [{"name": "A", "path": "', ["agents", "name", "path"]),
        ('{"a": 1,}', ["a"]),
        ('{"a": 1 "b": 2}', ["a", "b"]),
        ('{"a": 1, "b"}', ["a", "b"]),
    ],
)
def test_what_is_half_written_keeps_its_keys(text: str, keys: list[str]) -> None:
    tree = parse(text)
    found = [member.key for value in tree.walk() for member in value.members]
    assert [key for key in keys if key not in found] == []
    assert tree.errors != ()


@pytest.mark.parametrize("text", ["", " ", "\n", "\ufeff"])
def test_nothing_is_not_json(text: str) -> None:
    tree = parse(text)
    assert tree.root is None
    assert tree.find(()) is None
    assert len(tree.errors) == 1
    assert tree.span_of(("a",)).end <= len(text)


# How deep is too deep for ``json``, versions of Python differ in.
@pytest.mark.parametrize("text", ["[" * 5_000, '{"a":' * 5_000, "[" * 100_000 + "]" * 100_000])
def test_depth_is_bounded(text: str) -> None:
    tree = parse(text)
    assert tree.errors != ()
    depth, value = 0, tree.root
    while value is not None and (value.items or value.members):
        value = value.items[0] if value.items else value.members[0].value
        depth += 1
    assert depth <= DEEPEST + 1


def test_what_is_half_written_keeps_its_order() -> None:
    tree = parse('{"a": [{"b": 1}, {"c": 2}, {"d": "')
    assert [[m.key for m in v.members] for v in tree.walk() if v.kind == "object"][1:] == [
        ["b"],
        ["c"],
        ["d"],
    ]
    tree = parse('[{"a": {"x": 1}, "b": 2, "c": {"y": ')
    assert [m.key for v in tree.walk() for m in v.members][:3] == ["a", "b", "c"]


def test_a_number_of_very_many_digits_is_an_error_and_no_crash() -> None:
    error = strict_error('{"a": ' + "1" * 5_000 + "}")
    assert error is not None
    assert error.span == (6, 5_006)


@given(json_values(), st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_value_is_where_it_is_written(value: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    tree = parse(text)
    assert tree.errors == ()
    assert tree.root is not None
    todo: list[tuple[Any, JsonValue]] = [(value, tree.root)]
    for expected, found in todo:
        assert json.loads(found.span.of(text)) == expected
        if isinstance(expected, dict):
            todo += [(expected[member.key], member.value) for member in found.members]
            assert {member.key for member in found.members} == set(expected)
        elif isinstance(expected, list):
            todo += list(zip(expected, found.items, strict=True))


@given(st.text(st.sampled_from('{}[],:"\\ntrue1.- \n/é😀\ud800\ufeff'), max_size=40))
def test_any_text_gives_a_tree_with_spans_inside(text: str) -> None:
    tree = parse(text)
    for value in tree.walk():
        assert 0 <= value.span.start <= value.span.end <= len(text)
    for error in tree.errors:
        assert 0 <= error.span.start <= error.span.end <= len(text)
    assert bool(tree.errors) == (strict_error(text) is not None)


@given(st.text(max_size=20), st.booleans())
def test_a_character_of_a_string_is_found_in_its_literal(said: str, ascii_only: bool) -> None:
    literal = json.dumps(said, ensure_ascii=ascii_only)
    for index, character in enumerate(said):
        start, end = source_offset(literal, index), source_offset(literal, index + 1)
        assert json.loads(f'"{literal[start:end]}"') == character
    assert source_offset(literal, len(said)) == len(literal) - 1


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param('"k" 1,', id="no colons"),
        pytest.param("{", id="opened and never closed"),
        pytest.param("]", id="closed and never opened"),
    ],
)
def test_a_long_text_that_is_broken_throughout_is_read_to_some_way_after_the_first_error(
    broken: str,
) -> None:
    good = '{"agents": [{"name": "first", "path": "a.py"}, '
    text = good + broken * (200_000 // len(broken))
    tree = parse(text)
    assert tree.span_of(("agents", 0, "name")).of(text) == '"first"'
    # From Python 3.13 on, the error is the comma that comes before.
    assert tree.errors[0].span.start >= good.rindex(",")
    assert all(error.span.end < len(good) + 20_000 for error in tree.errors[1:])


def test_a_long_text_with_one_slip_is_read_up_to_it() -> None:
    agents = ", ".join(f'{{"name": "a{number}", "path": "x"}}' for number in range(5_000))
    text = '{"agents": [' + agents.replace('"name": "a4000"', '"name" "a4000"') + "]}"
    tree = parse(text)
    assert tree.span_of(("agents", 3_999, "name")).of(text) == '"a3999"'
    assert len(tree.errors) == 1
