"""References and highlights: every place that says a name."""

from msgls.features.highlight import highlights
from msgls.features.references import references
from tests.features.msgmd.sample import opened
from tests.notation import mark, table, unmark
from tests.snapshots import snapshot_of

FAMILY = (
    "# %%% A[^{a}]\n\n[^{a}]: [gpt]\n\n"
    "# %%% C[^{a}.9f]\n\n[^{a}.9f]: [tool]\n\n"
    "# %%% R[^{a}.9f.1]\n\n[^{a}.9f.1]: [tool]\n\nsee [^{a}] and [^{a}.9f], not [^aa]\n"
)

# `«w|…»` is where the name is given, `«r|…»` where it is used.
NAMES = {
    "an id": "# %% T[^«w|m¦»]\n\n[^«w|m»]: [raw]\n\n[^«r|m»] `[^m]`\n\n# %% U\n\n[^«r|m»]\n",
    "a family": FAMILY.replace("{a}", "«r|a»")
    .replace("A[^«r|a»]", "A[^«w|a¦»]")
    .replace("[^«r|a»]: [gpt]", "[^«w|a»]: [gpt]"),
    "a call": FAMILY.replace("{a}.9f", "«r|a.9f»")
    .replace("{a}", "a")
    .replace("C[^«r|a.9f»]", "C[^«w|a.9f»]")
    .replace("[^«r|a.9f»]: [tool]", "[^«w|a.¦9f»]: [tool]"),
    "a result": FAMILY.replace("{a}.9f.1", "«w|a.9f.1»")
    .replace("{a}", "a")
    .replace("«w|a.9f.1»]:", "«w|a.9f.1¦»]:"),
    "a footnote": "# %% T[^m]\n\n[^m]: [raw]\n\n[^«r|n¦»]\n\n[^«w|n»]: words\n",
    "an agent": (
        "---\ndefault_agent: «r|gpt»\nagents:\n  «w|gpt¦»: {}\n  other: {}\n---\n"
        "# %%% A[^a]\n\n[^a]: [«r|gpt»]\n\n# %% B[^b]\n\n[^b]: [markdown]\n\n[gpt]\n\n"
        "# %%% C[^c]\n\n[^c]: [other]\n\n# %%% D[^d]\n\n[^d]: [«r|gpt»] time=x\n"
    ),
    "an agent that is a language": (
        "# %% C[^c]\n\n[^c]: [code]\n\n# %%% R[^c.1]\n\n[^c.1]: [python]\n\n"
        "# %%% A[^a]\n\n[^a]: [«r|pyth¦on»]\n"
    ),
    "a temporary agent": (
        '# %% T[^t]\n\n[^t]: [raw] definition=agent name="«w|me»"\n\n'
        "# %%% A[^a]\n\n[^a]: [«r|m¦e»]\n"
    ),
    "a model of a temporary agent": (
        "# %% T[^t]\n\n[^t]: [raw] definition=agent name=me\n\n"
        "---\nmodels: [«r|g¦pt», other]\n---\n\n"
        "# %%% A[^a]\n\n[^a]: [«r|gpt»]\n"
    ),
    "a tool": (
        '# %%% C[^a.1f]\n\n[^a.1f]: [tool] name="«r|lo¦ok»"\n\n'
        "# %%% C[^a.2f]\n\n[^a.2f]: [tool] name=«r|look» x=look\n\n"
        '# %%% C[^a.3f]\n\n[^a.3f]: [tool] name="looked"\n\n'
        '# %%% C[^b]\n\n[^b]: [gpt] name="look"\n'
    ),
}


@table("source", NAMES)
def test_every_place_is_found(source: str) -> None:
    marked = unmark(source)
    found = highlights(snapshot_of(opened(marked.text)), marked.cursor)
    ranges = [("w" if highlight.is_declared else "r", highlight.span) for highlight in found]
    assert mark(marked.text, ranges) == source.replace("¦", "")
    assert references(snapshot_of(opened(marked.text)), marked.cursor) == [
        span for _, span in ranges
    ]


def test_the_declaration_can_be_left_out() -> None:
    marked = unmark("# %% T[^m¦]\n\n[^«m»]: [raw]\n\n[^«m»]\n")
    assert (
        references(snapshot_of(opened(marked.text)), marked.cursor, declared=False)
        == marked.spans()
    )


NOTHING = {
    "content": "# %% T[^m]\n\n[^m]: [raw]\n\nwo¦rds\n",
    "a marker": "# ¦%% T[^m]\n\n[^m]: [raw]\n",
    "a key": "# %% T[^m]\n\n[^m]: [raw] his¦tory=1\n",
    "a language": "# %% C[^c]\n\n[^c]: [code]\n\n# %%% R[^c.1]\n\n[^c.1]: [pyt¦hon]\n",
    "a fence": "# %% T[^m]\n\n[^m]: [raw]\n\n```\n[^m¦]\n```\n",
}


@table("source", NOTHING)
def test_nothing_is_found(source: str) -> None:
    marked = unmark(source)
    assert references(snapshot_of(opened(marked.text)), marked.cursor) == []
    assert highlights(snapshot_of(opened(marked.text)), marked.cursor) == []


def test_highlights_of_an_agent_end_somewhere_and_references_do_not() -> None:
    cells = "".join(f"# %%% A[^a{number}]\n\n[^a{number}]: [gpt]\n\n" for number in range(1000))
    document = opened(cells)
    offset = cells.index("[gpt]") + 1
    assert len(references(snapshot_of(document), offset)) == 1000
    shown = highlights(snapshot_of(document), offset)
    assert 100 < len(shown) < 300
    assert shown[0].span.contains(offset)
