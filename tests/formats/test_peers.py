"""JSON, YAML and JSON5 are accepted and refused as the test suites of their peers say.

The cases are our own. Their kinds are those of JSONTestSuite (what a reader must accept and what
it must refuse), of the YAML test suite, as far as a mapping in YAML 1.1 goes, and of JSON5's
tests. Each is tried as a user meets it: as a problem of a file, or none.
"""

import math
from typing import Any

import pytest

from msgls.api import check_text
from msgls.formats import json5
from msgls.formats.msgmd.yamltree import MAX_DEPTH, read_mapping


def _codes(path: str, text: str) -> set[str]:
    return {finding.code for finding in check_text(text, path=path, min_severity="hint")}


# -- JSON: messages and agents.json ---------------------------------------------------------------

JSON_VALUES = {
    "zero": "0",
    "minus zero": "-0",
    "minus zero with a fraction": "-0.0",
    "fraction": "12.5",
    "exponent": "3e7",
    "capital exponent": "3E7",
    "signed exponents": "[3e+7, 3e-7, 2.5E+07]",
    "close to zero": "-0." + "0" * 80 + "3",
    "integer of a hundred digits": "7" * 100,
    "exponent beyond every float": "[4e9999, -4e9999, 4e-9999]",
    "blanks of all four kinds": "[\t1 ,\r\n 2\r]",
    "words": "[true, false, null]",
    "empty": '[[], {}, "", {"": 0}]',
    "escapes": r'"\" \\ \/ \b \f \n \r \t"',
    "escaped code points": r'"\u0041\u00e9\u4F60\u0000\u0022\u005C\uFFFF"',
    "pair of surrogates": r'"\uD83D\uDE00"',
    "half a pair": r'["\uD83D", "\uDE00", "\uDE00\uD83D", "\uD83Dx", "\uD83D\uD83D"]',
    "escaped backslash before u": r'"\\u12"',
    "comment in a string": '"/* a */ // b # c"',
    "brackets in a string": '"[{]},:"',
    "delete": '"\x7f"',
    "controls beyond ASCII": '"\x80\x9f"',
    "line separators of Unicode": '"\u2028\u2029\x85"',
    "no characters": '"\ufdd0\uffff\U0010ffff"',
    "beyond the first plane": '{"\U0001f600": "\U0001f600"}',
    "byte-order mark in a string": '"\ufeff"',
    "the same key twice": '{"a": 1, "a": 2}',
    "escaped key": r'{"\u0061": 1}',
    "four hundred deep": "[" * 400 + "]" * 400,
}

