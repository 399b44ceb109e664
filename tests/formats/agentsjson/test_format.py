"""``agents.json``: which files it is, what its cell shows, and how it follows edits."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.document.document import Document
from msgls.formats.agentsjson import AGENTS
from msgls.formats.agentsjson.cells import AgentsCell, _Remembered, element_spans
from msgls.formats.base import Format
from msgls.formats.jsontree import parse
from msgls.formats.plain import PLAIN
from msgls.formats.registry import HEAD_LENGTH, detect, may_hold
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from msgls.text.spans import Span
from tests.document.tracked import Tracked, limits
from tests.notation import table
from tests.rules.support import shown
from tests.snapshots import snapshot_of

CHECKED = [rule for rule in RULES if rule.is_for(AGENTS)]

FILES: dict[str, tuple[str, str, Format]] = {
    "agents": ("agents.json", '{"agents": []}', AGENTS),
    "in a folder": ("a/b/agents.json", '{"agents": [{}]}', AGENTS),
    "with backslashes": ("a\\agents.json", '{"agents":[', AGENTS),
    "after a byte-order mark": ("agents.json", '\ufeff{"agents": []}', AGENTS),
    "among other keys": ("agents.json", '{"a": {"b": [1]}, "agents" :\n\t[]}', AGENTS),
    "broken later": ("agents.json", '{"agents": [{,', AGENTS),
    "another name": ("myagents.json", '{"agents": []}', PLAIN),
    "another ending": ("agents.jsonc", '{"agents": []}', PLAIN),
    "an object": ("agents.json", '{"agents": {"a": []}}', PLAIN),
    "deeper": ("agents.json", '{"a": {"agents": []}}', PLAIN),
    "in a list": ("agents.json", '[{"agents": []}]', PLAIN),
    "a value": ("agents.json", '{"a": "agents", "b": []}', PLAIN),
    "in a string": ("agents.json", '{"a": "\\"agents\\": ["}', PLAIN),
    "another case": ("agents.json", '{"Agents": []}', PLAIN),
    "nothing": ("agents.json", "", PLAIN),
}


@table("row", FILES)
def test_detect(row: tuple[str, str, Format]) -> None:
    path, head, format = row
    assert detect(path, head) is format
    assert Document.open(path, head).format is format


def test_names() -> None:
    assert AGENTS.language_id == "json"
    assert may_hold("agents.json")
    assert not may_hold("package.json")
    assert not AGENTS.is_certain("agents.json")


def test_detection_follows_the_length() -> None:
    assert detect("agents.json", '{"a": ' + "[" * HEAD_LENGTH + '"agents"') is PLAIN
    assert detect("agents.json", '"agents' * HEAD_LENGTH) is PLAIN


def cell(text: str) -> AgentsCell:
    placed = Document.open("agents.json", text).first_cell()
    assert placed is not None
    assert isinstance(placed.cell, AgentsCell)
    return placed.cell


def test_agents_and_their_boot_messages() -> None:
    text = (
        '{"agents": [{"name": "A", "metadata": {"bootMessage": {"message": "x"}}},'
        ' 7, {"path": "b"}, {"name": 8}]}'
    )
    found = cell(text).agents
    assert [(placed.path, placed.agent.name) for placed in found] == [
        (("agents", 0), "A"),
        (("agents", 1), None),
        (("agents", 2), None),
        (("agents", 3), None),
    ]
    assert [placed.span.of(text) for placed in found[1:]] == ["7", '{"path": "b"}', '{"name": 8}']
    agent = found[0].agent
    boot = agent.boot
    assert boot is not None
    assert boot.key_span.of(agent.text) == '"bootMessage"'
    assert boot.value.span.of(agent.text) == '{"message": "x"}'
    assert [placed.agent.boot for placed in found[1:]] == [None, None, None]


ARRAYS = [
    ('{"agents": []}', []),
    (
        '\ufeff { "a" : [1, {"agents": [2]}] , "agents" :\n[ 1 ,\t{"x": "]"}, [2] ] , "b": 1 } ',
        ["1", '{"x": "]"}', "[2]"],
    ),
    ('{"agents": [1], "agents": [2, 3]}', ["2", "3"]),
    ('{"agents": [1], "agents": 4}', []),
    ("{}", []),
    ("[1]", []),
]


@pytest.mark.parametrize(("text", "elements"), ARRAYS)
def test_elements_are_found_without_a_tree(text: str, elements: list[str]) -> None:
    spans = element_spans(text)
    assert spans is not None
    assert [span.of(text) for span in spans] == elements
    found = parse(text).find(("agents",))
    assert ([] if found is None else [item.span for item in found.value.items]) == spans


@pytest.mark.parametrize(
    "text", ["", '{"agents": [', '{"agents": [1', '{"agents"', '{"agents": [,]}']
)
def test_a_broken_text_takes_a_tree(text: str) -> None:
    assert element_spans(text) is None


def test_what_is_remembered_is_bounded() -> None:
    remembered = _Remembered(most_chars=10)
    first = remembered.read('"1234"')
    assert remembered.read('"1234"') is first
    assert remembered.read('"5"') is remembered.read('"5"')
    assert remembered.read('"1234"') is first
    remembered.read('"67"')
    # The one that was asked for longest ago is gone, and a large one may stay alone.
    assert remembered.read('"1234"') is first
    large = remembered.read('"' + "x" * 100 + '"')
    assert remembered.read('"' + "x" * 100 + '"') is large
    assert remembered.read('"1234"') is not first


def test_typing_in_one_agent_reads_no_other() -> None:
    agents = [{"name": f"N{n}", "metadata": {"bootMessage": {"message": "m"}}} for n in range(50)]
    text = json.dumps({"agents": agents}, indent=2)
    document = Document.open("agents.json", text)
    checker = Checker(snapshot_of(document), CHECKED)
    before = cell(text).agents
    offset = text.index("N25")
    edited = document.edit(Span(offset, offset), "x")
    checker.update(edited)
    placed = edited.first_cell()
    assert placed is not None
    assert isinstance(placed.cell, AgentsCell)
    after = placed.cell.agents
    anew = [n for n in range(50) if before[n].agent is not after[n].agent]
    assert anew == [25]


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ('{"agents": [{"metadata": {"bootMessage": {}}}]}', True),
        ('{"agents": [{"metadata": {"bootMessage": {', True),
        ('{"agents": [{"name": "bootMessage"}]}', False),
        ('{"agents": [{"metadata": {}}]}', False),
    ],
)
def test_whether_it_is_our_business(text: str, has: bool) -> None:
    assert cell(text).has_boot_message is has


REAL = [
    {"agents": [{"name": "A", "path": "./a.js", "metadata": {"llm": "m", "initTask": "x"}}]},
    {"agents": [{"id": 1, "model": "m"}, {"id": 1}], "default": "x"},
    {"agents": ["a", "b"]},
    {"agents": []},
    {"agents": [{"name": "A"}, {"name": "A"}, {"name": 7, "path": None}]},
]


@pytest.mark.parametrize("real", REAL)
def test_a_file_without_a_boot_message_gets_nothing(real: object) -> None:
    for text in (json.dumps(real), json.dumps(real, indent="\t"), json.dumps(real)[:-1]):
        assert Checker(snapshot_of(Document.open("agents.json", text)), CHECKED).problems() == []


def test_a_whole_one_gets_nothing() -> None:
    from tests.formats.agentsjson.test_boot import WHOLE

    for text in (json.dumps(WHOLE), json.dumps(WHOLE, indent="\t", ensure_ascii=False)):
        assert Checker(snapshot_of(Document.open("agents.json", text)), CHECKED).problems() == []


FRAGMENTS = (
    *('{"agents": [', '{"name": "A", "path": "x"', "}", "]", "{", "[", ",", ":", '"', "\n", "\t"),
    *('"metadata": {"bootMessage": {"message": "m"', '"meta": {"isVirtual": false}', "true", "7"),
    *('"availableTasks": [{"name": "x"}]', '"skipBotMessage": true', '"name": "ResetContext"'),
    *('"text": "x"', "null", "\\", "😀", "\ufeff", "\r\n", "// x", '"operations": [{', "NaN"),
)
_texts = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)
_edits = st.lists(st.tuples(st.integers(0, 1_000), st.integers(0, 20), _texts), max_size=6)


@given(_texts, _edits, st.booleans())
def test_any_edits_give_what_a_fresh_parse_gives(
    rest: str, edits: list[tuple[int, int, str]], small: bool
) -> None:
    with limits(piece=32 if small else 16_384, crumb=8):
        tracked = Tracked("agents.json", '{"agents": [' + rest)
        checker = Checker(snapshot_of(tracked.document), CHECKED)
        for place, length, text in edits:
            start = place * len(tracked.text) // 1_000
            tracked.edit(start, start + length, text)
            checker.update(tracked.document)
            tracked.check()
            fresh = Document.open("agents.json", tracked.text)
            expected = Checker(snapshot_of(fresh), CHECKED).problems()
            assert shown(tracked.document, checker.problems()) == shown(fresh, expected)


@given(_texts)
def test_nothing_raises(rest: str) -> None:
    document = Document.open("agents.json", '{"agents": [' + rest, AGENTS)
    failed: list[object] = []
    checker = Checker(
        snapshot_of(document), CHECKED, lambda rule, error: failed.append((rule, error))
    )
    for problem in checker.problems():
        rule = next(rule for rule in CHECKED if rule.code == problem.code)
        for fix in rule.fixes(checker.snapshot, problem):
            document.apply(fix.edits)
    assert failed == []
    write_as(AGENTS, read_document(document))


def test_an_edit_makes_it_one_and_none_again() -> None:
    document = Document.open("agents.json", '{"agent": []}')
    assert document.format is PLAIN
    agents = document.edit(Span(7, 7), "s")
    assert agents.format is AGENTS
    assert agents.edit(Span(7, 8), "").format is PLAIN
