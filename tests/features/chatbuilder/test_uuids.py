"""Highlight, references and definition: a UUID, and the messages that say it."""

from __future__ import annotations

from msgls.features.definition import definition, introduced
from msgls.features.elsewhere import Elsewhere
from msgls.features.highlight import highlights
from msgls.features.references import elsewhere, mentions, references
from tests.features.chatbuilder.support import FOLDER, OTHER_UUID, UUID, around, opened
from tests.notation import mark, table, unmark

OWN = f"; Block-UUID: «write|{UUID}»\n; Parent-UUID: {OTHER_UUID}\n; role: user\n\n\nHi\n"
TWO, THREE = f"{FOLDER}/2.md", f"{FOLDER}/3.md"
HEADS = {
    ("Block-UUID", OTHER_UUID): (TWO,),
    ("Parent-UUID", OTHER_UUID): (THREE, TWO),
}


@table(
    "source",
    {
        "its own": f"; Block-UUID: ¦«write|{UUID}»\n; role: user\n",
        "two fields": f"; Block-UUID: «write|{UUID}»\n; Parent-UUID: «read|¦{UUID.upper()}»\n",
        "only one of two": f"; Block-UUID: {OTHER_UUID}\n; Parent-UUID: «read|¦{UUID}»\n",
        "from the body": f"; Block-UUID: «write|{UUID}»\n; role: user\n\n\n«read|{UUID}¦»\n",
        "no UUID": f"; Block-¦UUID: {UUID}\n; role: user\n",
        "half of one": f"; Block-UUID: ¦{UUID[:-1]}\n; role: user\n",
    },
)
def test_highlights(source: str) -> None:
    marked = unmark(source)
    found = highlights(opened(marked.text), marked.cursor)
    shown = [("write" if place.gives else "read", place.span) for place in found]
    assert mark(marked.text, shown) == source.replace("¦", "")


@table(
    "source, paths",
    {
        "the parent": (f"; Parent-UUID: «{OTHER_UUID}¦»\n; role: user\n", [TWO]),
        "one that nobody has": (f"; Parent-UUID: {UUID}¦\n; role: user\n", None),
        "no parent": ("; Parent-UUID: N/A¦\n; role: user\n", None),
        "in the body": (f"; role: user\n\n\n(«{OTHER_UUID}¦»)\n", [TWO]),
    },
)
def test_definition_in_another_file(source: str, paths: list[str] | None) -> None:
    marked = unmark(source)
    jump = definition(opened(marked.text), marked.cursor, around((), HEADS))
    if paths is None:
        assert jump is None
        return
    assert jump is not None
    assert jump.origin == marked.span()
    assert jump.targets == ()
    assert jump.elsewhere == tuple([Elsewhere(path, OTHER_UUID) for path in paths])


def test_definition_of_its_own() -> None:
    marked = unmark(f"; Block-UUID: «¦{OTHER_UUID.upper()}»\n; role: user\n")
    jump = definition(opened(marked.text), marked.cursor, around((), HEADS))
    assert jump is not None
    assert [target.span for target in jump.targets] == [marked.span()]
    assert jump.elsewhere == (Elsewhere(TWO, OTHER_UUID),)


def test_where_it_stands_in_the_other_file() -> None:
    marked = unmark(f"; Component: x\n«line|; Block-UUID: «{UUID.upper()}»»\n; role: user\n")
    (target,) = introduced(opened(marked.text), UUID)
    assert (target.span, target.around) == (marked.span(), marked.span("line"))
    assert introduced(opened(marked.text), OTHER_UUID) == []
    assert introduced(opened(f"; Parent-UUID: {UUID}\n; role: user\n"), UUID) == []


@table(
    "declared, source, paths",
    {
        "all": (True, f"; Block-UUID: «¦{OTHER_UUID}»\n; Parent-UUID: «{OTHER_UUID}»\n", 2),
        "only uses": (False, f"; Block-UUID: ¦{OTHER_UUID}\n; Parent-UUID: «{OTHER_UUID}»\n", 1),
        "nothing there": (True, "; Block-¦UUID: x\n", 0),
    },
)
def test_references(declared: bool, source: str, paths: int) -> None:
    marked = unmark(source)
    document, surroundings = opened(marked.text), around((), HEADS)
    assert references(document, marked.cursor, declared, surroundings) == marked.spans()
    others = {0: [], 1: [THREE, TWO], 2: [TWO, THREE]}[paths]
    found = list(elsewhere(document, marked.cursor, declared, surroundings))
    assert found == [Elsewhere(path, OTHER_UUID) for path in others]


def test_mentions_in_the_other_file() -> None:
    marked = unmark(f"; Block-UUID: {OTHER_UUID}\n; Parent-UUID: «{UUID}»\n; role: user\n")
    assert mentions(opened(marked.text), UUID) == marked.spans()
    assert mentions(opened(marked.text), OTHER_UUID, declared=False) == []
