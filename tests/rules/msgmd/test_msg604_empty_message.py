"""MSG604: a message with a title and nothing to send."""

import pytest

from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "MSG604"
TEXT = "this message has no text: its title is not sent, so the model sees nothing of it"


@pytest.mark.parametrize(
    "marked",
    [
        "# %% «What is the weather?»[^q1]\n\n[^q1]: [markdown]\n",
        "# %% «天气 🙂»[^q1]\r\n\r\n[^q1]: [raw] role=system\r\n\r\n# %%% A[^a1]\r\n\r\nYes\r\n",
        "# %% «No id»\n",
        "[^q1]: [markdown]\n\n# %% «Defined above»[^q1]\n\n \t\n",
        "# %% «Only a comment»[^q1]\n\n[^q1]: [markdown]\n\n<!-- msgls: ignore MSG107 -->\n",
    ],
)
def test_found_on_the_title(marked: str) -> None:
    expect(CODE, marked, TEXT)


@pytest.mark.parametrize(
    "source",
    [
        "# %% Title[^q1]\n\n[^q1]: [markdown]\n\nText\n",
        # Somebody is about to write it.
        "# %% [^q1]\n\n[^q1]: [markdown]\n",
        "# %%\n",
        # Not sent anyway.
        "# %% Title[^q1]\n\n[^q1]: [markdown] history=none\n",
        '# %% critic [^c]\n\n[^c]: [markdown] definition="agent" name="critic"\n',
        "# %% Old[^q1]\n\n[^q1]: [markdown]\n\n# %%% R[^r]\n\n[^r]: [x] reset=1\n\nAgain.\n",
        # A code cell without code is MSG401's; answers and results may be empty.
        "# %% Title[^q1]\n\n[^q1]: [code]\n",
        "# %%% Title[^q1]\n\n[^q1]: [gpt]\n",
        "# %% Title[^q1]\n\n[^q1]: [markdown]\n\n```\n```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@each("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# %% What?[^q1]\n\n[^q1]: [markdown]\n", "# %% [^q1]\n\n[^q1]: [markdown]\n\nWhat?\n"),
        (
            "# %% What?[^q1]\n\n[^q1]: [markdown]\n\n# %%% A[^a1]\n\nYes\n",
            "# %% [^q1]\n\n[^q1]: [markdown]\n\nWhat?\n\n# %%% A[^a1]\n\nYes\n",
        ),
        ("# %% What?[^q1]", "# %% [^q1]\n\nWhat?\n"),
    ],
)
def test_the_title_becomes_the_text(before: str, after: str, newline: str) -> None:
    if "\n" not in before:
        newline = "\n"
    before, after = before.replace("\n", newline), after.replace("\n", newline)
    expect_fix(CODE, before, after, safe=False, name="Make the title the text")


def test_it_follows_edits() -> None:
    counts = expect_follows(
        CODE,
        "# %% What?[^q1]\n\n[^q1]: [markdown]\n\nText\n",
        ("Text", ""),
        ("[markdown]", "[markdown] history=none"),
        (" history=none", ""),
        ("What?", ""),
    )
    assert counts == [0, 1, 0, 1, 0]
