"""Definition, references, highlights and rename of tool calls, and going along them."""

import json

import pytest

from msgls.features import names
from msgls.features.actions import cell_actions
from msgls.features.commands import Call, CellChange, RefusedError, run
from msgls.features.definition import definition
from msgls.features.highlight import highlights
from msgls.features.references import references
from msgls.features.rename import RenameRefused, prepare_rename, rename
from msgls.text.spans import apply_edits
from tests.features.msgjson.sample import ARRAY, opened
from tests.formats.msgjson.made_up import (
    call,
    call_args,
    call_end,
    call_start,
    dump,
    entry,
    message,
    result,
    start,
)
from tests.snapshots import snapshot_of


def pair(call_id: str = "c1", run_id: str = "r") -> str:
    return dump(
        message("assistant", call(call_id), run=run_id),
        message("tool", result(call_id), run=run_id),
    )


STREAMED = dump(start(), call_start(1), call_args(2), call_args(3), call_end(4)) + dump(
    message("tool", result())
)


def at(source: str, number: int, word: str = "c1") -> int:
    """Where a word stands for the so-many-th time."""
    place = -1
    for _ in range(number + 1):
        place = source.index(f'"{word}"', place + 1)
    return place + 1


def lines_of(source: str, spans: object) -> list[int]:
    assert isinstance(spans, list)
    return [source[: span.start].count("\n") for span in spans]


@pytest.mark.parametrize(
    ("source", "number", "lines"),
    [
        (pair(), 0, [1]),
        (pair(), 1, [0]),
        (STREAMED, 0, [5]),
        (STREAMED, 1, [1]),
        (STREAMED, 3, [1]),
        (STREAMED, 4, [1]),
        # The same id in another run is another call.
        (pair() + pair(run_id="s"), 0, [1]),
        (pair() + pair(run_id="s"), 3, [2]),
        (dump(message("tool", result())), 0, []),
        (dump(message("assistant", call())), 0, []),
    ],
)
def test_a_result_leads_to_its_call_and_back(source: str, number: int, lines: list[int]) -> None:
    jump = definition(snapshot_of(opened(source, "a.messages.jsonl")), at(source, number))
    targets = [] if jump is None else [target.span for target in jump.targets]
    assert lines_of(source, targets) == lines
    assert [span.of(source) for span in targets] == ["c1"] * len(lines)
    for target in () if jump is None else jump.targets:
        assert target.around.of(source) + "\n" in source.splitlines(keepends=True)


def test_the_key_leads_as_the_id_does() -> None:
    source = pair()
    document = opened(source, "a.messages.jsonl")
    assert definition(snapshot_of(document), source.index("toolCallId")) is not None
    assert definition(snapshot_of(document), source.index("toolName")) is None


def test_references_are_all_places_of_the_run() -> None:
    source = STREAMED + pair(run_id="other")
    document = opened(source)
    found = references(snapshot_of(document), at(source, 2))
    assert lines_of(source, found) == [1, 2, 3, 4, 5]
    assert lines_of(source, references(snapshot_of(document), at(source, 2), declared=False)) == [
        2,
        3,
        4,
        5,
    ]
    assert references(snapshot_of(document), source.index('"start"')) == []


def test_highlights_tell_where_a_call_is_made() -> None:
    found = highlights(snapshot_of(opened(STREAMED)), at(STREAMED, 4))
    assert [shown.is_declared for shown in found] == [True, False, False, False, False]


def test_of_many_places_the_nearest_are_highlighted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "CELLS_AROUND", 2)
    many = dump(start(), call_start(1), *[call_args(n) for n in range(2, 30)], call_end(30))
    source = many + dump(message("tool", result()))
    found = [shown.span for shown in highlights(snapshot_of(opened(source)), at(source, 14))]
    assert lines_of(source, found) == [1, 13, 14, 15, 16, 17, 31]


def test_of_two_keys_of_a_name_the_last_one_counts() -> None:
    source = pair().replace('"toolCallId": "c1"', '"toolCallId": "old", "toolCallId": "c1"', 1)
    document = opened(source, "a.messages.jsonl")
    assert definition(snapshot_of(document), at(source, 0, "old")) is None
    jump = definition(snapshot_of(document), at(source, 0))
    assert jump is not None
    assert jump.origin.of(source) == "c1"


# -- rename ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("new", ["new", "two words", 'a "b" \\ c', "漢字🦊"])
def test_a_rename_changes_every_place_of_the_run(new: str) -> None:
    source = STREAMED + pair(run_id="other")
    document = opened(source)
    for number in range(5):
        after = apply_edits(source, rename(snapshot_of(document), at(source, number), new))
        before, other = after.split("\n")[:6], after.split("\n")[6:8]
        ids = [json.loads(line) for line in before[1:5]]
        assert [wire["payload"]["toolCallId"] for wire in ids] == [new] * 4
        assert json.loads(before[5])["parts"][0]["payload"]["toolCallId"] == new
        assert other == pair(run_id="other").split("\n")[:2]


