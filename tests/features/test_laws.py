"""What holds of every feature in every format, at every place: laws instead of tables."""

from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from msgls.document.document import Document
from msgls.features.definition import definition
from msgls.features.highlight import highlights
from msgls.features.linked import linked
from msgls.features.links import links
from msgls.features.names import cells_with_name, name_at
from msgls.features.references import references
from msgls.features.rename import RenameRefused, prepare_rename, rename
from msgls.features.tokens import tokens
from msgls.formats.registry import FORMATS
from msgls.syntax.names import Use
from msgls.text.spans import Span
from tests.features.facts import assert_facts_follow
from tests.features.test_anywhere import Sample, ask_all, ask_at
from tests.snapshots import snapshot_of

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(
    path
    for path in EXAMPLES.rglob("*.*")
    if path.is_file() and path.name != "README.md" and path.suffix not in (".py", ".pyc")
)
NAMES = [str(path.relative_to(EXAMPLES)) for path in FILES]


@cache
def opened(name: str) -> Document:
    path = EXAMPLES / name
    return Document.open(str(path), path.read_bytes().decode("utf-8"))


def places(document: Document) -> list[int]:
    """Every place where a name may be, and some where none is."""
    found = {0, len(document.text)}
    for placed in document.cells():
        found.update((placed.start_offset, placed.start_offset + placed.cell.length // 2))
        for name in placed.cell.names:
            found.update(offset + placed.start_offset for offset in (*name.span, *name.reach))
    return sorted(found)


def test_every_format_is_among_the_examples() -> None:
    formats = {opened(name).format.name for name in NAMES}
    assert {format.name for format in FORMATS} <= formats


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    document = opened(name)
    for offset in places(document):
        spans = references(snapshot_of(document), offset)
        found = name_at(document, offset)
        assert [shown.span for shown in highlights(snapshot_of(document), offset)] == spans
        if found is None:
            assert spans == []
            continue
        assert found.span in spans
        assert references(snapshot_of(document), offset, declared=False) == [
            span for span in spans if span not in declaring(document, spans)
        ]
        jump = definition(snapshot_of(document), offset)
        if found.name.use is Use.USES and jump is not None and found.name.kind.name == "CELL":
            assert {target.span for target in jump.targets} <= set(spans)
        both = linked(snapshot_of(document), offset)
        if both is not None:
            assert {span.start for span in both.spans} <= {span.start for span in spans}


def declaring(document: Document, spans: list[Span]) -> set[Span]:
    """Those of the places that declare their name."""
    found = set()
    for placed in document.cells():
        for name in placed.cell.names:
            span = name.span.shift(placed.start_offset)
            if name.use is Use.DECLARES and span in spans:
                found.add(span)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_a_fact(name: str) -> None:
    """Whoever says a name is found from every other place that says it."""
    document = opened(name)
    for placed in document.cells():
        for said in placed.cell.names:
            assert said.reach.covers(said.segment)
            if name_at(document, placed.start_offset + said.segment.end) is not None:
                assert placed.label in cells_with_name(document, said)


MESSY = """\
---
default_agent: Ada
agents:
  - name: Ada
    models: [m1, m2]
---
# %% Ask [^m1]

[^m1]: [markdown]
\\[^m2\\]: [markdown]
[^m3: [markdown]
[^m4]: plain text, see [^m1] and [^m1.9f3c]

# %%% [^m2]
[^m2]: [Ada]
# %% [^m2.9f3c]
[^m2.9f3c]: [tool] name="se\\"arch" x=1
[^m2.9f3d]: [tool] x="a name=b" name=get
# %% [^m2.9f3c.1]
[^m2.9f3c.1]: [tool] name=
# %% [^t]
[^t]: [markdown] definition=agent name=Eve
"""


MESSY_STF = """\
@ai id=a1 name=x
@call id='c1'
f {}
@call
@tool call_id="c1"
x
@raw call_id=c9
{role: 'assistant', 'tool_calls': [{id: 'c2', function: {name: 'f'}}, {id: 3}, {id: 'c4'}, {}, 5]}
@end
@raw
{tool_call_id: 'c2', call_id: "c4", tool_calls: [{id: 'c5',
@end
@raw {id: 'm9'}
{call_id: 'c\\u0034'}
@end
"""
CALL = '{"kind": "tool_call", "payload": {"toolCallId": "c\\u0031", "toolName": "f"}}'
RESULT = '{"kind": "tool_result", "payload": {"toolCallId": "c2"}}'
MESSY_JSON = f"""\
{{"runId": "r", "role": "assistant", "parts": [{CALL}, {RESULT}]}}
{{"runId": "r", "role": "tool", "parts": [{RESULT}, {{}}, 1]}}
{{"id":
{{"kind": "tool_call_args", "runId": "r", "seq": 1, "payload": {{"toolCallId": "c"}}}}
"""


@pytest.mark.parametrize(
    ("path", "text"), [("a.msg.md", MESSY), ("a.stf", MESSY_STF), ("a.messages.jsonl", MESSY_JSON)]
)
def test_facts_follow_from_the_names_of_messy_cells(path: str, text: str) -> None:
    document = Document.open(path, text)
    assert len({name.use for placed in document.cells() for name in placed.cell.names}) > 1
    assert_facts_follow(document)


@pytest.mark.parametrize("name", NAMES)
def test_a_rename_changes_what_is_referred_to(name: str) -> None:
    document = opened(name)
    for offset in places(document):
        with suppress(RenameRefused):
            what = prepare_rename(snapshot_of(document), offset)
            spans = references(snapshot_of(document), offset)
            edits = rename(snapshot_of(document), offset, "Renamed1")
            named = [e for e in edits if any(e.span.covers(s) or s.covers(e.span) for s in spans)]
            assert edits
            assert named
            after = document.apply(edits)
            assert "Renamed1" in after.text
            assert rename(snapshot_of(document), offset, what.text) == []


@pytest.mark.parametrize("name", NAMES)
def test_what_holds_of_every_answer(name: str) -> None:
    document = opened(name)
    sample = Sample(name, document.text, ())
    ask_all(sample, document)
    for offset in places(document):
        ask_at(sample, document, offset)
    halves = [*tokens(snapshot_of(document), 0, 2), *tokens(snapshot_of(document), 2)]
    assert halves == list(tokens(snapshot_of(document)))


@pytest.mark.parametrize("name", NAMES)
def test_nodes_lie_in_their_cell(name: str) -> None:
    for placed in opened(name).cells():
        for node in placed.cell.nodes:
            assert 0 <= node.span.start <= node.span.end <= placed.cell.length
        for link in placed.cell.links:
            assert 0 < link.span.end <= placed.cell.length
    assert all(link.target for _, link in links(snapshot_of(opened(name))))