NOT_JSON_VALUES = {
    "nothing": "",
    "plus": "+1",
    "leading zero": "012",
    "leading zero after a minus": "-012",
    "only a minus": "-",
    "two minuses": "--1",
    "minus and blank": "- 1",
    "no digit before the point": ".5",
    "no digit after the point": "5.",
    "no digit between point and exponent": "5.e3",
    "no exponent": "5e",
    "signed exponent without digits": "5e+",
    "fraction of an exponent": "5e3.5",
    "two points": "1.2.3",
    "hexadecimal": "0x1F",
    "digits in groups": "1_000",
    "blank in a number": "1 000",
    "full-width digit": "\uff11",
    "NaN": "NaN",
    "minus NaN": "-NaN",
    "Infinity": "Infinity",
    "minus Infinity": "-Infinity",
    "number and letter": "1a",
    "expression": "1+2",
    "capital": "True",
    "word cut off": "nul",
    "word with more": "nulls",
    "undefined": "undefined",
    "name": "name",
    "single quotes": "'a'",
    "accents for quotes": "`a`",
    "typographic quotes": "\u201ca\u201d",
    "string that does not end": '"a',
    "string that ends in a backslash": '"a\\"',
    "quote after a string": '"a""',
    "unknown escape": r'"\a"',
    "escape of a single quote": r'"\'"',
    "escape in hexadecimal": r'"\x41"',
    "escape in octal": r'"\012"',
    "escape of a line break": '"a\\\nb"',
    "escape of an emoji": '"\\\U0001f600"',
    "three digits after u": r'"\u00A"',
    "other letters after u": r'"\u00AG"',
    "braces after u": r'"\u{41}"',
    "half of a second escape": r'"\uD83D\u"',
    "escape outside of a string": r"[\n]",
    "line break in a string": '"a\nb"',
    "carriage return in a string": '"a\rb"',
    "tab in a string": '"a\tb"',
    "zero in a string": '"a\0b"',
    "escape character in a string": '"a\x1bb"',
    "comma at the end of an array": "[1,]",
    "comma at the end of an object": '{"a": 1,}',
    "comma at the start": "[,1]",
    "two commas": "[1,,2]",
    "only a comma": "[,]",
    "no comma in an array": "[1 2]",
    "no comma in an object": '{"a": 1 "b": 2}',
    "semicolon": "[1; 2]",
    "array that does not end": "[1",
    "object that does not end": '{"a": 1',
    "other bracket": "[1}",
    "one bracket too many": "[1]]",
    "colon in an array": '["a": 1]',
    "key without value": '{"a":}',
    "key without colon": '{"a"}',
    "two colons": '{"a":: 1}',
    "equals sign": '{"a" = 1}',
    "comma for colon": '{"a", 1}',
    "key in single quotes": "{'a': 1}",
    "key without quotes": "{a: 1}",
    "number as key": "{1: 1}",
    "word as key": "{null: 1}",
    "array as key": "{[]: 1}",
    "line comment": "[1] // one",
    "block comment": "[/* one */ 1]",
    "hash comment": "[1] # one",
    "two values": "1 2",
    "form feed": "[\f1]",
    "vertical tab": "[\v1]",
    "no-break space": "[\xa01]",
    "zero-width space": "[\u200b1]",
    "word joiner": "[\u20601]",
    "byte-order mark inside": "[\ufeff1]",
    "zero": "[1\0]",
    "lone surrogate": "[\ud83d]",
    "angle brackets": "<1>",
    "dots": "[1, ...]",
    "a hundred thousand deep": "[" * 100_000,
    "a hundred thousand deep in objects": '{"a":[' * 100_000,
}

_MESSAGE = '{"runId": "r1", "role": "user", "parts": [], "timestamp": "2026-01-02T03:04:05Z", '
_AGENT = '{"agents": [{"name": "A", "path": "a.js", "metadata": {"bootMessage": {"message": "Hi", '
_AGENT += '"meta": {"isVirtual": true}}, "x": '
# How a value stands in a file, and what is said where it is not JSON.
_WITH_A_VALUE = pytest.mark.parametrize(
    ("path", "before", "after", "code"),
    [
        ("talk.messages.json", _MESSAGE + '"meta": {"x": ', "}}", "DLT001"),
        ("talk.messages.json", f'[{_MESSAGE}"meta": {{"x": ', "}}]\n", "DLT001"),
        ("agents.json", _AGENT, "}}]}", "BOOT001"),
    ],
    ids=["message", "array", "agents"],
)


@_WITH_A_VALUE
@pytest.mark.parametrize("kind", JSON_VALUES)
def test_json_is_accepted(path: str, before: str, after: str, code: str, kind: str) -> None:
    assert code not in _codes(path, before + JSON_VALUES[kind] + after)


@_WITH_A_VALUE
@pytest.mark.parametrize("kind", NOT_JSON_VALUES)
def test_what_is_not_json_is_refused(
    path: str, before: str, after: str, code: str, kind: str
) -> None:
    assert code in _codes(path, before + NOT_JSON_VALUES[kind] + after)


