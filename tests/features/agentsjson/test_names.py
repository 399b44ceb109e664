"""Names in ``agents.json``: definitions, references, highlights, renames; links and selections."""

import pytest

from msgls.document.snapshot import Surroundings
from msgls.features.definition import definition, introduced
from msgls.features.highlight import highlights
from msgls.features.links import links
from msgls.features.moving import moved_links, mover
from msgls.features.references import elsewhere, mentions, references
from msgls.features.rename import RenameRefused, prepare_rename, rename, renamed
from msgls.features.selection import selection_spans
from tests.features.agentsjson.support import HOST, MINIFIED, PATH, at, opened
from tests.notation import unmark
from tests.snapshots import snapshot_of

AROUND = Surroundings(registered_by=lambda file: [f"{file}+1", f"{file}+2"])
TWICE = '{"agents": [{"name": "«a»"}, {"name": "«¦a»"}, {"name": "b", "x": {"name": "a"}}]}'


def test_an_agent_leads_to_itself() -> None:
    marked = unmark(TWICE)
    document = opened(marked.text)
    jump = definition(snapshot_of(document), marked.cursor)
    assert jump is not None
    assert jump.origin == marked.spans()[1]
    assert [target.span for target in jump.targets] == marked.spans()
    assert [target.around.of(marked.text) for target in jump.targets] == [marked.text] * 2
    assert introduced(snapshot_of(document), "a") == list(jump.targets)
    assert introduced(snapshot_of(document), "c") == []
    assert definition(snapshot_of(document), 3) is None


def test_references_are_here_and_in_message_files() -> None:
    marked = unmark(TWICE)
    document = opened(marked.text)
    assert (
        references(snapshot_of(document), marked.cursor)
        == mentions(snapshot_of(document), "a")
        == marked.spans()
    )
    assert references(snapshot_of(document), marked.cursor, False) == []
    assert list(elsewhere(snapshot_of(document, AROUND), marked.cursor, True)) == [
        (f"{PATH}+1", "a"),
        (f"{PATH}+2", "a"),
    ]
    assert list(elsewhere(snapshot_of(document, AROUND), 3, True)) == []
    assert [
        found.span for found in highlights(snapshot_of(document), marked.cursor)
    ] == marked.spans()


def test_tasks_of_the_same_name_are_highlighted() -> None:
    document, marked = at('"name": "Pl¦an", "type"')
    found = [found.span.of(HOST) for found in highlights(snapshot_of(document), marked.cursor)]
    assert found == ["Plan", "Plan"]
    document, marked = at('"name": "Reset¦Context"')
    assert highlights(snapshot_of(document), marked.cursor) == []


@pytest.mark.parametrize("new", ["b c", "导游", "it's", "a\\b"])
def test_an_agent_is_renamed(new: str) -> None:
    document, marked = at('"name": "«gui¦de»"')
    found = prepare_rename(snapshot_of(document), marked.cursor)
    assert (found.span, found.text) == (marked.span(), "guide")
    after = document.apply(rename(snapshot_of(document), marked.cursor, f" {new} "))
    assert prepare_rename(snapshot_of(after), marked.span().start).text == new
    assert list(elsewhere(snapshot_of(document, AROUND), marked.cursor)) == [
        (f"{PATH}+1", "guide"),
        (f"{PATH}+2", "guide"),
    ]
    assert document.apply(renamed(snapshot_of(document), "guide", new)).text == after.text


def test_both_of_a_name_are_renamed() -> None:
    document = opened(MINIFIED)
    after = document.apply(rename(snapshot_of(document), MINIFIED.index('"a"') + 1, "z"))
    assert after.text == MINIFIED.replace('"name":"a"', '"name":"z"')


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("", "is not a valid"),
        ("a[b]", "is not a valid"),
        ('a"b', "is not a valid"),
        ("a\nb", "is not a valid"),
        ("tool", "is the type of tool calls"),
        ("translator", "is taken"),
    ],
)
def test_a_rename_that_message_files_could_not_say_is_refused(new: str, why: str) -> None:
    document, marked = at('"name": "gui¦de"')
    with pytest.raises(RenameRefused, match=why):
        rename(snapshot_of(document), marked.cursor, new)


@pytest.mark.parametrize(
    "cursor", ['"na¦me": "guide"', '"pa¦th": "./', '"name": "Plan ¦a', '{¦\n  "agents"']
)
def test_nothing_else_is_renamed(cursor: str) -> None:
    document, marked = at(cursor)
    with pytest.raises(RenameRefused, match="nothing to rename here"):
        prepare_rename(snapshot_of(document), marked.cursor)


def test_the_name_stays_the_name() -> None:
    document, marked = at('"name": "gui¦de"')
    assert rename(snapshot_of(document), marked.cursor, "guide") == []


@pytest.mark.parametrize(
    ("path", "is_link"),
    [
        ("./a.js", True),
        ("a b/c.js", True),
        ("../a.js", True),
        ("/a.js", False),
        ("https://a.b/c.js", False),
        ("C:\\\\a.js", False),
        ("", False),
        ("a\\u0062.js", False),
    ],
)
def test_links(path: str, is_link: bool) -> None:
    text = f'{{"agents": [{{"path": "{path}"}}]}}'
    found = [link.span.of(text) for _, link in links(snapshot_of(opened(text)))]
    assert found == ([path] if is_link else [])


def test_a_path_follows_the_file_that_it_leads_to() -> None:
    document = opened()
    move = mover([("/host/agents", "/host/my programs")])
    after = document.apply(list(moved_links(snapshot_of(document), PATH, move)))
    assert after.text == HOST.replace("./agents/guide.js", "./my programs/guide.js")


def test_selections_grow_along_the_values() -> None:
    text = '{"agents": [{"name": "a b"}, 1]}'
    grown = [
        span.of(text) for span in selection_spans(snapshot_of(opened(text)), text.index("a b"))
    ]
    assert grown == ["a", "a b", '"a b"', '"name": "a b"', '{"name": "a b"}', text]
    key = [span.of(text) for span in selection_spans(snapshot_of(opened(text)), text.index("name"))]
    assert key[:3] == ["name", '"name"', '"name": "a b"']
    assert selection_spans(snapshot_of(opened("{")), 1)[-1] == (0, 1)
