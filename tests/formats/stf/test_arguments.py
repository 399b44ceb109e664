"""What follows a command: pairs, or one object."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.formats.stf.arguments import parse_arguments, quote, write_arguments
from tests.strategies import json_values, texts


@pytest.mark.parametrize(
    ("rest", "values"),
    [
        ("", {}),
        (" \t", {}),
        (" id=a", {"id": "a"}),
        (" id = a", {"id": "a"}),
        ("\tid\t=\ta  name=b ", {"id": "a", "name": "b"}),
        (" id=a=b", {"id": "a=b"}),
        (" id=it's", {"id": "it's"}),
        (" id='a b'", {"id": "a b"}),
        (' id="a\'b"', {"id": "a'b"}),
        (r" id='a\'b\u0041\x41\n'", {"id": "a'bAA\n"}),
        (" id=''", {"id": ""}),
        (" id={a}", {"id": "{a}"}),
        (" a_1=x", {"a_1": "x"}),
        (" n=x", {"n": "x"}),
        ("{id: 'a'}", {"id": "a"}),
        (" {id: 'a', \"name\": 'b',} // so", {"id": "a", "name": "b"}),
        (" {/* x */ id /* y */ : /* z */ 'a' /* , */}", {"id": "a"}),
        (" {id: 5, name: 0x1F}", {"id": "5", "name": "0x1F"}),
        (r" {\u0069d: 'a'}", {"id": "a"}),
        (" {extra: {id: 'x'}, id: 'a'}", {"extra": None, "id": "a"}),
        (" {}", {}),
        (" id=a id=b", {"id": "b"}),
    ],
)
def test_values(rest: str, values: dict[str, str | None]) -> None:
    arguments = parse_arguments(rest)
    assert {item.key: item.value for item in arguments.items} == values
    for item in arguments.items:
        assert item.key_span.end <= item.value_span.start


@pytest.mark.parametrize(
    ("rest", "faults"),
    [
        (" id", [("value", "id")]),
        (" id=", [("value", "id=")]),
        (" id= ", [("value", "id= ")]),
        (" =a", [("unreadable", "=a")]),
        (" Id=a", [("key", "Id")]),
        (" 1d=a", [("key", "1d")]),
        (" a-b=c", [("key", "a-b")]),
        (" id='a", [("quote", "'a")]),
        (" id='a'b name=c", [("unreadable", "b")]),
        (" 'a'", [("unreadable", "'a'")]),
        (" [1]", [("unreadable", "[1]")]),
        (" id=a, name=b", []),
        (" id=a // note", [("value", "//"), ("value", "note")]),
        (" {id: null}", [("text", "null")]),
        (" {id: true, name: [1]}", [("text", "true"), ("text", "[1]")]),
        (" {id: 'a'", [("open", "{")]),
        (" {id: 'a'} b", [("after", "b")]),
        (" {id 'a'}", [("unexpected", "'")]),
        (r" id='\u12'", [("unexpected", "u")]),
    ],
)
def test_faults(rest: str, faults: list[tuple[str, str]]) -> None:
    found = parse_arguments(rest).faults
    assert [(fault.key, fault.span.of(rest)) for fault in found] == faults


_keys = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True)


@given(texts(surrogates=True))
def test_a_quoted_value_is_read_as_it_was(value: str) -> None:
    arguments = parse_arguments(" id=" + quote(value) + " name=x")
    assert (arguments.value("id"), arguments.value("name"), arguments.faults) == (value, "x", ())


@given(st.dictionaries(_keys | st.text(max_size=4), texts() | json_values(), max_size=4))
def test_what_is_written_is_read_again(values: dict[str, Any]) -> None:
    rest = write_arguments(values)
    assert "\n" not in rest
    assert "\r" not in rest
    assert {item.key: item.json for item in parse_arguments(rest).items} == values


@given(st.text(st.sampled_from("ab='\"{}:,[] \t\\/*é1"), max_size=30))
def test_nothing_raises(rest: str) -> None:
    arguments = parse_arguments(rest)
    for item in arguments.items:
        assert 0 <= item.key_span.start < item.key_span.end <= item.value_span.start
        assert item.value_span.end <= len(rest)
    for fault in arguments.faults:
        assert 0 <= fault.span.start < fault.span.end <= len(rest)
