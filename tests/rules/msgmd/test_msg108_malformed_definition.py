"""MSG108: a definition whose head cannot be read."""

import pytest

from msgls.document.snapshot import Surroundings
from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG108"


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (
            "# %% [^q1]\n\n«[^q1: [markdown] a=1»\n",
            ["the definition of `q1` cannot be read: `]` is missing after the id"],
        ),
        (
            "# %% [^q1]\n\n«[^q1]: [markdown history=none»\n",
            ["the definition of `q1` cannot be read: `]` is missing after the type"],
        ),
        (
            "# %% [^q1]\n\n«[^q1]: see there»\n",
            ["the definition of the cell `q1` has no type: `[^q1]: [type]` is expected"],
        ),
        (
            "# %% [^q1]\n\n«[^q1]: [markdown]history=0»\n",
            ["the definition of `q1` cannot be read: a space is missing after the type"],
        ),
        (
            "# %% [^q1]\n\n«[^q1]: [see]there and [there](x)»\n",
            ["the definition of the cell `q1` has no type: `[^q1]: [type]` is expected"],
        ),
        # Away from home, after wide characters, with CRLF; the later ones are passed over.
        ("# %% 見[^q1]\r\n\r\n😀\r\n\r\n«[^q1]: x»\r\n[^q1]: y\r\n", []),
        ("# %% [^q1]\n\nx\n\n# %% [^q2]\n[^q2]: [raw]\n\n«[^q1]: x»\n", []),
        # Half-written.
        ("# %% [^q1]\n\n«[^q1]: [»", []),
        ("# %% [^q1]\n\n«[^q1]:»", []),
        ("# %% [^q1]\n\n«[^q1]: [mark»", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        "# %% [^q1]\n\n[^q1]: [markdown]\n",
        # Ordinary footnotes.
        "# %% [^q1]\n[^q1]: [raw]\n\n[^1]: a note\n[^2: [x]\n[^3]: [half\n",
        # Beside a typed one: MSG103.
        "# %% [^q1]\n[^q1]: [raw]\n\n[^q1]: a note\n[^q1]: [half\n",
        # No cell has that id.
        "# %% A\n\n[^q1]: [half\n",
        "# %% [^q1]\n\n```\n[^q1]: x\n```\n",
        "# %% [^q1]\n\n\\[^q1]: x\n",
        "# %% [^q1]\n\n\\[^q1\\]: [raw]\n",
        "[^q1]: in the preamble\n\n# %% [^q1]\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_cell_is_related_and_can_silence_it() -> None:
    source = "# %% [^q1]\n\nx\n\n# %% [^q2]\n[^q2]: [raw]\n\n[^q1]: x\n"
    document, (problem,) = find(CODE, source)
    assert problem.subject is not None
    assert document.cell(problem.subject).cell.id == "q1"
    assert [related.label for related in problem.related] == [problem.subject]
    expect_nothing(CODE, source.replace("x\n", "<!-- msgls: ignore MSG108 -->\n", 1))


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("[^q1: [markdown] a=1", "[^q1]: [markdown] a=1"),
        ("[^q1]: [markdown history=none", "[^q1]: [markdown] history=none"),
        ('[^q1]: [markdown a="x"]', '[^q1]: [markdown] a="x"'),
        ("[^q1]: [markdown", "[^q1]: [markdown]"),
        ("[^q1]: history=none", "[^q1]: [markdown] history=none"),
        ("[^q1]: code", "[^q1]: [code]"),
        ("[^q1]: raw a=1", "[^q1]: [raw] a=1"),
        ("[^q1]:", "[^q1]: [markdown]"),
        ("[^q1]: [markdown]history=0 a=1", "[^q1]: [markdown] history=0 a=1"),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_a_message_is_mended_where_it_is_certain(line: str, mended: str, newline: str) -> None:
    head, tail = f"# %% [^q1]{newline}{newline}", f"{newline}{newline}text{newline}"
    name = f"Change to `{mended}`"
    expect_fix(CODE, head + line + tail, head + mended + tail, safe=False, name=name)


@pytest.mark.parametrize(
    ("cell_id", "line", "mended"),
    [
        ("a1", "[^a1]: gpt time=now", "[^a1]: [gpt] time=now"),
        ("a1", "[^a1]: outside", "[^a1]: [outside]"),
        ("a1.9f", '[^a1.9f]: tool name="x"', '[^a1.9f]: [tool] name="x"'),
        ("c1.1", "[^c1.1]: python status=success", "[^c1.1]: [python] status=success"),
    ],
)
def test_an_output_is_mended_where_it_is_certain(cell_id: str, line: str, mended: str) -> None:
    frame = f"---\nagents: {{gpt: {{models: [m]}}}}\n---\n# %%% [^{cell_id}]\n\n"
    around = Surroundings(other_agents=frozenset({"outside"}))
    expect_fix(CODE, frame + line, frame + mended, safe=False, surroundings=around)


@pytest.mark.parametrize(
    "source",
    [
        "# %% [^q1]\n\n[^q1]: some words\n",
        "# %% [^q1]\n\n[^q1]: code is good\n",
        "# %% [^q1]\n\n[^q1]: [half of a sentence\n",
        "# %% [^q1]\n\n[^q1: [x] and words\n",
        "# %% [^q1]\n\n[^q1]: a=1 a=2\n",
        "# %%% [^a1]\n\n[^a1]: history=none\n",
        "# %%% [^a1]\n\n[^a1]: unknown a=1\n",
        "# %%% [^a1]\n\n[^a1]: python\n",
    ],
)
def test_a_guess_is_not_a_fix(source: str) -> None:
    assert fixes(CODE, source) == []


def test_it_follows_both_cells() -> None:
    source = "# %% [^q1]\n\nx\n\n# %% [^q2]\n[^q2]: [raw]\n\nend\n"
    assert expect_follows(
        CODE,
        source,
        ("end", "[^q1]: note"),
        ("[^q2]: [raw]", "[^q2]: [raw]\n\nmore"),
        ("[^q1]: note", "[^q1]: [raw]"),
        ("[^q1]: [raw]", "[^q1: [raw]"),
        ("# %% [^q1]", "# %% [^q3]"),
    ) == [0, 1, 1, 0, 1, 0]
