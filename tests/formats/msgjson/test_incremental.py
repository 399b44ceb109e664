"""Any edits of JSON give the cells, facts and problems that a fresh parse gives."""

import json
import random

import pytest

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.msgjson.cells import JsonCell
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from tests.document.tracked import Tracked, limits
from tests.formats.msgjson.made_up import (
    call,
    call_args,
    call_end,
    call_start,
    done,
    dump,
    entry,
    error,
    message,
    result,
    said,
    start,
    text,
)
from tests.rules.support import shown
from tests.snapshots import snapshot_of

DLT_RULES = [rule for rule in RULES if rule.code.startswith("DLT")]

LINES = [
    dump(wire)
    for wire in (
        start(),
        start(0, "q2"),
        start(0, "q", "other"),
        text(1),
        text(2),
        text(3, "é😀"),
        text(1, "x", "other"),
        call_start(4),
        call_start(4, "c2"),
        call_args(5, '{"a"'),
        call_args(6, ": 1}"),
        call_args(6, "}", "c2"),
        call_end(7),
        call_end(7, "c2"),
        done(8),
        error(8),
        done(9, "other"),
        message("user", said("Hi")),
        message("assistant", call("c1"), call("c2")),
        message("tool", result("c1"), said("odd")),
        message("tool", result("c2"), run="other"),
        entry("message", message("tool", result("c1"))),
        entry("message_delta_batch", [text(2), call_args(5, "x")]),
        entry("tool_end", {"toolCallId": "c2", "isError": True}),
        {"runId": 3, "kind": "text", "timestamp": "soon"},
        [start(), text(1)],
        {},
    )
]
CHARACTERS = [*'{}[],:"\\ \n\r\t1x', "\r\n", "\ufeff", "\ud800", "seq", '"c1"', "null", "tru"]
ELEMENTS = [
    "  " + json.dumps(json.loads(line), indent=2).replace("\n", "\n  ") + ",\n" for line in LINES
]
FRAGMENTS = {
    "a.deltas.jsonl": [*LINES, *CHARACTERS],
    "a.session.jsonl": [*LINES, *CHARACTERS],
    "a.messages.json": [
        *ELEMENTS,
        *LINES[::5],
        *CHARACTERS,
        "[\n",
        "\n]\n",
        "  {\n",
        "\t{",
        "    {",
    ],
}


def _said_by(placed: Placed) -> object:
    cell = placed.cell
    assert isinstance(cell, JsonCell)
    return cell.segments, cell.framing, cell.facts


def _check(tracked: Tracked, checker: Checker) -> None:
    tracked.check()
    checker.update(tracked.document)
    fresh = Document.open(tracked.document.path, tracked.text)
    assert [_said_by(p) for p in tracked.document.cells()] == [_said_by(p) for p in fresh.cells()]
    expected = Checker(snapshot_of(fresh), DLT_RULES, on_rule_error=_fail).problems()
    assert shown(tracked.document, checker.problems()) == shown(fresh, expected)


def _fail(rule: object, error: Exception) -> None:
    raise AssertionError(f"{rule} raised") from error


@pytest.mark.parametrize("path", list(FRAGMENTS))
@pytest.mark.parametrize("seed", range(3))
def test_any_edits_give_what_a_fresh_parse_gives(path: str, seed: int) -> None:
    chance = random.Random(f"{path} {seed}")
    fragments = FRAGMENTS[path]
    source = "".join(chance.choices(fragments, k=chance.randrange(25)))
    if path.endswith(".json") and chance.random() < 0.7:
        source = "[\n" + "".join(chance.choices(ELEMENTS, k=8)) + "]\n"
    # Small crumbs too: what is made of two pieces must be what is made of one.
    # And blocks of one line, of some, and of all.
    size = chance.choice((200, 2_000, 16_384))
    with limits(piece=size, crumb=chance.choice((1, 16, 4_096)), gap=1 << 60, recent=3):
        tracked = Tracked(path, source)
        checker = Checker(snapshot_of(tracked.document), DLT_RULES, on_rule_error=_fail)
        for _ in range(25):
            length = len(tracked.text)
            start_at = chance.randint(0, length)
            new = "".join(chance.choices(fragments, k=chance.choice((0, 1, 1, 1, 2))))
            end_at = start_at + chance.choice((0, 0, 0, 1, 1, 5, 40, 300))
            tracked.edit(start_at, min(end_at, length), new)
            _check(tracked, checker)


@pytest.mark.parametrize("path", list(FRAGMENTS))
def test_typing_and_deleting_a_file(path: str) -> None:
    source = dump(start(), call_start(1), call_args(2), call_end(3), done(4))
    if path.endswith(".json"):
        source = json.dumps([start(), call_start(1), done(2)], indent=2)
    with limits(piece=200, crumb=1):
        tracked = Tracked(path, "")
        checker = Checker(snapshot_of(tracked.document), DLT_RULES, on_rule_error=_fail)
        for offset in range(0, len(source), 7):
            tracked.edit(offset, offset, source[offset : offset + 7])
            _check(tracked, checker)
        while tracked.text:
            tracked.edit(0, 11, "")
            _check(tracked, checker)
