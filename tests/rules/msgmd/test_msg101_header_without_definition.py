"""MSG101: an id that nothing defines."""

import pytest

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from tests.notation import each
from tests.rules.support import PATH, expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "MSG101"


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (
            "# %% Title[^«q1»]\n\ntext\n",
            ["`q1` has no definition: add `[^q1]: [markdown]` below the header"],
        ),
        (
            "# %%% Title[^«a1»]\n\ntext\n",
            ["`a1` has no definition: add a line `[^a1]: […]` that names its author"],
        ),
        # Wide characters before the range, and CRLF.
        ("# %% 見出し😀[^«q1»]\r\n\r\ntext\r\n", []),
        # Half-written: the header is all there is.
        ("# %% [^«q1»]", []),
        # A definition inside a fence defines nothing.
        ("# %% [^«q1»]\n\n```\n[^q1]: [markdown]\n```\n", []),
        # Another cell's definition at home is not this one's, and neither is a footnote.
        ("# %% [^«q1»]\n\n[^q2]: [markdown]\n\n# %% [^q2]\n", []),
        ("# %% [^«q1»]\n\n[^n]: [sic]\n\nThey say so[^n].\n", []),
        # A footnote before the first cell is nobody's definition.
        ("[^q1]: a note\n\n# %% [^«q1»]\n", []),
        # Two headers, and no definition.
        ("# %% [^«q1»]\n\n# %% [^«q1»]\n", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        "# %% [^q1]\n\n[^q1]: [markdown]\n",
        "# %% [^q1]\n\ntext\n\n# %% [^q2]\n[^q2]: [markdown]\n\n[^q1]: [markdown]\n",
        "# %% no id\n\ntext\n",
        "text [^q1] without any cell\n",
        # Other rules have these: MSG108, MSG108, MSG109, MSG111, MSG111.
        "# %% [^q1]\n\n[^q1]: a note\n",
        "# %% [^q1]\n\n[^q1: [markdown]\n",
        "# %% [^q1]\n\n\\[^q1\\]: [markdown]\n",
        "# %% [^]\n",
        "# %% [^a b]\n",
        # MSG102: the id of the definition at home is mistyped.
        "# %% [^a1]\n\n[^al]: [code] history=0\n\ntext\n",
        "# %% [^q1]\n\n[^q2]: [markdown]\n",
        # MSG110: the fence hides it.
        "# %% [^c]\n\n```python\nx\n\n[^c]: [code]\n",
        "```\n# %% [^q1]\n```\n",
        "\\# %% [^q1]\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed", "safe"),
    [
        ("# %% T[^q1]\n\ntext\n", "# %% T[^q1]\n\n[^q1]: [markdown]\n\ntext\n", True),
        ("# %% T[^q1]\ntext\n", "# %% T[^q1]\n\n[^q1]: [markdown]\n\ntext\n", True),
        ("# %% T[^q1]", "# %% T[^q1]\n\n[^q1]: [markdown]", True),
        ("# %% [^q1]\r\ntext\r\n", "# %% [^q1]\r\n\r\n[^q1]: [markdown]\r\n\r\ntext\r\n", True),
        ("# %%% [^a1]\n\ntext\n", "# %%% [^a1]\n\n[^a1]: [assistant]\n\ntext\n", False),
        (
            "---\nagents: {gpt: {models: [m]}}\n---\n# %%% [^a1]\n",
            "---\nagents: {gpt: {models: [m]}}\n---\n# %%% [^a1]\n\n[^a1]: [gpt]\n",
            False,
        ),
        (
            "# %%% [^a1.9f]\n\n<read_file>\n</read_file>\n",
            '# %%% [^a1.9f]\n\n[^a1.9f]: [tool] name="read_file"\n\n<read_file>\n</read_file>\n',
            False,
        ),
        ("# %%% [^a1.9f.1]\n", "# %%% [^a1.9f.1]\n\n[^a1.9f.1]: [tool]\n", False),
        # What hides the cell does so no more.
        (
            "# %% [^q1]\n\n[^q1] [sic] history=none\n",
            "# %% [^q1]\n\n[^q1]: [markdown]\n\n[^q1] [sic] history=none\n",
            False,
        ),
        # The run of a code cell has the language of that cell.
        (
            "# %% [^c1]\n\n[^c1]: [code]\n\n```py\n1\n```\n\n# %%% [^c1.1]\n",
            "# %% [^c1]\n\n[^c1]: [code]\n\n```py\n1\n```\n\n# %%% [^c1.1]\n\n[^c1.1]: [py]\n",
            False,
        ),
    ],
)
def test_the_definition_is_inserted_at_home(source: str, fixed: str, safe: bool) -> None:
    expect_fix(CODE, source, fixed, safe=safe)


