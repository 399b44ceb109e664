"""Merging by cell: what is kept, in which order, under which id."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.branches.merging import Merged, merge
from msgls.document.document import Document

AGENTS = "---\nagents:\n  bot: {}\n---\n\n"


def opened(text: str) -> Document:
    return Document.open("a.msg.md", text)


def merged(base: str, ours: str, theirs: str) -> Merged:
    return merge(base, ours, theirs, opened)


def q(id: str, text: str) -> str:
    return f"# %% [^{id}]\n\n[^{id}]: [markdown]\n\n{text}\n\n"


def a(id: str, text: str) -> str:
    return f"# %%% [^{id}]\n\n[^{id}]: [bot]\n\n{text}\n\n"


def t(id: str, text: str) -> str:
    return f'# %%% [^{id}]\n\n[^{id}]: [tool] name="x" status="success"\n\n{text}\n\n'


def file(*cells: str) -> str:
    return "".join(cells).rstrip("\n") + "\n"


def ids(text: str) -> list[str]:
    return [placed.cell.id for placed in opened(text).cells() if placed.cell.id is not None]


M1, A1, M2 = q("m1", "Hello.\n\nA.\n\nB."), a("a1", "Hi."), q("m2", "And?")
BASE = file(M1, A1, M2)


@pytest.mark.parametrize(
    ("ours", "theirs", "result"),
    [
        # Added on both sides: both are kept, ours first.
        (file(M1, A1, M2, a("a2", "O")), file(M1, A1, M2, a("a3", "T")), "m1 a1 m2 a2 a3"),
        (file(q("x", "O"), M1, A1, M2), file(q("y", "T"), M1, A1, M2), "x y m1 a1 m2"),
        (file(M1, q("x", "O"), A1, M2), file(M1, A1, q("y", "T"), M2), "m1 x a1 y m2"),
        # Added by both, letter for letter: once.
        (file(M1, A1, M2, a("a2", "S")), file(M1, A1, M2, a("a2", "S")), "m1 a1 m2 a2"),
        (
            file(M1, A1, M2, a("a2", "S"), q("m3", "O")),
            file(M1, A1, M2, a("a2", "S"), q("m4", "T")),
            "m1 a1 m2 a2 m3 m4",
        ),
        # An id that both took.
        (file(M1, A1, M2, a("a2", "O")), file(M1, A1, M2, a("a2", "T")), "m1 a1 m2 a2 a3"),
        (
            file(M1, A1, M2, a("a2", "O"), t("a2.n", "<x/>")),
            file(M1, A1, M2, a("a2", "T"), t("a2.n", "<x/>"), t("a2.n.1", "R")),
            "m1 a1 m2 a2 a2.n a3 a3.n a3.n.1",
        ),
        (file(M1, A1, M2, q("end", "O")), file(M1, A1, M2, q("end", "T")), "m1 a1 m2 end end-2"),
        (file(M1, A1, t("a1.n9", "<o/>"), M2), file(M1, A1, t("a1.n9", "<t/>"), M2),
         "m1 a1 a1.n9 a1.n9-2 m2"),
        # Deleted on one side, untouched on the other.
        (file(M1, M2), file(M1, A1, M2, q("y", "T")), "m1 m2 y"),
        (file(M1, A1, M2, q("x", "O")), file(A1, M2), "a1 m2 x"),
        (file(M1, M2), file(M1, A1), "m1"),
        # Moved on one side.
        (file(M1, A1, M2, q("x", "O")), file(M2, M1, A1), "m2 m1 a1 x"),
        (file(M2, M1, A1), file(M1, A1, M2, q("y", "T")), "m2 y m1 a1"),
        # What belongs to a call stays with it.
        (file(M1, A1, q("x", "O"), M2), file(M1, A1, t("a1.n", "<x/>"), M2), "m1 a1 a1.n x m2"),
        # Given another id on one side, and a child under the old one on the other.
        (file(M1, a("b1", "Hi."), M2), file(M1, A1, t("a1.n", "<x/>"), M2), "m1 b1 b1.n m2"),
        (file(M1, A1, t("a1.n", "<x/>"), M2), file(M1, a("b1", "Hi."), M2), "m1 b1 b1.n m2"),
    ],
)  # fmt: skip
def test_cells_of_both_sides_are_put_together(ours: str, theirs: str, result: str) -> None:
    found = merged(BASE, ours, theirs)
    assert found.conflicts == 0
    assert ids(found.text) == result.split()


def test_what_refers_to_a_renamed_cell_follows() -> None:
    ours = file(M1, A1, M2, a("a2", "Ours, see [^a2]."))
    theirs = file(M1, A1, M2, a("a2", "Theirs, see [^a2] and [^m1]."), q("m3", "See [^a2]."))
    text = merged(BASE, ours, theirs).text
    assert "Ours, see [^a2]." in text
    assert "[^a3]: [bot]\n\nTheirs, see [^a3] and [^m1].\n" in text
    assert "See [^a3]." in text


def test_one_cell_changed_in_two_places_is_merged_by_line() -> None:
    found = merged(BASE, BASE.replace("Hello.", "Good day."), BASE.replace("B.", "C."))
    assert found == (BASE.replace("Hello.", "Good day.").replace("B.", "C."), 0)


def test_adding_after_a_cell_and_changing_its_last_line_is_not_a_conflict() -> None:
    found = merged(BASE, BASE.replace("And?", "And then?"), BASE + "\n" + a("a2", "T").rstrip())
    assert found.conflicts == 0
    assert "And then?\n\n# %%% [^a2]" in found.text


def test_one_line_changed_by_both_is_a_conflict_inside_its_cell() -> None:
    ours, theirs = BASE.replace("Hello.", "Good day."), BASE.replace("Hello.", "Hey.")
    conflict = "<<<<<<< ours\nGood day.\n=======\nHey.\n>>>>>>> theirs"
    assert merged(BASE, ours, theirs) == (BASE.replace("Hello.", conflict), 1)


def test_what_one_side_deleted_and_the_other_changed_is_a_conflict() -> None:
    found = merged(BASE, BASE.replace("Hi.", "Hi!"), file(M1, M2))
    cell = a("a1", "Hi!").strip()
    assert found.conflicts == 1
    assert f"\n<<<<<<< ours\n{cell}\n=======\n>>>>>>> theirs\n\n# %% [^m2]" in found.text
    turned = merged(BASE, file(M1, M2), BASE.replace("Hi.", "Hi!"))
    assert turned.conflicts == 1
    assert f"\n<<<<<<< ours\n=======\n{cell}\n>>>>>>> theirs\n\n# %% [^m2]" in turned.text


def test_the_frontmatter_is_merged_by_line() -> None:
    base = "---\na: 1\nb: 2\nc: 3\n---\n\n" + BASE
    found = merged(base, base.replace("a: 1", "a: 9"), base.replace("c: 3", "c: 8"))
    assert found == (base.replace("a: 1", "a: 9").replace("c: 3", "c: 8"), 0)
    assert merged(base, base.replace("b: 2", "b: 9"), base.replace("b: 2", "b: 8")).conflicts == 1


def test_definitions_at_the_end_of_the_file_come_home() -> None:
    def swept(*pairs: tuple[str, str]) -> str:
        cells = "".join(f"# %% [^{id}]\n\n{text}\n\n" for id, text in pairs)
        return cells + "".join(f"[^{id}]: [markdown]\n" for id, _ in pairs)

    base = swept(("m1", "Hello."))
    found = merged(base, swept(("m1", "Hello."), ("x", "O")), swept(("m1", "Hello."), ("y", "T")))
    assert found.conflicts == 0
    assert ids(found.text) == ["m1", "x", "y"]
    definitions = re.findall(r"(?m)^\[\^(\w+)\]:", found.text)
    assert definitions == ["m1", "x", "y"]


def test_a_fence_that_would_swallow_cells_leads_to_a_merge_by_line() -> None:
    base = file(M1)
    ours = base + "\n" + q("x", "```\nopen").rstrip() + "\n"
    theirs = base + "\n" + q("y", "T").rstrip() + "\n"
    found = merged(base, ours, theirs)
    assert found.conflicts == 1
    assert "```\nopen\n" in found.text
    assert "# %% [^y]" in found.text


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_breaks_and_the_mark_of_the_file_stay(newline: str) -> None:
    def written(text: str) -> str:
        return "\ufeff" + text.replace("\n", newline)

    base, ours, theirs = BASE, file(M1, A1, M2, q("x", "O")), file(M1, A1, M2, q("y", "T"))
    found = merged(written(base), written(ours), written(theirs))
    assert found == (written(merged(base, ours, theirs).text), 0)


def test_new_line_breaks_of_one_side_are_taken() -> None:
    theirs = file(M1, A1, M2, q("y", "T"))
    found = merged(BASE, BASE.replace("\n", "\r\n"), theirs)
    assert found == (theirs.replace("\n", "\r\n"), 0)


def test_another_format_is_merged_by_line() -> None:
    def stf(text: str) -> Document:
        return Document.open("a.stf", text)

    base = "@user\nHello\n@ai\nHi\n"
    found = merge(base, base.replace("Hello", "Hey"), base + "@user\nBye\n", stf)
    assert found == ("@user\nHey\n@ai\nHi\n@user\nBye\n", 0)


# -- whatever was done ------------------------------------------------------------------------

TEXTS = st.sampled_from(["one", "two\n\nthree", "```py\nx = 1\n```", "see [^m1]", "# Heading"])
IDS = st.sampled_from([f"{prefix}{number}" for prefix in "ma" for number in range(1, 6)])


@st.composite
def conversations(draw: st.DrawFn) -> dict[str, str]:
    """Cells by their ids, in order."""
    chosen = draw(st.lists(IDS, unique=True, max_size=6))
    return {id: draw(TEXTS) for id in chosen}


@st.composite
def branches(draw: st.DrawFn, base: dict[str, str]) -> dict[str, str]:
    """A conversation some edits later: deleted, edited, added, moved."""
    cells = [(id, draw(st.just(text) | TEXTS)) for id, text in base.items() if draw(st.booleans())]
    taken = {id for id, _ in cells}
    for id in draw(st.lists(IDS, unique=True, max_size=3)):
        if id not in taken:
            at = draw(st.integers(0, len(cells)))
            cells.insert(at, (id, draw(TEXTS)))
    if draw(st.booleans()):
        cells = draw(st.permutations(cells))
    return dict(cells)


def as_text(cells: dict[str, str]) -> str:
    written = [q(id, text) if id[0] == "m" else a(id, text) for id, text in cells.items()]
    return AGENTS + file(*written) if written else AGENTS


@st.composite
def threes(draw: st.DrawFn) -> tuple[str, str, str]:
    base = draw(conversations())
    return as_text(base), as_text(draw(branches(base))), as_text(draw(branches(base)))


@given(threes())
def test_merging_with_itself_or_with_nothing_changes_nothing(three: tuple[str, str, str]) -> None:
    base, ours, _ = three
    assert merged(base, ours, ours) == (ours, 0)
    assert merged(base, base, ours) == (ours, 0)
    assert merged(base, ours, base) == (ours, 0)


@given(threes())
def test_ids_stay_unique_and_nothing_that_was_added_is_lost(three: tuple[str, str, str]) -> None:
    base, ours, theirs = three
    found = merged(base, ours, theirs)
    written = ids(found.text)
    if not found.conflicts:
        assert max(Counter(written).values(), default=1) == 1
        added = len({*ids(ours)} - {*ids(base)})
        assert len(written) >= added
    # Again with the same side is not news.
    again = merged(theirs, found.text, theirs)
    assert again == (found.text, 0)


@given(threes())
def test_a_change_far_away_from_theirs_leaves_theirs_as_it_is(three: tuple[str, str, str]) -> None:
    """The whole way of a merge, where only the frontmatter of ours differs."""
    base, theirs, _ = three
    longer = AGENTS.replace("---\n\n", "note: x\n---\n\n")
    ours = base.replace(AGENTS, longer, 1)
    assert merged(base, ours, theirs) == (theirs.replace(AGENTS, longer, 1), 0)


@given(st.text("# %[^]:ma12\n`", max_size=60), st.text("# %[^]:ma12\n`", max_size=60),
       st.text("# %[^]:ma12\n`", max_size=60))  # fmt: skip
def test_any_text_can_be_merged(base: str, ours: str, theirs: str) -> None:
    found = merged(base, ours, theirs)
    opened(found.text)
    assert bool(found.conflicts) == ("<<<<<<< ours" in found.text)
