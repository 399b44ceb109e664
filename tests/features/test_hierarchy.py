"""The call hierarchy: answers, their calls, the calls' results."""

from collections.abc import Callable, Iterator

from msgls.document.document import Document
from msgls.features import hierarchy
from msgls.features.hierarchy import HierarchyItem
from tests.snapshots import snapshot_of

TEXT = """\
# %%% A[^a1]

[^a1]: [gpt]

# %%% C[^a1.n1]

[^a1.n1]: [tool] name="t"

# %%% R[^a1.n1.1]

[^a1.n1.1]: [tool] status="success"

# %%% D[^a1.n2]

[^a1.n2]: [tool] name="t"

# %% Code[^c]

[^c]: [code]

# %%% Out[^c.1]

[^c.1]: [python] status="success"
"""


def ids(direction: str, of: str) -> list[str | None]:
    """The ids that are reached from the cell ``of``."""
    document = Document.open("a.msg.md", TEXT)
    item = hierarchy.item_at(snapshot_of(document), TEXT.index(f"[^{of}]"))
    assert item is not None
    follow = hierarchy.outgoing if direction == "out" else hierarchy.incoming
    return [found.placed.cell.id for found in follow(snapshot_of(document), item)]


def test_outgoing() -> None:
    assert ids("out", "a1") == ["a1.n1", "a1.n2"]
    assert ids("out", "a1.n1") == ["a1.n1.1"]
    assert ids("out", "a1.n1.1") == []
    assert ids("out", "c") == ["c.1"]


def test_incoming() -> None:
    assert ids("in", "a1") == []
    assert ids("in", "a1.n2") == ["a1"]
    assert ids("in", "a1.n1.1") == ["a1.n1"]
    assert ids("in", "c.1") == ["c"]


def test_what_has_no_id_is_not_an_item() -> None:
    document = Document.open("a.msg.md", "Preamble.\n\n# %% Q\n")
    assert hierarchy.item_at(snapshot_of(document), 0) is None
    assert hierarchy.item_at(snapshot_of(document), 12) is None


JSON = """\
[
  {"role": "assistant", "runId": "r", "parts": [
    {"kind": "tool_call", "payload": {"toolCallId": "c1", "toolName": "look", "args": {}}},
    {"kind": "tool_call", "payload": {"toolCallId": "c2", "toolName": "wait", "args": {}}}]},
  {"role": "tool", "runId": "r", "parts": [
    {"kind": "tool_result", "payload": {"toolCallId": "c1", "content": "x"}}]},
  {"role": "user", "parts": []}
]
"""


def test_a_format_without_a_hierarchy_of_its_own_has_one_by_names() -> None:
    snapshot = snapshot_of(Document.open("a.messages.json", JSON))

    def follow(direction: Callable[..., Iterator[HierarchyItem]], place: str) -> list[str]:
        item = hierarchy.item_at(snapshot, JSON.index(place))
        assert item is not None
        return [str(found.symbol.name) for found in direction(snapshot, item)]

    assert follow(hierarchy.outgoing, '"assistant"') == ["look", "wait"]
    assert follow(hierarchy.incoming, '"wait"') == ["assistant"]
    assert follow(hierarchy.outgoing, '"look"') == ["result of c1"]
    assert follow(hierarchy.incoming, '"tool_result"') == ["look"]
    assert hierarchy.item_at(snapshot, JSON.index('"user"')) is None