@pytest.mark.parametrize(
    ("head", "line", "mended"),
    [
        ("# %% A[^d]", "[^d] [markdown]", "[^d]: [markdown]"),
        ("# %% A[^d]", "[^d][raw] history=none  ", "[^d]: [raw] history=none"),
        ("# %% A[^d]", "  [^d]：[markdown]", "[^d]: [markdown]"),
        ("# %% A[^d]", "[^d] : [markdown]", "[^d]: [markdown]"),
        ("# %%% A[^d]", "[^d] [gpt] reasoning=1", "[^d]: [gpt] reasoning=1"),
        ("# %%% A[^a.b]", '[^a.b] [tool] name="t"', '[^a.b]: [tool] name="t"'),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_a_line_that_lacks_its_colon_gets_it(
    head: str, line: str, mended: str, newline: str
) -> None:
    before, after = f"{head}{newline}{newline}", f"{newline}{newline}text{newline}"
    source = before + line + after
    assert fixes(CODE, source) == [(f"Change to `{mended}`", False, before + mended + after)]
    cell_id = head.rpartition("^")[2].rstrip("]")
    marked = source.replace(cell_id, f"«{cell_id}»", 1)
    problem = "has no definition: the line below the header needs a colon,"
    expect(CODE, marked, f"`{cell_id}` {problem} `[^{cell_id}]:`")


@pytest.mark.parametrize(
    "line",
    [
        "[^d] [markdown] says who wrote it",
        "[^d] [a link](https://example.com)",
        "[^d] [sic]",
        "[^e] [markdown]",
        "[^d] markdown",
        "text [^d] [markdown]",
        "    [^d] [markdown]",
        "text\n\n[^d] [markdown]",
    ],
)
def test_words_after_a_footnote_are_not_a_definition(line: str) -> None:
    before, after = "# %% A[^d]\n\n", f"{line}\n"
    [(title, _, fixed)] = fixes(CODE, before + after)
    assert title == "Insert `[^d]: [markdown]`"
    assert fixed == f"{before}[^d]: [markdown]\n\n{after}"


def test_the_title_of_the_fix_says_the_line() -> None:
    assert [way[0] for way in fixes(CODE, "# %% [^q1]\n")] == ["Insert `[^q1]: [markdown]`"]


def test_it_follows_definitions_elsewhere() -> None:
    source = "# %% [^q1]\n\ntext\n\n# %% [^q2]\n[^q2]: [markdown]\n\nend\n"
    assert expect_follows(
        CODE,
        source,
        ("end", "[^q1]: [markdown]"),
        ("[^q1]: [markdown]", "[^q1]: a note"),
        ("[^q1]: a note", "[^q1: [markdown]"),
        ("[^q1: [markdown]", "end"),
        ("# %% [^q1]", "# %% longer title [^q1]"),
    ) == [1, 0, 0, 0, 1, 1]


def test_a_reference_makes_a_footnote_of_the_line_at_home() -> None:
    source = "# %% [^q1]\n\n[^n]: [sic]\n\nThey say so.\n"
    edits = ("so.", "so[^n]."), ("so[^n].", "so."), ("[^n]", "[^q1]")
    assert expect_follows(CODE, source, *edits) == [0, 1, 0, 0]


RUN = "# %%% [^c.1]\n\n[^c.1]: [python] status=success\n\nstdout> 1\n"


@pytest.mark.parametrize(
    ("before", "after", "rest"),
    [
        # Its run says that it is code.
        ("# %% [^c]\n\n", "[^c]: [code]\n\n", "```python\nx\n```\n\n" + RUN),
        # An open fence may hide the definition.
        ("# %% [^c]\n\n", "[^c]: [markdown]\n\n", "# %% B\n\n```\n[^c]: [raw]\n"),
        # It would define the other one too.
        ("# %% [^c]\n\n", "[^c]: [markdown]\n\n", "# %%% [^c]\n\ntext\n"),
    ],
)
def test_what_is_not_certain_is_not_safe(before: str, after: str, rest: str) -> None:
    expect_fix(CODE, before + rest, before + after + rest, safe=False)


def test_the_safe_fix_leaves_the_messages_as_they_are() -> None:
    source = "# %% T[^q1]\n\ntext\n"
    [(_, safe, fixed)] = fixes(CODE, source)
    before, after = Document.open(PATH, source), Document.open(PATH, fixed)
    assert safe
    assert read_document(before).messages == read_document(after).messages
