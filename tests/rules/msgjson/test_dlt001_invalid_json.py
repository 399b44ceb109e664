"""DLT001: what is not valid JSON."""

import json

import pytest

from tests.formats.msgjson.made_up import dump, message, said, start
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "DLT001"
LINES = "a.deltas.jsonl"
ARRAY = "a.messages.json"
GOOD = dump(start())
ELEMENT = json.dumps(message("user", said("Hi")))


@pytest.mark.parametrize(
    "marked",
    [
        GOOD + '{"a": «tru»}\n' + GOOD,
        '{"a": 1} «x»\n',
        "«no»\n",
        '{"a": «"»b\n',
        "[1 «2»]\n[3 «4»]\n",
        '{"a": «NaN»}\n',
        GOOD.rstrip("\n") + " «{»}\n",
        "\ufeff" + GOOD + '{"é😀": «x»}\r\n',
        '{"a": «}»\n',
        '{"a": "tab«\t»"}\n',
    ],
)
def test_a_line_that_is_not_json_is_found(marked: str) -> None:
    expect(CODE, marked, path=LINES)


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        (f"«[»\n  {ELEMENT},\n  {ELEMENT}\n", "the array is never closed: `]` is missing"),
        (
            f"[\n  {ELEMENT}\n  «{{»{ELEMENT[1:]}\n]\n",
            "this is not valid JSON: a comma is missing before this",
        ),
        (
            f"[\n  {ELEMENT},\n«]»\n",
            "this is not valid JSON: a trailing comma is not allowed in an array",
        ),
        (f"[\n  {ELEMENT}\n]\n«]»\n", "this is not valid JSON: this bracket is never opened"),
        (f"[«,»{ELEMENT}]", "this is not valid JSON: there is nothing before this comma"),
        (f"[{ELEMENT}, «tru»]", "this is not valid JSON: a value is expected here"),
    ],
)
def test_what_is_wrong_around_elements_is_found(marked: str, text: str) -> None:
    expect(CODE, marked, text, path=ARRAY)


def test_lines_in_a_file_of_one_value_are_told_where_they_belong() -> None:
    source = GOOD + "«{»" + GOOD[1:]
    expect(CODE, source, path=ARRAY)


def test_each_broken_element_is_found_and_no_other() -> None:
    broken = ELEMENT.replace('"role"', "«role»", 1)
    expect(CODE, f"[\n  {ELEMENT},\n  {broken},\n  {ELEMENT},\n  {broken}\n]\n", path=ARRAY)


def test_what_is_nested_too_deeply_is_found_and_harmless() -> None:
    expect(CODE, "«[»" + "[" * 100_000 + "\n" + GOOD, path=LINES)


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("", LINES),
        ("\n\n", LINES),
        (GOOD, LINES),
        ("\ufeff" + GOOD.replace("\n", "\r\n"), LINES),
        (GOOD.replace("\n", "\r") * 2, LINES),
        (GOOD.rstrip("\n"), LINES),
        ('{"a": "\\ud800 \u2028"}\n', LINES),
        ("", ARRAY),
        ("[]", ARRAY),
        (f"[\n  {ELEMENT},\n  {ELEMENT}\n]\n", ARRAY),
        (f"[{ELEMENT}\n,{ELEMENT}\n, {ELEMENT}]", ARRAY),
        (json.dumps(message("user"), indent=2), ARRAY),
        ("\ufeff[\r\n]\r\n", ARRAY),
    ],
)
def test_nothing_is_found(source: str, path: str) -> None:
    expect_nothing(CODE, source, path)


def test_commas_between_elements_are_mended() -> None:
    good = f"[\n  {ELEMENT},\n  {ELEMENT}\n]\n"
    expect_fix(CODE, good.replace("},\n", "}\n"), good, safe=True, path=ARRAY)
    expect_fix(CODE, good.replace("}\n]", "},\n]"), good, safe=True, path=ARRAY)


def test_it_follows_edits() -> None:
    source = f"[\n  {ELEMENT},\n  {ELEMENT}\n]\n"
    counts = expect_follows(
        CODE,
        source,
        ("},\n", "}\n"),
        ("]\n", ""),
        ('"Hi"', "Hi"),
        ("Hi}", '"Hi"}'),
        ("}\n", "},\n"),
        path=ARRAY,
    )
    assert counts[0] == 0
    assert counts[1] == 1
