"""JSON5 by the library: values, and where a fault stands."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.formats.json5 import (
    MOST_NESTED,
    elements,
    finite,
    is_too_deep,
    members,
    parse,
    parse_object,
)
from tests.formats.stf.reading import opened, said


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "{a: 1, 'b': .5, \"c\": +2, d: 0x1F, e: [1, 2,],}",
            {"a": 1, "b": 0.5, "c": 2, "d": 31, "e": [1, 2]},
        ),
        ("// note\n{/* more */ a: 'it\\'s'}", {"a": "it's"}),
        ("'a\\\nb'", "ab"),
        ("'\u2028\ud83d'", "\u2028\ud83d"),
        ("\ufeff\u00a0{}", {}),
        ("1e3", 1000.0),
    ],
)
def test_values(text: str, value: Any) -> None:
    assert parse(text) == (value, None)


@pytest.mark.parametrize(
    ("text", "key", "blamed"),
    [
        ("", "empty", ""),
        (" \n", "empty", " \n"),
        ("{a: 1", "open", "{"),
        ("[1, 2", "open", "["),
        ("{a: 'x}", "open", "'"),
        ("{a: 1} /* x", "open", "/*"),
        ("{a: }", "unexpected", "}"),
        ("{a: 1,, b: 2}", "unexpected", ","),
        ("{a 1}", "unexpected", "1"),
        ("{a: [1}", "unexpected", "}"),
        ("{é: 😀}", "unexpected", "😀"),
        ("{a: undefined}", "unexpected", "u"),
        ("{a: 1} b c", "after", "b c"),
        ("{a: 1}}", "after", "}"),
        ("{a: 1.2.3}", "number", "1.2.3"),
        ("{a: 0x}", "number", "0x"),
        ("{a: " + "9" * 5_000 + "}", "number", "9" * 5_000),
        ("[" * (MOST_NESTED + 1), "deep", "["),
        ("[1]", "object", "[1]"),
        (" 'a'", "object", "'a'"),
    ],
)
def test_faults(text: str, key: str, blamed: str) -> None:
    problem = parse_object(text).problem
    assert problem is not None
    assert (problem.key, problem.span.of(text)) == (key, blamed)


@pytest.mark.parametrize("opening", ["[", "{a:", "[{a:", '{"a":['])
@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("count", [10_000, 1_000_000])
def test_deep_nesting_is_refused(opening: str, closed: bool, count: int) -> None:
    closing = opening.translate({ord("["): "]", ord("{"): "}", ord("a"): "", ord(":"): "", 34: ""})
    text = opening * count + ("1" + closing[::-1] * count if closed else "")
    problem = parse(text).problem
    assert problem is not None
    assert problem.key == "deep"


def test_the_same_depth_is_refused_in_either_syntax() -> None:
    for count in range(MOST_NESTED - 2, MOST_NESTED + 3):
        strict = "[" * count + "1" + "]" * count
        loose = "[" * count + "'1'" + "]" * count
        assert (parse(strict).problem is None) == (parse(loose).problem is None)
        assert (parse(strict).problem is None) == (count <= MOST_NESTED)


def test_a_file_full_of_brackets_is_read() -> None:
    text = "@raw\n" + "[" * 200_000 + "\n@end\n@user " + "{a:" * 200_000 + "\nHello\n"
    assert said(text)[1] == ("user", "Hello")
    assert opened(text).cell_count == 2


@given(st.text(st.sampled_from("{}[]:,'\"/*\\ab1.-+eE \n\u2028"), max_size=25))
def test_nothing_raises_and_spans_are_inside(text: str) -> None:
    problem = parse_object(text).problem
    if problem is not None:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
        assert problem.span.start < problem.span.end or not text
    for member in members(text):
        assert member.key_span.end <= member.value_span.start < member.value_span.end <= len(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{a: 1, 'b': {c: [2, 3]}, }", [("a", "1"), ("b", "{c: [2, 3]}")]),
        ("{a: 1, a: 2}", [("a", "1"), ("a", "2")]),
        ("{a: '}' /* , */, b: - 1}", [("a", "'}'"), ("b", "- 1")]),
        ("{}", []),
    ],
)
def test_members_have_places(text: str, found: list[tuple[str, str]]) -> None:
    assert [(m.key, m.value_span.of(text)) for m in members(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[1, {a: [2, 3]}, [4],]", ["1", "{a: [2, 3]}", "[4]"]),
        ("[ ']' /* , */, - 1]", ["']'", "- 1"]),
        ("[]", []),
    ],
)
def test_elements_have_places(text: str, found: list[str]) -> None:
    assert [span.of(text) for span in elements(text)] == found


def test_what_json_cannot_say_is_nothing() -> None:
    assert finite({"a": [math.inf, -math.inf, math.nan, 1.5]}) == {"a": [None, None, None, 1.5]}


def test_depth_is_measured_without_recursion() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    assert is_too_deep(value)
    assert not is_too_deep([[{"a": [1]}]])
