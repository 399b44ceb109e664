"""Go to definition: what is jumped from, and where it leads."""

from msgls.features.definition import definition
from tests.features.msgmd.sample import CONVERSATION, opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

CELL = "# %% T[^m]\n\n[^m]: [raw]\n"
ANSWER = "# %%% A[^a]\n\n[^a]: [gpt]\n\n"
CALL = "# %%% C[^a.9f]\n\n[^a.9f]: [tool]\n\n"
RESULT = "# %%% R[^a.9f.1]\n\n[^a.9f.1]: [tool]\n"
HEAD = "---\nagents:\n  gpt:\n    models: [x-1]\n---\n"

# `«from|…»` is what is jumped from, `«…»` are the places that are reached.
JUMPS = {
    "header to definition": "# %% T[^«from|¦m»]\n\n[^«m»]: [raw]\n",
    "definition to header": "# %% T[^«m»]\n\n[^«from|¦m»]: [raw]\n",
    "to a definition elsewhere": "# %% T[^«from|m¦»]\n\n# %% U\n\n[^«m»]: [raw]\n",
    "from a definition elsewhere": "# %% T[^«m»]\n\n# %% U\n\n[^«from|m¦»]: [raw]\n",
    "to a definition without a type": "# %% T[^«from|m¦»]\n\n[^«m»]: words\n",
    "to a half-written definition": "# %% T[^«from|m¦»]\n\n[^«m»]: [ra\n",
    "reference to cell": "# %% T[^«m»]\n\n[^m]: [raw]\n\nsee [^«from|m¦»]\n",
    "reference to footnote": "# %% T[^m]\n\n[^m]: [raw]\n\nsee [^«from|n¦»]\n\n[^«n»]: words\n",
    "to both cells of one id": "# %% T[^«m»]\n\n# %% U[^«m»]\n\nsee [^«from|m¦»]\n",
    "call to answer": ANSWER.replace("A[^a]", "A[^«a»]") + "# %%% C[^«from|¦a».9f]\n",
    "call to its definition": ANSWER + "# %%% C[^a.«from|9¦f»]\n\n[^«a.9f»]: [tool]\n",
    "result to call": ANSWER
    + CALL.replace("C[^a.9f]", "C[^«a.9f»]")
    + RESULT.replace("R[^a.9f.1]", "R[^a.«from|9¦f».1]"),
    "result's definition to call": ANSWER
    + CALL.replace("C[^a.9f]", "C[^«a.9f»]")
    + RESULT.replace("[^a.9f.1]:", "[^a.«from|9¦f».1]:"),
    "result to answer": ANSWER.replace("A[^a]", "A[^«a»]")
    + CALL
    + RESULT.replace("R[^a.9f.1]", "R[^«from|a¦».9f.1]"),
    "type of a call to its answer": ANSWER.replace("A[^a]", "A[^«a»]")
    + CALL.replace("[tool]", "[«from|to¦ol»]"),
    "language to code": (
        "# %% T[^«c»]\n\n[^c]: [code]\n\n# %%% R[^c.1]\n\n[^c.1]: [«from|py¦thon»]\n"
    ),
    "type to agent": HEAD.replace("gpt", "«gpt»") + "# %%% A[^a]\n\n[^a]: [«from|g¦pt»]\n",
    "model to agent": HEAD.replace("gpt", "«gpt»") + "# %%% A[^a]\n\n[^a]: [«from|x-¦1»]\n",
    "agent to answers": HEAD.replace("gpt", "«from|¦gpt»")
    + "# %%% A[^a]\n\n[^a]: [«gpt»]\n\n# %%% B[^b]\n\n[^b]: [«gpt»]\n",
    "default to agent": "---\ndefault_agent: «from|g¦pt»\nagents:\n  «gpt»: {}\n---\n",
    "to a temporary agent": (
        '# %% T[^t]\n\n[^t]: [raw] definition="agent" name="«me»"\n\n'
        "# %%% A[^a]\n\n[^a]: [«from|m¦e»]\n"
    ),
    "a temporary agent to its answers": (
        '# %% T[^t]\n\n[^t]: [raw] definition="agent" name="«from|m¦e»"\n\n'
        "# %%% A[^a]\n\n[^a]: [«me»]\n"
    ),
}


@table("source", JUMPS)
def test_jumps(source: str) -> None:
    marked = unmark(source)
    jump = definition(snapshot_of(opened(marked.text)), marked.cursor)
    assert jump is not None
    assert jump.origin == marked.span("from")
    assert sorted(target.span for target in jump.targets) == marked.spans()
    for target in jump.targets:
        assert "\n" not in target.around.of(marked.text)
        assert target.around.covers(target.span)


NOWHERE = {
    "content": CELL + "\nwo¦rds\n",
    "a title": CELL.replace("T", "T¦"),
    "a type of a message": CELL.replace("raw", "ra¦w"),
    "a header without a definition": "# %% T[^m¦]\n",
    "a reference to nothing": CELL + "\n[^x¦]\n",
    "an agent that nobody registered": "# %%% A[^a]\n\n[^a]: [gp¦t]\n",
    "an orphan": "# %%% C[^a¦.9f]\n\n[^a.9f]: [tool]\n",
    "in a fence": CELL + "\n```\n[^m¦]\n```\n",
}


@table("source", NOWHERE)
def test_leads_nowhere(source: str) -> None:
    marked = unmark(source)
    assert definition(snapshot_of(opened(marked.text)), marked.cursor) is None


def test_there_and_back_again() -> None:
    """From every header one comes back by jumping twice."""
    document = opened()
    for placed in document.cells():
        header = placed.cell.header
        if header is None or header.id is None:
            continue
        there = definition(snapshot_of(document), header.id.span.end + placed.start_offset)
        assert there is not None
        (target,) = there.targets
        back = definition(snapshot_of(document), target.span.end)
        assert back is not None
        assert [found.span for found in back.targets] == [header.id.span.shift(placed.start_offset)]
    assert CONVERSATION.count("# %%") > 5
