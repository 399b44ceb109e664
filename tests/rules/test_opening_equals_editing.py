"""What is found when a file is opened is what is found while it is typed, whatever its ids are.

Headers and definitions vary together: an id that both of them have is a cell of the plainest
shape, which is where a shortcut would be taken.
"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from msgls.text.spans import Span
from tests.rules.support import PATH, shown
from tests.snapshots import snapshot_of

BEFORE = (
    "---\nagents:\n  gpt: {models: [o3]}\n---\n\n"
    "# %% Q[^m1]\n\n[^m1]: [markdown]\n\nHi\n\n"
    "# %% C[^c1]\n\n[^c1]: [code]\n\n```python\n1\n```\n\n"
    "# %%% A[^a1]\n\n[^a1]: [gpt]\n\nYes\n\n"
    '# %%% T[^a1.ab]\n\n[^a1.ab]: [tool] name="ls"\n\n<ls/>\n\n'
)
ROOTS = st.sampled_from(["m1", "c1", "a1", "x9", "1", "", "x y"])
SEGMENTS = st.sampled_from(["ab", "1", "2", "0", "01", "n", "x", "-1", "7", "二", "", "a:0"])
IDS = st.builds(lambda root, rest: ".".join([root, *rest]), ROOTS, st.lists(SEGMENTS, max_size=3))
TYPES = st.sampled_from(["tool", "python", "mermaid", "gpt", "o3", "Ada", "markdown", "code"])
ATTRIBUTES = st.sampled_from(
    [
        *("", ' name="ls"', ' status="success"', ' status="success" duration=0.5s'),
        *(" history=exclude", " virtual=1", " reset=1"),
    ]
)
# The id of the definition, where it is another one than that of the header.
OTHERS = st.one_of(st.none(), st.none(), IDS)
COLONS = st.sampled_from([":", ":", ":", "", "\uff1a"])
CELLS = st.tuples(st.sampled_from(["%%", "%%%"]), IDS, TYPES, ATTRIBUTES, OTHERS, COLONS)


def _cell(
    percents: str,
    cell_id: str,
    kind: str,
    attributes: str,
    other: str | None = None,
    colon: str = ":",
) -> str:
    line = f"[^{cell_id if other is None else other}]{colon} [{kind}]{attributes}"
    return f"# {percents} [^{cell_id}]\n\n{line}\n\nstdout> 1\n\n"


@given(st.lists(CELLS, min_size=1, max_size=4), st.lists(IDS, max_size=3))
@example([("%%%", "1.ab.n", "tool", ' status="success" duration=0.5s', None, ":")], [])
@example([("%%%", "c1.0", "python", ' status="success"', None, ":")], [])
@example([("%%%", "c1.x", "python", ' status="success"', None, ":")], ["c1.1", "c1.1.2"])
@example([("%%%", "x9.ab", "tool", "", "1.", ":")], [])
def test_opening_equals_editing(
    cells: list[tuple[str, str, str, str, str | None, str]], later: list[str]
) -> None:
    document = Document.open(PATH, BEFORE)
    checker = Checker(snapshot_of(document), RULES)

    def edit(span: Span, text: str) -> None:
        nonlocal document
        document = document.edit(span, text)
        checker.update(document)
        fresh = Document.open(PATH, document.text)
        found = shown(document, checker.problems())
        assert found == shown(fresh, Checker(snapshot_of(fresh), RULES).problems())

    for cell in cells:
        end = len(document.store)
        edit(Span(end, end), _cell(*cell))
    for cell_id in later:
        # As a rename does it: the definition first, and then the header.
        old = document.cell_number(document.cell_count - 1)
        for part in (old.cell.home, old.cell.header):
            if part is not None and part.id is not None:
                edit(part.id.span.shift(old.start_offset), cell_id)


@pytest.mark.parametrize(
    ("cell_id", "kind"), [("a1.ab.n", "tool"), ("c1.0", "python"), ("c1.x", "python")]
)
def test_a_malformed_number_is_found_when_a_file_is_opened(cell_id: str, kind: str) -> None:
    text = BEFORE + _cell("%%%", cell_id, kind, ' status="success" duration=0.5s')
    found = Checker(snapshot_of(Document.open(PATH, text)), RULES).problems()
    assert [problem.code for problem in found] == ["MSG111"]
