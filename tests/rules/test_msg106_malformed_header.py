"""MSG106: a line that is nearly a header."""

from __future__ import annotations

import pytest

from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "MSG106"

NEAR_MISSES = [
    ("#%% A[^q1]", "# %% A[^q1]"),
    ("#%%% A[^a1]", "# %%% A[^a1]"),
    ("###### %% A", "##### %% A"),
    ("######## %%% A", "##### %%% A"),
    ("# %%%% A", "# %%% A"),
    (" # %% A", "# %% A"),
    ("   ## %% A", "## %% A"),
    ("# %%title", "# %% title"),
    ("##%%", "## %%"),
]


@pytest.mark.parametrize(("line", "mended"), NEAR_MISSES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_near_miss_is_found_and_mended(line: str, mended: str, newline: str) -> None:
    before, after = f"# %% 見😀[^q0]{newline}{newline}", f"{newline}text{newline}"
    expect(
        CODE,
        f"{before}«{line}»{after}",
        f"nearly a cell header, read as text: `{mended}` would start a cell",
    )
    expect_fix(
        CODE,
        before + line + after,
        before + mended + after,
        safe=False,
        name=f"Change to `{mended}`",
    )


@pytest.mark.parametrize("marked", ["«#%% A»\n", "text\n«#%%»", "---\na: b\n---\n«#%% A»\n"])
def test_the_preamble_is_looked_at(marked: str) -> None:
    expect(CODE, marked)


@pytest.mark.parametrize(
    "source",
    [
        "# %% A[^q1]\n",
        "#\t%% A\n",
        "# %%[^q1]\n",
        "# %%\n",
        "# %% A\n\n```\n#%% A\n```\n",
        "# %% A\n\n    # %% A\n",
        "# %% A\n\n\\#%% A\n",
        "# %% A\n\n\\# %% A\n",
        "# %% A\n\n# Heading with 50%% off\n",
        "# %% A\n\n#hashtag\n",
        "# %% A\n\n100 %% A\n",
        "# %% A\n\n- # %% A\n",
        "# %% A\n\n> # %% A\n",
        "# %% A\n\n#",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_it_follows_fences() -> None:
    source = "# %% A\n\nx\n\n#%% B\n\nend\n"
    assert expect_follows(
        CODE, source, ("x\n", "```\n"), ("end", "```\n#%% C"), ("#%% C", "# %% C")
    ) == [1, 0, 1, 0]
