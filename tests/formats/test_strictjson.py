"""Why a text is not strict JSON, in our words, and where."""

import json

import pytest

from msgls.formats.strictjson import json_place, json_reason, strict_loads

SAID = [
    ('{"a": tru}', "a value is expected here", (1, 7)),
    ("[]]", "this follows the end of the value", (1, 3)),
    ("{'a': 1}", "a key in double quotes is expected here", (1, 2)),
    ('{"a" 1}', "a colon is missing before this", (1, 6)),
    ('{"a": 1 "b": 2}', "a comma is missing before this", (1, 9)),
    ('{\r"a": "x', "this string is never closed", (2, 6)),
    ('["a\nb"]', "a line break or a tab in a string is written `\\n` or `\\t`", (1, 4)),
    ('["C:\\docs"]', "this is not an escape: a backslash is written `\\\\`", (1, 5)),
    ('["\\u12"]', "four hexadecimal digits must follow `\\u`", (1, 4)),
    ("{}\r\n{}", "this follows the end of the value", (2, 1)),
    ('{"a": [1, 2', "the text ends too early", (1, 12)),
    ("", "the text ends too early", (1, 1)),
]


@pytest.mark.parametrize(("text", "said", "place"), SAID)
def test_what_is_said(text: str, said: str, place: tuple[int, int]) -> None:
    with pytest.raises(json.JSONDecodeError) as raised:
        strict_loads(text)
    assert json_reason(raised.value) == said
    assert json_place(raised.value) == place


@pytest.mark.parametrize("text", ['{"a": 1,}', "[1,\n]"])
def test_a_comma_too_many(text: str) -> None:
    # Where it is found is up to the version of Python: at the comma, or at the bracket.
    with pytest.raises(json.JSONDecodeError) as raised:
        strict_loads(text)
    assert json_reason(raised.value) == "a trailing comma is not allowed"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[NaN]", "JSON has no `NaN`"),
        ("1" * 5_000, "a number is too long"),
        ("[" * 100_000, "it is nested too deeply"),
    ],
)
def test_what_has_no_place(text: str, said: str) -> None:
    with pytest.raises((ValueError, RecursionError)) as raised:
        strict_loads(text)
    assert isinstance(raised.value, ValueError | RecursionError)
    assert json_reason(raised.value) == said