@pytest.mark.parametrize("kind", JSON_VALUES)
def test_any_json_may_be_the_whole_text(kind: str) -> None:
    assert "DLT001" not in _codes("talk.messages.json", JSON_VALUES[kind])
    assert "DLT001" not in _codes("talk.messages.json", f"\ufeff \n{JSON_VALUES[kind]}\n\n")


# All but nothing, which is a file yet to be written, and a mark that draws no problem anywhere.
REFUSED = sorted(NOT_JSON_VALUES.keys() - {next(iter(NOT_JSON_VALUES)), "byte-order mark inside"})


@pytest.mark.parametrize("kind", REFUSED)
def test_a_whole_text_that_is_not_json_is_refused(kind: str) -> None:
    assert "DLT001" in _codes("talk.messages.json", NOT_JSON_VALUES[kind])


def test_a_line_is_json_by_itself() -> None:
    line = f'{_MESSAGE}"meta": {{}}}}\n'
    for text in (line + line, "\ufeff" + line + line, "\n \n" + line):
        assert "DLT001" not in _codes("talk.messages.jsonl", text)
    assert "DLT001" in _codes("talk.messages.jsonl", line[:9] + "\n" + line[9:])


# -- YAML: the frontmatter ------------------------------------------------------------------------

YAML_VALUES: dict[str, tuple[str, object]] = {
    "plain": ("a: some words, here", {"a": "some words, here"}),
    "nothing": ("a:\nb: ~\nc: null", {"a": None, "b": None, "c": None}),
    "numbers": ("a: [1, -2, 0x1F, 1.5, 1_000]", {"a": [1, -2, 31, 1.5, 1000]}),
    "beyond numbers": ("a: [.inf, -.Inf]", {"a": [math.inf, -math.inf]}),
    "words of YAML 1.1": ("a: [yes, Off, true]", {"a": [True, False, True]}),
    "words in quotes": ("a: ['yes', \"1\"]", {"a": ["yes", "1"]}),
    "single quotes": ("a: 'it''s \\n'", {"a": "it's \\n"}),
    "double quotes": (r'a: "\t\x41\u00e9\U0001F600\/"', {"a": "\tA\xe9\U0001f600/"}),
    "folded quotes": ('a: "one\n  two\n\n  three"', {"a": "one two\nthree"}),
    "line break that is escaped": ('a: "one \\\n  two"', {"a": "one two"}),
    "literal": ("a: |\n  one\n   two\n\n  three\n", {"a": "one\n two\n\nthree\n"}),
    "literal that keeps nothing": ("a: |-\n  one\n\n", {"a": "one"}),
    "literal that keeps all": ("a: |+\n  one\n\nb: 1", {"a": "one\n\n", "b": 1}),
    "literal with its indent": ("a: |2\n   one\n", {"a": " one\n"}),
    "folded": ("a: >\n  one\n  two\n\n  three\n", {"a": "one two\nthree\n"}),
    "plain over lines": ("a: one\n  two\n  three", {"a": "one two three"}),
    "comments": ("# a\na: 1 # b\n# c\nb: a#b", {"a": 1, "b": "a#b"}),
    "list at the indent of its key": ("a:\n- 1\n- 2", {"a": [1, 2]}),
    "lists in lists": ("a:\n- - 1\n  - 2\n-\n  - 3", {"a": [[1, 2], [3]]}),
    "mappings in lists": ("a:\n- b: 1\n  c: 2\n- {d: 3}", {"a": [{"b": 1, "c": 2}, {"d": 3}]}),
    "flow": ("a: {b: [1, {c: d}], 'e': \"f\",}", {"a": {"b": [1, {"c": "d"}], "e": "f"}}),
    "flow over lines": ("a: [\n  1,\n  2,\n  ]", {"a": [1, 2]}),
    "flow without values": ("a: {b, c: }", {"a": {"b": None, "c": None}}),
    "pair in a flow list": ("a: [b: 1]", {"a": [{"b": 1}]}),
    "whole in flow": ("{a: 1, b: [2]}", {"a": 1, "b": [2]}),
    "explicit keys": ("? a\n: 1\n? b\n", {"a": 1, "b": None}),
    "colons and dashes inside": ("a: b:c\nd: -e\nf: g://h", {"a": "b:c", "d": "-e", "f": "g://h"}),
    "anchor and alias": ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
    "anchor that is set again": ("a: &x 1\nb: &x 2\nc: *x", {"a": 1, "b": 2, "c": 2}),
    "merge": (
        "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3",
        {"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 3}},
    ),
    "tags": ("a: !!str 1\nb: !!int '2'\nc: !!seq [3]", {"a": "1", "b": 2, "c": [3]}),
    "end of the document": ("a: 1\n...\n", {"a": 1}),
    "carriage returns": ("a: 1\r\nb:\r\n  - 2\r\n", {"a": 1, "b": [2]}),
    "tabs after a value": ("a: 1\t\nb:\t2\t# c", {"a": 1, "b": 2}),
    "tab in a text": ("a: b\tc\nd: |\n  e\tf\n", {"a": "b\tc", "d": "e\tf\n"}),
    "names in other scripts": (
        "\u540d: \u503c\n\U0001f600: 1",
        {"\u540d": "\u503c", "\U0001f600": 1},
    ),
    "separators of Unicode": ("a: b\u2028c\x85d", {"a": "b\u2028c\x85d"}),
}

NOT_YAML = {
    "tab for an indent": "a:\n\tb: 1",
    "tab before a key": "\ta: 1",
    "no colon": "a: 1\nb\nc: 2",
    "key in a value": "a: b: c",
    "list on the line of its key": "a: - 1",
    "key after a list": "- 1\na: 2",
    "list after a key": "a: 1\n- 2",
    "too little indent": "a:\n    b: 1\n  c: 2",
    "too much indent": "a: 1\n  b: 2",
    "single quote that is not closed": "a: 'b\nc: 1",
    "double quote that is not closed": 'a: "b\nc: 1',
    "text after a quote": 'a: "b" c',
    "unknown escape": r'a: "\q"',
    "hexadecimal digits missing": r'a: "\x4"',
    "array that is not closed": "a: [1, 2\nb: 3",
    "object that is not closed": "a: {b: 1\nc: 2",
    "bracket too many": "a: [1]]",
    "other bracket": "a: [1}",
    "two commas": "a: [1,,2]",
    "comma first": "a: [,1]",
    "at sign": "a: @b",
    "accent": "a: `b`",
    "percent": "%a: 1",
    "star without a name": "a: * b",
    "alias of nothing": "a: *b",
    "alias of what it stands in": "a: &b [*b]",
    "anchor of an alias": "a: &b 1\nc: &d *b",
    "two anchors": "a: &b &c 1",
    "unknown tag": "a: !b 1",
    "unknown tag of a mapping": "a: !b {c: 1}",
    "object of a language": "a: !!python/object/apply:os.system [ls]",
    "tag that does not fit": "a: !!int b",
    "tag that is not closed": "a: !<b 1",
    "list as key": "? [a]\n: 1",
    "mapping as key": "{{a: 1}: 2}",
    "merge of a text": "a:\n  <<: b",
    "word after a bar": "a: | b\n  c",
    "two documents": "a: 1\n--- b",
    "text after the end": "a: 1\n...\nb: 2",
    "zero": "a: \0",
    "escape character": "a: \x1b[1m",
    "lone surrogate": "a: \ud83d",
    "no such date": "a: 2026-02-30",
    "too deep": "a: " + "[" * 100_000,
    "too deep in blocks": "".join(f"{' ' * depth}a:\n" for depth in range(MAX_DEPTH + 1)),
    "too many by aliases": "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
    + "".join(
        f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcde", "bcdef", strict=True)
    ),
}


def _frontmatter(yaml: str) -> str:
    return f"---\n{yaml}\n---\n\n# %% A question[^q1]\n\nHow?\n\n[^q1]: [markdown]\n"


@pytest.mark.parametrize("kind", YAML_VALUES)
def test_yaml_is_accepted(kind: str) -> None:
    yaml, data = YAML_VALUES[kind]
    assert not {"MSG001", "MSG002"} & _codes("talk.msg.md", _frontmatter(yaml))
    assert read_mapping(yaml, 0).data == data


@pytest.mark.parametrize("kind", NOT_YAML)
def test_what_is_not_yaml_is_refused(kind: str) -> None:
    assert "MSG001" in _codes("talk.msg.md", _frontmatter(NOT_YAML[kind]))


@pytest.mark.parametrize("yaml", ["- 1\n- 2", "text", "'a'", "[a]", "1"])
def test_frontmatter_is_a_mapping(yaml: str) -> None:
    assert "MSG001" in _codes("talk.msg.md", _frontmatter(yaml))


@pytest.mark.parametrize("yaml", ["a: 1\na: 2", "{a: 1, 'a': 2}", "b:\n  a: 1\n  ? a\n  : 2"])
def test_a_key_is_there_once(yaml: str) -> None:
    assert "MSG002" in _codes("talk.msg.md", _frontmatter(yaml))


# -- JSON5: arguments and blocks of the Simple Text Format ----------------------------------------

JSON5_VALUES: dict[str, tuple[str, Any]] = {
    "signs": ("[+1, -1, +.5, -5.]", [1, -1, 0.5, -5.0]),
    "points": ("[.5, 5., 5.e1]", [0.5, 5.0, 50.0]),
    "exponents": ("[1e3, 1E-3, .5e+1]", [1000.0, 0.001, 5.0]),
    "zeros": ("[0, -0, +0, 0., .0, 0e1]", [0, 0, 0, 0, 0, 0]),
    "hexadecimal": ("[0x1F, 0Xff, -0x10, +0x0, 0xe5]", [31, 255, -16, 0, 229]),
    "infinite": ("[Infinity, -Infinity, +Infinity]", [math.inf, -math.inf, math.inf]),
    "words": ("[true, false, null]", [True, False, None]),
    "single quotes": ("'say \"a\"'", 'say "a"'),
    "escaped quotes": (r"""['it\'s', "\"", "\'"]""", ["it's", '"', "'"]),
    "escapes": (r"'\b\f\n\r\t\v\0\\\/'", "\b\f\n\r\t\v\0\\/"),
    "escapes of what needs none": (r"'\a\q\%'", "aq%"),
    "code points": (r"'\x41\u00e9'", "A\xe9"),
    "tab in a string": ("'a\tb'", "a\tb"),
    "separators in a string": ("'a\u2028b\u2029c'", "a\u2028b\u2029c"),
    "comment in a string": ("'/* a */ // b'", "/* a */ // b"),
    "commas at the end": ("{a: [1, 2,],}", {"a": [1, 2]}),
    "empty": ("[{}, [], '']", [{}, [], ""]),
    "keys": ("{a: 1, 'b': 2, \"c\": 3}", {"a": 1, "b": 2, "c": 3}),
    "names as keys": (
        "{$: 1, _a1: 2, \xe9t\xe9: 3, \u540d: 4}",
        {"$": 1, "_a1": 2, "\xe9t\xe9": 3, "\u540d": 4},
    ),
    "words as keys": ("{null: 1, while: 2, Infinity: 3}", {"null": 1, "while": 2, "Infinity": 3}),
    "escaped name as key": (r"{\u0061b: 1}", {"ab": 1}),
    "the same key twice": ("{a: 1, a: 2}", {"a": 2}),
    "block comments": ("/* a */[/* b ** / */1/**/]/* c */", [1]),
    "blanks": ("[\t\v\f\xa0\ufeff\u2003\u20281]", [1]),
}
# What takes more than one line, which arguments do not.
JSON5_LINES: dict[str, tuple[str, Any]] = {
    "line comments": ("// a\n{a: 1, // b\n// c\r\nb: 2 // d\r}// e\n", {"a": 1, "b": 2}),
    "comment over lines": ("{/* a\n * b\n */ a: 1}", {"a": 1}),
    "string that goes on": ("{a: 'b\\\nc\\\r\nd\\\re\\\u2028f'}", {"a": "bcdef"}),
}
NOT_JSON5 = {
    "octal": "[010]",
    "octal after a minus": "[-010]",
    "decimal with a leading zero": "[098]",
    "no hexadecimal digit": "[0x]",
    "fraction in hexadecimal": "[0x1.8]",
    "only a point": "[.]",
    "only a plus": "[+]",
    "two signs": "[+-1]",
    "sign and blank": "[- 1]",
    "digits in groups": "[1_000]",
    "point at the end of a fraction": "[1.5.]",
    "no exponent after a point": "[1.e]",
    "no exponent": "[1e]",
    "fraction of an exponent": "[1e2.5]",
    "hexadecimal exponent": "[1e0x2]",
    "only a comma": "[,]",
    "comma first": "{,a: 1}",
    "only a comma in an object": "{,}",
    "two commas": "[1,,2]",
    "no comma": "[1 2]",
    "no comma in an object": "{a: 1 b: 2}",
    "number as key": "{1a: 1}",
    "dash in a key": "{a-b: 1}",
    "array as key": "{[a]: 1}",
    "key without value": "{a:}",
    "key without colon": "{a}",
    "name as value": "[a]",
    "capital": "[True]",
    "undefined": "[undefined]",
    "accents for quotes": "[`a`]",
    "quotes that differ": "['a\"]",
    "digits missing after x": r"['\x4']",
    "digits missing after u": r"['\u00e']",
    "digit as escape": r"['\1']",
    "digit after an escaped zero": r"['\\\01']",
    "comment that does not end": "[1] /* a",
    "hash comment": "[1] # a",
    "bracket that is not closed": "[1",
    "other bracket": "[1}",
    "call": "[a(1)]",
}


@pytest.mark.parametrize("kind", [*JSON5_VALUES, *JSON5_LINES])
def test_json5_is_accepted(kind: str) -> None:
    text, value = (JSON5_VALUES | JSON5_LINES)[kind]
    assert json5.parse(text) == (value, None)


def test_not_a_number_is_a_number() -> None:
    for text in ("NaN", "+NaN", "-NaN"):
        value, problem = json5.parse(text)
        assert problem is None
        assert math.isnan(value)


@pytest.mark.parametrize("kind", JSON5_VALUES)
def test_json5_is_accepted_in_arguments(kind: str) -> None:
    assert "STF012" not in _codes("talk.stf", f"@user {{x: {JSON5_VALUES[kind][0]}}}\nHello\n")


@pytest.mark.parametrize("kind", [*JSON5_VALUES, *JSON5_LINES])
def test_json5_is_accepted_in_a_block(kind: str) -> None:
    text, _ = (JSON5_VALUES | JSON5_LINES)[kind]
    block = f"@raw\n{{role: 'user', content: 'Hello', x: \n{text}\n}}\n@end\n"
    assert "STF012" not in _codes("talk.stf", block)


@pytest.mark.parametrize("kind", NOT_JSON5)
def test_what_is_not_json5_is_refused(kind: str) -> None:
    text = NOT_JSON5[kind]
    assert json5.parse(text).problem is not None
    assert "STF012" in _codes("talk.stf", f"@user {{x: {text}}}\nHello\n")
    block = f"@raw\n{{role: 'user', content: 'Hello', x: \n{text}\n}}\n@end\n"
    assert "STF012" in _codes("talk.stf", block)
