"""Linked editing: the id in a header and in its definition."""

from msgls.features.linked import linked
from tests.features.msgmd.sample import opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

PAIRS = {
    "from the header": "# %% T[^«m¦»]\n\n[^«m»]: [raw]\n",
    "from the definition": "# %% T[^«m»]\n\n[^«¦m»]: [raw]\n",
    "a whole dotted id": "# %%% T[^«a.9¦f.1»]\n\n[^«a.9f.1»]: [tool]\n",
    "away from home": "# %% T[^«m»]\n\n# %% U[^n]\n\n[^n]: [raw]\n\n[^«¦m»]: [raw]\n",
    "of two cells with one id, the own one": (
        "# %% T[^m]\n\n[^m]: [raw]\n\n# %% U[^«m¦»]\n\n[^«m»]: [raw]\n"
    ),
    "the other one": "# %% T[^«m»]\n\n[^«¦m»]: [raw]\n\n# %% U[^m]\n\n[^m]: [raw]\n",
    "next to a reference": "# %% T[^«m¦»]\n\n[^«m»]: [raw]\n\nsee [^m]\n",
}


@table("source", PAIRS)
def test_what_changes_together(source: str) -> None:
    marked = unmark(source)
    found = linked(snapshot_of(opened(marked.text)), marked.cursor)
    assert found is not None
    assert list(found.spans) == marked.spans()


NOTHING = {
    "no definition": "# %% T[^m¦]\n",
    "a reference": "# %% T[^m]\n\n[^m]: [raw]\n\nsee [^m¦]\n",
    "a definition that does not count": "# %% T[^m]\n\n[^m]: [raw]\n\n[^m¦]: [raw]\n",
    "a footnote": "# %% T[^m]\n\n[^m]: [raw]\n\n[^n¦]: words\n",
    "after the bracket": "# %% T[^m]¦\n\n[^m]: [raw]\n",
    "a title": "# %% T¦[^m]\n\n[^m]: [raw]\n",
    "an id that a call is made of": "# %%% T[^a¦]\n\n[^a]: [bot]\n\n## %%% [^a.9f]\n",
    "an id that a result is made of": (
        "# %%% T[^a.9¦f]\n\n[^a.9f]: [tool] name=x\n\n# %%% U[^a.9f.1]\n"
    ),
    "a type": "# %% T[^m]\n\n[^m]: [ra¦w]\n",
}


@table("source", NOTHING)
def test_nothing_changes_together(source: str) -> None:
    marked = unmark(source)
    assert linked(snapshot_of(opened(marked.text)), marked.cursor) is None
