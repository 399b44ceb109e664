"""MSG106: a line that is nearly a header."""

import pytest

from msgls.rules.fixing import fixes_of
from msgls.rules.registry import BY_CODE
from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes
from tests.snapshots import snapshot_of

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
@each("newline", ["\n", "\r\n"])
def test_a_near_miss_is_found_and_mended(line: str, mended: str, newline: str) -> None:
    before, after = f"# %% 見😀[^q0]{newline}{newline}", f"{newline}text{newline}"
    expect(
        CODE,
        f"{before}«{line}»{after}",
        f"this looks like a cell header but is read as text: did you mean `{mended}`?",
    )
    ((_, safe, fixed),) = fixes(CODE, before + line + after)
    assert not safe
    assert before + mended in fixed
    expect_nothing(CODE, fixed)


WHOLE = [
    # With an id and a definition nothing else is missing.
    ("#%% A[^q1]\n\n[^q1]: [raw]\n", "# %% A[^q1]\n\n[^q1]: [raw]\n", "Change to `# %% A[^q1]`"),
    (
        "#%% A[^q1]\n\ntext\n",
        "# %% A[^q1]\n\n[^q1]: [markdown]\n\ntext\n",
        "Change to `# %% A[^q1]` and define it",
    ),
    (
        "  # %% A  \r\ntext\r\n",
        "# %% A[^m1]\r\n\r\n[^m1]: [markdown]\r\n\r\ntext\r\n",
        "Change to `# %% A[^m1]` and define it",
    ),
    ("##%%", "## %% [^m1]\n\n[^m1]: [markdown]", "Change to `## %% [^m1]` and define it"),
    # A definition waits for its header, or for its colon.
    (
        "#%% A\n\n[^q1]: [code]\n",
        "# %% A[^q1]\n\n[^q1]: [code]\n",
        "Change to `# %% A[^q1]` and define it",
    ),
    (
        "######   %% A[^q1]\n\n[^q1] [raw]\n",
        "##### %% A[^q1]\n\n[^q1]: [raw]\n",
        "Change to `##### %% A[^q1]` and define it",
    ),
    # The definition stands in another cell.
    (
        "#%% A[^q1]\n\n# %% B[^q2]\n\n[^q2]: [raw]\n[^q1]: [raw]\n",
        "# %% A[^q1]\n\n# %% B[^q2]\n\n[^q2]: [raw]\n[^q1]: [raw]\n",
        "Change to `# %% A[^q1]`",
    ),
]


@pytest.mark.parametrize("above", ["", "# %% 見😀[^q0]\n\n[^q0]: [markdown]\n\n", "\ufeff"])
@pytest.mark.parametrize(("source", "fixed", "name"), WHOLE)
def test_the_fix_leaves_nothing_to_be_done(above: str, source: str, fixed: str, name: str) -> None:
    if "\r" in source:
        above = above.replace("\n", "\r\n")
    expect_fix(CODE, above + source, above + fixed, safe=False, name=name)
    for left in ("MSG101", "MSG102", "MSG107", "MSG108"):
        expect_nothing(left, above + fixed)


AGENTS = "---\nagents:\n  assistant: {}\n---\n\n"


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("#%%% A\n\ntext\n", AGENTS + "# %%% A[^m1]\n\n[^m1]: [assistant]\n\ntext\n"),
        ("#%%% A[^a]\n", AGENTS + "# %%% A[^a]\n\n[^a]: [assistant]\n"),
        (AGENTS + "#%%% A[^a]\n", AGENTS + "# %%% A[^a]\n\n[^a]: [assistant]\n"),
        # The stranger is the author's own.
        ("#%%% A[^a]\n\n[^a]: [gpt]\n", "# %%% A[^a]\n\n[^a]: [gpt]\n"),
    ],
)
def test_the_agent_of_a_new_answer_is_registered(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False)


def test_many_are_mended_at_once() -> None:
    source = "".join([f"#%% {number}\n\ntext\n\n" for number in range(30)])
    document, problems = find(CODE, source)
    edits = [
        e for p in problems for e in fixes_of(snapshot_of(document), p, BY_CODE[CODE])[0].edits
    ]
    fixed = document.apply(edits).text
    for code in (CODE, "MSG101", "MSG103", "MSG107"):
        expect_nothing(code, fixed)


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


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("＃ %% Title[^q1]", "# %% Title[^q1]"),
        ("# ％％ Title[^q1]", "# %% Title[^q1]"),
        ("＃＃　％％％　Title[^q1]", "## %%% Title[^q1]"),
        ("#\u00a0%% Title[^q1]", "# %% Title[^q1]"),
        ("#\u3000%% Title[^q1]", "# %% Title[^q1]"),
        ("# %%\u3000Title[^q1]", "# %% Title[^q1]"),
        ("# %%\u2003Title[^q1]", "# %% Title[^q1]"),
    ],
)
def test_full_width_characters_and_other_blanks(line: str, mended: str) -> None:
    tail = "\n\n[^q1]: [markdown]\n\nHi\n"
    expect(
        CODE,
        f"«{line}»{tail}",
        f"this looks like a cell header but is read as text: did you mean `{mended}`?",
    )
    expect_fix(CODE, line + tail, mended + tail, safe=False)


@pytest.mark.parametrize("line", ["＃ 标题", "＃＃ 100％", "100％％", "#\u2028%% a", "# 50％ off"])
def test_other_lines_in_chinese(line: str) -> None:
    expect_nothing(CODE, line + "\n")
