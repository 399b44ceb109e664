"""Marked lines for the rules of JSON: a value is marked where it is written."""

import json

from tests.formats.msgjson.made_up import dump
from tests.rules.support import expect, expect_nothing

DELTAS = "a.deltas.jsonl"
SESSION = "a.session.jsonl"


def at(wire: object, *values: object) -> str:
    """A line in which the first place of each of some values is marked."""
    line = dump(wire)
    for value in values:
        written = json.dumps(value, ensure_ascii=False)
        assert written in line
        line = line.replace(written, f"«{written}»", 1)
    return line


def expect_lines(code: str, *lines: str, path: str = DELTAS) -> None:
    """``code`` is found at the marked places of a file, and of an array of the same values."""
    source = "".join(lines)
    expect(code, source, path=path)
    if path != SESSION:
        expect(code, as_array(source), path="a.messages.json")
        expect(code, as_array(source).replace("\n", " "), path="a.messages.json")


def expect_no_lines(code: str, *wires: object, path: str = DELTAS) -> None:
    """``code`` is not found."""
    source = dump(*wires)
    expect_nothing(code, source, path)
    if path != SESSION:
        expect_nothing(code, json.dumps(wires, indent=2), "a.messages.json")


def as_array(source: str) -> str:
    """Lines as the elements of an array."""
    return "[\n  " + source.rstrip("\n").replace("\n", ",\n  ") + "\n]\n"
