"""Highlight, references and definition: a UUID, and the messages that say it."""

from msgls.features.definition import definition, introduced
from msgls.features.highlight import highlights
from msgls.features.names import Elsewhere
from msgls.features.references import elsewhere, mentions, references
from tests.features.chatbuilder.support import FOLDER, OTHER_UUID, UUID, around, opened
from tests.notation import mark, table, unmark
from tests.snapshots import snapshot_of

OWN = f"; Block-UUID: «write|{UUID}»\n; Parent-UUID: {OTHER_UUID}\n; role: user\n\n\nHi\n"
TWO, THREE = f"{FOLDER}/2.md", f"{FOLDER}/3.md"
HEADS = {("Block-UUID", OTHER_UUID): (TWO,), ("Parent-UUID", OTHER_UUID): (THREE, TWO)}


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
    found = highlights(snapshot_of(opened(marked.text)), marked.cursor)
    shown = [("write" if place.is_declared else "read", place.span) for place in found]
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
    jump = definition(snapshot_of(opened(marked.text), around((), HEADS)), marked.cursor)
    if paths is None:
        assert jump is None
        return
    assert jump is not None
    assert jump.origin == marked.span()
    assert jump.targets == ()
    assert jump.elsewhere == tuple([Elsewhere(path, OTHER_UUID) for path in paths])


def test_definition_of_its_own() -> None:
    marked = unmark(f"; Block-UUID: «¦{OTHER_UUID.upper()}»\n; role: user\n")
    jump = definition(snapshot_of(opened(marked.text), around((), HEADS)), marked.cursor)
    assert jump is not None
    assert [target.span for target in jump.targets] == [marked.span()]
    assert jump.elsewhere == (Elsewhere(TWO, OTHER_UUID),)


def test_where_it_stands_in_the_other_file() -> None:
    marked = unmark(f"; Component: x\n«line|; Block-UUID: «{UUID.upper()}»»\n; role: user\n")
    (target,) = introduced(snapshot_of(opened(marked.text)), UUID)
    assert (target.span, target.around) == (marked.span(), marked.span("line"))
    assert introduced(snapshot_of(opened(marked.text)), OTHER_UUID) == []
    assert introduced(snapshot_of(opened(f"; Parent-UUID: {UUID}\n; role: user\n")), UUID) == []


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
    assert (
        references(snapshot_of(document, surroundings), marked.cursor, declared) == marked.spans()
    )
    others = {0: [], 1: [THREE, TWO], 2: [TWO, THREE]}[paths]
    found = list(elsewhere(snapshot_of(document, surroundings), marked.cursor, declared))
    assert found == [Elsewhere(path, OTHER_UUID) for path in others]


def test_mentions_in_the_other_file() -> None:
    marked = unmark(f"; Block-UUID: {OTHER_UUID}\n; Parent-UUID: «{UUID}»\n; role: user\n")
    assert mentions(snapshot_of(opened(marked.text)), UUID) == marked.spans()
    assert mentions(snapshot_of(opened(marked.text)), OTHER_UUID, declared=False) == []
