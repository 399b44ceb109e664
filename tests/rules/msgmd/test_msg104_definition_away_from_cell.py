"""MSG104: a definition that does not stand below its header."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.rules.fixing import fix_all
from msgls.rules.registry import BY_CODE
from tests.rules.support import (
    PATH,
    expect,
    expect_fix,
    expect_follows,
    expect_nothing,
    find,
    fixes,
)
from tests.snapshots import snapshot_of

CODE = "MSG104"


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (
            "# %% T[^q1]\n\ntext\n\n«[^q1]: [markdown]»\n",
            ["the definition of `q1` is not at its cell: move it below the header"],
        ),
        ("# %% 😀[^q1]\r\nx\r\n\r\n# %% [^q2]\r\n\r\n[^q2]: [raw]\r\n«[^q1]: [raw]»\r\n", []),
        # Before its cell, and even before all cells.
        ("# %% [^q0]\n[^q0]: [raw]\n\n«[^q1]: [raw]»\n\n# %% [^q1]\n\ntext\n", []),
        ("«[^q1]: [raw]»\n\n# %% [^q1]\n\ntext\n", []),
        # The first one counts; the second is MSG103's.
        ("# %% [^q1]\n\ntext\n\n«[^q1]: [raw]»\n[^q1]: [code]\n", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        "# %% [^q1]\n[^q1]: [markdown]\n",
        "# %% [^q1]\n\n\n  [^q1]: [markdown]\n\ntext\n",
        # At home, and again elsewhere.
        "# %% [^q1]\n[^q1]: [markdown]\n\ntext\n\n[^q1]: [raw]\n",
        # Ordinary footnotes.
        "# %% [^q1]\n[^q1]: [markdown]\n\ntext[^1]\n\n[^1]: [Title](https://example.org)\n",
        "# %% [^q1]\n\ntext\n\n[^q1]: a note\n",
        "# %% [^q1]\n\n```\n[^q1]: [markdown]\n```\n",
        # Two cells with one id: which of them it would go home to, nobody knows.
        "# %% [^q1]\n\nx\n\n# %% [^q1]\n\nx\n\n[^q1]: [raw]\n",
        "# %% [^q1",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_it_is_about_the_cell_and_can_be_silenced_there() -> None:
    source = "# %% [^q1]\n\nx\n\n# %% [^q2]\n[^q2]: [raw]\n\n[^q1]: [raw]\n"
    document, (problem,) = find(CODE, source)
    assert problem.subject is not None
    assert document.cell(problem.subject).cell.id == "q1"
    assert document.cell(problem.label).cell.id == "q2"
    (related,) = problem.related
    assert related.label == problem.subject
    expect_nothing(CODE, source.replace("x\n", "x\n<!-- msgls: ignore MSG104 -->\n"))


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (
            "# %% T[^q1]\n\ntext\n\n[^q1]: [markdown] a=1\n",
            "# %% T[^q1]\n\n[^q1]: [markdown] a=1\n\ntext\n\n",
        ),
        (
            "# %% T[^q1]\r\ntext\r\n\r\n[^q1]: [markdown]",
            "# %% T[^q1]\r\n\r\n[^q1]: [markdown]\r\n\r\ntext\r\n\r\n",
        ),
        (
            "# %% [^q0]\n[^q0]: [raw]\n\n  [^q1]: [raw]\nx\n\n# %% [^q1]",
            "# %% [^q0]\n[^q0]: [raw]\n\nx\n\n# %% [^q1]\n\n[^q1]: [raw]",
        ),
    ],
)
def test_it_moves_home(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=True, name="Move the definition below the header of `q1`")


def test_it_is_not_safe_where_another_definition_comes_home() -> None:
    """The one in the preamble counts for `q2`, until the line below is the first in its cell."""
    source = "[^q2]: [raw] n=1\n\n# %% [^q1]\n\nx\n\n# %% [^q2]\n\n[^q1]: [raw]\n[^q2]: [raw] n=2\n"
    assert [safe for _, safe, _ in fixes(CODE, source, 1)] == [False]
    assert [safe for _, safe, _ in fixes(CODE, source.partition("\n\n")[2])] == [True]


@pytest.mark.parametrize("head", ["", "\ufeff"])
def test_it_is_not_safe_where_a_frontmatter_would_begin(head: str) -> None:
    source = "[^q1]: [raw]\n---\nmessage_section: Talk\n---\n# %% [^q1]\n\nx\n"
    assert [safe for _, safe, _ in fixes(CODE, head + source)] == [False]
    assert [safe for _, safe, _ in fixes(CODE, head + "words\n" + source)] == [True]


_BODIES = st.lists(
    st.sampled_from(("text\n", "\n", "```\nx\n```\n", "[^1]: a note\n", "- ```\n", "\\[^q0]: x\n")),
    max_size=3,
).map("".join)


@given(
    bodies=st.lists(_BODIES, min_size=1, max_size=4),
    places=st.lists(st.integers(0, 9), min_size=4, max_size=4),
    newline=st.sampled_from(("\n", "\r\n")),
)
def test_no_message_changes(bodies: list[str], places: list[int], newline: str) -> None:
    """Definitions anywhere, moved home: what the file is read as stays as it was."""
    bodies = [body + "\n" for body in bodies]
    for number in range(len(bodies)):
        bodies[places[number] % len(bodies)] += f"[^q{number}]: [markdown] n={number}\n"
    cells = [f"# %% T[^q{number}]\n{body}" for number, body in enumerate(bodies)]
    document = Document.open(PATH, "\n".join(cells).replace("\n", newline))
    rule = BY_CODE[CODE]
    fixed = fix_all(snapshot_of(document), [rule], lambda problem: True).document
    assert find(CODE, fixed.text)[1] == []
    before, after = read_document(document), read_document(fixed)
    assert [message.to_wire() for message in before.messages] == [
        message.to_wire() for message in after.messages
    ]


def test_it_follows_both_cells() -> None:
    source = "# %% [^q1]\n\n[^q1]: [raw]\n\nx\n\n# %% [^q2]\n[^q2]: [raw]\n\nend\n"
    assert expect_follows(
        CODE,
        source,
        ("\n\n[^q1]: [raw]", "\n\nfirst\n\n[^q1]: [raw]"),
        ("first\n\n[^q1]: [raw]", ""),
        ("end", "[^q1]: [raw]"),
        ("# %% [^q2]", "# %% a title [^q2]"),
        ("[^q2]: [raw]", "[^q2]: [raw]\n\nmore above"),
        ("# %% [^q1]", "# %% [^q3]"),
    ) == [0, 1, 0, 1, 1, 1, 0]
