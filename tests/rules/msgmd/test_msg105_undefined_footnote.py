"""MSG105: a reference to a footnote that is not there."""

import pytest

from tests.rules.support import expect, expect_follows, expect_nothing

CODE = "MSG105"

Q1 = "# %% [^q1]\n\n[^q1]: [markdown]\n\n"
A1 = "# %%% [^a1]\n\n[^a1]: [gpt]\n\n"


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (Q1 + "see[^«x»]\n", ["undefined footnote `x`"]),
        (A1 + "見😀[^«x»] and [^«x»]\r\n", []),
        # In the text of a footnote, and in a cell without a definition.
        ("# %% [^q1]\n\nsee[^1]\n\n[^1]: as in [^«2»]\n", []),
        (Q1 + "[^«a»]", []),
        # Beside what is math, HTML, code or a link.
        (Q1 + "it costs $5[^«1»] and $6, or a < b[^«2»]\n", []),
        (Q1 + "$x$[^«1»] <b>y[^«2»]</b> [z](u)[^«3»][^«see-4»]? `c`[^«5»]\n", []),
        (Q1 + "a $$ b[^«1»] <!-- c[^«2»] <pre> d[^«3»] \\( e[^«4»]\n", []),
        # In a fence of a block quote (docs/decisions/004).
        (Q1 + "> ~~~\n> see[^«x»]\n> ~~~\n", []),
        (Q1 + "one ` here\n\nand[^«1»] one ` there\n", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        Q1 + "see[^1]\n\n[^1]: a note\n",
        # Backticks of a container read like inline code.
        Q1 + "> ```\n> see[^x]\n> ```\n\n1.  a\n\n    ```\n    [^y]\n    ```\n",
        # Defined anywhere: in another cell, before all cells, as a cell, half-written.
        Q1 + "see[^1]\n\n" + A1 + "[^1]: a note\n",
        "[^1]: a note\n\n" + Q1 + "see[^1]\n",
        Q1 + "as I said[^q1]\n",
        Q1 + "see[^1]\n\n[^1]: [half\n",
        # Code is not prose.
        Q1 + "the class `[^x]`\n",
        Q1 + "```\n[^x]\n```\n",
        Q1 + "    [^x]\n",
        Q1 + "escaped \\[^x]\n",
        Q1 + "\\# %% quoted[^x]\n\n\\\\## %%% [^x.1]\n",
        "# %% [^c1]\n\n[^c1]: [code]\n\nsee [^x]\n",
        "# %% [^c1]\n\n[^c1]: [raw]\n\nsee [^x]\n",
        A1 + '# %%% [^a1.9f]\n\n[^a1.9f]: [tool] name="grep"\n\n<grep>[^x]</grep>\n',
        A1 + "# %%% [^a1.9f.1]\n\n[^a1.9f.1]: [tool]\n\n[^x]\n",
        "# %%% [^c1.1]\n\n[^c1.1]: [python]\n\nstdout> [^x]\n",
        # Nobody looks at what stands before the first cell.
        "see [^x]\n\n" + Q1,
        "see [^x]\n",
        Q1 + "[^ x] [^]\n",
        # Math and HTML.
        Q1 + "$[^5]$\n",
        Q1 + "$$\n[^x]\n$$\n",
        Q1 + "so \\( y[^3] \\) and \\[ z[^4] \\]\n",
        Q1 + "<pre>[^z]</pre>\n",
        Q1 + "<PRE>\n\n[^z]\n</PRE>\n",
        Q1 + "<!-- [^q] -->\n",
        Q1 + '<a title="[^q]">x</a>\n',
        # A footnote in the quote that refers to it.
        Q1 + "> a[^1]\n>\n> [^1]: x\n",
        # Links, images and addresses.
        Q1 + "[^6](x) ![^alt](x.png) [^7][x] https://x.com/[^b] [x](y/[^c])\n",
        # Regular expressions.
        Q1 + '[^a-z] [^0-9]+ [^a-z]* [^a-zA-Z0-9_] [^x]{2} [^,] [^"]\n',
        # Viewers do not look at the case.
        Q1 + "x[^Note]\n\n[^note]: y\n",
        # Code that runs over two lines.
        Q1 + "the class `a\n[^x]` here\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_it_follows_other_cells_and_its_own_type() -> None:
    source = Q1 + "see[^x]\n\n" + A1 + "end\n"
    assert expect_follows(
        CODE,
        source,
        ("end", "[^x]: a note"),
        ("[^x]: a note", "[^x]: [gpt]"),
        ("[^x]: [gpt]", "[^x: [gpt]"),
        ("[^x: [gpt]", "# %% [^x]"),
        ("# %% [^x]", "end"),
        ("[markdown]", "[raw]"),
        ("[raw]", "[markdown]"),
        ("see[^x]", "more text, see[^x]"),
    ) == [1, 0, 0, 0, 0, 1, 0, 1, 1]


def test_what_is_nearly_a_header_has_no_reference() -> None:
    expect_nothing(CODE, "# %% t[^q]\n\n[^q]: [markdown]\n\n#%% x [^z]\n")