def test_what_is_renamed_is_the_id_without_its_quotes() -> None:
    what = prepare_rename(snapshot_of(opened(STREAMED)), at(STREAMED, 1))
    assert (what.text, what.span.of(STREAMED)) == ("c1", "c1")


def test_calls_that_could_not_be_read_are_renamed_in_the_meta_too() -> None:
    wire = message("assistant", call(), meta={"parseErrors": ["c1", "c2", 3]})
    source = dump(wire)
    after = apply_edits(
        source, rename(snapshot_of(opened(source, "a.messages.jsonl")), at(source, 0), "x")
    )
    assert json.loads(after)["meta"]["parseErrors"] == ["x", "c2", 3]
    assert json.loads(after)["parts"][0]["payload"]["toolCallId"] == "x"


def test_ids_that_are_written_with_escapes_are_found() -> None:
    source = dump(message("assistant", call("é"))) + dump(message("tool", result("é"))).replace(
        "é", "\\u00e9"
    )
    after = apply_edits(
        source, rename(snapshot_of(opened(source, "a.messages.jsonl")), at(source, 0, "é"), "x")
    )
    lines = [json.loads(line) for line in after.split("\n") if line]
    assert [wire["parts"][0]["payload"]["toolCallId"] for wire in lines] == ["x", "x"]


@pytest.mark.parametrize(
    ("word", "new", "reason"),
    [
        ("c1", "", "cannot be empty"),
        ("c1", " ", "cannot be empty"),
        ("c1", "a\nb", "one line"),
        ("c1", "c2", "`c2` is taken"),
        ("find", "x", "nothing to rename here"),
    ],
)
def test_a_rename_that_makes_no_sense_is_refused(word: str, new: str, reason: str) -> None:
    source = pair() + pair("c2")
    document = opened(source, "a.messages.jsonl")
    with pytest.raises(RenameRefused, match=reason):
        rename(snapshot_of(document), at(source, 0, word), new)


def test_an_id_of_another_run_is_free() -> None:
    source = pair() + pair("c2", "s")
    assert len(rename(snapshot_of(opened(source, "a.messages.jsonl")), at(source, 0), "c2")) == 2


def test_a_rename_to_the_same_changes_nothing() -> None:
    assert rename(snapshot_of(opened(STREAMED)), at(STREAMED, 0), "c1") == []


def test_a_loose_result_of_a_session_is_renamed_too() -> None:
    loose = entry("tool_output", {"toolCallId": "c1", "content": "ok"})
    source = dump(entry("message", message("assistant", call())), loose)
    edits = rename(snapshot_of(opened(source, "a.session.jsonl")), at(source, 1), "x")
    assert apply_edits(source, edits) == source.replace('"c1"', '"x"')


# -- going --------------------------------------------------------------------------------------


def gone(source: str, command: str, offset: int, name: str = "a.messages.jsonl") -> int:
    change = run(f"msgls.cell.{command}", Call(snapshot_of(opened(source, name)), offset, {}))
    assert isinstance(change, CellChange)
    assert change.edits == ()
    assert change.cursor is not None
    return source[: change.cursor].count("\n")


def test_one_goes_along_a_call_from_anywhere_in_its_line() -> None:
    source = pair()
    assert gone(source, "goToChild", 0) == 1
    assert gone(source, "goToParent", len(source) - 3) == 0
    assert gone(source, "goToNext", 0) == 1
    assert gone(source, "goToPrevious", len(source) - 3) == 0


def test_elements_are_gone_through_by_their_brackets() -> None:
    line = gone(ARRAY, "goToNext", 10, "a.messages.json")
    assert ARRAY.split("\n")[line] == "  {"


@pytest.mark.parametrize("command", ["goToNext", "goToPrevious", "goToParent", "goToChild"])
def test_where_nothing_follows_one_stays(command: str) -> None:
    document = opened(dump(message("user")), "a.messages.jsonl")
    with pytest.raises(RefusedError):
        run(f"msgls.cell.{command}", Call(snapshot_of(document), 0, {}))


@pytest.mark.parametrize(
    ("offset", "titles"),
    [
        (0, ["Open as message file", "Go to the first result"]),
        (-3, ["Open as message file", "Go to the call"]),
    ],
)
def test_actions_lead_where_commands_do(offset: int, titles: list[str]) -> None:
    source = pair()
    found = cell_actions(snapshot_of(opened(source, "a.messages.jsonl")), offset % len(source))
    assert [action.title for action in found] == titles
